/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Places, time-outs, deaths and returns, each by an arithmetic of its own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unit/model/kit.h"

#define MS LS_NS_PER_MS
#define S LS_NS_PER_S

static struct ls_model *play(const struct kit *kit, uint64_t seed)
{
    struct ls_model *model;
    struct ls_error err;

    assert_int_equal(ls_model_new(&model, &kit->wish, &err), LS_OK);
    assert_int_equal(ls_model_run(model, kit->schedule, seed, &err), LS_OK);
    return model;
}

static const struct ls_login *row(const struct ls_model *model, size_t i)
{
    size_t count;
    const struct ls_login *rows = ls_model_logins(model, &count);

    assert_true(i < count);
    return &rows[i];
}

static struct ls_service fixed(double ns)
{
    return (struct ls_service){.law = LS_LAW_FIXED, .mean_ns = ns};
}

static void finish(struct ls_model *model, struct kit *kit)
{
    ls_model_free(model);
    kit_free(kit);
}

/* The due times of the rows, in ms. */
static void due(struct kit *kit, size_t count, const int64_t *ms)
{
    struct ls_schedule *schedule = kit_schedule(kit, count);

    for (size_t i = 0; i < count; i++) {
        schedule->rows[i].due_ns = ms[i] * MS;
    }
}

/* TLS 1.3 with a request: two bursts, and the round trips between them. */
static void a_login_is_its_round_trips_and_bursts(void **state)
{
    struct kit kit;
    struct ls_model *model;
    struct ls_model_handshake *full = &kit.population.full;

    (void)state;
    kit_init(&kit, fixed(3e6));
    kit.wish.keep_handshakes = true;
    kit.population.connections = 2;
    kit.population.rtt_ns = 40 * MS;
    kit.population.connect_client_ns = 1 * MS;
    full->steps[0].client_ns = 2 * MS;
    full->steps[0].wake_ns = 0.5e6;
    full->steps[0].beside_ns = 0.25e6;
    full->steps[1] =
        (struct ls_model_step){.burst = fixed(1e6), .client_ns = 4 * MS, .delay_ns = 7 * MS};
    full->steps_count = 2;
    full->through = 1;
    full->last_client_ns = 8 * MS;
    kit.wish.farm.login_cpu_ns = 100 * MS;
    due(&kit, 1, (const int64_t[]){10});
    model = play(&kit, 1);
    /* SYN 1 + 40, hello 2 + 20, burst 3.75, flight 20, user 4, request 20 + 7, burst 1, answer 20, user 8: */
    assert_int_equal(row(model, 0)->started_ns, 10 * MS);
    assert_int_equal(row(model, 0)->connected_ns, (10 + 41) * MS);
    assert_int_equal(row(model, 0)->secured_ns, (10 + 41 + 22) * MS + 3750000 + 24 * MS);
    assert_int_equal(row(model, 0)->done_ns,
                     10 * MS + 2 * ((41 + 22 + 24 + 27 + 1 + 28) * MS + 3750000) + 100 * MS);
    assert_int_equal(ls_model_facts(model)->cpu_ns, 2 * 4750000 + 100 * MS);
    assert_int_equal(ls_model_facts(model)->flights, 2);
    assert_int_equal(ls_model_facts(model)->secured, 2);
    finish(model, &kit);
}

/* Linux waits a second four times before it doubles; older ones double at once. */
static void a_dropped_syn_comes_again_as_the_kernel_does_it(void **state)
{
    static const struct {
        bool classic;
        int64_t again_s[6];
    } kernels[] = {
        {false, {1, 2, 3, 4, 5, 7}},
        {true, {1, 3, 7, 15, 31, 63}},
    };

    (void)state;
    for (size_t k = 0; k < 2; k++) {
        for (int tries = 1; tries <= 6; tries++) {
            struct kit kit;
            struct ls_model *model;
            /* The one core is free a moment before the try that shall find it so. */
            const int64_t service_ns = kernels[k].again_s[tries - 1] * S - MS;

            kit_init(&kit, fixed((double)service_ns));
            kit.wish.farm.backlog = 0;
            kit.wish.farm.classic_syn_retries = kernels[k].classic;
            due(&kit, 2, (const int64_t[]){0, 0});
            model = play(&kit, 1);
            assert_int_equal(ls_model_facts(model)->syn_dropped, tries);
            assert_int_equal(row(model, 1)->done_ns,
                             kernels[k].again_s[tries - 1] * S + service_ns);
            finish(model, &kit);
        }
    }
}

static void who_gives_up_leaves_his_work_behind(void **state)
{
    static const struct {
        bool drops_closed;
        int64_t cpu_ms, flights, wasted, dropped, logged_in;
        const char *why;
    } cases[] = {
        {false, 600, 6, 5, 0, 1, "each hello is answered, though only the first is waited for"},
        {true, 200, 2, 1, 4, 1, "who has begun when he leaves is wasted, who waits is not begun"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct kit kit;
        struct ls_model *model;
        const struct ls_model_facts *facts;

        kit_init(&kit, fixed(100e6));
        kit.wish.farm.drops_closed = cases[i].drops_closed;
        kit.wish.login.handshake_timeout_ns = 100 * MS;
        due(&kit, 6, (const int64_t[]){0, 10, 11, 12, 13, 14});
        model = play(&kit, 1);
        facts = ls_model_facts(model);
        assert_int_equal(facts->cpu_ns, cases[i].cpu_ms * MS);
        assert_int_equal(facts->flights, cases[i].flights);
        assert_int_equal(facts->wasted, cases[i].wasted);
        assert_int_equal(facts->dropped, cases[i].dropped);
        assert_int_equal(facts->logged_in, cases[i].logged_in);
        assert_int_equal(row(model, 3)->done_ns, 112 * MS);
        assert_int_equal(row(model, 3)->reason, LS_REASON_HANDSHAKE_TIMEOUT);
        finish(model, &kit);
    }
}

static void a_retry_waits_as_long_as_it_was_told(void **state)
{
    struct kit kit;
    struct ls_model *model;

    (void)state;
    kit_init(&kit, fixed(1e9));
    kit.wish.farm.drops_closed = true;
    kit.wish.login.handshake_timeout_ns = 100 * MS;
    kit.wish.login.attempts = 4;
    kit.wish.login.retry_wait_ns = 200 * MS;
    kit.wish.login.retry_factor = 2;
    kit.wish.login.retry_jitter = LS_JITTER_NONE;
    due(&kit, 1, (const int64_t[]){0});
    model = play(&kit, 1);
    /* Tries at 0, 300, 800 and 1,700 ms; the core is busy with the first up to 1,000 ms, so that the next two
     * are not begun and the last one is. */
    assert_int_equal(row(model, 0)->attempts, 4);
    assert_int_equal(row(model, 0)->done_ns, 1800 * MS);
    assert_int_equal(ls_model_facts(model)->cpu_ns, 2 * S);
    assert_int_equal(ls_model_facts(model)->dropped, 2);
    finish(model, &kit);

    kit.wish.login.login_timeout_ns = 1750 * MS;
    due(&kit, 1, (const int64_t[]){0});
    model = play(&kit, 1);
    assert_int_equal(row(model, 0)->done_ns, 1750 * MS);
    assert_int_equal(row(model, 0)->reason, LS_REASON_LOGIN_TIMEOUT);
    finish(model, &kit);
}

/* Two gateways in turn, the first dies. */
static void a_death_loses_what_runs_what_waits_and_who_is_in(void **state)
{
    static const struct ls_event event = {
        .kind = LS_EVENT_GATEWAY_DOWN, .at_ns = 250 * MS, .gateways = 1, .duration_ns = 400 * MS};
    struct kit kit;
    struct ls_model *model;

    (void)state;
    kit_init(&kit, fixed(100e6));
    kit.population.rtt_ns = 2 * MS;
    kit.wish.farm.gateways = 2;
    kit.wish.login.hold = LS_HOLD_UNTIL_END;
    kit.wish.login.attempts = 2;
    kit.wish.login.retry_wait_ns = 50 * MS;
    kit.wish.login.retry_jitter = LS_JITTER_NONE;
    kit.wish.events = &event;
    kit.wish.events_count = 1;
    /* 0 is in by then; 2 is served, 4 waits, at the first. 1, 3 and 5 are at the second. */
    due(&kit, 6, (const int64_t[]){0, 0, 197, 198, 199, 200});
    model = play(&kit, 1);
    assert_int_equal(ls_model_facts(model)->returned, 1);
    assert_int_equal(ls_model_facts(model)->logged_in, 7);
    assert_int_equal(ls_model_user(model, 6), 0);
    /* He hears of it half a round trip later, and comes after the wait. */
    assert_int_equal(row(model, 6)->due_ns, (250 + 1 + 50) * MS);
    assert_int_equal(row(model, 2)->attempts, 2);
    assert_int_equal(row(model, 2)->reason, LS_REASON_HANDSHAKE_RESET);
    assert_int_equal(row(model, 4)->attempts, 2);
    assert_int_equal(row(model, 3)->attempts, 1);
    /* The second: 3 to 301, 5 to 401, then 0, 2 and 4 who came at 301 to it (the first is down up to 650). */
    assert_int_equal(row(model, 3)->done_ns, (198 + 3 + 100 + 1) * MS);
    assert_int_equal(row(model, 5)->done_ns, (301 + 100 + 1) * MS);
    /* CPU: seven whole bursts, and of 2's first one what ran before: from 200 to 250. */
    assert_int_equal(ls_model_facts(model)->cpu_ns, 750 * MS);
    finish(model, &kit);
}

static void where_no_gateway_is_up_a_syn_comes_again(void **state)
{
    static const struct ls_event event = {
        .kind = LS_EVENT_GATEWAY_DOWN, .at_ns = 10 * MS, .gateways = 1, .duration_ns = 2500 * MS};
    struct kit kit;
    struct ls_model *model;

    (void)state;
    kit_init(&kit, fixed(1e6));
    kit.wish.events = &event;
    kit.wish.events_count = 1;
    due(&kit, 1, (const int64_t[]){100});
    model = play(&kit, 1);
    assert_int_equal(ls_model_facts(model)->syn_dropped, 3);
    assert_int_equal(row(model, 0)->done_ns, 100 * MS + 3 * S + MS);
    finish(model, &kit);
}

static void everybody_comes_again_over_a_time(void **state)
{
    static const struct ls_event event = {
        .kind = LS_EVENT_RECONNECT, .at_ns = 10 * S, .share = 1, .duration_ns = 5 * S};
    struct kit kit;
    struct ls_model *model;
    struct ls_schedule *schedule;
    size_t count;
    int64_t first_ns = INT64_MAX, last_ns = 0;

    (void)state;
    kit_init(&kit, fixed(1e6));
    kit.wish.login.hold = LS_HOLD_UNTIL_END;
    kit.wish.events = &event;
    kit.wish.events_count = 1;
    schedule = kit_schedule(&kit, 1000);
    for (size_t i = 0; i < 1000; i++) {
        schedule->rows[i].due_ns = (int64_t)i * 20 * MS; /* half of them after it */
    }
    model = play(&kit, 1);
    assert_int_equal(ls_model_facts(model)->returned, 500);
    (void)ls_model_logins(model, &count);
    assert_int_equal(count, 1500);
    for (size_t i = 1000; i < count; i++) {
        const int64_t due_ns = row(model, i)->due_ns;

        assert_true(ls_model_user(model, i) < 500);
        first_ns = due_ns < first_ns ? due_ns : first_ns;
        last_ns = due_ns > last_ns ? due_ns : last_ns;
    }
    assert_in_range(first_ns, 10 * S, 10 * S + 100 * MS);
    assert_in_range(last_ns, 15 * S - 100 * MS, 15 * S);
    finish(model, &kit);
}

static void balancing_spreads_as_it_says(void **state)
{
    static const struct {
        enum ls_balancing balancing;
        double low, high; /* mean sojourn, ms: of 300 at once over three gateways, 10 ms each */
        const char *why;
    } cases[] = {
        {LS_ROUND_ROBIN, 505, 505, "100 at each"},
        {LS_LEAST_CONNECTIONS, 505, 505, "100 at each"},
        {LS_RANDOM, 505.000001, 620, "uneven, as chance has it"},
        {LS_SOURCE_HASH, 505.000001, 620, "uneven, as chance has it"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct kit kit;
        struct ls_model *model;
        double sum_ms = 0;

        kit_init(&kit, fixed(10e6));
        kit.wish.farm.gateways = 3;
        kit.wish.farm.balancing = cases[i].balancing;
        (void)kit_schedule(&kit, 300);
        model = play(&kit, 1);
        for (size_t r = 0; r < 300; r++) {
            sum_ms += (double)row(model, r)->done_ns / 1e6;
        }
        assert_true(sum_ms / 300 >= cases[i].low - 1e-9 && sum_ms / 300 <= cases[i].high + 1e-9);
        finish(model, &kit);
    }
}

/* A user has gone when his session is over: then the balancer counts him no more. */
static void least_connections_sees_who_is_still_there(void **state)
{
    struct kit kit;
    struct ls_model *model;

    (void)state;
    kit_init(&kit, fixed(1e6));
    kit.wish.farm.gateways = 2;
    kit.wish.farm.balancing = LS_LEAST_CONNECTIONS;
    kit.wish.login.hold = LS_HOLD_DURATION;
    kit.wish.login.hold_ns = 100 * MS;
    kit.wish.keep_handshakes = true;
    due(&kit, 4, (const int64_t[]){0, 50, 120, 130});
    model = play(&kit, 1);
    /* 0 is gone at 101, so 2 goes to where he was, and 3, who finds one on each, to the next in turn. */
    assert_int_equal(ls_model_facts(model)->logged_in, 4);
    finish(model, &kit);
}

/* Users = logged in + failed, and L = lambda W over the whole morning, exactly. */
static void nobody_is_lost_and_littles_law_holds(void **state)
{
    struct kit kit;
    struct ls_model *model;
    size_t count;
    int64_t area_ns = 0, sum_ns = 0;
    const struct ls_login *rows;
    int64_t *moments;

    (void)state;
    kit_init(&kit, (struct ls_service){.law = LS_LAW_EXPONENTIAL, .mean_ns = 10e6});
    kit.population.rtt_ns = 5 * MS;
    kit.population.jitter_ns = 2 * MS;
    kit.wish.farm.backlog = 20;
    kit.wish.login.connect_timeout_ns = 3 * S;
    kit.wish.login.handshake_timeout_ns = 150 * MS;
    kit.wish.login.login_timeout_ns = 8 * S;
    kit.wish.login.attempts = 3;
    kit.wish.login.retry_wait_ns = 300 * MS;
    kit.wish.login.retry_factor = 2;
    kit.wish.login.retry_jitter = LS_JITTER_FULL;
    kit_poisson(&kit, 3000, 9e6, 5);
    model = play(&kit, 9);
    rows = ls_model_logins(model, &count);
    assert_int_equal(ls_model_facts(model)->logged_in + ls_model_facts(model)->failed, 3000);
    assert_true(ls_model_facts(model)->failed > 100);
    assert_true(ls_model_facts(model)->syn_dropped > 100);
    assert_true(ls_model_facts(model)->wasted > 100);
    /* The area under the number in the system, by its steps, against the sum of the sojourns. */
    moments = calloc(count, sizeof *moments);
    for (size_t i = 0; i < count; i++) {
        moments[i] = rows[i].done_ns;
        sum_ns += rows[i].done_ns - rows[i].due_ns;
    }
    {
        struct ls_quantiles sorted;
        size_t in = 0, out = 0;
        int64_t last_ns = 0, inside = 0;

        ls_quantiles_of(moments, count, &sorted);
        while (out < count) {
            const bool comes = in < count && rows[in].due_ns <= moments[out];
            const int64_t at_ns = comes ? rows[in].due_ns : moments[out];

            area_ns += inside * (at_ns - last_ns);
            last_ns = at_ns;
            inside += comes ? 1 : -1;
            in += comes;
            out += !comes;
        }
        assert_int_equal(inside, 0);
    }
    assert_int_equal(area_ns, sum_ns);
    free(moments);
    finish(model, &kit);
}

static void cpu_in_slices_adds_up(void **state)
{
    struct kit kit;
    struct ls_model *model;
    const int64_t *slices;
    size_t count;
    int64_t sum_ns = 0, slice_ns;

    (void)state;
    kit_init(&kit, fixed(700e6));
    kit.wish.slice_ns = S;
    kit.wish.farm.cores = 2;
    due(&kit, 3, (const int64_t[]){500, 600, 700});
    model = play(&kit, 1);
    slices = ls_model_slices(model, &count, &slice_ns);
    /* 500 to 1200 and 600 to 1300, then 1200 to 1900. */
    assert_int_equal(slice_ns, S);
    assert_int_equal(count, 2);
    assert_int_equal(slices[0], 900 * MS);
    assert_int_equal(slices[1], 1200 * MS);
    for (size_t i = 0; i < count; i++) {
        sum_ns += slices[i];
    }
    assert_int_equal(sum_ns, ls_model_facts(model)->cpu_ns);
    assert_int_equal(ls_model_facts(model)->peak_slice, 1);
    assert_true(fabs(ls_model_facts(model)->peak_share - 0.6) < 1e-12);
    finish(model, &kit);
}

/* One injector for all is a queue of its own before and behind the gateway. */
static void users_of_one_injector_wait_for_it(void **state)
{
    struct kit kit;
    struct ls_model *model;

    (void)state;
    kit_init(&kit, fixed(1e6));
    kit.wish.client_cores = 1;
    kit.population.connect_client_ns = 10 * MS;
    due(&kit, 3, (const int64_t[]){0, 0, 0});
    model = play(&kit, 1);
    /* SYNs leave at 10, 20 and 30; a hello costs it nothing, but stands behind them. */
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(row(model, i)->done_ns, (31 + (int64_t)i) * MS);
    }
    finish(model, &kit);
}

/* One who comes every second and wants 100 ms of a core that stands still for 30 ms ten times a second. */
static void pauses_fall_into_bursts_and_before_them(void **state)
{
    static const struct ls_service pauses = {.law = LS_LAW_FIXED, .mean_ns = 30e6};
    const size_t count = 4000;
    struct kit kit;
    struct ls_model *model;
    struct ls_schedule *schedule;
    double sum_ms = 0, cpu_ms;

    (void)state;
    kit_init(&kit, fixed(100e6));
    kit.wish.pauses = &pauses;
    kit.wish.pauses_per_s = 10;
    schedule = kit_schedule(&kit, count);
    for (size_t i = 0; i < count; i++) {
        schedule->rows[i].due_ns = (int64_t)i * S;
    }
    model = play(&kit, 1);
    for (size_t i = 0; i < count; i++) {
        const int64_t took_ns = row(model, i)->done_ns - row(model, i)->due_ns;

        assert_true(took_ns >= 100 * MS);
        sum_ms += (double)took_ns / 1e6;
    }
    cpu_ms = (double)ls_model_facts(model)->cpu_ns / 1e6 / (double)count;
    /* Into a burst: 10/s of 100 ms running, 30 ms each. Before it: the chance to come in a pause, 0.3 / 1.3, and
     * half of one on average. Four of their standard deviations either way. */
    assert_true(fabs(cpu_ms - 130) < 2);
    assert_true(fabs(sum_ms / (double)count - (130 + 0.3 / 1.3 * 15)) < 2.1);
    finish(model, &kit);
}

static void a_closed_loop_goes_on_when_one_has_gone(void **state)
{
    struct kit kit;
    struct ls_model *model;

    (void)state;
    kit_init(&kit, fixed(10e6));
    (void)kit_schedule(&kit, 10);
    kit.schedule->waves_count = 2;
    kit.schedule->waves[0] = (struct ls_loop_wave){0, 4, 2, LS_SHAPE_CLOSED};
    kit.schedule->waves[1] = (struct ls_loop_wave){4, 6, 1, LS_SHAPE_SEQUENCE};
    model = play(&kit, 1);
    /* Two at a time on one core: X = c / S, R = N / X, once it runs. */
    assert_int_equal(row(model, 0)->done_ns, 10 * MS);
    assert_int_equal(row(model, 1)->done_ns, 20 * MS);
    assert_int_equal(row(model, 2)->done_ns - row(model, 2)->due_ns, 20 * MS);
    assert_int_equal(row(model, 3)->done_ns, 40 * MS);
    for (size_t i = 4; i < 10; i++) {
        assert_int_equal(row(model, i)->due_ns, (40 + 10 * ((int64_t)i - 4)) * MS);
        assert_int_equal(row(model, i)->done_ns - row(model, i)->due_ns, 10 * MS);
    }
    finish(model, &kit);
}

static void what_is_no_farm_is_refused(void **state)
{
    static const struct {
        int gateways, cores;
        enum ls_code code;
    } cases[] = {{0, 1, LS_EINPUT}, {1, 0, LS_EINPUT}, {1, 1, LS_OK}};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct kit kit;
        struct ls_model *model;
        struct ls_error err;

        kit_init(&kit, fixed(0));
        kit.wish.farm.gateways = cases[i].gateways;
        kit.wish.farm.cores = cases[i].cores;
        assert_int_equal(ls_model_new(&model, &kit.wish, &err), cases[i].code);
        ls_model_free(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_login_is_its_round_trips_and_bursts),
        cmocka_unit_test(a_dropped_syn_comes_again_as_the_kernel_does_it),
        cmocka_unit_test(who_gives_up_leaves_his_work_behind),
        cmocka_unit_test(a_retry_waits_as_long_as_it_was_told),
        cmocka_unit_test(a_death_loses_what_runs_what_waits_and_who_is_in),
        cmocka_unit_test(where_no_gateway_is_up_a_syn_comes_again),
        cmocka_unit_test(everybody_comes_again_over_a_time),
        cmocka_unit_test(balancing_spreads_as_it_says),
        cmocka_unit_test(least_connections_sees_who_is_still_there),
        cmocka_unit_test(nobody_is_lost_and_littles_law_holds),
        cmocka_unit_test(cpu_in_slices_adds_up),
        cmocka_unit_test(users_of_one_injector_wait_for_it),
        cmocka_unit_test(pauses_fall_into_bursts_and_before_them),
        cmocka_unit_test(a_closed_loop_goes_on_when_one_has_gone),
        cmocka_unit_test(what_is_no_farm_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
