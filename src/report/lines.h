/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LS_REPORT_LINES_H
#define LS_REPORT_LINES_H

/* What the report is put together from: private to this room. */

#include "report/page.h"

/* Ended early: said above everything else. */
void put_partial(struct page *page, const struct ls_result *result);

/* A row a run: who came in, how fast, at what cost. */
void put_main_table(struct page *page, const struct ls_result *result);

/* Where the gateway's CPU went; a sentence when no run knows. */
void put_cost_table(struct page *page, const struct ls_result *result);

/* May it be trusted, and why not. */
void put_verdicts(struct page *page, const struct ls_result *result);

/* Who was not logged in, by reason; what else went wrong on the way. */
void put_failures(struct page *page, const struct ls_result *result);

/* What sped-up latencies are and are not. */
void put_pace(struct page *page, const struct ls_result *result);

void put_peaks(struct page *page, const struct ls_result *result);
void put_targets(struct page *page, const struct ls_result *result);
void put_notes(struct page *page, const struct ls_result *result);

/* "60 times", "2.5 times". size >= 32 */
void speedup_words(double speedup, char *out, size_t size);

/* Is the scenario's own pace the run's? */
bool own_pace(const struct ls_result *result);

/* The fullest minute as a clock, when all runs have the same; else NULL. size >= 9 */
const char *peak_clock(const struct ls_result *result, char *out, size_t size);

#endif
