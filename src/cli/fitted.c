/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/fitted.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "loginstorm/fit.h"
#include "loginstorm/report.h"
#include "loginstorm/units.h"

void fitted_notes(const struct ls_schedule *schedule)
{
    const char *text = schedule->notes == NULL ? "" : schedule->notes;

    while (*text != '\0') {
        const size_t length = strcspn(text, "\n");

        (void)printf("# %.*s\n", (int)length, text);
        text += length + (text[length] == '\n');
    }
}

double fitted_peak(const struct ls_fit_try *tried, const struct ls_scenario *scenario,
                   int64_t logins)
{
    const int64_t first_ns = scenario->from_ns / LS_NS_PER_MIN * LS_NS_PER_MIN - scenario->from_ns;
    double most = 0;

    for (int64_t at_ns = first_ns; at_ns < scenario->window_ns; at_ns += LS_NS_PER_MIN) {
        const int64_t end_ns = at_ns + LS_NS_PER_MIN;
        const double from = at_ns < 0 ? 0 : (double)at_ns;
        const double to = (double)(end_ns < scenario->window_ns ? end_ns : scenario->window_ns);

        most = fmax(most, ls_fit_share_by(tried, scenario->window_ns, to) -
                              ls_fit_share_by(tried, scenario->window_ns, from));
    }
    return most * (double)logins;
}

static bool is_recorded(const struct ls_scenario *scenario)
{
    for (size_t i = 0; i < scenario->waves_count; i++) {
        if (scenario->waves[i].shape != LS_SHAPE_RECORDED) {
            return false;
        }
    }
    return true;
}

static void draw_shape(const struct ls_scenario *scenario, const struct ls_fit *fit, bool utf8)
{
    const struct ls_fit_try *tried = &fit->tries[fit->chosen];
    const double slice_ns = (double)scenario->window_ns / PICTURE_SLICES;
    int64_t logins[PICTURE_SLICES];
    char line[3 * PICTURE_SLICES + 1], from[16], to[16];
    double before = 0;

    for (int i = 0; i < PICTURE_SLICES; i++) {
        const double by = ls_fit_share_by(tried, scenario->window_ns, (i + 1) * slice_ns);

        logins[i] = llround((by - before) * (double)fit->logins);
        before = by;
    }
    ls_sparkline(logins, PICTURE_SLICES, utf8, line, sizeof line);
    ls_format_clock(scenario->from_ns, 0, from, sizeof from);
    ls_format_clock(scenario->from_ns + scenario->window_ns, 0, to, sizeof to);
    (void)printf("# %s %s %s\n", from, line, to);
}

void fitted_draw(const struct ls_scenario *scenario, const struct ls_schedule *schedule, bool utf8)
{
    struct ls_fit *fit;
    struct ls_load load;
    char most[32], shaped[32];

    fitted_notes(schedule);
    if (!is_recorded(scenario) || ls_fit_new(&fit, schedule, scenario->window_ns, NULL) != LS_OK) {
        return;
    }
    ls_schedule_load(schedule, scenario, &load);
    (void)printf("# %s built-in shape%s is \"%s\"; distance (KS) %.4f, %s the 5 %% limit of %.4f\n",
                 fit->fits ? "the simplest" : "the nearest", fit->fits ? " that fits" : "",
                 fit->tries[fit->chosen].name, fit->tries[fit->chosen].distance,
                 fit->fits ? "within" : "beyond", fit->limit);
    ls_format_count(load.peak_minute_logins, most, sizeof most);
    ls_format_count(llround(fitted_peak(&fit->tries[fit->chosen], scenario, fit->logins)), shaped,
                    sizeof shaped);
    (void)printf(
        "# fullest minute: %s logins in the schedule, %s by that shape on the average; %s\n", most,
        shaped,
        fit->fits ? "`loginstorm fit` writes it out" : "none fits, so keep the recorded one");
    draw_shape(scenario, fit, utf8);
    ls_fit_free(fit);
}
