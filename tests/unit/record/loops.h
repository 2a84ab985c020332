/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LS_TEST_LOOPS_H
#define LS_TEST_LOOPS_H

/*
 * A benchmark that nobody ran: a sequence of 5, then 100 logins, 20 at a time. TCP takes 100 us, a
 * handshake `tls_ns` and 1 % of it more for each login after the first (from 0 again after ten), the
 * answer 500 us. The 20 come in ranks, one rank when the one before is done.
 */

#include "unit/record/synthetic.h"

static const struct ls_played_wave loops_played[] = {
    {.sequence = true, .first = 0, .count = 5, .concurrency = 1},
    {.sequence = false, .first = 5, .count = 100, .concurrency = 20},
};

static inline struct ls_record *loops_of(int64_t tls_ns)
{
    struct ls_record *record;
    int64_t at_ns = 0, last_ns = 0;

    assert_int_equal(ls_record_new(&record, 105, 105, NULL), LS_OK);
    for (uint32_t i = 0; i < 105; i++) {
        const int64_t took_ns = tls_ns + tls_ns / 100 * (i % 10);
        struct ls_login row = {.attempts = 1, .outcome = LS_OUTCOME_LOGGED_IN};
        struct ls_handshake handshake = {.user = i,
                                         .attempt = 1,
                                         .sent_bytes = 1500,
                                         .received_bytes = 3100,
                                         .client_hello_bytes = 1381,
                                         .server_flight_bytes = (uint32_t)(2000 + tls_ns / 10000),
                                         .tls13 = 1,
                                         .outcome = LS_OUTCOME_LOGGED_IN};

        if (i <= 5 || (i - 5) % 20 == 0) {
            at_ns = last_ns;
        }
        row.due_ns = row.started_ns = handshake.started_ns = at_ns;
        row.connected_ns = handshake.connected_ns = at_ns + 100000;
        row.secured_ns = handshake.ended_ns = row.connected_ns + took_ns;
        row.done_ns = row.secured_ns + 500000;
        last_ns = row.done_ns > last_ns ? row.done_ns : last_ns;
        assert_int_equal(ls_record_login(record, i, &row), LS_OK);
        assert_int_equal(ls_record_handshake(record, &handshake), LS_OK);
    }
    return record;
}

/* The run of such a record, with cpu_ns for its 105 handshakes. */
static inline void loops_run(struct ls_run *run, const char *certificate, const char *key,
                             int64_t tls_ns, int64_t cpu_ns, const struct ls_published *published)
{
    struct ls_record *record = loops_of(tls_ns);
    struct ls_measurement measurement = synthetic_measurement(record, cpu_ns);

    measurement.certificate = certificate;
    measurement.key = key;
    measurement.speedup = 1;
    measurement.from_ns = measurement.window_ns = 0;
    measurement.gateway.accepted = measurement.gateway.secured =
        measurement.gateway.server_flights = 105;
    measurement.peak_minute_at_ns = measurement.peak_minute_logins = -1;
    measurement.peak_second_at_ns = measurement.peak_second_logins = -1;
    measurement.waves = loops_played;
    measurement.waves_count = 2;
    measurement.published = published;
    assert_int_equal(ls_run_build(run, &measurement, NULL), LS_OK);
    ls_record_free(record);
}

#endif
