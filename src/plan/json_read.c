/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A plan read again, so that a report of it can be made without planning. A null time is one without an end: only a published
 * capacity leaves times unknown. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loginstorm/units.h"
#include "plan/work.h"

#define ROWS_MAX 10000

/* Goes on behind the first fault, which is the one that is told. */
struct reader {
    const char *path;
    bool counted;                       /* by a published capacity */
    const struct ls_plan_limit *limits; /* of the plan, by target */
    enum ls_code code;
    struct ls_error *err;
};

static void fault(struct reader *reader, const char *where, const char *key, const char *what)
{
    if (reader->code == LS_OK) {
        reader->code =
            ls_error_set_at(reader->err, reader->path, 0, 0, "%s%s: %s", where, key, what);
    }
}

static void no_memory(struct reader *reader)
{
    if (reader->code == LS_OK) {
        reader->code = ls_error_set(reader->err, LS_ENOMEM, "no memory for a plan");
    }
}

/* A key that must be there. */
static const json_t *at(struct reader *reader, const json_t *object, const char *where,
                        const char *key)
{
    const json_t *value = json_object_get(object, key);

    if (value == NULL) {
        fault(reader, where, key, "is not there");
    }
    return value;
}

/* null is `none`, where none is not NAN. */
/* Of microseconds that are so many nanoseconds fit into 64 bits. */
#define NUMBER_MOST 9e15

static double get_number(struct reader *reader, const json_t *object, const char *where,
                         const char *key, double none)
{
    const json_t *value = at(reader, object, where, key);
    const double number = json_number_value(value);

    if (json_is_null(value) && !isnan(none)) {
        return none;
    }
    if (!json_is_number(value) || !(number >= 0 && number <= NUMBER_MOST)) {
        fault(reader, where, key, "is to be a number, from 0 to 9e15");
        return 0;
    }
    return number;
}

static int64_t get_count(struct reader *reader, const json_t *object, const char *where,
                         const char *key, int64_t most, int64_t none)
{
    const json_t *value = at(reader, object, where, key);
    const int64_t count = json_integer_value(value);

    if (json_is_null(value)) {
        return none;
    }
    if (!json_is_integer(value) || count < 0 || count > most) {
        fault(reader, where, key, "is to be a whole number that makes sense here");
        return 0;
    }
    return count;
}

static bool get_flag(struct reader *reader, const json_t *object, const char *where,
                     const char *key)
{
    const json_t *value = at(reader, object, where, key);

    if (value != NULL && !json_is_boolean(value)) {
        fault(reader, where, key, "is to be true or false");
    }
    return json_is_true(value);
}

/* NULL where it is null, or not right. */
static char *get_text(struct reader *reader, const json_t *object, const char *where,
                      const char *key)
{
    const json_t *value = at(reader, object, where, key);
    char *text = NULL;

    if (json_is_string(value)) {
        text = strdup(json_string_value(value));
        if (text == NULL) {
            no_memory(reader);
        }
    } else if (value != NULL && !json_is_null(value)) {
        fault(reader, where, key, "is to be a text");
    }
    return text;
}

/* The texts of a list, a line each; NULL: none. */
static char *get_lines(struct reader *reader, const json_t *object, const char *where)
{
    const json_t *list = at(reader, object, where, "notes");
    size_t size = 1, used = 0;
    char *text;

    for (size_t i = 0; i < json_array_size(list); i++) {
        if (!json_is_string(json_array_get(list, i))) {
            fault(reader, where, "notes", "is to be a list of texts");
            return NULL;
        }
        size += json_string_length(json_array_get(list, i)) + 1;
    }
    if (size == 1) {
        return NULL;
    }
    text = calloc(1, size);
    for (size_t i = 0; text != NULL && i < json_array_size(list); i++) {
        used += (size_t)snprintf(text + used, size - used, "%s%s", i == 0 ? "" : "\n",
                                 json_string_value(json_array_get(list, i)));
    }
    if (text == NULL) {
        no_memory(reader);
    }
    return text;
}

static struct ls_plan_spread get_spread(struct reader *reader, const json_t *object,
                                        const char *where, const char *key, double none,
                                        double scale)
{
    const json_t *value = at(reader, object, where, key);

    return (struct ls_plan_spread){.median =
                                       get_number(reader, value, where, "median", none) * scale,
                                   .most = get_number(reader, value, where, "p95", none) * scale};
}

static enum ls_plan_break get_break(struct reader *reader, const json_t *farm, const char *where)
{
    const char *word = json_string_value(at(reader, farm, where, "breaks_first"));

    for (int i = 0; word != NULL && i < LS_BREAK_COUNT; i++) {
        if (strcmp(word, ls_plan_break_word((enum ls_plan_break)i)) == 0) {
            return (enum ls_plan_break)i;
        }
    }
    fault(reader, where, "breaks_first", "is no word that is known");
    return LS_BREAK_NONE;
}

static void get_met(struct reader *reader, struct ls_plan_farm *out, const json_t *farm,
                    const char *where)
{
    const json_t *targets = at(reader, farm, where, "targets");

    for (int t = 0; t < LS_PLAN_TARGETS; t++) {
        const json_t *target =
            json_object_get(targets, ls_plan_target_word((enum ls_plan_target)t));

        out->met[t] = -1;
        if (target != NULL && reader->limits[t].limit < 0) {
            fault(reader, where, "targets", "has one that is none of the plan's");
        } else if (target != NULL) {
            out->met[t] = get_number(reader, target, where, "met_in_share_of_mornings", -1);
            out->missed |= get_flag(reader, target, where, "met") ? 0 : 1U << t;
        }
    }
    if (!get_flag(reader, farm, where, "met") && reader->counted) {
        out->missed |= 1U << LS_PLAN_TARGETS;
    }
}

static void get_farm(struct reader *reader, struct ls_plan_farm *out, const json_t *farm,
                     const char *where)
{
    const double never = reader->counted ? -1 : (double)HUGE_VAL;
    const json_t *login;

    if (farm == NULL || json_is_null(farm)) {
        return;
    }
    login = at(reader, farm, where, "login_us");
    out->users = get_count(reader, farm, where, "users", INT32_MAX, 0);
    out->gateways = (int)get_count(reader, farm, where, "gateways_up", LS_PLAN_GATEWAYS_MAX, 0);
    out->cores = (int)get_count(reader, farm, where, "cores_each", LS_PLAN_CORES_MAX, 0);
    out->mornings = (int)get_count(reader, farm, where, "mornings", INT32_MAX, 0);
    out->p50_ns = get_spread(reader, login, where, "p50", never, 1000);
    out->p95_ns = get_spread(reader, login, where, "p95", never, 1000);
    out->p99_ns = get_spread(reader, login, where, "p99", never, 1000);
    out->p100_ns = get_spread(reader, login, where, "p100", never, 1000);
    out->failed_share = get_spread(reader, farm, where, "failed_share", -1, 1);
    out->cpu_peak_share = get_spread(reader, farm, where, "gateway_cpu_peak_share", -1, 1);
    out->syn_dropped = get_spread(reader, farm, where, "syn_dropped", -1, 1);
    out->timed_out = get_spread(reader, farm, where, "timed_out", -1, 1);
    out->attempts = get_spread(reader, farm, where, "attempts_per_login", -1, 1);
    out->capacity_share = get_spread(reader, farm, where, "capacity_share", -1, 1);
    out->capacity_met = get_number(reader, farm, where, "capacity_met_in_share_of_mornings", -1);
    out->why = get_break(reader, farm, where);
    get_met(reader, out, farm, where);
}

static struct ls_plan_carried get_carried(struct reader *reader, const json_t *row,
                                          const char *where, const char *key)
{
    const json_t *carried = at(reader, row, where, key);

    return (struct ls_plan_carried){.users =
                                        get_count(reader, carried, where, "users", INT64_MAX, -1),
                                    .over = get_flag(reader, carried, where, "or_more")};
}

static void get_cliff(struct reader *reader, struct ls_plan_row *out, const json_t *row,
                      const char *where)
{
    const json_t *cliff = at(reader, row, where, "cliff");

    if (json_array_size(cliff) > LS_PLAN_CLIFF) {
        fault(reader, where, "cliff", "has more steps than there are");
        return;
    }
    for (size_t i = 0; i < json_array_size(cliff); i++) {
        get_farm(reader, &out->cliff[i], at(reader, json_array_get(cliff, i), where, "farm"),
                 where);
    }
}

static void get_row(struct reader *reader, struct ls_plan_row *out, const json_t *row,
                    const char *where)
{
    const json_t *uncertainty = at(reader, row, where, "cpu_uncertainty");
    const json_t *gateways = at(reader, row, where, "gateways");
    const int64_t none = reader->counted ? -1 : 0;

    out->certificate = get_text(reader, row, where, "certificate");
    out->key = get_text(reader, row, where, "key");
    out->login_cpu_ns = get_number(reader, row, where, "cpu_us_per_login", -1);
    out->login_cpu_ns *= out->login_cpu_ns > 0 ? 1000 : 1;
    out->cpu_low = get_number(reader, uncertainty, where, "low", NAN);
    out->cpu_high = get_number(reader, uncertainty, where, "high", NAN);
    out->gateways = (int)get_count(reader, gateways, where, "needed", LS_PLAN_GATEWAYS_MAX, 0);
    out->gateways_low = (int)get_count(reader, gateways, where, "low", LS_PLAN_GATEWAYS_MAX, 0);
    out->gateways_high = (int)get_count(reader, gateways, where, "high", LS_PLAN_GATEWAYS_MAX, 0);
    out->why_not = get_text(reader, row, where, "why_not");
    out->single_cores =
        (int)get_count(reader, row, where, "cores_of_a_single_gateway", LS_PLAN_CORES_MAX, none);
    out->farm_cores = (int)get_count(reader, row, where, "cores_each_of_todays_gateways",
                                     LS_PLAN_CORES_MAX, none);
    get_farm(reader, &out->today, at(reader, row, where, "today"), where);
    out->today_carries = get_carried(reader, row, where, "today_carries");
    out->today_all_carries = get_carried(reader, row, where, "today_carries_with_all_up");
    out->carries = get_carried(reader, row, where, "planned_carries");
    get_cliff(reader, out, row, where);
    get_farm(reader, &out->edge, at(reader, row, where, "edge"), where);
    get_farm(reader, &out->one_less, at(reader, row, where, "one_gateway_less"), where);
    out->notes = get_lines(reader, row, where);
    if (out->gateways > 0 && out->cliff[0].users == 0) {
        fault(reader, where, "cliff", "lacks the planned farm");
    }
}

static void get_rows(struct reader *reader, struct ls_plan *plan, const json_t *root)
{
    const json_t *rows = at(reader, root, "", "certificates");
    const size_t count = json_array_size(rows);

    if (!json_is_array(rows) || count > ROWS_MAX) {
        fault(reader, "", "certificates", "is to be a list of them");
        return;
    }
    plan->rows = calloc(count + 1, sizeof *plan->rows);
    if (plan->rows == NULL) {
        no_memory(reader);
        return;
    }
    plan->rows_count = count;
    for (size_t i = 0; i < count; i++) {
        char where[48];

        (void)snprintf(where, sizeof where, "certificates[%zu].", i);
        get_row(reader, &plan->rows[i], json_array_get(rows, i), where);
        if (plan->rows[i].certificate == NULL && !reader->counted) {
            fault(reader, where, "certificate", "is to be a text");
        }
        if (plan->rows[i].gateways == 0 && plan->rows[i].why_not == NULL) {
            fault(reader, where, "why_not",
                  "is to be a text where no number of gateways is enough");
        }
    }
}

static void get_limits(struct reader *reader, struct ls_plan *plan, const json_t *root)
{
    const json_t *list = at(reader, root, "", "targets");

    for (int t = 0; t < LS_PLAN_TARGETS; t++) {
        plan->limits[t].limit = -1;
    }
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *limit = json_array_get(list, i);
        const char *name = json_string_value(json_object_get(limit, "name"));
        int t = 0;

        while (t < LS_PLAN_TARGETS &&
               (name == NULL || strcmp(name, ls_plan_target_word((enum ls_plan_target)t)) != 0)) {
            t++;
        }
        if (t == LS_PLAN_TARGETS) {
            fault(reader, "targets.", "name", "is no target that is known");
            return;
        }
        plan->limits[t].limit = ls_plan_target_is_share((enum ls_plan_target)t)
                                    ? get_number(reader, limit, "targets.", "limit_share", NAN)
                                    : get_number(reader, limit, "targets.", "limit_us", NAN) * 1000;
        plan->limits[t].assumed = get_flag(reader, limit, "targets.", "assumed");
    }
}

static void get_capacity(struct reader *reader, struct ls_plan_capacity *out, const json_t *root)
{
    const json_t *capacity = at(reader, root, "", "capacity");
    const json_t *stretch;

    if (capacity == NULL || json_is_null(capacity)) {
        return;
    }
    stretch = at(reader, capacity, "capacity.", "fullest_stretch_logins");
    out->logins = get_count(reader, capacity, "capacity.", "logins_per_gateway", INT64_MAX, 0);
    out->in_ns = (int64_t)(fmin(get_number(reader, capacity, "capacity.", "in_s", NAN), 1e9) *
                           (double)LS_NS_PER_S);
    out->mean = get_number(reader, stretch, "capacity.", "mean_curve", -1);
    out->low = get_number(reader, stretch, "capacity.", "low", -1);
    out->median = get_number(reader, stretch, "capacity.", "median", -1);
    out->high = get_number(reader, stretch, "capacity.", "high", -1);
    out->most = get_number(reader, stretch, "capacity.", "p95", -1);
    reader->counted = true;
    if (out->logins == 0) {
        fault(reader, "capacity.", "logins_per_gateway", "is to be 1 or more");
    }
}

/* Two digits, at most `most`; negative where they are none. */
static int64_t two_digits(const char *text, int64_t most)
{
    const int64_t value = (text[0] - '0') * INT64_C(10) + (text[1] - '0');

    return text[0] >= '0' && text[0] <= '9' && text[1] >= '0' && text[1] <= '9' && value <= most
               ? value
               : -1;
}

/* "08:30" */
static int64_t get_clock(struct reader *reader, const json_t *window, const char *key)
{
    const char *text = json_string_value(at(reader, window, "scenario.window.", key));
    const bool whole = text != NULL && strlen(text) == 5 && text[2] == ':';
    const int64_t hour = whole ? two_digits(text, 24) : -1;
    const int64_t minute = whole ? two_digits(text + 3, 59) : -1;

    if (hour < 0 || minute < 0) {
        fault(reader, "scenario.window.", key, "is to be a time of day, like 08:30");
        return 0;
    }
    return (hour * 60 + minute) * LS_NS_PER_MIN;
}

static void get_head(struct reader *reader, struct ls_plan *plan, const json_t *root)
{
    const json_t *scenario = at(reader, root, "", "scenario"), *farm = at(reader, root, "", "farm");
    const json_t *window = at(reader, scenario, "scenario.", "window");
    const json_t *seed = at(reader, scenario, "scenario.", "seed");

    plan->name = get_text(reader, scenario, "scenario.", "name");
    plan->seed = (uint64_t)json_integer_value(seed); /* the largest are written as negative ones */
    plan->users = get_count(reader, scenario, "scenario.", "users", INT32_MAX, 0);
    plan->from_ns = get_clock(reader, window, "from");
    plan->window_ns = get_clock(reader, window, "to") - plan->from_ns;
    plan->window_ns += plan->window_ns <= 0 ? LS_NS_PER_DAY : 0;
    plan->events = (size_t)get_count(reader, scenario, "scenario.", "events", INT32_MAX, 0);
    plan->mornings = (int)get_count(reader, root, "", "mornings", INT32_MAX, 0);
    plan->farm_given = get_flag(reader, farm, "farm.", "given");
    plan->gateways = (int)get_count(reader, farm, "farm.", "gateways", LS_PLAN_GATEWAYS_MAX, 0);
    plan->cores = (int)get_count(reader, farm, "farm.", "cores", LS_PLAN_CORES_MAX, 0);
    plan->spare = (int)get_count(reader, farm, "farm.", "spare", LS_PLAN_GATEWAYS_MAX, 0);
    plan->costs = get_text(reader, root, "", "costs");
    if (plan->users == 0) {
        fault(reader, "scenario.", "users", "is to be 1 or more");
    }
}

enum ls_code ls_plan_from_json(struct ls_plan **out, const json_t *root, const char *path,
                               struct ls_error *err)
{
    struct reader reader = {.path = path, .code = LS_OK, .err = err};
    const char *format = json_string_value(json_object_get(root, "format"));
    struct ls_plan *plan;

    *out = NULL;
    if (format == NULL || strcmp(format, "loginstorm-plan") != 0) {
        return ls_error_set_at(err, path, 0, 0, "this is no plan of loginstorm");
    }
    if (json_integer_value(json_object_get(root, "version")) != 1) {
        return ls_error_set_at(err, path, 0, 0, "version: this loginstorm reads version 1 only");
    }
    plan = calloc(1, sizeof *plan);
    if (plan == NULL) {
        return ls_error_set(err, LS_ENOMEM, "no memory for a plan");
    }
    reader.limits = plan->limits;
    plan->partial = get_flag(&reader, root, "", "partial");
    get_head(&reader, plan, root);
    get_capacity(&reader, &plan->capacity, root);
    get_limits(&reader, plan, root);
    get_rows(&reader, plan, root);
    plan->notes = get_lines(&reader, root, "");
    plan->words = get_text(&reader, root, "", "in_words");
    if (plan->words == NULL || plan->name == NULL) {
        fault(&reader, "", plan->name == NULL ? "scenario.name" : "in_words", "is to be a text");
    }
    if (reader.code != LS_OK) {
        ls_plan_free(plan);
        return reader.code;
    }
    *out = plan;
    return LS_OK;
}
