/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LS_COMPARE_WORK_H
#define LS_COMPARE_WORK_H

/* A comparison while it is made: private to this room. */

#include "loginstorm/compare.h"

/* What a side of the comparison was made of; the same index as in comparison->sides. */
struct origin {
    const struct ls_result *result;
    size_t file;
    const struct ls_run **runs; /* those that count */
    size_t runs_count;
    const struct ls_run **whole; /* those that did not end early, the invalid ones too: their bytes
                                    are counted, and noise does not touch them */
    size_t whole_count;
    bool unlike;    /* beside its baseline only by --force: no conclusion leans on it */
    bool candidate; /* a certificate to choose from, its CPU beside the first one's */
};

struct work {
    const struct ls_compare_wish *wish;
    struct ls_comparison *comparison;
    struct origin *origins;
    struct ls_pair
        *rivals; /* candidates against each other, but for the first, which is in pairs */
    size_t rivals_count;
};

/* A sentence on the heap; NULL when there is no memory. */
char *sentence(const char *fmt, ...) LS_PRINTF(1, 2);

/* Finds the sides and which of their runs count. */
LS_MUST_CHECK
bool sides_gather(struct work *work);

/* May the two sides be held against each other? What is empty may; the rest says why not. */
struct grounds {
    char cpu[240], latency[240], bytes[240];
    bool unlike; /* what speaks against it was overruled by --force */
};
/* Adds what a reader must know to pair->notes. */
LS_MUST_CHECK
bool grounds_of(const struct work *work, struct ls_pair *pair, struct grounds *grounds);

/* Appends a sentence (which it takes) to notes; false when there is no memory, also for the
 * sentence. */
LS_MUST_CHECK
bool note_add(struct ls_pair *pair, char *note);

/* Is that run of the side in the pair? Of rounds side by side those are that both sides have. */
bool in_pair(const struct work *work, const struct ls_pair *pair, int side,
             const struct ls_run *run);

/* A side's value as the pair has it: over the rounds that are in it. false when there is no memory. */
LS_MUST_CHECK
bool pair_value(const struct work *work, const struct ls_pair *pair, int side,
                enum ls_figure figure, double *value);

/* Ratios, intervals and findings of all pairs. */
LS_MUST_CHECK
bool pairs_judge(struct work *work);

/* What the candidates' figure is, the one's against the other's, whichever of them is the baseline;
 * LS_NOT_KNOWN where they were not held against each other. */
enum ls_finding finding_between(const struct work *work, size_t one, size_t other,
                                enum ls_figure figure);

/* Frees what a pair points to. */
void pair_clear(struct ls_pair *pair);

/* The recommendation. */
LS_MUST_CHECK
bool advice_give(struct work *work);

/* "ECDSA P-256", with its number behind it where there are several results. */
void side_name(const struct work *work, size_t side, char *out, size_t size);

#endif
