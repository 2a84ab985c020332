/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <arpa/inet.h>
#include <netinet/in.h>

#include "loginstorm/address.h"

static void an_address_is_read_told_and_known(void **state)
{
    static const struct {
        const char *text, *told, *with_port, *why;
        bool loopback;
    } rows[] = {
        {"127.0.0.1", "127.0.0.1", "127.0.0.1:443", "this machine", true},
        {"127.255.255.254", "127.255.255.254", "127.255.255.254:443", "the net's last", true},
        {"128.0.0.1", "128.0.0.1", "128.0.0.1:443", "the first behind it", false},
        {"192.0.2.1", "192.0.2.1", "192.0.2.1:443", "another machine", false},
        {"::1", "::1", "[::1]:443", "this machine, version 6", true},
        {"::", "::", "[::]:443", "any address is none of this machine's", false},
        {"::ffff:127.0.0.1", "::ffff:127.0.0.1", "[::ffff:127.0.0.1]:443", "mapped is not plain",
         false},
        {"2001:DB8:0:0:0:0:0:1", "2001:db8::1", "[2001:db8::1]:443", "the short form", false},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct sockaddr_storage address;
        char text[LS_ADDRESS_SIZE], with_port[LS_ADDRESS_PORT_SIZE];

        print_message("%s\n", rows[i].why);
        assert_true(ls_address_parse(&address, rows[i].text));
        if (address.ss_family == AF_INET6) {
            ((struct sockaddr_in6 *)&address)->sin6_port = htons(443);
        } else {
            ((struct sockaddr_in *)&address)->sin_port = htons(443);
        }
        ls_address_text(&address, text);
        ls_address_port_text(&address, with_port);
        assert_string_equal(text, rows[i].told);
        assert_string_equal(with_port, rows[i].with_port);
        assert_int_equal(ls_address_is_loopback(&address), rows[i].loopback);
    }
}

static void what_is_no_address_is_refused_and_told_as_nothing(void **state)
{
    static const char *const rows[] = {"",      "localhost", "127.1", "127.0.0.1:80",
                                       "[::1]", "1.2.3.4 "};
    struct sockaddr_storage address;
    char text[LS_ADDRESS_SIZE];

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_false(ls_address_parse(&address, rows[i]));
        assert_false(ls_address_is_loopback(&address));
        ls_address_text(&address, text);
        assert_string_equal(text, "");
    }
}

static void two_are_the_same_by_their_bytes_alone(void **state)
{
    static const struct {
        const char *a, *b;
        bool same;
    } rows[] = {
        {"192.0.2.1", "192.0.2.1", true},         {"192.0.2.1", "192.0.2.2", false},
        {"2001:db8::1", "2001:db8:0::0:1", true}, {"2001:db8::1", "2001:db8::2", false},
        {"192.0.2.1", "::ffff:192.0.2.1", false},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct sockaddr_storage a, b;

        assert_true(ls_address_parse(&a, rows[i].a) && ls_address_parse(&b, rows[i].b));
        if (a.ss_family == AF_INET) {
            ((struct sockaddr_in *)&a)->sin_port = htons(443);
        }
        assert_int_equal(ls_address_is_same(&a, &b), rows[i].same);
        assert_int_equal(ls_address_is_same(&b, &a), rows[i].same);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_address_is_read_told_and_known),
        cmocka_unit_test(what_is_no_address_is_refused_and_told_as_nothing),
        cmocka_unit_test(two_are_the_same_by_their_bytes_alone),
    };

    return cmocka_run_group_tests_name("base/address", tests, NULL, NULL);
}
