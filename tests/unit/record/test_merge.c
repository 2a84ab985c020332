/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "loginstorm/merge.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "unit/record/synthetic.h"

#define SHARDS 3
#define USERS 300

/* Three shards with a run each, which had begun at 1,000 s. */
struct storm {
    struct ls_result result[SHARDS];
    struct ls_run run[SHARDS];
    struct ls_moment timeline[SHARDS][3];
    const struct ls_result *by_index[SHARDS];
    struct ls_record *record;
};

static char a_certificate[] = "A", its_key[] = "ecdsa-p256", source[] = "exporter",
            scenario[] = "Monday", digest[] = "abc", target[] = "gw:443", library[] = "wolfSSL",
            build[] = "own";

static void storm_init(struct storm *storm)
{
    const struct synthetic what = {.users = USERS, .handshake_ns = 500000};

    *storm = (struct storm){.record = synthetic_record(&what)};
    for (int i = 0; i < SHARDS; i++) {
        storm->timeline[i][0].gateway_cpu_share = 0.25 * (i + 1);
        storm->timeline[i][1].gateway_cpu_share = 0.5;
        storm->timeline[i][2].gateway_cpu_share = -1;
        storm->run[i] = (struct ls_run){
            .certificate = a_certificate,
            .key = its_key,
            .repeat = 1,
            .live = true,
            .validity = {.injector_cpu_share = 0.1 * (i + 1),
                         .worst_stall_ns = 10 - i,
                         .clock_gap_ns = 5 + i},
            .sessions_lost = i,
            .injectors_cpu_ns = 100 + i,
            .kernel = {.listen_overflows = i,
                       .listen_drops = 7,
                       .syn_retransmits = i == 2 ? -1 : 1},
            .gateway_source = source,
            .gateway_cpu_ns = 1000000000 + i,
            .slice_ns = LS_NS_PER_MIN,
            .timeline = storm->timeline[i],
            .timeline_count = 3,
            .shard = {.start_at_ns = 1000 * LS_NS_PER_S,
                      .started_ns = 1000 * LS_NS_PER_S + i * LS_NS_PER_MS,
                      .gateway_user_ns = 700000000,
                      .gateway_system_ns = 300000000,
                      .gateway_baseline_ns = 11 + i},
        };
        storm->result[i] = (struct ls_result){
            .name = scenario,
            .sha256 = digest,
            .target = target,
            .tls_library = library,
            .tls_build = build,
            .seed = 7,
            .users = USERS,
            .speedup = 60,
            .injectors = 1,
            .runs = &storm->run[i],
            .runs_count = 1,
            .shard = {.index = i + 1, .count = SHARDS, .version = "1", .host = "left"},
        };
        storm->by_index[i] = &storm->result[i];
    }
    (void)snprintf(storm->result[2].shard.host, LS_HOST_SIZE, "right");
}

static struct ls_measurement measure(struct storm *storm, struct ls_merging *merging)
{
    struct ls_measurement measurement = {
        .certificate = "A", .repeat = 1, .speedup = 60, .record = storm->record};
    struct ls_error err;

    *merging = (struct ls_merging){.shards = storm->by_index, .count = SHARDS};
    assert_int_equal(ls_merge_measure(&measurement, merging, &err), LS_OK);
    return measurement;
}

enum spoilt {
    NOTHING,
    NO_SHARD,
    MERGED,
    TWICE,
    OTHER_SEED,
    OTHER_COUNT,
    OTHER_DIGEST,
    NO_START,
    NO_INJECTOR,
    MANY_INJECTORS,
    MUCH_CPU,
    FAR_AHEAD,
    WILD_SHARE,
};

static void spoil(struct storm *storm, enum spoilt spoilt)
{
    static struct ls_merged merged[1];
    struct ls_result *result = &storm->result[1];

    switch (spoilt) {
    case NOTHING:
        break;
    case NO_SHARD:
        result->shard.count = 0;
        break;
    case MERGED:
        result->merged = merged;
        result->merged_count = 1;
        break;
    case TWICE:
        result->shard.index = 1;
        break;
    case OTHER_SEED:
        result->seed = UINT64_MAX;
        break;
    case OTHER_COUNT:
        result->shard.count = 4;
        break;
    case OTHER_DIGEST:
        result->sha256 = NULL;
        break;
    case NO_START:
        storm->run[1].shard.started_ns = 0;
        break;
    case NO_INJECTOR:
    case MANY_INJECTORS:
        result->injectors = spoilt == NO_INJECTOR ? 0 : 257;
        break;
    case MUCH_CPU:
        storm->run[1].gateway_cpu_ns = INT64_MAX;
        break;
    case FAR_AHEAD:
        storm->run[1].shard.started_ns = INT64_MAX;
        break;
    case WILD_SHARE:
        storm->timeline[1][1].gateway_cpu_share = 1e300;
        break;
    }
}

static void what_does_not_belong_together_is_refused_with_both_values(void **state)
{
    static const struct {
        enum spoilt spoilt;
        const char *words; /* NULL: it is taken */
    } rows[] = {
        {NOTHING, NULL},
        {NO_SHARD,
         "no shard, but the whole of a storm: only what `run --shard I/N` leaves is merged"},
        {MERGED, "no shard, but what was merged of 1 shards"},
        {TWICE, "shard 1 of 3 a second time: it is in a, too"},
        {OTHER_SEED, "of another storm: the seed is 18446744073709551615 here, and 7 in a"},
        {OTHER_COUNT, "of another storm: the number of shards is 4 here, and 3 in a"},
        {OTHER_DIGEST, "of another storm: the scenario's sha256 (of its text and what its paths "
                       "name) is none here, and abc in a"},
        {NO_START, "runs[0].shard: missing"},
        {NO_INJECTOR, "injectors: 0 is out of range (1 to 256)"},
        {MANY_INJECTORS, "injectors: 257 is out of range (1 to 256)"},
        {MUCH_CPU, "runs[0] has a figure that no run can have"},
        {FAR_AHEAD, "runs[0] has a figure that no run can have"},
        {WILD_SHARE, "runs[0] has a figure that no run can have"},
    };
    static const char *const paths[] = {"a", "b", "c"};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct storm storm;
        struct ls_error err = {0};

        storm_init(&storm);
        spoil(&storm, rows[i].spoilt);
        assert_int_equal(ls_merge_check(storm.by_index, paths, SHARDS, &err),
                         rows[i].words == NULL ? LS_OK : LS_EINPUT);
        assert_string_equal(err.text, rows[i].words == NULL ? "" : rows[i].words);
        assert_string_equal(err.path, rows[i].words == NULL ? "" : "b");
        ls_record_free(storm.record);
    }
}

static void what_rows_do_not_tell_is_put_together_by_its_rule(void **state)
{
    struct storm storm;
    struct ls_merging merging;
    struct ls_measurement all;

    (void)state;
    storm_init(&storm);
    all = measure(&storm, &merging);
    assert_int_equal(all.injectors_cpu_ns, 303);
    assert_int_equal(all.sessions_lost, 3);
    assert_int_equal(all.worst_stall_ns, 10);
    assert_int_equal(all.clock_gap_ns, 7);
    assert_int_equal(all.injector_cpu_ns, 300000000);
    assert_int_equal(all.injector_wall_ns, LS_NS_PER_S);
    /* Two shards of one host count the same kernel. */
    assert_int_equal(all.kernel.listen_overflows, 1 + 2);
    assert_int_equal(all.kernel.listen_drops, 14);
    assert_int_equal(all.kernel.syn_retransmits, -1);
    assert_int_equal(all.start_skew_ns, 2 * LS_NS_PER_MS);
    assert_int_equal(all.shard.started_ns, 1000 * LS_NS_PER_S);
    assert_int_equal(all.shard.start_at_ns, 1000 * LS_NS_PER_S);
    assert_false(all.partial);
    assert_string_equal(all.key, "ecdsa-p256");
    ls_merging_clear(&merging);
    ls_record_free(storm.record);
}

/* User 299 is the last one, and the third shard's. */
static void the_gateway_s_cpu_is_that_of_the_shard_that_was_done_last(void **state)
{
    static const struct {
        int64_t third_cpu_ns, second_later_ns;
        int told; /* by index; -1: nobody */
        const char *words;
    } rows[] = {
        {1000000002, 0, 2,
         "as shard 3 of 3 (right) read it, whose users were done last; the others read from"},
        {1000000002, 900 * LS_NS_PER_MS, 1,
         "as shard 2 of 3 (left) read it, whose users were done last; "},
        {-1, 0, 1,
         "as shard 2 of 3 (left) read it, whose users were done last of those that know it, but "
         "not of all: it may be too little; "},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct storm storm;
        struct ls_merging merging;
        struct ls_measurement all;

        print_message("%s\n", rows[i].words);
        storm_init(&storm);
        storm.run[2].gateway_cpu_ns = rows[i].third_cpu_ns;
        storm.run[1].shard.started_ns += rows[i].second_later_ns;
        all = measure(&storm, &merging);
        assert_string_equal(all.gateway.source, "exporter");
        assert_int_equal(all.gateway.cpu_ns, storm.run[rows[i].told].gateway_cpu_ns);
        assert_int_equal(all.gateway.baseline_ns, 11 + rows[i].told);
        assert_int_equal(all.gateway.user_ns, 700000000);
        assert_non_null(strstr(all.notes[0], rows[i].words));
        assert_false(all.gateway_shared);
        /* A slice of a minute takes a second of the storm. */
        assert_int_equal(all.gateway.samples_count, 3);
        assert_int_equal(all.gateway.samples[1].at_ns, LS_NS_PER_S);
        assert_int_equal(all.gateway.samples[1].cpu_ns, 250000000 * (rows[i].told + 1));
        assert_int_equal(all.gateway.samples[2].cpu_ns, all.gateway.samples[1].cpu_ns + 500000000);
        ls_merging_clear(&merging);
        ls_record_free(storm.record);
    }
}

static void no_shard_read_the_cpu_of_a_storm_that_began_seconds_apart(void **state)
{
    static const struct {
        int64_t later_ns;
        bool known;
        const char *why;
    } rows[] = {
        {LS_NS_PER_S, true, "a second is blur"},
        {LS_NS_PER_S + 1, false, "more is another storm"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct storm storm;
        struct ls_merging merging;
        struct ls_measurement all;

        print_message("%s\n", rows[i].why);
        storm_init(&storm);
        storm.run[1].shard.started_ns = storm.run[0].shard.started_ns + rows[i].later_ns;
        storm.run[2].shard.started_ns = storm.run[0].shard.started_ns;
        all = measure(&storm, &merging);
        assert_int_equal(all.gateway.cpu_ns >= 0, rows[i].known);
        assert_string_equal(all.gateway.source, rows[i].known ? "exporter" : "none");
        assert_non_null(strstr(all.notes[0], rows[i].known ? "as shard 2 of 3 (left) read it"
                                                           : "the shards began 1.00 s apart"));
        ls_merging_clear(&merging);
        ls_record_free(storm.record);
    }
}

static void readings_of_one_gateway_are_held_against_each_other(void **state)
{
    static const struct {
        int64_t cpu_ns[SHARDS];
        int64_t apart;
        const char *why;
    } rows[] = {
        {{1000000000, 1000000000, 1000000000}, 0, "they are the same"},
        {{1000000000, 600000000, 900000000}, 400000, "of the most the least lacks two fifths"},
        {{1000000000, -1, 750000000}, 250000, "who does not know says nothing"},
        {{-1, -1, 750000000}, 0, "one alone"},
        {{60000000, 10000000, 10000000}, 0, "50 ms are a step of the counters"},
        {{60000001, 10000000, 10000000}, 833333, "more is not"},
        {{0, 0, 0}, 0, "nothing"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct storm storm;
        struct ls_merging merging;
        struct ls_measurement all;

        print_message("%s\n", rows[i].why);
        storm_init(&storm);
        for (int n = 0; n < SHARDS; n++) {
            storm.run[n].gateway_cpu_ns = rows[i].cpu_ns[n];
        }
        all = measure(&storm, &merging);
        assert_int_equal(all.gateway_apart, rows[i].apart);
        ls_merging_clear(&merging);
        ls_record_free(storm.record);
    }
}

static void nobody_s_cpu_is_nobody_s(void **state)
{
    struct storm storm;
    struct ls_merging merging;
    struct ls_measurement all;

    (void)state;
    storm_init(&storm);
    for (int i = 0; i < SHARDS; i++) {
        storm.run[i].gateway_cpu_ns = -1;
    }
    all = measure(&storm, &merging);
    assert_string_equal(all.gateway.source, "none");
    assert_int_equal(all.gateway.cpu_ns, -1);
    assert_null(all.notes[0]);
    ls_merging_clear(&merging);
    ls_record_free(storm.record);
}

static void a_missing_shard_is_named_and_nothing_is_divided(void **state)
{
    static const struct {
        bool missing[SHARDS];
        const char *words;
    } rows[] = {
        {{false, false, false}, ""},
        {{false, true, false}, "shard 2 of 3 is missing"},
        {{true, false, true}, "shards 1, 3 of 3 are missing"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct storm storm;
        struct ls_merging merging;
        struct ls_measurement all;
        char text[160];

        storm_init(&storm);
        for (int n = 0; n < SHARDS; n++) {
            storm.by_index[n] = rows[i].missing[n] ? NULL : storm.by_index[n];
        }
        ls_merge_missing(storm.by_index, SHARDS, text, sizeof text);
        assert_string_equal(text, rows[i].words);
        all = measure(&storm, &merging);
        assert_int_equal(all.partial, i > 0);
        assert_int_equal(all.gateway_shared, i > 0);
        if (i > 0) {
            assert_string_equal(all.partial_why, rows[i].words);
            assert_non_null(strstr(all.notes[1], "users of missing shards"));
        }
        ls_merging_clear(&merging);
        ls_record_free(storm.record);
    }
}

/* So many are missing that there is no room for all their numbers. */
static void many_missing_shards_fit_their_place(void **state)
{
    static const struct ls_result *none[1000];
    char text[160];

    (void)state;
    ls_merge_missing(none, 1000, text, sizeof text);
    assert_true(strlen(text) < sizeof text);
    assert_non_null(strstr(text, " and more of 1000 are missing"));
}

static void put_verdict(struct ls_run *run, enum ls_verdict verdict, const char *reason)
{
    run->validity.verdict = verdict;
    run->validity.reasons_count = reason == NULL ? 0 : 1;
    (void)snprintf(run->validity.reasons[0], sizeof run->validity.reasons[0], "%s",
                   reason == NULL ? "" : reason);
}

static void the_worst_verdict_counts_and_says_whose_it_is(void **state)
{
    static const struct {
        enum ls_verdict shard[SHARDS], own, verdict;
        const char *own_reason;
        int64_t clock_error_ns;
        const char *reasons;
    } rows[] = {
        {{LS_VALID, LS_VALID, LS_VALID}, LS_VALID, LS_VALID, NULL, 1000, ""},
        {{LS_VALID, LS_SUSPECT, LS_VALID},
         LS_VALID,
         LS_SUSPECT,
         NULL,
         1000,
         "shard 2 of 3 (left): why|"},
        {{LS_SUSPECT, LS_VALID, LS_INVALID},
         LS_SUSPECT,
         LS_INVALID,
         "own",
         1000,
         "shard 3 of 3 (right): why|own|"},
        {{LS_SUSPECT, LS_VALID, LS_VALID},
         LS_INVALID,
         LS_INVALID,
         "own",
         1000,
         "shard 1 of 3 (left): why|own|"},
        {{LS_SUSPECT, LS_SUSPECT, LS_VALID},
         LS_SUSPECT,
         LS_SUSPECT,
         "why",
         100000000,
         "shard 1 of 3 (left): why|shard 2 of 3 (left): why|"},
        {{LS_VALID, LS_VALID, LS_VALID},
         LS_VALID,
         LS_SUSPECT,
         NULL,
         -1,
         "shard 1 of 3 (left): nobody keeps its clock (NTP), so suspect: how far apart the shards "
         "began is not known|"},
        {{LS_VALID, LS_VALID, LS_VALID},
         LS_VALID,
         LS_SUSPECT,
         NULL,
         100000001,
         "shard 1 of 3 (left): its clock may be off by 100 ms, so suspect: how far apart the "
         "shards began is not known|"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct storm storm;
        struct ls_run all = {.certificate = (char[]){"A"}, .repeat = 1};
        char reasons[1024] = "";

        storm_init(&storm);
        for (int n = 0; n < SHARDS; n++) {
            put_verdict(&storm.run[n], rows[i].shard[n],
                        rows[i].shard[n] == LS_VALID ? NULL : "why");
            storm.result[n].shard.clock_error_ns = n == 0 ? rows[i].clock_error_ns : 0;
        }
        put_verdict(&all, rows[i].own, rows[i].own_reason);
        ls_merge_verdict(&all, storm.by_index, SHARDS);
        assert_int_equal(all.validity.verdict, rows[i].verdict);
        for (size_t r = 0; r < all.validity.reasons_count; r++) {
            (void)strcat(strcat(reasons, all.validity.reasons[r]), "|");
        }
        assert_string_equal(reasons, rows[i].reasons);
        ls_record_free(storm.record);
    }
}

/* On one machine there is one clock, whoever keeps it. */
static void one_machine_has_one_clock(void **state)
{
    struct storm storm;
    struct ls_run all = {.certificate = (char[]){"A"}, .repeat = 1};

    (void)state;
    storm_init(&storm);
    (void)snprintf(storm.result[2].shard.host, LS_HOST_SIZE, "left");
    for (int n = 0; n < SHARDS; n++) {
        storm.result[n].shard.clock_error_ns = -1;
    }
    ls_merge_verdict(&all, storm.by_index, SHARDS);
    assert_int_equal(all.validity.verdict, LS_VALID);
    ls_record_free(storm.record);
}

static void a_shard_s_place_has_its_clock_and_the_worst_of_its_runs(void **state)
{
    struct ls_run runs[2] = {
        {.validity = {.start_skew_ns = 7, .start_lag = {.p99 = 100}}},
        {.validity = {.start_skew_ns = -1, .start_lag = {.p99 = 300}}},
    };
    const struct ls_result result = {
        .runs = runs,
        .runs_count = 2,
        .shard = {.index = 2,
                  .count = 3,
                  .host = "left",
                  .clock_error_ns = 5,
                  .clock_ahead_ns = -1,
                  .clock_behind_ns = 9},
    };
    struct ls_merged place;

    (void)state;
    ls_merge_place(&place, &result);
    assert_false(place.missing);
    assert_string_equal(place.host, "left");
    assert_int_equal(place.clock_error_ns, 5);
    assert_int_equal(place.clock_ahead_ns, -1);
    assert_int_equal(place.clock_behind_ns, 9);
    assert_int_equal(place.start_skew_ns, 7);
    assert_int_equal(place.start_lag_p99_ns, 300);
    ls_merge_place(&place, NULL);
    assert_true(place.missing);
    assert_string_equal(place.host, "");
    assert_int_equal(place.clock_error_ns, -1);
    assert_int_equal(place.start_skew_ns, -1);
    assert_int_equal(place.start_lag_p99_ns, -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_does_not_belong_together_is_refused_with_both_values),
        cmocka_unit_test(what_rows_do_not_tell_is_put_together_by_its_rule),
        cmocka_unit_test(the_gateway_s_cpu_is_that_of_the_shard_that_was_done_last),
        cmocka_unit_test(no_shard_read_the_cpu_of_a_storm_that_began_seconds_apart),
        cmocka_unit_test(readings_of_one_gateway_are_held_against_each_other),
        cmocka_unit_test(nobody_s_cpu_is_nobody_s),
        cmocka_unit_test(a_missing_shard_is_named_and_nothing_is_divided),
        cmocka_unit_test(many_missing_shards_fit_their_place),
        cmocka_unit_test(the_worst_verdict_counts_and_says_whose_it_is),
        cmocka_unit_test(one_machine_has_one_clock),
        cmocka_unit_test(a_shard_s_place_has_its_clock_and_the_worst_of_its_runs),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
