/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_NORMAL_H
#define LOGINSTORM_NORMAL_H

/*
 * The standard normal distribution, log and exp, the same bits on every machine: only + - * / and
 * sqrt, which IEEE 754 rounds exactly. Those of a C library differ in the last bit from one version,
 * and from one CPU's variant of them, to the next, and that would move due times and service times.
 */

/* x > 0. */
double ls_log_of(double x);

/* x in [-708, 708]. */
double ls_exp_of(double x);

/* The share below z; relative accuracy near 1e-14 in the lower tail, down to z = -37. */
double ls_normal_below(double z);

/* Its inverse, for p in (0, 1). */
double ls_normal_at(double p);

#endif
