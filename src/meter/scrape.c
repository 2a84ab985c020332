/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "meter/scrape.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "loginstorm/units.h"
#include "meter/curl.h"

#define CONNECT_PATIENCE_MS 3000
#define DATE_MAX 64

struct scrape {
    struct curl curl;
    CURLM *multi;
    CURL *easy;
    struct curl_slist *headers;
    uv_loop_t *loop;
    uv_timer_t timer;
    void (*answered)(const struct scrape_answer *answer, const struct ls_error *why, void *data);
    void *data;
    const char *url;
    int64_t begun_ns;
    bool under_way, closed;
    char *text;
    size_t size, capacity;
    bool too_large, no_memory;
    char date[DATE_MAX];
};

/* A socket that libcurl wants to be told of. */
struct socket {
    uv_poll_t poll;
    struct scrape *scrape;
    curl_socket_t fd;
};

static size_t on_bytes(char *bytes, size_t one, size_t count, void *data)
{
    struct scrape *scrape = data;

    (void)one; /* 1 */
    if (count > SCRAPE_BYTES_MAX - scrape->size) {
        scrape->too_large = true;
        return 0;
    }
    if (scrape->size + count > scrape->capacity) {
        const size_t capacity = (scrape->size + count) * 2;
        char *text = realloc(scrape->text, capacity);

        if (text == NULL) {
            scrape->no_memory = true;
            return 0;
        }
        scrape->text = text;
        scrape->capacity = capacity;
    }
    memcpy(scrape->text + scrape->size, bytes, count);
    scrape->size += count;
    return count;
}

static size_t on_header(char *bytes, size_t one, size_t count, void *data)
{
    static const char name[] = "date:";
    const size_t length = sizeof name - 1;
    struct scrape *scrape = data;

    (void)one;
    if (count > length && count - length < sizeof scrape->date &&
        strncasecmp(bytes, name, length) == 0) {
        memcpy(scrape->date, bytes + length, count - length);
        scrape->date[count - length] = '\0';
    }
    return count;
}

/* Why there is no answer, in words for who reads the report. */
static enum ls_code judge(const struct scrape *scrape, CURLcode result, struct ls_error *err)
{
    long status = 0;

    if (scrape->no_memory || result == CURLE_OUT_OF_MEMORY) {
        return ls_error_set(err, LS_ENOMEM, "no memory for the answer of %.200s", scrape->url);
    }
    if (scrape->too_large) {
        return ls_error_set(err, LS_EUNREACHABLE, "%.200s answers with more than %zu MiB",
                            scrape->url, SCRAPE_BYTES_MAX >> 20);
    }
    if (result != CURLE_OK) {
        return ls_error_set(err, LS_EUNREACHABLE, "%.200s: %s", scrape->url,
                            scrape->curl.curl_easy_strerror(result));
    }
    (void)scrape->curl.curl_easy_getinfo(scrape->easy, CURLINFO_RESPONSE_CODE, &status);
    if (status != 200) {
        return ls_error_set(err, LS_EUNREACHABLE, "%.200s answers with status %ld instead of 200",
                            scrape->url, status);
    }
    return LS_OK;
}

static void finish(struct scrape *scrape, CURLcode result)
{
    struct scrape_answer answer = {
        .text = scrape->text == NULL ? "" : scrape->text, .size = scrape->size, .date_s = -1};
    struct ls_error err;
    const enum ls_code code = judge(scrape, result, &err);
    curl_off_t asked_us = 0, begun_us = 0;
    char *address = NULL;

    (void)scrape->curl.curl_easy_getinfo(scrape->easy, CURLINFO_PRETRANSFER_TIME_T, &asked_us);
    (void)scrape->curl.curl_easy_getinfo(scrape->easy, CURLINFO_STARTTRANSFER_TIME_T, &begun_us);
    (void)scrape->curl.curl_easy_getinfo(scrape->easy, CURLINFO_PRIMARY_IP, &address);
    answer.begun_ns = scrape->begun_ns;
    answer.at_ns = scrape->begun_ns + (asked_us + begun_us) / 2 * LS_NS_PER_US;
    (void)snprintf(answer.address, sizeof answer.address, "%s", address == NULL ? "" : address);
    if (scrape->date[0] != '\0') {
        answer.date_s = scrape->curl.curl_getdate(scrape->date, NULL);
    }
    (void)scrape->curl.curl_multi_remove_handle(scrape->multi, scrape->easy);
    scrape->under_way = false;
    scrape->answered(code == LS_OK ? &answer : NULL, code == LS_OK ? NULL : &err, scrape->data);
}

static void look(struct scrape *scrape)
{
    const CURLMsg *message;
    int left;

    while (!scrape->closed &&
           (message = scrape->curl.curl_multi_info_read(scrape->multi, &left)) != NULL) {
        if (message->msg == CURLMSG_DONE) {
            finish(scrape, message->data.result);
        }
    }
    if (!scrape->closed && scrape->under_way && scrape->no_memory) {
        finish(scrape, CURLE_OUT_OF_MEMORY);
    }
}

static void on_poll(uv_poll_t *poll, int status, int events)
{
    const struct socket *socket = poll->data;
    struct scrape *scrape = socket->scrape;
    int running;
    const int what = status < 0 ? CURL_CSELECT_ERR
                                : ((events & UV_READABLE) != 0 ? CURL_CSELECT_IN : 0) |
                                      ((events & UV_WRITABLE) != 0 ? CURL_CSELECT_OUT : 0);

    (void)scrape->curl.curl_multi_socket_action(scrape->multi, socket->fd, what, &running);
    look(scrape);
}

static void on_time(uv_timer_t *timer)
{
    struct scrape *scrape = timer->data;
    int running;

    (void)scrape->curl.curl_multi_socket_action(scrape->multi, CURL_SOCKET_TIMEOUT, 0, &running);
    look(scrape);
}

static int on_timeout(CURLM *multi, long timeout_ms, void *data)
{
    struct scrape *scrape = data;

    (void)multi;
    if (scrape->closed) {
        return 0;
    }
    if (timeout_ms < 0) {
        (void)uv_timer_stop(&scrape->timer);
    } else {
        (void)uv_timer_start(&scrape->timer, on_time, (uint64_t)timeout_ms, 0);
    }
    return 0;
}

static void on_closed(uv_handle_t *handle)
{
    free(handle->data);
}

static struct socket *watch_socket(struct scrape *scrape, curl_socket_t fd)
{
    struct socket *socket = calloc(1, sizeof *socket);

    if (socket == NULL) {
        return NULL;
    }
    socket->scrape = scrape;
    socket->fd = fd;
    socket->poll.data = socket;
    if (uv_poll_init_socket(scrape->loop, &socket->poll, fd) != 0) {
        free(socket);
        return NULL;
    }
    (void)scrape->curl.curl_multi_assign(scrape->multi, fd, socket);
    return socket;
}

static int on_socket(CURL *easy, curl_socket_t fd, int what, void *data, void *socket_data)
{
    struct scrape *scrape = data;
    struct socket *socket = socket_data;

    (void)easy;
    if (what == CURL_POLL_REMOVE) {
        if (socket != NULL) {
            (void)uv_poll_stop(&socket->poll);
            (void)scrape->curl.curl_multi_assign(scrape->multi, fd, NULL);
            uv_close((uv_handle_t *)&socket->poll, on_closed);
        }
        return 0;
    }
    if (socket == NULL) {
        socket = watch_socket(scrape, fd);
    }
    /* An error given back would spoil libcurl's handle for ever: look() ends the transfer. */
    if (socket == NULL || uv_poll_start(&socket->poll,
                                        ((what & CURL_POLL_IN) != 0 ? UV_READABLE : 0) |
                                            ((what & CURL_POLL_OUT) != 0 ? UV_WRITABLE : 0),
                                        on_poll) != 0) {
        scrape->no_memory = true;
    }
    return 0;
}

static bool set(struct scrape *scrape)
{
    const struct curl *curl = &scrape->curl;
    CURL *easy = scrape->easy;
    CURLM *multi = scrape->multi;
    struct curl_slist *headers =
        curl->curl_slist_append(NULL, "Accept: text/plain;version=0.0.4;q=1,*/*;q=0.1");

    scrape->headers = headers;
    return headers != NULL && curl->curl_easy_setopt(easy, CURLOPT_URL, scrape->url) == CURLE_OK &&
           curl->curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https") == CURLE_OK &&
           curl->curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L) == CURLE_OK &&
           curl->curl_easy_setopt(easy, CURLOPT_PROXY, "") == CURLE_OK &&
           curl->curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L) == CURLE_OK &&
           curl->curl_easy_setopt(easy, CURLOPT_HTTPHEADER, headers) == CURLE_OK &&
           curl->curl_easy_setopt(easy, CURLOPT_USERAGENT, "loginstorm/" LS_VERSION) == CURLE_OK &&
           curl->curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, (long)CONNECT_PATIENCE_MS) ==
               CURLE_OK &&
           curl->curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, (long)SCRAPE_PATIENCE_MS) == CURLE_OK &&
           curl->curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, on_bytes) == CURLE_OK &&
           curl->curl_easy_setopt(easy, CURLOPT_WRITEDATA, scrape) == CURLE_OK &&
           curl->curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, on_header) == CURLE_OK &&
           curl->curl_easy_setopt(easy, CURLOPT_HEADERDATA, scrape) == CURLE_OK &&
           curl->curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, on_socket) == CURLM_OK &&
           curl->curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, scrape) == CURLM_OK &&
           curl->curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, on_timeout) == CURLM_OK &&
           curl->curl_multi_setopt(multi, CURLMOPT_TIMERDATA, scrape) == CURLM_OK;
}

enum ls_code scrape_new(struct scrape **out, uv_loop_t *loop, const char *url,
                        void (*answered)(const struct scrape_answer *answer,
                                         const struct ls_error *why, void *data),
                        void *data, struct ls_error *err)
{
    struct scrape *scrape = calloc(1, sizeof *scrape);

    *out = NULL;
    if (scrape == NULL) {
        return ls_error_set(err, LS_ENOMEM, "no memory to ask an exporter");
    }
    if (!curl_load(&scrape->curl)) {
        free(scrape);
        return ls_error_set(err, LS_ELIMIT,
                            "libcurl (Debian's libcurl4) is not there to ask an exporter: install "
                            "it");
    }
    scrape->loop = loop;
    scrape->url = url;
    scrape->answered = answered;
    scrape->data = data;
    scrape->closed = true; /* no timer yet */
    scrape->multi = scrape->curl.curl_multi_init();
    scrape->easy = scrape->curl.curl_easy_init();
    if (scrape->multi == NULL || scrape->easy == NULL || !set(scrape)) {
        scrape_free(scrape);
        return ls_error_set(err, LS_ELIMIT, "libcurl does not take %.200s", url);
    }
    scrape->closed = false;
    (void)uv_timer_init(loop, &scrape->timer);
    scrape->timer.data = scrape;
    *out = scrape;
    return LS_OK;
}

void scrape_begin(struct scrape *scrape)
{
    if (scrape->under_way || scrape->closed) {
        return;
    }
    scrape->under_way = true;
    scrape->size = 0;
    scrape->too_large = scrape->no_memory = false;
    scrape->date[0] = '\0';
    scrape->begun_ns = ls_now_ns();
    if (scrape->curl.curl_multi_add_handle(scrape->multi, scrape->easy) != CURLM_OK) {
        finish(scrape, CURLE_OUT_OF_MEMORY);
    }
}

bool scrape_is_under_way(const struct scrape *scrape)
{
    return scrape->under_way;
}

void scrape_close(struct scrape *scrape)
{
    if (scrape->closed) {
        return;
    }
    scrape->closed = true;
    if (scrape->under_way) {
        (void)scrape->curl.curl_multi_remove_handle(scrape->multi, scrape->easy);
        scrape->under_way = false;
    }
    uv_close((uv_handle_t *)&scrape->timer, NULL);
}

void scrape_free(struct scrape *scrape)
{
    if (scrape->easy != NULL) {
        scrape->curl.curl_easy_cleanup(scrape->easy);
    }
    if (scrape->multi != NULL) {
        (void)scrape->curl.curl_multi_cleanup(scrape->multi);
    }
    scrape->curl.curl_slist_free_all(scrape->headers);
    free(scrape->text);
    free(scrape);
}
