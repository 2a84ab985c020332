/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "loginstorm/name.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define LABEL63 "abcdefghijklmnopqrstuvwxyz-abcdefghijklmnopqrstuvwxyz-0123456789"
#define SIXTY "abcdefghijklmnopqrstuvwxyz-0123456789-abcdefghijklmnopqrstuvw."

/* For each use a letter where it is possible: s(hown), a(sked), c(hecked); and a part of what is said to the first that is not. */
static void a_name_is_possible_or_refused_with_the_reason(void **state)
{
    static const struct {
        const char *name, *uses, *said;
    } rows[] = {
        {"gw.corp.example", "sac", NULL},
        {"GW-1.Corp.Example", "sac", NULL},
        {"xn--bcher-kva.test", "sac", NULL},
        {"a_b.test", "sac", NULL},
        {"1.2.3.example", "sac", NULL},
        {"127.0.0.1", "sac", NULL},
        {"::1", "sac", NULL},
        {"2001:DB8::7", "sac", NULL},
        {"localhost", "sac", NULL},
        {"*.a.test", "s", "has a star"},
        {"*.10.0.0", "", "ends in a number"},
        {"*", "", "has a star"},
        {"a.*.test", "", "has a star"},
        {"**.test", "", "has a star"},
        {"gateway", "sa", "has no dot"},
        {"Localhost", "sa", "has no dot"},
        {"a.te_st", "sa", "an underscore"},
        {"a.1-2", "sa", "without a letter"},
        {"1.2", "", "ends in a number"},
        {"300.1.1.1", "", "ends in a number"},
        {"7", "", "ends in a number"},
        {"a.", "", "has a dot at its front"},
        {".a.test", "", "has a dot at its front"},
        {"a..test", "", "has a dot at its front"},
        {"...", "", "has a dot at its front"},
        {"-a.test", "", "has a dash at an end"},
        {"a-.test", "", "has a dash at an end"},
        {"a@b,c/d", "", "without brackets, scheme, port or path"},
        {"a.test:8443", "", "without brackets, scheme, port or path"},
        {"https://a.test/", "", "without brackets, scheme, port or path"},
        {"[::1]", "", "without brackets, scheme, port or path"},
        {"a,b", "", "a character that no host name has"},
        {"a b", "", "a character that no host name has"},
        {"a\t", "", "a character that no host name has"},
        {"b\xc3\xbc"
         "cher.test",
         "", "begins with xn--"},
        {LABEL63 ".test", "", "more than 63 characters"},
        {"a" SIXTY SIXTY SIXTY SIXTY "test", "sac", NULL},
        {"abcdef" SIXTY SIXTY SIXTY SIXTY "test", "", "longer than 253"},
        {"", "", "is empty"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *last = NULL;

        print_message("\"%s\"\n", rows[i].name);
        for (int use = LS_NAME_SHOWN; use <= LS_NAME_CHECKED; use++) {
            const char *refusal = ls_name_refusal(rows[i].name, (enum ls_name_use)use);

            assert_int_equal(refusal == NULL, strchr(rows[i].uses, "sac"[use]) != NULL);
            last = last == NULL ? refusal : last;
        }
        assert_int_equal(last == NULL, rows[i].said == NULL);
        if (last != NULL && strstr(last, rows[i].said) == NULL) {
            fail_msg("%s", last);
        }
    }
}

static void an_address_is_told_from_a_name(void **state)
{
    static const struct {
        const char *name;
        bool address;
        const char *why;
    } rows[] = {
        {"192.0.2.7", true, "IPv4"},
        {"2001:db8::7", true, "IPv6"},
        {"::1", true, "IPv6, short"},
        {"gw.corp.example", false, "a name"},
        {"192.0.2", false, "three numbers"},
        {"192.0.2.256", false, "a number above 255"},
        {"[::1]", false, "brackets belong to a URL"},
        {"192.0.2.7:443", false, "a port is no part of it"},
        {"", false, "nothing"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        print_message("%s\n", rows[i].why);
        assert_int_equal(ls_name_is_address(rows[i].name), rows[i].address);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_name_is_possible_or_refused_with_the_reason),
        cmocka_unit_test(an_address_is_told_from_a_name),
    };

    return cmocka_run_group_tests_name("base/name", tests, NULL, NULL);
}
