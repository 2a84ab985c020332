/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "loginstorm/plan.h"

#include <stdlib.h>
#include <string.h>

#include "cli/claim.h"
#include "cli/farm_costs.h"
#include "cli/folder.h"
#include "cli/print.h"
#include "cli/show.h"
#include "cli/stop.h"
#include "cli/teller.h"
#include "loginstorm/file.h"
#include "loginstorm/json.h"
#include "loginstorm/tls.h"

#define MORNINGS_MAX 100000

/* Not 0 after a signal. */
static int tell(const char *what, void *data)
{
    struct teller *teller = data;

    teller_say(teller, "%s", what);
    return stop_wished() != LS_OK;
}

static enum ls_code put_json(const struct ls_plan *plan, FILE *out, struct ls_error *err)
{
    json_t *root;
    enum ls_code code = ls_plan_to_json(plan, &root, err);

    if (code == LS_OK) {
        code = ls_json_write(root, out, err);
        json_decref(root);
    }
    return code;
}

enum ls_code put_plan(const struct ls_plan *plan, const struct options *options, FILE *out,
                      struct ls_error *err)
{
    struct ls_report_look look;

    look_of(&look, out, options);
    switch (options->format) {
    case FORMAT_JSON:
        return put_json(plan, out, err);
    case FORMAT_CSV:
        return ls_report_plan_csv(plan, out, err);
    case FORMAT_HTML:
        return ls_report_plan_html(plan, out, err);
    default: /* the table of options offers no other one here */
        break;
    }
    return ls_report_plan(plan, &look, out, err);
}

static enum ls_code save_as(const struct ls_plan *plan, const char *folder, const char *name,
                            enum ls_code (*put)(const struct ls_plan *plan, FILE *out,
                                                struct ls_error *err),
                            struct ls_error *err)
{
    struct ls_file file;
    char path[4096];
    enum ls_code code;

    if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path) {
        return ls_error_set(err, LS_ECREATE, "--out: the name is too long");
    }
    code = ls_file_create(&file, path, err);
    if (code != LS_OK) {
        return code;
    }
    code = put(plan, file.stream, err);
    if (code == LS_OK) {
        return ls_file_commit(&file, err);
    }
    if (code == LS_EWRITE) {
        (void)snprintf(err->path, sizeof err->path, "%.*s", (int)sizeof err->path - 1, path);
    }
    ls_file_abort(&file);
    return code;
}

/* Where a plan that is stopped would come, while there is one that is whole. */
static enum ls_code claim_beside(char *out, size_t size, const char *folder, const char *name,
                                 struct ls_error *err)
{
    enum ls_code code = folder_beside(folder, out, size, err);

    if (code == LS_OK) {
        code = claim_folder(out, CLAIM_PLAN, NULL, name, err);
    }
    return code == LS_OK ? folder_spare_whole(out, "plan.json", err) : code;
}

/* What cannot be written is told before the work, not after it. */
static enum ls_code claim_place(const char *folder, const char *name, struct ls_error *err)
{
    char beside[4096];
    const enum ls_code code = claim_folder(folder, CLAIM_PLAN, NULL, name, err);

    return code == LS_OK && folder_is_whole(folder, "plan.json")
               ? claim_beside(beside, sizeof beside, folder, name, err)
               : code;
}

/* plan.json and report.html, each whole or not at all; what is partial beside a plan that is whole. */
static enum ls_code save(const struct ls_plan *plan, const struct options *options,
                         struct ls_error *err)
{
    char folder[4096];
    enum ls_code code = LS_OK;

    (void)snprintf(folder, sizeof folder, "%s", options->out);
    if (plan->partial && folder_is_whole(options->out, "plan.json")) {
        code = claim_beside(folder, sizeof folder, options->out, plan->name, err);
    }
    if (code == LS_OK) {
        code = ls_folder_make(folder, err);
    }
    if (code == LS_OK) {
        code = save_as(plan, folder, "plan.json", put_json, err);
    }
    if (code == LS_OK) {
        code = save_as(plan, folder, "report.html", ls_report_plan_html, err);
    }
    if (code == LS_OK && !options->quiet) {
        (void)fprintf(options->format == FORMAT_TEXT ? stdout : stderr, "%s/report.html\n", folder);
    }
    return code;
}

static int put_out(const struct ls_plan *plan, const struct options *options)
{
    struct ls_error err;
    enum ls_code code = put_plan(plan, options, stdout, &err);

    if (code == LS_OK && options->out != NULL) {
        code = save(plan, options, &err);
    }
    if (code != LS_OK) {
        return print_error(&err);
    }
    return ls_plan_misses(plan) ? ls_code_status(LS_ETARGET) : 0;
}

/* After a signal: the certificates that were answered until then are a plan, too. */
static int stopped(const struct ls_plan *plan, const struct ls_scenario *scenario,
                   const struct options *options)
{
    const enum ls_code why = stop_wished();
    const size_t count = scenario->certificates_count;
    struct ls_error err;

    if (plan == NULL) {
        (void)ls_error_set(&err, why, "stopped by %s; no certificate had its answer",
                           stop_name(why));
        return print_error(&err);
    }
    (void)put_out(plan, options); /* what cannot be written is told */
    (void)ls_error_set(&err, why, "stopped by %s; %zu of %zu certificates had %s answer",
                       stop_name(why), plan->rows_count, count,
                       plan->rows_count == 1 ? "its" : "their");
    return print_error(&err);
}

/* A published capacity stands in for costs. */
static enum ls_code load_costs(struct ls_costs **out, const struct ls_scenario *scenario,
                               const struct options *options, struct ls_error *err)
{
    *out = NULL;
    return scenario->farm.capacity_logins > 0 && options->costs == NULL
               ? LS_OK
               : farm_costs_load(out, scenario, options->costs, false, err);
}

static enum ls_code build(struct ls_plan **plan, const struct ls_scenario *scenario,
                          const struct options *options, struct ls_error *err)
{
    struct teller teller;
    struct ls_plan_wish wish = {.scenario = scenario,
                                .mornings = options->replications < 0 ? LS_PLAN_MORNINGS
                                                                      : options->replications,
                                .threads = options->threads,
                                .progress = tell,
                                .data = &teller};
    struct ls_costs *costs = NULL;
    enum ls_code code = LS_OK;

    if (wish.mornings < 1 || wish.mornings > MORNINGS_MAX) {
        return ls_error_set(err, LS_EUSAGE, "--replications: %d is out of range (1 to %d)",
                            wish.mornings, MORNINGS_MAX);
    }
    code = load_costs(&costs, scenario, options, err);
    if (code == LS_OK) {
        wish.costs = costs;
        teller_begin(&teller, options);
        teller_say(&teller, "drawing %d mornings", wish.mornings);
        stop_listen();
        code = ls_plan_build(plan, &wish, err);
        teller_end(&teller);
    }
    ls_costs_free(costs);
    return code;
}

/* Files of one's own are looked into: by their kind of key their costs are found. */
static enum ls_code find_keys(struct ls_scenario *scenario, struct ls_certificate **own,
                              struct ls_error *err)
{
    enum ls_code code = LS_OK;

    *own = calloc(scenario->certificates_count + 1, sizeof **own);
    if (*own == NULL) {
        return ls_error_set(err, LS_ENOMEM, "no memory for the certificates");
    }
    for (size_t i = 0; i < scenario->certificates_count && code == LS_OK; i++) {
        code = farm_certificate(&(*own)[i], scenario, i, err);
    }
    scenario->certificates = *own;
    return code;
}

int command_plan(const struct options *options)
{
    struct ls_scenario *scenario, ours;
    struct ls_certificate *own = NULL;
    struct ls_plan *plan = NULL;
    struct ls_error err;
    enum ls_code code;
    int status;

    stop_at_once("no certificate had its answer");
    status = load_scenario(&scenario, options);
    if (status != 0) {
        return status;
    }
    ours = *scenario;
    code = ls_tls_start(&err);
    if (code == LS_OK) {
        code = find_keys(&ours, &own, &err);
    }
    if (code == LS_OK && options->out != NULL) {
        code = claim_place(options->out, ours.name, &err);
    }
    if (code == LS_OK) {
        code = build(&plan, &ours, options, &err);
    }
    if (code == LS_EINTERRUPTED) {
        status = stopped(plan, &ours, options);
    } else {
        status = code == LS_OK ? put_out(plan, options) : print_error(&err);
    }
    ls_plan_free(plan);
    free(own);
    ls_scenario_free(scenario);
    ls_tls_stop();
    return status;
}

void help_plan(FILE *out)
{
    (void)fputs(
        "\nA farm meets the targets when it meets each of them in 95 % of mornings, with "
        "farm.spare "
        "gateways down\nall the time and through the scenario's events. Without targets in the "
        "scenario these are assumed: login_p99\n1s, failed 0.1 %, gateway_cpu_peak 70 %. Without a "
        "farm: one gateway of two cores is today's.\n"
        "\nEnds with 99 where today's farm, as the scenario gives it, misses a target with one of "
        "the certificates, and\nwhere no number of gateways meets them.\n",
        out);
}
