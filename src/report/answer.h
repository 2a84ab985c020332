/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LS_REPORT_ANSWER_H
#define LS_REPORT_ANSWER_H

/*
 * What a result comes to, in two sentences for who decides: does the gateway stand this morning, with which certificate, with how
 * much room. Private to this room. Nothing is claimed that the result does not hold: what is invalid, ended early or was never asked
 * is said first.
 */

#include "report/rounds.h"

#include "loginstorm/plan.h"

enum answer_tone { ANSWER_YES, ANSWER_MIXED, ANSWER_NO, ANSWER_UNKNOWN };

struct answer {
    enum answer_tone tone;
    char *stands, *room; /* a sentence each, on the heap; as it is, not clean */
};

/* False when there is no memory; answer_clear is due either way. */
LS_MUST_CHECK
bool answer_of(struct answer *answer, const struct rounds *rounds);
LS_MUST_CHECK
bool answer_of_plan(struct answer *answer, const struct ls_plan *plan);
void answer_clear(struct answer *answer);

/* "yes", "mixed", "no", "unknown" */
const char *answer_word(enum answer_tone tone);

#endif
