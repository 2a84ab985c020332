/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "loginstorm/slope.h"

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

/* Ten points at five rates, up and down again, of ten seconds each. */
#define POINTS 10
static const double rates[POINTS] = {40, 100, 200, 300, 400, 400, 300, 200, 100, 40};
#define SECONDS 10.0
#define IDLE_CORES 0.05
#define EACH_S 0.002

struct change {
    double idle_cores, each_s;
    double bend_s;    /* more for each handshake a second */
    double noise;     /* cores, up and down in turn */
    double far_cores; /* of the fourth point */
    double squeeze;   /* rates are so much nearer to 400 */
    int64_t failed;   /* of the second point ... */
    int64_t other_kind;
    double behind_share;
    double idle_part; /* of the second point: so much longer than the step its readings lie apart */
    bool nobody;
    size_t only_rates; /* 0: all */
    struct ls_slope_facts facts;
};

static size_t points_of(struct ls_slope_point *points, const struct change *change)
{
    size_t count = 0;

    for (size_t i = 0; i < POINTS; i++) {
        const double rate = 400 - (400 - rates[i]) * (1 - change->squeeze);
        const size_t which = i < POINTS / 2 ? i : POINTS - 1 - i;

        if (change->only_rates > 0 && which >= change->only_rates) {
            continue;
        }
        points[count++] = (struct ls_slope_point){
            .offered_per_s = rate,
            .seconds = SECONDS,
            .handshakes = llround(rate * SECONDS),
            .cpu_s = SECONDS *
                     (change->idle_cores + change->each_s * rate + change->bend_s * rate * rate +
                      (i % 3 == 0 ? change->noise : -change->noise)),
        };
    }
    points[1].failed = change->failed;
    points[1].other_kind = change->other_kind;
    points[1].behind_share = change->behind_share;
    points[1].seconds *= 1 + change->idle_part;
    points[1].cpu_s *= 1 + change->idle_part;
    points[1].handshakes = change->nobody ? 0 : points[1].handshakes;
    if (count > 3) {
        points[3].cpu_s += change->far_cores * SECONDS;
    }
    return count;
}

static void points_on_a_line_give_the_very_cost(void **state)
{
    const struct change change = {.idle_cores = IDLE_CORES, .each_s = EACH_S};
    const struct ls_slope_facts facts = {.tick_s = 0.01, .cores = 4};
    struct ls_slope_point points[POINTS];
    const size_t count = points_of(points, &change);
    struct ls_slope slope;

    (void)state;
    ls_slope_judge(&slope, points, count, &facts);
    assert_int_equal(slope.refusals_count, 0);
    assert_int_equal(slope.line.count, POINTS);
    assert_true(fabs(slope.line.slope - EACH_S) < 1e-15);
    assert_true(fabs(slope.line.intercept - IDLE_CORES) < 1e-13);
    assert_true(slope.slope_half < 1e-15);
    assert_true(fabs(slope.line.r2 - 1) < 1e-12);
    assert_true(fabs(slope.bend_share) < 1e-9);
}

/* A rate that was not reached counts as what it was: handshakes over the time between the readings. */
static void what_counts_is_what_came_and_not_what_was_offered(void **state)
{
    const struct change change = {.idle_cores = IDLE_CORES, .each_s = EACH_S};
    struct ls_slope_point points[POINTS];
    const size_t count = points_of(points, &change);
    struct ls_slope slope;

    (void)state;
    for (size_t i = 0; i < count; i++) {
        points[i].offered_per_s *= 1.1;
        points[i].handshakes = points[i].handshakes * 9 / 10;
        points[i].cpu_s = SECONDS * IDLE_CORES + EACH_S * (double)points[i].handshakes;
    }
    assert_true(fabs(ls_slope_per_s(&points[0]) - 36) < 1e-12);
    ls_slope_judge(&slope, points, count, &(struct ls_slope_facts){0});
    assert_int_equal(slope.refusals_count, 0);
    assert_true(fabs(slope.line.slope - EACH_S) < 1e-15);
}

static void the_interval_is_student_s(void **state)
{
    const struct change change = {.idle_cores = IDLE_CORES, .each_s = EACH_S, .noise = 0.01};
    struct ls_slope_point points[POINTS];
    const size_t count = points_of(points, &change);
    struct ls_slope slope;

    (void)state;
    ls_slope_judge(&slope, points, count, &(struct ls_slope_facts){0});
    assert_int_equal(slope.refusals_count, 0);
    assert_true(slope.slope_half > 0);
    assert_true(fabs(slope.slope_half - 2.306004135 * slope.line.slope_error) <
                1e-9 * slope.slope_half); /* n - 2 = 8 */
    assert_true(fabs(slope.line.slope - EACH_S) < slope.slope_half);
    assert_true(fabs(slope.line.intercept - IDLE_CORES) < slope.intercept_half);
}

/* Each row spoils one thing; NULL: it is let pass. */
static void what_is_no_line_is_refused_and_why_is_said(void **state)
{
    static const struct {
        struct change change;
        const char *refusal;
    } rows[] = {
        {{.each_s = EACH_S}, NULL},              /* takes nothing when idle */
        {{.each_s = EACH_S, .failed = 1}, NULL}, /* one of 1,001 */
        {{.each_s = EACH_S, .failed = 2},
         "handshakes and logins that failed at 100 a second: 0.2 %, above 0.1 %: they cost CPU "
         "that "
         "the others would be charged with"},
        {{.each_s = EACH_S, .other_kind = 1}, NULL},
        {{.each_s = EACH_S, .other_kind = 20},
         "handshakes of the other kind (full or resumed) at 100 a second: 2 %, above 0.1 %: they "
         "cost another CPU"},
        {{.each_s = EACH_S, .behind_share = 0.04}, NULL},
        {{.each_s = EACH_S, .behind_share = 0.3},
         "users who piled up (how much longer the last tenth took than the first, of the time in "
         "which they came) at 100 a second: 30 %, above 5 %: the gateway, or what lies before it, "
         "did not keep up"},
        {{.each_s = EACH_S, .idle_part = 0.25}, NULL}, /* four fifths of the rate */
        {{.each_s = EACH_S, .idle_part = 2.5},
         "handshakes a second, short of what was offered at 100 a second: 71.4 %, above 20 %: the "
         "readings of the CPU lie outside the step: is the exporter slow? Offer each rate for "
         "longer (--seconds)"},
        {{.each_s = EACH_S, .nobody = true},
         "a rate at which no handshake came through at 100 a second: nothing was measured"},
        {{.each_s = EACH_S, .facts.cores = 1}, NULL}, /* 0.8 of them */
        {{.each_s = EACH_S, .facts.cores = 0.85},
         "the cores that are there, taken at 400 a second: 94.1 %, above 90 %: a full gateway "
         "shows "
         "how much it has"},
        {{.each_s = EACH_S, .only_rates = 4}, NULL},
        {{.each_s = EACH_S, .only_rates = 3},
         "different rates: 3, below 4: a line goes through any two, and three tell no bend"},
        {{.each_s = EACH_S, .squeeze = 0.4}, NULL}, /* 184 to 400 */
        {{.each_s = EACH_S, .squeeze = 0.5},
         "the highest rate reached, of the lowest: 1.82 times, below 2 times: a slope over so "
         "little "
         "is one of noise"},
        {{.each_s = EACH_S, .facts.tick_s = 0.1}, NULL}, /* of 7.2 s */
        {{.each_s = EACH_S, .facts.tick_s = 0.5},
         "one step of the CPU clock, of the rise from the lowest rate to the highest: 6.94 %, "
         "above "
         "2 %: it is too coarse: offer each rate for longer, or higher ones"},
        {{.idle_cores = 0.5},
         "CPU that does not rise with the handshakes: the slope's 95 % interval holds 0: is that "
         "the gateway's CPU?"},
        {{.idle_cores = 0.9, .each_s = -EACH_S},
         "CPU that does not rise with the handshakes: the slope's 95 % interval holds 0: is that "
         "the gateway's CPU?"},
        {{.idle_cores = IDLE_CORES, .each_s = EACH_S, .noise = 0.06},
         "the slope's 95 % interval, to either side: 18.8 %, above 10 %: offer each rate for "
         "longer, or when the gateway has nothing else to do"},
        {{.idle_cores = -0.03, .each_s = EACH_S}, NULL}, /* of 0.72: a clock's offset */
        {{.idle_cores = -0.05, .each_s = EACH_S},
         "how far below 0 the line begins, of its rise: 6.94 %, above 5 %: no gateway takes less "
         "than nothing, so it is no line"},
        {{.idle_cores = IDLE_CORES, .each_s = EACH_S, .far_cores = 0.04}, NULL},
        {{.idle_cores = IDLE_CORES, .each_s = EACH_S, .far_cores = 0.12},
         "the point furthest from the line, of its rise at 300 a second: 13.7 %, above 10 %: "
         "something else took or gave CPU there"},
        /* From 2 us to 2.33 us and 2.72 us a handshake more. */
        {{.idle_cores = IDLE_CORES, .each_s = EACH_S, .bend_s = 5e-7}, NULL},
        {{.idle_cores = IDLE_CORES, .each_s = EACH_S, .bend_s = 1e-6},
         "what a further handshake costs more or less at the highest rate than at the lowest, by a "
         "parabola through the points: 29.5 %, "
         "above "
         "20 %: there is no one cost: measure around the rate that matters (--rates)"},
        {{.idle_cores = IDLE_CORES, .each_s = EACH_S, .bend_s = -1e-6},
         "what a further handshake costs more or less at the highest rate than at the lowest, by a "
         "parabola through the points: 46.1 %, "
         "above "
         "20 %: there is no one cost: measure around the rate that matters (--rates)"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct ls_slope_point points[POINTS];
        const size_t count = points_of(points, &rows[i].change);
        struct ls_slope slope;
        bool said;

        ls_slope_judge(&slope, points, count, &rows[i].change.facts);
        said = rows[i].refusal == NULL && slope.refusals_count == 0;
        for (size_t r = 0; r < slope.refusals_count; r++) {
            said = said ||
                   (rows[i].refusal != NULL && strcmp(slope.refusals[r], rows[i].refusal) == 0);
        }
        if (!said) {
            fail_msg("row %zu: \"%s\", not \"%s\"", i,
                     slope.refusals_count == 0 ? "taken" : slope.refusals[0],
                     rows[i].refusal == NULL ? "taken" : rows[i].refusal);
        }
    }
}

static void all_that_is_wrong_is_said_at_once(void **state)
{
    const struct change change = {.idle_cores = 0.5, .failed = 50, .only_rates = 3, .squeeze = 0.9};
    struct ls_slope_point points[POINTS];
    const size_t count = points_of(points, &change);
    struct ls_slope slope;

    (void)state;
    ls_slope_judge(&slope, points, count, &change.facts);
    assert_int_equal(slope.refusals_count, 4);
    assert_non_null(strstr(slope.refusals[0], "failed"));
    assert_non_null(strstr(slope.refusals[1], "different rates"));
    assert_non_null(strstr(slope.refusals[2], "highest rate reached"));
    assert_non_null(strstr(slope.refusals[3], "does not rise"));
}

static void without_points_there_is_no_line(void **state)
{
    struct ls_slope slope;

    (void)state;
    ls_slope_judge(&slope, NULL, 0, &(struct ls_slope_facts){0});
    assert_true(slope.refusals_count > 0);
    assert_int_equal(slope.line.count, 0);
}

static void one_point_tells_whether_it_is_to_be_played_again(void **state)
{
    struct ls_slope_point point = {
        .offered_per_s = 100, .seconds = 1, .cpu_s = 0.2, .handshakes = 100};

    (void)state;
    assert_false(ls_slope_is_bad(&point));
    point.behind_share = 0.06;
    assert_true(ls_slope_is_bad(&point));
    point.behind_share = 0;
    point.failed = 1;
    assert_true(ls_slope_is_bad(&point));
    point.failed = 0;
    point.handshakes = 0;
    assert_true(ls_slope_is_bad(&point));
    point.handshakes = 79;
    assert_true(ls_slope_is_bad(&point));
    point.handshakes = 81;
    assert_false(ls_slope_is_bad(&point));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_on_a_line_give_the_very_cost),
        cmocka_unit_test(what_counts_is_what_came_and_not_what_was_offered),
        cmocka_unit_test(the_interval_is_student_s),
        cmocka_unit_test(what_is_no_line_is_refused_and_why_is_said),
        cmocka_unit_test(all_that_is_wrong_is_said_at_once),
        cmocka_unit_test(without_points_there_is_no_line),
        cmocka_unit_test(one_point_tells_whether_it_is_to_be_played_again),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
