/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/calibrate.h"

#include <math.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "cli/costs_here.h"
#include "cli/openssl.h"
#include "cli/print.h"
#include "cli/stop.h"
#include "loginstorm/file.h"
#include "loginstorm/json.h"
#include "loginstorm/units.h"

#define ROUNDS 3
#define ROUNDS_MAX 100
#define INJECTORS_MOST 3
#define LINE_NS (10 * LS_NS_PER_S)

void help_calibrate(FILE *out)
{
    (void)fprintf(
        out,
        "\nWithout a scenario: RSA 4096, ECDSA P-256 and ECDSA P-384. With one: its "
        "certificates, each with every TLS wish\nof its populations, full and (where they "
        "resume) by ticket. Each at up to four loads, from 20 handshakes a second\nto nine "
        "tenths of a core: a handshake costs an idle gateway more than a busy one.\n\n"
        "The profile goes to $XDG_CACHE_HOME/loginstorm/costs.json (or ~/.cache/...) and "
        "replaces the one there.\n"
        "Ctrl-C keeps what was measured. What is invalid even at a second try is left out, "
        "and the exit status is 98.\nIn both cases the profile goes beside that place, as "
        "costs.partial.json.\n\n"
        "A scenario with gateway.target: HOST:PORT and gateway.cpu: that gateway's own cost, "
        "by regression. At four or\nmore steady rates (--rates; by default a tenth, a quarter, "
        "a half, three quarters and all of the scenario's fullest\nsecond, as `run` would play "
        "it), up and down again (--rounds 2, 4, ...), each for --seconds, users log in, send "
        "their\nrequest and go. The slope of its CPU over the handshakes that came through is "
        "a handshake's cost, with a 95 %%\ninterval; what it takes with nobody coming is apart. "
        "All that `run` holds to there holds here (allow, --allow-outside,\ncaps, the first "
        "look). -o FILE must be given. Where the points are no line, for any of the "
        "certificates, they are shown\nwith the reason, nothing is written, and the exit "
        "status is 98. --openssl-speed: what was printed on its host.\n");
}

void calibrate_tell(struct calibration *calibration, const char *text)
{
    progress_step(&calibration->progress, text);
}

/* On a terminal each storm has its line, which the next one takes; elsewhere a line a round, and one where ten
 * seconds are over. */
static void tell_storm(struct calibration *calibration, const char *round, const struct kind *kind,
                       const struct load *load)
{
    char text[256];

    if (calibration->progress.is_terminal ||
        ls_now_ns() - calibration->progress.shown_ns >= LINE_NS) {
        (void)snprintf(text, sizeof text, "%s: %s, %.4g handshakes a second", round, kind->name,
                       load == NULL ? 20 : load->per_s);
        calibrate_tell(calibration, text);
    }
}

static enum ls_code probe_all(struct calibration *calibration, struct ls_error *err)
{
    enum ls_code code = LS_OK;

    calibrate_tell(calibration, "finding out what a core carries");
    for (size_t k = 0; code == LS_OK && k < calibration->kinds_count; k++) {
        struct kind *kind = &calibration->kinds[k];

        tell_storm(calibration, "a first look", kind, NULL);
        code = calibrate_probe(calibration, kind, err);
        if (code == LS_EINVALID) {
            calibration->failed = true; /* the others are worth it all the same */
            code = LS_OK;
        }
    }
    return code;
}

static enum ls_code one_round(struct calibration *calibration, const char *name, bool only_missing,
                              struct ls_error *err)
{
    enum ls_code code = LS_OK;

    for (size_t k = 0; code == LS_OK && k < calibration->kinds_count; k++) {
        struct kind *kind = &calibration->kinds[k];

        for (size_t i = 0; code == LS_OK && i < LOADS; i++) {
            struct load *load = &kind->loads[i];

            if (load->per_s > 0 && !(only_missing && calibrate_has(load))) {
                tell_storm(calibration, name, kind, load);
                code = calibrate_round(calibration, kind, load, err);
            }
        }
    }
    return code;
}

static bool all_have(const struct calibration *calibration)
{
    for (size_t k = 0; k < calibration->kinds_count; k++) {
        for (size_t i = 0; i < LOADS; i++) {
            const struct load *load = &calibration->kinds[k].loads[i];

            if (load->per_s > 0 && !calibrate_has(load)) {
                return false;
            }
        }
    }
    return true;
}

/* Rounds of everything in turn, so that what drifts meets all alike; what no round of could be trusted once more. */
static enum ls_code play_all(struct calibration *calibration, struct ls_error *err)
{
    enum ls_code code = calibrate_pauses(calibration, err);
    char name[64];

    if (code == LS_OK && calibration->pauses_per_s < 0) {
        calibrate_tell(calibration,
                       "something else runs on this host: its own pauses cannot be told from that");
    }
    if (code == LS_OK) {
        code = probe_all(calibration, err);
    }
    for (int round = 1; code == LS_OK && round <= calibration->rounds; round++) {
        (void)snprintf(name, sizeof name, "round %d of %d", round, calibration->rounds);
        if (!calibration->progress.is_terminal) {
            calibrate_tell(calibration, name);
        }
        code = one_round(calibration, name, false, err);
    }
    if (code == LS_OK && !all_have(calibration)) {
        if (!calibration->progress.is_terminal) {
            calibrate_tell(calibration, "once more what was invalid");
        }
        code = one_round(calibration, "once more", true, err);
    }
    return code;
}

void calibrate_hold_signals(void)
{
    sigset_t set;

    (void)sigemptyset(&set);
    (void)sigaddset(&set, SIGINT);
    (void)sigaddset(&set, SIGTERM);
    (void)sigprocmask(SIG_BLOCK, &set, NULL);
}

static enum ls_code play_undisturbed(struct calibration *calibration, struct ls_error *err)
{
    enum ls_code code;

    calibrate_hold_signals();
    code = play_all(calibration, err);
    progress_end(&calibration->progress);
    return code;
}

static enum ls_code find_speed(struct calibration *calibration, struct ls_error *err)
{
    bool wanted[LS_SPEED_KEYS] = {false};
    const struct options *options = calibration->options;

    for (size_t i = 0; i < LS_SPEED_KEYS; i++) {
        calibration->openssl.sign_per_s[i] = -1;
        for (size_t c = 0; c < calibration->scenario->certificates_count; c++) {
            wanted[i] =
                wanted[i] || strcmp(calibration->identities[c]->key, ls_openssl_speed_key(i)) == 0;
        }
    }
    if (options->openssl_speed != NULL) {
        return ls_openssl_speed_load(&calibration->openssl, options->openssl_speed, err);
    }
    if (options->quick) {
        return LS_OK;
    }
    calibrate_tell(calibration, "openssl speed, for a translation to other CPUs");
    return openssl_run(&calibration->openssl, wanted,
                       calibration->scenario->gateway.cores_count > 0
                           ? calibration->scenario->gateway.cores[0]
                           : -1,
                       err);
}

/* Where it goes; a profile that is not whole does not take the place of this host's. */
static enum ls_code place_of(const struct calibration *calibration, bool partial, char *out,
                             size_t size, struct ls_error *err)
{
    static const char ending[] = ".partial.json";
    enum ls_code code;

    if (calibration->options->out != NULL) {
        return snprintf(out, size, "%s", calibration->options->out) < (int)size
                   ? LS_OK
                   : ls_error_set(err, LS_ECREATE, "--out: the name is too long");
    }
    code = ls_costs_here_path(out, size - sizeof ending, err);
    if (code == LS_OK) {
        code = ls_costs_here_folder(err);
    }
    if (code == LS_OK && partial) {
        (void)snprintf(out + strlen(out) - strlen(".json"), sizeof ending, "%s", ending);
    }
    return code;
}

/* Before a minute is spent on what can then not be kept. */
enum ls_code calibrate_must_be_writable(const struct calibration *calibration, struct ls_error *err)
{
    const struct options *options = calibration->options;
    const char *const read[] = {options->operand, options->openssl_speed};
    struct ls_file file;
    char path[4096];
    enum ls_code code = place_of(calibration, false, path, sizeof path, err);

    for (size_t i = 0; i < 2 && code == LS_OK; i++) {
        if (read[i] != NULL && ls_file_is_same(path, read[i])) {
            code = ls_error_set(err, LS_EUSAGE,
                                "--out: %s is read here, and the profile would take its place: "
                                "give the profile another name",
                                path);
        }
    }
    if (code == LS_OK && strcmp(path, "-") != 0) {
        code = ls_file_create(&file, path, err);
        if (code == LS_OK) {
            ls_file_abort(&file);
        }
    }
    return code;
}

static void on_step(const char *text, void *data)
{
    calibrate_tell(data, text);
}

static int injectors_that_fit(void)
{
    cpu_set_t usable;
    int cores = 1;

    CPU_ZERO(&usable);
    if (sched_getaffinity(0, sizeof usable, &usable) == 0) {
        cores = CPU_COUNT(&usable);
    }
    return cores - 1 < 1 ? 1 : cores - 1 > INJECTORS_MOST ? INJECTORS_MOST : cores - 1;
}

static enum ls_code prepare(struct calibration *calibration, struct ls_error *err)
{
    const struct options *options = calibration->options;
    const struct ls_storm_wish wish = {
        .scenario = calibration->scenario, .step = on_step, .data = calibration};
    enum ls_code code;

    calibration->rounds = options->quick ? 1 : ROUNDS;
    if (options->rounds >= 0) {
        calibration->rounds = options->rounds;
    }
    if (calibration->rounds < 1 || calibration->rounds > ROUNDS_MAX) {
        return ls_error_set(err, LS_EUSAGE, "--rounds: %d is out of range (1 to %d)",
                            calibration->rounds, ROUNDS_MAX);
    }
    calibration->injectors =
        options->calibrators >= 0 ? options->calibrators : injectors_that_fit();
    if (options->rates != NULL || options->seconds >= 0) {
        return ls_error_set(err, LS_EUSAGE,
                            "--%s: only for a gateway that is not ours (gateway.target: HOST:PORT)",
                            options->rates != NULL ? "rates" : "seconds");
    }
    code = ls_storm_check(calibration->scenario, calibration->injectors, err);
    if (code == LS_OK) {
        code = calibrate_must_be_writable(calibration, err);
    }
    if (code == LS_OK) {
        code = ls_tls_start(err);
    }
    if (code == LS_OK) {
        code = calibrate_kinds(calibration, err);
    }
    if (code == LS_OK) {
        calibration->identities =
            calloc(calibration->scenario->certificates_count, sizeof(struct ls_identity *));
        if (calibration->identities == NULL) {
            return ls_error_set(err, LS_ENOMEM, "no memory for a calibration");
        }
        code = ls_storm_identities(&wish, calibration->identities, err);
    }
    return code == LS_OK ? find_speed(calibration, err) : code;
}

static void tell_time(struct calibration *calibration)
{
    const double seconds = calibrate_seconds(calibration);
    char text[160];

    (void)snprintf(text, sizeof text, "%zu kind%s of handshake, %d round%s: about %.0f %s",
                   calibration->kinds_count, calibration->kinds_count == 1 ? "" : "s",
                   calibration->rounds, calibration->rounds == 1 ? "" : "s",
                   seconds < 100 ? ceil(seconds / 5) * 5 : ceil(seconds / 60),
                   seconds < 100 ? "seconds" : "minutes");
    if (!calibration->options->quiet) {
        progress_end(&calibration->progress);
        (void)fprintf(stderr, "%s\n", text);
    }
}

enum ls_code calibrate_save(const struct ls_costs *costs, const char *path, struct ls_error *err)
{
    json_t *root;
    enum ls_code code = ls_costs_to_json(costs, &root, err);

    if (code == LS_OK) {
        code = strcmp(path, "-") == 0 ? ls_json_write(root, stdout, err)
                                      : ls_json_save(root, path, err);
        json_decref(root);
    }
    return code;
}

/* Writes and shows what there is; why: of an early end, or LS_OK. The exit status. */
static int finish(struct calibration *calibration, const struct ls_error *why)
{
    struct ls_costs *costs;
    struct ls_error err;
    char path[4096];
    enum ls_code code = calibrate_costs(&costs, calibration, &err);
    const bool to_stdout =
        calibration->options->out != NULL && strcmp(calibration->options->out, "-") == 0;
    FILE *out = to_stdout ? stderr : stdout;
    int status = 0;

    if (code == LS_OK) {
        if (!calibration->options->quiet) {
            calibrate_table(calibration, costs, out);
        }
        code = place_of(calibration, why->code != LS_OK || calibration->failed, path, sizeof path,
                        &err);
    }
    if (code == LS_OK) {
        code = calibrate_save(costs, path, &err);
    }
    if (code == LS_OK && !to_stdout) {
        (void)fprintf(out, "%s\n", path);
    }
    ls_costs_free(costs);
    if (why->code != LS_OK) {
        struct ls_error told = *why;

        (void)snprintf(told.text, sizeof told.text, "%s%.300s; %s",
                       why->code == LS_EINTERRUPTED || why->code == LS_ETERMINATED ? "stopped by "
                                                                                   : "",
                       why->text,
                       code == LS_OK ? "what was measured until then is kept"
                                     : "nothing that was measured until then can be used");
        return print_error(&told);
    }
    if (code != LS_OK) {
        for (size_t k = 0; code == LS_EINVALID && k < calibration->kinds_count; k++) {
            calibrate_reasons(&calibration->kinds[k], stderr);
        }
        return print_error(&err);
    }
    if (calibration->failed) {
        (void)ls_error_set(&err, LS_EINVALID,
                           "some of it is invalid and left out; calibrate again when the machine "
                           "has nothing else to do");
        status = print_error(&err);
    }
    return status;
}

int command_calibrate(const struct options *options)
{
    struct calibration calibration = {
        .options = options,
        .progress = {.silent = options->quiet, .is_terminal = redraws(stderr)},
    };
    struct ls_error err = {0};
    int status;

    stop_at_once("nothing was measured");
    status = calibrate_load(&calibration);
    if (status == 0 && !calibration.scenario->gateway.embedded) {
        status = calibrate_outside(&calibration);
    } else if (status == 0) {
        if (prepare(&calibration, &err) != LS_OK) {
            progress_end(&calibration.progress);
            status = print_error(&err);
        } else {
            tell_time(&calibration);
            err.code = play_undisturbed(&calibration, &err);
            status = finish(&calibration, &err);
        }
    }
    calibrate_clear(&calibration);
    ls_tls_stop();
    return status;
}
