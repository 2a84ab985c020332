/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What many simulated mornings came to. */
#include <stdio.h>

#include "report/lines.h"
#include "report/table.h"

bool is_simulated(const struct ls_result *result)
{
    return result->runs_count > 0 && !result->runs[0].live;
}

static void set_time(struct table *table, struct column *column, size_t row, int64_t ns)
{
    char text[32];

    ls_format_ns(ns, text, sizeof text);
    table_set(table, column, row, PLAIN, "%s", text);
}

static void set_share(struct table *table, struct column *column, size_t row, int64_t millionths,
                      bool bad)
{
    if (millionths < 0) {
        table_set(table, column, row, PLAIN, "-");
    } else if (millionths == 0) {
        table_set(table, column, row, PLAIN, "0");
    } else {
        table_set(table, column, row, bad ? RED : PLAIN,
                  millionths < 100000 ? "%.2f %%" : "%.0f %%", (double)millionths / 1e4);
    }
}

/* Medians over the mornings, and what 95 % of them stay at or below. */
static void put_mornings_table(struct page *page, const struct ls_result *result)
{
    static const struct heading headings[] = {
        {"p50, median", "login p50,", "median", 2},
        {"p99, median", "login p99,", "median", 4},
        {"p99, in 95 %", "p99,", "in 95 %", 0},
        {"p100, median", "p100,", "median", 0},
        {"p100, in 95 %", "p100,", "in 95 %", 0},
        {"failed, in 95 %", "failed,", "in 95 %", 0},
        {"a gateway's peak, in 95 %", "gateway's", "peak, in 95 %", 1},
        {"peak minute, in 95 %", "peak minute,", "in 95 %", 3},
    };
    struct column *columns[sizeof headings / sizeof headings[0]];
    struct table table;

    if (!table_init(&table, "mornings", result, page->look->utf8)) {
        page->no_memory = true;
        table_free(&table);
        return;
    }
    for (size_t i = 0; i < sizeof headings / sizeof headings[0]; i++) {
        columns[i] = table_column(&table, headings[i]);
    }
    for (size_t i = 0; i < table.rows; i++) {
        const struct ls_run_mornings *mornings = &result->runs[i].mornings;
        char count[32] = "-";

        set_time(&table, columns[0], i, mornings->login_p50.median);
        set_time(&table, columns[1], i, mornings->login_p99.median);
        set_time(&table, columns[2], i, mornings->login_p99.in_95);
        set_time(&table, columns[3], i, mornings->login_p100.median);
        set_time(&table, columns[4], i, mornings->login_p100.in_95);
        set_share(&table, columns[5], i, mornings->failed_share.in_95, true);
        set_share(&table, columns[6], i, mornings->gateway_peak_share.in_95, false);
        if (mornings->peak_minute_logins.in_95 >= 0) {
            ls_format_count(mornings->peak_minute_logins.in_95, count, sizeof count);
        }
        table_set(&table, columns[7], i, PLAIN, "%s", count);
    }
    table_put(page, &table);
    table_free(&table);
}

/* The worst login of a morning is a matter of luck, so beside its median and bound stands the worst of all. */
static void put_worst(struct page *page, const struct ls_result *result)
{
    char count[32], text[1024] = "";
    size_t used = 0;

    for (size_t i = 0; i < result->runs_count; i++) {
        const struct ls_run *run = &result->runs[i];
        const struct ls_range *p100 = &run->mornings.login_p100;
        char worst[32];

        if (p100->median < 0 || p100->in_95 < 0) {
            page_put(page, RED, 2, "%s: there are mornings on which nobody gets in",
                     run->certificate);
        } else if (used < sizeof text) {
            ls_format_ns(p100->worst, worst, sizeof worst);
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%.100s %s",
                                     used > 0 ? ", " : "", run->certificate, worst);
        }
    }
    if (used > 0) {
        ls_format_count(result->runs[0].mornings.count, count, sizeof count);
        page_put(page, PLAIN, 2, "the slowest login of all %s mornings: %s", count, text);
    }
}

/* Once where it is the same with all certificates. */
static void put_returned(struct page *page, const struct ls_result *result)
{
    char users[32], again[32], logins[32];
    const struct ls_run *first = &result->runs[0];
    bool same = true;

    for (size_t i = 1; i < result->runs_count; i++) {
        same = same && result->runs[i].total == first->total &&
               result->runs[i].mornings.returned == first->mornings.returned &&
               result->runs[i].mornings.returned_users == first->mornings.returned_users;
    }
    ls_format_count(result->users, users, sizeof users);
    for (size_t i = 0; i < (same ? 1 : result->runs_count); i++) {
        const struct ls_run *run = &result->runs[i];

        if (run->mornings.returned == 0) {
            continue;
        }
        ls_format_count(run->mornings.returned_users, again, sizeof again);
        ls_format_count(run->total, logins, sizeof logins);
        page_put(page, PLAIN, 2, "%s%s%s logins of %s users, %s of them twice or more",
                 same ? "" : run->certificate, same ? "" : ": ", logins, users, again);
    }
}

void put_simulated(struct page *page, const struct ls_result *result)
{
    const int64_t most = result->runs[0].mornings.count;
    char count[32];

    (void)fputc('\n', page->out);
    put_resumed(page, result);
    if (most > 1) {
        put_mornings_table(page, result);
        (void)fputc('\n', page->out);
        put_worst(page, result);
    }
    put_returned(page, result);
    ls_format_count(most, count, sizeof count);
    page_put(page, PLAIN, 2, "simulated: %s morning%s of the same kind%s; costs from %s", count,
             most == 1 ? "" : "s",
             most == 1 ? "" : ", the first is the one in the upper table and in the folder",
             result->costs != NULL ? result->costs : "an unknown profile");
}
