/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <arpa/inet.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "unit/engine/stage.h"

#define S LS_NS_PER_S

static void the_most_that_can_be_open_is_what_a_user_s_stay_holds(void **state)
{
    static const struct {
        int users, connections;
        int64_t step_ns;
        enum ls_hold hold;
        int64_t hold_ns, login_ns;
        int shard, shards;
        int64_t most;
        const char *reason;
    } rows[] = {
        {10, 1, 1 * S, LS_HOLD_UNTIL_END, 0, 5 * S, 0, 1, 10, "held to the end: all of them"},
        {10, 3, 1 * S, LS_HOLD_UNTIL_END, 0, 5 * S, 0, 1, 30, "three connections each"},
        {10, 1, 1 * S, LS_HOLD_NONE, 0, 3 * S, 0, 1, 4, "who is due at the very end counts"},
        {10, 1, 1 * S, LS_HOLD_NONE, 0, 3 * S - 1, 0, 1, 3, "a nanosecond less"},
        {10, 2, 1 * S, LS_HOLD_DURATION, 2 * S, 3 * S, 0, 1, 12, "held after the login"},
        {10, 1, 1 * S, LS_HOLD_DURATION, INT64_MAX, 3 * S, 0, 1, 10, "held for ever"},
        {10, 1, 0, LS_HOLD_NONE, 0, 1, 0, 1, 10, "all at once"},
        {10, 1, 1 * S, LS_HOLD_UNTIL_END, 0, 5 * S, 0, 3, 4, "the first shard of three"},
        {10, 1, 1 * S, LS_HOLD_UNTIL_END, 0, 5 * S, 2, 3, 3, "the last of three"},
        {10, 1, 1 * S, LS_HOLD_NONE, 0, 6 * S, 1, 3, 3, "1, 4 and 7, or 4 and 7 and no 10"},
        {2, 1, 1 * S, LS_HOLD_UNTIL_END, 0, 5 * S, 2, 3, 0, "more shards than users"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct ls_population population = {.connections = rows[i].connections};
        const struct ls_scenario scenario = {
            .populations = &population,
            .populations_count = 1,
            .login = {.hold = rows[i].hold,
                      .hold_ns = rows[i].hold_ns,
                      .login_timeout_ns = rows[i].login_ns,
                      .attempts = 3},
        };
        struct ls_schedule *schedule = stage_schedule(rows[i].users, rows[i].step_ns);

        print_message("%s\n", rows[i].reason);
        assert_int_equal(ls_engine_open_max(&scenario, schedule, rows[i].shard, rows[i].shards),
                         rows[i].most);
        assert_int_equal(ls_engine_handshakes_max(&scenario, schedule),
                         rows[i].users * rows[i].connections * 3);
        free(schedule);
    }
}

/* Whoever left may still have his last bytes under way when the next one comes. */
static void a_closed_loop_holds_twice_as_many_as_come_at_a_time(void **state)
{
    static const struct {
        int users, connections;
        struct ls_loop_wave waves[2];
        int64_t most;
        const char *reason;
    } rows[] = {
        {100, 1, {{0, 100, 20, LS_SHAPE_CLOSED}}, 40, "20 at a time"},
        {100, 3, {{0, 100, 20, LS_SHAPE_CLOSED}}, 120, "three connections each"},
        {30, 1, {{0, 30, 20, LS_SHAPE_CLOSED}}, 30, "there are no more"},
        {5, 1, {{0, 5, 1, LS_SHAPE_SEQUENCE}}, 2, "one after another"},
        {105, 1, {{0, 5, 1, LS_SHAPE_SEQUENCE}, {5, 100, 20, LS_SHAPE_CLOSED}}, 40, "the largest"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct ls_population population = {.connections = rows[i].connections};
        const struct ls_scenario scenario = {.populations = &population,
                                             .populations_count = 1,
                                             .login = {.login_timeout_ns = S, .attempts = 1}};
        struct ls_schedule *schedule = stage_schedule(rows[i].users, 0);

        print_message("%s\n", rows[i].reason);
        memcpy(schedule->waves, rows[i].waves, sizeof rows[i].waves);
        schedule->waves_count = rows[i].waves[1].count > 0 ? 2 : 1;
        assert_int_equal(ls_engine_open_max(&scenario, schedule, 0, 1), rows[i].most);
        free(schedule);
    }
}

static void a_storm_goes_to_loopback_addresses_alone(void **state)
{
    static const struct {
        const char *address;
        bool ours;
    } rows[] = {
        {"127.0.0.1", true},
        {"127.0.0.2", true},
        {"127.255.255.254", true},
        {"::1", true},
        {"0.0.0.0", false},
        {"126.255.255.255", false},
        {"128.0.0.1", false},
        {"10.0.0.1", false},
        {"192.168.1.10", false},
        {"192.0.2.10", false},
        {"255.255.255.255", false},
        {"::", false},
        {"::2", false},
        {"fe80::1", false},
        {"2001:db8::1", false},
        {"::ffff:10.0.0.1", false},
        {"1.0.0.127", false},
    };
    const struct stage_wish wish = {.users = 1, .login = "{hold: none}"};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct stage stage;
        struct ls_error err = {0};
        enum ls_code code;

        print_message("%s\n", rows[i].address);
        stage_set(&stage, identity, &wish);
        if (strchr(rows[i].address, ':') != NULL) {
            assert_int_equal(uv_ip6_addr(rows[i].address, 443,
                                         (struct sockaddr_in6 *)&stage.job.target.addresses[0]),
                             0);
        } else {
            assert_int_equal(uv_ip4_addr(rows[i].address, 443,
                                         (struct sockaddr_in *)&stage.job.target.addresses[0]),
                             0);
        }
        code = ls_engine_new(&stage.engine, &stage.loop, &stage.job, &err);
        if (rows[i].ours) {
            assert_int_equal(code, LS_OK);
            ls_engine_stop(stage.engine);
        } else {
            assert_int_equal(code, LS_EINPUT);
            assert_null(stage.engine);
            assert_string_equal(err.text,
                                "a storm goes to loopback addresses (127.0.0.0/8 or ::1), "
                                "and to those that the scenario's gateway.allow names");
        }
        stage_clear(&stage);
        stage_end(&stage);
    }
}

static void an_address_of_no_family_is_refused(void **state)
{
    const struct stage_wish wish = {.users = 1, .login = "{hold: none}"};
    struct ls_error err;
    struct stage stage;

    (void)state;
    stage_set(&stage, identity, &wish);
    stage.job.target.addresses[0] = (struct sockaddr_storage){.ss_family = AF_UNSPEC};
    assert_int_equal(ls_engine_new(&stage.engine, &stage.loop, &stage.job, &err), LS_EINPUT);
    stage_clear(&stage);
    stage_end(&stage);
}

/* In a process of its own; its status is the number of the check that failed. */
static int child_with_a_low_limit(void)
{
    const struct stage_wish wish = {.users = 500, .login = "{hold: until_end}"};
    const struct rlimit low = {.rlim_cur = 200, .rlim_max = 300};
    struct ls_error err = {0};
    struct stage stage;
    struct rlimit limit;

    stage_set(&stage, identity, &wish);
    if (setrlimit(RLIMIT_NOFILE, &low) != 0 || (geteuid() == 0 && seteuid(65534) != 0)) {
        return 1;
    }
    if (ls_engine_new(&stage.engine, &stage.loop, &stage.job, &err) != LS_ELIMIT) {
        return 2;
    }
    if (strcmp(err.text,
               "an injector of this storm may have to hold 500 connections open at once, but "
               "the limit of open files is 300 and may not be raised: run `ulimit -n 564` as "
               "root first, or use fewer --users") != 0) {
        return 3;
    }
    /* A third of them fits below the hard limit, to which anyone may raise the soft one. */
    stage.job.shards = 3;
    if (ls_engine_new(&stage.engine, &stage.loop, &stage.job, &err) != LS_OK) {
        return 4;
    }
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur != 167 + 64) {
        return 5;
    }
    return limit.rlim_max == 300 ? 0 : 6;
}

static void a_limit_that_is_too_low_is_told_with_what_to_do(void **state)
{
    const pid_t pid = fork();
    int status = -1;

    (void)state;
    assert_true(pid >= 0);
    if (pid == 0) {
        _exit(child_with_a_low_limit());
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

/* One source address should not give more than 10,000 ports; 60 users with 200 tries each could ask
 * for 12,000. */
static void a_large_storm_comes_from_several_addresses(void **state)
{
    struct rig *rig = rig_new(identity);
    const struct stage_wish wish = {
        .users = 60, .login = "{hold: none}", .target = (const struct sockaddr *)&rig->address};
    int64_t from[3] = {0};
    struct stage stage;

    (void)state;
    stage_set(&stage, identity, &wish);
    stage.scenario->login.attempts = 200;
    assert_int_equal(ls_engine_new(&stage.engine, &rig->loop, &stage.job, &(struct ls_error){0}),
                     LS_OK);
    stage_start(&stage);
    while (stage.closed == 0) {
        (void)uv_run(&rig->loop, UV_RUN_ONCE);
    }
    rig_run(rig);
    ls_engine_facts(stage.engine, &stage.facts);
    stage_check(&stage);
    assert_int_equal(stage.facts.logged_in, 60);
    assert_int_equal(rig->servers_count, 60);
    for (size_t i = 0; i < rig->servers_count; i++) {
        const uint32_t last = ntohl(rig->servers[i].peer.sin_addr.s_addr) - INADDR_LOOPBACK;

        assert_in_range(last, 0, 2);
        from[last]++;
    }
    assert_int_equal(from[0], 30);
    assert_int_equal(from[1], 30);
    rig_free(rig);
    stage_clear(&stage);
    stage_end(&stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_most_that_can_be_open_is_what_a_user_s_stay_holds),
        cmocka_unit_test(a_closed_loop_holds_twice_as_many_as_come_at_a_time),
        cmocka_unit_test(a_storm_goes_to_loopback_addresses_alone),
        cmocka_unit_test(an_address_of_no_family_is_refused),
        cmocka_unit_test(a_limit_that_is_too_low_is_told_with_what_to_do),
        cmocka_unit_test(a_large_storm_comes_from_several_addresses),
    };

    return cmocka_run_group_tests(tests, rig_set_up, rig_tear_down);
}
