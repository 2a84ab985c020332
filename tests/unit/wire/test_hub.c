/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The queue alone: wires without an endpoint, whose work is to end. */
#include "loginstorm/units.h"
#include "unit/wire/rig.h"
#include "wire/wire_work.h"

#define WIRES 6
/* More than the hub's budget for one turn. */
#define LONG_NS (8 * LS_NS_PER_MS)

struct bench {
    uv_loop_t loop;
    struct ls_hub hub;
    struct ls_wire wires[WIRES];
    char order[WIRES * 4]; /* of the work: a letter a wire; '.' for what came between */
    size_t length;
    int turns[WIRES]; /* in which each was worked on */
    int turn;
    uv_prepare_t counter;
    int queues_again; /* this wire, when it is worked on, queues the next one */
};

static struct bench *bench_of(const struct ls_wire *wire)
{
    return wire->tcp.data;
}

static void on_worked(struct ls_wire *wire)
{
    struct bench *bench = bench_of(wire);
    const int i = (int)(wire - bench->wires);

    bench->order[bench->length++] = (char)('a' + i);
    bench->turns[i] = bench->turn;
    if (bench->queues_again == i) {
        ls_hub_queue(&bench->wires[i + 1]);
    }
}

static const struct ls_wire_calls calls = {.ended = on_worked};

static void count_turn(uv_prepare_t *counter)
{
    struct bench *bench = counter->data;

    bench->turn++;
}

static void bench_init(struct bench *bench)
{
    *bench = (struct bench){.queues_again = -1};
    assert_int_equal(uv_loop_init(&bench->loop), 0);
    ls_hub_init(&bench->hub, &bench->loop, &calls);
    assert_int_equal(uv_prepare_init(&bench->loop, &bench->counter), 0);
    bench->counter.data = bench;
    assert_int_equal(uv_prepare_start(&bench->counter, count_turn), 0);
    uv_unref((uv_handle_t *)&bench->counter);
    for (int i = 0; i < WIRES; i++) {
        bench->wires[i].hub = &bench->hub;
        bench->wires[i].state = LS_WIRE_OPEN;
        bench->wires[i].tcp.data = bench;
    }
}

static void bench_free(struct bench *bench)
{
    ls_hub_stop(&bench->hub);
    uv_close((uv_handle_t *)&bench->counter, NULL);
    (void)uv_run(&bench->loop, UV_RUN_DEFAULT);
    assert_int_equal(uv_loop_close(&bench->loop), 0);
}

static void queue(struct bench *bench, const char *letters)
{
    for (; *letters != '\0'; letters++) {
        ls_hub_queue(&bench->wires[*letters - 'a']);
    }
}

static void work_is_done_first_come_first_served(void **state)
{
    struct bench bench;

    (void)state;
    bench_init(&bench);
    queue(&bench, "cafbed");
    (void)uv_run(&bench.loop, UV_RUN_DEFAULT);
    assert_string_equal(bench.order, "cafbed");
    assert_null(bench.hub.first);
    assert_null(bench.hub.last);
    bench_free(&bench);
}

static void a_wire_stands_in_the_queue_once_and_can_leave_it_anywhere(void **state)
{
    static const struct {
        const char *in, *out, *in_again, *order;
        const char *reason;
    } rows[] = {
        {"abcd", "b", "", "acd", "from the middle"},
        {"abcd", "a", "", "bcd", "from the front"},
        {"abcd", "d", "", "abc", "from the end"},
        {"abcd", "bc", "", "ad", "two neighbours"},
        {"abcd", "dcba", "", "", "all, backwards"},
        {"abcd", "abcd", "ef", "ef", "all, then others"},
        {"abcd", "ef", "", "abcd", "who was never in it"},
        {"abab", "", "", "ab", "queued twice"},
        {"abc", "a", "a", "bca", "left and came back: at the end"},
        {"abc", "c", "d", "abd", "behind a last that left"},
        {"a", "a", "a", "a", "the only one"},
        {"abc", "bb", "", "ac", "left twice"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct bench bench;

        print_message("%s\n", rows[i].reason);
        bench_init(&bench);
        queue(&bench, rows[i].in);
        for (const char *letter = rows[i].out; *letter != '\0'; letter++) {
            ls_hub_unqueue(&bench.wires[*letter - 'a']);
        }
        queue(&bench, rows[i].in_again);
        (void)uv_run(&bench.loop, UV_RUN_DEFAULT);
        assert_string_equal(bench.order, rows[i].order);
        for (int w = 0; w < WIRES; w++) {
            assert_false(bench.wires[w].queued);
            assert_null(bench.wires[w].next);
            assert_null(bench.wires[w].previous);
        }
        bench_free(&bench);
    }
}

static void put_a_dot(void *data)
{
    struct bench *bench = data;

    bench->order[bench->length++] = '.';
}

static void the_owner_is_called_between_two_pieces_of_work(void **state)
{
    struct bench bench;

    (void)state;
    bench_init(&bench);
    bench.hub.between = put_a_dot;
    bench.hub.between_data = &bench;
    queue(&bench, "abc");
    (void)uv_run(&bench.loop, UV_RUN_DEFAULT);
    assert_string_equal(bench.order, "a.b.c.");
    bench_free(&bench);
}

static void take_long(void *data)
{
    const int64_t until_ns = ls_now_ns() + LONG_NS;

    (void)data;
    while (ls_now_ns() < until_ns) {
    }
}

static void work_beyond_the_budget_waits_for_the_next_turn(void **state)
{
    struct bench bench;

    (void)state;
    bench_init(&bench);
    bench.hub.between = take_long;
    queue(&bench, "abc");
    (void)uv_run(&bench.loop, UV_RUN_DEFAULT);
    assert_string_equal(bench.order, "abc");
    assert_int_equal(bench.turns[1], bench.turns[0] + 1);
    assert_int_equal(bench.turns[2], bench.turns[1] + 1);
    assert_true(bench.hub.worst_turn_ns >= LONG_NS);
    bench_free(&bench);
}

static void work_that_comes_while_working_is_not_left_lying(void **state)
{
    struct bench bench;

    (void)state;
    for (int last = 0; last < WIRES - 1; last++) {
        bench_init(&bench);
        bench.queues_again = last;
        ls_hub_queue(&bench.wires[last]);
        (void)uv_run(&bench.loop, UV_RUN_DEFAULT);
        assert_int_equal(bench.length, 2);
        assert_int_equal(bench.order[1], 'a' + last + 1);
        bench_free(&bench);
    }
}

static void queue_later(uv_timer_t *timer)
{
    struct bench *bench = timer->data;

    queue(bench, "ab");
    uv_close((uv_handle_t *)timer, NULL);
}

/* Timers run before the poll: the loop must not go to sleep on what they queued. */
static void work_that_a_timer_queues_is_done_in_the_same_turn(void **state)
{
    struct bench bench;
    uv_timer_t timer;

    (void)state;
    bench_init(&bench);
    assert_int_equal(uv_timer_init(&bench.loop, &timer), 0);
    timer.data = &bench;
    assert_int_equal(uv_timer_start(&timer, queue_later, 1, 0), 0);
    (void)uv_run(&bench.loop, UV_RUN_DEFAULT);
    assert_string_equal(bench.order, "ab");
    assert_int_equal(bench.turns[0], bench.turns[1]);
    bench_free(&bench);
}

static void a_hub_without_work_does_not_keep_its_loop_alive(void **state)
{
    struct bench bench;

    (void)state;
    bench_init(&bench);
    assert_int_equal(uv_run(&bench.loop, UV_RUN_DEFAULT), 0);
    queue(&bench, "a");
    ls_hub_unqueue(&bench.wires[0]);
    assert_int_equal(uv_run(&bench.loop, UV_RUN_DEFAULT), 0);
    assert_string_equal(bench.order, "");
    bench_free(&bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(work_is_done_first_come_first_served),
        cmocka_unit_test(a_wire_stands_in_the_queue_once_and_can_leave_it_anywhere),
        cmocka_unit_test(the_owner_is_called_between_two_pieces_of_work),
        cmocka_unit_test(work_beyond_the_budget_waits_for_the_next_turn),
        cmocka_unit_test(work_that_comes_while_working_is_not_left_lying),
        cmocka_unit_test(work_that_a_timer_queues_is_done_in_the_same_turn),
        cmocka_unit_test(a_hub_without_work_does_not_keep_its_loop_alive),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
