/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "loginstorm/storm.h"

#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

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
        cmocka_unit_test(placement_says_who_runs_where),
        cmocka_unit_test(injectors_keep_off_the_gateway_s_cores),
        cmocka_unit_test(a_small_place_for_the_words_is_kept_to),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
