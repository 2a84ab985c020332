/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/calibrate_outside.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/print.h"
#include "loginstorm/schedule.h"
#include "loginstorm/units.h"

/* About what readings and processes take beside the arrivals. */
#define AROUND_S 1.5
#define AROUND_EXPORTER_S 3.5

/* What pass and place in it are: up in the first, down in the second. */
static size_t rate_at(const struct outside *outside, int pass, size_t place)
{
    return pass % 2 == 0 ? place : outside->rates_count - 1 - place;
}

/* What failed or fell behind may have been met by something else, and comes once more. */
static enum ls_code play_point(struct outside *outside, size_t kind, double per_s,
                               struct ls_error *err)
{
    struct side *side = &outside->sides[kind];
    struct ls_slope_point *point = &side->points[side->count];
    const size_t told = side->why_count;
    enum ls_code code = outside_play(outside, kind, per_s, point, err);

    if (code == LS_OK && ls_slope_is_bad(point) && side->repeats < outside->rates_count) {
        side->repeats++;
        side->why_count = told; /* of a step that counts for nothing */
        calibrate_tell(outside->calibration,
                       "once more, since users failed or piled up, or its CPU was read too late");
        code = outside_play(outside, kind, per_s, point, err);
    }
    side->count += code == LS_OK;
    return code;
}

static enum ls_code play_pass(struct outside *outside, int pass, struct ls_error *err)
{
    struct calibration *calibration = outside->calibration;
    enum ls_code code = LS_OK;
    char text[256];

    for (size_t i = 0; code == LS_OK && i < outside->rates_count; i++) {
        const double per_s = outside->rates[rate_at(outside, pass, i)];

        for (size_t k = 0; code == LS_OK && k < calibration->kinds_count; k++) {
            (void)snprintf(text, sizeof text, "round %d of %d, %s: %s, %.4g handshakes a second",
                           pass + 1, outside->passes, pass % 2 == 0 ? "up" : "down",
                           calibration->kinds[k].name, per_s);
            calibrate_tell(calibration, text);
            code = play_point(outside, k, per_s, err);
        }
    }
    return code;
}

/* The first users find caches and sleeping processes; they are no point. */
static enum ls_code warm_up(struct outside *outside, struct ls_error *err)
{
    struct calibration *calibration = outside->calibration;
    enum ls_code code = LS_OK;
    char text[256];

    for (size_t k = 0; code == LS_OK && k < calibration->kinds_count; k++) {
        const double per_s = outside->rates[outside->rates_count - 1];

        (void)snprintf(text, sizeof text, "warming up: %s, %.4g handshakes a second",
                       calibration->kinds[k].name, per_s);
        calibrate_tell(calibration, text);
        code = outside_play(outside, k, per_s, NULL, err);
    }
    return code;
}

static enum ls_code play_all(struct outside *outside, struct ls_error *err)
{
    enum ls_code code;

    calibrate_hold_signals();
    code = warm_up(outside, err);
    for (int pass = 0; code == LS_OK && pass < outside->passes; pass++) {
        code = play_pass(outside, pass, err);
    }
    progress_end(&outside->calibration->progress);
    return code;
}

/* So many steps of a kind are played at most: the warm-up, all passes, and one pass of what comes once more. */
static double most_steps(const struct outside *outside)
{
    return (double)outside->rates_count * (outside->passes + 1) + 1;
}

/* Whether such a storm of that kind may go there. */
static enum ls_code check_storm(struct outside *outside, struct kind *kind, double per_s,
                                double seconds, struct ls_error *err)
{
    const struct calibration *calibration = outside->calibration;
    struct ls_scenario one;
    struct ls_wave wave;
    struct ls_schedule *schedule;
    enum ls_code code;

    calibrate_steady(&one, &wave, &kind->population, calibration->scenario, kind->certificate,
                     per_s, seconds);
    code = ls_schedule_build(&schedule, &one, err);
    if (code == LS_OK) {
        code = ls_storm_check(&one, calibration->injectors, err);
        if (code == LS_OK) {
            code = ls_storm_target(&outside->target, &one, schedule, calibration->injectors,
                                   calibration->options->allow_outside, err);
        }
        ls_schedule_free(schedule);
    }
    return code;
}

#define CALM_HANDSHAKES 1000

/* The caps hold for all of it: for the densest step, and for one storm as long as all steps together (of a few users: how many
 * come is the densest step's matter). */
static enum ls_code check_target(struct outside *outside, struct ls_error *err)
{
    const struct calibration *calibration = outside->calibration;
    const double all_s = outside->seconds * most_steps(outside) * (double)calibration->kinds_count;
    enum ls_code code = LS_OK;

    for (size_t k = 0; code == LS_OK && k < calibration->kinds_count; k++) {
        struct kind *kind = &calibration->kinds[k];

        code = check_storm(outside, kind, outside->rates[outside->rates_count - 1],
                           outside->seconds, err);
        if (code == LS_OK) {
            code = check_storm(outside, kind, CALM_HANDSHAKES / all_s, all_s, err);
        }
    }
    return code;
}

/* Of which kind each certificate's key is, without which nobody could use its cost. */
static enum ls_code find_keys(struct outside *outside, struct ls_error *err)
{
    const struct calibration *calibration = outside->calibration;

    for (size_t k = 0; k < calibration->kinds_count; k++) {
        const size_t c = calibration->kinds[k].certificate;
        const struct ls_certificate *certificate = &calibration->scenario->certificates[c];

        outside->sides[k].key = outside->shown[c].key[0] != '\0'  ? outside->shown[c].key
                                : certificate->key != LS_KEY_FILE ? ls_key_name(certificate->key)
                                                                  : NULL;
        if (outside->sides[k].key == NULL) {
            return ls_error_set(err, LS_EINPUT,
                                "certificates: of which kind the key of %.100s is was not seen; "
                                "leave first_look on, or write it: [{name: ours, key: rsa-2048}]",
                                certificate->name);
        }
    }
    return LS_OK;
}

static enum ls_code check_wish(const struct calibration *calibration, struct ls_error *err)
{
    const enum ls_cpu_source from = calibration->scenario->gateway.cpu_from;

    if (from == LS_CPU_NONE || from == LS_CPU_EMBEDDED) {
        return ls_error_set(
            err, LS_EINPUT,
            "gateway.cpu: what a handshake costs %.200s is told by its CPU: say where that "
            "is read, like cpu: {from: process, process: nginx} under gateway (or "
            "measure a gateway of loginstorm's own: --set gateway.target=embedded)",
            calibration->scenario->gateway.target);
    }
    if (calibration->options->out == NULL) {
        return ls_error_set(err, LS_EUSAGE,
                            "--out: where does the profile go? It is not this host's, so it has no "
                            "place of its own: -o FILE");
    }
    return LS_OK;
}

static enum ls_code look(struct outside *outside, struct ls_error *err)
{
    const struct ls_scenario *scenario = outside->calibration->scenario;

    outside->shown = calloc(scenario->certificates_count + 1, sizeof *outside->shown);
    outside->sides = calloc(outside->calibration->kinds_count + 1, sizeof *outside->sides);
    if (outside->shown == NULL || outside->sides == NULL) {
        return ls_error_set(err, LS_ENOMEM, "no memory for a calibration");
    }
    return ls_storm_look(outside->shown, scenario, &outside->target, 1, err);
}

/* All that can be refused is, before anybody comes. */
static enum ls_code prepare(struct outside *outside, struct ls_error *err)
{
    struct calibration *calibration = outside->calibration;
    const struct options *options = calibration->options;
    enum ls_code code = check_wish(calibration, err);

    calibration->injectors = options->calibrators >= 0 ? options->calibrators : 1;
    for (size_t i = 0; i < LS_SPEED_KEYS; i++) {
        calibration->openssl.sign_per_s[i] = -1;
    }
    if (code == LS_OK) {
        code = outside_plan(outside, err);
    }
    if (code == LS_OK) {
        code = calibrate_kinds(calibration, err);
    }
    if (code == LS_OK) {
        code = check_target(outside, err);
    }
    if (code == LS_OK) {
        code = calibrate_must_be_writable(calibration, err);
    }
    if (code == LS_OK && options->openssl_speed != NULL) {
        code = ls_openssl_speed_load(&calibration->openssl, options->openssl_speed, err);
    }
    if (code == LS_OK) {
        code = ls_tls_start(err);
    }
    if (code == LS_OK) {
        code = look(outside, err);
    }
    return code == LS_OK ? find_keys(outside, err) : code;
}

static void tell_time(const struct outside *outside)
{
    const struct calibration *calibration = outside->calibration;
    const bool exporter = calibration->scenario->gateway.cpu_from == LS_CPU_EXPORTER;
    const double steps =
        ((double)outside->rates_count * outside->passes + 1) * (double)calibration->kinds_count;
    const double seconds = steps * (outside->seconds + (exporter ? AROUND_EXPORTER_S : AROUND_S));

    if (!calibration->options->quiet) {
        (void)fprintf(stderr,
                      "%s: %zu kind%s of handshake at %zu rates, up to %.4g a second, %d rounds: "
                      "about %.0f %s\n",
                      calibration->scenario->gateway.target, calibration->kinds_count,
                      calibration->kinds_count == 1 ? "" : "s", outside->rates_count,
                      outside->rates[outside->rates_count - 1], outside->passes,
                      seconds < 100 ? ceil(seconds / 5) * 5 : ceil(seconds / 60),
                      seconds < 100 ? "seconds" : "minutes");
    }
}

/* An early end: nothing of a line is known before all of its points are. */
static int end_early(const struct ls_error *why)
{
    const bool signalled = why->code == LS_EINTERRUPTED || why->code == LS_ETERMINATED;
    struct ls_error told = *why;

    (void)snprintf(told.text, sizeof told.text,
                   "%s%.360s; nothing is written, since a line wants all of its rates",
                   signalled ? "stopped by " : "", why->text);
    return print_error(&told);
}

static int refuse(const struct outside *outside)
{
    const struct calibration *calibration = outside->calibration;
    struct ls_error err;

    for (size_t k = 0; k < calibration->kinds_count; k++) {
        const struct ls_slope *slope = &outside->sides[k].slope;

        if (slope->refusals_count > 0) {
            (void)ls_error_set(&err, LS_EINVALID,
                               "%.160s: what it costs is not known, and nothing is written: %.240s",
                               calibration->kinds[k].name, slope->refusals[0]);
            return print_error(&err);
        }
    }
    return 0;
}

/* Shows what there is, and writes it where it holds. The exit status. */
static int finish(struct outside *outside, const struct ls_error *why)
{
    const struct options *options = outside->calibration->options;
    const bool to_stdout = strcmp(options->out, "-") == 0;
    FILE *out = to_stdout ? stderr : stdout;
    const bool holds = outside_judge(outside);
    struct ls_costs *costs = NULL;
    struct ls_error err;
    enum ls_code code;

    if (!options->quiet && outside->sides[0].count > 0) {
        outside_table(outside, why->code == LS_OK, out);
        (void)fflush(out);
    }
    if (why->code != LS_OK) {
        return end_early(why);
    }
    if (!holds) {
        return refuse(outside);
    }
    code = outside_costs(&costs, outside, &err);
    if (code == LS_OK) {
        code = calibrate_save(costs, options->out, &err);
    }
    if (code == LS_OK && !to_stdout) {
        (void)fprintf(out, "%s\n", options->out);
    }
    ls_costs_free(costs);
    return code == LS_OK ? 0 : print_error(&err);
}

int calibrate_outside(struct calibration *calibration)
{
    struct outside outside = {.calibration = calibration};
    struct ls_error err = {0};
    int status;

    if (prepare(&outside, &err) != LS_OK) {
        progress_end(&calibration->progress);
        status = print_error(&err);
    } else {
        tell_time(&outside);
        err.code = play_all(&outside, &err);
        status = finish(&outside, &err);
    }
    free(outside.shown);
    free(outside.sides);
    return status;
}
