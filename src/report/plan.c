/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A plan for people: the farm for each certificate, the cliff behind it, and a paragraph. */
#include "loginstorm/plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/planned.h"
#include "report/table.h"

static void percent(double share, char *out, size_t size)
{
    if (share < 0) {
        (void)snprintf(out, size, "-");
    } else if (isinf(share)) {
        (void)snprintf(out, size, "no end");
    } else {
        (void)snprintf(out, size, share >= 0.0995 || share < 5e-6 ? "%.0f %%" : "%.2g %%",
                       share * 100);
    }
}

static void duration(double ns, char *out, size_t size)
{
    if (ns < 0) {
        (void)snprintf(out, size, "-");
    } else if (isinf(ns)) {
        (void)snprintf(out, size, "never");
    } else {
        ls_format_ns((int64_t)ns, out, size);
    }
}

static void carried(const struct ls_plan_carried *carried, char *out, size_t size)
{
    char count[32];

    ls_format_count(carried->users, count, sizeof count);
    (void)snprintf(out, size, "%s%s", carried->over ? "over " : "",
                   carried->users < 0 ? "-" : count);
}

static const char *break_text(enum ls_plan_break why)
{
    static const char *const words[] = {"-", "CPU", "backlog", "time-outs", "retries", "capacity"};

    return words[why];
}

/* ----------------------------------------------------------------------------------- what it is */

static void put_targets_line(struct page *page, const struct ls_plan *plan)
{
    char text[400] = "";
    size_t used = 0;
    bool assumed = false;

    for (int t = 0; t < LS_PLAN_TARGETS && used < sizeof text; t++) {
        const double limit = plan->limits[t].limit;
        char words[32];

        if (limit < 0) {
            continue;
        }
        if (ls_plan_target_is_share((enum ls_plan_target)t)) {
            percent(limit, words, sizeof words);
        } else {
            duration(limit, words, sizeof words);
        }
        assumed = assumed || plan->limits[t].assumed;
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s at most %s",
                                 used > 0 ? " · " : "", ls_plan_target_word((enum ls_plan_target)t),
                                 words);
    }
    if (plan->capacity.logins > 0) {
        if (!assumed) {
            page_put(page, YELLOW, 2,
                     "targets: %s: not judged, since a published capacity says nothing of them",
                     text);
        }
        return;
    }
    page_put(page, PLAIN, 2, "targets: %s%s", text,
             assumed ? " (assumed, since the scenario has none)" : "");
}

void planned_head(struct page *page, const struct ls_plan *plan)
{
    char users[32], from[16], to[16], in[32], logins[32], spare[32] = "", events[64] = "";

    if (plan->partial) {
        page_put(page, RED, 2,
                 "PARTIAL PLAN: it was stopped before every certificate had its answer.");
    }
    ls_format_count(plan->users, users, sizeof users);
    ls_format_clock(plan->from_ns, 0, from, sizeof from);
    ls_format_clock(plan->from_ns + plan->window_ns, 0, to, sizeof to);
    page_put(page, PLAIN, 2, "%s%s%s users · %s-%s · seed %llu", page->html ? "" : plan->name,
             page->html ? "" : " · ", users, from, to, (unsigned long long)plan->seed);
    if (plan->spare > 0) {
        (void)snprintf(spare, sizeof spare, ", %d of them spare", plan->spare);
    }
    if (plan->events > 0) {
        (void)snprintf(events, sizeof events, ", through %zu event%s", plan->events,
                       plan->events == 1 ? "" : "s");
    }
    page_put(page, PLAIN, 2, "farm: %s%d gateway%s of %d core%s%s%s",
             plan->farm_given ? "" : "assumed, since the scenario has none: ", plan->gateways,
             plan->gateways == 1 ? "" : "s", plan->cores, plan->cores == 1 ? "" : "s", spare,
             events);
    if (plan->capacity.logins > 0) {
        ls_format_count(plan->capacity.logins, logins, sizeof logins);
        ls_format_duration(plan->capacity.in_ns, in, sizeof in);
        page_put(page, PLAIN, 2, "capacity of a gateway, as published: %s logins in %s", logins,
                 in);
    } else {
        page_put(page, PLAIN, 2, "costs: %s", plan->costs);
    }
    put_targets_line(page, plan);
    page_put(
        page, PLAIN, 2,
        "judged over %d morning%s, with the spare gateways down: met is what 95 %% of them meet",
        plan->mornings, plan->mornings == 1 ? "" : "s");
    (void)fputc('\n', page->out);
}

/* -------------------------------------------------------------------------------------- the farm */

static void interval(const struct ls_plan_row *row, char *out, size_t size)
{
    if (row->gateways == 0) {
        (void)snprintf(out, size, "-");
    } else if (row->gateways_high == 0) {
        (void)snprintf(out, size, "%d or more", row->gateways_low);
    } else {
        (void)snprintf(out, size, "%d to %d", row->gateways_low, row->gateways_high);
    }
}

static void cores_cell(struct table *table, struct column *column, size_t row, int cores)
{
    if (cores > 0) {
        table_set(table, column, row, PLAIN, "%d", cores);
    } else {
        table_set(table, column, row, PLAIN, "%s", cores == 0 ? "none" : "-");
    }
}

/* What simulated mornings know, and what counted ones do. */
static void fill_simulated(struct table *table, struct column *const *columns, size_t i,
                           const struct ls_plan *plan)
{
    const struct ls_plan_row *row = &plan->rows[i];
    const struct ls_plan_farm *farm = &row->cliff[0];
    char words[64];

    cores_cell(table, columns[4], i, row->single_cores);
    if (row->gateways == 0) {
        return;
    }
    interval(row, words, sizeof words);
    table_set(table, columns[0], i, PLAIN, "%s", words);
    table_set(table, columns[1], i, PLAIN, "%d", row->gateways * plan->cores);
    duration(farm->p99_ns.median, words, sizeof words);
    table_set(table, columns[2], i, PLAIN, "%s", words);
    duration(farm->p99_ns.most, words, sizeof words);
    table_set(table, columns[3], i, PLAIN, "%s", words);
    table_set(table, columns[5], i, PLAIN, "%s", break_text(row->edge.why));
}

enum { GATEWAYS, FULL, TODAY, ROOM };

static void fill_farm(struct table *table, struct column *const *columns, size_t i,
                      const struct ls_plan *plan)
{
    const struct ls_plan_row *row = &plan->rows[i];
    const struct ls_plan_farm *farm = &row->cliff[0];
    char words[64];

    carried(&row->today_carries, words, sizeof words);
    table_set(table, columns[TODAY], i, row->today.missed != 0 ? RED : PLAIN, "%s", words);
    if (row->gateways == 0) {
        table_set(table, columns[GATEWAYS], i, RED, "none");
        return;
    }
    table_set(table, columns[GATEWAYS], i, PLAIN, "%d", row->gateways);
    percent(plan->capacity.logins > 0 ? farm->capacity_share.most : farm->cpu_peak_share.most,
            words, sizeof words);
    table_set(table, columns[FULL], i, PLAIN, "%s", words);
    (void)snprintf(words, sizeof words, "%s%lld %%", row->carries.over ? "over " : "",
                   (long long)(row->carries.users * 100 / plan->users - 100));
    table_set(table, columns[ROOM], i, PLAIN, "%s", words);
}

static void put_farm_table(struct page *page, const struct ls_plan *plan, struct table *table)
{
    const bool counted = plan->capacity.logins > 0;
    struct column *columns[4], *more[6] = {NULL};

    columns[GATEWAYS] = table_column(table, (struct heading){"gateways", "", "gateways", 0});
    if (!counted) {
        more[0] = table_column(table, (struct heading){"low to high", "low to", "high", 7});
        more[1] = table_column(table, (struct heading){"cores", "", "cores", 5});
    }
    columns[FULL] = counted
                        ? table_column(table, (struct heading){"of capacity", "", "of capacity", 0})
                        : table_column(table, (struct heading){"peak CPU", "", "peak CPU", 6});
    if (!counted) {
        more[2] = table_column(table, (struct heading){"p99", "p99", "median", 1});
        more[3] = table_column(table, (struct heading){"p99 in 95 %", "p99 in", "95 %", 4});
        more[4] = table_column(table, (struct heading){"one alone", "cores of", "one alone", 2});
    }
    columns[TODAY] = table_column(table, (struct heading){"today carries", "today", "carries", 0});
    columns[ROOM] = table_column(table, (struct heading){"head room", "head", "room", 0});
    if (!counted) {
        more[5] = table_column(table, (struct heading){"breaks by", "breaks", "by", 3});
    }
    for (size_t i = 0; i < plan->rows_count; i++) {
        fill_farm(table, columns, i, plan);
        if (!counted) {
            fill_simulated(table, more, i, plan);
        }
    }
    table_put(page, table);
}

void planned_farms(struct page *page, const struct ls_plan *plan)
{
    char **names = calloc(plan->rows_count + 1, sizeof *names);
    struct table table = {0};
    char any[] = "any certificate";

    for (size_t i = 0; names != NULL && i < plan->rows_count; i++) {
        names[i] = plan->rows[i].certificate == NULL ? any : plan->rows[i].certificate;
    }
    if (names != NULL &&
        table_init_rows(&table, "certificate", names, plan->rows_count, page->look->utf8)) {
        put_farm_table(page, plan, &table);
    } else {
        page->no_memory = true;
    }
    table_free(&table);
    free(names);
}

/* ------------------------------------------------------------------------------------- the cliff */

enum { C_P99, C_FAILED, C_PEAK, C_DROPPED, C_TIMED_OUT, C_ATTEMPTS, C_COLUMNS };

static void fill_cliff(struct table *table, struct column *const *columns, size_t i,
                       const struct ls_plan_farm *farm)
{
    char words[64];

    duration(farm->p99_ns.most, words, sizeof words);
    table_set(table, columns[C_P99], i, PLAIN, "%s", words);
    percent(farm->failed_share.most, words, sizeof words);
    table_set(table, columns[C_FAILED], i, PLAIN, "%s", words);
    percent(farm->cpu_peak_share.most, words, sizeof words);
    table_set(table, columns[C_PEAK], i, PLAIN, "%s", words);
    ls_format_count((int64_t)farm->syn_dropped.most, words, sizeof words);
    table_set(table, columns[C_DROPPED], i, PLAIN, "%s", words);
    ls_format_count((int64_t)farm->timed_out.most, words, sizeof words);
    table_set(table, columns[C_TIMED_OUT], i, PLAIN, "%s", words);
    table_set(table, columns[C_ATTEMPTS], i, PLAIN, "%.2f", farm->attempts.most);
}

static void put_cliff_columns(struct table *table, const struct ls_plan_row *row, bool counted)
{
    struct column *users = table_column(table, (struct heading){"users", "", "users", 0});
    struct column *columns[C_COLUMNS] = {NULL}, *misses;
    char words[128];

    if (counted) {
        columns[0] = table_column(table, (struct heading){"of capacity", "", "of capacity", 0});
    } else {
        columns[C_P99] = table_column(table, (struct heading){"p99", "", "p99", 0});
        columns[C_FAILED] = table_column(table, (struct heading){"failed", "", "failed", 0});
        columns[C_PEAK] = table_column(table, (struct heading){"peak CPU", "", "peak CPU", 0});
        columns[C_DROPPED] =
            table_column(table, (struct heading){"SYNs dropped", "SYNs", "dropped", 3});
        columns[C_TIMED_OUT] =
            table_column(table, (struct heading){"timed out", "timed", "out", 2});
        columns[C_ATTEMPTS] =
            table_column(table, (struct heading){"attempts a login", "attempts", "a login", 1});
    }
    misses = table_column(table, (struct heading){"misses", "", "misses", 0});
    for (size_t i = 0; i < table->rows; i++) {
        const struct ls_plan_farm *farm = &row->cliff[i];

        ls_format_count(farm->users, words, sizeof words);
        table_set(table, users, i, PLAIN, "%s", words);
        if (counted) {
            percent(farm->capacity_share.most, words, sizeof words);
            table_set(table, columns[0], i, PLAIN, "%s", words);
        } else {
            fill_cliff(table, columns, i, farm);
        }
        planned_missed(farm, words, sizeof words);
        if (farm->missed == 0) {
            table_set(table, misses, i, PLAIN, "nothing");
        } else if (counted) {
            table_set(table, misses, i, RED, "%s", words);
        } else {
            table_set(table, misses, i, RED, "%s (%s)", words, break_text(farm->why));
        }
    }
}

static void put_cliff(struct page *page, const struct ls_plan *plan, const struct ls_plan_row *row)
{
    char words[LS_PLAN_CLIFF][32], *names[LS_PLAN_CLIFF];
    struct table table;
    size_t count = 0;

    if (row->gateways == 0) {
        return;
    }
    for (; count < LS_PLAN_CLIFF && row->cliff[count].users > 0; count++) {
        (void)snprintf(words[count], sizeof words[count], "%g times", ls_plan_cliff_factors[count]);
        names[count] = words[count];
    }
    (void)fputc('\n', page->out);
    page_put(page, PLAIN, 2, "%s on %d gateway%s%s, more users (in 95 %% of mornings at most):",
             planned_certificate(row), row->gateways - plan->spare,
             row->gateways - plan->spare == 1 ? "" : "s",
             plan->spare > 0 ? " (the spare ones down)" : "");
    if (table_init_rows(&table, "", names, count, page->look->utf8)) {
        put_cliff_columns(&table, row, plan->capacity.logins > 0);
        table_put(page, &table);
    } else {
        page->no_memory = true;
    }
    table_free(&table);
}

void planned_cliffs(struct page *page, const struct ls_plan *plan)
{
    for (size_t i = 0; i < plan->rows_count; i++) {
        put_cliff(page, plan, &plan->rows[i]);
    }
}

/* Of the planned number, and of one fewer: how full. */
void planned_fewer(struct page *page, const struct ls_plan *plan)
{
    const bool counted = plan->capacity.logins > 0;

    for (size_t i = 0; i < plan->rows_count; i++) {
        const struct ls_plan_row *row = &plan->rows[i];
        const struct ls_plan_farm *less = &row->one_less, *farm = &row->cliff[0];
        char few[32], enough[32];

        if (row->gateways == 0 || less->users == 0) {
            continue;
        }
        percent(counted ? less->capacity_share.most : less->cpu_peak_share.most, few, sizeof few);
        percent(counted ? farm->capacity_share.most : farm->cpu_peak_share.most, enough,
                sizeof enough);
        page_put(page, PLAIN, 2, "%s: %d gateway%s %s, %d gateways %s", planned_certificate(row),
                 row->gateways - 1, row->gateways == 2 ? "" : "s", few, row->gateways, enough);
    }
}

/* -------------------------------------------------------------------------------------- the rest */

/* How many rows have that note. */
static size_t rows_with(const struct ls_plan *plan, const char *wanted, size_t length)
{
    size_t count = 0;

    for (size_t i = 0; i < plan->rows_count; i++) {
        const char *note = plan->rows[i].notes;

        while (note != NULL && *note != '\0') {
            const char *own = note;

            note += strcspn(note, "\n");
            if ((size_t)(note - own) == length && strncmp(own, wanted, length) == 0) {
                count++;
                break;
            }
            note += *note == '\n';
        }
    }
    return count;
}

static void put_lines(struct page *page, const char *notes)
{
    while (notes != NULL && *notes != '\0') {
        const size_t length = strcspn(notes, "\n");

        page_put(page, YELLOW, 2, "note: %.*s", (int)length, notes);
        notes += length + (notes[length] == '\n');
    }
}

/* What is said of all certificates is said once. */
void planned_notes(struct page *page, const struct ls_plan *plan)
{
    put_lines(page, plan->notes);
    for (size_t i = 0; i < plan->rows_count; i++) {
        const char *note = plan->rows[i].notes;

        while (note != NULL && *note != '\0') {
            const size_t length = strcspn(note, "\n");
            const bool of_all = rows_with(plan, note, length) == plan->rows_count;

            if (!of_all) {
                page_put(page, YELLOW, 2, "note: %s: %.*s", planned_certificate(&plan->rows[i]),
                         (int)length, note);
            } else if (i == 0) {
                page_put(page, YELLOW, 2, "note: %.*s", (int)length, note);
            }
            note += length + (note[length] == '\n');
        }
    }
}

static void put_quiet(struct page *page, const struct ls_plan *plan)
{
    for (size_t i = 0; i < plan->rows_count; i++) {
        const struct ls_plan_row *row = &plan->rows[i];
        char range[32], users[48];

        carried(&row->today_carries, users, sizeof users);
        if (row->gateways == 0) {
            page_put(page, PLAIN, 0, "%s: no number of gateways is enough, today carries %s users",
                     planned_certificate(row), users);
            continue;
        }
        interval(row, range, sizeof range);
        page_put(page, PLAIN, 0, "%s: %d gateway%s (%s), today carries %s users",
                 planned_certificate(row), row->gateways, row->gateways == 1 ? "" : "s", range,
                 users);
    }
}

enum ls_code ls_report_plan(const struct ls_plan *plan, const struct ls_report_look *look,
                            FILE *out, struct ls_error *err)
{
    struct page page = {.out = out, .look = look};

    if (look->quiet) {
        put_quiet(&page, plan);
        return page_finish(&page, err);
    }
    planned_head(&page, plan);
    planned_farms(&page, plan);
    planned_cliffs(&page, plan);
    (void)fputc('\n', page.out);
    page_put(&page, PLAIN, 0, "%s", plan->words);
    planned_notes(&page, plan);
    return page_finish(&page, err);
}
