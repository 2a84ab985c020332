/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_STORM_CHILD_H
#define LOGINSTORM_STORM_CHILD_H

/* The conductor's side of one process: started, spoken to, watched, reaped. */

#include <stdbool.h>
#include <stdint.h>

#include <uv.h>

#include "loginstorm/bursts.h"
#include "loginstorm/error.h"
#include "loginstorm/json.h"
#include "loginstorm/meter.h"
#include "loginstorm/record.h"
#include "storm/control.h"

#define ACCOUNT_NUMBERS 8
enum account_number {
    ACCOUNT_USER,
    ACCOUNT_SYSTEM,
    ACCOUNT_TLS,
    ACCOUNT_ACCEPTED,
    ACCOUNT_FLIGHTS,
    ACCOUNT_SECURED,
    ACCOUNT_FAILED,
    ACCOUNT_OPEN, /* connections now */
};

struct child;

struct child_calls {
    void (*line)(struct child *child, const struct control_line *line);
    void (*gone)(struct child *child); /* reaped, and all that it said was read */
};

struct child {
    uv_process_t process;
    struct control control;
    const struct child_calls *calls;
    void *data;
    bool is_worker;
    bool spawned, exited, gone;
    int64_t gone_ns; /* when that was noticed, on the monotonic clock */
    bool ready, fetched, decided;
    int64_t fetched_tickets;
    int accounts; /* answers to `account` so far */
    int64_t baseline[ACCOUNT_NUMBERS], account[ACCOUNT_NUMBERS];
    int64_t ticked[4]; /* started, logged in, failed, in flight */
    int64_t turn_ns, gap_ns, lost;
    struct ls_meter meter;
    int64_t cpu_ns, waited_ns; /* as last read */
    int64_t exit_status;
    int signal;
    struct ls_error error; /* what it said went wrong; code LS_OK when nothing */
    /* an injector's record, or a worker's bursts, in memory that both map */
    int record_fd;
    int schedule_fd; /* all injectors' schedule, only needed at the start; the act's to close */
    void *memory;
    size_t memory_size;
    struct ls_record *record;
    struct ls_bursts *bursts;
};

/* Starts program with command; takes job. child is zeroed but for calls, data, is_worker, record_fd
 * and schedule_fd (-1: none). */
LS_MUST_CHECK
enum ls_code child_start(struct child *child, uv_loop_t *loop, const char *program,
                         const char *command, json_t *job, struct ls_error *err);

/* An injector's record: memory of its own for so many rows, to be called before child_start. */
LS_MUST_CHECK
enum ls_code child_give_record(struct child *child, size_t logins, size_t handshakes,
                               struct ls_error *err);

/* A worker's bursts, likewise. So many of them tell a distribution to a thousandth, in half a
 * megabyte. */
#define CHILD_BURSTS 65536
LS_MUST_CHECK
enum ls_code child_give_bursts(struct child *child, struct ls_error *err);

void child_kill(struct child *child);

/* Reads the process's CPU clock, and how long it waited for its core; keeps the last reading when
 * it is gone. */
void child_read_cpu(struct child *child);

/* "the gateway died (signal 9)", or what it said of itself. */
void child_why(const struct child *child, char *out, size_t size);

/* Unmaps record and bursts. The loop must have run out. */
void child_clear(struct child *child);

#endif
