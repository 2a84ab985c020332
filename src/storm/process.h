/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_STORM_PROCESS_H
#define LOGINSTORM_STORM_PROCESS_H

/* The process's side of the control lines: what an injector and a gateway worker have in common. */

#include "loginstorm/error.h"
#include "storm/control.h"

/* Opens standard input and output as control pipes on loop and says which version is spoken; name
 * is what `top` shows. From then on this process leaves signals from the terminal to the conductor.
 */
LS_MUST_CHECK
enum ls_code process_start(struct control *control, uv_loop_t *loop, const char *name,
                           struct ls_error *err);

/* Tells the conductor what went wrong and waits until it is told; returns the exit status for it.
 */
int process_fail(struct control *control, uv_loop_t *loop, const struct ls_error *err);

#endif
