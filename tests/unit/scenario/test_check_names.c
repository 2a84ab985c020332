/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "help.h"

static void a_name_that_nobody_can_ask_for_is_refused_at_its_place(void **state)
{
    static const struct refusal rows[] = {
        {"populations: [{tls: {server_name: a.test:8443}}]\n", 4, 35,
         "populations.0.tls.server_name: \"a.test:8443\" is neither a host name nor an address; "
         "write it alone, without brackets, scheme, port or path",
         "a port"},
        {"populations: [{tls: {server_name: gateway}}]\n", 4, 35,
         "populations.0.tls.server_name: \"gateway\" has no dot, so no certificate is checked "
         "against it; write the whole name, like gw.corp.example, or `verify: leaf`",
         "the library checks none"},
        {"populations: [{tls: {verify: none, server_name: 300.1.1.1}}]\n", 4, 49,
         "populations.0.tls.server_name: \"300.1.1.1\" ends in a number without being an address; "
         "write all four numbers of the address, each up to 255, or a name like gw.corp.example",
         "no address"},
    };

    (void)state;
    check_refusals(rows, sizeof rows / sizeof rows[0]);
}

static void a_certificate_s_own_name_is_held_to_what_its_users_check(void **state)
{
    static const struct {
        const char *name, *verify, *complaint;
    } rows[] = {
        {"127.0.0.1", "chain", NULL},
        {"'::1'", "chain", NULL},
        {"gw.corp.example", "chain", NULL},
        {"gateway", "leaf", NULL},
        {"gateway", "chain",
         "certificates.0.server_name: \"gateway\" has no dot, so no certificate is checked against "
         "it; write the whole name, like gw.corp.example, or `verify: leaf`"},
        {"'*.a.test'", "leaf",
         "certificates.0.server_name: \"*.a.test\" has a star, which belongs at the front of a "
         "certificate's name, like *.corp.example; nobody can ask for it"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct ls_errors errors = {0};
        struct ls_scenario *s;
        char text[512];

        (void)snprintf(text, sizeof text,
                       "loginstorm: 1\nusers: 5\ncertificates: [{key: rsa-2048, server_name: %s}]\n"
                       "populations: [{name: a, tls: {verify: %s}}]\n",
                       rows[i].name, rows[i].verify);
        print_message("%s, %s\n", rows[i].name, rows[i].verify);
        s = parse(text, &errors);
        assert_int_equal(errors.count, rows[i].complaint == NULL ? 0 : 1);
        if (rows[i].complaint != NULL) {
            assert_string_equal(errors.item[0].text, rows[i].complaint);
            assert_int_equal(errors.item[0].line, 3);
            assert_int_equal(errors.item[0].column, 45);
        }
        ls_scenario_free(s);
    }
}

static void a_certificate_without_a_name_is_read_on_where_the_target_is_a_mistake(void **state)
{
    struct ls_errors errors = {0};

    (void)state;
    assert_null(parse("loginstorm: 1\nusers: 5\ngateway: nonsense\ncertificates: [{server_name: "
                      "a.test}, {trust: ca.pem}]\n",
                      &errors));
    assert_int_equal(errors.count, 2);
    assert_int_equal(errors.item[0].line, 3);
    assert_non_null(strstr(errors.item[1].text, "certificates.1: an outside gateway has its own"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_name_that_nobody_can_ask_for_is_refused_at_its_place),
        cmocka_unit_test(a_certificate_without_a_name_is_read_on_where_the_target_is_a_mistake),
        cmocka_unit_test(a_certificate_s_own_name_is_held_to_what_its_users_check),
    };

    return cmocka_run_group_tests_name("scenario/check_names", tests, NULL, NULL);
}
