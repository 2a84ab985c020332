/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LS_COMPARE_NOISE_H
#define LS_COMPARE_NOISE_H

/* A run's figures, and how far one run of the same certificate is from the next: private to this
 * room. */

#include "loginstorm/comparison.h"

/* In the figure's unit; negative when the run does not have it. */
double figure_of(const struct ls_run *run, enum ls_figure figure);

/* On the scale on which figures are subtracted: the logarithm, or for a share of users the arcsine of
 * its root. false when the run does not have it. */
bool figure_scaled(const struct ls_run *run, enum ls_figure figure, double *scaled);

/* Is it one of those that are judged for themselves (and not CPU a handshake times a constant)? */
bool figure_is_judged(enum ls_figure figure);

/* Standard deviations of the logarithm: of a single run, and of what all repeats of a storm have in
 * common. busy is the busiest slice's share of the gateway. */
double noise_of_run(enum ls_figure figure, double busy);
double noise_of_storm(enum ls_figure figure, double busy);

/* From here on a gateway is held to be as full as it gets. */
#define BUSY_MOST 0.95

/* The gateway's share of its cores in the run's busiest slice, 0 when not known. */
double busiest_share(const struct ls_run *run);

/* Standard error of a quantile or share among so many users on that scale; of a quantile from the
 * run's own other quantiles. 0 for what is neither. */
double sampling_error(const struct ls_run *run, enum ls_figure figure);

#endif
