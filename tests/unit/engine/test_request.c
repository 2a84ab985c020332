/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "engine/login.h"

static enum ls_code build(char **request, int64_t send, int64_t receive, const char *host,
                          struct ls_error *err)
{
    const struct ls_login_wish login = {
        .send_bytes = send, .receive_bytes = receive, .path = (char[]){"/rdweb?a=1"}};

    return request_build(request, &login, true, host, err);
}

static void a_request_is_exactly_as_long_as_it_should_be(void **state)
{
    static const char least[] = "GET /bytes/6000 HTTP/1.1\r\nHost: a\r\nX-Pad: \r\n\r\n";
    const int64_t sizes[] = {(int64_t)sizeof least - 1, (int64_t)sizeof least, 100, 900, 65536};

    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        struct ls_error err;
        char *request;

        assert_int_equal(build(&request, sizes[i], 6000, "a", &err), LS_OK);
        assert_int_equal(strlen(request), sizes[i]);
        assert_memory_equal(request, least, sizeof least - 5);
        assert_string_equal(request + sizes[i] - 4, "\r\n\r\n");
        /* One head, and nothing behind it. */
        assert_ptr_equal(strstr(request, "\r\n\r\n"), request + sizes[i] - 4);
        free(request);
    }
}

static void a_request_without_a_name_asks_for_the_gateway(void **state)
{
    struct ls_error err;
    char *request;

    (void)state;
    assert_int_equal(build(&request, 200, 1, NULL, &err), LS_OK);
    assert_non_null(strstr(request, "\r\nHost: gateway\r\n"));
    free(request);
}

static void an_outside_gateway_is_asked_for_the_path(void **state)
{
    const struct ls_login_wish login = {
        .send_bytes = 100, .receive_bytes = 1, .path = (char[]){"/rdweb?a=1"}};
    struct ls_error err;
    char *request;

    (void)state;
    assert_int_equal(request_build(&request, &login, false, "gw", &err), LS_OK);
    assert_int_equal(strncmp(request, "GET /rdweb?a=1 HTTP/1.1\r\nHost: gw\r\n", 35), 0);
    assert_int_equal(strlen(request), 100);
    free(request);
}

static void what_is_too_small_for_a_request_is_told(void **state)
{
    static const struct {
        int64_t size, answer;
        const char *text;
    } rows[] = {
        {45, 6000, "login.request.send: a request takes at least 46B here, not 45B"},
        {0, 6000, "login.request.send: a request takes at least 46B here, not 0B"},
        {42, 1, "login.request.send: a request takes at least 43B here, not 42B"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct ls_error err;
        char *request = (char[]){"untouched"};

        assert_int_equal(build(&request, rows[i].size, rows[i].answer, "a", &err), LS_EINPUT);
        assert_string_equal(err.text, rows[i].text);
        assert_null(request);
    }
}

static void a_name_that_no_host_has_is_told(void **state)
{
    struct ls_error err;
    char name[1200];
    char *request;

    (void)state;
    memset(name, 'n', sizeof name);
    name[sizeof name - 1] = '\0';
    assert_int_equal(build(&request, 2000, 1, name, &err), LS_EINPUT);
    assert_string_equal(err.text, "tls.server_name is too long for a request");
    assert_null(request);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_request_is_exactly_as_long_as_it_should_be),
        cmocka_unit_test(a_request_without_a_name_asks_for_the_gateway),
        cmocka_unit_test(an_outside_gateway_is_asked_for_the_path),
        cmocka_unit_test(what_is_too_small_for_a_request_is_told),
        cmocka_unit_test(a_name_that_no_host_has_is_told),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
