/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <arpa/inet.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "loginstorm/network.h"

static void what_is_no_network_is_refused(void **state)
{
    static const struct {
        const char *text;
        bool good;
        const char *reason;
    } rows[] = {
        {"198.18.0.0/15", true, "for benchmarks"},
        {"10.0.0.0/8", true, "the largest"},
        {"192.0.2.7/32", true, "one address"},
        {"2001:2::/48", true, "of IPv6"},
        {"2001::/16", true, "the largest of them"},
        {"::1/128", true, "one of them"},
        {"10.0.0.0/7", false, "larger"},
        {"10.0.0.0/33", false, "no such length"},
        {"2001::/15", false, "larger, of IPv6"},
        {"2001::/129", false, "no such length of IPv6"},
        {"192.0.2.1/24", false, "bits behind the length"},
        {"198.19.0.0/14", false, "one bit behind it"},
        {"2001:2::1/48", false, "the same of IPv6"},
        {"192.0.2.0", false, "no length"},
        {"192.0.2.0/", false, "an empty one"},
        {"192.0.2.0/2x", false, "no number"},
        {"192.0.2.0/0024", false, "too many digits"},
        {"192.0.2.0/-1", false, "negative"},
        {"/24", false, "no address"},
        {"192.0.2/24", false, "half an address"},
        {"gw.example/24", false, "a name"},
        {"", false, "nothing"},
        {"1111:2222:3333:4444:5555:6666:7777:8888:9999:aaaa:bbbb/64", false, "longer than any"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct ls_network network;

        print_message("%s\n", rows[i].reason);
        assert_int_equal(ls_network_parse(rows[i].text, &network), rows[i].good);
    }
}

static void hosts_are_counted_through_and_begin_again(void **state)
{
    static const struct {
        const char *network;
        uint32_t number;
        const char *host;
        const char *reason;
    } rows[] = {
        {"198.18.0.0/15", 0, "198.18.0.1", "behind the network's own address"},
        {"198.18.0.0/15", 254, "198.18.0.255", "no end of a network there"},
        {"198.18.0.0/15", 255, "198.18.1.0", "nor a beginning"},
        {"198.18.0.0/15", 131069, "198.19.255.254", "the last one"},
        {"198.18.0.0/15", 131070, "198.18.0.1", "and the first again"},
        {"192.0.2.0/30", 1, "192.0.2.2", "of two"},
        {"192.0.2.0/30", 2, "192.0.2.1", "again"},
        {"192.0.2.6/31", 0, "192.0.2.6", "two addresses have no other use"},
        {"192.0.2.6/31", 3, "192.0.2.7", "the second"},
        {"192.0.2.7/32", 4000000000U, "192.0.2.7", "one is one"},
        {"10.0.0.0/8", 4000000000U, "10.107.41.221", "a number beyond all"},
        {"2001:2::/48", 0, "2001:2::1", "of IPv6"},
        {"2001:2::/48", 4294967295U, "2001:2::2", "beyond what a number holds"},
        {"2001:2::/127", 1, "2001:2::1", "two of them"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct ls_network network;
        uint8_t bytes[16];
        char text[INET6_ADDRSTRLEN];

        print_message("%s\n", rows[i].reason);
        assert_true(ls_network_parse(rows[i].network, &network));
        ls_network_host(&network, rows[i].number, bytes);
        assert_non_null(inet_ntop(network.v6 ? AF_INET6 : AF_INET, bytes, text, sizeof text));
        assert_string_equal(text, rows[i].host);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_no_network_is_refused),
        cmocka_unit_test(hosts_are_counted_through_and_begin_again),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
