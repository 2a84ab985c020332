/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "unit/engine/stage.h"

#include "loginstorm/need.h"

#define S LS_NS_PER_S
#define US 1000.0

struct case_of_need {
    const char *why;
    int users, connections, attempts;
    int64_t step_ns;
    enum ls_hold hold;
    enum ls_close close;
    int64_t login_ns; /* time-out */
    struct ls_means means;
    struct ls_need need;
};

static struct ls_need need_of(const struct case_of_need *row, const struct ls_loop_wave *loop)
{
    struct ls_population population = {.connections = row->connections};
    const struct ls_scenario scenario = {
        .populations = &population,
        .populations_count = 1,
        .login = {.hold = row->hold,
                  .close = row->close,
                  .login_timeout_ns = row->login_ns,
                  .attempts = row->attempts},
    };
    struct ls_schedule *schedule = stage_schedule(row->users, row->step_ns);
    struct ls_need need;

    if (loop != NULL) {
        schedule->waves[0] = *loop;
        schedule->waves_count = 1;
    }
    ls_engine_need(&need, &scenario, schedule, &row->means);
    free(schedule);
    return need;
}

static void check(const struct case_of_need *row, const struct ls_need *need)
{
    const struct ls_need *wanted = &row->need;

    if (need->open != wanted->open || need->ports != wanted->ports ||
        need->handshakes != wanted->handshakes || fabs(need->cores - wanted->cores) > 1e-9 ||
        need->injectors != wanted->injectors || need->by_cpu != wanted->by_cpu ||
        need->by_files != wanted->by_files || need->sources != wanted->sources) {
        fail_msg("%s: open %lld, ports %lld, %lld handshakes, %.9f cores, %d injectors (%d, %d), "
                 "%d sources",
                 row->why, (long long)need->open, (long long)need->ports,
                 (long long)need->handshakes, need->cores, need->injectors, need->by_cpu,
                 need->by_files, need->sources);
    }
}

static void what_a_storm_takes_is_told_to_the_last_port(void **state)
{
    static const struct case_of_need rows[] = {
        {"a user a second, held to the end",
         100,
         1,
         1,
         S,
         LS_HOLD_UNTIL_END,
         LS_CLOSE_FIN,
         5 * S,
         {28000, 1000, 60 * S, 1, 100 * US},
         {100, 100, 1, 0.0001, 1, 1, 1, 1}},
        {"two connections each: both in the second",
         100,
         2,
         1,
         S,
         LS_HOLD_UNTIL_END,
         LS_CLOSE_FIN,
         5 * S,
         {28000, 1000, 60 * S, 1, 100 * US},
         {200, 200, 2, 0.0002, 1, 1, 1, 1}},
        {"not held: a time-out's worth is open, and 60 s more of ports are taken",
         200,
         1,
         1,
         S,
         LS_HOLD_NONE,
         LS_CLOSE_FIN,
         5 * S,
         {28000, 1000, 60 * S, 1, 100 * US},
         {6, 66, 1, 0.0001, 1, 1, 1, 1}},
        {"a second more where the kernel gives them out again",
         200,
         1,
         1,
         S,
         LS_HOLD_NONE,
         LS_CLOSE_FIN,
         5 * S,
         {28000, 1000, S, 1, 100 * US},
         {6, 7, 1, 0.0001, 1, 1, 1, 1}},
        {"who resets leaves nothing behind",
         200,
         1,
         1,
         S,
         LS_HOLD_NONE,
         LS_CLOSE_RESET,
         5 * S,
         {28000, 1000, 60 * S, 1, 100 * US},
         {6, 6, 1, 0.0001, 1, 1, 1, 1}},
        {"each of three attempts may take a port",
         200,
         1,
         3,
         S,
         LS_HOLD_NONE,
         LS_CLOSE_FIN,
         5 * S,
         {28000, 1000, 60 * S, 1, 100 * US},
         {6, 198, 1, 0.0001, 1, 1, 1, 1}},
        {"but no more than there are attempts in all",
         70,
         1,
         3,
         S,
         LS_HOLD_NONE,
         LS_CLOSE_FIN,
         50 * S,
         {28000, 1000, 60 * S, 1, 100 * US},
         {51, 210, 1, 0.0001, 1, 1, 1, 1}},
        {"8,000 a second at 100 us are 80 % of a core",
         8000,
         1,
         1,
         S / 8000,
         LS_HOLD_UNTIL_END,
         LS_CLOSE_FIN,
         5 * S,
         {28000, 100000, 60 * S, 1, 100 * US},
         {8000, 8000, 8000, 0.8, 1, 1, 1, 1}},
        {"one more is another injector",
         8001,
         1,
         1,
         S / 8001,
         LS_HOLD_UNTIL_END,
         LS_CLOSE_FIN,
         5 * S,
         {28000, 100000, 60 * S, 1, 100 * US},
         {8001, 8001, 8001, 0.8001, 2, 2, 1, 1}},
        {"the fullest second begins anywhere and has no end of its own",
         2001,
         1,
         1,
         S / 1000,
         LS_HOLD_UNTIL_END,
         LS_CLOSE_FIN,
         5 * S,
         {28000, 100000, 60 * S, 1, 1000 * US},
         {2001, 2001, 1000, 1, 2, 2, 1, 1}},
        {"as many open files as connections",
         1000,
         1,
         1,
         S,
         LS_HOLD_UNTIL_END,
         LS_CLOSE_FIN,
         5 * S,
         {28000, 1000, 60 * S, 1, 100 * US},
         {1000, 1000, 1, 0.0001, 1, 1, 1, 1}},
        {"one less: two injectors",
         1000,
         1,
         1,
         S,
         LS_HOLD_UNTIL_END,
         LS_CLOSE_FIN,
         5 * S,
         {28000, 999, 60 * S, 1, 100 * US},
         {1000, 1000, 1, 0.0001, 2, 1, 2, 1}},
        {"10,000 of an address",
         10000,
         1,
         1,
         S,
         LS_HOLD_UNTIL_END,
         LS_CLOSE_FIN,
         5 * S,
         {28000, 100000, 60 * S, 1, 100 * US},
         {10000, 10000, 1, 0.0001, 1, 1, 1, 1}},
        {"one more is another address",
         10001,
         1,
         1,
         S,
         LS_HOLD_UNTIL_END,
         LS_CLOSE_FIN,
         5 * S,
         {28000, 100000, 60 * S, 1, 100 * US},
         {10001, 10001, 1, 0.0001, 1, 1, 1, 2}},
        {"or another one of the gateway",
         10001,
         1,
         1,
         S,
         LS_HOLD_UNTIL_END,
         LS_CLOSE_FIN,
         5 * S,
         {28000, 100000, 60 * S, 2, 100 * US},
         {10001, 10001, 1, 0.0001, 1, 1, 1, 1}},
        {"where the range is smaller",
         10001,
         1,
         1,
         S,
         LS_HOLD_UNTIL_END,
         LS_CLOSE_FIN,
         5 * S,
         {500, 100000, 60 * S, 1, 100 * US},
         {10001, 10001, 1, 0.0001, 1, 1, 1, 21}},
        {"no ports and no files at all",
         2,
         1,
         1,
         S,
         LS_HOLD_UNTIL_END,
         LS_CLOSE_FIN,
         5 * S,
         {0, 0, 60 * S, 1, 100 * US},
         {2, 2, 1, 0.0001, 2, 1, 2, 2}},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct ls_need need = need_of(&rows[i], NULL);

        check(&rows[i], &need);
    }
}

/* It has no second of its own; each of its connections takes a port. */
static void a_closed_loop_is_as_fast_as_it_can_be(void **state)
{
    static const struct case_of_need row = {
        .why = "20 at a time",
        .users = 12000,
        .connections = 1,
        .attempts = 1,
        .login_ns = S,
        .means = {28000, 30, 60 * S, 1, 100 * US},
        .need = {40, 12000, -1, -1, 2, 1, 2, 2},
    };
    const struct ls_loop_wave loop = {0, 12000, 20, LS_SHAPE_CLOSED};
    const struct ls_need need = need_of(&row, &loop);

    (void)state;
    check(&row, &need);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_storm_takes_is_told_to_the_last_port),
        cmocka_unit_test(a_closed_loop_is_as_fast_as_it_can_be),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
