/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LS_REPORT_HTML_PARTS_H
#define LS_REPORT_HTML_PARTS_H

/* What the page of a result is put together from: private to this room. */

#include "report/answer.h"
#include "report/html.h"

/* Certificates in pictures and in the tables behind them; of more the tables of figures tell. */
#define HTML_SHOWN 12
/* Steps of a picture, and rows of the table behind it. */
#define HTML_STEPS_MOST 300
#define HTML_STEPS_LEAST 30
#define HTML_ROWS 60

/* The two sentences on top, under the question that they answer. */
void html_answer(struct page *page, const char *question, const struct answer *answer);

/* What page.js draws; of a live page, where it listens, and its gateway's cores. */
void html_result_data(struct page *page, const struct ls_result *medians, const char *stream,
                      int cores);
void html_plan_data(struct page *page, const struct ls_plan *plan);

/* Pictures of the morning, each with its table. */
void html_pictures(struct page *page, const struct rounds *rounds, bool live);

/* Bars: who did not get in, by reason; bytes a handshake. Nothing where there are none. */
void html_failure_bars(struct page *page, const struct ls_result *result);
void html_bytes_bars(struct page *page, const struct ls_result *result);

/* Runs that are in pictures, and steps: a picture of slices with a login or none each shows nothing. */
size_t html_shown(const struct ls_result *medians);
size_t html_steps(const struct ls_result *medians);

#endif
