/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "loginstorm/mornings.h"
#include "loginstorm/result.h"
#include "loginstorm/units.h"
#include "model/team.h"

#define COUNT 13

static struct ls_scenario *scenario_of(const char *text)
{
    struct ls_scenario *scenario;
    struct ls_errors errors = {0};

    if (ls_scenario_parse(&scenario, "x.yaml", text, strlen(text), NULL, 0, &errors) != LS_OK) {
        fail_msg("%d: %s", errors.item[0].line, errors.item[0].text);
    }
    return scenario;
}

#define FARM                                                                                       \
    "certificates: [{name: A, key: ecdsa-p256}]\n"                                                 \
    "pace: {speedup: 1}\n"                                                                         \
    "farm: {gateways: 2, cores: 1, costs: {exponential: 150ms}}\n"

static const char crowded[] =
    "loginstorm: 1\nname: crowded\nusers: 400\nseed: 5\nwindow: {from: \"08:00\", to: \"08:01\"}\n"
    "login: {timeouts: {handshake: 1s}, retry: {attempts: 2}}\n" FARM;

static struct ls_scene *scene_of(const struct ls_scenario *scenario)
{
    const struct ls_scene_wish wish = {.scenario = scenario,
                                       .certificate = &scenario->certificates[0]};
    struct ls_scene *scene;
    struct ls_error err;

    if (ls_scene_new(&scene, &wish, &err) != LS_OK) {
        fail_msg("%s", err.text);
    }
    return scene;
}

static struct ls_mornings *mornings_of(const struct ls_scenario *scenario, int count, int threads)
{
    struct ls_mornings *mornings;
    struct ls_error err;

    if (ls_mornings_new(&mornings, scenario, count, threads, &err) != LS_OK) {
        fail_msg("%s", err.text);
    }
    return mornings;
}

static void any_number_of_threads_plays_the_same_mornings(void **state)
{
    static const int threads[] = {1, 2, 3, COUNT + 5, 0};
    struct ls_scenario *scenario = scenario_of(crowded);
    struct ls_scene *scene = scene_of(scenario);
    static struct ls_morning first[COUNT], other[COUNT];
    struct ls_error err;

    (void)state;
    for (size_t t = 0; t < sizeof threads / sizeof threads[0]; t++) {
        struct ls_mornings *mornings = mornings_of(scenario, COUNT, threads[t]);
        struct ls_morning *out = t == 0 ? first : other;

        memset(out, 0x55, sizeof first); /* what stood there before does not count */
        assert_int_equal(ls_mornings_play(mornings, &scene->wish, NULL, out, NULL, NULL, &err),
                         LS_OK);
        if (t > 0) {
            assert_memory_equal(first, other, sizeof first);
        }
        ls_mornings_free(mornings);
    }
    assert_true(memcmp(&first[0], &first[1], sizeof first[0]) != 0); /* each its own dice */
    ls_scene_free(scene);
    ls_scenario_free(scenario);
}

/* What the record's own way, with every sample put down, comes to for the same morning. */
static void a_morning_is_summed_up_as_a_run_is(void **state)
{
    struct ls_scenario *scenario = scenario_of(crowded);
    struct ls_scene *scene = scene_of(scenario);
    struct ls_mornings *mornings = mornings_of(scenario, 3, 1);
    struct ls_measurement measurement = {.certificate = "A", .key = "ecdsa-p256", .speedup = 1};
    struct ls_morning out[3];
    struct ls_record *record;
    struct ls_model *model;
    struct ls_load load;
    struct ls_error err;
    struct ls_run run;

    (void)state;
    assert_int_equal(ls_mornings_play(mornings, &scene->wish, NULL, out, NULL, NULL, &err), LS_OK);
    assert_int_equal(ls_model_new(&model, &scene->wish, &err), LS_OK);
    for (int i = 0; i < 3; i++) {
        const struct ls_schedule *schedule = ls_mornings_schedule(mornings, i);

        assert_int_equal(ls_model_run(model, schedule, ls_mornings_seed(mornings, i), &err), LS_OK);
        assert_int_equal(ls_model_record(&record, model, &err), LS_OK);
        measurement.record = record;
        assert_int_equal(ls_run_build(&run, &measurement, &err), LS_OK);
        assert_int_equal(out[i].facts.logged_in, run.logged_in);
        assert_int_equal(out[i].facts.failed, run.failed);
        assert_true(run.failed > 0 && run.logged_in > 0);
        assert_memory_equal(out[i].by_reason, run.by_reason, sizeof run.by_reason);
        assert_int_equal(out[i].p50_ns, run.login.p50);
        assert_int_equal(out[i].p90_ns, run.login.p90);
        assert_int_equal(out[i].p95_ns, run.login.p95);
        assert_int_equal(out[i].p99_ns, run.login.p99);
        assert_int_equal(out[i].p99_9_ns, run.login.p99_9);
        assert_int_equal(out[i].p100_ns, run.login.p100);
        assert_int_equal(out[i].of_all_p50_ns, run.of_all_p50);
        assert_int_equal(out[i].of_all_p95_ns, run.of_all_p95);
        assert_int_equal(out[i].of_all_p99_ns, run.of_all_p99);
        assert_int_equal(out[i].of_all_p100_ns, run.of_all_p100);
        ls_schedule_load(schedule, scenario, &load);
        assert_int_equal(out[i].peak_minute_logins, load.peak_minute_logins);
        ls_run_clear(&run);
        ls_record_free(record);
    }
    ls_model_free(model);
    ls_mornings_free(mornings);
    ls_scene_free(scene);
    ls_scenario_free(scenario);
}

/* Two users a minute, but all who are in at 08:59 come again within half of that minute. */
static void who_is_sent_back_counts_in_the_fullest_minute(void **state)
{
    struct ls_scenario *scenario =
        scenario_of("loginstorm: 1\nname: again\nusers: 120\nseed: 5\n"
                    "window: {from: \"08:00\", to: \"09:00\"}\narrivals: {shape: uniform}\n"
                    "login: {hold: until_end}\n"
                    "events: [{at: \"08:59\", reconnect: 100%, over: 30s}]\n" FARM);
    struct ls_scene *scene = scene_of(scenario);
    struct ls_mornings *mornings = mornings_of(scenario, 3, 1);
    struct ls_morning out[3];
    struct ls_error err;

    (void)state;
    assert_int_equal(ls_mornings_play(mornings, &scene->wish, NULL, out, NULL, NULL, &err), LS_OK);
    for (int i = 0; i < 3; i++) {
        const struct ls_schedule *schedule = ls_mornings_schedule(mornings, i);
        const int64_t again = out[i].facts.logins - 120;
        int64_t once = 0;

        for (size_t row = 0; row < schedule->count; row++) {
            once += schedule->rows[row].at_ns >= 59 * LS_NS_PER_MIN;
        }
        assert_true(again > 100);
        assert_int_equal(out[i].peak_minute_logins, again + once);
    }
    ls_mornings_free(mornings);
    ls_scene_free(scene);
    ls_scenario_free(scenario);
}

/* As many as there are may be kept, or only the first: who plays them finds the same. */
static void mornings_that_are_not_kept_are_the_same(void **state)
{
    struct ls_scenario *scenario = scenario_of(crowded);
    struct ls_scene *scene = scene_of(scenario);
    struct ls_mornings *kept = mornings_of(scenario, COUNT, 1), *mornings;
    static struct ls_morning expected[COUNT], out[COUNT];
    const struct ls_cpu_doubt doubt = {0.9, 1.2};
    struct ls_error err;

    (void)state;
    assert_int_equal(ls_mornings_play(kept, &scene->wish, &doubt, expected, NULL, NULL, &err),
                     LS_OK);
    for (int threads = 1; threads <= 3; threads++) {
        assert_int_equal(mornings_new(&mornings, scenario, COUNT, threads, COUNT * 400 - 1, &err),
                         LS_OK);
        assert_non_null(ls_mornings_schedule(mornings, 0));
        assert_null(ls_mornings_schedule(mornings, 1));
        memset(out, 0x55, sizeof out);
        assert_int_equal(ls_mornings_play(mornings, &scene->wish, &doubt, out, NULL, NULL, &err),
                         LS_OK);
        assert_memory_equal(out, expected, sizeof out);
        ls_mornings_free(mornings);
    }
    assert_int_equal(mornings_new(&mornings, scenario, COUNT, 2, COUNT * 400, &err), LS_OK);
    assert_non_null(ls_mornings_schedule(mornings, COUNT - 1));
    ls_mornings_free(mornings);
    ls_mornings_free(kept);
    ls_scene_free(scene);
    ls_scenario_free(scenario);
}

/* Per user: a row of 48 bytes and a state of 96, 24 while a schedule is sorted or latencies are; the schedule's 24 once for each
 * morning while all have up to 10 million, then once and once for each thread. Bursts to come, 40 bytes, up to 256 MiB. */
static void what_it_takes_is_known_beforehand(void **state)
{
    static const struct {
        const char *why, *text;
        int64_t users;
        int count, threads;
        int64_t bytes;
    } rows[] = {
        {"one user", "", 1, 1, 1, 24 + (48 + 96 + 40 + 24)},
        {"the schedules alone", "", 1000, 3, 0, 3 * 24000},
        {"a thousand, kept", "", 1000, 3, 2, 3 * 24000 + 2 * 208000},
        {"the last that are kept", "", 1000000, 10, 1, 240000000 + 208000000},
        {"one morning more, and each thread has its own", "", 1000000, 11, 2,
         24000000 + 2 * 232000000},
        {"ten million, one morning", "", 10000000, 1, 1,
         INT64_C(240000000) + INT64_C(1680000000) + 268435456},
        {"as many mornings as there may be", "", 10000000, 100000, 1,
         INT64_C(480000000) + INT64_C(1680000000) + 268435456},
        {"a balancer that counts who is there", "login: {hold: until_end}\n", 1000, 1, 1,
         24000 + 208000 + 12000},
        {"and when they leave", "login: {hold: 5m}\n", 1000, 1, 1, 24000 + 208000 + 12000 + 24000},
        {"half of them come again", "events: [{at: \"08:00:30\", reconnect: 50%, over: 5s}]\n",
         1000, 1, 1, 24000 + 40000 + 24000 + 1500 * (48 + 96 + 24)},
        {"one gateway of two dies", "events: [{at: \"08:00:30\", gateway_down: 1, for: 5s}]\n",
         1000, 1, 1, 24000 + 40000 + 24000 + 1500 * (48 + 96 + 24)},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[1024];
        struct ls_scenario *scenario;
        int64_t bytes;

        (void)snprintf(text, sizeof text,
                       "loginstorm: 1\nname: x\nusers: 50\nseed: 1\nwindow: {from: \"08:00\", to: "
                       "\"08:01\"}\n%scertificates: [{name: A, key: ecdsa-p256}]\npace: {speedup: "
                       "1}\nfarm: {gateways: 2, cores: 1, balancing: %s, costs: {fixed: 1ms}}\n",
                       rows[i].text,
                       strncmp(rows[i].text, "login", 5) == 0 ? "least_connections" : "random");
        scenario = scenario_of(text);
        bytes = ls_mornings_memory(scenario, rows[i].users, rows[i].count, rows[i].threads);
        if (bytes != rows[i].bytes) {
            fail_msg("%s: %lld instead of %lld", rows[i].why, (long long)bytes,
                     (long long)rows[i].bytes);
        }
        ls_scenario_free(scenario);
    }
}

static void the_first_morning_is_the_scenarios_own(void **state)
{
    struct ls_scenario *scenario = scenario_of(crowded);
    struct ls_mornings *mornings = mornings_of(scenario, 40, 2);
    struct ls_schedule *own;
    struct ls_error err;

    (void)state;
    assert_true(ls_mornings_seed(mornings, 0) == 5);
    assert_int_equal(ls_schedule_build(&own, scenario, &err), LS_OK);
    assert_int_equal(ls_mornings_schedule(mornings, 0)->count, 400);
    assert_memory_equal(ls_mornings_schedule(mornings, 0)->rows, own->rows,
                        400 * sizeof own->rows[0]);
    ls_schedule_free(own);
    for (int i = 1; i < 40; i++) {
        assert_true(ls_mornings_seed(mornings, i) >> 53 == 0);
        for (int k = 0; k < i; k++) {
            assert_true(ls_mornings_seed(mornings, i) != ls_mornings_seed(mornings, k));
        }
        scenario->seed = ls_mornings_seed(mornings, i); /* as a scenario of that seed has it */
        assert_int_equal(ls_schedule_build(&own, scenario, &err), LS_OK);
        assert_memory_equal(ls_mornings_schedule(mornings, i)->rows, own->rows,
                            400 * sizeof own->rows[0]);
        ls_schedule_free(own);
    }
    ls_mornings_free(mornings);
    ls_scenario_free(scenario);
}

static void mornings_that_no_seed_moves_share_one_schedule(void **state)
{
    static const struct {
        const char *why, *text;
        bool shared;
    } rows[] = {
        {"all at once", "arrivals: {shape: burst, at: \"08:00\", over: 0s}\n", true},
        {"evenly spaced", "arrivals: {shape: uniform, placement: even}\n", true},
        {"at random", "arrivals: {shape: uniform}\n", false},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[1024];
        struct ls_scenario *scenario;
        struct ls_mornings *mornings;

        (void)snprintf(text, sizeof text,
                       "loginstorm: 1\nname: x\nusers: 50\nseed: 1\nwindow: {from: \"08:00\", to: "
                       "\"08:01\"}\n%s%s",
                       rows[i].text, FARM);
        scenario = scenario_of(text);
        mornings = mornings_of(scenario, 3, 2);
        if ((ls_mornings_schedule(mornings, 2) == ls_mornings_schedule(mornings, 0)) !=
            rows[i].shared) {
            fail_msg("%s", rows[i].why);
        }
        ls_mornings_free(mornings);
        ls_scenario_free(scenario);
    }
}

static int stop_at_once(double done, void *data)
{
    *(double *)data = done;
    return 1;
}

static void who_asks_for_it_ends_the_play(void **state)
{
    struct ls_scenario *scenario = scenario_of(crowded);
    struct ls_scene *scene = scene_of(scenario);
    struct ls_mornings *mornings = mornings_of(scenario, COUNT, 1);
    struct ls_morning out[COUNT];
    struct ls_error err;
    double done = 0;

    (void)state;
    assert_int_equal(ls_mornings_play(mornings, &scene->wish, NULL, out, stop_at_once, &done, &err),
                     LS_EINTERRUPTED);
    assert_true(done >= 1 && done <= 1);
    assert_true(out[0].played);
    for (int i = 1; i < COUNT; i++) {
        assert_false(out[i].played);
    }
    ls_mornings_free(mornings);
    ls_scene_free(scene);
    ls_scenario_free(scenario);
}

static void what_cannot_be_played_is_refused_in_words(void **state)
{
    struct ls_scenario *scenario = scenario_of(crowded);
    struct ls_scene *scene = scene_of(scenario);
    struct ls_mornings *mornings;
    struct ls_morning out[2];
    struct ls_error err;

    (void)state;
    assert_int_equal(ls_mornings_new(&mornings, scenario, 0, 1, &err), LS_EINPUT);
    assert_null(mornings);
    mornings = mornings_of(scenario, 2, 2);
    scene->wish.farm.cores = 0; /* of no thread is a model made */
    assert_int_equal(ls_mornings_play(mornings, &scene->wish, NULL, out, NULL, NULL, &err),
                     LS_EINPUT);
    assert_non_null(strstr(err.text, "serves nobody"));
    ls_mornings_free(mornings);
    ls_scene_free(scene);
    ls_scenario_free(scenario);
}

/* A handshake of 10 ms each, so that the farm's CPU tells what a morning drew. */
static void what_is_not_known_of_the_costs_is_in_all_mornings_but_the_first(void **state)
{
    struct ls_scenario *scenario = scenario_of(
        "loginstorm: 1\nname: x\nusers: 50\nseed: 5\nwindow: {from: \"08:00\", to: \"08:01\"}\n"
        "login: {request: {send: 0B, receive: 0B}}\n"
        "certificates: [{name: A, key: ecdsa-p256}]\npace: {speedup: 1}\n"
        "farm: {gateways: 1, cores: 1, costs: {fixed: 10ms}}\n");
    struct ls_scene *scene = scene_of(scenario);
    enum { MORNINGS = 1000 };
    struct ls_mornings *mornings = mornings_of(scenario, MORNINGS, 2);
    static struct ls_morning out[MORNINGS];
    const struct ls_cpu_doubt doubt = {0.8, 1.5};
    int inside = 0, below = 0;
    struct ls_error err;

    (void)state;
    assert_int_equal(ls_mornings_play(mornings, &scene->wish, &doubt, out, NULL, NULL, &err),
                     LS_OK);
    assert_true(out[0].cpu >= 1 && out[0].cpu <= 1);
    for (int i = 0; i < MORNINGS; i++) {
        const int64_t each_ns = (int64_t)(10e6 * out[i].cpu + 0.5);

        assert_int_equal(out[i].facts.cpu_ns, out[i].facts.flights * each_ns);
        inside += out[i].cpu >= doubt.low && out[i].cpu <= doubt.high;
        below += out[i].cpu < 1;
    }
    /* Of 1,000 by p = 0.95 and 0.5 so few lie out of these by luck that no seed of a test does: five deviations. */
    assert_in_range(inside, 915, 985);
    assert_in_range(below, 420, 580);
    ls_mornings_free(mornings);
    ls_scene_free(scene);
    ls_scenario_free(scenario);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_number_of_threads_plays_the_same_mornings),
        cmocka_unit_test(a_morning_is_summed_up_as_a_run_is),
        cmocka_unit_test(who_is_sent_back_counts_in_the_fullest_minute),
        cmocka_unit_test(mornings_that_are_not_kept_are_the_same),
        cmocka_unit_test(what_it_takes_is_known_beforehand),
        cmocka_unit_test(the_first_morning_is_the_scenarios_own),
        cmocka_unit_test(what_is_not_known_of_the_costs_is_in_all_mornings_but_the_first),
        cmocka_unit_test(mornings_that_no_seed_moves_share_one_schedule),
        cmocka_unit_test(who_asks_for_it_ends_the_play),
        cmocka_unit_test(what_cannot_be_played_is_refused_in_words),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
