/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LS_TEST_SYNTHETIC_H
#define LS_TEST_SYNTHETIC_H

/*
 * A storm that nobody ran: rows of fixed numbers, so that every figure worked out of them is known.
 * User i is due at i * 10 ms, sent 20 us later, with TCP 30 us after that and two handshakes of
 * `handshake_ns` one after another; then the answer takes 1 ms + (i * 37 % 100) * 10 us.
 */

#include "loginstorm/result.h"

struct synthetic {
    size_t users;
    int64_t handshake_ns;
    uint32_t flight_bytes; /* 0: 1,400 */
    size_t failed;         /* the last but one so many: connect_refused */
    size_t cut_off;        /* the very last so many */
    size_t offered;        /* of the first so many both handshakes bring a ticket */
    size_t refused;        /* of which the first so many are not taken */
};

static inline void synthetic_handshakes(struct ls_record *record, uint32_t user,
                                        struct ls_login *login, const struct synthetic *what)
{
    const int64_t handshake_ns = what->handshake_ns;
    const bool offered = user < what->offered, resumed = offered && user >= what->refused;
    const uint32_t full = what->flight_bytes == 0 ? 1400 : what->flight_bytes;
    const uint32_t flight = resumed ? 235 : full;
    int64_t at_ns = login->started_ns;

    for (uint8_t connection = 0; connection < 2; connection++) {
        const struct ls_handshake row = {.started_ns = at_ns,
                                         .connected_ns = at_ns + 30000,
                                         .ended_ns = at_ns + 30000 + handshake_ns,
                                         .user = user,
                                         .sent_bytes = 600,
                                         .received_bytes = flight + 100,
                                         .server_flight_bytes = flight,
                                         .ticket_bytes = 100,
                                         .client_hello_bytes = resumed ? 496 : 250,
                                         .offered = offered,
                                         .resumed = resumed,
                                         .connection = connection,
                                         .attempt = 1,
                                         .outcome = LS_OUTCOME_LOGGED_IN,
                                         .tls13 = 1};

        assert_int_equal(ls_record_handshake(record, &row), LS_OK);
        at_ns = row.ended_ns;
    }
    login->connected_ns = login->started_ns + 30000;
    login->secured_ns = login->connected_ns + handshake_ns;
    login->done_ns = at_ns + 1000000 + (int64_t)(user * 37 % 100) * 10000;
}

static inline struct ls_record *synthetic_record(const struct synthetic *what)
{
    const size_t come = what->users - what->failed - what->cut_off;
    struct ls_record *record;

    assert_int_equal(ls_record_new(&record, what->users, 2 * what->users, NULL), LS_OK);
    for (size_t i = 0; i < what->users; i++) {
        struct ls_login login = {.due_ns = (int64_t)i * 10000000,
                                 .connected_ns = LS_NEVER_NS,
                                 .secured_ns = LS_NEVER_NS,
                                 .population = (uint16_t)(i % 2),
                                 .attempts = 1,
                                 .outcome = LS_OUTCOME_LOGGED_IN};

        login.started_ns = login.due_ns + 20000;
        if (i < come) {
            synthetic_handshakes(record, (uint32_t)i, &login, what);
        } else if (i < come + what->failed) {
            login.outcome = LS_OUTCOME_FAILED;
            login.reason = LS_REASON_CONNECT_REFUSED;
            login.done_ns = login.started_ns + 40000;
        } else {
            login.outcome = LS_OUTCOME_CUT_OFF;
            login.started_ns = LS_NEVER_NS;
            login.attempts = 0;
            login.done_ns = (int64_t)(come + what->failed) * 10000000;
        }
        assert_int_equal(ls_record_login(record, i, &login), LS_OK);
    }
    return record;
}

static const struct ls_cpu_sample synthetic_samples[] = {
    {0, 0}, {1000000000, 500000000}, {2000000000, 700000000}};

/* At 60 times the pace of an hour from 08:00; a gateway of one worker with cpu_ns. */
static inline struct ls_measurement synthetic_measurement(const struct ls_record *record,
                                                          int64_t cpu_ns)
{
    return (struct ls_measurement){
        .certificate = "RSA 4096",
        .key = "rsa-4096",
        .live = true,
        .record = record,
        .speedup = 60,
        .from_ns = 8 * LS_NS_PER_H,
        .window_ns = LS_NS_PER_H,
        .gateway = {.source = "embedded",
                    .workers = 1,
                    .cpu_ns = cpu_ns,
                    .user_ns = cpu_ns / 4 * 3,
                    .system_ns = cpu_ns / 4,
                    .tls_ns = cpu_ns / 2,
                    .accepted = 400,
                    .server_flights = 403,
                    .secured = 400,
                    .samples = synthetic_samples,
                    .samples_count = 3},
        .injector_cpu_ns = 100000000,
        .injector_wall_ns = 2000000000,
        .injectors_cpu_ns = 120000000,
        .worst_stall_ns = 1000000,
        .peak_minute_at_ns = 8 * LS_NS_PER_H + 30 * LS_NS_PER_MIN,
        .peak_minute_logins = 269,
        .peak_second_at_ns = 8 * LS_NS_PER_H + 30 * LS_NS_PER_MIN + 12 * LS_NS_PER_S,
        .peak_second_logins = 12,
    };
}

#endif
