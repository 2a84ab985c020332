/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unit/record/synthetic.h"

static struct ls_record *two_logins(void)
{
    const struct ls_login first = {.due_ns = 0,
                                   .started_ns = 20,
                                   .connected_ns = 50,
                                   .secured_ns = 550,
                                   .done_ns = 1234567890123456,
                                   .population = 1,
                                   .attempts = 2,
                                   .reason = LS_REASON_HANDSHAKE_RESET,
                                   .outcome = LS_OUTCOME_LOGGED_IN};
    const struct ls_login second = {.due_ns = 5,
                                    .started_ns = LS_NEVER_NS,
                                    .connected_ns = LS_NEVER_NS,
                                    .secured_ns = LS_NEVER_NS,
                                    .done_ns = 9,
                                    .outcome = LS_OUTCOME_CUT_OFF};
    const struct ls_handshake handshake = {.started_ns = 20,
                                           .connected_ns = LS_NEVER_NS,
                                           .ended_ns = 70,
                                           .user = 1,
                                           .retransmits = 2,
                                           .connection = 1,
                                           .attempt = 3,
                                           .outcome = LS_OUTCOME_FAILED,
                                           .reason = LS_REASON_CONNECT_RESET};
    struct ls_record *record;

    assert_int_equal(ls_record_new(&record, 2, 1, NULL), LS_OK);
    assert_int_equal(ls_record_login(record, 0, &first), LS_OK);
    assert_int_equal(ls_record_login(record, 1, &second), LS_OK);
    assert_int_equal(ls_record_handshake(record, &handshake), LS_OK);
    return record;
}

static void samples_are_a_row_a_login_with_gaps_where_nothing_was_reached(void **state)
{
    static const char *const populations[] = {"office, north", "home"};
    struct ls_record *record = two_logins();
    size_t size;
    char *text;
    FILE *stream = open_memstream(&text, &size);

    (void)state;
    assert_int_equal(
        ls_samples_write(stream, "RSA \"4096\"", 2, record, NULL, populations, true, NULL), LS_OK);
    assert_int_equal(ls_samples_write(stream, "P-256", 1, record, NULL, NULL, false, NULL), LS_OK);
    assert_int_equal(fclose(stream), 0);
    assert_string_equal(
        text,
        "certificate,user,population,due_ns,started_ns,connected_ns,secured_ns,done_ns,attempts,"
        "outcome,reason,repeat\n"
        "\"RSA \"\"4096\"\"\",0,home,0,20,50,550,1234567890123456,2,logged_in,handshake_reset,2\n"
        "\"RSA \"\"4096\"\"\",1,\"office, north\",5,,,,9,0,cut_off,,2\n"
        "P-256,0,1,0,20,50,550,1234567890123456,2,logged_in,handshake_reset,1\n"
        "P-256,1,0,5,,,,9,0,cut_off,,1\n");
    free(text);
    ls_record_free(record);
}

static void handshakes_are_a_row_an_attempt(void **state)
{
    struct ls_record *record = two_logins();
    size_t size;
    char *text;
    FILE *stream = open_memstream(&text, &size);

    (void)state;
    assert_int_equal(ls_handshakes_write(stream, "P-256", 1, record, NULL, true, NULL), LS_OK);
    assert_int_equal(fclose(stream), 0);
    assert_string_equal(
        text, "certificate,user,connection,attempt,started_ns,connected_ns,ended_ns,outcome,reason,"
              "tls13,offered,resumed,hello_retry,retransmits,client_hello_bytes,server_flight_"
              "bytes,sent_bytes,"
              "received_bytes,ticket_bytes,repeat\n"
              "P-256,1,1,3,20,,70,failed,connect_reset,0,0,0,0,2,0,0,0,0,0,1\n");
    free(text);
    ls_record_free(record);
}

static void the_timeline_is_a_row_a_slice(void **state)
{
    struct ls_moment moments[] = {
        {0, 3, 2, 0, 1, 2, 1500, 1999000, 2000000, 0.25},
        {LS_NS_PER_MIN, 0, 0, 1, 0, -1, LS_NEVER_NS, LS_NEVER_NS, LS_NEVER_NS, -1}};
    const struct ls_run run = {.certificate = (char[]){"P-256"},
                               .repeat = 3,
                               .timeline = moments,
                               .timeline_count = 2,
                               .slice_ns = LS_NS_PER_MIN};
    size_t size;
    char *text;
    FILE *stream = open_memstream(&text, &size);

    (void)state;
    assert_int_equal(ls_timeline_write(stream, &run, 8 * LS_NS_PER_H, true, NULL), LS_OK);
    assert_int_equal(fclose(stream), 0);
    assert_string_equal(
        text, "certificate,at,due,logged_in,failed,in_flight,peak_in_flight,p50_us,p99_us,p100_us,"
              "gateway_cpu_share,repeat\n"
              "P-256,08:00,3,2,0,1,2,1.500,1999,2000,0.250000,3\n"
              "P-256,08:01,0,0,1,0,,,,,,3\n");
    free(text);
}

static void a_full_disk_is_an_error(void **state)
{
    const struct synthetic what = {.users = 3000, .handshake_ns = 500000};
    struct ls_record *record = synthetic_record(&what);
    const struct ls_run run = {.certificate = (char[]){"P-256"}};
    FILE *full = fopen("/dev/full", "w");
    struct ls_error err;

    (void)state;
    assert_non_null(full);
    assert_int_equal(ls_samples_write(full, "P-256", 1, record, NULL, NULL, true, &err), LS_EWRITE);
    assert_string_equal(err.text, "cannot write the samples: No space left on device");
    assert_int_equal(ls_handshakes_write(full, "P-256", 1, record, NULL, true, &err), LS_EWRITE);
    assert_int_equal(ls_timeline_write(full, &run, 0, true, &err), LS_EWRITE);
    (void)fclose(full);
    ls_record_free(record);
}

static void rows_beyond_one_buffer_are_whole(void **state)
{
    const struct synthetic what = {.users = 5000, .handshake_ns = 500000};
    struct ls_record *record = synthetic_record(&what);
    size_t size, lines = 0;
    char *text, *line, *rest;
    FILE *stream = open_memstream(&text, &size);

    (void)state;
    assert_int_equal(ls_samples_write(stream, "P-256", 1, record, NULL, NULL, false, NULL), LS_OK);
    assert_int_equal(fclose(stream), 0);
    for (line = strtok_r(text, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest)) {
        const long long due = (long long)lines * 10000000, start = due + 20000;
        const long long done = start + 2 * 530000 + 1000000 + (long long)(lines * 37 % 100) * 10000;
        char expected[200];

        (void)snprintf(expected, sizeof expected,
                       "P-256,%zu,%zu,%lld,%lld,%lld,%lld,%lld,1,logged_in,,1", lines, lines % 2,
                       due, start, start + 30000, start + 530000, done);
        assert_string_equal(line, expected);
        lines++;
    }
    assert_int_equal(lines, 5000);
    free(text);
    ls_record_free(record);
}

static void a_field_is_quoted_only_where_it_must_be(void **state)
{
    static const struct {
        const char *text, *field;
    } rows[] = {
        {"", ""},
        {"RSA 4096", "RSA 4096"},
        {"a,b", "\"a,b\""},
        {"say \"hi\"", "\"say \"\"hi\"\"\""},
        {"two\nlines", "\"two\nlines\""},
        {"\r", "\"\r\""},
        {"=1+1", "=1+1"}, /* the user's own name, not altered */
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char *field = ls_csv_field(rows[i].text);

        assert_string_equal(field, rows[i].field);
        free(field);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_are_a_row_a_login_with_gaps_where_nothing_was_reached),
        cmocka_unit_test(handshakes_are_a_row_an_attempt),
        cmocka_unit_test(the_timeline_is_a_row_a_slice),
        cmocka_unit_test(a_full_disk_is_an_error),
        cmocka_unit_test(rows_beyond_one_buffer_are_whole),
        cmocka_unit_test(a_field_is_quoted_only_where_it_must_be),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
