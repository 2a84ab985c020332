/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "loginstorm/comparison.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/lines.h"
#include "report/table.h"

/* Beside a result's own table the figures that are one CPU times another constant say nothing new. */
static const enum ls_figure in_short[] = {LS_FIGURE_LOGIN_P50,  LS_FIGURE_LOGIN_P99,
                                          LS_FIGURE_LOGIN_P100, LS_FIGURE_CPU_HANDSHAKE,
                                          LS_FIGURE_BYTES,      LS_FIGURE_FAILED};

/* Where a heading has two lines, as much of a name stands above its column. */
#define SHORT_NAME 8

static void side_words(const struct ls_comparison *comparison, size_t side, char *out, size_t size)
{
    const int number = comparison->sides[side].number;

    if (number > 0) {
        (void)snprintf(out, size, "%.60s [%d]", comparison->sides[side].certificate, number);
    } else {
        (void)snprintf(out, size, "%.60s", comparison->sides[side].certificate);
    }
}

/* "-93 %", "+2.4 %", "×14.1": a share loses its meaning where it grows beyond a few times. */
static void gain_words(double ratio, char *out, size_t size)
{
    const double change = (ratio - 1) * 100;

    if (ratio >= 0 && fabs(change) < 0.05) {
        (void)snprintf(out, size, "0 %%");
    } else if (ratio < 0) {
        (void)snprintf(out, size, "-");
    } else if (ratio >= 1000) {
        (void)snprintf(out, size, "over ×1000");
    } else if (ratio >= 3) {
        (void)snprintf(out, size, ratio < 100 ? "×%.1f" : "×%.3g", ratio);
    } else if (change <= -99) {
        (void)snprintf(out, size, "%.1f %%", fmax(change, -99.9)); /* never all of it */
    } else {
        (void)snprintf(out, size, fabs(change) < 9.95 || change < -89.5 ? "%+.1f %%" : "%+.0f %%",
                       change);
    }
}

static void interval_words(const struct ls_compared *compared, char *out, size_t size)
{
    char low[24], high[24];

    if (compared->low < 0 || compared->high < 0) {
        out[0] = '\0';
    } else {
        gain_words(compared->low, low, sizeof low);
        gain_words(compared->high, high, sizeof high);
        (void)snprintf(out, size, "%s to %s", low, high);
    }
}

static void value_words(enum ls_figure figure, double value, char *out, size_t size)
{
    const char *unit = ls_figure_unit(figure);
    char count[32];

    if (value < 0) {
        (void)snprintf(out, size, "-");
    } else if (strcmp(unit, "us") == 0) {
        ls_format_ns((int64_t)llround(fmin(value, 9e15) * 1000), out, size);
    } else if (strcmp(unit, "share") == 0) {
        (void)snprintf(out, size, "%.3g %%", value * 100);
    } else if (strcmp(unit, "cores") == 0) {
        ls_format_cores(value, out, size);
    } else {
        ls_format_count((int64_t)llround(fmin(value, 9e15)), count, sizeof count);
        (void)snprintf(out, size, "%s%s", count, strcmp(unit, "per_s") == 0 ? "/s" : "");
    }
}

static const char *finding_words(enum ls_finding finding)
{
    switch (finding) {
    case LS_NOT_KNOWN:
        return "not known";
    case LS_NOT_COMPARED:
        return "not compared";
    case LS_NOT_JUDGED:
        return "not judged";
    case LS_NOT_SHOWN:
        return "none shown";
    case LS_LESS:
        return "less";
    case LS_MORE:
        return "more";
    }
    return "";
}

static const char *method_words(enum ls_method method)
{
    switch (method) {
    case LS_METHOD_NONE:
        return "not judged";
    case LS_METHOD_PAIRED:
        return "rounds side by side, geometric means";
    case LS_METHOD_WELCH:
        return "repeats of two storms, geometric means";
    case LS_METHOD_SINGLE:
        return "single runs, whose spread is assumed; --repeat 5 measures it";
    }
    return "";
}

static void fill_row(struct table *table, struct column *const *columns, size_t row,
                     const struct ls_pair *pair, enum ls_figure figure)
{
    const struct ls_compared *compared = &pair->figure[figure];
    char text[48];

    value_words(figure, compared->base, text, sizeof text);
    table_set(table, columns[0], row, PLAIN, "%s", text);
    value_words(figure, compared->value, text, sizeof text);
    table_set(table, columns[1], row, PLAIN, "%s", text);
    gain_words(compared->ratio, text, sizeof text);
    table_set(table, columns[2], row, PLAIN, "%s", text);
    interval_words(compared, text, sizeof text);
    table_set(table, columns[3], row, PLAIN, "%s", text);
    table_set(table, columns[4], row, compared->finding == LS_NOT_COMPARED ? YELLOW : PLAIN, "%s",
              finding_words(compared->finding));
}

static void put_figures(struct page *page, const struct ls_comparison *comparison,
                        const struct ls_pair *pair, bool shortened)
{
    const struct ls_compared *failed = &pair->figure[LS_FIGURE_FAILED];
    const size_t all = shortened ? sizeof in_short / sizeof in_short[0] : LS_FIGURE_COUNT;
    /* They are the last; where nobody failed there is nothing to say. */
    const size_t count = failed->value > 0 || failed->base > 0 ? all : all - 1;
    char words[LS_FIGURE_COUNT][48], *names[LS_FIGURE_COUNT];
    struct column *columns[5];
    struct table table;
    char base[96], side[96], short_base[96], short_side[96], share[32], cores[48], clock[16];

    if (comparison->sides[pair->against].peak_minute_at_ns >= 0) {
        ls_format_clock(comparison->sides[pair->against].peak_minute_at_ns, 0, clock, sizeof clock);
    } else {
        (void)snprintf(clock, sizeof clock, "peak");
    }
    (void)snprintf(cores, sizeof cores, "cores at %s", clock);
    for (size_t i = 0; i < count; i++) {
        const enum ls_figure figure = shortened ? in_short[i] : (enum ls_figure)i;

        (void)snprintf(words[i], sizeof words[i], "%s",
                       figure == LS_FIGURE_CORES ? cores : ls_figure_text(figure));
        names[i] = words[i];
    }
    if (!table_init_rows(&table, "", names, count, page->look->utf8)) {
        page->no_memory = true;
        table_free(&table);
        return;
    }
    side_words(comparison, (size_t)pair->against, base, sizeof base);
    side_words(comparison, (size_t)pair->side, side, sizeof side);
    (void)snprintf(share, sizeof share, "%.4g %% interval", comparison->confidence * 100);
    (void)snprintf(short_base, sizeof short_base, "%s", base);
    (void)snprintf(short_side, sizeof short_side, "%s", side);
    (void)text_cut(short_base, SHORT_NAME, page->look->utf8);
    (void)text_cut(short_side, SHORT_NAME, page->look->utf8);
    columns[0] = table_column(&table, (struct heading){base, short_base, "baseline", 2});
    columns[1] = table_column(&table, (struct heading){side, short_side, "compared", 3});
    columns[2] = table_column(&table, (struct heading){"change", "", "change", 0});
    columns[3] = table_column(&table, (struct heading){share, "", share, 0});
    columns[4] = table_column(&table, (struct heading){"difference", "", "difference", 1});
    for (size_t i = 0; i < count; i++) {
        fill_row(&table, columns, i, pair, shortened ? in_short[i] : (enum ls_figure)i);
    }
    table_put(page, &table);
    table_free(&table);
}

/* Each reason once, with the figures that it is of. */
static void put_whys(struct page *page, const struct ls_pair *pair)
{
    for (int f = 0; f < LS_FIGURE_COUNT; f++) {
        const char *why = pair->figure[f].why;
        char figures[256] = "";
        size_t used = 0, count = 0;
        bool told = why == NULL;

        for (int g = 0; g < LS_FIGURE_COUNT && !told; g++) {
            const char *other = pair->figure[g].why;

            if (other == NULL || strcmp(other, why) != 0) {
                continue;
            }
            told = g < f;
            if (used < sizeof figures) {
                used +=
                    (size_t)snprintf(figures + used, sizeof figures - used, "%s%s",
                                     count++ > 0 ? ", " : "", ls_figure_text((enum ls_figure)g));
            }
        }
        if (!told) {
            page_put(page, YELLOW, 2, "%s: %s", count == LS_FIGURE_COUNT ? "not compared" : figures,
                     why);
        }
    }
}

static bool was_compared(const struct ls_pair *pair)
{
    bool some = false;

    for (int f = 0; f < LS_FIGURE_COUNT; f++) {
        some = some || pair->figure[f].finding >= LS_NOT_JUDGED;
    }
    return some;
}

static bool is_repeated(const struct ls_comparison *comparison, const struct ls_pair *pair)
{
    return comparison->sides[pair->side].rounds > 1 || comparison->sides[pair->against].rounds > 1;
}

static void put_pair(struct page *page, const struct ls_comparison *comparison,
                     const struct ls_pair *pair, bool shortened)
{
    char base[96], side[96], rounds[48] = "";

    side_words(comparison, (size_t)pair->against, base, sizeof base);
    side_words(comparison, (size_t)pair->side, side, sizeof side);
    if (pair->rounds > 1) {
        (void)snprintf(rounds, sizeof rounds, "%d ", pair->rounds);
    }
    (void)fputc('\n', page->out);
    if (pair->method == LS_METHOD_SINGLE && is_repeated(comparison, pair)) {
        page_put(page, PLAIN, 2,
                 "%s against %s (%d run%s against %d, not of the same rounds: their spread is "
                 "assumed)",
                 side, base, comparison->sides[pair->side].rounds,
                 comparison->sides[pair->side].rounds == 1 ? "" : "s",
                 comparison->sides[pair->against].rounds);
    } else {
        page_put(page, PLAIN, 2, "%s against %s (%s%s)", side, base, rounds,
                 method_words(pair->method));
    }
    if (was_compared(pair)) {
        put_figures(page, comparison, pair, shortened);
    }
    put_whys(page, pair);
    for (char **note = pair->notes; note != NULL && *note != NULL; note++) {
        page_put(page, YELLOW, 2, "note: %s", *note);
    }
}

static void put_sides(struct page *page, const struct ls_comparison *comparison)
{
    int told = 0;

    for (size_t i = 0; i < comparison->sides_count; i++) {
        const int number = comparison->sides[i].number;

        if (number > told && comparison->sides[i].file != NULL) {
            page_put(page, PLAIN, 4, "[%d] %s", number, comparison->sides[i].file);
            told = number;
        }
    }
    for (size_t i = 0; i < comparison->sides_count; i++) {
        const struct ls_side *side = &comparison->sides[i];
        char name[96];

        side_words(comparison, i, name, sizeof name);
        if (side->left_out != NULL) {
            page_put(page, side->rounds == 0 ? RED : YELLOW, 2, "%s, left out: %s", name,
                     side->left_out);
        }
        if (side->rounds > 0 && side->verdict != LS_VALID) {
            page_put(page, YELLOW, 2, "%s: the measurement is suspect", name);
        }
    }
}

static void put_advice(struct page *page, const struct ls_comparison *comparison)
{
    if (comparison->advice_count == 0) {
        return;
    }
    (void)fputc('\n', page->out);
    page_put(page, PLAIN, 0, "What to make of it");
    for (size_t i = 0; i < comparison->advice_count; i++) {
        const struct ls_advice *advice = &comparison->advice[i];
        const bool policy = strcmp(advice->about, "policy") == 0;

        if (policy && (i == 0 || strcmp(comparison->advice[i - 1].about, "policy") != 0)) {
            page_put(page, PLAIN, 2, "- Not from this storm:");
        }
        page_put(page, strcmp(advice->about, "doubt") == 0 ? YELLOW : PLAIN, policy ? 4 : 2,
                 "%s- %s", policy ? "  " : "", advice->text);
    }
}

static void put_method(struct page *page, const struct ls_comparison *comparison)
{
    bool repeated = false, assumed = false;

    for (size_t i = 0; i < comparison->sides_count; i++) {
        repeated = repeated || comparison->sides[i].rounds > 1;
    }
    for (size_t i = 0; i < comparison->pairs_count; i++) {
        assumed = assumed || comparison->pairs[i].method == LS_METHOD_SINGLE;
    }
    if (comparison->judged > 0) {
        page_put(
            page, PLAIN, 0,
            "Login figures here are over all users, one who failed counting as longer than any. "
            "%sAll intervals hold together with %.4g %%%s (%d figure%s judged, those between "
            "any two certificates to choose from included).",
            repeated ? "Of repeats they are geometric means, where a run's own table has medians. "
                     : "",
            comparison->confidence * 100,
            assumed ? ", if single runs differ by no more than is assumed" : "", comparison->judged,
            comparison->judged == 1 ? "" : "s");
    }
}

void put_comparison(struct page *page, const struct ls_comparison *comparison, bool shortened)
{
    if (comparison->forced) {
        page_put(page, RED, 2,
                 "FORCED: storms, machines or builds that are not alike were compared.");
    }
    put_sides(page, comparison);
    for (size_t i = 0; i < comparison->pairs_count; i++) {
        put_pair(page, comparison, &comparison->pairs[i], shortened);
    }
    put_method(page, comparison);
    put_advice(page, comparison);
}

enum ls_code ls_report_comparison(const struct ls_comparison *comparison,
                                  const struct ls_report_look *look, FILE *out,
                                  struct ls_error *err)
{
    struct page page = {.out = out, .look = look};

    put_comparison(&page, comparison, false);
    return page_finish(&page, err);
}

static bool put_text_cell(const char *text, FILE *out)
{
    char *field = ls_csv_field(text != NULL ? text : "");

    if (field != NULL) {
        (void)fprintf(out, "%s,", field);
    }
    free(field);
    return field != NULL;
}

static void put_known(double value, FILE *out)
{
    if (value >= 0) {
        (void)fprintf(out, "%.15g", value);
    }
    (void)fputc(',', out);
}

static bool put_row(const struct ls_comparison *comparison, const struct ls_pair *pair,
                    enum ls_figure figure, FILE *out)
{
    const struct ls_side *side = &comparison->sides[pair->side];
    const struct ls_side *base = &comparison->sides[pair->against];
    const struct ls_compared *compared = &pair->figure[figure];
    char *why;

    if (!put_text_cell(side->certificate, out) || !put_text_cell(side->file, out) ||
        !put_text_cell(base->certificate, out) || !put_text_cell(base->file, out)) {
        return false;
    }
    (void)fprintf(out, "%s,%d,%s,%s,", ls_method_word(pair->method), pair->rounds,
                  ls_figure_word(figure), ls_figure_unit(figure));
    put_known(compared->base, out);
    put_known(compared->value, out);
    put_known(compared->ratio, out);
    put_known(compared->low, out);
    put_known(compared->high, out);
    why = ls_csv_field(compared->why != NULL ? compared->why : "");
    (void)fprintf(out, "%s,%s\n", ls_finding_word(compared->finding), why != NULL ? why : "");
    free(why);
    return why != NULL;
}

enum ls_code ls_report_comparison_csv(const struct ls_comparison *comparison, FILE *out,
                                      struct ls_error *err)
{
    (void)fputs("certificate,file,against,against_file,method,rounds,figure,unit,against_value,"
                "value,ratio,low,high,finding,why\n",
                out);
    for (size_t i = 0; i < comparison->pairs_count; i++) {
        for (int f = 0; f < LS_FIGURE_COUNT; f++) {
            if (!put_row(comparison, &comparison->pairs[i], (enum ls_figure)f, out)) {
                return ls_error_set(err, LS_ENOMEM, "no memory for the report");
            }
        }
    }
    if (fflush(out) != 0 || ferror(out) != 0) {
        return ls_error_set_errno(err, LS_EWRITE, "cannot write the report");
    }
    return LS_OK;
}
