/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A plan as JSON. Jansson's calls give NULL or -1 where there is no memory, and pass a NULL on: so what is
 * put together is looked at once, at its end. */
#include <math.h>
#include <string.h>

#include "loginstorm/units.h"
#include "plan/work.h"

/* Never and not known are null. */
static json_t *real(double value)
{
    return isfinite(value) && value >= 0 ? json_real(value) : json_null();
}

static json_t *us(double ns)
{
    return isfinite(ns) && ns >= 0 ? json_real(round(ns) / 1000) : json_null();
}

static json_t *number(int64_t value)
{
    return value >= 0 ? json_integer(value) : json_null();
}

static json_t *text(const char *value)
{
    return value == NULL ? json_null() : json_string(value);
}

static json_t *spread(const struct ls_plan_spread *spread, json_t *(*as)(double value))
{
    return json_pack("{s:o, s:o}", "median", as(spread->median), "p95", as(spread->most));
}

/* All of them, but 0 of what is no target here. */
static json_t *met_json(const struct ls_plan *plan, const struct ls_plan_farm *farm)
{
    json_t *list = json_object();

    for (int t = 0; t < LS_PLAN_TARGETS && list != NULL; t++) {
        if (plan->limits[t].limit >= 0 && plan->capacity.logins == 0 &&
            json_object_set_new(list, ls_plan_target_word((enum ls_plan_target)t),
                                json_pack("{s:o, s:b}", "met_in_share_of_mornings",
                                          real(farm->met[t]), "met",
                                          (farm->missed & 1U << t) == 0)) != 0) {
            json_decref(list);
            list = NULL;
        }
    }
    return list;
}

static json_t *farm_json(const struct ls_plan *plan, const struct ls_plan_farm *farm)
{
    if (farm->users == 0) {
        return json_null();
    }
    return json_pack(
        "{s:I, s:i, s:i, s:i, s:{s:o, s:o, s:o, s:o}, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:b, "
        "s:s}",
        "users", (json_int_t)farm->users, "gateways_up", farm->gateways, "cores_each", farm->cores,
        "mornings", farm->mornings, "login_us", "p50", spread(&farm->p50_ns, us), "p95",
        spread(&farm->p95_ns, us), "p99", spread(&farm->p99_ns, us), "p100",
        spread(&farm->p100_ns, us), "failed_share", spread(&farm->failed_share, real),
        "gateway_cpu_peak_share", spread(&farm->cpu_peak_share, real), "syn_dropped",
        spread(&farm->syn_dropped, real), "timed_out", spread(&farm->timed_out, real),
        "attempts_per_login", spread(&farm->attempts, real), "capacity_share",
        spread(&farm->capacity_share, real), "capacity_met_in_share_of_mornings",
        plan->capacity.logins > 0 ? real(farm->capacity_met) : json_null(), "targets",
        met_json(plan, farm), "met", farm->missed == 0, "breaks_first",
        ls_plan_break_word(farm->why));
}

static json_t *carried_json(const struct ls_plan_carried *carried)
{
    return json_pack("{s:o, s:b}", "users", number(carried->users), "or_more", carried->over);
}

static json_t *cliff_json(const struct ls_plan *plan, const struct ls_plan_row *row)
{
    json_t *list = json_array();

    for (int i = 0; i < LS_PLAN_CLIFF && list != NULL; i++) {
        if (row->cliff[i].users > 0 &&
            json_array_append_new(list, json_pack("{s:f, s:o}", "times", ls_plan_cliff_factors[i],
                                                  "farm", farm_json(plan, &row->cliff[i]))) != 0) {
            json_decref(list);
            list = NULL;
        }
    }
    return list;
}

static json_t *notes_json(const char *notes)
{
    json_t *list = json_array();

    while (notes != NULL && *notes != '\0' && list != NULL) {
        const size_t length = strcspn(notes, "\n");

        if (json_array_append_new(list, json_stringn(notes, length)) != 0) {
            json_decref(list);
            list = NULL;
        }
        notes += length + (notes[length] == '\n');
    }
    return list;
}

static json_t *row_json(const struct ls_plan *plan, const struct ls_plan_row *row)
{
    const bool known = row->carries.users >= 0 && !row->carries.over;

    return json_pack(
        "{s:o, s:o, s:o, s:{s:f, s:f}, s:{s:o, s:o, s:o}, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, "
        "s:o, s:o, s:o, s:o}",
        "certificate", text(row->certificate), "key", text(row->key), "cpu_us_per_login",
        us(row->login_cpu_ns), "cpu_uncertainty", "low", row->cpu_low, "high", row->cpu_high,
        "gateways", "needed", row->gateways > 0 ? number(row->gateways) : json_null(), "low",
        row->gateways_low > 0 ? number(row->gateways_low) : json_null(), "high",
        row->gateways_high > 0 ? number(row->gateways_high) : json_null(), "why_not",
        text(row->why_not), "cores_of_a_single_gateway",
        row->single_cores > 0 ? number(row->single_cores) : json_null(),
        "cores_each_of_todays_gateways",
        row->farm_cores > 0 ? number(row->farm_cores) : json_null(), "today",
        farm_json(plan, &row->today), "today_carries", carried_json(&row->today_carries),
        "today_carries_with_all_up", carried_json(&row->today_all_carries), "planned_carries",
        carried_json(&row->carries), "head_room_share",
        known ? real((double)row->carries.users / (double)plan->users - 1) : json_null(), "cliff",
        cliff_json(plan, row), "edge", farm_json(plan, &row->edge), "one_gateway_less",
        farm_json(plan, &row->one_less), "notes", notes_json(row->notes));
}

static json_t *rows_json(const struct ls_plan *plan)
{
    json_t *list = json_array();

    for (size_t i = 0; i < plan->rows_count && list != NULL; i++) {
        if (json_array_append_new(list, row_json(plan, &plan->rows[i])) != 0) {
            json_decref(list);
            list = NULL;
        }
    }
    return list;
}

static json_t *limits_json(const struct ls_plan *plan)
{
    json_t *list = json_array();

    for (int t = 0; t < LS_PLAN_TARGETS && list != NULL; t++) {
        const bool is_share = ls_plan_target_is_share((enum ls_plan_target)t);

        if (plan->limits[t].limit < 0) {
            continue;
        }
        if (json_array_append_new(
                list, json_pack("{s:s, s:o, s:b, s:b}", "name",
                                ls_plan_target_word((enum ls_plan_target)t),
                                is_share ? "limit_share" : "limit_us",
                                is_share ? real(plan->limits[t].limit) : us(plan->limits[t].limit),
                                "assumed", plan->limits[t].assumed, "judged",
                                plan->capacity.logins == 0)) != 0) {
            json_decref(list);
            list = NULL;
        }
    }
    return list;
}

static json_t *capacity_json(const struct ls_plan_capacity *capacity)
{
    if (capacity->logins == 0) {
        return json_null();
    }
    return json_pack("{s:I, s:f, s:{s:o, s:o, s:o, s:o, s:o}}", "logins_per_gateway",
                     (json_int_t)capacity->logins, "in_s",
                     (double)capacity->in_ns / (double)LS_NS_PER_S, "fullest_stretch_logins",
                     "mean_curve", real(capacity->mean), "low", real(capacity->low), "median",
                     real(capacity->median), "high", real(capacity->high), "p95",
                     real(capacity->most));
}

enum ls_code ls_plan_to_json(const struct ls_plan *plan, json_t **root, struct ls_error *err)
{
    char from[16], to[16];

    ls_format_clock(plan->from_ns, 0, from, sizeof from);
    ls_format_clock(plan->from_ns + plan->window_ns, 0, to, sizeof to);
    *root = json_pack(
        "{s:s, s:i, s:b, s:{s:s, s:I, s:I, s:{s:s, s:s}, s:I}, s:i, s:f, s:{s:b, s:i, s:i, s:i}, "
        "s:o, "
        "s:o, s:o, s:o, s:o, s:s}",
        "format", "loginstorm-plan", "version", 1, "partial", plan->partial, "scenario", "name",
        plan->name, "seed", (json_int_t)plan->seed, "users", (json_int_t)plan->users, "window",
        "from", from, "to", to, "events", (json_int_t)plan->events, "mornings", plan->mornings,
        "met_in_share_of_mornings_at_least", 0.95, "farm", "given", plan->farm_given, "gateways",
        plan->gateways, "cores", plan->cores, "spare", plan->spare, "costs", text(plan->costs),
        "capacity", capacity_json(&plan->capacity), "targets", limits_json(plan), "certificates",
        rows_json(plan), "notes", notes_json(plan->notes), "in_words", plan->words);
    return *root == NULL ? ls_error_set(err, LS_ENOMEM, "no memory for a plan") : LS_OK;
}
