/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include "loginstorm/random.h"
#include "model/work.h"

#define GATEWAYS_MOST 1000
#define STEPS 20000

/* A balancer and what it is held to: the fewest of those who are up, of equals the next in turn, each looked at. */
struct farm {
    struct ls_model_wish wish;
    struct ls_model *model;
    int64_t open[GATEWAYS_MOST]; /* INT64_MAX: down */
    int count, up;
};

static void farm_init(struct farm *farm, int count)
{
    struct ls_error err;

    *farm = (struct farm){.count = count, .up = count};
    farm->wish = (struct ls_model_wish){
        .login = {.connect_timeout_ns = 1,
                  .handshake_timeout_ns = 1,
                  .login_timeout_ns = 1,
                  .attempts = 1},
        .farm = {.gateways = count, .cores = 1, .balancing = LS_LEAST_CONNECTIONS},
        .speedup = 1,
    };
    assert_int_equal(ls_model_new(&farm->model, &farm->wish, &err), LS_OK);
    farm_clear(farm->model);
    farm->model->rows = calloc(1, sizeof *farm->model->rows);
    farm->model->states = calloc(1, sizeof *farm->model->states);
    assert_true(farm->model->rows != NULL && farm->model->states != NULL);
}

static int expected(const struct farm *farm, int turn)
{
    int best = turn;

    for (int i = 1; i < farm->count; i++) {
        const int other = (turn + i) % farm->count;

        best = farm->open[other] < farm->open[best] ? other : best;
    }
    return best;
}

static void set(struct farm *farm, int gateway, int64_t open)
{
    farm->open[gateway] = open;
    balance_set(farm->model, (uint32_t)gateway, open);
}

/* A connection more, one less, a death, a return: as the dice say. */
static void something_happens(struct farm *farm, int step)
{
    const uint64_t dice =
        ls_random_u64(1, LS_STREAM_BALANCE, (uint64_t)farm->count, (uint64_t)step);
    const int gateway = (int)(dice / 16 % (uint64_t)farm->count);
    const int64_t open = farm->open[gateway];

    if (open == INT64_MAX) {
        set(farm, gateway, 0);
        farm->up++;
    } else if (dice % 16 < 2 && farm->up > 1) {
        set(farm, gateway, INT64_MAX);
        farm->up--;
    } else if (dice % 16 < 6 && open > 0) {
        set(farm, gateway, open - 1);
    }
}

static void the_fewest_connections_are_found_as_by_looking_at_each(void **state)
{
    static const int counts[] = {2, 3, 4, 5, 7, 64, 65, 1000};

    (void)state;
    for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
        struct farm farm;
        int turn = -1;

        farm_init(&farm, counts[c]);
        for (int step = 0; step < STEPS; step++) {
            int chosen;

            turn = (turn + 1) % farm.count;
            chosen = (int)balance_choose(farm.model, 0);
            if (chosen != expected(&farm, turn)) {
                fail_msg("of %d, step %d: %d instead of %d", farm.count, step, chosen,
                         expected(&farm, turn));
            }
            set(&farm, chosen, farm.open[chosen] + 1);
            something_happens(&farm, step);
        }
        ls_model_free(farm.model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_fewest_connections_are_found_as_by_looking_at_each),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
