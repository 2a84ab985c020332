/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who starts when. In an open loop whoever is due; in a closed one so many at a time, the next when one
 * of them has gone, and the next wave when all of the one before have. */
#include "engine/login.h"

#include <sys/timerfd.h>
#include <unistd.h>

#include "loginstorm/units.h"

/* Users started in one go before the sockets are looked at again: about 1 ms of connect() calls. */
#define STARTS_PER_TURN 64

enum ls_code pace_check(const struct ls_engine_job *job, struct ls_error *err)
{
    if (job->schedule->waves_count > 0 && job->shards > 1) {
        return ls_error_set(err, LS_EINPUT, "a closed loop has one injector, not %d", job->shards);
    }
    return LS_OK;
}

static bool is_closed(const struct ls_engine *engine)
{
    return engine->job.schedule->waves_count > 0;
}

/* Whether the loop has room for its next user. */
static bool has_room(struct ls_engine *engine)
{
    const struct ls_loop_wave *wave = &engine->job.schedule->waves[engine->wave];

    if (engine->next == wave->first + wave->count) {
        if (engine->present > 0) {
            return false;
        }
        wave = &engine->job.schedule->waves[++engine->wave];
    }
    return engine->present < (size_t)wave->concurrency;
}

/* The moment at which the next user may start, ns since the run's start; INT64_MAX: not by the clock. */
static int64_t next_ns(struct ls_engine *engine)
{
    if (engine->next == engine->slots_count || engine->ending) {
        return INT64_MAX;
    }
    if (is_closed(engine)) {
        return has_room(engine) ? 0 : INT64_MAX;
    }
    return engine->slots[engine->next].row.due_ns;
}

void pace_start_due(void *data)
{
    struct ls_engine *engine = data;

    for (int n = 0; n < STARTS_PER_TURN; n++) {
        if (next_ns(engine) > ls_now_ns() - engine->start_ns) {
            return;
        }
        engine->present++;
        slot_start(&engine->slots[engine->next++]);
    }
}

/* Sets the timer for the next user: a timerfd, since libuv's own timers know milliseconds only. */
static int arm_pacer(struct ls_engine *engine)
{
    struct itimerspec next = {0};
    const int64_t in_ns = next_ns(engine);
    int64_t at_ns;

    if (in_ns < INT64_MAX) {
        at_ns = engine->start_ns + in_ns;
        at_ns = at_ns > 1 ? at_ns : 1; /* 0 would disarm it */
        next.it_value.tv_sec = at_ns / LS_NS_PER_S;
        next.it_value.tv_nsec = at_ns % LS_NS_PER_S;
    }
    return timerfd_settime(engine->pacer_fd, TFD_TIMER_ABSTIME, &next, NULL);
}

static void on_pacer(uv_poll_t *pacer, int status, int events)
{
    struct ls_engine *engine = pacer->data;

    (void)status;
    (void)events;
    pace_start_due(engine);
    (void)arm_pacer(engine); /* makes it unreadable, too: no need to read it */
}

/* By way of the loop, not at once: a user who fails in his very first step would otherwise start the next
 * one from within himself, and so on down the stack. */
void pace_gone(struct ls_engine *engine)
{
    engine->present--;
    if (is_closed(engine)) {
        (void)arm_pacer(engine);
    }
}

enum ls_code pace_prepare(struct ls_engine *engine, struct ls_error *err)
{
    engine->pacer_fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
    if (engine->pacer_fd < 0) {
        return ls_error_set_errno(err, LS_ESYSTEM, "no timer for the schedule");
    }
    if (uv_poll_init(engine->loop, &engine->pacer, engine->pacer_fd) != 0) {
        (void)close(engine->pacer_fd);
        engine->pacer_fd = -1;
        return ls_error_set(err, LS_ESYSTEM, "no timer for the schedule in the loop");
    }
    engine->pacer.data = engine;
    return LS_OK;
}

int pace_start(struct ls_engine *engine)
{
    return uv_poll_start(&engine->pacer, UV_READABLE, on_pacer) != 0 || arm_pacer(engine) != 0;
}
