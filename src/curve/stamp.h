/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_CURVE_STAMP_H
#define LOGINSTORM_CURVE_STAMP_H

/*
 * A time stamp as a log writes it -> a moment. Reading the text and finding the moment are apart,
 * since what a stamp leaves out (zone, year, which of two hours) is known only to the whole log.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "loginstorm/error.h"
#include "loginstorm/import.h"
#include "loginstorm/zone.h"

struct stamp {
    struct ls_civil civil; /* year 0: not written */
    bool has_offset;       /* a zone stood with it; civil is then of that zone */
    int offset_s;
    bool is_utc_ns; /* an epoch: utc_ns is the moment, civil is not used */
    int64_t utc_ns;
    bool swappable; /* day and month could stand the other way round, and civil has them as
                       `order` said, or as day, month where it said nothing */
    enum ls_import_order tells; /* its log's order, where a day beyond 12 shows it */
};

/*
 * Reads a stamp at the start of text. The forms:
 *
 *     2026-11-30T08:27:47.1234567Z    RFC 3339, ISO 8601: T, t or a blank; 1 to 9 digits; Z, z, +01,
 *                                     +0100, +01:00, UTC, GMT or no zone; 2026/11/30 as well
 *     20261130T082747Z                ISO 8601 without its marks; 20261130082747 as well
 *     10/Nov/2026:08:25:43 +0100      and 06/Nov/2026:08:14:14.655, 30-Nov-2026 08:27:47
 *     Mon Nov 30 08:27:47 2026        ctime; also with fractions, and a zone before the year
 *     Mon, 30 Nov 2026 08:27:47 GMT   the Internet's mail and web
 *     Nov 30 08:27:47                 syslog: neither year nor zone; "Nov 30 2026 08:27:47" has one
 *     03/07/2026:07:59:45 GMT         day and month as `order` says
 *     3/13/2026 3:09:10 PM            likewise; seconds may be left out
 *     30.11.2026 08:27:47             day first, unless `order` says otherwise
 *     1796027267.123                  an epoch: below 10^11 seconds, below 10^14 ms, below 10^17 us,
 *                                     else ns; a fraction only of seconds. So ms, us and ns before
 *                                     March 1973 would be read as seconds, ms and us. A number
 *                                     that looks like 20261130 or 202611300827 is refused.
 *
 * CET, CEST, WET, WEST, EET and EEST are zones too; other abbreviations are several zones at once
 * and refused. A stamp ends where no letter and no digit follows. Gives the number of bytes taken,
 * 0 where none of them stands there; *why is then what is wrong, static ("no such day").
 */
size_t stamp_read(struct stamp *out, const char *text, size_t size, enum ls_import_order order,
                  const char **why);

/*
 * Finds moments of one log's stamps, given in the log's order. What is not written is told by the
 * line before:
 *
 * - A year: the first line is taken for the latest that is not after `written_ns`, or is in
 *   wish->year; every other is taken for the year that is nearest to the line before. So a New Year
 *   within the log is crossed, forwards, and backwards in a log that begins with its newest line.
 * - Which of two, in an hour that comes twice: the first that is not before the line before, five
 *   minutes allowed for lines that are written late; in a log that begins with its newest line, the
 *   last that is not after it. The log's first line is taken for the first of two.
 * - A stamp in an hour that is left out: the clock was not put forward, and the moment is the one
 *   that it would have shown so (02:30 is that of 03:30 by the others).
 */
struct stamper {
    const struct ls_zone *zone; /* NULL: stamps without a zone are refused */
    enum ls_import_twice twice;
    int first_year;     /* of the first stamp without one; 0: by written_ns */
    int64_t written_ns; /* when the log was written, UTC */
    bool has_first;     /* of this log */
    int64_t first_ns;
    bool has_last; /* of this log; with a first_year of the one before too */
    int64_t last_ns;
    bool has_second; /* a second and its moment: logs repeat themselves */
    struct ls_civil second;
    int64_t second_ns;
    int64_t twice_count, left_out_count;
};

/* For a run over several logs; zone may be NULL. */
void stamper_init(struct stamper *stamper, const struct ls_zone *zone,
                  const struct ls_import_wish *wish);

/* Before each log: written_ns is the time of the file, or now for a pipe. */
void stamper_begin(struct stamper *stamper, int64_t written_ns);

/* NULL, or why there is no moment ("it has no zone: say --timezone, like Europe/Paris"), static. */
const char *stamper_moment(struct stamper *stamper, const struct stamp *stamp, int64_t *utc_ns);

#endif
