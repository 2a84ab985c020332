/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_IMPORT_H
#define LOGINSTORM_IMPORT_H

/*
 * The import: logs of other systems in, a recorded curve out.
 *
 *     log files -> source (unpacked bytes) -> format (events) -> stamp (moments) -> [import] -> curve
 *
 * A log is read once, in constant memory but for the logins found (16 bytes each) and
 * their users (at most 36).
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "loginstorm/curve.h"
#include "loginstorm/error.h"

/* Which of two numbers below 13 is the day; UNKNOWN: a log that does not tell by itself is refused. */
enum ls_import_order { LS_DATE_UNKNOWN, LS_DATE_DAY_MONTH, LS_DATE_MONTH_DAY };

/* A local hour that comes twice: by the log's order (default), or always the first or second. */
enum ls_import_twice { LS_TWICE_ORDER, LS_TWICE_FIRST, LS_TWICE_SECOND };

struct ls_import_wish {
    const char *const *paths; /* "-" is stdin */
    size_t paths_count;
    const char *format;     /* its word, or NULL: found from the first lines */
    const char *log_format; /* nginx's log_format, in its words; NULL: the usual */
    /* Of stamps that have none, and of the curve. NULL: refused where a stamp has none or stands in
     * local time; the curve of a log in UTC is then one in UTC. */
    const char *timezone;
    const char *day; /* only logins of this local day, YYYY-MM-DD; NULL: all */
    enum ls_import_order date_order;
    enum ls_import_twice twice;
    int year; /* of the first stamp without one; 0: such that it is not after the file's time */
    const char *count;    /* what counts as a login, in the format's words; NULL: its default */
    const char *url;      /* part of the path of a web log's login, "POST /login": with its method;
                        NULL: every request */
    const char *time_key; /* CSV column or JSON key; NULL: found */
    const char *user_key;
    const char *count_key; /* a count per interval rather than a login a row */
    /* Called about ten times a second; total is 0 where not known (a pipe). */
    void (*progress)(int64_t bytes, int64_t total, int64_t logins, void *data);
    void *data;
};

/* Why lines were no logins: an open list, since a format has words of its own. */
#define LS_SKIPS_MAX 16
struct ls_import_skip {
    char reason[160];
    int64_t lines;
    char first_path[256]; /* where the first one stands */
    int64_t first_line;   /* 0: the log has no lines */
    int64_t first_record; /* of a log whose logins are no lines; else 0 */
    char first_text[128]; /* the shape of its beginning: x and 9 for every letter and digit, so that
                             no name, address or password is in it */
};

/* What else has to be known of what was read, in a sentence each. */
#define LS_NOTES_MAX 8

struct ls_import_summary {
    char format[96], counted[160];
    char tie[32];          /* the word of another format that the log may as well be in; or empty */
    char timezone[64];     /* of the curve */
    bool timezone_assumed; /* UTC, since nothing else was told */
    bool exact;            /* logins, else counts */
    int64_t files, files_empty;
    int64_t bytes, logins;
    int64_t lines; /* or records, as unit says */
    char unit[16]; /* one of them: "line", "event", "packet" */
    int64_t users; /* distinct; negative: not known */
    int64_t first_ns, last_ns, peak_minute_ns, peak_minute_logins; /* UTC; minute of the clock */
    int64_t disorder; /* logins that stood behind a later one of their log */
    int64_t worst_disorder_ns;
    int64_t gaps; /* longer than ten minutes between 7 and 19 o'clock local, and the longest */
    int64_t longest_gap_ns, longest_gap_at_ns;
    int64_t twice, left_out; /* stamps in an hour that comes twice, in one that is not there */
    size_t notes_count;
    char notes[LS_NOTES_MAX][200];
    size_t skips_count;
    struct ls_import_skip skips[LS_SKIPS_MAX];
};

/* The formats, for --help: word, what it is, what is counted by default, what --count takes (or
 * NULL); false beyond the last. */
struct ls_import_format {
    const char *word, *text, *counts, *words;
};
bool ls_import_format(struct ls_import_format *out, size_t index);

/*
 * Reads it all, log after log in the order given; the curve is in the order of time. LS_EINPUT with path and line for a log that cannot be read as any format, a zone or
 * date order that must be told, or a log without a login; a log that breaks off (a truncated gzip, half a document)
 * gives what stood before it, *broken says where, and LS_OK.
 */
LS_MUST_CHECK
enum ls_code ls_import_run(struct ls_curve **out, struct ls_import_summary *summary,
                           struct ls_error *broken, const struct ls_import_wish *wish,
                           struct ls_error *err);

#endif
