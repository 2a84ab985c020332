/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Users who come with a ticket of an earlier session, and that earlier session: one full handshake
 * each before the storm, in no record and no count. A few at a time, so that the gateway's queue
 * stays short and the users of a slow key wait in ours.
 */
#include <stdio.h>
#include <stdlib.h>

#include "engine/login.h"
#include "loginstorm/random.h"
#include "loginstorm/units.h"

#define AT_ONCE 16
/* From connect() to the ticket: longer than any gateway takes that could stand a storm. */
#define PATIENCE_NS (10 * LS_NS_PER_S)
#define LOOK_MS 100

struct fetch {
    struct ls_wire wire; /* first, so that a wire is its fetch */
    struct tickets *tickets;
    struct slot *slot; /* NULL: nothing under way here */
    int64_t deadline_ns;
};

struct tickets {
    struct ls_engine *engine;
    struct ls_hub hub; /* of their own: no turn of theirs is a stall of the storm */
    uv_timer_t watch;
    size_t next; /* slots before it have been seen to */
    int at_once, open;
    bool stopping, over;
    struct ls_error why; /* code LS_OK: nothing went wrong */
    struct fetch fetch[AT_ONCE];
};

bool ls_engine_resumes(const struct ls_scenario *scenario, const struct ls_schedule *schedule,
                       size_t user)
{
    const double share = scenario->populations[schedule->rows[user].population].tls.resume_share;

    return share > 0 && ls_random_unit(scenario->seed, LS_STREAM_RESUME, user, 0) < share;
}

int64_t ls_engine_resuming(const struct ls_scenario *scenario, const struct ls_schedule *schedule)
{
    int64_t count = 0;

    for (size_t i = 0; i < schedule->count; i++) {
        count += ls_engine_resumes(scenario, schedule, i);
    }
    return count;
}

bool slot_resumes(const struct slot *slot)
{
    const struct ls_engine_job *job = &slot->engine->job;

    return ls_engine_resumes(job->scenario, job->schedule, slot->user);
}

static void finish(struct tickets *tickets)
{
    struct ls_engine *engine = tickets->engine;

    tickets->over = true;
    uv_close((uv_handle_t *)&tickets->watch, NULL);
    ls_hub_stop(&tickets->hub);
    if (engine->ending) {
        engine_check_closed(engine);
    } else {
        engine->job.fetched(tickets->why.code == LS_OK ? NULL : &tickets->why, engine->job.data);
    }
}

static void stop(struct tickets *tickets)
{
    tickets->stopping = true;
    for (int i = 0; i < tickets->at_once; i++) {
        if (tickets->fetch[i].slot != NULL) {
            ls_wire_close(&tickets->fetch[i].wire, true);
        }
    }
}

static void give_up(struct tickets *tickets, enum ls_code code, const char *text)
{
    if (tickets->why.code == LS_OK) {
        (void)ls_error_set(&tickets->why, code, "tls.resume: %s", text);
    }
    stop(tickets);
}

/* false: not now, since the cap holds for tickets too; on_watch looks again. */
static bool begin(struct tickets *tickets, struct fetch *fetch, struct slot *slot)
{
    struct ls_engine *engine = tickets->engine;
    const struct sockaddr *target = permit_address(engine, slot, ls_now_ns());
    struct sockaddr_in source;

    if (target == NULL) {
        return false;
    }

    *fetch = (struct fetch){
        .tickets = tickets,
        .slot = slot,
        .deadline_ns = ls_now_ns() + PATIENCE_NS,
    };
    tickets->open++;
    ls_wire_connect(&fetch->wire, &tickets->hub, engine->profiles[slot->row.population].context,
                    target, engine_source(engine, &source));
    return true;
}

/* Keeps as many under way as may be; ends when there is nothing more to do. */
static void go_on(struct tickets *tickets)
{
    struct ls_engine *engine = tickets->engine;

    for (int i = 0; i < tickets->at_once && !tickets->stopping; i++) {
        while (tickets->next < engine->slots_count &&
               !slot_resumes(&engine->slots[tickets->next])) {
            tickets->next++;
        }
        if (tickets->fetch[i].slot == NULL && tickets->next < engine->slots_count) {
            if (!begin(tickets, &tickets->fetch[i], &engine->slots[tickets->next])) {
                return;
            }
            tickets->next++;
        }
    }
    if (tickets->open == 0 && !tickets->over) {
        finish(tickets);
    }
}

static void on_connected(struct ls_wire *wire)
{
    struct fetch *fetch = (struct fetch *)wire;

    if (proxy_begin(fetch->tickets->engine, wire, fetch->slot->user) != LS_OK) {
        give_up(fetch->tickets, LS_ENOMEM, "no memory to fetch tickets");
    }
}

static void on_ticket(struct ls_wire *wire)
{
    struct fetch *fetch = (struct fetch *)wire;
    struct ls_error err;

    if (ls_tls_end_take_session(wire->end, &fetch->slot->session, &err) != LS_OK) {
        give_up(fetch->tickets, err.code, err.text);
        return;
    }
    fetch->tickets->engine->facts.tickets_fetched++;
    ls_wire_close(wire, false);
}

/* A ticket of TLS 1.2 comes before this, and its wire is closed then. */
static void on_secured(struct ls_wire *wire)
{
    struct fetch *fetch = (struct fetch *)wire;
    struct ls_tls_facts facts;

    ls_tls_end_facts(wire->end, &facts);
    if (!facts.tls13) {
        give_up(fetch->tickets, LS_EINPUT,
                "the gateway gave no session ticket with a full handshake (TLS 1.2): turn its "
                "tickets on, or write `resume: 0%`");
    }
}

static void on_ended(struct ls_wire *wire)
{
    struct fetch *fetch = (struct fetch *)wire;
    char text[200];

    (void)snprintf(text, sizeof text, "no ticket of an earlier session: %s",
                   ls_reason_text(reason_of_wire((enum ls_wire_why)wire->why, SLOT_SECURING)));
    give_up(fetch->tickets, LS_EUNREACHABLE, text);
    if (wire->state != LS_WIRE_CLOSING) {
        ls_wire_close(wire, true);
    }
}

static void on_closed(struct ls_wire *wire)
{
    struct fetch *fetch = (struct fetch *)wire;

    fetch->slot = NULL;
    fetch->tickets->open--;
    go_on(fetch->tickets);
}

static void on_watch(uv_timer_t *watch)
{
    struct tickets *tickets = watch->data;
    const bool embedded = tickets->engine->job.scenario->gateway.embedded;
    const int64_t now_ns = ls_now_ns();

    for (int i = 0; i < tickets->at_once && !tickets->stopping; i++) {
        const struct fetch *fetch = &tickets->fetch[i];

        if (fetch->slot == NULL || now_ns < fetch->deadline_ns) {
            continue;
        }
        if (fetch->wire.state == LS_WIRE_OPEN && embedded) {
            /* Its tickets are on, or the scenario would have been refused. */
            give_up(tickets, LS_EUNREACHABLE,
                    "no ticket of an earlier session: the gateway did not answer within 10 s of a "
                    "full handshake");
        } else if (fetch->wire.state == LS_WIRE_OPEN) {
            give_up(tickets, LS_EINPUT,
                    "the gateway gave no session ticket within 10 s of a full handshake (TLS 1.3): "
                    "turn its tickets on, or write `resume: 0%`");
        } else {
            give_up(tickets, LS_EUNREACHABLE,
                    "no ticket of an earlier session: a full handshake took longer than 10 s");
        }
    }
    go_on(tickets);
}

static const struct ls_wire_calls fetch_calls = {
    .connected = on_connected,
    .ticket = on_ticket,
    .secured = on_secured,
    .ended = on_ended,
    .closed = on_closed,
};

enum ls_code ls_engine_fetch(struct ls_engine *engine, struct ls_error *err)
{
    const struct ls_engine_job *job = &engine->job;
    struct tickets *tickets = calloc(1, sizeof *tickets);
    int queue; /* of the gateway: our part of it */

    if (tickets == NULL) {
        return ls_error_set(err, LS_ENOMEM, "no memory to fetch tickets");
    }
    queue =
        job->scenario->gateway.embedded ? job->scenario->gateway.backlog / job->shards : AT_ONCE;
    tickets->engine = engine;
    tickets->at_once = queue < 1 ? 1 : queue < AT_ONCE ? queue : AT_ONCE;
    ls_hub_init(&tickets->hub, engine->loop, &fetch_calls);
    (void)uv_timer_init(engine->loop, &tickets->watch);
    tickets->watch.data = tickets;
    (void)uv_timer_start(&tickets->watch, on_watch, LOOK_MS, LOOK_MS);
    engine->tickets = tickets;
    go_on(tickets);
    return LS_OK;
}

bool tickets_under_way(const struct ls_engine *engine)
{
    return engine->tickets != NULL && !engine->tickets->over;
}

void tickets_stop(struct ls_engine *engine)
{
    if (tickets_under_way(engine)) {
        stop(engine->tickets);
    }
}
