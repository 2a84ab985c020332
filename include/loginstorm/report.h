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

#include "loginstorm/comparison.h"
#include "loginstorm/error.h"
#include "loginstorm/plan.h"
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

/* Gauges and summaries in the text format that both OpenMetrics parsers and those of Prometheus's own
 * format (0.0.4, which node_exporter's textfile collector reads) take. The names: the tables in
 * src/report/metrics.c and openmetrics.c. */
LS_MUST_CHECK
enum ls_code ls_report_openmetrics(const struct ls_result *result, FILE *out, struct ls_error *err);

/* A test case a live run (may its measurement be trusted: an error where it is invalid or ended early)
 * and one a target: missed is a failure, not judged is skipped. */
LS_MUST_CHECK
enum ls_code ls_report_junit(const struct ls_result *result, FILE *out, struct ls_error *err);

/* A page of HTML that is one file and asks no server for anything: the answer, how far it can be trusted, pictures of the morning
 * (with a table behind each, for who has no script), the figures. Below 1 MB, whatever the result holds of users and hours. */
LS_MUST_CHECK
enum ls_code ls_report_html(const struct ls_result *result, FILE *out, struct ls_error *err);

/* The same page while the storm runs, with what is in result so far (its runs may be none): it listens at `stream`, a path of the
 * server that it came from, for server-sent events; what they are is told at the head of src/report/page.js. cores are those of
 * the gateway. */
LS_MUST_CHECK
enum ls_code ls_report_live_html(const struct ls_result *result, const char *stream, int cores,
                                 FILE *out, struct ls_error *err);

/* What both pages may do, as a header of that server tells it: a content security policy. */
LS_MUST_CHECK
enum ls_code ls_report_live_policy(FILE *out, struct ls_error *err);

LS_MUST_CHECK
enum ls_code ls_report_comparison_html(const struct ls_comparison *comparison, FILE *out,
                                       struct ls_error *err);
LS_MUST_CHECK
enum ls_code ls_report_plan_html(const struct ls_plan *plan, FILE *out, struct ls_error *err);

/* For tickets and merge requests on GitHub and GitLab: the answer, the figures, the targets, what to make of
 * it. Nothing of a name is a sign of Markdown, HTML or a mention. */
LS_MUST_CHECK
enum ls_code ls_report_markdown(const struct ls_result *result, FILE *out, struct ls_error *err);

/* A run's curve as a percentile table (.hgrm) of HdrHistogram, in ms; of a run from before there were curves,
 * its quantiles. */
enum ls_curve_of { LS_CURVE_OF_LOGIN, LS_CURVE_OF_HANDSHAKE };
LS_MUST_CHECK
enum ls_code ls_report_hgrm(const struct ls_run *run, enum ls_curve_of of, FILE *out,
                            struct ls_error *err);

/* Each pair of certificates with gains and intervals, and the recommendation. */
LS_MUST_CHECK
enum ls_code ls_report_comparison(const struct ls_comparison *comparison,
                                  const struct ls_report_look *look, FILE *out,
                                  struct ls_error *err);

/* A row a pair and figure. */
LS_MUST_CHECK
enum ls_code ls_report_comparison_csv(const struct ls_comparison *comparison, FILE *out,
                                      struct ls_error *err);

/* The farm for each certificate, the cliff behind it, and a paragraph. */
LS_MUST_CHECK
enum ls_code ls_report_plan(const struct ls_plan *plan, const struct ls_report_look *look,
                            FILE *out, struct ls_error *err);

/* A row a certificate and number of users. */
LS_MUST_CHECK
enum ls_code ls_report_plan_csv(const struct ls_plan *plan, FILE *out, struct ls_error *err);

/* What is known while a storm runs. */
struct ls_progress {
    const char *certificate;
    int64_t at_ns; /* time of day in the scenario; negative: none, in a closed loop */
    int64_t logged_in, failed, in_flight, users;
    int64_t p50_ns;        /* of those logged in so far, LS_NEVER_NS when none */
    double per_s;          /* logins a second, over the last second, real time */
    int64_t left_ns;       /* real time to the schedule's end; negative: none is known */
    const int64_t *slices; /* logins in each slice so far, for the sparkline */
    size_t slices_count;
};

/* One line, without its end, fitted to look->columns: short forms where it is narrow, then the
 * least important figures go. size: 512 is enough. */
void ls_report_progress(const struct ls_progress *progress, const struct ls_report_look *look,
                        char *line, size_t size);

/* text as one line of a terminal: what is hidden or broken is '?', without utf8 all is ASCII; cut to so
 * many columns (at least 1), and to size, where no character is torn. */
void ls_report_line(const char *text, size_t columns, bool utf8, char *line, size_t size);

/* Heights of values as one of ▁▂▃▄▅▆▇█ each (ASCII: " .:-=+*#"), scaled to the largest. size >= 3 *
 * count + 1. */
void ls_sparkline(const int64_t *values, size_t count, bool utf8, char *out, size_t size);

#endif
