/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "loginstorm/near.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void the_nearest_word_is_found_or_none(void **state)
{
    static const char *const words[] = {"arrivals", "users", "at", "gateway", "targets"};
    static const struct {
        const char *text;
        const char *nearest;
        const char *why;
    } rows[] = {
        {"arivals", "arrivals", "one letter left out"},
        {"arrrivals", "arrivals", "one too many"},
        {"arrivasl", "arrivals", "two swapped"},
        {"user", "users", "singular"},
        {"usres", "users", "swapped"},
        {"gatway", "gateway", "one left out"},
        {"target", "targets", "singular"},
        {"att", "at", "one too many"},
        {"xy", NULL, "nothing in common with at"},
        {"completely", NULL, "far from all"},
        {"", NULL, "nothing"},
        {"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", NULL,
         "too long to be a slip"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *nearest = ls_nearest(rows[i].text, words, 5);

        if (nearest != rows[i].nearest &&
            (nearest == NULL || rows[i].nearest == NULL || strcmp(nearest, rows[i].nearest) != 0)) {
            fail_msg("%s: %s (%s)", rows[i].text, nearest != NULL ? nearest : "none", rows[i].why);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_nearest_word_is_found_or_none)};

    return cmocka_run_group_tests_name("base/near", tests, NULL, NULL);
}
