/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <inttypes.h>
#include <string.h>

#include "cli/fitted.h"
#include "cli/injectors.h"
#include "cli/print.h"
#include "loginstorm/schedule.h"
#include "loginstorm/storm.h"
#include "loginstorm/units.h"

#define SLICES 60

/* As comments, so that what check prints is a scenario itself. */
static void draw(const struct ls_scenario *scenario, const struct ls_schedule *schedule, bool utf8)
{
    int64_t logins[SLICES];
    char line[3 * SLICES + 1];
    char from[16];
    char to[16];
    char minute[16];
    char second[16];
    char users[32];
    char most[32];
    struct ls_load load;

    ls_schedule_histogram(schedule, scenario, logins, SLICES);
    ls_schedule_load(schedule, scenario, &load);
    ls_sparkline(logins, SLICES, utf8, line, sizeof line);
    ls_format_clock(scenario->from_ns, 0, from, sizeof from);
    ls_format_clock(scenario->from_ns + scenario->window_ns, 0, to, sizeof to);
    ls_format_clock(load.peak_minute_at_ns, 0, minute, sizeof minute);
    ls_format_clock(load.peak_second_at_ns, 1, second, sizeof second);
    ls_format_count((int64_t)schedule->count, users, sizeof users);
    ls_format_count(load.peak_minute_logins, most, sizeof most);
    (void)printf("# the schedule: %s user%s\n", users, schedule->count == 1 ? "" : "s");
    (void)printf("# %s %s %s\n", from, line, to);
    (void)printf(
        "# fullest minute %s with %s login%s, fullest second of the clock %s with %" PRId64 "\n",
        minute, most, load.peak_minute_logins == 1 ? "" : "s", second, load.peak_second_logins);
    fitted_draw(scenario, schedule, utf8);
    if (scenario->seed_drawn) {
        (void)printf("# the seed was drawn; keep it to get these users again\n");
    }
}

/* The loops instead of a picture: they have no moment of the day. */
static void list_loops(const struct ls_scenario *scenario, const struct ls_schedule *schedule)
{
    char logins[32];
    char at_a_time[32];

    ls_format_count((int64_t)schedule->count, logins, sizeof logins);
    (void)printf("# closed loops: %s logins, each begins when one before it is done\n", logins);
    for (size_t i = 0; i < schedule->waves_count; i++) {
        const struct ls_loop_wave *wave = &schedule->waves[i];

        ls_format_count((int64_t)wave->count, logins, sizeof logins);
        ls_format_count(wave->concurrency, at_a_time, sizeof at_a_time);
        if (wave->shape == LS_SHAPE_SEQUENCE) {
            (void)printf("#   %s one after another\n", logins);
        } else {
            (void)printf("#   %s, %s at a time\n", logins, at_a_time);
        }
    }
    (void)printf("# they say what a certificate costs, not what happens at 08:30\n");
    if (scenario->seed_drawn) {
        (void)printf("# the seed was drawn; keep it to get these users again\n");
    }
}

/* A scenario that is right but that `run` would refuse is an error now, not at 07:55. */
static int rehearse(const struct ls_scenario *scenario, const struct ls_schedule *schedule,
                    const struct options *options)
{
    struct ls_error err = {0}, told;
    struct ls_target target;
    struct advice advice;

    if (ls_storm_check(scenario, 1, &err) == LS_OK &&
        ls_storm_target(&target, scenario, schedule, 1, true, &err) == LS_OK) {
        advise(&advice, scenario, schedule, &target);
        advice_write(&advice, "# ", stdout);
        if (ls_storm_check_files(scenario, schedule, 1, 0, 0, &err) == LS_OK) {
            return 0;
        }
    }
    told = err;
    if (told.path[0] == '\0') {
        (void)snprintf(told.path, sizeof told.path, "%s",
                       strcmp(options->operand, "-") == 0 ? "stdin" : options->operand);
    }
    (void)snprintf(told.text, sizeof told.text, "`loginstorm run` would refuse it: %.450s",
                   err.text);
    return print_error(&told);
}

static int show(const struct ls_scenario *scenario, const struct ls_schedule *schedule,
                const struct ls_report_look *look)
{
    struct ls_error err;

    if (ls_scenario_write(scenario, true, stdout, &err) != LS_OK) {
        return print_error(&err);
    }
    if (schedule->waves_count > 0) {
        list_loops(scenario, schedule);
    } else {
        draw(scenario, schedule, look->utf8);
    }
    return 0;
}

int command_check(const struct options *options)
{
    struct ls_scenario *scenario;
    struct ls_schedule *schedule = NULL;
    struct ls_report_look look;
    struct ls_error err;
    enum ls_code code;
    int status = load_scenario(&scenario, options);

    if (status != 0) {
        return status;
    }
    look_of(&look, stdout, options);
    code = ls_schedule_build(&schedule, scenario, &err);
    if (code != LS_OK) {
        status = print_error(&err);
    } else {
        status = show(scenario, schedule, &look);
        status = status == 0 ? rehearse(scenario, schedule, options) : status;
    }
    ls_schedule_free(schedule);
    ls_scenario_free(scenario);
    return status;
}
