/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/page.h"

#define NAME_WIDTH ((size_t)14)
#define CUT_LEAST ((size_t)8)
#define SPARK_MOST 40
#define SPARK_LEAST 8

void ls_sparkline(const int64_t *values, size_t count, bool utf8, char *out, size_t size)
{
    static const char *const blocks[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    static const char ascii[] = " .:-=+*#";
    int64_t largest = 0;
    size_t used = 0;

    for (size_t i = 0; i < count; i++) {
        largest = values[i] > largest ? values[i] : largest;
    }
    for (size_t i = 0; i < count; i++) {
        const double share = values[i] > 0 ? (double)values[i] / (double)largest : 0;
        const int height = (int)ceil(share * 7); /* whoever is there is seen */
        const size_t length = utf8 ? 3 : 1;

        if (used + length >= size) {
            break;
        }
        if (utf8) {
            memcpy(out + used, blocks[height], length);
        } else {
            out[used] = ascii[height];
        }
        used += length;
    }
    if (size > 0) {
        out[used] = '\0';
    }
}

void ls_report_line(const char *text, size_t columns, bool utf8, char *line, size_t size)
{
    char *clean = clean_text(text, utf8);
    size_t used = 0;

    if (clean != NULL) {
        (void)text_cut(clean, columns > 0 ? columns : 1, utf8);
        used = strlen(clean);
        if (used >= size) { /* characters of several bytes, or of no width */
            used = size - 1;
            while (used > 0 && ((unsigned char)clean[used] & 0xc0) == 0x80) {
                used--;
            }
        }
        memcpy(line, clean, used);
    }
    line[used] = '\0';
    free(clean);
}

struct style {
    bool utf8, narrow;
};

/* One part of the line; the least important go when there is no room. */
struct part {
    bool gone;
    enum colour colour;
    char text[160];
};

enum { NAME, CLOCK, SPARK, LOGGED_IN, FAILED, LEFT, IN_FLIGHT, P50, RATE, PARTS };

static void fill_counts(const struct ls_progress *progress, bool narrow, struct part *parts)
{
    char count[32], all[32];

    ls_format_count(progress->logged_in, count, sizeof count);
    ls_format_count(progress->users, all, sizeof all);
    (void)snprintf(parts[LOGGED_IN].text, sizeof parts[0].text,
                   narrow ? "%s/%s" : "%s of %s logged in", count, all);
    ls_format_count(progress->failed, count, sizeof count);
    (void)snprintf(parts[FAILED].text, sizeof parts[0].text, "%s failed", count);
    parts[FAILED].colour = progress->failed > 0 ? RED : PLAIN;
    ls_format_count(progress->in_flight, count, sizeof count);
    (void)snprintf(parts[IN_FLIGHT].text, sizeof parts[0].text, "%s in flight", count);
    ls_format_ns(progress->p50_ns, count, sizeof count);
    (void)snprintf(parts[P50].text, sizeof parts[0].text, "p50 %s", count);
    ls_format_count(llround(progress->per_s), count, sizeof count);
    (void)snprintf(parts[RATE].text, sizeof parts[0].text, "%s/s", count);
    if (progress->left_ns < 0) {
        parts[LEFT].text[0] = '\0';
    } else if (progress->left_ns > 0) {
        ls_format_count((progress->left_ns + LS_NS_PER_S - 1) / LS_NS_PER_S, count, sizeof count);
        (void)snprintf(parts[LEFT].text, sizeof parts[0].text, "%s s left", count);
    } else {
        (void)snprintf(parts[LEFT].text, sizeof parts[0].text, "the last ones");
    }
}

static void clean_part(struct part *part, bool utf8)
{
    char *clean = clean_text(part->text, utf8);

    if (clean != NULL) {
        (void)snprintf(part->text, sizeof part->text, "%s", clean);
    } else {
        part->text[0] = '\0';
    }
    free(clean);
}

/* The name is cut before it is copied: a part has room for so many characters, not for any name. */
static void fill_name(const struct ls_progress *progress, bool utf8, bool narrow, struct part *part)
{
    char *name = clean_text(progress->certificate, utf8);
    size_t width;

    if (name == NULL) {
        return;
    }
    width = text_cut(name, NAME_WIDTH, utf8);
    (void)snprintf(part->text, sizeof part->text, "%s%*s", name,
                   (int)(width < NAME_WIDTH && !narrow ? NAME_WIDTH - width : 0), "");
    free(name);
}

/* The slices, merged until they are few enough for the columns that are left. */
static void fill_spark(const struct ls_progress *progress, size_t columns, bool utf8,
                       struct part *part)
{
    int64_t merged[SPARK_MOST] = {0};
    size_t count = progress->slices_count < columns ? progress->slices_count : columns;

    count = count < SPARK_MOST ? count : SPARK_MOST;
    part->text[0] = '\0';
    if (count == 0) {
        return;
    }
    for (size_t i = 0; i < progress->slices_count; i++) {
        merged[i * count / progress->slices_count] += progress->slices[i];
    }
    ls_sparkline(merged, count, utf8, part->text, sizeof part->text);
}

/* " · " between the figures where there is room, two blanks between what stands before them. */
static const char *before(size_t i, bool first, const struct style *style)
{
    if (first) {
        return "";
    }
    return i <= LOGGED_IN || style->narrow ? "  " : style->utf8 ? " · " : " | ";
}

static const int order[] = {NAME, CLOCK, SPARK, LOGGED_IN, RATE, IN_FLIGHT, FAILED, P50, LEFT};

static size_t line_width(const struct part *parts, const struct style *style)
{
    size_t width = 0;

    for (size_t i = 0; i < PARTS; i++) {
        const struct part *part = &parts[order[i]];

        if (!part->gone && part->text[0] != '\0') {
            width += text_width(before(i, width == 0, style)) + text_width(part->text);
        }
    }
    return width;
}

static void drop_until_it_fits(struct part *parts, size_t columns, const struct style *style)
{
    static const int drops[] = {RATE, P50, IN_FLIGHT, LEFT, CLOCK, FAILED, NAME};

    for (size_t i = 0; i < sizeof drops / sizeof drops[0] && line_width(parts, style) > columns;
         i++) {
        if (drops[i] != FAILED || parts[FAILED].colour == PLAIN) {
            parts[drops[i]].gone = true;
        }
    }
}

/* Last resort: failures stay beside as much of the rest as there is room for. */
static void cut_to(struct part *parts, size_t columns, size_t width, bool utf8)
{
    const size_t others = width - text_width(parts[LOGGED_IN].text);

    parts[FAILED].gone = parts[FAILED].gone || others + CUT_LEAST > columns;
    (void)text_cut(parts[LOGGED_IN].text, parts[FAILED].gone ? columns : columns - others, utf8);
}

/* Whole or not at all: a colour that was begun is ended, a character is never torn. */
static size_t append(char *line, size_t size, size_t used, const char *gap, const struct part *part,
                     bool coloured)
{
    const int length = snprintf(line + used, size - used, "%s%s%s%s", gap,
                                coloured ? "\x1b[31m" : "", part->text, coloured ? "\x1b[0m" : "");

    if (length < 0 || (size_t)length >= size - used) {
        line[used] = '\0';
        return used;
    }
    return used + (size_t)length;
}

static void fill(const struct ls_progress *progress, const struct style *style, struct part *parts)
{
    fill_counts(progress, style->narrow, parts);
    fill_name(progress, style->utf8, style->narrow, &parts[NAME]);
    if (progress->at_ns >= 0) {
        ls_format_clock(progress->at_ns, 0, parts[CLOCK].text, sizeof parts[CLOCK].text);
    }
    for (size_t i = 0; i < PARTS; i++) {
        clean_part(&parts[i], style->utf8);
    }
}

void ls_report_progress(const struct ls_progress *progress, const struct ls_report_look *look,
                        char *line, size_t size)
{
    const size_t columns = look->columns > 0 ? (size_t)look->columns : 80;
    struct style style = {.utf8 = look->utf8};
    struct part parts[PARTS] = {0};
    size_t used = 0, width;

    if (size == 0) {
        return;
    }
    line[0] = '\0';
    fill(progress, &style, parts);
    if (line_width(parts, &style) > columns) {
        style.narrow = true;
        fill(progress, &style, parts);
        drop_until_it_fits(parts, columns, &style);
    }
    width = line_width(parts, &style);
    if (width + 2 + SPARK_LEAST <= columns) {
        fill_spark(progress, columns - width - 2, look->utf8, &parts[SPARK]);
    }
    if (width > columns) {
        cut_to(parts, columns, width, look->utf8);
    }
    for (size_t i = 0; i < PARTS; i++) {
        const struct part *part = &parts[order[i]];

        if (!part->gone && part->text[0] != '\0') {
            used = append(line, size, used, before(i, used == 0, &style), part,
                          look->colour && part->colour == RED);
        }
    }
}
