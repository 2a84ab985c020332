/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <inttypes.h>

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
    struct ls_load load;

    ls_schedule_histogram(schedule, scenario, logins, SLICES);
    ls_schedule_load(schedule, scenario, &load);
    ls_sparkline(logins, SLICES, utf8, line, sizeof line);
    ls_format_clock(scenario->from_ns, 0, from, sizeof from);
    ls_format_clock(scenario->from_ns + scenario->window_ns, 0, to, sizeof to);
    ls_format_clock(load.peak_minute_at_ns, 0, minute, sizeof minute);
    ls_format_clock(load.peak_second_at_ns, 1, second, sizeof second);
    ls_format_count((int64_t)schedule->count, users, sizeof users);
    (void)printf("# the schedule: %s users\n", users);
    (void)printf("# %s %s %s\n", from, line, to);
    (void)printf("# fullest minute %s with %" PRId64 " logins, fullest second %s with %" PRId64
                 "\n",
                 minute, load.peak_minute_logins, second, load.peak_second_logins);
    if (scenario->seed_drawn) {
        (void)printf("# the seed was drawn; keep it to get these users again\n");
    }
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
    if (code == LS_OK) {
        code = ls_scenario_write(scenario, true, stdout, &err);
    }
    if (code == LS_OK) {
        draw(scenario, schedule, look.utf8);
        /* A scenario that is right but that `run` would refuse is worth a word now, not at 07:55.
         */
        if (ls_storm_check(scenario, 1, &err) != LS_OK) {
            (void)fprintf(stderr, "%s: warning: `loginstorm run` would refuse it: %s\n",
                          options->operand, err.text);
        }
    } else {
        status = print_error(&err);
    }
    ls_schedule_free(schedule);
    ls_scenario_free(scenario);
    return status;
}
