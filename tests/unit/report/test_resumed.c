/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "report/page.h"
#include "unit/report/sample.h"

/* The sample, with so many of each run's users who bring tickets. */
static void sample_with(struct sample *sample, size_t offered, size_t refused, size_t of_the_last)
{
    sample_init(sample);
    for (size_t i = 0; i < 3; i++) {
        const struct synthetic what = {.users = 6000,
                                       .handshake_ns = 3400000,
                                       .offered = i == 2 ? of_the_last : offered,
                                       .refused = i == 1 ? refused : 0};
        struct ls_measurement measurement = synthetic_measurement(NULL, INT64_C(40512000000));
        char *certificate = strdup(sample->runs[i].certificate);

        measurement.certificate = certificate;
        measurement.gateway.server_flights = 12000;
        ls_run_clear(&sample->runs[i]);
        sample_run(&sample->runs[i], &what, measurement);
        free(certificate);
    }
    sample->result.resume_share = 0.35;
}

static void a_mix_of_full_and_resumed_is_called_one_wherever_its_cpu_is_shown(void **state)
{
    static const struct {
        const char *golden;
        struct ls_report_look look;
    } rows[] = {
        {"report-resumed-80.txt", {.columns = 80, .utf8 = true}},
        {"report-resumed-120.txt", {.columns = 120, .utf8 = true}},
        {"report-resumed-quiet.txt", {.columns = 80, .quiet = true}},
    };
    struct sample sample;

    (void)state;
    sample_with(&sample, 2100, 12, 2100);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char *text = sample_text(&sample.result, &rows[i].look);

        assert_golden(rows[i].golden, text);
        free(text);
    }
    sample_clear(&sample);
}

static void what_is_said_of_tickets_depends_on_what_became_of_them(void **state)
{
    static const struct {
        size_t offered, refused, of_the_last;
        const char *part;
        bool said;
    } rows[] = {
        {0, 0, 0, "resumed", false},
        {0, 0, 0, "with a ticket", false},
        {2100, 0, 2100,
         "RSA 4096: 4,200 of 12,000 handshakes (35 %) were resumed: with a ticket of an earlier",
         true},
        {2100, 0, 2100, "asked for: 35 % of the users, each of them drawn", true},
        {2100, 0, 2100, "of two mixes", false},
        {2100, 0, 2100, "not taken", false},
        {2100, 1, 2100, "ECDSA P-256: of 4,200 tickets offered, 2 were not taken, and counted full",
         true},
        {2100, 0, 600, "ECDSA P-384: 10 % resumed, and 35 % of RSA 4096: their CPU and latencies",
         true},
        {5999, 0, 5999, "(100 %)", false}, /* not quite all */
        {6000, 0, 6000, "(100 %)", true},
        {1, 0, 1, "0.0 %", true},
    };
    const struct ls_report_look look = {.columns = 200, .utf8 = true};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct sample sample;
        char *text;

        sample_with(&sample, rows[i].offered, rows[i].refused, rows[i].of_the_last);
        text = sample_text(&sample.result, &look);
        if ((strstr(text, rows[i].part) != NULL) != rows[i].said) {
            fail_msg("%s: %s", rows[i].part, text);
        }
        free(text);
        sample_clear(&sample);
    }
}

static void no_line_is_wider_than_the_page(void **state)
{
    struct sample sample;

    (void)state;
    sample_with(&sample, 2100, 12, 600);
    for (int columns = 60; columns <= 160; columns += 5) {
        const struct ls_report_look look = {.columns = columns, .utf8 = true};
        char *text = sample_text(&sample.result, &look), *line, *rest;

        for (line = strtok_r(text, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest)) {
            if (text_width(line) > (size_t)columns) {
                fail_msg("%d columns: %s|", columns, line);
            }
        }
        free(text);
    }
    sample_clear(&sample);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mix_of_full_and_resumed_is_called_one_wherever_its_cpu_is_shown),
        cmocka_unit_test(what_is_said_of_tickets_depends_on_what_became_of_them),
        cmocka_unit_test(no_line_is_wider_than_the_page),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
