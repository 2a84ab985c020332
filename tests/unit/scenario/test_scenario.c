/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "help.h"

#include <glob.h>

#include "loginstorm/file.h"
#include "loginstorm/units.h"
#include "scenario/limits.h"

static struct ls_scenario *load(const char *path)
{
    struct ls_scenario *s = NULL;
    struct ls_errors errors = {0};

    if (ls_scenario_load(&s, path, NULL, 0, &errors) != LS_OK) {
        fail_msg("%s:%d: %s", path, errors.item[0].line, errors.item[0].text);
    }
    return s;
}

static void every_shipped_scenario_loads_and_opens_with_what_it_is_for(void **state)
{
    glob_t found;

    (void)state;
    assert_int_equal(glob(LS_SOURCE_DIR "/scenarios/*.yaml", 0, NULL, &found), 0);
    assert_true(found.gl_pathc >= 4);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        struct ls_error err = {0};
        char *text = NULL;
        size_t size = 0;

        ls_scenario_free(load(found.gl_pathv[i]));
        assert_int_equal(ls_file_read(found.gl_pathv[i], 1 << 20, &text, &size, &err), LS_OK);
        assert_memory_equal(text, "# ", 2);
        assert_non_null(strstr(text, "\n# yaml-language-server: $schema=./loginstorm.schema.json\n"
                                     "loginstorm: 1\n"));
        free(text);
    }
    globfree(&found);
}

static void the_morning_peak_is_the_one_that_is_documented(void **state)
{
    struct ls_scenario *s = load(LS_SOURCE_DIR "/scenarios/morning-peak.yaml");

    (void)state;
    assert_int_equal(s->users, 6000);
    assert_int_equal(s->seed, 20261130);
    assert_true(s->speedup > 59.9 && s->speedup < 60.1);
    assert_int_equal(s->certificates_count, 3);
    assert_int_equal(s->certificates[0].key, LS_KEY_RSA_4096);
    assert_int_equal(s->gateway.cores_count, 1);
    assert_int_equal(s->populations[0].connections, 1);
    ls_scenario_free(s);
}

/* At 3.4 ms a handshake, 6,000 take 20 s: nobody may give up before. */
static void the_outage_lets_everybody_in(void **state)
{
    struct ls_scenario *s = load(LS_SOURCE_DIR "/scenarios/outage-reconnect.yaml");

    (void)state;
    assert_int_equal(s->users, 6000);
    assert_int_equal(s->waves[0].shape, LS_SHAPE_BURST);
    assert_true(s->waves[0].burst_over_ns == 2 * LS_NS_PER_S);
    assert_true(s->speedup > 0.999 && s->speedup < 1.001);
    assert_true(s->login.login_timeout_ns >= 40 * LS_NS_PER_S);
    assert_true(s->login.handshake_timeout_ns >= 40 * LS_NS_PER_S);
    assert_true(s->window_ns >= 40 * LS_NS_PER_S);
    ls_scenario_free(s);
}

static void a_file_that_is_not_there_is_told(void **state)
{
    struct ls_scenario *s = NULL;
    struct ls_errors errors = {0};

    (void)state;
    assert_int_equal(ls_scenario_load(&s, "/nowhere/monday.yaml", NULL, 0, &errors), LS_ENOINPUT);
    assert_null(s);
    assert_int_equal(errors.count, 1);
    assert_int_equal(errors.item[0].code, LS_ENOINPUT);
}

static void a_folder_and_an_endless_file_are_refused(void **state)
{
    struct ls_scenario *s = NULL;
    struct ls_errors errors = {0};

    (void)state;
    assert_int_not_equal(ls_scenario_load(&s, "/", NULL, 0, &errors), LS_OK);
    assert_int_equal(ls_scenario_load(&s, "/dev/zero", NULL, 0, &errors), LS_EINPUT);
    assert_int_equal(errors.count, 2);
}

static void another_version_gets_one_clear_answer(void **state)
{
    struct ls_errors errors = {0};

    (void)state;
    assert_null(parse("loginstorm: 2\nnew_key: 5\nusers: many\n", &errors));
    assert_int_equal(errors.count, 1);
    assert_int_equal(errors.item[0].line, 1);
    assert_int_equal(errors.item[0].column, 13);
    assert_string_equal(errors.item[0].text,
                        "loginstorm: format 2 is not known to this loginstorm; it reads format 1, "
                        "so write `loginstorm: 1` (or take a newer loginstorm)");
}

static void five_mistakes_are_told_together_in_the_order_of_the_file(void **state)
{
    static const char text[] = "loginstorm: 1\n"
                               "users: 0\n"
                               "arrivals: {middle: 09:30}\n"
                               "populations:\n"
                               "  - {name: office, share: 80%}\n"
                               "  - {name: home, share: 30%}\n"
                               "logni: {}\n"
                               "certificates: [{key: rsa4096}]\n";
    static const char *const complaints[] = {
        "users: 0 is out of range (1 to 10000000)",
        "arrivals.middle: 09:30 is outside the window 08:00-09:00",
        "populations: the shares add up to 1.1 (110%), but must add up to 1 (100%)",
        "unknown key \"logni\", did you mean \"login\"?",
        ("certificates.0.key: unknown word \"rsa4096\", did you mean \"rsa-4096\"? (known: "
         "rsa-2048, "
         "rsa-3072, rsa-4096, ecdsa-p256, ecdsa-p384, ecdsa-p521, ed25519, ml-dsa-44, ml-dsa-65)"),
    };
    static const int lines[] = {2, 3, 5, 7, 8};
    struct ls_errors errors = {0};

    (void)state;
    assert_null(parse(text, &errors));
    assert_int_equal(errors.count, 5);
    for (size_t i = 0; i < 5; i++) {
        assert_string_equal(errors.item[i].text, complaints[i]);
        assert_int_equal(errors.item[i].line, lines[i]);
        assert_true(errors.item[i].column > 0);
    }
}

static void more_than_32_mistakes_are_all_counted(void **state)
{
    struct ls_errors errors = {0};
    char text[8192] = LEAST "events:\n";

    (void)state;
    for (int i = 0; i < 50; i++) {
        (void)snprintf(text + strlen(text), sizeof text - strlen(text), "  - {at: %d}\n", i);
    }
    assert_null(parse(text, &errors));
    assert_int_equal(errors.count, 50);
    assert_int_equal(errors.item[0].line, 5);
    assert_int_equal(errors.item[LS_ERRORS_MAX - 1].line, 36);
}

/* Whatever allocation is refused: LS_ENOMEM, nothing lost, and with enough all is well. */
static void any_allocation_may_fail(void **state)
{
    static const struct ls_scenario_change changes[] = {{"login.hold", "none"},
                                                        {"farm.costs", "{fixed: 1ms}"}};
    struct ls_error err = {0};
    struct ls_scenario_text whole = {.path = "f"};
    char *text = NULL;
    size_t limit = 0;
    enum ls_code code = LS_ENOMEM;

    (void)state;
    assert_int_equal(
        ls_file_read(LS_SOURCE_DIR "/tests/data/every-key.yaml", 1 << 20, &text, &whole.size, &err),
        LS_OK);
    whole.bytes = text;
    while (code == LS_ENOMEM) {
        struct ls_scenario *s = NULL;
        struct ls_errors errors = {0};

        code = ls_scenario_parse_within(limit, &s, &whole, changes, 2, &errors);
        if (code == LS_ENOMEM) {
            assert_null(s);
            assert_int_equal(errors.count, 1);
            assert_string_equal(errors.item[0].text, "f: no memory for this scenario");
        }
        ls_scenario_free(s);
        limit += 16;
    }
    assert_int_equal(code, LS_OK);
    assert_in_range(limit, 20000, 100000);
    free(text);
}

/* Every prefix of the example, and every one-byte slip in it, is taken or refused with a place. */
static void any_mistake_has_a_place(void **state)
{
    static const char slips[] = {'\0', '\n', ':', '{', '-', '9', '\xff', '"'};
    struct ls_error err = {0};
    char *text = NULL;
    size_t size = 0;
    size_t refused = 0;

    (void)state;
    assert_int_equal(
        ls_file_read(LS_SOURCE_DIR "/tests/data/every-key.yaml", 1 << 20, &text, &size, &err),
        LS_OK);
    for (size_t i = 0; i < size; i++) {
        const char right = text[i];
        struct ls_scenario *s = NULL;
        struct ls_errors errors = {0};

        text[i] = slips[i % sizeof slips];
        if (ls_scenario_parse(&s, "f", text, i % 3 == 0 ? i : size, NULL, 0, &errors) != LS_OK) {
            const size_t kept = errors.count < LS_ERRORS_MAX ? errors.count : LS_ERRORS_MAX;

            refused++;
            assert_true(errors.count > 0);
            for (size_t e = 0; e < kept; e++) {
                assert_true(errors.item[e].line > 0 && errors.item[e].column > 0);
                assert_string_equal(errors.item[e].path, "f");
                assert_true(errors.item[e].text[0] != '\0');
            }
        }
        ls_scenario_free(s);
        text[i] = right;
    }
    assert_true(refused > size / 3);
    free(text);
}

static void complaints_are_added_to_those_of_the_caller(void **state)
{
    struct ls_errors errors = {0};
    struct ls_scenario *s = NULL;

    (void)state;
    (void)ls_errors_add_at(&errors, "before", 1, 1, "first");
    assert_int_equal(ls_scenario_parse(&s, "f", "", 0, NULL, 0, &errors), LS_EINPUT);
    assert_int_equal(errors.count, 2);
    assert_string_equal(errors.item[0].path, "before");
    ls_scenario_free(NULL);
}

static void a_file_that_it_names_lies_in_its_own_folder(void **state)
{
    static const struct {
        const char *file, *path, *found, *why;
    } rows[] = {
        {"monday.yaml", "curves/a.csv", "curves/a.csv", "the current folder"},
        {"s/monday.yaml", "curves/a.csv", "s/curves/a.csv", "beside it"},
        {"/srv/s/monday.yaml", "../a.csv", "/srv/s/../a.csv", "from it"},
        {"/monday.yaml", "a.csv", "/a.csv", "the root"},
        {"s/monday.yaml", "/tmp/a.csv", "/tmp/a.csv", "an absolute path"},
    };
    static const char text[] = "loginstorm: 1\nusers: 1\ncertificates: [{key: rsa-2048}]\n";

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct ls_errors errors = {0};
        struct ls_error err = {0};
        struct ls_scenario *s;
        char found[32];

        assert_int_equal(ls_scenario_parse(&s, rows[i].file, text, strlen(text), NULL, 0, &errors),
                         LS_OK);
        assert_int_equal(ls_scenario_path(s, rows[i].path, found, sizeof found, &err), LS_OK);
        assert_string_equal(found, rows[i].found);
        assert_int_equal(ls_scenario_path(s, rows[i].path, found, strlen(rows[i].found), &err),
                         LS_ERANGE);
        ls_scenario_free(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_shipped_scenario_loads_and_opens_with_what_it_is_for),
        cmocka_unit_test(the_morning_peak_is_the_one_that_is_documented),
        cmocka_unit_test(the_outage_lets_everybody_in),
        cmocka_unit_test(a_file_that_is_not_there_is_told),
        cmocka_unit_test(a_folder_and_an_endless_file_are_refused),
        cmocka_unit_test(a_file_that_it_names_lies_in_its_own_folder),
        cmocka_unit_test(another_version_gets_one_clear_answer),
        cmocka_unit_test(five_mistakes_are_told_together_in_the_order_of_the_file),
        cmocka_unit_test(more_than_32_mistakes_are_all_counted),
        cmocka_unit_test(any_allocation_may_fail),
        cmocka_unit_test(any_mistake_has_a_place),
        cmocka_unit_test(complaints_are_added_to_those_of_the_caller),
    };

    return cmocka_run_group_tests_name("scenario/scenario", tests, NULL, NULL);
}
