/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TESTS_ENGINE_STAGE_H
#define TESTS_ENGINE_STAGE_H

/*
 * One engine and what it plays against, on one loop: our gateway, or a peer that misbehaves. The
 * schedule is written by hand, so that due times are known; everything else comes from a scenario.
 */

#include <stdio.h>

#include "loginstorm/engine.h"
#include "loginstorm/gateway.h"
#include "loginstorm/units.h"
#include "unit/wire/peer.h"

struct stage_wish {
    int users;
    int connections;                  /* 0: one */
    const char *login;                /* what stands behind `login:` */
    const char *tls;                  /* what stands behind `tls:`; NULL: verify the chain */
    int64_t step_ns;                  /* between two due times */
    struct peer *peer;                /* instead of our gateway */
    const struct sockaddr *target;    /* instead of both */
    const struct ls_identity *trusts; /* instead of the gateway's own */
    bool tickets;                     /* of our gateway */
    bool holds_on;                    /* does not let go when all is decided */
    struct ls_loop_wave waves[3]; /* closed loops instead of due times, up to the first empty one */
    bool resumes;                 /* fetches tickets first */
    bool keeps_tickets;           /* the gateway gives none, whatever the scenario says */
    bool outside;                 /* the scenario's gateway is not ours */
    const char *gateway;          /* what else stands behind `gateway:` then; NULL: nothing */
};

struct stage {
    struct stage_wish wish;
    uv_loop_t loop;
    uv_timer_t guard;
    const struct ls_identity *identity;
    struct ls_scenario *scenario;
    struct ls_schedule *schedule;
    struct ls_record *record;
    struct ls_gateway *gateway;
    struct ls_engine_job job;
    struct ls_engine *engine;
    int decided, closed, fetched;
    struct ls_error fetch_why; /* code LS_OK: all are there */
    struct ls_gateway_counts at_decided, counts;
    struct ls_engine_facts facts;
};

static inline void stage_decided(void *data)
{
    struct stage *stage = data;

    stage->decided++;
    if (stage->gateway != NULL) {
        ls_gateway_counts(stage->gateway, &stage->at_decided);
    }
    if (!stage->wish.holds_on) {
        ls_engine_release(stage->engine);
    }
}

static inline void stage_fetched(const struct ls_error *why, void *data)
{
    struct stage *stage = data;

    stage->fetched++;
    if (why != NULL) {
        stage->fetch_why = *why;
    }
}

static inline void stage_closed(void *data)
{
    struct stage *stage = data;

    stage->closed++;
}

static inline void stage_gateway_closed(void *data)
{
    (void)data;
}

static inline void stage_parse(struct stage *stage)
{
    const struct stage_wish *wish = &stage->wish;
    struct ls_errors errors = {0};
    char text[2000], gateway[500];
    int length;

    (void)snprintf(gateway, sizeof gateway,
                   wish->outside ? "target: \"127.0.0.1:1\"%s%s" : "tickets: %s",
                   wish->outside   ? wish->gateway == NULL ? "" : ", "
                   : wish->resumes ? "on"
                                   : "off",
                   wish->gateway == NULL ? "" : wish->gateway);
    length =
        snprintf(text, sizeof text,
                 "loginstorm: 1\nusers: %d\nseed: 7\n"
                 "populations: [{name: all, share: 100%%, connections: %d, tls: %s}]\n"
                 "login: %s\ncertificates: [{name: P, key: ecdsa-p256}]\n"
                 "gateway: {%s}\n",
                 wish->users, wish->connections == 0 ? 1 : wish->connections,
                 wish->tls == NULL ? "{server_name: " NAME "}" : wish->tls, wish->login, gateway);

    if (ls_scenario_parse(&stage->scenario, "test", text, (size_t)length, NULL, 0, &errors) !=
        LS_OK) {
        fail_msg("%s", errors.item[0].text);
    }
}

static inline struct ls_schedule *stage_schedule(int users, int64_t step_ns)
{
    struct ls_schedule *schedule =
        calloc(1, sizeof *schedule + (size_t)users * sizeof schedule->rows[0]);

    assert_non_null(schedule);
    schedule->count = (size_t)users;
    for (int i = 0; i < users; i++) {
        schedule->rows[i].at_ns = i * step_ns;
        schedule->rows[i].due_ns = i * step_ns;
    }
    return schedule;
}

static inline void stage_open_gateway(struct stage *stage)
{
    struct ls_gateway_job job = {
        .tls = {.identity = stage->identity,
                .tickets =
                    (stage->wish.resumes && !stage->wish.keeps_tickets) || stage->wish.tickets},
        .backlog = 4096,
        .closed = stage_gateway_closed};
    struct ls_error err = {0};

    assert_int_equal(uv_ip4_addr("127.0.0.1", 0, (struct sockaddr_in *)&job.address), 0);
    if (ls_gateway_new(&stage->gateway, &stage->loop, &job, &err) != LS_OK) {
        fail_msg("%s", err.text);
    }
    ls_gateway_address(stage->gateway, &stage->job.target.addresses[0]);
}

/* All but the engine itself. */
static inline void stage_set(struct stage *stage, const struct ls_identity *shown,
                             const struct stage_wish *wish)
{
    struct ls_error err = {0};

    *stage = (struct stage){.wish = *wish, .identity = shown};
    assert_int_equal(uv_loop_init(&stage->loop), 0);
    rig_guard(&stage->loop, &stage->guard);
    stage_parse(stage);
    stage->schedule = stage_schedule(wish->users, wish->step_ns);
    while (stage->schedule->waves_count < 3 &&
           wish->waves[stage->schedule->waves_count].count > 0) {
        stage->schedule->waves[stage->schedule->waves_count] =
            wish->waves[stage->schedule->waves_count];
        stage->schedule->waves_count++;
    }
    assert_int_equal(
        ls_record_new(&stage->record, (size_t)wish->users,
                      (size_t)ls_engine_handshakes_max(stage->scenario, stage->schedule), &err),
        LS_OK);
    if (wish->peer != NULL) {
        peer_listen(wish->peer, &stage->loop);
        memcpy(&stage->job.target.addresses[0], &wish->peer->address, sizeof wish->peer->address);
    } else if (wish->target != NULL) {
        memcpy(&stage->job.target.addresses[0], wish->target, sizeof(struct sockaddr_in));
    } else {
        stage_open_gateway(stage);
    }
    stage->job.scenario = stage->scenario;
    stage->job.schedule = stage->schedule;
    stage->job.record = stage->record;
    stage->job.trust = wish->trusts == NULL ? shown->trust : wish->trusts->trust;
    stage->job.shards = 1;
    stage->job.target.count = 1;
    stage->job.decided = stage_decided;
    stage->job.closed = stage_closed;
    stage->job.fetched = stage_fetched;
    stage->job.data = stage;
}

static inline void stage_engine(struct stage *stage)
{
    struct ls_error err = {0};

    if (ls_engine_new(&stage->engine, &stage->loop, &stage->job, &err) != LS_OK) {
        fail_msg("%s", err.text);
    }
}

static inline void stage_fetch(struct stage *stage)
{
    struct ls_error err = {0};

    assert_int_equal(ls_engine_fetch(stage->engine, &err), LS_OK);
    while (stage->fetched == 0) {
        (void)uv_run(&stage->loop, UV_RUN_ONCE);
    }
}

static inline void stage_start(struct stage *stage)
{
    struct ls_error err = {0};

    if (ls_engine_start(stage->engine, ls_now_ns(), &err) != LS_OK) {
        fail_msg("%s", err.text);
    }
}

static inline void stage_run_until_closed(struct stage *stage)
{
    while (stage->closed == 0) {
        (void)uv_run(&stage->loop, UV_RUN_ONCE);
    }
    ls_engine_facts(stage->engine, &stage->facts);
}

/* The gateway sees the last bytes of its clients before it is stopped. */
static inline void stage_clear(struct stage *stage)
{
    if (stage->gateway != NULL) {
        do {
            (void)uv_run(&stage->loop, UV_RUN_NOWAIT);
            ls_gateway_counts(stage->gateway, &stage->counts);
        } while (stage->counts.open > 0);
        ls_gateway_stop(stage->gateway);
    }
    if (stage->wish.peer != NULL) {
        peer_stop(stage->wish.peer);
    }
    uv_close((uv_handle_t *)&stage->guard, NULL);
    (void)uv_run(&stage->loop, UV_RUN_DEFAULT);
    assert_int_equal(uv_loop_close(&stage->loop), 0);
    ls_engine_free(stage->engine);
    ls_gateway_free(stage->gateway);
    free(stage->schedule);
    ls_scenario_free(stage->scenario);
}

/* What holds after every play: each user of the shard ended once, in order of time. */
static inline void stage_check(const struct stage *stage)
{
    int64_t by_outcome[4] = {0};
    int64_t users = 0, never_sent = 0;
    size_t count;
    const struct ls_login *rows = ls_record_logins(stage->record, &count);

    for (size_t i = (size_t)stage->job.shard; i < count; i += (size_t)stage->job.shards) {
        const struct ls_login *row = &rows[i];

        users++;
        by_outcome[row->outcome]++;
        if (stage->schedule->waves_count == 0) {
            assert_int_equal(row->due_ns, stage->schedule->rows[i].due_ns);
        } else if (row->started_ns != LS_NEVER_NS) {
            assert_int_equal(row->due_ns, row->started_ns);
        }
        if (row->outcome == LS_OUTCOME_LOGGED_IN) {
            assert_true(row->due_ns <= row->started_ns);
            assert_true(row->started_ns <= row->connected_ns);
            assert_true(row->connected_ns <= row->secured_ns);
            assert_true(row->secured_ns <= row->done_ns);
        } else if (row->reason == LS_REASON_NEVER_SENT) {
            assert_int_equal(row->outcome, LS_OUTCOME_FAILED);
            assert_int_equal(row->started_ns, LS_NEVER_NS);
            never_sent++;
        } else if (row->outcome == LS_OUTCOME_FAILED) {
            assert_true(row->due_ns <= row->started_ns);
            assert_true(row->started_ns <= row->done_ns);
            assert_int_not_equal(row->reason, LS_REASON_NONE);
        }
    }
    assert_int_equal(by_outcome[LS_OUTCOME_PENDING], 0);
    assert_int_equal(by_outcome[LS_OUTCOME_LOGGED_IN], stage->facts.logged_in);
    assert_int_equal(by_outcome[LS_OUTCOME_FAILED], stage->facts.failed + never_sent);
    assert_int_equal(by_outcome[LS_OUTCOME_LOGGED_IN] + by_outcome[LS_OUTCOME_FAILED] +
                         by_outcome[LS_OUTCOME_CUT_OFF],
                     users);
    assert_int_equal(stage->facts.decided, users);
    assert_int_equal(stage->facts.in_flight, 0);
    assert_int_equal(stage->facts.unrecorded, 0);
    assert_int_equal(stage->closed, 1);
}

/* A whole play; the record stays for a look, and is freed by stage_end. */
static inline void stage_play(struct stage *stage, const struct ls_identity *shown,
                              const struct stage_wish *wish)
{
    stage_set(stage, shown, wish);
    stage_engine(stage);
    if (wish->resumes) {
        stage_fetch(stage);
        assert_string_equal(stage->fetch_why.text, "");
    }
    stage_start(stage);
    stage_run_until_closed(stage);
    stage_check(stage);
    stage_clear(stage);
}

static inline void stage_end(struct stage *stage)
{
    ls_record_free(stage->record);
}

static inline size_t stage_handshakes(const struct stage *stage, enum ls_outcome outcome)
{
    size_t count, found = 0;
    const struct ls_handshake *rows = ls_record_handshakes(stage->record, &count);

    for (size_t i = 0; i < count; i++) {
        found += rows[i].outcome == outcome;
    }
    return found;
}

#endif
