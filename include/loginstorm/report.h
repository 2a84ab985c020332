/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_REPORT_H
#define LOGINSTORM_REPORT_H

/*
 * The report: a result as bytes for people and programs. Nothing is measured or decided here.
 *
 *     result -> [report] -> FILE *
 */

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "loginstorm/error.h"
#include "loginstorm/result.h"

struct ls_report_look {
    int columns; /* width of the terminal, 80 when not known */
    bool colour;
    bool utf8;  /* else plain ASCII: no sparkline blocks, "us" for µs */
    bool quiet; /* one line a run for a script, nothing else */
};

/* The two lines on top: what storm this is, and where it runs. */
LS_MUST_CHECK
enum ls_code ls_report_heading(const struct ls_result *result, const struct ls_report_look *look,
                               FILE *out, struct ls_error *err);

/* The table, the verdicts, the notes, the targets. Works for a result without runs ("nothing was
 * measured"). */
LS_MUST_CHECK
enum ls_code ls_report_text(const struct ls_result *result, const struct ls_report_look *look,
                            FILE *out, struct ls_error *err);

/* A row a run: the table's figures with units in the header, for spreadsheets. */
LS_MUST_CHECK
enum ls_code ls_report_csv(const struct ls_result *result, FILE *out, struct ls_error *err);

/* What is known while a storm runs. */
struct ls_progress {
    const char *certificate;
    int64_t at_ns; /* time of day in the scenario */
    int64_t logged_in, failed, in_flight, users;
    int64_t p50_ns;        /* of those logged in so far, LS_NEVER_NS when none */
    double per_s;          /* logins a second, over the last second, real time */
    int64_t left_ns;       /* real time to the schedule's end */
    const int64_t *slices; /* logins in each slice so far, for the sparkline */
    size_t slices_count;
};

/* One line, without its end, fitted to look->columns: short forms where it is narrow, then the
 * least important figures go. size: 512 is enough. */
void ls_report_progress(const struct ls_progress *progress, const struct ls_report_look *look,
                        char *line, size_t size);

/* Heights of values as one of ▁▂▃▄▅▆▇█ each (ASCII: " .:-=+*#"), scaled to the largest. size >= 3 *
 * count + 1. */
void ls_sparkline(const int64_t *values, size_t count, bool utf8, char *out, size_t size);

#endif
