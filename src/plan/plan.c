/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "loginstorm/plan.h"

#include <stdlib.h>
#include <string.h>

#include "loginstorm/result.h"
#include "loginstorm/units.h"
#include "plan/work.h"

/* All of a plan's mornings together: memory, and somebody's time. */
#define LOGINS_MAX INT64_C(3000000)
#define USERS_MAX INT64_C(1000000)
#define SEARCH_WITH 20

/* Where a scenario has none: people call it slow beyond a second, and a core that is fuller than
 * that has no room for anything else. */
static const struct ls_targets assumed = {
    .login_p50_ns = -1,
    .login_p95_ns = -1,
    .login_p99_ns = LS_NS_PER_S,
    .login_p100_ns = -1,
    .failed_share = 0.001,
    .gateway_cpu_peak_share = 0.7,
};

const char *ls_plan_target_word(enum ls_plan_target target)
{
    static const char *const words[] = {"login_p50",  "login_p95", "login_p99",
                                        "login_p100", "failed",    "gateway_cpu_peak"};

    return words[target];
}

bool ls_plan_target_is_share(enum ls_plan_target target)
{
    return target >= LS_TARGET_FAILED;
}

const char *ls_plan_break_word(enum ls_plan_break what)
{
    static const char *const words[] = {"none",     "cpu",     "backlog",
                                        "timeouts", "retries", "capacity"};

    return words[what];
}

static void limits_of(struct ls_plan *plan, const struct ls_targets *given)
{
    const bool none = given->login_p50_ns < 0 && given->login_p95_ns < 0 &&
                      given->login_p99_ns < 0 && given->login_p100_ns < 0 &&
                      given->failed_share < 0 && given->gateway_cpu_peak_share < 0;
    const struct ls_targets *targets = none ? &assumed : given;
    const double limits[] = {
        (double)targets->login_p50_ns, (double)targets->login_p95_ns,
        (double)targets->login_p99_ns, (double)targets->login_p100_ns,
        targets->failed_share,         targets->gateway_cpu_peak_share,
    };

    for (int t = 0; t < LS_PLAN_TARGETS; t++) {
        plan->limits[t] = (struct ls_plan_limit){limits[t], none && limits[t] >= 0};
    }
}

static enum ls_code no_memory(struct ls_error *err)
{
    return ls_error_set(err, LS_ENOMEM, "no memory for a plan");
}

static enum ls_code check(const struct stage *stage, struct ls_error *err)
{
    const struct ls_scenario *scenario = &stage->scenario;
    const struct ls_farm *farm = &scenario->farm;

    if (ls_scenario_is_closed(scenario)) {
        return ls_error_set(err, LS_EINPUT,
                            "a closed loop (arrivals: sequence or closed) is as dense as its "
                            "gateway lets it be, so there is no farm to plan for it; give open "
                            "arrivals, like shape: normal");
    }
    if (farm->capacity_logins > 0) {
        return LS_OK;
    }
    if (farm->cost_kind == LS_COST_PROFILE && stage->wish->costs == NULL) {
        return ls_error_set(err, LS_EINPUT,
                            "a plan needs to know what a handshake costs: run `loginstorm "
                            "calibrate`, or give farm.costs or farm.capacity");
    }
    if (scenario->certificates_count == 0) {
        return ls_error_set(err, LS_EINPUT,
                            "certificates: there is none to plan with; list what the gateways "
                            "show, like [{key: rsa-4096}]");
    }
    return LS_OK;
}

/* How many users there are, and so how many mornings can be played. */
static enum ls_code count_mornings(struct stage *stage, struct ls_error *err)
{
    const int wished = stage->wish->mornings;
    struct ls_plan *plan = stage->plan;
    struct ls_mornings *one = NULL;
    int64_t most;
    enum ls_code code = ls_mornings_new(&one, &stage->scenario, 1, 1, err);

    if (code != LS_OK) {
        return code;
    }
    plan->users = (int64_t)ls_mornings_schedule(one, 0)->count;
    ls_mornings_free(one);
    if (plan->users > USERS_MAX) {
        char users[32], limit[32];

        ls_format_count(plan->users, users, sizeof users);
        ls_format_count(USERS_MAX, limit, sizeof limit);
        return ls_error_set(err, LS_EINPUT,
                            "%s users are more than can be planned for at once (%s): plan a part "
                            "of them, as `--users %lld`, and take as many such farms",
                            users, limit, (long long)(plan->users / 10));
    }
    if (plan->users < 1) {
        return ls_error_set(err, LS_EINPUT, "nobody logs in: there is nothing to plan for");
    }
    most = LOGINS_MAX / plan->users;
    plan->mornings = wished > 0 ? wished : LS_PLAN_MORNINGS;
    if (plan->mornings > most) {
        plan->mornings = (int)most;
    }
    /* Counting is quick. */
    plan->searched =
        plan->mornings < SEARCH_WITH || plan->capacity.logins > 0 ? plan->mornings : SEARCH_WITH;
    return LS_OK;
}

static enum ls_code prepare(struct stage *stage, struct ls_error *err)
{
    const struct ls_scenario *scenario = &stage->scenario;
    const struct ls_farm *farm = &scenario->farm;
    struct ls_plan *plan = stage->plan;
    enum ls_code code;

    plan->seed = scenario->seed;
    plan->from_ns = scenario->from_ns;
    plan->window_ns = scenario->window_ns;
    plan->farm_given = farm->given;
    plan->gateways = farm->gateways;
    plan->cores = farm->cores;
    plan->spare = farm->spare;
    plan->events = scenario->events_count;
    plan->capacity.logins = farm->capacity_logins;
    plan->capacity.in_ns = farm->capacity_in_ns;
    stage->play = farm->capacity_logins > 0 ? capacity_play : farm_play;
    limits_of(plan, &scenario->targets);
    plan->name = strdup(scenario->name == NULL ? "" : scenario->name);
    if (plan->name == NULL) {
        return no_memory(err);
    }
    code = count_mornings(stage, err);
    if (code == LS_OK) {
        code = ls_mornings_new(&stage->many, &stage->scenario, plan->mornings, stage->wish->threads,
                               err);
    }
    if (code == LS_OK) {
        code = ls_mornings_new(&stage->few, &stage->scenario, plan->searched, stage->wish->threads,
                               err);
    }
    return code;
}

static void row_clear(struct ls_plan_row *row)
{
    free(row->certificate);
    free(row->key);
    free(row->why_not);
    free(row->notes);
    *row = (struct ls_plan_row){0};
}

static char *copy(const char *text)
{
    return text == NULL ? NULL : strdup(text);
}

/* By a law a handshake costs the same with all certificates. */
static enum ls_code copy_row(struct ls_plan_row *to, const struct ls_plan_row *from,
                             struct ls_error *err)
{
    char *certificate = to->certificate, *key = to->key;

    *to = *from;
    to->certificate = certificate;
    to->key = key;
    to->why_not = copy(from->why_not);
    to->notes = copy(from->notes);
    return (to->why_not == NULL) == (from->why_not == NULL) &&
                   (to->notes == NULL) == (from->notes == NULL)
               ? LS_OK
               : no_memory(err);
}

static enum ls_code plan_row(struct stage *stage, struct ls_plan_row *row, struct ls_error *err)
{
    const struct ls_certificate *certificate = stage->certificate;
    enum ls_code code;

    row->certificate = copy(certificate->name);
    row->key = copy(ls_key_name(certificate->key));
    if (row->certificate == NULL || row->key == NULL) {
        return no_memory(err);
    }
    if (row != stage->plan->rows && stage->scenario.farm.cost_kind != LS_COST_PROFILE) {
        return copy_row(row, stage->plan->rows, err);
    }
    stage->played.count = 0;
    code = sizes_find(stage, row, err);
    return code == LS_OK ? users_carry(stage, row, err) : code;
}

static enum ls_code plan_rows(struct stage *stage, struct ls_error *err)
{
    const struct ls_scenario *scenario = &stage->scenario;
    struct ls_plan *plan = stage->plan;
    enum ls_code code = costs_words(plan, stage, err);

    if (code == LS_OK) {
        code = costs_notes(plan, stage, err);
    }
    plan->rows = calloc(scenario->certificates_count, sizeof *plan->rows);
    if (code == LS_OK && plan->rows == NULL) {
        code = no_memory(err);
    }
    for (size_t i = 0; i < scenario->certificates_count && code == LS_OK; i++) {
        stage->certificate = &scenario->certificates[i];
        plan->rows_count++;
        code = plan_row(stage, &plan->rows[i], err);
    }
    return code;
}

/* After a wish to stop: without the row that was in work, and with a note of who has none. */
static enum ls_code keep_answers(struct stage *stage, struct ls_error *err)
{
    const struct ls_scenario *scenario = &stage->scenario;
    struct ls_plan *plan = stage->plan;
    char *before = plan->notes;
    size_t size = 0;
    FILE *out;
    bool whole;

    row_clear(&plan->rows[--plan->rows_count]);
    plan->partial = true;
    out = open_memstream(&plan->notes, &size);
    if (out == NULL) {
        plan->notes = before;
        return no_memory(err);
    }
    (void)fprintf(out, "%sno answer, since the plan was stopped: ", before == NULL ? "" : before);
    for (size_t i = plan->rows_count; i < scenario->certificates_count; i++) {
        (void)fprintf(out, "%s%s", i > plan->rows_count ? ", " : "",
                      scenario->certificates[i].name);
    }
    (void)fputc('\n', out);
    free(before);
    whole = ferror(out) == 0;
    whole = fclose(out) == 0 && whole;
    return whole ? words_write(stage, err) : no_memory(err);
}

static enum ls_code plan_capacity(struct stage *stage, struct ls_error *err)
{
    struct ls_plan *plan = stage->plan;
    const struct ls_plan_capacity *capacity = &plan->capacity;
    enum ls_code code = capacity_measure(stage, err);
    double guess;

    plan->rows = calloc(1, sizeof *plan->rows);
    if (code == LS_OK && plan->rows == NULL) {
        code = no_memory(err);
    }
    if (code != LS_OK) {
        return code;
    }
    plan->rows_count = 1;
    guess = capacity->median / (double)capacity->logins + 1;
    code = sizes_by_capacity(stage, plan->rows,
                             guess < LS_PLAN_GATEWAYS_MAX ? (int)guess : LS_PLAN_GATEWAYS_MAX, err);
    return code == LS_OK ? users_carry(stage, plan->rows, err) : code;
}

enum ls_code ls_plan_build(struct ls_plan **out, const struct ls_plan_wish *wish,
                           struct ls_error *err)
{
    struct stage stage = {.wish = wish, .scenario = *wish->scenario};
    enum ls_code code;

    *out = NULL;
    stage.scenario.speedup = 1;
    if (!stage.scenario.farm.given) {
        stage.scenario.farm = (struct ls_farm){.gateways = 1, .cores = 2, .backlog = 511};
    }
    if (wish->costs != NULL) {
        stage.scenario.farm.cost_kind = LS_COST_PROFILE;
        stage.scenario.farm.capacity_logins = 0;
    }
    code = check(&stage, err);
    if (code != LS_OK) {
        return code;
    }
    stage.plan = calloc(1, sizeof *stage.plan);
    if (stage.plan == NULL) {
        return no_memory(err);
    }
    code = prepare(&stage, err);
    if (code == LS_OK) {
        code =
            stage.plan->capacity.logins > 0 ? plan_capacity(&stage, err) : plan_rows(&stage, err);
    }
    if (code == LS_OK) {
        code = words_write(&stage, err);
    } else if (code == LS_EINTERRUPTED && stage.plan->rows_count > 1) {
        struct ls_error later;
        const enum ls_code more = keep_answers(&stage, &later);

        if (more != LS_OK) {
            *err = later;
            code = more;
        }
    }
    for (int i = 0; i < LS_PLAN_CLIFF; i++) {
        level_free(&stage.levels[i]);
    }
    ls_mornings_free(stage.few);
    ls_mornings_free(stage.many);
    if (code != LS_OK && !(code == LS_EINTERRUPTED && stage.plan->partial)) {
        ls_plan_free(stage.plan);
        return code;
    }
    *out = stage.plan;
    return code;
}

void ls_plan_free(struct ls_plan *plan)
{
    if (plan == NULL) {
        return;
    }
    for (size_t i = 0; i < plan->rows_count; i++) {
        row_clear(&plan->rows[i]);
    }
    free(plan->rows);
    free(plan->name);
    free(plan->costs);
    free(plan->notes);
    free(plan->words);
    free(plan);
}

bool ls_plan_misses(const struct ls_plan *plan)
{
    bool misses = false;

    for (size_t i = 0; i < plan->rows_count; i++) {
        const struct ls_plan_row *row = &plan->rows[i];

        misses = misses || row->gateways == 0 || (plan->farm_given && row->today.missed != 0);
    }
    return misses;
}
