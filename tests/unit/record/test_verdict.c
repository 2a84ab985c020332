/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "unit/record/synthetic.h"

/* A measurement of 100 logins with one thing wrong. */
struct ill {
    const char *why;
    int64_t lag_ns, handshake_ns; /* defaults: 20 us, 5 ms */
    double injector_share;
    int64_t stall_ns, gap_ns;
    uint16_t retransmits;      /* of one connection */
    uint8_t outcome, reason;   /* of the last login */
    int waited_of_9;           /* of the gateway: ninths of its CPU time */
    bool little;               /* of that there is a tenth of a second only */
    int idle_ms, uneven_ms;    /* of an outside gateway that took 900 ms beside */
    int64_t apart;             /* millionths: of its readings */
    int64_t restarts, back_ns; /* of its CPU's counters */
    bool whole_machine;
    bool early, partial;
    uint8_t offered, resumed; /* of one connection */
    bool closed;              /* 10 at a time */
    enum ls_verdict verdict;
    size_t reasons_count;
    const char *reason_text; /* the first */
};

static void put_rows(struct ls_record *record, const struct ill *ill)
{
    const int64_t lag_ns = ill->lag_ns > 0 ? ill->lag_ns : 20000;
    const int64_t handshake_ns = ill->handshake_ns > 0 ? ill->handshake_ns : 5000000;

    for (uint32_t user = 0; user < 100; user++) {
        struct ls_login login = {.due_ns = user * INT64_C(1000000) + 1000,
                                 .attempts = 1,
                                 .outcome = LS_OUTCOME_LOGGED_IN};
        struct ls_handshake handshake = {
            .user = user, .attempt = 1, .outcome = LS_OUTCOME_LOGGED_IN};

        login.started_ns = login.due_ns + lag_ns;
        if (ill->early && user == 7) {
            login.started_ns = login.due_ns - 1;
        }
        handshake.started_ns = handshake.connected_ns = login.started_ns;
        handshake.ended_ns = login.done_ns = login.started_ns + handshake_ns;
        if (user == 3) {
            handshake.offered = ill->offered;
            handshake.resumed = ill->resumed;
        }
        if (user == 0) {
            handshake.retransmits = ill->retransmits;
            login.done_ns += ill->retransmits > 0 ? LS_NS_PER_S : 0;
        }
        if (user == 99 && ill->outcome != 0) {
            login.outcome = ill->outcome;
            login.reason = ill->reason;
            handshake.outcome = LS_OUTCOME_CUT_OFF;
        }
        assert_int_equal(ls_record_login(record, user, &login), LS_OK);
        assert_int_equal(ls_record_handshake(record, &handshake), LS_OK);
    }
}

static const struct ls_played_wave ten_at_a_time = {.count = 100, .concurrency = 10};

static void check_ill(const struct ill *ill)
{
    struct ls_record *record;
    struct ls_measurement measurement;
    struct ls_run run;

    assert_int_equal(ls_record_new(&record, 100, 100, NULL), LS_OK);
    put_rows(record, ill);
    measurement = synthetic_measurement(record, 1000000);
    measurement.injector_cpu_ns = (int64_t)llround(ill->injector_share * 1e9);
    measurement.injector_wall_ns = 1000000000;
    measurement.worst_stall_ns = ill->stall_ns;
    measurement.clock_gap_ns = ill->gap_ns;
    measurement.gateway.cpu_ns = ill->little ? 90 * LS_NS_PER_MS : 900 * LS_NS_PER_MS;
    measurement.gateway.waited_ns = measurement.gateway.cpu_ns / 9 * ill->waited_of_9;
    measurement.gateway.baseline_ns = ill->idle_ms * LS_NS_PER_MS;
    measurement.gateway.baseline_error_ns = ill->uneven_ms * LS_NS_PER_MS;
    measurement.gateway.clock.restarts = ill->restarts;
    measurement.gateway.clock.back_ns = ill->back_ns;
    measurement.gateway.whole_machine = ill->whole_machine;
    measurement.gateway_apart = ill->apart;
    if (ill->closed) {
        measurement.waves = &ten_at_a_time;
        measurement.waves_count = 1;
    }
    measurement.partial = ill->partial;
    measurement.partial_why = ill->partial ? "SIGINT" : NULL;
    assert_int_equal(ls_run_build(&run, &measurement, NULL), LS_OK);
    if (run.validity.verdict != ill->verdict || run.validity.reasons_count != ill->reasons_count ||
        (ill->reasons_count > 0 && strcmp(run.validity.reasons[0], ill->reason_text) != 0)) {
        fail_msg("%s: verdict %d, %zu reasons: %s", ill->why, (int)run.validity.verdict,
                 run.validity.reasons_count, run.validity.reasons[0]);
    }
    ls_run_clear(&run);
    ls_record_free(record);
}

static void each_limit_gives_its_verdict_just_above_and_not_at_it(void **state)
{
    static const struct ill rows[] = {
        {.why = "nothing is wrong", .verdict = LS_VALID},
        {.why = "a lag of 1 ms is never noticed", .lag_ns = 1000000, .verdict = LS_VALID},
        {.why = "a tenth of the gateway machine's CPU may be of others",
         .idle_ms = 100,
         .whole_machine = true,
         .verdict = LS_VALID},
        {.why = "more of it may have been anything",
         .idle_ms = 101,
         .whole_machine = true,
         .verdict = LS_SUSPECT,
         .reasons_count = 1,
         .reason_text =
             "other programs' CPU on the gateway's machine 10.0 %, suspect above 10.0 %: "
             "what they took during the storm is not told apart"},
        {.why = "a process's own idling is nobody else's", .idle_ms = 400, .verdict = LS_VALID},
        {.why = "a counter of CPU began anew",
         .restarts = 1,
         .verdict = LS_SUSPECT,
         .reasons_count = 1,
         .reason_text = "counters of the gateway's CPU that began anew 1, suspect above 0: what it "
                        "took just before that is not counted"},
        {.why = "a counter of CPU stepped back by anything",
         .back_ns = 125 * LS_NS_PER_MS,
         .verdict = LS_SUSPECT,
         .reasons_count = 1,
         .reason_text =
             "the gateway's CPU counters stepped back by 125 ms, suspect above 0 ns: its "
             "CPU may be off by as much"},
        {.why = "what is subtracted is known to a tenth", .uneven_ms = 90, .verdict = LS_VALID},
        {.why = "a fifth is what the last users may take", .apart = 200000, .verdict = LS_VALID},
        {.why = "no more of one gateway",
         .apart = 201000,
         .verdict = LS_SUSPECT,
         .reasons_count = 1,
         .reason_text = "shards' readings of the gateway's CPU apart by 20.1 %, suspect above 20.0 "
                        "%: they read the same gateway, so one of them is wrong"},
        {.why = "and to less than that",
         .uneven_ms = 92,
         .verdict = LS_SUSPECT,
         .reasons_count = 1,
         .reason_text = "uncertainty of the gateway's CPU 10.2 %, suspect above 10.0 %: it did not "
                        "idle evenly before the storm"},
        {.why = "the lag's absolute limit",
         .lag_ns = 1000001,
         .verdict = LS_INVALID,
         .reasons_count = 1,
         .reason_text = "start lag p99 1.00 ms, invalid above 1.00 ms: users "
                        "were sent late, and that is in their latency"},
        {.why = "a lag of 5 % of slow handshakes",
         .lag_ns = 5000000,
         .handshake_ns = 100000000,
         .verdict = LS_VALID},
        {.why = "a lag of more than 5 % of slow handshakes",
         .lag_ns = 5000001,
         .handshake_ns = 100000000,
         .verdict = LS_SUSPECT,
         .reasons_count = 1,
         .reason_text =
             "start lag p99 5.00 ms, suspect above 5.00 ms (5 % of the handshake p50): users "
             "were sent late, and that is in their latency"},
        {.why = "a lag of 20 % of slow handshakes",
         .lag_ns = 20000000,
         .handshake_ns = 100000000,
         .verdict = LS_SUSPECT,
         .reasons_count = 1,
         .reason_text =
             "start lag p99 20.0 ms, suspect above 5.00 ms (5 % of the handshake p50): users "
             "were sent late, and that is in their latency"},
        {.why = "a lag of more than 20 % of slow handshakes",
         .lag_ns = 20000001,
         .handshake_ns = 100000000,
         .verdict = LS_INVALID,
         .reasons_count = 1,
         .reason_text =
             "start lag p99 20.0 ms, invalid above 20.0 ms (20 % of the handshake p50): users "
             "were sent late, and that is in their latency"},
        {.why = "a lag of 60 us is harmless, however fast the handshake",
         .lag_ns = 60000,
         .handshake_ns = 100000,
         .verdict = LS_VALID},
        {.why = "a lag that is most of the login p99",
         .lag_ns = 400000,
         .handshake_ns = 300000,
         .verdict = LS_SUSPECT,
         .reasons_count = 1,
         .reason_text =
             "start lag p99 400 µs, suspect above 140 µs (20 % of the login p99): that much of "
             "the login p99 is the injector's"},
        {.why = "a gateway that had its core nine times in ten",
         .waited_of_9 = 1,
         .verdict = LS_VALID},
        {.why = "a gateway that had its core nine times in eleven",
         .waited_of_9 = 2,
         .verdict = LS_SUSPECT,
         .reasons_count = 1,
         .reason_text =
             "gateway's wait for its own core 18.1 %, suspect above 10.0 %: something else ran "
             "there, and that is in the latencies"},
        {.why = "a gateway that had its core nine times in thirteen",
         .waited_of_9 = 4,
         .verdict = LS_INVALID,
         .reasons_count = 1,
         .reason_text =
             "gateway's wait for its own core 30.7 %, invalid above 30.0 %: something else ran "
             "there, and that is in every latency"},
        {.why = "40 ms of waiting, though that is a third of next to nothing",
         .waited_of_9 = 4,
         .little = true,
         .verdict = LS_VALID},
        {.why = "60 ms of waiting",
         .waited_of_9 = 6,
         .little = true,
         .verdict = LS_INVALID,
         .reasons_count = 1,
         .reason_text =
             "gateway's wait for its own core 40.0 %, invalid above 30.0 %: something else ran "
             "there, and that is in every latency"},
        {.why = "80 % of a core", .injector_share = 0.8, .verdict = LS_VALID},
        {.why = "more than 80 % of a core",
         .injector_share = 0.801,
         .verdict = LS_SUSPECT,
         .reasons_count = 1,
         .reason_text =
             "injector's share of its core 80.1 %, suspect above 80.0 %: users queue in the "
             "injector too: take more injectors"},
        {.why = "95 % of a core",
         .injector_share = 0.95,
         .verdict = LS_SUSPECT,
         .reasons_count = 1,
         .reason_text =
             "injector's share of its core 95.0 %, suspect above 80.0 %: users queue in the "
             "injector too: take more injectors"},
        {.why = "more than 95 % of a core",
         .injector_share = 0.96,
         .verdict = LS_INVALID,
         .reasons_count = 1,
         .reason_text = "injector's share of its core 96.0 %, invalid above 95.0 %: the injector "
                        "was the bottleneck"},
        {.why = "a stall of 50 ms", .stall_ns = 50000000, .verdict = LS_VALID},
        {.why = "a longer stall",
         .stall_ns = 62000000,
         .verdict = LS_SUSPECT,
         .reasons_count = 1,
         .reason_text =
             "stall of an injector's loop 62.0 ms, suspect above 50.0 ms: users who were due "
             "meanwhile came all at once"},
        {.why = "a gap of 50 ms", .gap_ns = 50000000, .verdict = LS_VALID},
        {.why = "a gap that few users met, so that no p99 shows it",
         .gap_ns = 300000000,
         .verdict = LS_SUSPECT,
         .reasons_count = 1,
         .reason_text =
             "gap of the clock 300 ms, suspect above 50.0 ms: the injector stood still, and "
             "users came all at once after it"},
        {.why = "nobody is due in a closed loop, so nobody is late",
         .lag_ns = 500000000,
         .closed = true,
         .verdict = LS_VALID},
        {.why = "a stall in a closed loop",
         .stall_ns = 62000000,
         .closed = true,
         .verdict = LS_SUSPECT,
         .reasons_count = 1,
         .reason_text =
             "stall of an injector's loop 62.0 ms, suspect above 50.0 ms: whoever was under way "
             "waited"},
        {.why = "a gap in a closed loop",
         .gap_ns = 300000000,
         .closed = true,
         .verdict = LS_SUSPECT,
         .reasons_count = 1,
         .reason_text =
             "gap of the clock 300 ms, suspect above 50.0 ms: the injector stood still, and "
             "whoever was under way waited"},
        {.why = "a busy injector in a closed loop, which can have no second one",
         .injector_share = 0.801,
         .closed = true,
         .verdict = LS_SUSPECT,
         .reasons_count = 1,
         .reason_text =
             "injector's share of its core 80.1 %, suspect above 80.0 %: users queue in the "
             "injector too, and come less often for it"},
        {.why = "a gap of more than a second",
         .gap_ns = 1300000000,
         .verdict = LS_INVALID,
         .reasons_count = 1,
         .reason_text =
             "gap of the clock 1.30 s, invalid above 1.00 s: the host stood still, and the "
             "users came all at once after it"},
        {.why = "a SYN that was lost",
         .retransmits = 1,
         .verdict = LS_SUSPECT,
         .reasons_count = 1,
         .reason_text =
             "connections with a TCP segment sent again 1, suspect above 0: a lost SYN waits a "
             "second without any CPU; login p100 without them 5.02 ms"},
        {.why = "a login that was not sent",
         .outcome = LS_OUTCOME_FAILED,
         .reason = LS_REASON_NEVER_SENT,
         .verdict = LS_INVALID,
         .reasons_count = 1,
         .reason_text =
             "logins due but never sent 1, invalid above 0: the gateway met a smaller storm "
             "than the scenario's"},
        {.why = "out of descriptors",
         .outcome = LS_OUTCOME_FAILED,
         .reason = LS_REASON_OWN_DESCRIPTORS,
         .verdict = LS_INVALID,
         .reasons_count = 1,
         .reason_text =
             "logins and handshakes lost to our own limits 1, invalid above 0: descriptors, "
             "ports or memory of the injector, not the gateway"},
        {.why = "out of ports, though the retry came through",
         .outcome = LS_OUTCOME_LOGGED_IN,
         .reason = LS_REASON_OWN_PORTS,
         .verdict = LS_INVALID,
         .reasons_count = 1,
         .reason_text =
             "logins and handshakes lost to our own limits 1, invalid above 0: descriptors, "
             "ports or memory of the injector, not the gateway"},
        {.why = "the gateway's failure is a measurement",
         .outcome = LS_OUTCOME_FAILED,
         .reason = LS_REASON_CONNECT_REFUSED,
         .verdict = LS_VALID},
        {.why = "a login sent too early",
         .early = true,
         .verdict = LS_INVALID,
         .reasons_count = 1,
         .reason_text =
             "logins sent before they were due 1, invalid above 0: their latency is too short"},
        {.why = "a ticket that was taken", .offered = 1, .resumed = 1, .verdict = LS_VALID},
        {.why = "one that was not", .offered = 1, .verdict = LS_VALID},
        {.why = "a resumption that nobody brought a ticket for",
         .resumed = 1,
         .verdict = LS_INVALID,
         .reasons_count = 1,
         .reason_text =
             "handshakes resumed without a ticket 1, invalid above 0: a fault of ours: who was "
             "to make a full one is not known"},
        {.why = "a run that ended early",
         .partial = true,
         .verdict = LS_SUSPECT,
         .reasons_count = 1,
         .reason_text =
             "the run ended early (SIGINT), so suspect: the users who were left out did not load "
             "the gateway"},
        {.why = "the gravest counts, and every reason is told once, the gravest first",
         .injector_share = 0.99,
         .stall_ns = 90000000,
         .partial = true,
         .verdict = LS_INVALID,
         .reasons_count = 3,
         .reason_text = "injector's share of its core 99.0 %, invalid above 95.0 %: the injector "
                        "was the bottleneck"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        check_ill(&rows[i]);
    }
}

static void a_run_without_a_login_is_invalid_and_one_of_failures_is_not(void **state)
{
    static const struct {
        struct synthetic what;
        bool partial;
        enum ls_verdict verdict;
        const char *text;
    } rows[] = {
        {{.users = 5, .cut_off = 5},
         true,
         LS_INVALID,
         "no login came to an end, so invalid: nothing was measured"},
        {{.users = 5, .failed = 5},
         false,
         LS_SUSPECT,
         "nobody was logged in, so suspect: there is no latency and no cost to go by"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct ls_record *record = synthetic_record(&rows[i].what);
        struct ls_measurement measurement = synthetic_measurement(record, 0);
        struct ls_run run;

        measurement.partial = rows[i].partial;
        assert_int_equal(ls_run_build(&run, &measurement, NULL), LS_OK);
        assert_int_equal(run.validity.verdict, rows[i].verdict);
        assert_string_equal(run.validity.reasons[0], rows[i].text);
        ls_run_clear(&run);
        ls_record_free(record);
    }
}

static void a_user_who_was_not_due_when_a_run_was_stopped_is_no_fault(void **state)
{
    const struct synthetic what = {.users = 50, .handshake_ns = 500000, .cut_off = 20};
    struct ls_record *record = synthetic_record(&what);
    struct ls_measurement measurement = synthetic_measurement(record, 0);
    struct ls_run run;

    (void)state;
    measurement.partial = true;
    assert_int_equal(ls_run_build(&run, &measurement, NULL), LS_OK);
    assert_int_equal(run.validity.verdict, LS_SUSPECT);
    ls_run_clear(&run);
    /* The same rows in a run that says it is whole: then they were not sent. */
    measurement.partial = false;
    assert_int_equal(ls_run_build(&run, &measurement, NULL), LS_OK);
    assert_int_equal(run.validity.verdict, LS_INVALID);
    assert_string_equal(
        run.validity.reasons[0],
        "logins due but never sent 20, invalid above 0: the gateway met a smaller storm "
        "than the scenario's");
    ls_run_clear(&run);
    ls_record_free(record);
}

static void a_long_reason_ends_with_a_whole_character(void **state)
{
    const struct synthetic what = {.users = 2, .handshake_ns = 500000};
    struct ls_record *record = synthetic_record(&what);
    struct ls_measurement measurement = synthetic_measurement(record, 0);
    char why[200] = "";
    json_t *root;
    struct ls_run run;

    (void)state;
    for (size_t shift = 0; shift < 3; shift++) {
        memset(why, 'x', shift);
        for (size_t i = 0; i < 60; i++) {
            memcpy(why + shift + 3 * i, "\xe2\x96\x81", 4);
        }
        measurement.partial = true;
        measurement.partial_why = why;
        assert_int_equal(ls_run_build(&run, &measurement, NULL), LS_OK);
        assert_true(strlen(run.validity.reasons[0]) >= 156);
        root = json_string(run.validity.reasons[0]); /* refuses broken UTF-8 */
        assert_non_null(root);
        json_decref(root);
        ls_run_clear(&run);
    }
    ls_record_free(record);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_limit_gives_its_verdict_just_above_and_not_at_it),
        cmocka_unit_test(a_run_without_a_login_is_invalid_and_one_of_failures_is_not),
        cmocka_unit_test(a_user_who_was_not_due_when_a_run_was_stopped_is_no_fault),
        cmocka_unit_test(a_long_reason_ends_with_a_whole_character),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
