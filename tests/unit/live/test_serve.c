/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unit/live/kit.h"

static char got[1 << 20];

static void answers_are_of_this_page_alone_and_can_be_read_only(void **state)
{
    static const struct {
        const char *why, *request, *status, *body;
    } rows[] = {
        {"the page", "GET / HTTP/1.1\r\nHost: localhost\r\n", "200", PAGE},
        {"its head", "HEAD / HTTP/1.1\r\nHost: localhost\r\n", "200", ""},
        {"the head of the events", "HEAD /events HTTP/1.1\r\nHost: localhost\r\n", "200", ""},
        {"an older client", "GET / HTTP/1.0\r\n", "200", PAGE},
        {"a page that is not there", "GET /x HTTP/1.1\r\nHost: localhost\r\n", "404", NULL},
        {"a file of the host", "GET /../../etc/passwd HTTP/1.1\r\nHost: localhost\r\n", "404",
         NULL},
        {"a report before the end", "GET /report.html HTTP/1.1\r\nHost: localhost\r\n", "404",
         NULL},
        {"what a browser asks for", "GET /favicon.ico HTTP/1.1\r\nHost: localhost\r\n", "204", ""},
        {"a name that was made to lead here", "GET / HTTP/1.1\r\nHost: rebound.example\r\n", "421",
         NULL},
        {"its events", "GET /events HTTP/1.1\r\nHost: rebound.example\r\n", "421", NULL},
        {"a form", "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n", "405", NULL},
        {"a file that is brought", "PUT /x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n",
         "405", NULL},
        {"the whole page gone", "DELETE / HTTP/1.1\r\nHost: localhost\r\n", "405", NULL},
        {"what may be done", "OPTIONS / HTTP/1.1\r\nHost: localhost\r\n", "405", NULL},
    };
    struct kit kit;

    (void)state;
    kit_start(&kit);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char request[256];
        const char *body;

        (void)snprintf(request, sizeof request, "%sConnection: close\r\n\r\n", rows[i].request);
        (void)kit_read(kit_ask(&kit, request), got, sizeof got);
        body = strstr(got, "\r\n\r\n");
        if (strncmp(got + strlen("HTTP/1.1 "), rows[i].status, 3) != 0 || body == NULL ||
            (rows[i].body != NULL && strcmp(body + 4, rows[i].body) != 0) ||
            strstr(got, "\r\nX-Content-Type-Options: nosniff\r\n") == NULL ||
            strstr(got, "\r\nCache-Control: no-store\r\n") == NULL ||
            strstr(got, "\r\nContent-Security-Policy: " POLICY "\r\n") == NULL ||
            strstr(got, "Access-Control") != NULL) {
            fail_msg("%s: %s", rows[i].why, got);
        }
    }
    kit_stop(&kit);
}

static void one_connection_serves_several_requests(void **state)
{
    struct kit kit;
    int fd;

    (void)state;
    kit_start(&kit);
    fd = kit_ask(&kit, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
    kit_await(fd, PAGE, got, sizeof got);
    kit_send(fd, "GET /x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    (void)kit_read(fd, got, sizeof got);
    assert_non_null(strstr(got, "HTTP/1.1 404"));
    kit_stop(&kit);
}

static void who_comes_late_gets_all_and_who_comes_again_the_rest(void **state)
{
    struct http_patience patience = kit_patience();
    struct kit kit;
    char again[160], *id;
    int fd;

    (void)state;
    patience.back_s = 600;
    kit_start_with(&kit, patience, 600);
    kit_tell(&kit, "point {\"n\":1}");
    kit_tell(&kit, "point {\"n\":2}");
    fd = kit_ask(&kit, WATCH);
    kit_await(fd, "data: {\"n\":2}\n\n", got, sizeof got);
    assert_non_null(strstr(got, "\r\nContent-Type: text/event-stream"));
    assert_non_null(strstr(got, "event: storm\ndata: {\"storm\":"));
    assert_non_null(strstr(got, "data: {\"n\":1}\n\n"));
    id = strstr(got, "id: ");
    assert_non_null(id);
    (void)snprintf(again, sizeof again, "Last-Event-ID: %.*s\r\n", (int)strcspn(id + 4, "\n"),
                   id + 4);
    kit_tell(&kit, "point {\"n\":3}");
    kit_await(fd, "data: {\"n\":3}\n\n", got, sizeof got);
    (void)close(fd);

    kit_tell(&kit, "end {}");
    (void)poll(NULL, 0, 200);
    assert_int_equal(waitpid(kit.pid, NULL, WNOHANG), 0);
    kit_get(&kit, "/events", again, got, sizeof got);
    assert_null(strstr(got, "data: {\"n\":1}\n\n"));
    assert_non_null(strstr(got, "data: {\"n\":2}\n\n"));
    assert_non_null(strstr(got, "data: {\"n\":3}\n\n"));
    assert_non_null(strstr(got, "event: end\ndata: {}\n\n"));
    kit_ended(&kit);
}

static void an_id_of_another_storm_gets_all(void **state)
{
    struct kit kit;
    int fd;

    (void)state;
    kit_start(&kit);
    kit_tell(&kit, "point {\"n\":1}");
    kit_tell(&kit, "point {\"n\":2}");
    fd = kit_ask(&kit, "GET /events HTTP/1.1\r\nHost: localhost\r\nLast-Event-ID: 1-1\r\n\r\n");
    kit_await(fd, "data: {\"n\":2}\n\n", got, sizeof got);
    assert_non_null(strstr(got, "data: {\"n\":1}\n\n"));
    (void)close(fd);
    kit_stop(&kit);
}

/* Asks until there is a place. */
static int watch(struct kit *kit)
{
    for (;;) {
        const int fd = kit_ask(kit, WATCH);

        kit_await(fd, "\r\n\r\n", got, sizeof got);
        if (strstr(got, "HTTP/1.1 200") != NULL) {
            return fd;
        }
        (void)close(fd);
        (void)poll(NULL, 0, 50);
        kit_tell(kit, "point {}"); /* by which it is noticed who has gone */
    }
}

static void who_does_not_read_is_dropped_and_the_others_go_on(void **state)
{
    struct http_patience patience = kit_patience();
    static char message[3000];
    struct kit kit;
    int deaf[HTTP_STREAMS_MAX], fd;

    (void)state;
    patience.read_s = 1;
    kit_start_with(&kit, patience, 600);
    memset(message, 'x', sizeof message - 1);
    memcpy(message, "point ", strlen("point "));
    for (int i = 0; i < HTTP_STREAMS_MAX; i++) {
        deaf[i] = kit_connect_with(&kit, 4096);
        kit_send(deaf[i], WATCH);
    }
    for (int i = 0; i < 100; i++) { /* more than their buffers and the server's hold */
        kit_tell(&kit, message);
    }
    fd = watch(&kit);
    kit_tell(&kit, "point {\"the\":\"last\"}");
    kit_tell(&kit, "end {}");
    (void)kit_read(fd, got, sizeof got);
    assert_non_null(strstr(got, "{\"the\":\"last\"}"));
    kit_ended(&kit);
    for (int i = 0; i < HTTP_STREAMS_MAX; i++) {
        (void)kit_read(deaf[i], got, sizeof got);
        assert_null(strstr(got, "{\"the\":\"last\"}"));
    }
}

static void half_a_request_is_not_waited_for_however_slowly_it_goes_on(void **state)
{
    struct http_patience patience = kit_patience();
    struct kit kit;
    int fd;

    (void)state;
    patience.ask_s = 1;
    kit_start_with(&kit, patience, 600);
    fd = kit_ask(&kit, "GET / HTTP/1.1\r\nX-Slow: ");
    while (send(fd, "x", 1, MSG_NOSIGNAL) == 1) {
        (void)poll(NULL, 0, 100);
    }
    (void)close(fd);
    kit_get(&kit, "/", "", got, sizeof got);
    assert_non_null(strstr(got, PAGE));
    kit_stop(&kit);
}

static void silence_on_a_stream_is_broken_now_and_then(void **state)
{
    struct http_patience patience = kit_patience();
    struct kit kit;
    int fd;

    (void)state;
    patience.beat_s = 1;
    kit_start_with(&kit, patience, 600);
    fd = kit_ask(&kit, WATCH);
    kit_await(fd, "\n:\n\n", got, sizeof got);
    (void)close(fd);
    kit_stop(&kit);
}

static void one_browser_too_many_is_told_and_a_place_is_free_when_one_goes(void **state)
{
    struct kit kit;
    int fds[HTTP_STREAMS_MAX];

    (void)state;
    kit_start(&kit);
    for (int i = 0; i < HTTP_STREAMS_MAX; i++) {
        fds[i] = kit_ask(&kit, WATCH);
        kit_await(fds[i], "event: storm", got, sizeof got);
    }
    kit_get(&kit, "/events", "", got, sizeof got);
    assert_non_null(strstr(got, "HTTP/1.1 503"));
    assert_non_null(strstr(got, "\r\nRetry-After: "));
    kit_get(&kit, "/", "", got, sizeof got);
    assert_non_null(strstr(got, PAGE));
    (void)close(fds[0]);
    fds[0] = watch(&kit);
    for (int i = 0; i < HTTP_STREAMS_MAX; i++) {
        (void)close(fds[i]);
    }
    kit_stop(&kit);
}

static void more_connections_than_there_may_be_wait_for_a_place(void **state)
{
    struct kit kit;
    int fds[2 * HTTP_CONNECTIONS_MAX];

    (void)state;
    kit_start(&kit);
    for (int i = 0; i < 2 * HTTP_CONNECTIONS_MAX; i++) {
        fds[i] = kit_connect(&kit);
    }
    for (int i = 0; i < HTTP_CONNECTIONS_MAX; i++) {
        (void)close(fds[i]);
    }
    for (int i = HTTP_CONNECTIONS_MAX; i < 2 * HTTP_CONNECTIONS_MAX; i++) {
        kit_send(fds[i], "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        (void)kit_read(fds[i], got, sizeof got);
        assert_non_null(strstr(got, PAGE));
    }
    kit_stop(&kit);
}

static void nonsense_harms_nobody_else(void **state)
{
    static const char *const rows[] = {
        "\r\n\r\n\r\n",
        "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", /* https:// */
        "GET\r\n\r\n",
        "GET / HTTP/9.9\r\n\r\n",
        "GET / HTTP/1.1\r\nHost\r\n\r\n",
        "GET / HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nffffffffff\r\nx",
        "GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nhello",
        "GET /events HTTP/1.1\r\nHost: localhost\r\nLast-Event-ID: %s%n\r\n\r\n",
    };
    struct http_patience patience = kit_patience();
    static char endless[2 * HTTP_CONNECTION_BYTES];
    struct kit kit;
    int fd;

    (void)state;
    patience.ask_s = 1; /* some of it could still become a request */
    kit_start_with(&kit, patience, 600);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        fd = kit_ask(&kit, rows[i]);
        (void)shutdown(fd, SHUT_WR);
        if (strstr(rows[i], "/events") != NULL) {
            (void)close(fd);
        } else {
            (void)kit_read(fd, got, sizeof got);
        }
    }
    memset(endless, 'x', sizeof endless - 1);
    fd = kit_ask(&kit, "GET /");
    (void)send(fd, endless, sizeof endless - 1, MSG_NOSIGNAL);
    (void)kit_read(fd, got, sizeof got);
    assert_null(strstr(got, "HTTP/1.1 200"));
    kit_tell(&kit, "nonsense");
    kit_tell(&kit, "point {}");
    kit_get(&kit, "/", "", got, sizeof got);
    assert_non_null(strstr(got, PAGE));
    kit_stop(&kit);
}

static void the_end_is_told_and_the_report_is_there_until_those_who_watch_have_it(void **state)
{
    static const char report[] = "<!doctype html><title>the report</title>";
    char path[] = "/tmp/loginstorm-live-XXXXXX", message[128];
    const int file = mkstemp(path);
    struct kit kit;
    int one, other;

    (void)state;
    assert_true(file >= 0);
    assert_int_equal(write(file, report, strlen(report)), strlen(report));
    (void)close(file);
    kit_start(&kit);
    one = kit_ask(&kit, WATCH);
    other = kit_ask(&kit, WATCH);
    kit_await(one, "event: storm", got, sizeof got);
    kit_await(other, "event: storm", got, sizeof got);
    (void)snprintf(message, sizeof message, "report %s", path);
    kit_tell(&kit, message);
    kit_tell(&kit, "end {\"text\":null}");
    kit_await(one, "event: end\ndata: {\"text\":null}\n\n\r\n0\r\n", got, sizeof got);
    (void)close(one);
    kit_get(&kit, "/report.html", "", got, sizeof got);
    assert_non_null(strstr(got, report));
    kit_await(other, "event: end\ndata: {\"text\":null}\n\n\r\n0\r\n", got, sizeof got);
    (void)close(other); /* it comes again, as browsers do, by another connection */
    (void)poll(NULL, 0, 200);
    assert_int_equal(waitpid(kit.pid, NULL, WNOHANG), 0);
    kit_get(&kit, "/report.html", "", got, sizeof got);
    assert_non_null(strstr(got, report));
    kit_ended(&kit);
    (void)unlink(path);
}

static void without_a_browser_the_end_is_at_once(void **state)
{
    struct kit kit;

    (void)state;
    kit_start(&kit);
    kit_tell(&kit, "report /nonexistent");
    kit_tell(&kit, "end {}");
    kit_ended(&kit);
}

static void a_browser_that_does_not_come_for_the_report_is_not_waited_for_for_ever(void **state)
{
    struct kit kit;
    int fd;

    (void)state;
    kit_start_with(&kit, kit_patience(), 1);
    fd = kit_ask(&kit, WATCH);
    kit_await(fd, "event: storm", got, sizeof got);
    kit_tell(&kit, "report /dev/null"); /* there is nothing in it */
    kit_tell(&kit, "end {}");
    kit_ended(&kit);
    (void)close(fd);
}

static void a_conductor_that_died_is_the_end_too(void **state)
{
    struct kit kit;
    int fd;

    (void)state;
    kit_start(&kit);
    kit_tell(&kit, "report /etc/hostname");
    fd = kit_ask(&kit, WATCH);
    kit_await(fd, "event: storm", got, sizeof got);
    kit_stop(&kit);
    (void)kit_read(fd, got, sizeof got);
    assert_null(strstr(got, "event: end"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_are_of_this_page_alone_and_can_be_read_only),
        cmocka_unit_test(one_connection_serves_several_requests),
        cmocka_unit_test(who_comes_late_gets_all_and_who_comes_again_the_rest),
        cmocka_unit_test(an_id_of_another_storm_gets_all),
        cmocka_unit_test(who_does_not_read_is_dropped_and_the_others_go_on),
        cmocka_unit_test(half_a_request_is_not_waited_for_however_slowly_it_goes_on),
        cmocka_unit_test(silence_on_a_stream_is_broken_now_and_then),
        cmocka_unit_test(one_browser_too_many_is_told_and_a_place_is_free_when_one_goes),
        cmocka_unit_test(more_connections_than_there_may_be_wait_for_a_place),
        cmocka_unit_test(nonsense_harms_nobody_else),
        cmocka_unit_test(the_end_is_told_and_the_report_is_there_until_those_who_watch_have_it),
        cmocka_unit_test(without_a_browser_the_end_is_at_once),
        cmocka_unit_test(a_browser_that_does_not_come_for_the_report_is_not_waited_for_for_ever),
        cmocka_unit_test(a_conductor_that_died_is_the_end_too),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
