/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "arrivals/sort.h"
#include "loginstorm/random.h"

static int by_time(const void *left, const void *right)
{
    const struct ls_arrival *a = left, *b = right;

    if (a->at_ns != b->at_ns) {
        return a->at_ns < b->at_ns ? -1 : 1;
    }
    return (a->due_ns > b->due_ns) - (a->due_ns < b->due_ns);
}

static void users_come_in_the_order_of_moment_and_draw(void **state)
{
    static const struct {
        const char *why;
        size_t count;
        uint64_t moments; /* at_ns is below this */
        bool backwards;   /* the draws' numbers fall */
        int64_t first_ns;
    } rows[] = {
        {"nobody", 0, 1, false, 0},
        {"one", 1, 1, false, 0},
        {"few enough to be compared", 1000, 1000000, false, 0},
        {"an hour of ns", 5000, UINT64_C(3600000000000), false, 0},
        {"all the bits that a window has", 5000, UINT64_C(1) << 53, false, 0},
        {"all at the same moment", 5000, 1, false, 0},
        {"many at each moment, which the draws' numbers tell apart", 5000, 7, false, 0},
        {"numbers that do not rise, as of chosen recorded logins", 5000, 7, true, 0},
        {"before the window", 5000, 1000, false, -500},
    };

    (void)state;
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        struct ls_arrival *sorted = calloc(rows[r].count + 1, sizeof *sorted);
        struct ls_arrival *expected = calloc(rows[r].count + 1, sizeof *expected);

        assert_true(sorted != NULL && expected != NULL);
        for (size_t i = 0; i < rows[r].count; i++) {
            sorted[i].at_ns =
                rows[r].first_ns +
                (int64_t)(ls_random_u64(1, LS_STREAM_ARRIVAL, i, r) % rows[r].moments);
            sorted[i].due_ns = (int64_t)(rows[r].backwards ? rows[r].count - i : i);
            sorted[i].population = (uint16_t)i;
        }
        memcpy(expected, sorted, rows[r].count * sizeof *sorted);
        qsort(expected, rows[r].count, sizeof *expected, by_time);
        rows_sort(sorted, rows[r].count);
        if (memcmp(sorted, expected, rows[r].count * sizeof *sorted) != 0) {
            fail_msg("%s", rows[r].why);
        }
        free(sorted);
        free(expected);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(users_come_in_the_order_of_moment_and_draw),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
