/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "report/lines.h"
#include "report/table.h"

/* A column of times, "-" where a run has none. */
static void add_times(struct table *table, const struct ls_result *result, struct heading heading,
                      int64_t (*of)(const struct ls_run *run))
{
    struct column *column = table_column(table, heading);

    for (size_t i = 0; i < table->rows; i++) {
        char text[32];

        ls_format_ns(of(&result->runs[i]), text, sizeof text);
        table_set(table, column, i, PLAIN, "%s", text);
    }
}

static int64_t us_to_ns(double us)
{
    return us < 0 ? LS_NEVER_NS : (int64_t)llround(us * 1000);
}

static int64_t login_p50(const struct ls_run *run)
{
    return run->login.p50;
}

static int64_t login_p99(const struct ls_run *run)
{
    return run->login.p99;
}

static int64_t login_p100(const struct ls_run *run)
{
    return run->login.p100;
}

static int64_t cpu_login(const struct ls_run *run)
{
    return us_to_ns(run->cpu_us_per_login);
}

static int64_t cpu_handshake(const struct ls_run *run)
{
    return us_to_ns(run->cpu_us_per_handshake);
}

static int64_t cpu_user(const struct ls_run *run)
{
    return us_to_ns(run->user_us_per_handshake);
}

static int64_t cpu_system(const struct ls_run *run)
{
    return us_to_ns(run->system_us_per_handshake);
}

static int64_t cpu_tls(const struct ls_run *run)
{
    return us_to_ns(run->tls_us_per_handshake);
}

static void add_count(struct table *table, const struct ls_result *result, struct heading heading,
                      enum colour above_zero, size_t offset)
{
    struct column *column = table_column(table, heading);

    for (size_t i = 0; i < table->rows; i++) {
        const char *run = (const char *)&result->runs[i];
        int64_t count;
        char text[32];

        memcpy(&count, run + offset, sizeof count);
        ls_format_count(count, text, sizeof text);
        table_set(table, column, i, count > 0 ? above_zero : PLAIN, "%s", text);
    }
}

void change_words(double base, double value, char *out, size_t size)
{
    double change;

    out[0] = '\0';
    if (base <= 0 || value < 0) {
        return;
    }
    change = (value - base) / base * 100;
    if (change < -99 && change > -100) {
        (void)snprintf(out, size, "%.1f %%", fmax(change, -99.9)); /* never all of it */
    } else {
        (void)snprintf(out, size, "%+.0f %%", change);
    }
}

/* Nothing for the first run itself. */
static void cost_change(const struct ls_result *result, size_t run, char *out, size_t size)
{
    out[0] = '\0';
    if (run > 0) {
        change_words(result->runs[0].cpu_us_per_handshake, result->runs[run].cpu_us_per_handshake,
                     out, size);
    }
}

/* Beside every CPU a handshake: how many of them were no full ones. Nothing where none was. */
static void add_resumed(struct table *table, const struct ls_result *result)
{
    struct column *column;

    if (!any_resumed(result)) {
        return;
    }
    column = table_column(table, (struct heading){"resumed", "", "resumed", 5});
    for (size_t i = 0; i < table->rows; i++) {
        char share[32];

        (void)resumed_words(&result->runs[i], share, sizeof share);
        table_set(table, column, i, PLAIN, "%s", share);
    }
}

static void add_cost(struct table *table, const struct ls_result *result)
{
    struct column *column =
        table_column(table, (struct heading){"CPU/handshake", "CPU per", "handshake", 0});
    size_t change_width = 0;

    for (size_t i = 0; i < table->rows; i++) {
        char change[32];

        cost_change(result, i, change, sizeof change);
        change_width = strlen(change) > change_width ? strlen(change) : change_width;
    }
    for (size_t i = 0; i < table->rows; i++) {
        char cost[32], change[32];

        cost_change(result, i, change, sizeof change);
        ls_format_ns(cpu_handshake(&result->runs[i]), cost, sizeof cost);
        if (change_width == 0) {
            table_set(table, column, i, PLAIN, "%s", cost);
        } else {
            table_set(table, column, i, PLAIN, "%s %*s", cost, (int)change_width, change);
        }
    }
}

static void add_capacity(struct table *table, const struct ls_result *result)
{
    struct column *column =
        table_column(table, (struct heading){"one core carries", "one core", "carries", 2});

    for (size_t i = 0; i < table->rows; i++) {
        const double capacity = result->runs[i].capacity_per_s_per_core;
        char count[32];

        if (capacity < 0) {
            table_set(table, column, i, PLAIN, "-");
        } else {
            ls_format_count((int64_t)floor(capacity), count, sizeof count);
            table_set(table, column, i, PLAIN, "%s/s", count);
        }
    }
}

static void set_cores(struct table *table, struct column *column, size_t row, double cores)
{
    char text[32];

    ls_format_cores(cores, text, sizeof text);
    table_set(table, column, row, PLAIN, "%s", text);
}

/* What a certificate decides and a ticket does not blur. */
static double hello_and_flight(const struct ls_run *run)
{
    return run->client_hello_bytes < 0 || run->server_flight_bytes < 0
               ? -1
               : run->client_hello_bytes + run->server_flight_bytes;
}

static void add_bytes(struct table *table, const struct ls_result *result, struct heading heading,
                      double (*of)(const struct ls_run *run))
{
    struct column *column = table_column(table, heading);

    for (size_t i = 0; i < table->rows; i++) {
        const double bytes = of(&result->runs[i]);
        char text[32] = "-";

        if (bytes >= 0) {
            ls_format_count((int64_t)llround(bytes), text, sizeof text);
        }
        table_set(table, column, i, PLAIN, "%s", text);
    }
}

static void add_change(struct table *table, const struct ls_result *result,
                       double (*of)(const struct ls_run *run))
{
    struct column *column = table_column(table, (struct heading){"change", "", "change", 0});

    for (size_t i = 0; i < table->rows; i++) {
        char text[32] = "";

        if (i > 0) {
            change_words(of(&result->runs[0]), of(&result->runs[i]), text, sizeof text);
        }
        table_set(table, column, i, PLAIN, "%s", text);
    }
}

void put_main_table(struct page *page, const struct ls_result *result)
{
    char clock[16] = "", wide[32];
    const char *at = peak_clock(result, clock, sizeof clock);
    struct column *cores;
    struct table table;

    if (!table_init(&table, "certificate", result, page->look->utf8)) {
        page->no_memory = true;
        table_free(&table);
        return;
    }
    add_count(&table, result, (struct heading){"logged in", "logged", "in", 3}, PLAIN,
              offsetof(struct ls_run, logged_in));
    add_count(&table, result, (struct heading){"failed", "", "failed", 4}, RED,
              offsetof(struct ls_run, failed));
    add_times(&table, result, (struct heading){"login p50", "login", "p50", 0}, login_p50);
    add_times(&table, result, (struct heading){"p99", "login", "p99", 0}, login_p99);
    add_times(&table, result, (struct heading){"p100", "login", "p100", 0}, login_p100);
    add_cost(&table, result);
    add_resumed(&table, result);
    add_capacity(&table, result);
    (void)snprintf(wide, sizeof wide, "cores at %s", at != NULL ? at : "peak");
    cores = table_column(&table, (struct heading){wide, "cores at", at != NULL ? at : "peak", 0});
    for (size_t i = 0; i < table.rows; i++) {
        set_cores(&table, cores, i, result->runs[i].cores_at_peak_minute);
    }
    add_bytes(&table, result, (struct heading){"hello + flight", "hello +", "flight", 1},
              hello_and_flight);
    table_put(page, &table);
    table_free(&table);
}

/* A core that was full is not one that would carry more. */
#define FULL_SHARE 0.95

static bool was_full(const struct ls_run *run)
{
    bool full = false;

    for (size_t i = 0; i < run->timeline_count; i++) {
        full = full || (run->gateway_workers > 0 &&
                        run->timeline[i].gateway_cpu_share >= FULL_SHARE * run->gateway_workers);
    }
    return full;
}

static void put_load(struct page *page, const struct ls_result *result)
{
    size_t full = 0;

    for (size_t i = 0; i < result->runs_count; i++) {
        full += was_full(&result->runs[i]);
    }
    if (result->closed || (full == result->runs_count && full > 0)) {
        page_put(page, PLAIN, 0,
                 "All of it is at this storm's load: a core that is busy wakes up less often, so "
                 "that a handshake costs less there%s",
                 result->closed ? "." : ". The gateway's cores were full here.");
        return;
    }
    page_put(
        page, PLAIN, 0,
        "All of it is at this storm's load: a core that is busy wakes up less often, so that a "
        "handshake costs less there, and one core carries more than is said here%s",
        full > 0 ? ", but for those that were full:" : ".");
    for (size_t i = 0; i < result->runs_count; i++) {
        if (was_full(&result->runs[i])) {
            page_put(page, PLAIN, 2, "%s: its gateway's cores were full",
                     result->runs[i].certificate);
        }
    }
}

/* Who played a part of the users divides what all of them cost by nothing. */
static bool put_shared(struct page *page, const struct ls_result *result)
{
    bool told = false;

    for (size_t i = 0; i < result->runs_count; i++) {
        const struct ls_run *run = &result->runs[i];

        if (result->shard.count > 1 && run->gateway_cpu_ns >= 0) {
            char cpu[32];

            ls_format_ns(run->gateway_cpu_ns, cpu, sizeof cpu);
            page_put(page, PLAIN, 0,
                     "The gateway's CPU, %s with %s, is for all shards' users; `loginstorm merge` "
                     "divides it.",
                     cpu, run->certificate);
            told = true;
        }
    }
    return told;
}

/* Where the gateway's CPU went. Nothing when no run knows. */
void put_cost_table(struct page *page, const struct ls_result *result)
{
    struct table table;
    bool known = false;

    for (size_t i = 0; i < result->runs_count; i++) {
        known = known || result->runs[i].cpu_us_per_handshake >= 0;
    }
    if (!known) {
        if (!put_shared(page, result)) {
            page_put(page, PLAIN, 0, "The gateway's CPU is not known.");
        }
        return;
    }
    if (!table_init(&table, "gateway CPU", result, page->look->utf8)) {
        page->no_memory = true;
        table_free(&table);
        return;
    }
    add_times(&table, result, (struct heading){"a login", "a", "login", 0}, cpu_login);
    add_times(&table, result, (struct heading){"a handshake", "a", "handshake", 0}, cpu_handshake);
    add_resumed(&table, result);
    add_times(&table, result, (struct heading){"user", "", "user", 0}, cpu_user);
    add_times(&table, result, (struct heading){"system", "", "system", 0}, cpu_system);
    add_times(&table, result, (struct heading){"TLS alone", "TLS", "alone", 1}, cpu_tls);
    if (!result->closed) {
        struct column *cores =
            table_column(&table, (struct heading){"cores in the fullest second", "cores in the",
                                                  "fullest second", 2});

        for (size_t i = 0; i < table.rows; i++) {
            set_cores(&table, cores, i, result->runs[i].cores_at_peak_second);
        }
    }
    table_put(page, &table);
    table_free(&table);
    page_put(
        page, PLAIN, 0,
        "User, system and TLS are of a handshake. On loopback, gateway and injector pay a part "
        "of each other's system time.");
    put_load(page, result);
}

static double hello(const struct ls_run *run)
{
    return run->client_hello_bytes;
}

static double flight(const struct ls_run *run)
{
    return run->server_flight_bytes;
}

static double tickets(const struct ls_run *run)
{
    return run->ticket_bytes;
}

static double to_gateway(const struct ls_run *run)
{
    return run->to_gateway_bytes;
}

static double from_gateway(const struct ls_run *run)
{
    return run->from_gateway_bytes;
}

void put_bytes_table(struct page *page, const struct ls_result *result)
{
    struct table table;
    bool known = false;

    for (size_t i = 0; i < result->runs_count; i++) {
        known = known || hello_and_flight(&result->runs[i]) >= 0;
    }
    if (!known) {
        return;
    }
    if (!table_init(&table, "bytes a handshake", result, page->look->utf8)) {
        page->no_memory = true;
        table_free(&table);
        return;
    }
    add_bytes(&table, result, (struct heading){"Client Hello", "Client", "Hello", 3}, hello);
    add_bytes(&table, result, (struct heading){"server flight", "server", "flight", 3}, flight);
    add_bytes(&table, result, (struct heading){"both", "", "both", 0}, hello_and_flight);
    add_change(&table, result, hello_and_flight);
    add_bytes(&table, result, (struct heading){"tickets", "", "tickets", 2}, tickets);
    add_bytes(&table, result, (struct heading){"all to the gateway", "all to the", "gateway", 1},
              to_gateway);
    add_bytes(&table, result, (struct heading){"all from it", "all", "from it", 1}, from_gateway);
    table_put(page, &table);
    table_free(&table);
    (void)fputc('\n', page->out);
}
