/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/imported.h"

#include <inttypes.h>
#include <stdio.h>

#include "cli/print.h"
#include "loginstorm/units.h"
#include "loginstorm/zone.h"

#define MOMENT 64

/* "2026-11-30 08:27:47" by the curve's clocks. */
static void say_moment(const struct ls_zone *zone, int64_t utc_ns, char out[MOMENT])
{
    struct ls_civil civil;

    ls_zone_civil(zone, utc_ns, &civil, NULL);
    (void)snprintf(out, MOMENT, "%04d-%02d-%02d %02d:%02d:%02d", civil.year, civil.month, civil.day,
                   civil.hour, civil.minute, civil.second);
}

static void say_count(int64_t count, const char *one, const char *many)
{
    char text[32];

    ls_format_count(count, text, sizeof text);
    (void)fprintf(stderr, "%s %s", text, count == 1 ? one : many);
}

static void print_input(const struct ls_import_summary *summary)
{
    (void)fprintf(stderr, "format       %s", summary->format);
    if (summary->tie[0] != '\0') {
        (void)fprintf(stderr, " (may as well be %s: --format settles it)", summary->tie);
    }
    (void)fprintf(stderr, "\nread         ");
    say_count(summary->files, "log, ", "logs, in the order given, ");
    if (summary->files_empty > 0) {
        say_count(summary->files_empty, "of them empty, ", "of them empty, ");
    }
    say_count(summary->lines, summary->unit, summary->unit);
    (void)fprintf(stderr, "%s, %.1f MB unpacked\ncounted      ", summary->lines == 1 ? "" : "s",
                  (double)summary->bytes / 1e6);
    print_tame(summary->counted, stderr);
    (void)fputc('\n', stderr);
}

static void print_time(const struct ls_import_summary *summary, const struct ls_zone *zone)
{
    char first[MOMENT], last[MOMENT], peak[MOMENT];

    say_moment(zone, summary->first_ns, first);
    say_moment(zone, summary->last_ns, last);
    say_moment(zone, summary->peak_minute_ns, peak);
    (void)fprintf(stderr, "span         %s to %s, %s%s\n", first, last, summary->timezone,
                  summary->timezone_assumed
                      ? ": --timezone tells where the users' clocks are, if elsewhere"
                      : "");
    (void)fprintf(stderr, "peak minute  %.16s with ", peak);
    say_count(summary->peak_minute_logins, "login\n", "logins\n");
}

static void print_doubts(const struct ls_import_summary *summary, const struct ls_zone *zone)
{
    char length[32], at[MOMENT];

    if (summary->disorder > 0) {
        (void)fprintf(stderr, "order        ");
        say_count(summary->disorder, "login", "logins");
        ls_format_duration(summary->worst_disorder_ns / LS_NS_PER_MS * LS_NS_PER_MS, length,
                           sizeof length);
        (void)fprintf(stderr, " stood behind a later one, by %s at most; the curve is sorted\n",
                      length);
    }
    if (summary->gaps > 0) {
        ls_format_duration(summary->longest_gap_ns / LS_NS_PER_S * LS_NS_PER_S, length,
                           sizeof length);
        say_moment(zone, summary->longest_gap_at_ns, at);
        (void)fprintf(stderr, "gaps         ");
        say_count(summary->gaps, "time", "times");
        (void)fprintf(stderr,
                      " nobody came for over ten minutes between 7 and 19 o'clock; the longest is "
                      "%s from %s on\n",
                      length, at);
    }
    if (summary->twice > 0) {
        (void)fprintf(stderr, "clock        ");
        say_count(summary->twice, "login is", "logins are");
        (void)fprintf(stderr, " of an hour that came twice (--twice says how it is told)\n");
    }
    if (summary->left_out > 0) {
        (void)fprintf(stderr, "clock        ");
        say_count(summary->left_out, "login is", "logins are");
        (void)fprintf(stderr, " of an hour that was not there: by a clock that was not put "
                              "forward\n");
    }
}

/* "log:17", "log, packet 17", "log:2, record 17". */
static void print_place(const struct ls_import_skip *skip, const char *unit)
{
    print_tame(skip->first_path, stderr);
    if (skip->first_line > 0) {
        (void)fprintf(stderr, ":%" PRId64, skip->first_line);
    }
    if (skip->first_record > 0) {
        (void)fprintf(stderr, ", %s %" PRId64, unit, skip->first_record);
    }
}

static void print_skips(const struct ls_import_summary *summary)
{
    int64_t lines = 0;

    for (size_t i = 0; i < summary->skips_count; i++) {
        lines += summary->skips[i].lines;
    }
    if (lines == 0) {
        return;
    }
    (void)fprintf(stderr, "no logins    ");
    say_count(lines, "line or record, by reason, with the first:\n",
              "lines or records, by reason, with the first:\n");
    for (size_t i = 0; i < summary->skips_count; i++) {
        const struct ls_import_skip *skip = &summary->skips[i];
        char count[32];

        ls_format_count(skip->lines, count, sizeof count);
        (void)fprintf(stderr, "%12s %s; ", count, skip->reason);
        print_place(skip, summary->unit);
        (void)fprintf(stderr, "%s%.60s\n", skip->first_text[0] == '\0' ? "" : ": ",
                      skip->first_text);
    }
}

void imported_print(const struct ls_import_summary *summary)
{
    struct ls_zone *zone;
    struct ls_error err;

    print_input(summary);
    (void)fprintf(stderr, "logins       ");
    say_count(summary->logins, "login", "logins");
    if (summary->users >= 0) {
        (void)fprintf(stderr, " of ");
        say_count(summary->users, "user", "users");
    }
    (void)fprintf(stderr, "%s\n", summary->exact ? "" : ", as counts per interval");
    /* The import has had it. */
    if (ls_zone_new(&zone, summary->timezone, &err) == LS_OK) {
        print_time(summary, zone);
        print_doubts(summary, zone);
        ls_zone_free(zone);
    }
    for (size_t i = 0; i < summary->notes_count; i++) {
        (void)fputs("note         ", stderr);
        print_tame(summary->notes[i], stderr);
        (void)fputc('\n', stderr);
    }
    print_skips(summary);
}
