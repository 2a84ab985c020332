/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/folder.h"
#include "cli/host.h"
#include "cli/print.h"
#include "cli/progress.h"
#include "cli/show.h"
#include "loginstorm/schedule.h"
#include "loginstorm/storm.h"
#include "loginstorm/tls.h"

/* One `run`, from the loaded scenario to the report. */
struct run {
    const struct options *options;
    const struct ls_scenario *scenario;
    struct ls_schedule *schedule;
    struct ls_result *result;
    struct folder folder;
    struct progress progress;
};

static void on_step(const char *text, void *data)
{
    struct run *run = data;

    progress_step(&run->progress, text);
}

static void on_view(const struct ls_storm_view *view, void *data)
{
    struct run *run = data;

    progress_view(&run->progress, view);
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
    result->runs_count++;
    result->partial =
        measurement->partial || result->runs_count < run->scenario->certificates_count;
    code = folder_add_run(&run->folder, run->scenario, measurement, row, first, err);
    return code == LS_OK ? folder_save_result(&run->folder, result, err) : code;
}

static enum ls_code add_targets(struct ls_result *result, const struct ls_targets *targets,
                                struct ls_error *err)
{
    const struct {
        const char *name;
        int64_t limit; /* ns, or millionths */
    } rows[] = {
        {"login_p50", targets->login_p50_ns},
        {"login_p95", targets->login_p95_ns},
        {"login_p99", targets->login_p99_ns},
        {"login_p100", targets->login_p100_ns},
        {"failed", targets->failed_share < 0 ? -1 : (int64_t)(targets->failed_share * 1e6 + 0.5)},
        {"gateway_cpu_peak", targets->gateway_cpu_peak_share < 0
                                 ? -1
                                 : (int64_t)(targets->gateway_cpu_peak_share * 1e6 + 0.5)},
    };
    enum ls_code code = LS_OK;

    for (size_t i = 0; code == LS_OK && i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].limit >= 0) {
            code = ls_result_add_target(result, rows[i].name, rows[i].limit, err);
        }
    }
    return code;
}

static enum ls_code storm(struct run *run, struct ls_error *err)
{
    const struct ls_storm_wish wish = {
        .scenario = run->scenario,
        .schedule = run->schedule,
        .program = "/proc/self/exe",
        .injectors = run->options->injectors,
        .step = on_step,
        .view = on_view,
        .measured = on_measured,
        .data = run,
    };
    struct ls_error later;
    enum ls_code code = ls_storm_run(&wish, err);

    progress_end(&run->progress);
    if (run->result->runs_count > 0) {
        enum ls_code more = add_targets(run->result, &run->scenario->targets, &later);

        run->result->partial = code != LS_OK;
        if (more == LS_OK) {
            more = folder_save_result(&run->folder, run->result, &later);
        }
        if (code == LS_OK && more != LS_OK) {
            *err = later;
            code = more;
        }
    }
    return code;
}

static void tell_where(const struct run *run)
{
    FILE *out = run->options->format == FORMAT_TEXT ? stdout : stderr;

    if (!run->options->quiet) {
        (void)fprintf(out, "%s/result.json\n", run->folder.path);
    }
}

/* Why it ended before its time, and where what was measured until then lies. */
static int print_early_end(const struct run *run, const struct ls_error *why)
{
    const bool signalled = why->code == LS_EINTERRUPTED || why->code == LS_ETERMINATED;
    const bool measured = run->result->runs_count > 0;
    struct ls_error err = *why; /* with its place, should it have one */
    const size_t missing = run->scenario->certificates_count - run->result->runs_count;
    char unplayed[64] = "";

    if (measured && missing > 0) {
        (void)snprintf(unplayed, sizeof unplayed, "; %zu of %zu certificates %s not played",
                       missing, run->scenario->certificates_count, missing == 1 ? "was" : "were");
    }
    (void)snprintf(err.text, sizeof err.text, "%s%.300s; %s%s%s", signalled ? "stopped by " : "",
                   why->text,
                   measured ? "what was measured until then is in " : "nothing was measured",
                   measured ? run->folder.path : "", unplayed);
    return print_error(&err);
}

/* Everything that can be refused is, before a folder is made or a process started. */
static enum ls_code prepare(struct run *run, struct ls_error *err)
{
    const struct options *options = run->options;
    enum ls_code code = ls_storm_check(run->scenario, options->injectors, err);

    if (code == LS_OK) {
        code = ls_schedule_build(&run->schedule, run->scenario, err);
    }
    if (code == LS_OK) {
        code = ls_tls_start(err);
    }
    if (code == LS_OK) {
        code = host_result_new(&run->result, run->scenario, options->injectors, err);
    }
    if (code == LS_OK) {
        code = progress_init(&run->progress, options, run->scenario, run->schedule, err);
    }
    if (code == LS_OK) {
        code = folder_create(&run->folder, options->out, run->scenario, err);
    }
    return code;
}

static int play(struct run *run)
{
    struct ls_error err;
    enum ls_code code;
    int status = show_heading(run->result, run->options);

    code = storm(run, &err);
    if (run->result->runs_count > 0) {
        status = show_result(run->result, run->options);
        tell_where(run);
    }
    if (code != LS_OK) {
        return print_early_end(run, &err);
    }
    return status == 0 ? status_of_result(run->result) : status;
}

int command_run(const struct options *options)
{
    struct run run = {.options = options};
    struct ls_scenario *scenario;
    struct ls_error err;
    int status = load_scenario(&scenario, options);

    if (status != 0) {
        return status;
    }
    run.scenario = scenario;
    if (prepare(&run, &err) != LS_OK) {
        status = print_error(&err);
    } else {
        status = play(&run);
    }
    progress_clear(&run.progress);
    ls_result_free(run.result);
    ls_schedule_free(run.schedule);
    ls_scenario_free(scenario);
    ls_tls_stop();
    return status;
}
