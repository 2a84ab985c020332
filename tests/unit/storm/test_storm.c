/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "loginstorm/storm.h"

#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "loginstorm/units.h"

/* One scenario; what a row changes is set by hand, since a parser would refuse some of it. */
struct plan {
    struct ls_population populations[2];
    struct ls_certificate certificates[2];
    struct ls_wave wave;
    struct ls_scenario scenario;
};

static void plan_init(struct plan *plan)
{
    *plan = (struct plan){0};
    for (int i = 0; i < 2; i++) {
        plan->populations[i] =
            (struct ls_population){.connections = 1, .share = 0.5, .tls.server_name = (char[]){""}};
        plan->certificates[i].key = LS_KEY_ECDSA_P256;
        plan->certificates[i].name = (char *)(uintptr_t)(i == 0 ? "first" : "second");
    }
    plan->populations[0].tls.server_name = plan->populations[1].tls.server_name =
        (char *)(uintptr_t) "ras.example.lan";
    plan->scenario.populations = plan->populations;
    plan->scenario.populations_count = 2;
    plan->scenario.certificates = plan->certificates;
    plan->scenario.certificates_count = 2;
    plan->scenario.gateway.embedded = true;
    plan->scenario.gateway.target = (char *)(uintptr_t) "embedded";
    plan->scenario.gateway.workers = 1;
}

static int core_of_ours(void)
{
    cpu_set_t set;
    int core = 0;

    assert_int_equal(sched_getaffinity(0, sizeof set, &set), 0);
    while (!CPU_ISSET((size_t)core, &set)) {
        core++;
    }
    return core;
}

enum change {
    NOTHING,
    OUTSIDE,
    NO_WORKER_TOO_MANY,
    NO_CERTIFICATE,
    OWN_CORE,
    MISSING_CORE,
    NEGATIVE_CORE,
    RESUME,
    LARGEST_ANSWER,
    TOO_LARGE_ANSWER,
    CHAIN_FILE,
    POST_QUANTUM,
    OTHER_NAME,
    OTHER_NAME_UNCHECKED,
    CLOSED_LOOP,
};

static void apply(struct plan *plan, enum change change)
{
    struct ls_scenario *scenario = &plan->scenario;

    switch (change) {
    case NOTHING:
        break;
    case OUTSIDE:
        scenario->gateway.embedded = false;
        scenario->gateway.target = (char *)(uintptr_t) "192.0.2.10:443";
        break;
    case NO_WORKER_TOO_MANY:
        scenario->gateway.workers = 257;
        break;
    case NO_CERTIFICATE:
        scenario->certificates_count = 0;
        break;
    case OWN_CORE:
    case MISSING_CORE:
    case NEGATIVE_CORE:
        scenario->gateway.cores_count = 1;
        scenario->gateway.cores[0] = change == OWN_CORE       ? core_of_ours()
                                     : change == MISSING_CORE ? CPU_SETSIZE + 1
                                                              : -2;
        break;
    case RESUME:
        plan->populations[1].tls.resume_share = 0.1;
        break;
    case CLOSED_LOOP:
        plan->wave = (struct ls_wave){.shape = LS_SHAPE_CLOSED, .requests = 2, .concurrency = 2};
        scenario->waves = &plan->wave;
        scenario->waves_count = 1;
        break;
    case LARGEST_ANSWER:
        scenario->login.receive_bytes = 64 << 20;
        break;
    case TOO_LARGE_ANSWER:
        scenario->login.receive_bytes = (64 << 20) + 1;
        break;
    case CHAIN_FILE:
        plan->certificates[1].key = LS_KEY_FILE;
        plan->certificates[1].chain = (char *)(uintptr_t) "nowhere.pem";
        plan->certificates[1].private_key = (char *)(uintptr_t) "nowhere.key";
        break;
    case POST_QUANTUM:
        plan->certificates[1].key = LS_KEY_ML_DSA_65;
        break;
    case OTHER_NAME:
    case OTHER_NAME_UNCHECKED:
        plan->populations[1].tls.server_name = (char *)(uintptr_t) "other.example.lan";
        plan->populations[1].tls.verify = change == OTHER_NAME ? LS_VERIFY_CHAIN : LS_VERIFY_LEAF;
        break;
    }
}

static void what_a_storm_cannot_do_is_told_before_anything_is_started(void **state)
{
    static const struct {
        enum change change;
        int injectors;
        enum ls_code code;
        const char *text;
    } rows[] = {
        {NOTHING, 1, LS_OK, ""},
        {NOTHING, 256, LS_OK, ""},
        {NOTHING, 0, LS_EUSAGE, "--injectors: 0 is out of range (1 to 256)"},
        {NOTHING, -1, LS_EUSAGE, "--injectors: -1 is out of range (1 to 256)"},
        {NOTHING, 257, LS_EUSAGE, "--injectors: 257 is out of range (1 to 256)"},
        {CLOSED_LOOP, 1, LS_OK, ""},
        {CLOSED_LOOP, 2, LS_EUSAGE,
         "--injectors: a closed loop has one injector, not 2: it keeps count of who is there, and "
         "is "
         "never ahead of the gateway"},
        {NO_WORKER_TOO_MANY, 1, LS_EUSAGE, "gateway.workers: 257 is out of range (1 to 256)"},
        {OUTSIDE, 1, LS_OK, ""},
        {NO_CERTIFICATE, 1, LS_EINPUT, "certificates: a storm needs at least one"},
        {OWN_CORE, 1, LS_OK, ""},
        {MISSING_CORE, 1, LS_EINPUT,
         "gateway.cores: core 1025 does not exist here, or may not be used; see `nproc` and "
         "`taskset -p $$`"},
        {NEGATIVE_CORE, 1, LS_EINPUT,
         "gateway.cores: core -2 does not exist here, or may not be used; see `nproc` and "
         "`taskset -p $$`"},
        {RESUME, 1, LS_OK, ""},
        {LARGEST_ANSWER, 1, LS_OK, ""},
        {TOO_LARGE_ANSWER, 1, LS_EINPUT,
         "login.request.receive: the embedded gateway answers with 64 MiB at most"},
        {CHAIN_FILE, 1, LS_ENOINPUT,
         "certificates.1 (second): cannot open nowhere.pem: No such file or directory"},
        {POST_QUANTUM, 1, LS_OK, ""},
        {OTHER_NAME, 1, LS_OK, ""},
        {OTHER_NAME_UNCHECKED, 1, LS_OK, ""},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct plan plan;
        struct ls_error err = {0};

        print_message("%s\n", rows[i].text);
        plan_init(&plan);
        apply(&plan, rows[i].change);
        assert_int_equal(ls_storm_check(&plan.scenario, rows[i].injectors, &err), rows[i].code);
        assert_string_equal(err.text, rows[i].text);
    }
}

/* A schedule of so many users, a second from one to the next. */
static struct ls_schedule *users_a_second(size_t users)
{
    struct ls_schedule *schedule = calloc(1, sizeof *schedule + users * sizeof schedule->rows[0]);

    assert_non_null(schedule);
    schedule->count = users;
    for (size_t i = 0; i < users; i++) {
        schedule->rows[i].due_ns = (int64_t)i * LS_NS_PER_S;
    }
    return schedule;
}

static void what_shards_cannot_do_is_told_before_anything_is_started(void **state)
{
    static const struct {
        enum change change;
        int injectors, shards;
        enum ls_code code;
        const char *text;
    } rows[] = {
        {NOTHING, 1, 0, LS_OK, ""},
        {NOTHING, 1, 1, LS_OK, ""},
        {OUTSIDE, 1, 2, LS_OK, ""},
        {OUTSIDE, 2, 4, LS_OK, ""},
        {CLOSED_LOOP, 1, 1, LS_OK, ""},
        {NOTHING, 1, 2, LS_EINPUT,
         "gateway.target: embedded: each of 2 shards would storm a gateway of its own; let them "
         "meet at one: HOST:PORT of yours, or of a `loginstorm gateway` on another machine"},
        {CLOSED_LOOP, 1, 2, LS_EUSAGE,
         "--shard: a closed loop is played by one machine: it keeps count of who is there"},
        {OUTSIDE, 3, 3, LS_EUSAGE,
         "--shard: 3 shards of 3 injectors are more than there are users, 8"},
        {OUTSIDE, 1, 9, LS_EUSAGE,
         "--shard: 9 shards of 1 injector are more than there are users, 8"},
        {OUTSIDE, 1, 4097, LS_EUSAGE, "--shard: 4097 shards are out of range (1 to 4096)"},
    };
    struct ls_schedule *schedule = users_a_second(8);

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct plan plan;
        struct ls_error err = {0};

        print_message("%s\n", rows[i].text);
        plan_init(&plan);
        apply(&plan, rows[i].change);
        assert_int_equal(ls_storm_check_shards(&plan.scenario, schedule, rows[i].injectors,
                                               rows[i].shards, &err),
                         rows[i].code);
        assert_string_equal(err.text, rows[i].text);
    }
    free(schedule);
}

/* The last is due after 9 s and may take 30; ten seconds stand for what is around it. */
static void from_one_start_to_the_next_there_is_time_for_all_of_a_storm(void **state)
{
    static const struct {
        enum ls_cpu_source cpu;
        size_t users;
        bool closed;
        int64_t slot_s;
        const char *why;
    } rows[] = {
        {LS_CPU_NONE, 10, false, 50, "9 + 30 + 10 s, and ten rows to write"},
        {LS_CPU_PROCESS, 10, false, 53, "three seconds to see what the gateway does anyway"},
        {LS_CPU_EXPORTER, 10, false, 56, "an exporter is asked less often"},
        {LS_CPU_NONE, 100000, false, 100044, "five seconds for 100,000 rows"},
        {LS_CPU_NONE, 10, true, 0, "nobody knows when a closed loop ends"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct ls_schedule *schedule = users_a_second(rows[i].users);
        struct plan plan;

        print_message("%s\n", rows[i].why);
        plan_init(&plan);
        plan.scenario.gateway.cpu_from = rows[i].cpu;
        plan.scenario.login.login_timeout_ns = 30 * LS_NS_PER_S;
        schedule->waves_count = rows[i].closed ? 1 : 0;
        assert_int_equal(ls_storm_slot_ns(&plan.scenario, schedule), rows[i].slot_s * LS_NS_PER_S);
        free(schedule);
    }
}

static void placement_says_who_runs_where(void **state)
{
    struct plan plan;
    char text[256], expected[256];
    const int core = core_of_ours();

    (void)state;
    plan_init(&plan);
    ls_storm_placement(&plan.scenario, 1, text, sizeof text);
    assert_string_equal(text, "1 worker · 1 injector");
    plan.scenario.gateway.workers = 2;
    ls_storm_placement(&plan.scenario, 3, text, sizeof text);
    assert_string_equal(text, "2 workers · 3 injectors");
    plan.scenario.gateway.cores_count = 1;
    plan.scenario.gateway.cores[0] = core;
    ls_storm_placement(&plan.scenario, 1, text, sizeof text);
    (void)snprintf(expected, sizeof expected, "2 workers on cores %d, %d · 1 injector", core, core);
    assert_int_equal(strncmp(text, expected, strlen(expected)), 0);
}

/* Every injector is kept off the gateway's cores, as long as there are others. */
static void injectors_keep_off_the_gateway_s_cores(void **state)
{
    char text[256], expected[64];
    struct plan plan;
    cpu_set_t set;

    (void)state;
    plan_init(&plan);
    assert_int_equal(sched_getaffinity(0, sizeof set, &set), 0);
    for (int core = 0; core < CPU_SETSIZE; core++) {
        if (CPU_ISSET((size_t)core, &set) && plan.scenario.gateway.cores_count < LS_CORES_MAX) {
            plan.scenario.gateway.cores[plan.scenario.gateway.cores_count++] = core;
        }
    }
    ls_storm_placement(&plan.scenario, 2, text, sizeof text);
    (void)snprintf(expected, sizeof expected, "1 worker on core %d · 2 injectors", core_of_ours());
    if (CPU_COUNT(&set) <= LS_CORES_MAX) {
        assert_string_equal(text, expected);
    }
    if (CPU_COUNT(&set) > 1) {
        const int last = plan.scenario.gateway.cores[--plan.scenario.gateway.cores_count];

        if (CPU_COUNT(&set) <= LS_CORES_MAX) {
            ls_storm_placement(&plan.scenario, 2, text, sizeof text);
            (void)snprintf(expected, sizeof expected,
                           "1 worker on core %d · 2 injectors on cores "
                           "%d, %d",
                           core_of_ours(), last, last);
            assert_string_equal(text, expected);
        }
    }
}

static void a_small_place_for_the_words_is_kept_to(void **state)
{
    struct plan plan;
    char text[16];

    (void)state;
    plan_init(&plan);
    memset(text, 'x', sizeof text);
    ls_storm_placement(&plan.scenario, 1, text, 10);
    assert_string_equal(text, "1 worker ");
    assert_int_equal(text[10], 'x');
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_storm_cannot_do_is_told_before_anything_is_started),
        cmocka_unit_test(what_shards_cannot_do_is_told_before_anything_is_started),
        cmocka_unit_test(from_one_start_to_the_next_there_is_time_for_all_of_a_storm),
        cmocka_unit_test(placement_says_who_runs_where),
        cmocka_unit_test(injectors_keep_off_the_gateway_s_cores),
        cmocka_unit_test(a_small_place_for_the_words_is_kept_to),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
