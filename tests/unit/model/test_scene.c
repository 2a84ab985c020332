/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "loginstorm/scene.h"
#include "loginstorm/units.h"

static struct ls_scenario *parse(const char *more)
{
    char text[1024];
    struct ls_errors errors = {0};
    struct ls_scenario *scenario = NULL;

    (void)snprintf(text, sizeof text,
                   "loginstorm: 1\nname: x\nusers: 3600\nseed: 5\npace: {speedup: 1}\n"
                   "window: {from: \"08:00\", to: \"09:00\"}\n"
                   "certificates: [{name: A, key: ecdsa-p256}]\n%s",
                   more);
    assert_int_equal(ls_scenario_parse(&scenario, "x.yaml", text, strlen(text), NULL, 0, &errors),
                     LS_OK);
    return scenario;
}

static char certificate[] = "A", key[] = "ecdsa-p256", x25519[] = "X25519", tls13[] = "1.3",
            tls12[] = "1.2";

static struct ls_spread unknown(void)
{
    return (struct ls_spread){.mean_ns = -1};
}

static struct ls_cost row_of(char *version, bool resumed, double cpu_us)
{
    return (struct ls_cost){
        .certificate = certificate,
        .key = key,
        .group = x25519,
        .version = version,
        .resumed = resumed,
        .resumed_share = resumed ? 1 : 0,
        .at = {{.per_s = 100,
                .core_share = 0.1,
                .handshakes = 1000,
                .cpu_ns = cpu_us * 1e3,
                .tls_ns = 0.5e3 * cpu_us,
                .hello = unknown(),
                .finish = unknown(),
                .client_ns = 200e3,
                .connect = unknown(),
                .handshake = unknown(),
                .login = unknown()}},
        .at_count = 1,
    };
}

static enum ls_code build(struct ls_scene **scene, const struct ls_scenario *scenario,
                          const struct ls_costs *costs, struct ls_error *err)
{
    const struct ls_scene_wish wish = {
        .scenario = scenario, .certificate = &scenario->certificates[0], .costs = costs};

    return ls_scene_new(scene, &wish, err);
}

static void a_version_has_its_round_trips(void **state)
{
    static const struct {
        const char *population, *login;
        int steps, secured, through;
        const char *why;
    } cases[] = {
        {"tls: {versions: [1.3]}", "{request: {send: 900B, receive: 6kB}}", 2, 0, 1,
         "one trip, then Finished and request together"},
        {"tls: {versions: [1.3]}", "{hold: none}", 2, 0, 0,
         "one trip; nobody waits for what Finished does"},
        {"tls: {versions: [1.2]}", "{request: {send: 900B, receive: 6kB}}", 3, 1, 2,
         "two trips, then the request"},
        {"tls: {versions: [1.2]}", "{hold: none}", 2, 1, 1, "two trips"},
    };
    struct ls_cost rows[] = {row_of(tls13, false, 300), row_of(tls12, false, 400)};
    const struct ls_costs costs = {.factor = 1, .low = 1, .high = 1, .rows = rows, .count = 2};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char more[512];
        struct ls_scenario *scenario;
        struct ls_scene *scene;
        struct ls_error err;
        const struct ls_model_handshake *full;
        double sum_ns = 0;

        (void)snprintf(more, sizeof more, "populations: [{name: all, %s}]\nlogin: %s\n",
                       cases[i].population, cases[i].login);
        scenario = parse(more);
        assert_int_equal(build(&scene, scenario, &costs, &err), LS_OK);
        full = &scene->populations[0].full;
        assert_int_equal(full->steps_count, cases[i].steps);
        assert_int_equal(full->secured, cases[i].secured);
        assert_int_equal(full->through, cases[i].through);
        assert_int_equal(full->flight, 0);
        for (int s = 0; s < full->steps_count; s++) {
            sum_ns += full->steps[s].burst.mean_ns + full->steps[s].beside_ns;
        }
        assert_true(fabs(sum_ns - (i < 2 ? 300e3 : 400e3)) < 1);
        ls_scene_free(scene);
        ls_scenario_free(scenario);
    }
}

static void a_law_stands_for_any_key(void **state)
{
    struct ls_scenario *scenario = parse("farm: {gateways: 3, cores: 4, backlog: 9, drops_closed: "
                                         "yes, costs: {exponential: 10ms}, login_cpu: 5ms}\n"
                                         "populations: [{name: all, connections: 3}]\n");
    struct ls_scene *scene;
    struct ls_error err;

    (void)state;
    assert_int_equal(build(&scene, scenario, NULL, &err), LS_OK);
    assert_int_equal(scene->wish.farm.gateways, 3);
    assert_int_equal(scene->wish.farm.cores, 4);
    assert_int_equal(scene->wish.farm.backlog, 9);
    assert_true(scene->wish.farm.drops_closed);
    assert_int_equal(scene->populations[0].full.steps[0].burst.law, LS_LAW_EXPONENTIAL);
    assert_true(fabs(ls_scene_login_cpu_ns(scene, scenario, false) - 35e6) < 1);
    ls_scene_free(scene);
    ls_scenario_free(scenario);
}

static void a_kind_that_was_not_measured_is_refused_or_told(void **state)
{
    struct ls_cost rows[] = {row_of(tls13, false, 300)};
    const struct ls_costs costs = {.factor = 1, .low = 1, .high = 1, .rows = rows, .count = 1};
    struct ls_scenario *other = parse("populations: [{name: all, tls: {groups: [P-384]}}]\n");
    struct ls_scenario *resuming = parse("populations: [{name: all, tls: {resume: 50%}}]\n"
                                         "gateway: {tickets: on}\n");
    struct ls_scene *scene;
    struct ls_error err;

    (void)state;
    assert_int_equal(build(&scene, other, &costs, &err), LS_EINPUT);
    assert_non_null(strstr(err.text, "X25519")); /* what there is */
    assert_null(scene);
    assert_int_equal(build(&scene, resuming, &costs, &err), LS_OK);
    assert_non_null(scene->notes);
    assert_non_null(strstr(scene->notes, "no resumed handshake"));
    assert_true(fabs(scene->populations[0].resumed.steps[0].burst.mean_ns -
                     scene->populations[0].full.steps[0].burst.mean_ns) < 1e-6);
    ls_scene_free(scene);
    ls_scenario_free(other);
    ls_scenario_free(resuming);
}

static void a_live_storm_has_no_network_but_its_own_waits(void **state)
{
    struct ls_cost rows[] = {row_of(tls13, false, 300)};
    struct ls_cost_at *at = &rows[0].at[0];
    const struct ls_costs costs = {.factor = 1, .low = 1, .high = 1, .rows = rows, .count = 1};
    struct ls_scenario *scenario =
        parse("populations: [{name: all, network: {rtt: 40ms, jitter: 4ms}}]\n"
              "login: {request: {send: 900B, receive: 6kB}}\n");
    struct ls_scene_wish wish = {
        .scenario = scenario, .certificate = &scenario->certificates[0], .costs = &costs};
    struct ls_scene *scene;
    struct ls_error err;
    const struct ls_model_population *all;
    int64_t idle_ns;

    (void)state;
    at->connect = at->handshake = at->login = (struct ls_spread){.count = 1};
    at->connect.points_ns[50] = 100000;
    at->handshake.points_ns[50] = 700000;
    at->login.points_ns[50] = 1000000;
    assert_int_equal(ls_scene_new(&scene, &wish, &err), LS_OK);
    assert_int_equal(scene->populations[0].rtt_ns, 40 * LS_NS_PER_MS);
    assert_int_equal(scene->populations[0].jitter_ns, 4 * LS_NS_PER_MS);
    assert_int_equal(scene->populations[0].connect_delay_ns, 0);
    ls_scene_free(scene);

    wish.injectors = 1;
    assert_int_equal(ls_scene_new(&scene, &wish, &err), LS_OK);
    all = &scene->populations[0];
    assert_int_equal(all->rtt_ns, 0);
    assert_int_equal(scene->wish.client_cores, 1);
    /* All of an idle login is what was measured. */
    idle_ns = all->connect_client_ns + all->connect_delay_ns + all->full.steps[0].client_ns +
              all->full.steps[0].delay_ns + all->full.steps[1].client_ns +
              all->full.steps[1].delay_ns + all->full.last_client_ns;
    for (int s = 0; s < 2; s++) {
        idle_ns += (int64_t)(all->full.steps[s].burst.mean_ns + all->full.steps[s].beside_ns);
    }
    assert_in_range(idle_ns, 1000000 - 10, 1000000 + 10);
    ls_scene_free(scene);
    ls_scenario_free(scenario);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_version_has_its_round_trips),
        cmocka_unit_test(a_law_stands_for_any_key),
        cmocka_unit_test(a_kind_that_was_not_measured_is_refused_or_told),
        cmocka_unit_test(a_live_storm_has_no_network_but_its_own_waits),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
