/* SPDX-License-Identifier: GPL-3.0-or-later */
/* At which rates a gateway that is not ours is measured, for how long, and how often. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/calibrate_outside.h"
#include "loginstorm/schedule.h"

#define SECONDS 5
#define QUICK_SECONDS 2
#define SECONDS_MOST 600
#define PASSES 2
#define PASSES_MOST (LS_SLOPE_POINTS_MAX / RATES_MAX)
#define RATE_MOST 1e6
/* Fewer handshakes than these make no load. */
#define HANDSHAKES_LEAST 10
/* A row of each is held, and hours are longer than anybody watches. */
#define HANDSHAKES_MOST 4e6

/* Of the fullest second, as `run` would play it. */
static const double parts[] = {0.1, 0.25, 0.5, 0.75, 1};
#define PARTS (sizeof parts / sizeof parts[0])

static int ascending(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;

    return (a > b) - (a < b);
}

enum ls_code outside_rates_parse(const char *text, double rates[RATES_MAX], size_t *count,
                                 struct ls_error *err)
{
    const char *at = text;

    *count = 0;
    do {
        char *end;
        const double rate = strtod(at, &end);

        while (isspace((unsigned char)*end)) {
            end++;
        }
        if (end == at || (*end != ',' && *end != '\0') || !(rate > 0) || rate > RATE_MOST) {
            return ls_error_set(err, LS_EUSAGE,
                                "--rates: \"%.100s\" is no list of handshakes a second, like "
                                "50,100,200,400",
                                text);
        }
        if (*count == RATES_MAX) {
            return ls_error_set(err, LS_EUSAGE, "--rates: more than %d rates", RATES_MAX);
        }
        rates[(*count)++] = rate;
        at = *end == ',' ? end + 1 : NULL;
    } while (at != NULL);
    qsort(rates, *count, sizeof rates[0], ascending);
    for (size_t i = 1; i < *count; i++) {
        if (rates[i] - rates[i - 1] < 1e-9) {
            return ls_error_set(err, LS_EUSAGE, "--rates: %g stands there twice", rates[i]);
        }
    }
    if (*count < LS_SLOPE_RATES) {
        return ls_error_set(err, LS_EUSAGE,
                            "--rates: %zu of them, and %d is the least: through fewer any line "
                            "goes",
                            *count, LS_SLOPE_RATES);
    }
    return LS_OK;
}

static enum ls_code by_the_scenario(struct outside *outside, struct ls_error *err)
{
    const struct ls_scenario *scenario = outside->calibration->scenario;
    struct ls_schedule *schedule;
    enum ls_code code = ls_schedule_build(&schedule, scenario, err);
    double densest;

    if (code != LS_OK) {
        return code;
    }
    densest = (double)ls_schedule_densest(schedule, scenario, 0, 1);
    ls_schedule_free(schedule);
    outside->rates_count = PARTS;
    for (size_t i = 0; i < PARTS; i++) {
        outside->rates[i] = parts[i] * densest;
    }
    if (outside->rates[0] * outside->seconds < HANDSHAKES_LEAST) {
        return ls_error_set(err, LS_EINPUT,
                            "pace.speedup: at this pace the fullest second has %.0f handshakes, "
                            "which is too little to tell its CPU by; say --rates, like "
                            "--rates 50,100,200,400, or raise the pace",
                            densest);
    }
    return LS_OK;
}

static enum ls_code check_numbers(struct outside *outside, struct ls_error *err)
{
    const struct options *options = outside->calibration->options;
    const int seconds = options->seconds >= 0 ? options->seconds
                        : options->quick      ? QUICK_SECONDS
                                              : SECONDS;

    outside->seconds = seconds;
    outside->passes = options->rounds >= 0 ? options->rounds : PASSES;
    if (seconds < 1 || seconds > SECONDS_MOST) {
        return ls_error_set(err, LS_EUSAGE, "--seconds: %d is out of range (1 to %d)", seconds,
                            SECONDS_MOST);
    }
    if (outside->passes < 2 || outside->passes > PASSES_MOST || outside->passes % 2 != 0) {
        return ls_error_set(err, LS_EUSAGE,
                            "--rounds: %d is none of 2, 4, ... %d: a gateway that is not ours is "
                            "taken up and down again, so that a drift is not taken for a cost",
                            outside->passes, PASSES_MOST);
    }
    return LS_OK;
}

enum ls_code outside_plan(struct outside *outside, struct ls_error *err)
{
    const struct options *options = outside->calibration->options;
    enum ls_code code = check_numbers(outside, err);
    double sum = 0;

    if (code == LS_OK) {
        code = options->rates != NULL
                   ? outside_rates_parse(options->rates, outside->rates, &outside->rates_count, err)
                   : by_the_scenario(outside, err);
    }
    if (code != LS_OK) {
        return code;
    }
    for (size_t i = 0; i < outside->rates_count; i++) {
        sum += outside->rates[i] * outside->seconds * outside->passes;
    }
    if (outside->rates[0] * outside->seconds < HANDSHAKES_LEAST) {
        return ls_error_set(err, LS_EUSAGE,
                            "--rates: %g a second make %.0f handshakes in %g seconds; %d are the "
                            "least: take a higher rate, or more --seconds",
                            outside->rates[0], outside->rates[0] * outside->seconds,
                            outside->seconds, HANDSHAKES_LEAST);
    }
    if (sum > HANDSHAKES_MOST) {
        return ls_error_set(err, LS_EUSAGE,
                            "--rates: %.3g handshakes in all, and %.0f are the most: take lower "
                            "rates, or fewer --seconds or --rounds",
                            sum, HANDSHAKES_MOST);
    }
    return LS_OK;
}
