/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LS_ARRIVALS_RECORDED_H
#define LS_ARRIVALS_RECORDED_H

/*
 * A recorded wave: the logins of a curve that fall into the window, and more or fewer of them.
 *
 *     wave, window -> [recorded] -> the moments of its users
 *
 * As many users as logins: the recorded moments, to the nanosecond; those of an interval's count are
 * drawn uniformly within it, which is a Poisson process given its count.
 *
 * Fewer: a random choice of the logins; the more are taken, the more of the same are.
 *
 * More: all of them, and further ones from the local rate. That rate is constant over pieces of a few
 * neighbouring logins each (PIECE_LOGINS), or over the curve's own intervals. So the additional
 * users follow the recorded shape as it was at each moment, but nobody comes at the very moment of
 * another, as a copy would, and what was chance in the seconds is not multiplied.
 *
 * Every draw hangs on (seed, wave, number of the login) alone.
 */

#include <stdio.h>

#include "loginstorm/error.h"
#include "loginstorm/scenario.h"
#include "loginstorm/schedule.h"

#define PIECE_LOGINS INT64_C(8)

/* A piece of constant rate. */
struct recorded_piece {
    int64_t from_ns, to_ns; /* from the window's start */
    int64_t before;         /* logins before it */
    int64_t logins;
};

struct recorded {
    uint64_t wave;
    bool exact;
    int64_t days;   /* over which the logins are averaged, else 1 */
    int64_t *at_ns; /* exact: ascending */
    int64_t count;
    int64_t span_ns; /* of the window, which a change of the clocks makes longer or shorter */
    struct recorded_piece *pieces;
    size_t pieces_count;
};

/* Reads the curve and cuts the window out of the day that is asked for; name is the wave's, for
 * messages. Writes what was done to notes, a sentence a line. */
LS_MUST_CHECK
enum ls_code recorded_init(struct recorded *recorded, const struct ls_scenario *scenario,
                           size_t wave, const char *name, FILE *notes, struct ls_error *err);
void recorded_free(struct recorded *recorded);

/* How many users that is, times scale: of several days the average. At least one. */
double recorded_users(const struct recorded *recorded, double scale);

/* Fills rows with so many users by that seed: at_ns, and in due_ns the number of the draw, from first
 * on. */
LS_MUST_CHECK
enum ls_code recorded_draw(const struct recorded *recorded, uint64_t seed, int64_t users,
                           int64_t first, struct ls_arrival *rows, FILE *notes,
                           struct ls_error *err);

#endif
