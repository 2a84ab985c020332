/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_STORM_OUTSIDE_H
#define LOGINSTORM_STORM_OUTSIDE_H

/*
 * What a gateway that is not ours takes of its CPU, as an act goes on: some seconds before the storm,
 * which are subtracted, then until its last login is decided. Without a source all of this does
 * nothing, and is done at once.
 */

#include <uv.h>

#include "loginstorm/error.h"
#include "loginstorm/meter.h"
#include "loginstorm/result.h"
#include "loginstorm/scenario.h"

#define OUTSIDE_BASELINE_MAX 16
#define OUTSIDE_NOTES_MAX 6

struct act;

struct outside {
    struct ls_watch *watch; /* NULL: nobody knows what the gateway spends */
    uv_timer_t timer;
    void (*moved)(struct act *act); /* something came that an act may have waited for */
    enum { OUTSIDE_READY, OUTSIDE_BASELINE, OUTSIDE_BASED, OUTSIDE_LAST, OUTSIDE_OVER } phase;
    bool open; /* timer */
    int64_t asked_ns;
    int tries;  /* of the last reading */
    bool stale; /* what was asked before the storm's end is still to come */
    struct ls_watch_reading baseline[OUTSIDE_BASELINE_MAX]; /* its last one is the storm's first */
    size_t baseline_count;
    int64_t own_base_ns;              /* what our own processes had spent at the first reading */
    double idle, idle_low, idle_high; /* cores before the storm */
    double idle_error;                /* how far that mean may be off */
    struct ls_watch_reading last;
    int64_t raw_ns;      /* the clock as last read */
    int64_t tick_us;     /* of all its steps the greatest common divisor */
    struct ls_error why; /* no reading came; code LS_OK otherwise */
    struct ls_cpu_sample *samples;
    size_t samples_count, samples_capacity;
    char texts[OUTSIDE_NOTES_MAX][768];
    const char *notes[OUTSIDE_NOTES_MAX + 1];
};

/* Finds the source. */
LS_MUST_CHECK
enum ls_code outside_start(struct act *act, void (*moved)(struct act *act), struct ls_error *err);

/* How long it takes to see what a gateway does before a storm: 0 where nobody looks. */
int64_t outside_baseline_ns(const struct ls_scenario *scenario);

/* Before the storm. When all has been read, or cannot be (then why says so), it calls moved. */
void outside_take_baseline(struct act *act);
bool outside_has_base(const struct act *act);

/* Now and then while it goes on. */
void outside_sample(struct act *act);

/* As last read, for a picture as it goes; negative where that is not known, or only now and then. */
int64_t outside_cpu_ns(const struct act *act);

/* When it is over; once more it does nothing. */
void outside_finish(struct act *act);
bool outside_is_busy(const struct act *act);

/* Waits for nothing more: what has not come by now is not known. */
void outside_give_up(struct act *act);

/* The account of an act that is over, and its notes, which the act keeps. */
void outside_account(struct act *act, struct ls_gateway_account *account);

void outside_close(struct act *act); /* the loop must run out behind it */
void outside_clear(struct act *act);

#endif
