/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LS_REPORT_ROUNDS_H
#define LS_REPORT_ROUNDS_H

/*
 * A repeated storm as people read it: private to this room. Two views of a result: `medians` has one
 * run a certificate, `named` has them all, each with its round in its name. A result without repeats
 * is both of its own views.
 */

#include "loginstorm/result.h"

struct rounds {
    int most;          /* rounds that the certificate with the most of them has */
    int fewest, taken; /* that are in the medians of the certificate with the fewest, the most */
    int left_out;      /* that are in none: invalid or ended early, beside others that are not */
    struct ls_result medians, named;
    const struct ls_result *whole; /* the result itself */
};

/* The views lean on result, which must outlive them. False when there is no memory; rounds_clear is
 * due either way. */
LS_MUST_CHECK
bool rounds_init(struct rounds *rounds, const struct ls_result *result);
void rounds_clear(struct rounds *rounds);

/* That the figures are medians, and of how many rounds. */
struct page;
void put_medians(struct page *page, const struct rounds *rounds);

#endif
