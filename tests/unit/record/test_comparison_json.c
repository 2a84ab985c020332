/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unit/record/comparison_sample.h"

static char *written(const struct ls_comparison *comparison)
{
    json_t *root;
    char *text;

    assert_int_equal(ls_comparison_to_json(comparison, &root, NULL), LS_OK);
    text = json_dumps(root, JSON_REAL_PRECISION(15));
    json_decref(root);
    return text;
}

static void a_comparison_survives_its_file_to_the_byte(void **state)
{
    struct ls_comparison *first = comparison_sample(), *second;
    char *once = written(first), *twice;
    json_t *root = json_loads(once, 0, NULL);

    (void)state;
    assert_int_equal(ls_comparison_from_json(&second, root, "x", NULL), LS_OK);
    twice = written(second);
    assert_string_equal(once, twice);
    assert_int_equal(second->pairs[0].method, LS_METHOD_PAIRED);
    assert_int_equal(second->pairs[0].figure[LS_FIGURE_LOGIN_P99].finding, LS_NOT_SHOWN);
    assert_true(second->pairs[0].figure[LS_FIGURE_LOGIN_P100].ratio < 0);
    assert_string_equal(second->pairs[0].notes[0], first->pairs[0].notes[0]);
    assert_null(second->pairs[0].notes[1]);
    assert_string_equal(second->sides[1].left_out, first->sides[1].left_out);
    assert_null(second->sides[0].left_out);
    assert_int_equal(second->advice_count, 4);
    json_decref(root);
    free(once);
    free(twice);
    ls_comparison_free(first);
    ls_comparison_free(second);
}

static void its_keys_are_the_contract_s(void **state)
{
    static const char *const paths[] = {
        "\"confidence\": 0.95", "\"finding\": \"not_compared\"", "\"ratio\": null",
        "\"unit\": \"per_s\"",  "\"method\": \"paired\"",        "\"recommendation\": [",
        "\"left_out\": null",   "\"peak_minute\": \"08:25\"",
    };
    struct ls_comparison *comparison = comparison_sample();
    char *text = written(comparison);

    (void)state;
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        if (strstr(text, paths[i]) == NULL) {
            fail_msg("no %s in %s", paths[i], text);
        }
    }
    free(text);
    ls_comparison_free(comparison);
}

/* Each row puts one wrong thing where a right one was. */
static void what_no_loginstorm_wrote_is_refused_with_its_place(void **state)
{
    static const struct {
        const char *from, *to, *told;
    } rows[] = {
        {"\"confidence\": 0.95", "\"confidence\": \"much\"", "comparison.confidence: not a value"},
        {"\"sides\": [", "\"sites\": [", "comparison.sides: missing"},
        {"\"pairs\": [", "\"peers\": [", "comparison.pairs: missing"},
        {"\"recommendation\": [", "\"advice\": [", "comparison.recommendation: missing"},
        {"\"side\": 1", "\"side\": 2", "comparison.pairs[0].side: there are 2 sides"},
        {"\"against\": 0", "\"against\": 7", "comparison.pairs[0].side: there are 2 sides"},
        {"\"method\": \"paired\"", "\"method\": \"guessed\"", "comparison.pairs[0].method"},
        {"\"finding\": \"more\"", "\"finding\": \"most\"",
         "comparison.pairs[0].figures.handshakes_per_s_per_core.finding"},
        {"\"login_p50\": 6150.0", "\"login_p50\": -6150.0", "comparison.sides.values"},
        {"\"certificate\": \"RSA 4096\"", "\"certificate\": null",
         "comparison.sides[0].certificate"},
        {"\"notes\": [\"the", "\"notes\": [1, \"the", "notes: not a value"},
        {"\"text\": \"If", "\"text\": 3, \"x\": \"If", "comparison.recommendation.text"},
    };

    (void)state;
    for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++) {
        struct ls_comparison *comparison = comparison_sample();
        char *text = written(comparison), changed[16384];
        char *at = strstr(text, rows[row].from);
        struct ls_error err = {0};
        json_t *root;

        assert_non_null(at);
        (void)snprintf(changed, sizeof changed, "%.*s%s%s", (int)(at - text), text, rows[row].to,
                       at + strlen(rows[row].from));
        root = json_loads(changed, 0, NULL);
        assert_non_null(root);
        ls_comparison_free(comparison);
        if (ls_comparison_from_json(&comparison, root, "x", &err) != LS_EINPUT ||
            strstr(err.text, rows[row].told) == NULL || comparison != NULL) {
            fail_msg("%s: %s", rows[row].to, err.text);
        }
        json_decref(root);
        free(text);
    }
}

static void every_figure_finding_and_method_has_its_word(void **state)
{
    (void)state;
    assert_string_equal(ls_figure_word(LS_FIGURE_CORES), "cores_at_peak_minute");
    assert_string_equal(ls_figure_unit(LS_FIGURE_CORES), "cores");
    assert_true(ls_figure_is_cpu(LS_FIGURE_CORES));
    assert_false(ls_figure_is_cpu(LS_FIGURE_BYTES));
    assert_string_equal(ls_finding_word(LS_MORE), "more");
    assert_null(ls_finding_word((enum ls_finding)6));
    assert_string_equal(ls_method_word(LS_METHOD_SINGLE), "single");
    assert_null(ls_method_word((enum ls_method)4));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_comparison_survives_its_file_to_the_byte),
        cmocka_unit_test(its_keys_are_the_contract_s),
        cmocka_unit_test(what_no_loginstorm_wrote_is_refused_with_its_place),
        cmocka_unit_test(every_figure_finding_and_method_has_its_word),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
