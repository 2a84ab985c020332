/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_STUDENT_H
#define LOGINSTORM_STUDENT_H

/* Student's t: how far a mean, or a slope, of few values may be off. */

/* The value that Student's t of so many degrees of freedom (a fraction, or infinity: the normal
 * distribution) stays below with probability p; 0.5 <= p < 1. */
double ls_student_at(double p, double degrees);

#endif
