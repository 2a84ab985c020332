/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LS_REPORT_LINES_H
#define LS_REPORT_LINES_H

/* What the report is put together from: private to this room. */

#include "loginstorm/comparison.h"

#include "report/page.h"

/* What storm this is, and where it runs. */
void put_heading(struct page *page, const struct ls_result *result);

/* Ended early: said above everything else. */
void put_partial(struct page *page, const struct ls_result *result);

/* A row a run: who came in, how fast, at what cost. */
void put_main_table(struct page *page, const struct ls_result *result);

/* Who was due when, and who failed when, as lines of blocks; nothing of a closed loop. */
void put_morning(struct page *page, const struct ls_result *result);

/* The same for closed loops: a table a loop, bytes, ratios to the first run, and what a closed loop
 * does not say. There is a run at least. */
void put_loops(struct page *page, const struct ls_result *result);

/* A line a loop for a script: name is clean, rest is of the whole run. */
void put_quiet_loops(struct page *page, const struct ls_run *run, const char *name,
                     const char *rest);

/* "-96 %" of value against base; empty where one is not known or base is 0. size >= 32 */
void change_words(double base, double value, char *out, size_t size);

/* Where the gateway's CPU went; a sentence when no run knows. */
void put_cost_table(struct page *page, const struct ls_result *result);

/* What a handshake puts on the wire, and an empty line; nothing when no run knows. */
void put_bytes_table(struct page *page, const struct ls_result *result);

/* May it be trusted, and why not. */
void put_verdicts(struct page *page, const struct ls_result *result);

/* A simulation: nothing was measured but the costs. */
bool is_simulated(const struct ls_result *result);

/* Its many mornings, how it went on from the first, and where the costs are from. */
void put_simulated(struct page *page, const struct ls_result *result);

/* The reasons alone. */
void put_reasons(struct page *page, const struct ls_result *result);

/* Who was not logged in, by reason; what else went wrong on the way. */
void put_failures(struct page *page, const struct ls_result *result);

/* Whether there is anything in that to tell of users who did not get in. */
bool has_failures(const struct ls_result *result);

/* What a mean over full and resumed handshakes is; nothing where none was resumed. */
void put_resumed(struct page *page, const struct ls_result *result);

/* Tickets that a gateway did not take. */
void put_tickets(struct page *page, const struct ls_run *run);

/* "35 %": the resumed ones of a run's secured handshakes; false when that is none. size >= 16 */
bool resumed_words(const struct ls_run *run, char *out, size_t size);
bool any_resumed(const struct ls_result *result);

/* What sped-up latencies are and are not. */
void put_pace(struct page *page, const struct ls_result *result);

void put_peaks(struct page *page, const struct ls_result *result);
void put_targets(struct page *page, const struct ls_result *result);
void put_notes(struct page *page, const struct ls_result *result);

/* Pair by pair, and what to make of it; shortened beside a table that has the figures. */
void put_comparison(struct page *page, const struct ls_comparison *comparison, bool shortened);

/* "60 times", "2.5 times". size >= 32 */
void speedup_words(double speedup, char *out, size_t size);

/* Is the scenario's own pace the run's? */
bool own_pace(const struct ls_result *result);

/* The fullest minute as a clock, when all runs have the same; else NULL. size >= 9 */
const char *peak_clock(const struct ls_result *result, char *out, size_t size);

#endif
