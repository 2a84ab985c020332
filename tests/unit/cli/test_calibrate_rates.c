/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "cli/calibrate_outside.h"

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

static void a_list_of_rates_comes_in_order(void **state)
{
    static const struct {
        const char *text;
        size_t count;
        double rates[RATES_MAX];
    } rows[] = {
        {"50,100,200,400", 4, {50, 100, 200, 400}},
        {"400,50,200,100", 4, {50, 100, 200, 400}},
        {" 1.5 , 2,3 ,4", 4, {1.5, 2, 3, 4}},
        {"1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16",
         16,
         {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}},
        {"1,2,3,1e6", 4, {1, 2, 3, 1e6}},
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        double rates[RATES_MAX];
        struct ls_error err;
        size_t count;

        if (outside_rates_parse(rows[i].text, rates, &count, &err) != LS_OK) {
            fail_msg("%s: %s", rows[i].text, err.text);
        }
        assert_int_equal(count, rows[i].count);
        for (size_t k = 0; k < count; k++) {
            assert_true(fabs(rates[k] - rows[i].rates[k]) < 1e-12);
        }
    }
}

static void what_is_no_such_list_is_refused(void **state)
{
    static const struct {
        const char *text, *part, *reason;
    } rows[] = {
        {"", "is no list", "nothing"},
        {"50", "1 of them, and 4 is the least", "one"},
        {"50,100,200", "3 of them, and 4 is the least", "three"},
        {"50,100,200,", "is no list", "ends with a comma"},
        {",50,100,200", "is no list", "begins with one"},
        {"50;100;200;400", "is no list", "another sign between them"},
        {"50,100,200,many", "is no list", "a word"},
        {"50,100,200,-400", "is no list", "nobody comes less than never"},
        {"0,50,100,200", "is no list", "a rate of nothing"},
        {"50,100,200,nan", "is no list", "no number"},
        {"50,100,200,inf", "is no list", "no end"},
        {"50,100,200,1000001", "is no list", "more than anybody makes"},
        {"50,100,100,200", "100 stands there twice", "twice the same"},
        {"1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17", "more than 16 rates", "too many"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        double rates[RATES_MAX];
        struct ls_error err;
        size_t count;

        if (outside_rates_parse(rows[i].text, rates, &count, &err) != LS_EUSAGE ||
            strstr(err.text, rows[i].part) == NULL || strncmp(err.text, "--rates: ", 9) != 0) {
            fail_msg("%s (%s): %s", rows[i].text, rows[i].reason, err.text);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_list_of_rates_comes_in_order),
        cmocka_unit_test(what_is_no_such_list_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
