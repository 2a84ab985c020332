/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/fitted.h"
#include "cli/print.h"
#include "cli/teller.h"
#include "loginstorm/curve.h"
#include "loginstorm/fit.h"
#include "loginstorm/schedule.h"
#include "loginstorm/units.h"

#define QUARTER_NS (15 * LS_NS_PER_MIN)
#define POINTS_A_LINE 5

/* The curve as the arrivals of a scenario, since that is what it is to be replaced by. */
struct morning {
    struct ls_scenario scenario;
    struct ls_wave wave;
    struct ls_population population;
    struct ls_schedule *schedule;
};

/* "08:00", "8:00:30"; what follows it in *end. */
static bool read_clock(const char *text, int64_t *ns, const char **end)
{
    int64_t parts[3] = {0};
    int count = 0;

    for (;;) {
        int digits = 0;

        for (; *text >= '0' && *text <= '9' && digits < 2; digits++) {
            parts[count] = parts[count] * 10 + (*text++ - '0');
        }
        count++;
        if (digits == 0 || (count > 1 && (digits < 2 || parts[count - 1] > 59))) {
            return false;
        }
        if (*text != ':' || count == 3) {
            break;
        }
        text++;
    }
    *ns = ((parts[0] * 60 + parts[1]) * 60 + parts[2]) * LS_NS_PER_S;
    *end = text;
    return count > 1 && *ns <= LS_NS_PER_DAY;
}

static enum ls_code read_window(struct ls_scenario *scenario, const char *text,
                                struct ls_error *err)
{
    const char *end = text;
    int64_t to_ns = 0;

    if (!read_clock(text, &scenario->from_ns, &end) || *end != '-' ||
        !read_clock(end + 1, &to_ns, &end) || *end != '\0' || scenario->from_ns == LS_NS_PER_DAY) {
        return ls_error_set(err, LS_EUSAGE, "--window: \"%.60s\" is not FROM-TO, like 08:00-09:00",
                            text);
    }
    scenario->window_ns = to_ns - scenario->from_ns;
    scenario->window_ns += scenario->window_ns <= 0 ? LS_NS_PER_DAY : 0;
    return LS_OK;
}

/* The quarters of an hour that hold all logins of the day. */
static enum ls_code find_window(struct morning *morning, struct ls_error *err)
{
    struct ls_scenario *scenario = &morning->scenario;
    int64_t first_ns, last_ns;
    enum ls_code code;

    scenario->from_ns = 0;
    scenario->window_ns = LS_NS_PER_DAY;
    code = ls_schedule_build(&morning->schedule, scenario, err);
    if (code != LS_OK || morning->schedule == NULL) {
        return code;
    }
    first_ns = morning->schedule->rows[0].at_ns / QUARTER_NS;
    last_ns = morning->schedule->rows[morning->schedule->count - 1].at_ns / QUARTER_NS + 1;
    scenario->from_ns = first_ns * QUARTER_NS;
    scenario->window_ns = (last_ns - first_ns) * QUARTER_NS;
    if (scenario->from_ns + scenario->window_ns > LS_NS_PER_DAY) {
        scenario->window_ns = LS_NS_PER_DAY - scenario->from_ns; /* a day of 25 hours */
    }
    ls_schedule_free(morning->schedule);
    morning->schedule = NULL;
    return LS_OK;
}

/* A time of day as a scenario has it, to the millisecond that a fit is rounded to. */
static void print_clock(int64_t ns)
{
    char text[16];

    ls_format_clock(ns, ns % LS_NS_PER_MIN != 0, text, sizeof text);
    (void)printf("%s", text);
    if (ns % LS_NS_PER_S != 0) {
        (void)printf(".%03d", (int)(ns % LS_NS_PER_S / LS_NS_PER_MS));
    }
}

static void print_points(const struct ls_wave *wave, int64_t from_ns)
{
    (void)printf("points: [");
    for (size_t i = 0; i < wave->points_count; i++) {
        (void)printf("%s%s[", i == 0 ? "" : ",",
                     i == 0                   ? ""
                     : i % POINTS_A_LINE == 0 ? "\n      "
                                              : " ");
        print_clock(from_ns + wave->points[i].at_ns);
        (void)printf(", %.6g/min]", wave->points[i].per_s * 60);
    }
    (void)printf("]");
}

static void print_wave(const struct ls_wave *wave, int64_t from_ns, bool alone)
{
    static const char *const names[] = {
        [LS_SHAPE_UNIFORM] = "uniform",
        [LS_SHAPE_NORMAL] = "normal",
        [LS_SHAPE_BURST] = "burst",
        [LS_SHAPE_POINTS] = "points",
    };
    char length[32];

    (void)printf("  - {shape: %s", names[wave->shape]);
    if (!alone) {
        (void)printf(", share: %.1f%%", wave->share * 100);
    }
    switch (wave->shape) {
    case LS_SHAPE_NORMAL:
        ls_format_duration(wave->spread_ns, length, sizeof length);
        (void)printf(", middle: ");
        print_clock(from_ns + wave->middle_at_ns);
        (void)printf(", spread: %s", length);
        break;
    case LS_SHAPE_BURST:
        ls_format_duration(wave->burst_over_ns, length, sizeof length);
        (void)printf(", at: ");
        print_clock(from_ns + wave->burst_at_ns);
        (void)printf(", over: %s", length);
        break;
    case LS_SHAPE_POINTS:
        (void)printf(",\n     ");
        print_points(wave, from_ns);
        break;
    default:
        break;
    }
    (void)printf("}\n");
}

static void print_tries(const struct morning *morning, const struct ls_fit *fit)
{
    char count[32];
    struct ls_load load;

    ls_schedule_load(morning->schedule, &morning->scenario, &load);
    ls_format_count(fit->logins, count, sizeof count);
    (void)printf("# %s logins; the 5 %% limit of the distance (KS) for so many is %.4f\n", count,
                 fit->limit);
    (void)printf("# the fullest minute has %" PRId64 " of them; a shape's, on the average of many "
                 "mornings, stands behind its distance\n",
                 load.peak_minute_logins);
    for (size_t i = 0; i < fit->tries_count; i++) {
        (void)printf("#   %-26s %.4f  %6.0f%s\n", fit->tries[i].name, fit->tries[i].distance,
                     fitted_peak(&fit->tries[i], &morning->scenario, fit->logins),
                     i == fit->chosen ? fit->fits ? "  the simplest that fits" : "  the nearest"
                                      : "");
    }
    if (!fit->fits) {
        (void)printf(
            "# none of them fits: the arrivals below are the nearest of them, and recorded "
            "ones are nearer\n");
    }
}

static void print_fit(const struct morning *morning, const struct ls_fit *fit)
{
    const struct ls_scenario *scenario = &morning->scenario;
    const struct ls_fit_try *tried = &fit->tries[fit->chosen];

    fitted_notes(morning->schedule);
    print_tries(morning, fit);
    (void)printf("users: %" PRId64 "\nwindow: {from: ", fit->logins);
    print_clock(scenario->from_ns);
    (void)printf(", to: ");
    print_clock((scenario->from_ns + scenario->window_ns) % LS_NS_PER_DAY);
    (void)printf(", timezone: %s}\narrivals:\n", scenario->timezone);
    for (size_t i = 0; i < tried->waves_count; i++) {
        print_wave(&tried->waves[i], scenario->from_ns, tried->waves_count == 1);
    }
}

/* The clocks of the curve, and whether it is one at all. */
static enum ls_code timezone_of(const char *path, char **out, struct ls_error *err)
{
    struct ls_curve *curve;
    enum ls_code code = ls_curve_load(&curve, path, err);

    if (code == LS_OK) {
        *out = curve->timezone;
        curve->timezone = NULL;
        ls_curve_free(curve);
    }
    return code;
}

/* A scenario's words, as this command's options. */
static void say_options(struct ls_error *err)
{
    static const char words[] = "say day: ";
    char text[sizeof err->text];
    const char *at;

    (void)snprintf(text, sizeof text, "%s", err->text);
    at = strstr(text, words);
    if (at != NULL) {
        (void)ls_error_set(err, err->code,
                           "%.*ssay --day %s; --window FROM-TO takes a part of each",
                           (int)(at - text), text, at + strlen(words));
    }
}

/* Finds the window, where none is given, and what describes the curve in it. */
static enum ls_code describe(struct morning *morning, const struct options *options,
                             struct ls_fit **fit, struct ls_error *err)
{
    enum ls_code code = LS_OK;

    if (options->window != NULL) {
        code = read_window(&morning->scenario, options->window, err);
    }
    if (code == LS_OK) {
        code = timezone_of(options->operand, &morning->scenario.timezone, err);
    }
    if (code == LS_OK && options->window == NULL) {
        code = find_window(morning, err);
    }
    if (code == LS_OK) {
        code = ls_schedule_build(&morning->schedule, &morning->scenario, err);
    }
    if (code != LS_OK) {
        say_options(err);
    } else {
        code = ls_fit_new(fit, morning->schedule, morning->scenario.window_ns, err);
    }
    return code;
}

int command_fit(const struct options *options)
{
    struct morning morning = {
        .wave = {.shape = LS_SHAPE_RECORDED,
                 .share = 1,
                 .curve = strdup(options->operand),
                 .day = options->day == NULL ? NULL : strdup(options->day)},
        .population = {.share = 1},
        .scenario = {.seed = 1, .speedup = 1, .waves_count = 1, .populations_count = 1},
    };
    struct ls_fit *fit = NULL;
    struct teller teller;
    struct ls_error err;
    enum ls_code code;

    morning.scenario.waves = &morning.wave;
    morning.scenario.populations = &morning.population;
    if (morning.wave.curve == NULL || (options->day != NULL && morning.wave.day == NULL)) {
        code = ls_error_set(&err, LS_ENOMEM, "no memory to fit a curve");
    } else {
        teller_begin(&teller, options);
        teller_say(&teller, "%s: finding the arrivals that describe it", options->operand);
        code = describe(&morning, options, &fit, &err);
        teller_end(&teller);
    }
    if (code == LS_OK) {
        print_fit(&morning, fit);
    }
    ls_fit_free(fit);
    ls_schedule_free(morning.schedule);
    free(morning.scenario.timezone);
    free(morning.wave.curve);
    free(morning.wave.day);
    return code == LS_OK ? 0 : print_error(&err);
}
