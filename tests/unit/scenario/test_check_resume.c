/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "help.h"

#define NO_TICKETS                                                                                 \
    "the embedded gateway gives out no session tickets to resume with; write tickets: on under "   \
    "gateway, or take this out"

static void who_resumes_needs_a_gateway_that_gives_tickets(void **state)
{
    static const struct {
        const char *gateway, *first, *second;
        size_t errors;
        const char *why;
    } rows[] = {
        {"", "", "", 0, "nobody resumes"},
        {"", "resume: 0%", "resume: 0%", 0, "nobody, in so many words"},
        {"", "resume: 35%", "", 1, "tickets are off unless they are asked for"},
        {"gateway: {tickets: off}\n", "resume: 1%", "resume: 100%", 2, "each is told"},
        {"gateway: {tickets: on}\n", "resume: 35%", "resume: 100%", 0, "as it should be"},
        {"gateway: {target: \"127.0.0.1:8443\"}\n", "resume: 35%", "", 0,
         "what an outside gateway gives is found out when they are fetched"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct ls_errors errors = {0};
        char text[512];
        struct ls_scenario *s;

        print_message("%s\n", rows[i].why);
        (void)snprintf(text, sizeof text,
                       "loginstorm: 1\nusers: 5\ncertificates: [{key: rsa-2048}]\n"
                       "populations: [{name: a, share: 0.5, tls: {%s}},\n"
                       "  {name: b, share: 0.5, tls: {%s}}]\n%s",
                       rows[i].first, rows[i].second, rows[i].gateway);
        s = parse(text, &errors);
        assert_int_equal(errors.count, rows[i].errors);
        if (errors.count > 0) {
            assert_string_equal(errors.item[0].text, "populations.0.tls.resume: " NO_TICKETS);
            assert_int_equal(errors.item[0].line, 4);
            assert_int_equal(errors.item[0].column, 51);
        }
        if (errors.count > 1) {
            assert_string_equal(errors.item[1].text, "populations.1.tls.resume: " NO_TICKETS);
            assert_int_equal(errors.item[1].line, 5);
        }
        ls_scenario_free(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_resumes_needs_a_gateway_that_gives_tickets),
    };

    return cmocka_run_group_tests_name("scenario/check_resume", tests, NULL, NULL);
}
