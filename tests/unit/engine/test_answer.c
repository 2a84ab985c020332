/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "engine/answer.h"

#define OK "HTTP/1.1 200 OK\r\n"

static const struct {
    const char *text;
    enum answer_is is;
    bool ends; /* by the connection */
    const char *reason;
} rows[] = {
    {"", ANSWER_MORE, false, "nothing yet"},
    {"HTT", ANSWER_MORE, false, "a beginning"},
    {OK, ANSWER_MORE, false, "no more than a status"},
    {OK "Content-Length: 5\r\n\r\nhell", ANSWER_MORE, false, "a byte is missing"},
    {OK "Content-Length: 5\r\n\r\nhello", ANSWER_WHOLE, false, "a length"},
    {OK "content-length:5 \r\n\r\nhello", ANSWER_WHOLE, false, "in other letters, without a space"},
    {OK "Content-Length: 5\n\nhello", ANSWER_WHOLE, false, "lines without a carriage return"},
    {OK "Content-Length: 0\r\n\r\n", ANSWER_WHOLE, false, "no body"},
    {OK "Content-Length: 5\r\nContent-Length: 5\r\n\r\nhello", ANSWER_WHOLE, false, "said twice"},
    {OK "Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello", ANSWER_BROKEN, false, "which one?"},
    {OK "Content-Length: five\r\n\r\nhello", ANSWER_BROKEN, false, "no number"},
    {OK "Content-Length: 5x\r\n\r\nhello", ANSWER_BROKEN, false, "no number either"},
    {OK "Content-Length: -1\r\n\r\n", ANSWER_BROKEN, false, "negative"},
    {OK "Content-Length: 99999999999999999999\r\n\r\n", ANSWER_BROKEN, false, "beyond 64 bits"},
    {OK "X-Content-Length: 1\r\nContent-Length: 2\r\n\r\nab", ANSWER_WHOLE, false,
     "another header"},
    {OK "\r\nall that comes", ANSWER_MORE, true, "up to the connection's end"},
    {"HTTP/1.0 200 ok\r\nContent-type: text/html\r\n\r\n", ANSWER_MORE, true, "the same in 1.0"},
    {OK "Content-Length: 5\r\n\r\nhell", ANSWER_MORE, false, "an end before the length is none"},
    {OK "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n", ANSWER_WHOLE, false,
     "a chunk"},
    {OK "Transfer-Encoding: gzip, Chunked \r\n\r\n5\r\nhello\r\n0\r\n\r\n", ANSWER_WHOLE, false,
     "chunks of something"},
    {OK
     "Transfer-Encoding: chunked\r\n\r\n5;a=b\r\nhello\r\nA \r\n0123456789\r\n000\r\nX: y\r\n\r\n",
     ANSWER_WHOLE, false, "two chunks, an extension, a trailer"},
    {OK "Transfer-Encoding: chunked\r\nContent-Length: 1\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
     ANSWER_WHOLE, false, "chunks go before a length"},
    {OK "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n", ANSWER_MORE, false,
     "the trailer's end is missing"},
    {OK "Transfer-Encoding: chunked\r\n\r\n5\r\nhello!\r\n0\r\n\r\n", ANSWER_BROKEN, false,
     "a chunk that is longer than it says"},
    {OK "Transfer-Encoding: chunked\r\n\r\nhello", ANSWER_MORE, false, "a size without an end"},
    {OK "Transfer-Encoding: chunked\r\n\r\nzero\r\n", ANSWER_BROKEN, false, "a size that is none"},
    {OK "Transfer-Encoding: chunked\r\n\r\n\r\n", ANSWER_BROKEN, false, "no size"},
    {OK "Transfer-Encoding: chunked\r\n\r\n1000000000000000\r\n", ANSWER_BROKEN, false,
     "beyond 60 bits"},
    {OK "Transfer-Encoding: gzip\r\n\r\nx", ANSWER_MORE, true, "coded, and up to the end"},
    {"HTTP/1.1 100 Continue\r\n\r\n" OK "Content-Length: 1\r\n\r\nx", ANSWER_WHOLE, false,
     "an answer in the meantime"},
    {"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n", ANSWER_MORE, false,
     "that is not the answer"},
    {"HTTP/1.1 100 Continue\r\n\r\nhello\r\n", ANSWER_BROKEN, false, "and none behind it"},
    {"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n", ANSWER_WHOLE, false,
     "another protocol from here on"},
    {"HTTP/1.1 204 No Content\r\n\r\n", ANSWER_WHOLE, false, "never with a body"},
    {"HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n", ANSWER_WHOLE, false,
     "a length of what is not sent"},
    {"HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: /logon\r\n\r\n", ANSWER_WHOLE, false,
     "a portal that leads on"},
    {"HTTP/1.1 399 x\r\nContent-Length: 0\r\n\r\n", ANSWER_WHOLE, false, "the last good one"},
    {"HTTP/1.1 400 Bad Request\r\n\r\n", ANSWER_REFUSED, false, "the first bad one"},
    {"HTTP/1.1 401 Unauthorized\r\nContent-Length: 5\r\n\r\n", ANSWER_REFUSED, false,
     "before its body has come"},
    {"HTTP/1.1 503 Service Unavailable\r\n\r\n", ANSWER_REFUSED, false, "busy"},
    {"HTTP/1.1 20 OK\r\n", ANSWER_BROKEN, false, "a status of two digits"},
    {"HTTP/1.1 2000 OK\r\n", ANSWER_BROKEN, false, "of four"},
    {"HTTP/1.1 099 OK\r\n", ANSWER_BROKEN, false, "below 100"},
    {"HTTP/1.1\r\n", ANSWER_BROKEN, false, "none"},
    {"SSH-2.0-OpenSSH_9.2\r\n", ANSWER_FOREIGN, false, "another protocol"},
    {"h", ANSWER_FOREIGN, false, "known at its first byte"},
};

static void an_answer_ends_where_http_says(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct answer answer = {0};

        print_message("%s\n", rows[i].reason);
        assert_int_equal(answer_take(&answer, (const uint8_t *)rows[i].text, strlen(rows[i].text)),
                         rows[i].is);
        assert_int_equal(answer_ends_with_connection(&answer), rows[i].ends);
    }
}

static void the_pieces_in_which_it_comes_do_not_matter(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const size_t size = strlen(rows[i].text);

        for (size_t piece = 1; piece < 8; piece++) {
            struct answer answer = {0};
            enum answer_is is = ANSWER_MORE;

            for (size_t at = 0; at < size; at += piece) {
                const size_t left = size - at;

                is = answer_take(&answer, (const uint8_t *)rows[i].text + at,
                                 left < piece ? left : piece);
            }
            assert_int_equal(is, rows[i].is);
            assert_int_equal(answer_ends_with_connection(&answer), rows[i].ends);
        }
    }
}

static void what_comes_behind_it_changes_nothing(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct answer answer = {0};

        if (answer_take(&answer, (const uint8_t *)rows[i].text, strlen(rows[i].text)) !=
            ANSWER_MORE) {
            assert_int_equal(answer_take(&answer, (const uint8_t *)OK, sizeof OK - 1), rows[i].is);
        }
    }
}

static void a_head_without_an_end_is_broken(void **state)
{
    struct answer answer = {0};
    enum answer_is is = answer_take(&answer, (const uint8_t *)OK, sizeof OK - 1);
    size_t taken = sizeof OK - 1;

    (void)state;
    while (is == ANSWER_MORE && taken < 100000) {
        is = answer_take(&answer, (const uint8_t *)"X: y\r\n", 6);
        taken += 6;
    }
    assert_int_equal(is, ANSWER_BROKEN);
    assert_in_range(taken, 65536, 65542);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_answer_ends_where_http_says),
        cmocka_unit_test(the_pieces_in_which_it_comes_do_not_matter),
        cmocka_unit_test(what_comes_behind_it_changes_nothing),
        cmocka_unit_test(a_head_without_an_end_is_broken),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
