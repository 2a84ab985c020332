/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Closed loops as tables in the form of the published ones, ours and theirs in turn. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/lines.h"
#include "report/table.h"

#define EACH_SHOWN ((size_t)8)

/* The rows of a table: each run, and behind it what was published for its certificate. */
struct rows {
    size_t count;
    struct row {
        const struct ls_run *run;
        const struct ls_run
            *base; /* whose figures of the same kind are the yardstick; NULL: itself */
        bool published;
    } * row;
    char **names;
};

static const struct ls_run *baseline(const struct ls_result *result, bool published)
{
    for (size_t i = 0; i < result->runs_count; i++) {
        if (!published || result->runs[i].published.source != NULL) {
            return &result->runs[i];
        }
    }
    return NULL;
}

static void add_row(struct rows *rows, const struct ls_run *run, const struct ls_run *base,
                    bool published)
{
    static char theirs[] = "  published";

    rows->names[rows->count] = published ? theirs : run->certificate;
    rows->row[rows->count] = (struct row){run, run == base ? NULL : base, published};
    rows->count++;
}

/* with_base: the yardsticks themselves, too. rows_clear is due either way. */
static bool rows_init(struct rows *rows, const struct ls_result *result, bool with_base,
                      bool with_published)
{
    *rows = (struct rows){
        .row = calloc(2 * result->runs_count + 1, sizeof *rows->row),
        .names = calloc(2 * result->runs_count + 1, sizeof *rows->names),
    };
    for (size_t i = 0; rows->row != NULL && rows->names != NULL && i < result->runs_count; i++) {
        const struct ls_run *run = &result->runs[i];
        const struct ls_run *ours = baseline(result, false), *theirs = baseline(result, true);

        if (run != ours || with_base) {
            add_row(rows, run, ours, false);
        }
        if (with_published && run->published.source != NULL && (run != theirs || with_base)) {
            add_row(rows, run, theirs, true);
        }
    }
    return rows->row != NULL && rows->names != NULL;
}

static void rows_clear(struct rows *rows)
{
    free(rows->row);
    free(rows->names);
}

/* The wave that published figures stand for: the first of its kind. */
static size_t first_wave(const struct ls_run *run, bool sequence)
{
    size_t i = 0;

    while (i < run->waves_count && run->waves[i].sequence != sequence) {
        i++;
    }
    return i;
}

enum figure { HANDSHAKE_MEAN, RATE, SECURED_P50, LOGIN_P50, LOGIN_P100, CPU, HELLO, FLIGHT, BYTES };

static double sum(double a, double b)
{
    return a >= 0 && b >= 0 ? a + b : -1;
}

static double published_figure(const struct ls_published *published, enum figure figure)
{
    switch (figure) {
    case HANDSHAKE_MEAN:
        return (double)published->handshake_mean_ns;
    case RATE:
        return published->rate_per_s;
    case SECURED_P50:
        return (double)published->secured_p50_ns;
    case LOGIN_P50:
        return (double)published->login_p50_ns;
    case LOGIN_P100:
        return (double)published->login_p100_ns;
    case HELLO:
        return (double)published->client_hello_bytes;
    case FLIGHT:
        return (double)published->server_flight_bytes;
    case BYTES:
        return sum((double)published->client_hello_bytes, (double)published->server_flight_bytes);
    case CPU:
        break;
    }
    return -1;
}

static double wave_figure(const struct ls_wave_figures *wave, enum figure figure)
{
    switch (figure) {
    case HANDSHAKE_MEAN:
        return (double)wave->handshake.mean;
    case RATE:
        return wave->logins_per_s;
    case SECURED_P50:
        return (double)wave->secured.p50;
    case LOGIN_P50:
        return (double)wave->login.p50;
    case LOGIN_P100:
        return (double)wave->login.p100;
    default:
        return -1;
    }
}

/* Negative where it is not known. wave is of the loop that the figure is about. */
static double figure_of(const struct ls_run *run, bool published, size_t wave, enum figure figure)
{
    if (published) {
        return published_figure(&run->published, figure);
    }
    switch (figure) {
    case CPU:
        return run->cpu_us_per_handshake < 0 ? -1 : run->cpu_us_per_handshake * 1000;
    case HELLO:
        return run->client_hello_bytes;
    case FLIGHT:
        return run->server_flight_bytes;
    case BYTES:
        return sum(run->client_hello_bytes, run->server_flight_bytes);
    default:
        return wave < run->waves_count ? wave_figure(&run->waves[wave], figure) : -1;
    }
}

static void figure_words(double value, enum figure figure, char *out, size_t size)
{
    (void)snprintf(out, size, "-");
    if (value < 0) {
        return;
    }
    if (figure == RATE && value < 1000) {
        (void)snprintf(out, size, "%.1f", value);
    } else if (figure == RATE || figure == HELLO || figure == FLIGHT || figure == BYTES) {
        ls_format_count((int64_t)llround(value), out, size);
    } else {
        ls_format_ns((int64_t)llround(value), out, size);
    }
}

static void add_figure(struct table *table, const struct rows *rows, struct heading heading,
                       size_t wave, enum figure figure)
{
    struct column *column = table_column(table, heading);

    for (size_t i = 0; i < rows->count; i++) {
        const struct row *row = &rows->row[i];
        char text[32];

        figure_words(figure_of(row->run, row->published, wave, figure), figure, text, sizeof text);
        table_set(table, column, i, PLAIN, "%s", text);
    }
}

/* "-49 %", and with_difference "-18 % (-932)". */
static void add_change(struct table *table, const struct rows *rows, struct heading heading,
                       size_t wave, enum figure figure, bool with_difference)
{
    struct column *column = table_column(table, heading);

    for (size_t i = 0; i < rows->count; i++) {
        const struct row *row = &rows->row[i];
        double value, base;
        char change[32];

        if (row->base == NULL) {
            table_set(table, column, i, PLAIN, "baseline");
            continue;
        }
        value = figure_of(row->run, row->published, wave, figure);
        base = figure_of(row->base, row->published, wave, figure);
        change_words(base, value, change, sizeof change);
        if (with_difference && change[0] != '\0') {
            table_set(table, column, i, PLAIN, "%s (%+.0f)", change, value - base);
        } else {
            table_set(table, column, i, PLAIN, "%s", change[0] != '\0' ? change : "-");
        }
    }
}

static void add_ratio(struct table *table, const struct rows *rows, struct heading heading,
                      size_t wave, enum figure figure)
{
    struct column *column = table_column(table, heading);

    for (size_t i = 0; i < rows->count; i++) {
        const struct row *row = &rows->row[i];
        const double value = figure_of(row->run, row->published, wave, figure);
        const double base = figure_of(row->base, row->published, wave, figure);

        if (value >= 0 && base > 0) {
            table_set(table, column, i, PLAIN, value / base < 0.0995 ? "%.3f" : "%.2f",
                      value / base);
        } else {
            table_set(table, column, i, PLAIN, "-");
        }
    }
}

/* Each handshake of a short sequence, the last going first where there is no room; nothing was
 * published of those. */
static void add_each(struct table *table, const struct rows *rows, size_t wave,
                     char titles[EACH_SHOWN][24])
{
    const struct ls_wave_figures *first = &rows->row[0].run->waves[wave];

    if (first->each_count > EACH_SHOWN) {
        return;
    }
    for (size_t n = 0; n < first->each_count; n++) {
        struct column *column;

        (void)snprintf(titles[n], sizeof titles[n], "run %zu", n + 1);
        column = table_column(
            table, (struct heading){titles[n], "", titles[n], (int)(EACH_SHOWN - n + 1)});
        for (size_t i = 0; i < rows->count; i++) {
            const struct row *row = &rows->row[i];
            const struct ls_wave_figures *figures =
                wave < row->run->waves_count ? &row->run->waves[wave] : NULL;
            char text[32] = "";

            if (!row->published && figures != NULL && n < figures->each_count) {
                ls_format_ns(figures->each_ns[n], text, sizeof text);
            }
            table_set(table, column, i, PLAIN, "%s", text);
        }
    }
}

static void add_sequence(struct table *table, const struct rows *rows, size_t wave,
                         char titles[EACH_SHOWN][24])
{
    add_each(table, rows, wave, titles);
    add_figure(table, rows, (struct heading){"mean of all", "mean", "of all", 0}, wave,
               HANDSHAKE_MEAN);
    add_change(table, rows, (struct heading){"change", "", "change", 0}, wave, HANDSHAKE_MEAN,
               false);
    add_figure(table, rows, (struct heading){"CPU/handshake", "CPU per", "handshake", 1}, wave,
               CPU); /* the table of the gateway's CPU has it, too */
}

static void add_closed(struct table *table, const struct rows *rows, size_t wave)
{
    add_figure(table, rows, (struct heading){"logins/s", "", "logins/s", 0}, wave, RATE);
    add_figure(table, rows, (struct heading){"to TLS, p50", "to TLS", "p50", 0}, wave, SECURED_P50);
    add_figure(table, rows, (struct heading){"login p50", "login", "p50", 0}, wave, LOGIN_P50);
    add_figure(table, rows, (struct heading){"p100", "login", "p100", 0}, wave, LOGIN_P100);
    add_figure(table, rows, (struct heading){"CPU/handshake", "CPU per", "handshake", 0}, wave,
               CPU);
}

static void add_bytes(struct table *table, const struct rows *rows)
{
    add_figure(table, rows, (struct heading){"Client Hello", "Client", "Hello", 0}, 0, HELLO);
    add_figure(table, rows,
               (struct heading){"Server Hello to Finished", "Server Hello", "to Finished", 0}, 0,
               FLIGHT);
    add_figure(table, rows, (struct heading){"total", "", "total", 0}, 0, BYTES);
    add_change(table, rows, (struct heading){"change", "", "change", 0}, 0, BYTES, true);
}

static void add_ratios(struct table *table, const struct rows *rows, size_t sequence, size_t closed)
{
    const struct ls_run *any = rows->row[0].run;

    if (sequence < any->waves_count) {
        add_ratio(table, rows, (struct heading){"handshake", "", "handshake", 0}, sequence,
                  HANDSHAKE_MEAN);
    }
    if (closed < any->waves_count) {
        add_ratio(table, rows, (struct heading){"logins/s", "", "logins/s", 0}, closed, RATE);
        add_ratio(table, rows, (struct heading){"to TLS", "", "to TLS", 2}, closed, SECURED_P50);
        add_ratio(table, rows, (struct heading){"login p50", "login", "p50", 0}, closed, LOGIN_P50);
        add_ratio(table, rows, (struct heading){"p100", "login", "p100", 0}, closed, LOGIN_P100);
    }
    add_ratio(table, rows, (struct heading){"bytes", "", "bytes", 1}, 0, BYTES);
    add_ratio(table, rows, (struct heading){"CPU", "", "CPU", 0}, 0, CPU);
}

/* What a table is about; the wave is that of RATIOS's sequence in its case. */
enum about { SEQUENCE, CLOSED, TRAFFIC, RATIOS };

static void put_rows(struct page *page, const struct rows *rows, enum about about, size_t wave,
                     size_t closed)
{
    char titles[EACH_SHOWN][24];
    struct table table;

    if (rows->count > 0 &&
        table_init_rows(&table, "certificate", rows->names, rows->count, page->look->utf8)) {
        if (about == SEQUENCE) {
            add_sequence(&table, rows, wave, titles);
        } else if (about == CLOSED) {
            add_closed(&table, rows, wave);
        } else if (about == TRAFFIC) {
            add_bytes(&table, rows);
        } else {
            add_ratios(&table, rows, wave, closed);
        }
        table_put(page, &table);
        table_free(&table);
    } else if (rows->count > 0) {
        page->no_memory = true;
        table_free(&table);
    }
    (void)fputc('\n', page->out);
}

static void put_wave(struct page *page, const struct ls_result *result, size_t index)
{
    const struct ls_wave_figures *wave = &result->runs[0].waves[index];
    const bool stands = index == first_wave(&result->runs[0], wave->sequence);
    char logins[32], at_a_time[32];
    struct rows rows;

    ls_format_count(wave->logins, logins, sizeof logins);
    ls_format_count(wave->concurrency, at_a_time, sizeof at_a_time);
    if (wave->sequence) {
        page_put(page, PLAIN, 0, "Handshakes, TCP to TLS: %s login%s one after another", logins,
                 wave->logins == 1 ? "" : "s");
    } else {
        page_put(page, PLAIN, 0, "Closed loop: %s login%s, %s at a time", logins,
                 wave->logins == 1 ? "" : "s", at_a_time);
    }
    if (rows_init(&rows, result, true, stands)) {
        put_rows(page, &rows, wave->sequence ? SEQUENCE : CLOSED, index, 0);
    } else {
        page->no_memory = true;
    }
    rows_clear(&rows);
}

static void put_traffic(struct page *page, const struct ls_result *result)
{
    struct rows rows;

    page_put(page, PLAIN, 0, "Bytes of a handshake");
    if (rows_init(&rows, result, true, true)) {
        put_rows(page, &rows, TRAFFIC, 0, 0);
    } else {
        page->no_memory = true;
    }
    rows_clear(&rows);
}

static void put_ratios(struct page *page, const struct ls_result *result)
{
    const struct ls_run *first = &result->runs[0];
    struct rows rows;

    if (result->runs_count < 2) {
        return;
    }
    page_put(page, PLAIN, 0, "As parts of %s's (1 is as much)", first->certificate);
    if (rows_init(&rows, result, false, true)) {
        put_rows(page, &rows, RATIOS, first_wave(first, true), first_wave(first, false));
    } else {
        page->no_memory = true;
    }
    rows_clear(&rows);
}

static void put_sources(struct page *page, const struct ls_result *result)
{
    bool published = false;

    for (size_t i = 0; i < result->runs_count; i++) {
        const char *source = result->runs[i].published.source;
        bool told = source == NULL;

        for (size_t n = 0; n < i && !told; n++) {
            told = result->runs[n].published.source != NULL &&
                   strcmp(result->runs[n].published.source, source) == 0;
        }
        if (!told) {
            page_put(page, PLAIN, 2, "published: %s", source);
        }
        published = published || source != NULL;
    }
    if (published) {
        page_put(
            page, PLAIN, 0,
            "Theirs is another machine, another TLS library and another network: the ratios can "
            "be compared, the milliseconds cannot.");
    }
}

void put_loops(struct page *page, const struct ls_result *result)
{
    for (size_t i = 0; i < result->runs[0].waves_count; i++) {
        put_wave(page, result, i);
    }
    put_traffic(page, result);
    put_ratios(page, result);
    page_put(
        page, PLAIN, 0,
        "To TLS is from the start of a login to the end of its TLS handshake, TCP included: what "
        "ab calls Connect. A login is over with its answer: ab's Total.");
    page_put(
        page, PLAIN, 0,
        "A closed loop starts a login when one before it is done. So a slow gateway is asked less "
        "often, and those who would have come meanwhile are in no figure: this is what a "
        "certificate costs, not what happens at 08:30. For that the arrivals must be open.");
    put_sources(page, result);
}

static void ms_words(const struct ls_quantiles *q, int64_t ns, char *out, size_t size)
{
    (void)snprintf(out, size, "-");
    if (q->count > 0) {
        (void)snprintf(out, size, "%.6f", (double)ns / 1e6);
    }
}

void put_quiet_loops(struct page *page, const struct ls_run *run, const char *name,
                     const char *rest)
{
    for (size_t i = 0; i < run->waves_count; i++) {
        const struct ls_wave_figures *wave = &run->waves[i];
        char mean[32], secured[32], p50[32], p100[32], rate[32] = "-";

        ms_words(&wave->handshake, wave->handshake.mean, mean, sizeof mean);
        ms_words(&wave->secured, wave->secured.p50, secured, sizeof secured);
        ms_words(&wave->login, wave->login.p50, p50, sizeof p50);
        ms_words(&wave->login, wave->login.p100, p100, sizeof p100);
        if (wave->logins_per_s >= 0) {
            (void)snprintf(rate, sizeof rate, "%.3f", wave->logins_per_s);
        }
        (void)fprintf(page->out,
                      "%s, %" PRId64 " at a time: %" PRId64 "/%" PRId64 " logged in, %" PRId64
                      " failed, %s a second, handshake mean %s ms, to TLS p50 %s ms, login p50 %s "
                      "ms, p100 %s ms, %s\n",
                      name, wave->concurrency, wave->logged_in, wave->logins, wave->failed, rate,
                      mean, secured, p50, p100, rest);
    }
}
