/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <arpa/inet.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "engine/login.h"

#define SIGNATURE "\r\n\r\n\0\r\nQUIT\n"
#define MAPPED "\0\0\0\0\0\0\0\0\0\0\xff\xff"
#define REST "\0\0\0\0\0\0\0\0\0\0\0"

static void a_header_says_from_whom_and_to_whom(void **state)
{
    static const struct {
        const char *sources;
        uint32_t user;
        const char *target;
        const char *bytes;
        size_t size;
        const char *reason;
    } rows[] = {
        {"198.18.0.0/15", 0, "192.0.2.7",
         SIGNATURE "\x21\x11\0\x0c"
                   "\xc6\x12\0\x01"
                   "\xc0\0\x02\x07"
                   "\xc0\0"
                   "\x20\xfb",
         28, "IPv4"},
        {"198.18.0.0/15", 16385, "192.0.2.7",
         SIGNATURE "\x21\x11\0\x0c"
                   "\xc6\x12\x40\x02"
                   "\xc0\0\x02\x07"
                   "\xc0\x01"
                   "\x20\xfb",
         28, "another user, whose port begins again"},
        {"2001:2::/48", 0, "::1",
         SIGNATURE "\x21\x21\0\x24"
                   "\x20\x01\0\x02" REST "\x01"
                   "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01"
                   "\xc0\0"
                   "\x20\xfb",
         52, "IPv6"},
        {"198.18.0.0/15", 0, "::1",
         SIGNATURE "\x21\x21\0\x24" MAPPED "\xc6\x12\0\x01"
                   "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01"
                   "\xc0\0"
                   "\x20\xfb",
         52, "sources of IPv4 to IPv6"},
        {"2001:2::/48", 0, "192.0.2.7",
         SIGNATURE "\x21\x21\0\x24"
                   "\x20\x01\0\x02" REST "\x01" MAPPED "\xc0\0\x02\x07"
                   "\xc0\0"
                   "\x20\xfb",
         52, "sources of IPv6 to IPv4"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct sockaddr_storage target = {0};
        struct sockaddr_in6 *six = (struct sockaddr_in6 *)&target;
        struct sockaddr_in *four = (struct sockaddr_in *)&target;
        const bool to_six = strchr(rows[i].target, ':') != NULL;
        struct ls_network sources;
        uint8_t header[LS_PROXY_HEADER_MAX];
        char expected[LS_PROXY_HEADER_MAX] = {0};

        print_message("%s\n", rows[i].reason);
        assert_true(ls_network_parse(rows[i].sources, &sources));
        assert_int_equal(inet_pton(to_six ? AF_INET6 : AF_INET, rows[i].target,
                                   to_six ? (void *)&six->sin6_addr : (void *)&four->sin_addr),
                         1);
        memcpy(expected, rows[i].bytes, rows[i].size);
        target.ss_family = to_six ? AF_INET6 : AF_INET;
        *(to_six ? &six->sin6_port : &four->sin_port) = htons(8443);
        assert_int_equal(ls_proxy_header(header, &sources, rows[i].user, &target), rows[i].size);
        assert_memory_equal(header, expected, rows[i].size);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_header_says_from_whom_and_to_whom)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
