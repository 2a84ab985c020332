/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What would be lost when an allocation is refused is what the sanitizers tell. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "loginstorm/mornings.h"
#include "unit/refusing.h"

static struct ls_scenario *scenario;

static enum ls_code play(struct ls_error *err)
{
    const struct ls_scene_wish wish = {.scenario = scenario,
                                       .certificate = &scenario->certificates[0]};
    struct ls_scene *scene = NULL;
    struct ls_mornings *mornings = NULL;
    struct ls_morning out[3];
    enum ls_code code = ls_scene_new(&scene, &wish, err);

    if (code == LS_OK) {
        code = ls_mornings_new(&mornings, scenario, 3, 1, err);
    }
    if (code == LS_OK) {
        code = ls_mornings_play(mornings, &scene->wish, NULL, out, NULL, NULL, err);
    }
    ls_mornings_free(mornings);
    ls_scene_free(scene);
    return code;
}

static void whatever_allocation_fails_it_is_told(void **state)
{
    static const char text[] = "loginstorm: 1\nname: x\nusers: 200\nseed: 5\n"
                               "window: {from: \"08:00\", to: \"08:01\"}\n"
                               "certificates: [{name: A, key: ecdsa-p256}]\npace: {speedup: 1}\n"
                               "farm: {gateways: 2, cores: 1, costs: {exponential: 100ms}}\n"
                               "events: [{at: \"08:00:30\", gateway_down: 1, for: 5s}]\n";
    struct ls_errors errors = {0};
    struct ls_error err;
    long needed;

    (void)state;
    assert_int_equal(
        ls_scenario_parse(&scenario, "x.yaml", text, sizeof text - 1, NULL, 0, &errors), LS_OK);
    allocations = 0;
    assert_int_equal(play(&err), LS_OK);
    needed = allocations;
    assert_true(needed >= 15);
    for (long i = 0; i < needed; i++) {
        err = (struct ls_error){0};
        allocations = 0;
        refuse_at = i;
        if (play(&err) != LS_ENOMEM || err.text[0] == '\0') {
            fail_msg("allocation %ld of %ld: %s", i, needed, err.text);
        }
    }
    refuse_at = -1;
    ls_scenario_free(scenario);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whatever_allocation_fails_it_is_told),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
