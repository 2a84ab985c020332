/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "live/address.h"
#include "loginstorm/address.h"

static void an_address_is_an_ip_and_a_port_and_the_loopback_one_when_left_out(void **state)
{
    static const struct {
        const char *why, *text, *url; /* NULL: refused */
        bool loopback;
    } rows[] = {
        {"nothing said", NULL, "http://127.0.0.1:8090/", true},
        {"said without a value", "", "http://127.0.0.1:8090/", true},
        {"IPv4", "127.0.0.2:81", "http://127.0.0.2:81/", true},
        {"a name that everybody knows", "localhost:8091", "http://127.0.0.1:8091/", true},
        {"a port alone", "8091", "http://127.0.0.1:8091/", true},
        {"a port behind a colon", ":8091", "http://127.0.0.1:8091/", true},
        {"IPv6", "[::1]:8090", "http://[::1]:8090/", true},
        {"all addresses", "0.0.0.0:8090", "http://127.0.0.1:8090/", false},
        {"all addresses of IPv6", "[::]:8090", "http://[::1]:8090/", false},
        {"an address of a network", "192.0.2.7:8090", "http://192.0.2.7:8090/", false},
        {"a free port", "127.0.0.1:0", "http://127.0.0.1:0/", true},
        {"the highest port", "127.0.0.1:65535", "http://127.0.0.1:65535/", true},
        {"beyond the highest", "127.0.0.1:65536", NULL, false},
        {"far beyond", "127.0.0.1:99999999999999999999", NULL, false},
        {"a port below nothing", "127.0.0.1:-1", NULL, false},
        {"no port", "127.0.0.1", NULL, false},
        {"an empty port", "127.0.0.1:", NULL, false},
        {"a port with more behind it", "127.0.0.1:80x", NULL, false},
        {"a port with a blank", "127.0.0.1: 80", NULL, false},
        {"IPv6 without brackets", "::1:8090", NULL, false},
        {"half a bracket", "[::1:8090", NULL, false},
        {"brackets around nothing", "[]:8090", NULL, false},
        {"a name", "example.org:8090", NULL, false},
        {"too many numbers", "1.2.3.4.5:80", NULL, false},
        {"no end",
         "111111111111111111111111111111111111111111111111111111111111111111111111111111:80", NULL,
         false},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct sockaddr_storage address;
        struct ls_error err;
        char url[96] = "";
        const enum ls_code code = address_parse(&address, rows[i].text, &err);

        if (rows[i].url == NULL) {
            if (code != LS_EUSAGE || strstr(err.text, "--live: ") != err.text) {
                fail_msg("%s: %s", rows[i].why, rows[i].text);
            }
            continue;
        }
        if (code != LS_OK) {
            fail_msg("%s: %s", rows[i].why, err.text);
        }
        address_url(&address, url, sizeof url);
        if (strcmp(url, rows[i].url) != 0 || ls_address_is_loopback(&address) != rows[i].loopback) {
            fail_msg("%s: %s", rows[i].why, url);
        }
    }
}

static void a_host_of_another_name_is_not_this_one(void **state)
{
    static const struct {
        const char *why, *host;
        bool own;
    } rows[] = {
        {"no browser", NULL, true},
        {"the address", "127.0.0.1:8090", true},
        {"without a port", "127.0.0.1", true},
        {"another one of loopback", "127.1.2.3:80", true},
        {"the name", "localhost:8090", true},
        {"the name, shouted", "LOCALHOST", true},
        {"IPv6", "[::1]:8090", true},
        {"IPv6 without a port", "[::1]", true},
        {"a domain that leads here", "rebound.example:8090", false},
        {"one that begins like us", "127.0.0.1.rebound.example:8090", false},
        {"one that ends like us", "x.localhost:8090", false},
        {"another address", "192.0.2.7:8090", false},
        {"another address of IPv6", "[::2]:8090", false},
        {"nothing", "", false},
        {"a port alone", ":8090", false},
        {"no end",
         "1111111111111111111111111111111111111111111111111111111111111111111111111111111111111",
         false},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (address_is_own_host(rows[i].host) != rows[i].own) {
            fail_msg("%s: %s", rows[i].why, rows[i].host);
        }
    }
}

static void a_port_that_is_taken_is_refused_in_words(void **state)
{
    struct sockaddr_storage address;
    struct ls_error err;
    char url[96], text[32];
    int first, second;
    unsigned port;

    (void)state;
    assert_int_equal(address_parse(&address, "127.0.0.1:0", &err), LS_OK);
    assert_int_equal(address_listen(&first, &address, &err), LS_OK);
    address_url(&address, url, sizeof url);
    assert_int_equal(sscanf(url, "http://127.0.0.1:%u/", &port), 1);
    assert_true(port > 0);
    (void)snprintf(text, sizeof text, "127.0.0.1:%u", port);
    assert_int_equal(address_parse(&address, text, &err), LS_OK);
    assert_int_equal(address_listen(&second, &address, &err), LS_ECREATE);
    assert_non_null(strstr(err.text, text));
    assert_non_null(strstr(err.text, "taken"));
    (void)close(first);
}

static void an_address_of_another_machine_is_refused_in_words(void **state)
{
    struct sockaddr_storage address;
    struct ls_error err;
    int fd;

    (void)state;
    assert_int_equal(address_parse(&address, "192.0.2.7:8090", &err), LS_OK);
    assert_int_equal(address_listen(&fd, &address, &err), LS_ECREATE);
    assert_non_null(strstr(err.text, "192.0.2.7:8090 is no address of this machine"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_address_is_an_ip_and_a_port_and_the_loopback_one_when_left_out),
        cmocka_unit_test(a_host_of_another_name_is_not_this_one),
        cmocka_unit_test(a_port_that_is_taken_is_refused_in_words),
        cmocka_unit_test(an_address_of_another_machine_is_refused_in_words),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
