/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "arrivals/recorded.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "loginstorm/random.h"
#include "unit/arrivals/curves.h"
#include "unit/arrivals/mornings.h"

/* 08:00 of Monday 2026-11-23 in Paris. */
#define EIGHT_NS INT64_C(1795417200000000000)

/* One recorded wave; its file goes when the schedule is there. */
struct recording {
    struct ls_wave wave;
    struct ls_scenario scenario;
    char path[64];
};

static void record(struct recording *recording, const char *text)
{
    *recording = (struct recording){.wave = {.shape = LS_SHAPE_RECORDED, .share = 1}};
    curve_file(recording->path, text);
    recording->wave.curve = recording->path;
    recording->scenario = morning(0, 1, &recording->wave, 1);
}

/* A log of count logins between 08:00 and 09:00, denser in the middle, as text that is freed. */
static char *log_of(int count, int64_t step_ns)
{
    char *text = malloc(128 + 64 * (size_t)count);
    size_t used = (size_t)sprintf(text, HEAD "time,user\n");
    int64_t last_ns = 0;

    for (int i = 0; i < count; i++) {
        const double share =
            ((double)i + ls_random_unit(7, LS_STREAM_ARRIVAL, (uint64_t)i, 0)) / (double)count;
        const double x = 0.5 + (share - 0.5) * fabs(2 * share - 1); /* crowds at 08:30 */
        int64_t at_ns = (int64_t)(x * (double)LS_NS_PER_H) / step_ns * step_ns;

        at_ns = at_ns < last_ns ? last_ns : at_ns;
        last_ns = at_ns;
        used += (size_t)sprintf(text + used, "2026-11-23T07:%02d:%02d.%09dZ,%x\n",
                                (int)(at_ns / LS_NS_PER_MIN), (int)(at_ns / LS_NS_PER_S % 60),
                                (int)(at_ns % LS_NS_PER_S), i + 1);
    }
    return text;
}

static void stamps_are_replayed_to_the_nanosecond_in_their_order(void **state)
{
    static const struct {
        double speedup;
        int64_t due_ns[4]; /* -1: no more */
    } rows[] = {
        {1, {0, 1, INT64_C(1800123456789), INT64_C(3599999999999)}},
        {120, {0, 0, INT64_C(15001028806), INT64_C(29999999999)}},
    };
    struct recording recording;

    (void)state;
    record(&recording, HEAD "time,user\n"
                            "2026-11-23T06:59:59.999999999Z,1\n" /* before the window */
                            "2026-11-23T07:00:00Z,2\n"
                            "2026-11-23T07:00:00.000000001Z,3\n"
                            "2026-11-23T07:30:00.123456789Z,4\n"
                            "2026-11-23T07:59:59.999999999Z,2\n"
                            "2026-11-23T08:00:00Z,5\n"); /* the window is open at its end */
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        struct ls_schedule *schedule;

        recording.scenario.speedup = rows[r].speedup;
        schedule = built(&recording.scenario);
        assert_int_equal(schedule->count, 4);
        for (size_t i = 0; i < 4; i++) {
            assert_true(schedule->rows[i].due_ns == rows[r].due_ns[i]);
            assert_true(schedule->rows[i].at_ns == rows[0].due_ns[i]);
        }
        assert_non_null(strstr(
            schedule->notes,
            "Monday 2026-11-23, 4 logins\n2 further logins of the curve lie outside the window\n"));
        ls_schedule_free(schedule);
    }
    (void)unlink(recording.path);
}

static void counts_are_spread_within_their_intervals(void **state)
{
    static const struct {
        int64_t from_ns, to_ns, count;
    } pieces[] = {{0, MINUTES(1), 30},
                  {MINUTES(1), MINUTES(2), 0},
                  {MINUTES(2), MINUTES(3), 70},
                  {MINUTES(58), MINUTES(60), 50}};
    struct recording recording;
    struct ls_schedule *schedule, *again, *other;
    size_t same = 0;

    (void)state;
    record(&recording, HEAD "from,to,count\n2026-11-23T07:00:00Z,2026-11-23T07:01:00Z,30\n"
                            "2026-11-23T07:01:00Z,2026-11-23T07:02:00Z,0\n"
                            "2026-11-23T07:02:00Z,2026-11-23T07:03:00Z,70\n"
                            "2026-11-23T07:58:00Z,2026-11-23T08:02:00Z,100\n"); /* half of it */
    schedule = built(&recording.scenario);
    again = built(&recording.scenario);
    recording.scenario.seed = 2;
    other = built(&recording.scenario);
    assert_int_equal(schedule->count, 150);
    assert_memory_equal(schedule->rows, again->rows, 150 * sizeof schedule->rows[0]);
    for (size_t p = 0; p < sizeof pieces / sizeof pieces[0]; p++) {
        int64_t within = 0;
        double sum = 0;

        for (size_t i = 0; i < schedule->count; i++) {
            const int64_t at_ns = schedule->rows[i].at_ns;

            if (at_ns >= pieces[p].from_ns && at_ns < pieces[p].to_ns) {
                within++;
                sum += (double)(at_ns - pieces[p].from_ns) /
                       (double)(pieces[p].to_ns - pieces[p].from_ns);
            }
        }
        assert_int_equal(within, pieces[p].count);
        /* Uniform: their mean is a half, give or take four of its standard deviations. */
        assert_true(within == 0 ||
                    fabs(sum / (double)within - 0.5) < 4 * sqrt(1 / 12.0 / (double)within));
    }
    for (size_t i = 0; i < 150; i++) {
        same += schedule->rows[i].at_ns == other->rows[i].at_ns;
    }
    assert_int_equal(same, 0);
    ls_schedule_free(schedule);
    ls_schedule_free(again);
    ls_schedule_free(other);
    (void)unlink(recording.path);
}

static bool holds(const struct ls_schedule *schedule, int64_t at_ns, uint16_t population)
{
    for (size_t i = 0; i < schedule->count; i++) {
        if (schedule->rows[i].at_ns == at_ns && schedule->rows[i].population == population) {
            return true;
        }
    }
    return false;
}

static void fewer_users_are_a_choice_of_which_more_are_the_same_and_more(void **state)
{
    static const double scales[] = {0.001, 0.1, 0.35, 0.9};
    static const size_t counts[] = {1, 50, 175, 450};
    char *text = log_of(500, 1);
    struct recording recording;
    struct ls_schedule *all, *some[4];

    (void)state;
    record(&recording, text);
    all = built(&recording.scenario);
    assert_int_equal(all->count, 500);
    for (size_t s = 0; s < 4; s++) {
        const struct ls_schedule *more;

        recording.wave.scale = scales[s];
        some[s] = built(&recording.scenario);
        assert_int_equal(some[s]->count, counts[s]);
        assert_non_null(strstr(some[s]->notes, " of its 500 logins, a random choice by the seed"));
        more = s == 0 ? all : some[s - 1];
        for (size_t i = 0; i < some[s]->count && i < more->count; i++) {
            const struct ls_schedule *big = s == 0 ? all : some[s];
            const struct ls_schedule *small = s == 0 ? some[s] : some[s - 1];

            assert_true(holds(big, small->rows[i].at_ns, small->rows[i].population));
        }
    }
    for (size_t s = 0; s < 4; s++) {
        ls_schedule_free(some[s]);
    }
    ls_schedule_free(all);
    (void)unlink(recording.path);
    free(text);
}

/* The distance of the further logins alone from the recorded distribution. */
static double distance(const int64_t *further, size_t count, const struct ls_schedule *recorded)
{
    double most = 0;
    size_t r = 0;

    for (size_t i = 0; i < count; i++) {
        double by;

        while (r < recorded->count && recorded->rows[r].at_ns <= further[i]) {
            r++;
        }
        by = (double)r / (double)recorded->count;
        most = fmax(most, fmax(fabs(by - (double)i / (double)count),
                               fabs(by - (double)(i + 1) / (double)count)));
    }
    return most;
}

static void more_users_keep_the_shape_and_nobody_comes_at_another_s_moment(void **state)
{
    enum { LOGINS = 2000, SEEDS = 200 };
    static const int64_t steps[] = {1, LS_NS_PER_S}; /* also a log that knows whole seconds */

    (void)state;
    for (size_t s = 0; s < 2; s++) {
        char *text = log_of(LOGINS, steps[s]);
        struct recording recording;
        struct ls_schedule *recorded;
        /* The rate is level over pieces of some logins, and a second's are spread to the next. */
        const double coarse = (double)(PIECE_LOGINS + 8) / LOGINS;
        int beyond = 0;

        record(&recording, text);
        recorded = built(&recording.scenario);
        recording.wave.scale = 2.5;
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            int64_t further[LOGINS * 3 / 2];
            size_t count = 0, r = 0;
            struct ls_schedule *more;

            recording.scenario.seed = seed;
            more = built(&recording.scenario);
            assert_int_equal(more->count, LOGINS * 5 / 2);
            for (size_t i = 0; i < more->count; i++) {
                if (r < recorded->count && more->rows[i].at_ns == recorded->rows[r].at_ns) {
                    r++;
                    continue;
                }
                assert_true(count < LOGINS * 3 / 2);
                further[count++] = more->rows[i].at_ns;
                assert_true(count < 2 || further[count - 1] != further[count - 2]);
            }
            assert_int_equal(r, LOGINS);
            assert_int_equal(count, LOGINS * 3 / 2);
            beyond += distance(further, count, recorded) > 1.358 / sqrt((double)count) + coarse;
            ls_schedule_free(more);
        }
        /* 5 % of the seeds at most, give or take three standard deviations. */
        assert_in_range(beyond, 0, SEEDS / 20 + 9);
        ls_schedule_free(recorded);
        (void)unlink(recording.path);
        free(text);
    }
}

static void what_was_chance_in_the_seconds_is_not_multiplied(void **state)
{
    enum { LOGINS = 3600, SCALE = 4 };
    char *text = malloc(128 + 64 * LOGINS);
    size_t used = (size_t)sprintf(text, HEAD "time,user\n");
    struct recording recording;
    struct ls_schedule *more;
    double squares = 0;
    size_t row = 0;

    (void)state;
    /* A Poisson process of one a second: its gaps are exponential. */
    for (int64_t i = 0, at_ns = 0; i < LOGINS; i++) {
        at_ns -= (int64_t)(0.98 * 1e9 * log(ls_random_unit(3, LS_STREAM_ARRIVAL, (uint64_t)i, 1)));
        if (at_ns < LS_NS_PER_H) {
            used += (size_t)sprintf(text + used, "2026-11-23T07:%02d:%02d.%09dZ,\n",
                                    (int)(at_ns / LS_NS_PER_MIN), (int)(at_ns / LS_NS_PER_S % 60),
                                    (int)(at_ns % LS_NS_PER_S));
        }
    }
    record(&recording, text);
    recording.wave.scale = SCALE;
    more = built(&recording.scenario);
    for (int64_t second = 0; second < 3600; second++) {
        double count = 0;

        for (; row < more->count && more->rows[row].at_ns < (second + 1) * LS_NS_PER_S; row++) {
            count++;
        }
        squares += (count - SCALE) * (count - SCALE) / 3600;
    }
    /* Poisson's variance is its mean, 4. Each login four times would give 16. */
    assert_true(squares > 3.2 && squares < 9);
    ls_schedule_free(more);
    (void)unlink(recording.path);
    free(text);
}

static void users_of_the_scenario_give_the_scale(void **state)
{
    char *text = log_of(100, 1);
    struct recording recording;
    struct ls_schedule *schedule;

    (void)state;
    record(&recording, text);
    recording.scenario.users = 250;
    schedule = built(&recording.scenario);
    assert_int_equal(schedule->count, 250);
    assert_non_null(strstr(schedule->notes, "its 100 logins at their moments, and 150 further ones "
                                            "drawn from the local rate"));
    ls_schedule_free(schedule);
    recording.scenario.users = 100;
    schedule = built(&recording.scenario);
    assert_int_equal(schedule->count, 100);
    assert_null(strstr(schedule->notes, "further"));
    ls_schedule_free(schedule);
    (void)unlink(recording.path);
    free(text);
}

static void recorded_and_other_waves_add_up_by_their_shares(void **state)
{
    char *text = log_of(100, 1);
    struct recording recording;
    struct ls_wave waves[2] = {{.shape = LS_SHAPE_UNIFORM, .share = 0.25},
                               {.shape = LS_SHAPE_RECORDED, .share = 0.75}};
    struct ls_schedule *schedule, *own;
    size_t found = 0;

    (void)state;
    record(&recording, text);
    own = built(&recording.scenario);
    waves[1].curve = recording.path;
    recording.scenario.waves = waves;
    recording.scenario.waves_count = 2;
    recording.scenario.users = 400;
    schedule = built(&recording.scenario);
    assert_int_equal(schedule->count, 400);
    for (size_t i = 0; i < own->count; i++) {
        for (size_t k = 0; k < schedule->count; k++) {
            found += schedule->rows[k].at_ns == own->rows[i].at_ns;
        }
    }
    assert_int_equal(found, 100);
    ls_schedule_free(schedule);

    /* Without users, two curves bring theirs. */
    waves[0] = waves[1];
    waves[0].scale = 0.5;
    recording.scenario.users = 0;
    schedule = built(&recording.scenario);
    assert_int_equal(schedule->count, 150);
    ls_schedule_free(schedule);
    ls_schedule_free(own);
    (void)unlink(recording.path);
    free(text);
}

static void a_single_login_can_be_made_many(void **state)
{
    struct recording recording;
    struct ls_schedule *schedule;

    (void)state;
    record(&recording, HEAD "time,user\n2026-11-23T07:30:00Z,\n");
    recording.wave.scale = 20;
    schedule = built(&recording.scenario);
    assert_int_equal(schedule->count, 20);
    for (size_t i = 1; i < 20; i++) {
        assert_true(schedule->rows[i].at_ns > schedule->rows[i - 1].at_ns);
        assert_true(schedule->rows[i].at_ns < MINUTES(30) + SECONDS(1));
    }
    ls_schedule_free(schedule);
    (void)unlink(recording.path);
}

/* At every other nanosecond of the log there is somebody, so the rest is theirs who come beside. */
static void nobody_comes_at_another_s_moment_even_where_those_are_a_nanosecond_apart(void **state)
{
    enum { LOGINS = 400 };
    char *text = malloc(128 + 64 * LOGINS);
    size_t used = (size_t)sprintf(text, HEAD "time,user\n");
    struct recording recording;
    struct ls_schedule *more;
    size_t even = 0;

    (void)state;
    for (int i = 0; i < LOGINS; i++) {
        used += (size_t)sprintf(text + used, "2026-11-23T07:30:00.%09dZ,\n", 2 * i);
    }
    record(&recording, text);
    recording.wave.scale = 3;
    more = built(&recording.scenario);
    for (size_t i = 0; i < more->count; i++) {
        even += more->rows[i].at_ns % 2 == 0 && more->rows[i].at_ns < MINUTES(30) + 2 * LOGINS;
    }
    assert_int_equal(more->count, 3 * LOGINS);
    assert_int_equal(even, LOGINS);
    ls_schedule_free(more);
    (void)unlink(recording.path);
    free(text);
}

/* Two days with a login each, so that the clock places what lies on the one of the change. */
static void intervals_across_a_change_of_the_clocks_stand_where_the_clock_stood(void **state)
{
    static const struct {
        const char *row, *other;
        int64_t from_min, hours;
        struct {
            int64_t from_min, to_min, count;
        } pieces[2];
        const char *reason;
    } rows[] = {
        {"2026-03-29T00:30:00Z,2026-03-29T01:30:00Z,40\n",
         "2026-03-30T00:00:00Z,2026-03-30T00:01:00Z,2\n",
         60,
         3,
         {{90, 120, 20}, {180, 210, 20}},
         "forward: no clock shows 02:30"},
        {"2026-10-25T00:30:00Z,2026-10-25T01:30:00Z,40\n",
         "2026-10-26T02:00:00Z,2026-10-26T02:01:00Z,2\n",
         60,
         3,
         {{150, 180, 20}, {120, 150, 20}},
         "back: behind 03:00 it is 02:00 again"},
        {"2026-10-25T00:30:00Z,2026-10-25T01:30:00Z,40\n",
         "2026-10-26T02:00:00Z,2026-10-26T02:01:00Z,2\n",
         135,
         1,
         {{150, 180, 20}, {135, 150, 10}},
         "of the second time round what lies in the window"},
        {"2026-03-29T01:00:00Z,2026-03-29T02:00:00Z,40\n",
         "2026-03-30T00:00:00Z,2026-03-30T00:01:00Z,2\n",
         60,
         3,
         {{180, 210, -1}, {210, 240, -1}},
         "one that begins at the change lies behind it"},
    };

    (void)state;
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        const bool march = strncmp(rows[r].row, "2026-03", 7) == 0;
        const int64_t other_min = march ? 120 : 180;
        int64_t within[2] = {0}, others = 0, wanted = 0;
        char text[400];
        struct recording recording;
        struct ls_schedule *schedule;

        (void)snprintf(text, sizeof text, HEAD "from,to,count\n%s%s", rows[r].row, rows[r].other);
        record(&recording, text);
        recording.wave.day = (char[]){"average"};
        recording.wave.scale = 2; /* of two days: all of their logins */
        recording.scenario.from_ns = MINUTES(rows[r].from_min);
        recording.scenario.window_ns = rows[r].hours * LS_NS_PER_H;
        schedule = built(&recording.scenario);
        for (size_t i = 0; i < schedule->count; i++) {
            const int64_t at_ns = schedule->rows[i].at_ns + MINUTES(rows[r].from_min);
            bool found = at_ns >= MINUTES(other_min) && at_ns < MINUTES(other_min + 1);

            others += found;
            for (size_t p = 0; p < 2 && !found; p++) {
                found = at_ns >= MINUTES(rows[r].pieces[p].from_min) &&
                        at_ns < MINUTES(rows[r].pieces[p].to_min);
                within[p] += found;
            }
            if (!found) {
                fail_msg("%s: somebody at minute %d", rows[r].reason, (int)(at_ns / MINUTES(1)));
            }
        }
        for (size_t p = 0; p < 2; p++) {
            assert_true(rows[r].pieces[p].count < 0 || within[p] == rows[r].pieces[p].count);
            wanted += rows[r].pieces[p].count < 0 ? 20 : rows[r].pieces[p].count;
        }
        assert_int_equal(within[0] + within[1], wanted);
        assert_int_equal(others, 2);
        ls_schedule_free(schedule);
        (void)unlink(recording.path);
    }
}

static void what_the_window_cuts_off_its_two_ends_adds_up(void **state)
{
    static const struct {
        int first, last;
        size_t users;
        const char *reason;
    } rows[] = {
        {3, 3, 13, "a half and a half are one, not two"},
        {2, 2, 12, "nothing to round"},
        {3, 2, 13, "two and a half once, to the next"},
        {1, 1, 11, "one of two"},
    };

    (void)state;
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        char text[400], note[64];
        struct recording recording;
        struct ls_schedule *schedule;

        print_message("%s\n", rows[r].reason);
        (void)snprintf(text, sizeof text,
                       HEAD "from,to,count\n2026-11-23T06:50:00Z,2026-11-23T07:10:00Z,%d\n"
                            "2026-11-23T07:10:00Z,2026-11-23T07:50:00Z,10\n"
                            "2026-11-23T07:50:00Z,2026-11-23T08:10:00Z,%d\n",
                       rows[r].first, rows[r].last);
        (void)snprintf(note, sizeof note, "Monday 2026-11-23, %zu logins\n", rows[r].users);
        record(&recording, text);
        schedule = built(&recording.scenario);
        assert_int_equal(schedule->count, rows[r].users);
        assert_non_null(strstr(schedule->notes, note));
        ls_schedule_free(schedule);
        (void)unlink(recording.path);
    }
}

static void more_than_a_schedule_holds_is_refused(void **state)
{
    struct recording recording;
    struct ls_schedule *schedule;
    struct ls_error err = {0};

    (void)state;
    record(&recording, HEAD "from,to,count\n2026-11-23T07:00:00Z,2026-11-23T07:01:00Z,10000001\n");
    assert_int_equal(ls_schedule_build(&schedule, &recording.scenario, &err), LS_EINPUT);
    assert_null(schedule);
    assert_memory_equal(err.text, recording.path, strlen(recording.path));
    assert_string_equal(err.text + strlen(recording.path),
                        ": it brings the storm to more than 10 million users, which is the most: "
                        "give a smaller `scale`, `users`, a shorter window or one `day`");
    (void)unlink(recording.path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stamps_are_replayed_to_the_nanosecond_in_their_order),
        cmocka_unit_test(counts_are_spread_within_their_intervals),
        cmocka_unit_test(fewer_users_are_a_choice_of_which_more_are_the_same_and_more),
        cmocka_unit_test(more_users_keep_the_shape_and_nobody_comes_at_another_s_moment),
        cmocka_unit_test(what_was_chance_in_the_seconds_is_not_multiplied),
        cmocka_unit_test(users_of_the_scenario_give_the_scale),
        cmocka_unit_test(recorded_and_other_waves_add_up_by_their_shares),
        cmocka_unit_test(a_single_login_can_be_made_many),
        cmocka_unit_test(nobody_comes_at_another_s_moment_even_where_those_are_a_nanosecond_apart),
        cmocka_unit_test(intervals_across_a_change_of_the_clocks_stand_where_the_clock_stood),
        cmocka_unit_test(what_the_window_cuts_off_its_two_ends_adds_up),
        cmocka_unit_test(more_than_a_schedule_holds_is_refused),
    };

    return cmocka_run_group_tests_name("arrivals/recorded", tests, NULL, NULL);
}
