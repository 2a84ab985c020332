/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "live/point.h"

static void is_json(const struct ls_live_point *point, const char *expected)
{
    json_t *root = point_json(point);
    char *text;

    assert_non_null(root);
    text = json_dumps(root, JSON_COMPACT | JSON_REAL_PRECISION(9));
    assert_string_equal(text, expected);
    free(text);
    json_decref(root);
}

static void a_point_has_its_units_in_its_keys(void **state)
{
    struct ls_live_point point = {.certificate = 1,
                                  .name = "\"RSA\" <4096>\n",
                                  .repeat = 2,
                                  .run_ns = 12345678901,
                                  .at_ns = 740740734060,
                                  .due = 700,
                                  .started = 690,
                                  .logged_in = 600,
                                  .failed = 5,
                                  .in_flight = 85,
                                  .p50_ns = 4120000,
                                  .p99_ns = 31000123,
                                  .p100_ns = 42000000,
                                  .gateway_cores = 0.87654321,
                                  .start_lag_p99_ns = 80500};

    (void)state;
    point.by_reason[LS_REASON_HANDSHAKE_TIMEOUT] = 3;
    point.by_reason[LS_REASON_CONNECT_REFUSED] = 2;
    is_json(&point,
            "{\"certificate\":1,\"name\":\"\\\"RSA\\\" <4096>\\n\",\"repeat\":2,\"run_ms\":12345,"
            "\"at_s\":740.741,\"due\":700,\"started\":690,\"logged_in\":600,\"failed\":5,\"in_"
            "flight\":85,\"by_reason\":{\"connect_refused\":2,\"handshake_timeout\":3},\"p50_us\":"
            "4120,\"p99_us\":31000.123,\"p100_us\":42000,\"gateway_cores\":0.8765,\"start_lag_"
            "p99_us\":80.5}");
}

static void what_is_not_known_is_null(void **state)
{
    const struct ls_live_point point = {.name = "P-256",
                                        .repeat = 1,
                                        .at_ns = -1,
                                        .due = -1,
                                        .p50_ns = LS_NEVER_NS,
                                        .p99_ns = LS_NEVER_NS,
                                        .p100_ns = LS_NEVER_NS,
                                        .gateway_cores = -1,
                                        .start_lag_p99_ns = LS_NEVER_NS};

    (void)state;
    is_json(&point,
            "{\"certificate\":0,\"name\":\"P-256\",\"repeat\":1,\"run_ms\":0,\"at_s\":null,\"due\":"
            "null,\"started\":0,\"logged_in\":0,\"failed\":0,\"in_flight\":0,\"by_reason\":{},"
            "\"p50_us\":null,\"p99_us\":null,\"p100_us\":null,\"gateway_cores\":null,\"start_lag_"
            "p99_us\":null}");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_point_has_its_units_in_its_keys),
        cmocka_unit_test(what_is_not_known_is_null),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
