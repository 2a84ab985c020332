/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "loginstorm/scenario.h"

static void a_handshake_comes_to_the_newest_version_and_the_first_key_that_is_sent(void **state)
{
    static const struct {
        const char *tls, *group, *version;
    } rows[] = {
        {"{}", "X25519", "1.3"},
        {"{versions: [1.2, 1.3], groups: [P-384, P-256]}", "P-384", "1.3"},
        {"{groups: [P-384, P-256], key_shares: [P-256]}", "P-256", "1.3"},
        {"{versions: [1.2], groups: [P-256, X25519]}", "P-256", "1.2"}, /* sends no key */
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct ls_errors errors = {0};
        struct ls_scenario *scenario;
        char text[400];
        const int length = snprintf(
            text, sizeof text,
            "loginstorm: 1\nusers: 1\nwindow: {from: 08:00, to: 09:00}\n"
            "certificates: [{key: rsa-2048}]\npopulations: [{name: a, share: 100%%, tls: %s}]\n",
            rows[i].tls);

        if (ls_scenario_parse(&scenario, "x", text, (size_t)length, NULL, 0, &errors) != LS_OK) {
            fail_msg("%s", errors.item[0].text);
        }
        assert_string_equal(ls_tls_wish_group(&scenario->populations[0].tls), rows[i].group);
        assert_string_equal(ls_tls_wish_version(&scenario->populations[0].tls), rows[i].version);
        ls_scenario_free(scenario);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_handshake_comes_to_the_newest_version_and_the_first_key_that_is_sent),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
