/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "help.h"

static const char base[] = LEAST "arrivals: {shape: normal}\n"
                                 "populations:\n"
                                 "  - {name: a, share: 50%}\n"
                                 "  - {name: b, share: 50%}\n";

static enum ls_code change(struct ls_scenario **s, const char *path, const char *value,
                           struct ls_errors *errors)
{
    const struct ls_scenario_change one = {path, value};

    return ls_scenario_parse(s, "monday.yaml", base, strlen(base), &one, 1, errors);
}

static struct ls_scenario *change_good(const char *path, const char *value)
{
    struct ls_scenario *s = NULL;
    struct ls_errors errors = {0};

    if (change(&s, path, value, &errors) != LS_OK) {
        fail_msg("--set %s=%s refused: %s", path, value, errors.item[0].text);
    }
    return s;
}

static void a_value_that_is_there_is_replaced(void **state)
{
    struct ls_scenario *s = change_good("users", "600");

    (void)state;
    assert_int_equal(s->users, 600);
    ls_scenario_free(s);
    s = change_good("populations.1.name", "home");
    assert_string_equal(s->populations[1].name, "home");
    ls_scenario_free(s);
}

static void a_key_that_is_not_there_is_added(void **state)
{
    struct ls_scenario *s = change_good("arrivals.middle", "08:20");

    (void)state;
    assert_true(s->waves[0].middle_at_ns == 1200000000000);
    ls_scenario_free(s);
    s = change_good("login.timeouts.login", "7s");
    assert_true(s->login.login_timeout_ns == 7000000000);
    assert_true(s->login.connect_timeout_ns == 5000000000);
    ls_scenario_free(s);
    s = change_good("events.0", "{at: 08:30, reconnect: 10%}");
    assert_int_equal(s->events_count, 1);
    ls_scenario_free(s);
    s = change_good("certificates.1.key", "rsa-4096");
    assert_int_equal(s->certificates_count, 2);
    assert_int_equal(s->certificates[1].key, LS_KEY_RSA_4096);
    ls_scenario_free(s);
}

static void a_value_may_be_a_list_or_a_map(void **state)
{
    struct ls_scenario *s = change_good("populations.0.tls.versions", "[1.2, 1.3]");

    (void)state;
    assert_int_equal(s->populations[0].tls.min, LS_TLS_1_2);
    assert_int_equal(s->populations[1].tls.min, LS_TLS_1_3);
    ls_scenario_free(s);
    s = change_good("populations", "[{name: all}]");
    assert_int_equal(s->populations_count, 1);
    ls_scenario_free(s);
}

static void later_changes_win(void **state)
{
    static const struct ls_scenario_change two[] = {{"users", "600"}, {"users", "700"}};
    struct ls_scenario *s = NULL;
    struct ls_errors errors = {0};

    (void)state;
    assert_int_equal(ls_scenario_parse(&s, "f", base, strlen(base), two, 2, &errors), LS_OK);
    assert_int_equal(s->users, 700);
    ls_scenario_free(s);
}

static void a_change_heals_a_mistake_of_the_file(void **state)
{
    static const struct ls_scenario_change one = {"users", "600"};
    static const char text[] = "loginstorm: 1\nusers: many\ncertificates: [{key: rsa-2048}]\n";
    struct ls_scenario *s = NULL;
    struct ls_errors errors = {0};

    (void)state;
    assert_int_equal(ls_scenario_parse(&s, "f", text, strlen(text), &one, 1, &errors), LS_OK);
    assert_int_equal(s->users, 600);
    ls_scenario_free(s);
}

static void a_wrong_change_is_named_as_it_was_typed(void **state)
{
    static const char not_a_path[] =
        "not a path; write it like users=600 or populations.0.share=50%";
    static const struct {
        const char *path, *value, *complaint, *why;
    } rows[] = {
        {"users", "x", "users: \"x\" is not a whole number in digits, like 6000", "a wrong value"},
        {"users", "", "a value is missing after the =", "no value"},
        {"usres", "5", "unknown key \"usres\", did you mean \"users\"?", "a wrong key"},
        {"arrivals.middle", "09:30", "arrivals.middle: 09:30 is outside the window 08:00-09:00",
         "a time outside"},
        {"populations.3.share", "1",
         "\"3\" is not in the list, which has 2 entries (0 is the first)", "no such entry"},
        {"populations.last", "1",
         "\"last\" is not in the list, which has 2 entries (0 is the first)", "no such entry"},
        {"users.x", "1", "there is no \"x\" to set: what stands before it is a single value",
         "users has no keys"},
        {"", "1", not_a_path, "no path"},
        {".users", "1", not_a_path, "begins with nothing"},
        {"users.", "1", not_a_path, "ends with nothing"},
        {"a..b", "1", not_a_path, "nothing in between"},
        {"name", "*x", "aliases (*name) are not taken; write the value out", "an alias"},
        {"name", "[a",
         "not readable as YAML: did not find expected ',' or ']', while parsing a "
         "flow sequence",
         "no closing bracket"},
        {"name", "a\x01", "a control character (U+0001) does not belong here", "a control"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct ls_scenario *s = NULL;
        struct ls_errors errors = {0};
        char origin[80];

        (void)snprintf(origin, sizeof origin, "--set %s=%s", rows[i].path, rows[i].value);
        assert_int_equal(change(&s, rows[i].path, rows[i].value, &errors), LS_EINPUT);
        assert_null(s);
        if (errors.count != 1 || strcmp(errors.item[0].text, rows[i].complaint) != 0) {
            fail_msg("%s: %zu: %s (%s)", origin, errors.count, errors.item[0].text, rows[i].why);
        }
        assert_string_equal(errors.item[0].path, origin);
        assert_int_equal(errors.item[0].line, 0);
    }
}

static void a_change_that_unbalances_the_shares_is_told_at_the_list(void **state)
{
    struct ls_scenario *s = NULL;
    struct ls_errors errors = {0};

    (void)state;
    assert_int_equal(change(&s, "populations.0.share", "40%", &errors), LS_EINPUT);
    assert_int_equal(errors.count, 1);
    assert_string_equal(errors.item[0].text,
                        "populations: the shares add up to 0.9 (90%), but must add up to 1 (100%)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_value_that_is_there_is_replaced),
        cmocka_unit_test(a_key_that_is_not_there_is_added),
        cmocka_unit_test(a_value_may_be_a_list_or_a_map),
        cmocka_unit_test(later_changes_win),
        cmocka_unit_test(a_change_heals_a_mistake_of_the_file),
        cmocka_unit_test(a_wrong_change_is_named_as_it_was_typed),
        cmocka_unit_test(a_change_that_unbalances_the_shares_is_told_at_the_list),
    };

    return cmocka_run_group_tests_name("scenario/change", tests, NULL, NULL);
}
