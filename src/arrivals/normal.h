/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LS_ARRIVALS_NORMAL_H
#define LS_ARRIVALS_NORMAL_H

/*
 * The standard normal distribution, the same bits on every machine: only + - * / and sqrt, which
 * IEEE 754 rounds exactly. The exp and log of a C library differ in the last bit from one version,
 * and from one CPU's variant of them, to the next, and that would move due times.
 */

/* The share below z; relative accuracy near 1e-14 in the lower tail, down to z = -37. */
double normal_below(double z);

/* Its inverse, for p in (0, 1). */
double normal_at(double p);

#endif
