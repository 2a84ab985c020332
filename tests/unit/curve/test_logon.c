/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "curve/logon.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void types_are_read_as_they_are_told(void **state)
{
    static const struct {
        const char *words, *said; /* NULL: refused */
        const char *why;
    } rows[] = {
        {NULL, "type 10", "the default"},
        {"10", "type 10", "one"},
        {"10,7", "types 7, 10", "two"},
        {" 2 , 10,10", "types 2, 10", "blanks, and one twice"},
        {"all interactive", "types 2, 7, 10, 11, 12, 13", "all"},
        {"interactive", "types 2, 7, 10, 11, 12, 13", "the same"},
        {"1,2,3,4,6,7,8,9,10,11,12,13", "types 1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13", "many"},
        {"", NULL, "nothing"},
        {",", NULL, "less than nothing"},
        {"10,", NULL, "one that is missing"},
        {"10;7", NULL, "another mark"},
        {"14", NULL, "no type"},
        {"100", NULL, "no type either"},
        {"-1", NULL, "below 0"},
        {"all", NULL, "a word of other formats"},
        {"0", NULL, "the system"},
        {"10,5", NULL, "services"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct ls_error err = {0};
        struct logon_types types;
        const enum ls_code code = logon_types_read(&types, rows[i].words, &err);

        if (code != (rows[i].said == NULL ? LS_EUSAGE : LS_OK) ||
            (rows[i].said != NULL && strcmp(types.words, rows[i].said) != 0)) {
            fail_msg("%s: %s%s", rows[i].why, types.words, err.text);
        }
    }
}

static void a_logon_is_somebody_s_login_or_refused_with_a_word(void **state)
{
    static const struct {
        const char *type, *user;
        bool is_virtual;
        const char *why; /* NULL: a login */
    } rows[] = {
        {"10", "alice", false, NULL},
        {"7", "alice", false, NULL},
        {"10", "", false, NULL},
        {"2", "alice", false, "another logon type"},
        {"", "alice", false, "another logon type"},
        {"ten", "alice", false, "another logon type"},
        {"5", "SYSTEM", false, "a logon of the system itself (type 0 or 5)"},
        {"0", "-", false, "a logon of the system itself (type 0 or 5)"},
        {"10", "TS01$", false, "a machine's account"},
        {"7", "Anonymous Logon", false, "an anonymous logon"},
        {"10", "UMFD-3", true, "an account that Windows made for itself (DWM, UMFD)"},
    };
    struct logon_types types;
    struct ls_error err;

    (void)state;
    assert_int_equal(logon_types_read(&types, "7,10", &err), LS_OK);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct logon logon = {.type = {rows[i].type, strlen(rows[i].type)},
                                    .user = {rows[i].user, strlen(rows[i].user)},
                                    .is_virtual = rows[i].is_virtual};
        const char *why = logon_refuse(&logon, &types);

        if ((why == NULL) != (rows[i].why == NULL) ||
            (why != NULL && strcmp(why, rows[i].why) != 0)) {
            fail_msg("%s, %s: %s", rows[i].type, rows[i].user, why == NULL ? "a login" : why);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(types_are_read_as_they_are_told),
        cmocka_unit_test(a_logon_is_somebody_s_login_or_refused_with_a_word),
    };

    return cmocka_run_group_tests_name("curve/logon", tests, NULL, NULL);
}
