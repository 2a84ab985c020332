/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "curve/request.h"

#include <stdio.h>
#include <string.h>

static bool is_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}

/* A method is capital letters before a blank. */
static size_t method_size(const char *text, size_t size)
{
    size_t i = 0;

    while (i < size && is_upper(text[i])) {
        i++;
    }
    return i > 0 && i < size && text[i] == ' ' ? i : 0;
}

enum ls_code request_wish_init(struct request_wish *wish, const struct sink *sink,
                               struct ls_error *err)
{
    static const char *const words[] = {"ok", "all", "full"};
    const char *count = sink->wish->count;
    const char *url = sink->wish->url;
    bool known = count == NULL;

    *wish = (struct request_wish){.count = REQUEST_OK};
    for (size_t i = 0; i < sizeof words / sizeof words[0] && !known; i++) {
        known = strcmp(count, words[i]) == 0;
        wish->count = known ? (enum request_count)i : wish->count;
    }
    if (!known) {
        return ls_error_set(err, LS_EUSAGE, "--count: \"%.40s\" is none of ok, all, full", count);
    }
    if (url != NULL) {
        const size_t size = method_size(url, strlen(url));

        if (size > 0) {
            wish->method = (struct slice){url, size};
            url += size + 1;
        }
        wish->url = (struct slice){url, strlen(url)};
    }
    return LS_OK;
}

void request_counted(const struct request_wish *wish, struct sink *sink, const char *who)
{
    static const char *const of_status[] = {" with a status below 400", " of any status",
                                            " with a status below 400 and a new TLS session"};

    (void)snprintf(sink->counted, sizeof sink->counted, "%s%.*s%s%.60s%s; a user is %s",
                   wish->url.at == NULL ? "requests" : "requests of ",
                   wish->method.at == NULL ? 0 : (int)wish->method.size,
                   wish->method.at == NULL ? "" : wish->method.at,
                   wish->method.at == NULL ? "" : " ", wish->url.at == NULL ? "" : wish->url.at,
                   of_status[wish->count], who);
}

void request_note(const struct request_wish *wish, struct sink *sink)
{
    if (wish->url.at == NULL) {
        sink->note(sink, "every request counts, of pictures and scripts too: say which one is a "
                         "login, like --url 'POST /login'");
    }
}

static bool has(struct slice text, struct slice part)
{
    return part.size == 0 ||
           (text.size >= part.size && memmem(text.at, text.size, part.at, part.size) != NULL);
}

/* "POST /login HTTP/1.1" taken apart; false for what is no request. */
static bool split(struct slice line, struct slice *method, struct slice *path)
{
    const size_t size = method_size(line.at, line.size);
    const char *end;

    if (size == 0) {
        return false;
    }
    *method = (struct slice){line.at, size};
    *path = (struct slice){line.at + size + 1, line.size - size - 1};
    end = memchr(path->at, ' ', path->size);
    if (end != NULL) {
        path->size = (size_t)(end - path->at);
    }
    return true;
}

static const char *refuse_status(const struct request_wish *wish, struct slice status)
{
    if (wish->count == REQUEST_ALL || status.at == NULL) {
        return NULL;
    }
    if (status.size != 3) {
        return "no status";
    }
    switch (status.at[0]) {
    case '1':
    case '2':
    case '3':
        return NULL;
    case '4':
        return "status 4xx";
    case '5':
        return "status 5xx";
    default:
        return "no status";
    }
}

const char *request_refuse(const struct request_wish *wish, const struct request *request)
{
    struct slice method = request->method;
    struct slice path = request->path;

    if (request->line.at != NULL && !split(request->line, &method, &path)) {
        return slice_begins(request->line, "\\x16\\x03") ? "TLS bytes, sent to a plain port"
                                                         : "no request";
    }
    if (wish->url.at != NULL && !has(path, wish->url)) {
        return "another URL";
    }
    if (wish->method.at != NULL && (method.size != wish->method.size ||
                                    memcmp(method.at, wish->method.at, method.size) != 0)) {
        return "another method";
    }
    return refuse_status(wish, request->status);
}
