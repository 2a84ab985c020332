/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "wire/wire_work.h"

#include "loginstorm/units.h"

/* How long TLS work may keep the loop from its sockets: long enough that polling costs nothing
 * beside it, short enough that a listen backlog does not fill meanwhile (4,096 connections in 5 ms
 * would be 800,000 a second). */
#define TURN_BUDGET_NS (5 * LS_NS_PER_MS)

static void on_idle(uv_idle_t *idle)
{
    (void)idle; /* being active is its whole work: the loop then polls without waiting */
}

static void on_check(uv_check_t *check)
{
    struct ls_hub *hub = check->data;
    const int64_t began_ns = ls_now_ns();

    if (hub->turn_began_ns == 0) {
        hub->turn_began_ns = began_ns;
    }
    while (hub->first != NULL) {
        struct ls_wire *wire = hub->first;

        ls_hub_unqueue(wire);
        ls_wire_work(wire);
        if (hub->between != NULL) {
            hub->between(hub->between_data);
        }
        if (ls_now_ns() - began_ns > TURN_BUDGET_NS) {
            break;
        }
    }
    if (hub->first != NULL) {
        (void)uv_idle_start(&hub->idle, on_idle);
    } else {
        (void)uv_idle_stop(&hub->idle);
    }
}

void ls_hub_wake(struct ls_hub *hub)
{
    if (hub->turn_began_ns == 0) {
        hub->turn_began_ns = ls_now_ns();
    }
}

/* A turn is what lies between the first event that a poll brought and the next poll. libuv's own
 * measure of idle time would do, but asks the kernel twice in every turn. */
static void on_prepare(uv_prepare_t *prepare)
{
    struct ls_hub *hub = prepare->data;
    const int64_t turn_ns = hub->turn_began_ns == 0 ? 0 : ls_now_ns() - hub->turn_began_ns;

    if (turn_ns > hub->worst_turn_ns) {
        hub->worst_turn_ns = turn_ns;
    }
    hub->turn_began_ns = 0;
}

void ls_hub_init(struct ls_hub *hub, uv_loop_t *loop, const struct ls_wire_calls *calls)
{
    hub->loop = loop;
    hub->calls = calls;
    hub->between = NULL;
    hub->between_data = NULL;
    hub->account = false;
    hub->tls_ns = 0;
    hub->worst_turn_ns = 0;
    hub->turn_began_ns = 0;
    hub->first = NULL;
    hub->last = NULL;
    (void)uv_prepare_init(loop, &hub->prepare);
    (void)uv_check_init(loop, &hub->check);
    (void)uv_idle_init(loop, &hub->idle);
    hub->prepare.data = hub;
    hub->check.data = hub;
    (void)uv_prepare_start(&hub->prepare, on_prepare);
    (void)uv_check_start(&hub->check, on_check);
    /* They work only beside sockets and timers, and must not keep a loop alive that has none left.
     */
    uv_unref((uv_handle_t *)&hub->prepare);
    uv_unref((uv_handle_t *)&hub->check);
}

void ls_hub_stop(struct ls_hub *hub)
{
    uv_close((uv_handle_t *)&hub->prepare, NULL);
    uv_close((uv_handle_t *)&hub->check, NULL);
    uv_close((uv_handle_t *)&hub->idle, NULL);
}

void ls_hub_queue(struct ls_wire *wire)
{
    struct ls_hub *hub = wire->hub;

    if (wire->queued) {
        return;
    }
    ls_hub_wake(hub);
    wire->queued = true;
    wire->next = NULL;
    wire->previous = hub->last;
    if (hub->last == NULL) {
        hub->first = wire;
        /* A turn that is already past its check would otherwise sleep on this work. */
        (void)uv_idle_start(&hub->idle, on_idle);
    } else {
        hub->last->next = wire;
    }
    hub->last = wire;
}

void ls_hub_unqueue(struct ls_wire *wire)
{
    struct ls_hub *hub = wire->hub;

    if (!wire->queued) {
        return;
    }
    if (wire->previous == NULL) {
        hub->first = wire->next;
    } else {
        wire->previous->next = wire->next;
    }
    if (wire->next == NULL) {
        hub->last = wire->previous;
    } else {
        wire->next->previous = wire->previous;
    }
    wire->queued = false;
    wire->next = NULL;
    wire->previous = NULL;
}
