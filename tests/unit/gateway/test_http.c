/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "gateway/http.h"

#define END "\r\n\r\n"

static void a_request_is_read_for_what_it_wants(void **state)
{
    static const struct {
        const char *text;
        int64_t bytes;
        bool keep_alive, head;
        const char *reason;
    } rows[] = {
        {"GET / HTTP/1.1" END, -1, true, false, "a person's"},
        {"GET /bytes/6000 HTTP/1.1\r\nHost: a" END, 6000, true, false, "ours"},
        {"GET /bytes/0 HTTP/1.1" END, 0, true, false, "nothing at all"},
        {"GET /bytes/007 HTTP/1.1" END, 7, true, false, "leading zeroes"},
        {"GET /bytes/67108864 HTTP/1.1" END, HTTP_BYTES_MAX, true, false, "as much as we serve"},
        {"GET /bytes/67108865 HTTP/1.1" END, -1, true, false, "more than we serve"},
        {"GET /bytes/99999999999999999999999 HTTP/1.1" END, -1, true, false, "beyond 64 bits"},
        {"GET /bytes/ HTTP/1.1" END, -1, true, false, "no number"},
        {"GET /bytes/-1 HTTP/1.1" END, -1, true, false, "a sign"},
        {"GET /bytes/12x HTTP/1.1" END, -1, true, false, "more behind the number"},
        {"GET /bytes HTTP/1.1" END, -1, true, false, "no slash"},
        {"HEAD /bytes/9 HTTP/1.1" END, 9, true, true, "HEAD"},
        {"GET / HTTP/1.0" END, -1, false, false, "1.0 closes"},
        {"GET / HTTP/1.0\r\nConnection: Keep-Alive" END, -1, true, false, "as ab -k asks"},
        {"GET / HTTP/1.1\r\nConnection: close" END, -1, false, false, "1.1 that closes"},
        {"GET / HTTP/1.1\r\nconnection:\t CLOSE \t" END, -1, false, false, "spaces, any case"},
        {"GET / HTTP/1.1\r\nX-Connection: close" END, -1, true, false, "another header"},
        {"GET / HTTP/1.1\r\nConnection: closed" END, -1, true, false, "another word"},
        {"GET / HTTP/1.1\r\nContent-Length: 0" END, -1, true, false, "an empty body"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct http_request request;

        print_message("%s\n", rows[i].reason);
        assert_int_equal(http_parse(rows[i].text, strlen(rows[i].text), &request), HTTP_REQUEST);
        assert_int_equal(request.size, strlen(rows[i].text));
        assert_int_equal(request.bytes, rows[i].bytes);
        assert_int_equal(request.keep_alive, rows[i].keep_alive);
        assert_int_equal(request.head, rows[i].head);
    }
}

static void what_is_no_request_of_ours_is_bad(void **state)
{
    static const struct {
        const char *text;
        const char *reason;
    } rows[] = {
        {"\r\n\r\n", "an empty line"},
        {"GET" END, "a word"},
        {"GET /" END, "no version"},
        {"GET HTTP/1.1" END, "no path"},
        {"GET  HTTP/1.1" END, "an empty path"},
        {"GET / HTTP/2.0" END, "another protocol"},
        {"GET / HTTP/1." END, "half a version"},
        {"GET / HTTP/1.x" END, "no digit"},
        {"GET / HTTP/1.11" END, "two digits"},
        {"GET / HTTP/1.1 " END, "a space behind"},
        {"GET /a b HTTP/1.1" END, "a space in the path"},
        {"get / HTTP/1.1" END, "methods are in capitals"},
        {"POST / HTTP/1.1" END, "another method"},
        {"GETS / HTTP/1.1" END, "nearly a method"},
        {"GET / HTTP/1.1\r\nContent-Length: 5" END, "a body"},
        {"GET / HTTP/1.1\r\ncontent-length:1" END, "a body, in small letters"},
        {"GET / HTTP/1.1\r\nTransfer-Encoding: chunked" END, "a body in chunks"},
        {"\x16\x03\x01\x02\x01\x01\x03\x03" END, "TLS in TLS"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct http_request request;

        print_message("%s\n", rows[i].reason);
        assert_int_equal(http_parse(rows[i].text, strlen(rows[i].text), &request), HTTP_BAD);
    }
}

static void a_head_may_come_byte_by_byte(void **state)
{
    static const char text[] = "GET /bytes/6000 HTTP/1.1\r\nHost: gateway\r\nX: y\r\n\r\n";
    struct http_request request;

    (void)state;
    for (size_t size = 1; size < sizeof text - 1; size++) {
        /* On the heap in its own size: a read beyond it is seen. */
        char *part = malloc(size);

        assert_non_null(part);
        memcpy(part, text, size);
        assert_int_equal(http_parse(part, size, &request), HTTP_MORE);
        free(part);
    }
    assert_int_equal(http_parse(text, sizeof text - 1, &request), HTTP_REQUEST);
    assert_int_equal(request.bytes, 6000);
}

static void two_requests_at_once_are_two_requests(void **state)
{
    static const char first[] = "GET /bytes/1 HTTP/1.1\r\nHost: a\r\n\r\n";
    static const char both[] =
        "GET /bytes/1 HTTP/1.1\r\nHost: a\r\n\r\nGET /bytes/2 HTTP/1.1\r\nHost: a\r\n\r\n";
    struct http_request request;

    (void)state;
    assert_int_equal(http_parse(both, sizeof both - 1, &request), HTTP_REQUEST);
    assert_int_equal(request.size, sizeof first - 1);
    assert_int_equal(request.bytes, 1);
    assert_int_equal(http_parse(both + request.size, sizeof both - 1 - request.size, &request),
                     HTTP_REQUEST);
    assert_int_equal(request.bytes, 2);
}

static void a_head_is_64_kilobytes_at_the_most(void **state)
{
    static const char begin[] = "GET / HTTP/1.1\r\nX: ";
    char *text = malloc(HTTP_HEAD_MAX + 1);
    struct http_request request;

    (void)state;
    assert_non_null(text);
    memset(text, 'x', HTTP_HEAD_MAX + 1);
    memcpy(text, begin, sizeof begin - 1);
    assert_int_equal(http_parse(text, HTTP_HEAD_MAX - 1, &request), HTTP_MORE);
    assert_int_equal(http_parse(text, HTTP_HEAD_MAX, &request), HTTP_BAD);
    memcpy(text + HTTP_HEAD_MAX - 4, END, 4);
    assert_int_equal(http_parse(text, HTTP_HEAD_MAX, &request), HTTP_REQUEST);
    assert_int_equal(request.size, HTTP_HEAD_MAX);
    memset(text + HTTP_HEAD_MAX - 4, 'x', 4);
    memcpy(text + HTTP_HEAD_MAX - 3, END, 4);
    assert_int_equal(http_parse(text, HTTP_HEAD_MAX + 1, &request), HTTP_BAD);
    free(text);
}

/* What an answer's head says of its body. */
static size_t content_length(const char *head)
{
    const char *field = strstr(head, "Content-Length:");

    assert_non_null(field);
    return strtoul(field + strlen("Content-Length:"), NULL, 10);
}

static void an_answer_to_bytes_n_is_exactly_n_bytes(void **state)
{
    (void)state;
    for (int keep_alive = 0; keep_alive < 2; keep_alive++) {
        struct http_request request = {.keep_alive = keep_alive != 0};
        char head[512];
        size_t body;
        const size_t least = http_answer(&request, head, sizeof head, &body);
        int64_t n;

        assert_int_equal(body, 0);
        for (n = 0; n < 12000; n++) {
            size_t size;

            request.bytes = n;
            size = http_answer(&request, head, sizeof head, &body);
            assert_int_equal(size, strlen(head));
            assert_int_equal(size + body, n < (int64_t)least ? (int64_t)least : n);
            assert_int_equal(content_length(head), body);
        }
        for (n = 100000; n <= HTTP_BYTES_MAX;
             n = n * 10 > HTTP_BYTES_MAX && n < HTTP_BYTES_MAX ? HTTP_BYTES_MAX : n * 10) {
            for (request.bytes = n - 400; request.bytes <= n; request.bytes++) {
                const size_t size = http_answer(&request, head, sizeof head, &body);

                assert_int_equal(size + body, request.bytes);
                assert_int_equal(content_length(head), body);
            }
        }
    }
}

static void an_answer_to_head_has_the_length_and_no_body(void **state)
{
    const struct http_request get = {.bytes = 6000, .keep_alive = true};
    const struct http_request head = {.bytes = 6000, .keep_alive = true, .head = true};
    char got[512], headed[512];
    size_t body;

    (void)state;
    (void)http_answer(&get, got, sizeof got, &body);
    assert_int_equal(content_length(got), body);
    (void)http_answer(&head, headed, sizeof headed, &body);
    assert_int_equal(body, 0);
    assert_string_equal(got, headed);
}

static void an_answer_says_whether_the_connection_stays(void **state)
{
    struct http_request request = {.bytes = -1, .keep_alive = true};
    char head[512];
    size_t body;

    (void)state;
    (void)http_answer(&request, head, sizeof head, &body);
    assert_non_null(strstr(head, "\r\nConnection: keep-alive\r\n"));
    assert_int_equal(body, strlen(http_greeting()));
    assert_int_equal(content_length(head), strlen(http_greeting()));
    request.keep_alive = false;
    (void)http_answer(&request, head, sizeof head, &body);
    assert_non_null(strstr(head, "\r\nConnection: close\r\n"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_request_is_read_for_what_it_wants),
        cmocka_unit_test(what_is_no_request_of_ours_is_bad),
        cmocka_unit_test(a_head_may_come_byte_by_byte),
        cmocka_unit_test(two_requests_at_once_are_two_requests),
        cmocka_unit_test(a_head_is_64_kilobytes_at_the_most),
        cmocka_unit_test(an_answer_to_bytes_n_is_exactly_n_bytes),
        cmocka_unit_test(an_answer_to_head_has_the_length_and_no_body),
        cmocka_unit_test(an_answer_says_whether_the_connection_stays),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
