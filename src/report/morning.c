/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The morning as a line of blocks: who was due when, and who failed when. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/lines.h"

#define LABEL_WIDTH ((size_t)18)
#define SPARK_MOST ((size_t)60)
#define TAIL_WIDTH ((size_t)28)
#define TAIL_SHORT ((size_t)10)

/* Whether a run is the first of its certificate. */
static bool is_first(const struct ls_result *result, size_t run)
{
    for (size_t i = 0; i < run; i++) {
        if (strcmp(result->runs[i].certificate, result->runs[run].certificate) == 0) {
            return false;
        }
    }
    return true;
}

static bool same_due(const struct ls_run *a, const struct ls_run *b)
{
    for (size_t i = 0; i < a->timeline_count || i < b->timeline_count; i++) {
        const int64_t due = i < a->timeline_count ? a->timeline[i].due : 0;

        if (due != (i < b->timeline_count ? b->timeline[i].due : 0)) {
            return false;
        }
    }
    return true;
}

/* "6,000, most 243 at 08:25", or its beginning where there is no room for so much. */
static void tail_of(const int64_t *values, size_t count, const char *peak_at, int64_t most,
                    size_t room, char *out, size_t size)
{
    char all[32], number[32];
    int64_t total = 0;

    for (size_t i = 0; i < count; i++) {
        total += values[i];
    }
    ls_format_count(total, all, sizeof all);
    ls_format_count(most, number, sizeof number);
    (void)snprintf(out, size, "  %s, most %s at %s", all, number, peak_at);
    if (strlen(out) > room) {
        (void)snprintf(out, size, "  %s", all);
    }
}

/* "logins due         08:00 ▁▂▄█▄▂▁ 09:00  6,000, most 243 at 08:25" */
static void put_line(struct page *page, enum colour colour, const char *label,
                     const struct ls_result *result, const int64_t *values, size_t count)
{
    const int64_t slice_ns = result->runs[0].slice_ns;
    const int seconds = slice_ns % LS_NS_PER_MIN != 0;
    const size_t columns = page->look->columns > 60 ? (size_t)page->look->columns : 60;
    int64_t merged[SPARK_MOST] = {0};
    char spark[3 * SPARK_MOST + 1], from[16], to[16], at[16], tail[96];
    const size_t tail_room = columns >= 80 ? TAIL_WIDTH : TAIL_SHORT;
    size_t peak = 0, room, each, slices;

    for (size_t i = 0; i < count; i++) {
        peak = values[i] > values[peak] ? i : peak;
    }
    ls_format_clock(result->from_ns, seconds, from, sizeof from);
    ls_format_clock(result->from_ns + (int64_t)count * slice_ns, seconds, to, sizeof to);
    ls_format_clock(result->from_ns + (int64_t)peak * slice_ns, seconds, at, sizeof at);
    tail_of(values, count, at, values[peak], tail_room, tail, sizeof tail);
    /* As wide as each other line of blocks; each block stands for as many slices, but for the last, which is scaled. */
    room = columns - LABEL_WIDTH - strlen(from) - strlen(to) - strlen("   ") - tail_room;
    room = room < SPARK_MOST ? room : SPARK_MOST;
    each = (count + room - 1) / room;
    slices = (count + each - 1) / each;
    for (size_t i = 0; i < count; i++) {
        merged[i / each] += values[i];
    }
    merged[slices - 1] =
        merged[slices - 1] * (int64_t)each / (int64_t)(count - (slices - 1) * each);
    ls_sparkline(merged, slices, page->look->utf8, spark, sizeof spark);
    page_put(page, colour, 2, "%s%*s %s %s %s%s", label, (int)(LABEL_WIDTH - text_width(label)), "",
             from, spark, to, tail);
}

/* "RSA 4096 failed", clean, with the name cut where it must be. */
static void label_of(const struct page *page, const struct ls_run *run, const char *what, char *out,
                     size_t size)
{
    char name[128];

    ls_report_line(run->certificate, LABEL_WIDTH - strlen(what) - 1, page->look->utf8, name,
                   sizeof name);
    (void)snprintf(out, size, "%s %s", name, what);
}

static void put_due(struct page *page, const struct ls_result *result, int64_t *values)
{
    bool same = true;

    for (size_t i = 1; i < result->runs_count; i++) {
        same = same && same_due(&result->runs[0], &result->runs[i]);
    }
    for (size_t r = 0; r < result->runs_count; r++) {
        const struct ls_run *run = &result->runs[r];
        char label[256];

        if (r > 0 && (same || !is_first(result, r))) {
            continue;
        }
        for (size_t i = 0; i < run->timeline_count; i++) {
            values[i] = run->timeline[i].due;
        }
        label_of(page, run, "due", label, sizeof label);
        put_line(page, PLAIN, same ? "logins due" : label, result, values, run->timeline_count);
    }
}

/* Of all rounds of a certificate; nothing where nobody failed. */
static void put_failed(struct page *page, const struct ls_result *result, size_t first,
                       int64_t *values, size_t room)
{
    const struct ls_run *run = &result->runs[first];
    size_t count = 0;
    int64_t total = 0;
    char label[256];

    memset(values, 0, room * sizeof *values);
    for (size_t r = first; r < result->runs_count; r++) {
        const struct ls_run *other = &result->runs[r];

        if (strcmp(other->certificate, run->certificate) != 0) {
            continue;
        }
        count = other->timeline_count > count ? other->timeline_count : count;
        for (size_t i = 0; i < other->timeline_count; i++) {
            values[i] += other->timeline[i].failed;
            total += other->timeline[i].failed;
        }
    }
    if (total > 0) {
        label_of(page, run, "failed", label, sizeof label);
        put_line(page, RED, label, result, values, count);
    }
}

void put_morning(struct page *page, const struct ls_result *result)
{
    size_t room = 0;
    int64_t *values;

    for (size_t i = 0; i < result->runs_count; i++) {
        room = result->runs[i].timeline_count > room ? result->runs[i].timeline_count : room;
        if (result->runs[i].timeline_count == 0 ||
            result->runs[i].slice_ns != result->runs[0].slice_ns) {
            return; /* of a file of before, or put together by hand */
        }
    }
    if (room == 0 || result->closed) {
        return;
    }
    values = calloc(room, sizeof *values);
    if (values == NULL) {
        page->no_memory = true;
        return;
    }
    (void)fputc('\n', page->out);
    put_due(page, result, values);
    for (size_t i = 0; i < result->runs_count; i++) {
        if (is_first(result, i)) {
            put_failed(page, result, i, values, room);
        }
    }
    free(values);
}
