/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_STORM_CONTROL_H
#define LOGINSTORM_STORM_CONTROL_H

/*
 * The lines between a conductor and its processes: a verb and numbers, or a verb and text.
 *
 *     process -> conductor
 *         control VERSION                              first of all
 *         ready                                        prepared
 *         fetching DONE                                tickets that are there so far
 *         fetched                                      all are
 *         tick STARTED LOGGED_IN FAILED IN_FLIGHT      how it stands
 *         decided                                      the last login is
 *         account USER SYSTEM TLS ACCEPTED FLIGHTS SECURED FAILED OPEN
 *         facts TURN_NS GAP_NS LOST                    before an injector's end
 *         error CODE TEXT                              and then the end
 *
 *     conductor -> process
 *         fetch                                        get the tickets of those who resume
 *         account                                      answer with `account`
 *         go START_NS                                  the storm begins then
 *         release                                      all are decided: let go, end
 *         stop                                         end early
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <uv.h>

#define CONTROL_VERSION 2
#define CONTROL_NUMBERS 8
#define CONTROL_LINE_MAX 1024

struct control_line {
    char verb[16];
    int64_t numbers[CONTROL_NUMBERS];
    int count;        /* of numbers */
    const char *text; /* behind the verb and, for `error`, behind its number */
};

/* false for what is no line of ours. line's text points into text. */
bool control_parse(const char *text, struct control_line *line);

struct control {
    uv_pipe_t in, out;
    char buffer[CONTROL_LINE_MAX];
    size_t used;
    void (*line)(struct control *control, const struct control_line *line);
    void (*ended)(
        struct control *control); /* the other side is gone, or does not speak our language */
    void *data;
    bool is_over;
};

/* Over two pipes that are open (or opened by uv_spawn) already. */
int control_start(struct control *control);

/* Sends one line, without its end. A line that cannot be sent is dropped: the other side's end
 * tells. */
void control_send(struct control *control, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

void control_close(struct control *control, uv_close_cb closed);

#endif
