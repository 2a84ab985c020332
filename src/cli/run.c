/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/folder.h"
#include "cli/host.h"
#include "cli/injectors.h"
#include "cli/print.h"
#include "cli/progress.h"
#include "cli/proof.h"
#include "cli/shard.h"
#include "cli/show.h"
#include "cli/stop.h"
#include "cli/told.h"
#include "cli/watch.h"
#include "loginstorm/schedule.h"
#include "loginstorm/storm.h"
#include "loginstorm/tls.h"
#include "loginstorm/units.h"

#define REPEAT_MAX 100
#define NOTHING "nothing was measured"

/* One `run`, from the loaded scenario to the report. */
struct run {
    const struct options *options;
    const struct ls_scenario *scenario;
    struct ls_schedule *schedule;
    struct ls_shard shard; /* which of the storm's; count 0: it is the whole storm */
    int64_t start_at_ns;   /* 0: when it is ready, or as told */
    bool is_told;          /* when to start, once it is ready */
    struct told told;
    struct ls_target target; /* of an outside gateway */
    struct ls_shown *shown;  /* by it, one a certificate */
    struct ls_result *result;
    struct folder folder;
    struct progress progress;
    struct watch watch;
};

static void on_step(const char *text, void *data)
{
    struct run *run = data;

    progress_step(&run->progress, text);
    watch_step(&run->watch, text);
}

static void on_view(const struct ls_storm_view *view, void *data)
{
    struct run *run = data;

    progress_view(&run->progress, view);
    watch_view(&run->watch, view);
}

static size_t runs_wanted(const struct run *run)
{
    return run->scenario->certificates_count * (size_t)run->options->repeat;
}

/* After each certificate everything is on disk, marked as partial until the last one is there. */
static enum ls_code on_measured(const struct ls_measurement *measurement, void *data,
                                struct ls_error *err)
{
    struct run *run = data;
    struct ls_result *result = run->result;
    struct ls_run *row = &result->runs[result->runs_count];
    const bool first = result->runs_count == 0;
    enum ls_code code = ls_run_build(row, measurement, err);

    if (code != LS_OK) {
        return code;
    }
    if (first && measurement->partial && row->logged_in + row->failed == 0) {
        ls_run_clear(row); /* nobody was decided: nothing to give an older result up for */
        return LS_OK;
    }
    result->runs_count++;
    code = host_add_notes(result, measurement, runs_wanted(run) > 1, run->options->repeat > 1, err);
    if (code != LS_OK) {
        return code;
    }
    result->partial = measurement->partial || result->runs_count < runs_wanted(run);
    code = folder_add_run(&run->folder, run->scenario, measurement, row, first, err);
    return code == LS_OK ? folder_save_result(&run->folder, result, err) : code;
}

/* What a stored result would else keep quiet about. */
static enum ls_code note_unplayed(struct run *run, struct ls_error *err)
{
    const size_t certificates = run->scenario->certificates_count;
    struct ls_result *result = run->result;
    size_t used = 0;
    char text[512], note[640];

    if (result->runs_count == runs_wanted(run)) {
        return LS_OK;
    }
    for (size_t i = result->runs_count; i < certificates && used < sizeof text; i++) {
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", used > 0 ? ", " : "",
                                 run->scenario->certificates[i].name);
    }
    (void)snprintf(note, sizeof note, "%zu of %zu runs were not played%s%s",
                   runs_wanted(run) - result->runs_count, runs_wanted(run),
                   used > 0 ? "; of these certificates none was: " : "", used > 0 ? text : "");
    return host_add_note(result, note, err);
}

/* What the launcher said, of the clock here, too. */
static enum ls_code on_told(struct ls_storm_start *start, void *data, struct ls_error *err)
{
    struct run *run = data;
    struct ls_shard *shard = &run->result->shard;
    const enum ls_code code = told_read(&run->told, STDIN_FILENO, err);

    *start = run->told.start;
    if (code == LS_OK && start->at_ns > 0 && run->told.said.is_measured) {
        const int64_t ahead_ns = run->told.said.ahead_ns;

        shard->clock_ahead_ns = ahead_ns >= 0 ? ahead_ns : LS_NEVER_NS;
        shard->clock_behind_ns = ahead_ns < 0 ? -ahead_ns : LS_NEVER_NS;
        shard->clock_error_ns = run->told.said.error_ns;
    }
    return code;
}

/* A storm listens to signals itself, and leaves nobody who does. */
static void listen_again(const struct run *run)
{
    char words[sizeof run->folder.path + 64];

    (void)snprintf(words, sizeof words, "what was measured until then is in %s", run->folder.path);
    stop_at_once(run->result->runs_count > 0 ? words : NOTHING);
}

static enum ls_code storm(struct run *run, struct ls_error *err)
{
    const struct ls_storm_wish wish = {
        .scenario = run->scenario,
        .schedule = run->schedule,
        .target = &run->target,
        .shown = run->shown,
        .program = "/proc/self/exe",
        .injectors = run->options->injectors,
        .shard = run->shard.count > 0 ? run->shard.index - 1 : 0,
        .shards = run->shard.count,
        .start_at_ns = run->start_at_ns,
        .told = run->is_told ? on_told : NULL,
        .repeat = run->options->repeat,
        .step = on_step,
        .view = on_view,
        .measured = on_measured,
        .data = run,
    };
    struct ls_error later;
    enum ls_code code = ls_storm_run(&wish, err);
    const bool whole = code == LS_OK;

    listen_again(run);
    if (whole && run->options->counter_proof) {
        code = proof_play(run->result, run->scenario, &run->target, on_step, run, err);
    }
    progress_end(&run->progress);
    if (run->result->runs_count > 0) {
        enum ls_code more;

        run->result->partial = !whole;
        more = note_unplayed(run, &later);
        if (more == LS_OK) {
            more = host_add_targets(run->result, &run->scenario->targets, &later);
        }
        if (more == LS_OK) {
            more = host_compare(run->result, &later);
        }
        if (more == LS_OK) {
            more = folder_save_result(&run->folder, run->result, &later);
        }
        if (more == LS_OK && whole) {
            more = folder_finish(&run->folder, &later);
        }
        if (more == LS_OK) {
            more = show_metrics(run->result, run->options, &later);
        }
        if (code == LS_OK && more != LS_OK) {
            *err = later;
            code = more;
        }
    }
    return code;
}

/* Adds to why it ended before its time where what was measured until then lies. */
static void tell_early_end(const struct run *run, struct ls_error *why)
{
    const bool signalled = why->code == LS_EINTERRUPTED || why->code == LS_ETERMINATED;
    const bool measured = run->result->runs_count > 0;
    const struct ls_error err = *why; /* with its place, should it have one */
    const size_t missing = runs_wanted(run) - run->result->runs_count;
    const bool older = measured && run->folder.whole[0] != '\0';
    char unplayed[64] = "";

    if (measured && missing > 0) {
        (void)snprintf(unplayed, sizeof unplayed, "; %zu of %zu %s %s not played", missing,
                       runs_wanted(run), run->options->repeat > 1 ? "runs" : "certificates",
                       missing == 1 ? "was" : "were");
    }
    (void)snprintf(why->text, sizeof why->text, "%s%.300s; %s%s%s%s%s",
                   signalled ? "stopped by " : "", err.text,
                   measured ? "what was measured until then is in " : NOTHING,
                   measured ? run->folder.path : "", unplayed,
                   older ? "; the earlier result stays in " : "", older ? run->folder.whole : "");
}

/* Where the storm goes, and what is there. */
static enum ls_code note_outside(struct run *run, struct ls_error *err)
{
    const struct ls_scenario *scenario = run->scenario;
    char text[1024];
    enum ls_code code;

    ls_storm_target_text(&run->target, scenario, text, sizeof text);
    code = host_add_note(run->result, text, err);
    for (size_t i = 0; code == LS_OK && i < scenario->certificates_count; i++) {
        if (run->shown[i].chain_length > 0) {
            ls_storm_look_text(&run->shown[i], scenario->certificates[i].name, text, sizeof text);
            code = host_add_note(run->result, text, err);
        }
    }
    return code;
}

/* A certificate that is soon over is one to talk about now. */
static void warn_of_dates(struct run *run)
{
    char text[300];

    for (size_t i = 0; i < run->scenario->certificates_count; i++) {
        if (run->shown[i].chain_length > 0 && run->shown[i].days_left < LS_LOOK_DAYS_FEW) {
            const int length = snprintf(text, sizeof text, "warning: ");

            ls_storm_look_text(&run->shown[i], run->scenario->certificates[i].name, text + length,
                               sizeof text - (size_t)length);
            progress_step(&run->progress, text);
        }
    }
}

/* Before the storm one user of each kind knocks. */
static enum ls_code look(struct run *run, struct ls_error *err)
{
    run->shown = calloc(run->scenario->certificates_count + 1, sizeof *run->shown);
    if (run->shown == NULL) {
        return ls_error_set(err, LS_ENOMEM, "no memory for %zu certificates",
                            run->scenario->certificates_count);
    }
    return ls_storm_look(run->shown, run->scenario, &run->target, run->shard.count, err);
}

static const char *get_variable(const char *name)
{
    return getenv(name);
}

/* Which part of the storm, and from when on. Who says when says it for a storm of one shard, too. */
static enum ls_code read_shard(struct run *run, struct ls_error *err)
{
    const struct options *options = run->options;
    enum ls_code code = LS_OK;

    if (options->shard != NULL || options->start_at != NULL) {
        code = shard_parse(&run->shard, options->shard != NULL ? options->shard : "1/1",
                           get_variable, err);
        shard_of_host(&run->shard);
    }
    run->is_told = options->start_at != NULL && strcmp(options->start_at, "-") == 0;
    if (code == LS_OK && run->is_told && strcmp(options->operand, "-") == 0) {
        code = ls_error_set(err, LS_EUSAGE, "--start-at -: standard input is the scenario already");
    }
    if (code == LS_OK && options->start_at != NULL && !run->is_told) {
        code = shard_start(&run->start_at_ns, options->start_at, ls_wall_ns(), err);
    }
    if (code == LS_OK && run->shard.count > 1 && options->counter_proof) {
        code = ls_error_set(err, LS_EUSAGE,
                            "--counter-proof: its ten users come once, not once for each shard");
    }
    if (code == LS_OK && run->shard.count > 1 && run->scenario->seed_drawn) {
        code = ls_error_set(err, LS_EINPUT,
                            "each of %d shards would draw a seed of its own, and so other users: "
                            "write seed: N into the scenario, or give all of them the same --seed "
                            "N",
                            run->shard.count);
    }
    return code;
}

/* A launcher gives all shards the same words, so that each makes a folder of its own in there. */
static const char *own_folder(const struct run *run, char *path, size_t size)
{
    char name[32];

    if (run->options->out == NULL || run->shard.count <= 1 ||
        strcmp(run->options->shard, "auto") != 0) {
        return run->options->out;
    }
    shard_name(&run->shard, name, sizeof name);
    (void)snprintf(path, size, "%s/%s", run->options->out, name);
    return path;
}

/* Beside who ran where: every report of it begins with that. */
static enum ls_code place_shard(struct run *run, struct ls_error *err)
{
    char *placement = NULL;

    if (asprintf(&placement, "%s · shard %d of %d", run->result->placement, run->shard.index,
                 run->shard.count) < 0) {
        return ls_error_set(err, LS_ENOMEM, "no memory for the result");
    }
    free(run->result->placement);
    run->result->placement = placement;
    return LS_OK;
}

/* What a reader of one shard's figures must know. */
static enum ls_code note_shard(struct run *run, struct ls_error *err)
{
    char text[400], users[32];
    const struct ls_share share = {
        .first = (size_t)(run->shard.index - 1) * (size_t)run->options->injectors,
        .count = (size_t)run->options->injectors,
        .of = (size_t)run->shard.count * (size_t)run->options->injectors,
    };
    enum ls_code code = LS_OK;

    run->result->shard = run->shard;
    if (run->shard.count > 1) {
        ls_format_count((int64_t)ls_share_rows(&share, run->schedule->count), users, sizeof users);
        (void)snprintf(
            text, sizeof text,
            "this is shard %d of %d: %s of the users; the latencies are theirs alone, the load and "
            "the gateway's CPU are those of the whole storm, and `loginstorm merge` makes one "
            "result of all "
            "shards",
            run->shard.index, run->shard.count, users);
        code = host_add_note(run->result, text, err);
    }
    if (code == LS_OK && run->shard.count > 1) {
        code = place_shard(run, err);
    }
    if (code == LS_OK && run->shard.count > 1 && run->start_at_ns == 0 && !run->is_told) {
        code =
            host_add_note(run->result,
                          "without --start-at it started when it was ready, and so did the other "
                          "shards",
                          err);
    }
    return code;
}

/* What it will want and does not have is better known now than by the verdict. */
static void warn_of_limits(const struct run *run)
{
    struct advice advice;

    advise(&advice, run->scenario, run->schedule, &run->target);
    advice_warn(&advice, run->options->injectors, run->shard.count > 0 ? run->shard.count : 1);
}

/* Everything that can be refused is, before a folder is made or a process started. */
static enum ls_code prepare(struct run *run, struct ls_error *err)
{
    const struct options *options = run->options;
    char own[4096];
    enum ls_code code = ls_storm_check(run->scenario, options->injectors, err);

    if (code == LS_OK && (options->repeat < 1 || options->repeat > REPEAT_MAX)) {
        code = ls_error_set(err, LS_EUSAGE, "--repeat: %d is out of range (1 to %d)",
                            options->repeat, REPEAT_MAX);
    }
    if (code == LS_OK) {
        code = read_shard(run, err);
    }
    if (code == LS_OK) {
        code = ls_schedule_build(&run->schedule, run->scenario, err);
    }
    if (code == LS_OK) {
        code = ls_storm_check_shards(run->scenario, run->schedule, options->injectors,
                                     run->shard.count, err);
    }
    if (code == LS_OK) {
        code = show_check_metrics(options, err);
    }
    if (code == LS_OK) {
        code = ls_storm_target(&run->target, run->scenario, run->schedule,
                               options->injectors * (run->shard.count > 0 ? run->shard.count : 1),
                               options->allow_outside, err);
    }
    if (code == LS_OK) {
        code = ls_tls_start(err);
    }
    if (code == LS_OK && !options->quiet) {
        warn_of_limits(run);
    }
    if (code == LS_OK) {
        code = look(run, err);
    }
    if (code == LS_OK) {
        code = host_result_new(&run->result, run->scenario, run->schedule, options->injectors,
                               options->repeat, err);
    }
    if (code == LS_OK && !run->scenario->gateway.embedded) {
        code = note_outside(run, err);
    }
    if (code == LS_OK) {
        code = note_shard(run, err);
    }
    if (code == LS_OK) {
        code = progress_init(&run->progress, options, run->scenario, run->schedule, err);
    }
    if (code == LS_OK) {
        code = watch_open(&run->watch, options, run->scenario, run->schedule, run->result, err);
    }
    if (code == LS_OK) {
        code = folder_create(&run->folder, own_folder(run, own, sizeof own), CLAIM_RUN, &run->shard,
                             run->scenario, err);
    }
    return code;
}

/* The live page turns into the report, where there is one. */
static void leave_page(struct run *run, const struct ls_error *why)
{
    char report[sizeof run->folder.path + sizeof "/report.html"];

    (void)snprintf(report, sizeof report, "%s/report.html", run->folder.path);
    (void)fflush(stdout);
    watch_end(&run->watch, run->result->runs_count > 0 ? report : NULL, why);
}

static int play(struct run *run)
{
    struct ls_error err;
    enum ls_code code;
    int status = show_heading(run->result, run->options);

    warn_of_dates(run);
    code = storm(run, &err);
    if (run->result->runs_count > 0) {
        status = run->options->format == FORMAT_HGRM
                     ? show_curves(run->folder.path, run->result, run->options)
                     : show_result(run->result, run->options);
        folder_tell(&run->folder, run->options);
    }
    if (code != LS_OK) {
        tell_early_end(run, &err);
        status = print_error(&err);
    } else if (status == 0) {
        status = status_of_result(run->result);
    }
    leave_page(run, code == LS_OK ? NULL : &err);
    return status;
}

int command_run(const struct options *options)
{
    struct run run = {.options = options};
    struct ls_scenario *scenario;
    struct ls_error err;
    int status;

    stop_at_once(NOTHING);
    status = load_scenario(&scenario, options);
    if (status != 0) {
        return status;
    }
    run.scenario = scenario;
    if (prepare(&run, &err) != LS_OK) {
        status = print_error(&err);
        watch_end(&run.watch, NULL, &err);
    } else {
        status = play(&run);
    }
    folder_leave(&run.folder);
    progress_clear(&run.progress);
    free(run.shown);
    ls_result_free(run.result);
    ls_schedule_free(run.schedule);
    ls_scenario_free(scenario);
    ls_tls_stop();
    return status;
}
