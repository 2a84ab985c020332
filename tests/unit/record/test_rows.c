/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "loginstorm/rows.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "loginstorm/result.h"
#include "record/tables.h"
#include "unit/record/synthetic.h"

static const char *const populations[] = {"office, \"north\"\nwing", "home"};
static const struct ls_share everybody = {0};

static struct ls_rows *rows_of(char *text, size_t size, enum ls_rows_kind kind)
{
    FILE *stream = fmemopen(text, size, "r");
    struct ls_rows *rows;
    struct ls_error err = {0};

    assert_non_null(stream);
    assert_int_equal(ls_rows_new(&rows, stream, "table.csv", kind, &err), LS_OK);
    return rows;
}

static struct ls_rows_wish wish_of(const char *certificate, int repeat)
{
    return (struct ls_rows_wish){.certificate = certificate,
                                 .repeat = repeat,
                                 .populations = populations,
                                 .populations_count = 2,
                                 .share = &everybody};
}

/* What is written of a record. */
static char *table_of(const struct ls_record *record, enum ls_rows_kind kind, size_t *size)
{
    char *text;
    FILE *stream = open_memstream(&text, size);

    for (int run = 0; run < 3; run++) {
        const char *certificate = run == 1 ? "B" : "A, \"the\n first\"";
        const int repeat = run == 2 ? 2 : 1;

        assert_int_equal(
            kind == LS_ROWS_SAMPLES
                ? ls_samples_write(stream, certificate, repeat, record, NULL, populations, run == 0,
                                   NULL)
                : ls_handshakes_write(stream, certificate, repeat, record, NULL, run == 0, NULL),
            LS_OK);
    }
    assert_int_equal(fclose(stream), 0);
    return text;
}

static void what_was_written_comes_back_run_after_run_to_the_byte(void **state)
{
    const struct synthetic what = {.users = 700, .handshake_ns = 500000, .failed = 7};
    struct ls_record *record = synthetic_record(&what);
    size_t samples_size, handshakes_size, logins, attempts;
    char *samples = table_of(record, LS_ROWS_SAMPLES, &samples_size);
    char *handshakes = table_of(record, LS_ROWS_HANDSHAKES, &handshakes_size);
    struct ls_rows *of_logins = rows_of(samples, samples_size, LS_ROWS_SAMPLES);
    struct ls_rows *of_handshakes = rows_of(handshakes, handshakes_size, LS_ROWS_HANDSHAKES);
    struct ls_error err = {0};

    (void)state;
    (void)ls_record_handshakes(record, &attempts);
    assert_true(attempts > 700);
    for (int run = 0; run < 3; run++) {
        const struct ls_rows_wish wish =
            wish_of(run == 1 ? "B" : "A, \"the\n first\"", run == 2 ? 2 : 1);
        struct ls_record *again;
        size_t count, size;
        char *text;

        assert_int_equal(ls_record_new(&again, 700, attempts, NULL), LS_OK);
        assert_int_equal(ls_rows_take(of_logins, &wish, again, &count, &err), LS_OK);
        assert_int_equal(count, 700);
        assert_int_equal(ls_rows_take(of_handshakes, &wish, again, &count, &err), LS_OK);
        assert_int_equal(count, attempts);
        text = table_of(again, LS_ROWS_SAMPLES, &size);
        assert_string_equal(text, samples);
        free(text);
        text = table_of(again, LS_ROWS_HANDSHAKES, &size);
        assert_string_equal(text, handshakes);
        free(text);
        ls_record_free(again);
    }
    (void)ls_record_logins(record, &logins);
    assert_int_equal(ls_rows_end(of_logins, &err), LS_OK);
    assert_int_equal(ls_rows_end(of_handshakes, &err), LS_OK);
    ls_rows_close(of_logins);
    ls_rows_close(of_handshakes);
    free(samples);
    free(handshakes);
    ls_record_free(record);
}

#define LOGIN "P,1,home,5,6,7,8,9,1,logged_in,,1\n"
#define NO_LOGIN "this is no row of a login as loginstorm writes them"
#define HANDSHAKE "P,1,0,1,5,6,7,secured,,1,0,0,0,0,1,2,3,4,5,1\n"
#define NO_HANDSHAKE "this is no row of a handshake as loginstorm writes them"

static void a_row_that_loginstorm_would_not_write_is_refused_with_its_line(void **state)
{
    static const struct {
        enum ls_rows_kind kind;
        const char *row, *words, *why;
    } rows[] = {
        {LS_ROWS_SAMPLES, LOGIN, NULL, "a good one"},
        {LS_ROWS_SAMPLES, "P,1,home,5,,,,,0,cut_off,never_sent,1\n", NULL,
         "hardly anything reached"},
        {LS_ROWS_SAMPLES, "P,-1,home,5,6,7,8,9,1,logged_in,,1\n", NO_LOGIN, "a sign"},
        {LS_ROWS_SAMPLES, "P,01,home,5,6,7,8,9,1,logged_in,,1\n", NO_LOGIN, "a zero too much"},
        {LS_ROWS_SAMPLES, "P,1,work,5,6,7,8,9,1,logged_in,,1\n", NO_LOGIN,
         "a population of nobody"},
        {LS_ROWS_SAMPLES, "P,1,home,,6,7,8,9,1,logged_in,,1\n", NO_LOGIN, "due at no time"},
        {LS_ROWS_SAMPLES, "P,1,home,5,6,7,8,9,256,logged_in,,1\n", NO_LOGIN, "too many attempts"},
        {LS_ROWS_SAMPLES, "P,1,home,5,6,7,8,9,1,pending,,1\n", NO_LOGIN, "no end"},
        {LS_ROWS_SAMPLES, "P,1,home,5,6,7,8,9,1,failed,bored,1\n", NO_LOGIN, "no such reason"},
        {LS_ROWS_SAMPLES, "P,1,home,31622400000000001,6,7,8,9,1,logged_in,,1\n", NO_LOGIN,
         "more than a year"},
        {LS_ROWS_SAMPLES, "P,1,home,99999999999999999999,6,7,8,9,1,logged_in,,1\n", NO_LOGIN,
         "beyond 64 bits"},
        {LS_ROWS_SAMPLES, "P,1,home,5,6,7,8,9,2,logged_in,connect_timeout,1\n", NULL,
         "in by the second attempt, and why the first one failed"},
        {LS_ROWS_SAMPLES, "P,1,home,5,6,7,8,9,1,logged_in,connect_timeout,1\n",
         "a login that came through at once has no reason of a failure", "in, and why not"},
        {LS_ROWS_SAMPLES, "P,1,home,5,6,7,8,9,1,failed,,1\n", "a login that failed has a reason",
         "failed, and nobody knows why"},
        {LS_ROWS_SAMPLES, "P,1,home,5,6,7,8,4,1,logged_in,,1\n",
         "this user was logged in before he came", "time that runs back"},
        {LS_ROWS_SAMPLES, "P,1,home,5,6,7,8,9,1,logged_in,,more,1\n", NO_LOGIN, "a field too much"},
        {LS_ROWS_SAMPLES, "P,1,home,5,6,7,8,9,1,logged_in,1\n", NO_LOGIN, "a field too few"},
        {LS_ROWS_SAMPLES, "P,0,home,5,6,7,8,9,1,logged_in,,1\n",
         "this user has a row already, or is none of the storm's", "twice"},
        {LS_ROWS_SAMPLES, "P,3,home,5,6,7,8,9,1,logged_in,,1\n",
         "this user has a row already, or is none of the storm's", "beyond the last"},
        {LS_ROWS_SAMPLES, "P,2,home,5,6,7,8,9,1,logged_in,,1\n", "this user is another shard's",
         "not of 0 and 1"},
        {LS_ROWS_SAMPLES, "P,1,home,5,6,7,8,9,1,logged_in,,1", "the file ends within this line",
         "half a line"},
        {LS_ROWS_SAMPLES, "P,1,\"home,5,6,7,8,9,1,logged_in,,1\n", "the file ends within this line",
         "a quote that does not end"},
        {LS_ROWS_HANDSHAKES, HANDSHAKE, NULL, "a good one"},
        {LS_ROWS_HANDSHAKES, "P,1,0,1,5,,7,failed,connect_reset,0,0,0,0,2,0,0,0,0,,1\n", NULL,
         "without TCP, tickets not known"},
        {LS_ROWS_HANDSHAKES, "P,1,0,1,5,6,7,secured,,1,0,0,0,0,,,,,,1\n", NULL,
         "bytes that nobody counted"},
        {LS_ROWS_HANDSHAKES, "P,1,0,1,5,6,7,secured,,1,0,0,0,0,1,,3,4,5,1\n", NO_HANDSHAKE,
         "some that nobody counted"},
        {LS_ROWS_HANDSHAKES, "P,1,0,1,5,6,7,logged_in,,1,0,0,0,0,1,2,3,4,5,1\n", NO_HANDSHAKE,
         "a login's word"},
        {LS_ROWS_HANDSHAKES, "P,1,0,1,5,6,7,secured,,2,0,0,0,0,1,2,3,4,5,1\n", NO_HANDSHAKE,
         "neither yes nor no"},
        {LS_ROWS_HANDSHAKES, "P,1,0,1,5,6,7,secured,,1,0,0,0,65536,1,2,3,4,5,1\n", NO_HANDSHAKE,
         "too many segments"},
        {LS_ROWS_HANDSHAKES, "P,1,0,1,5,6,7,secured,,1,0,0,0,0,1,2,3,4,5,\n",
         "a row of no run that result.json beside it has, or out of order", "no round"},
        {LS_ROWS_HANDSHAKES, "P,2,0,1,5,6,7,secured,,1,0,0,0,0,1,2,3,4,5,1\n",
         "this user is another shard's", "not of 0 and 1"},
        {LS_ROWS_HANDSHAKES, HANDSHAKE HANDSHAKE,
         "more handshakes than result.json has, or of a user who is none of the storm's",
         "one too many"},
        {LS_ROWS_HANDSHAKES, "Q,1,0,1,5,6,7,secured,,1,0,0,0,0,1,2,3,4,5,1\n",
         "a row of no run that result.json beside it has, or out of order", "another certificate"},
    };
    const struct ls_share share = {.first = 0, .count = 2, .of = 3};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const bool login = rows[i].kind == LS_ROWS_SAMPLES;
        struct ls_rows_wish wish = wish_of("P", 1);
        struct ls_record *record;
        struct ls_rows *table;
        struct ls_error err = {0};
        char text[1024];
        size_t count;
        enum ls_code code;

        print_message("%s\n", rows[i].why);
        wish.share = strstr(rows[i].why, "not of 0 and 1") != NULL ? &share : &everybody;
        (void)snprintf(text, sizeof text, "%s%s%s", login ? SAMPLES_HEADER : HANDSHAKES_HEADER,
                       login ? "P,0,home,5,6,7,8,9,1,logged_in,,1\n" : "", rows[i].row);
        table = rows_of(text, strlen(text), rows[i].kind);
        assert_int_equal(ls_record_new(&record, 3, 1, NULL), LS_OK);
        code = ls_rows_take(table, &wish, record, &count, &err);
        if (code == LS_OK) {
            code = ls_rows_end(table, &err);
        }
        assert_int_equal(code, rows[i].words == NULL ? LS_OK : LS_EINPUT);
        if (rows[i].words != NULL) {
            assert_string_equal(err.text, rows[i].words);
            assert_int_equal(err.line, login                                      ? 3
                                       : strcmp(rows[i].why, "one too many") == 0 ? 3
                                                                                  : 2);
            assert_string_equal(err.path, "table.csv");
        }
        ls_rows_close(table);
        ls_record_free(record);
    }
}

static void a_file_that_is_none_of_ours_is_refused_at_its_first_line(void **state)
{
    static char endless[20000];
    const struct {
        char *text;
        size_t size;
        const char *words;
    } files[] = {
        {(char[]){"\n"}, 1, "this is no samples.csv of this loginstorm"},
        {(char[]){"certificate,user\n"}, 17, "this is no samples.csv of this loginstorm"},
        {(char[]){HANDSHAKES_HEADER}, sizeof HANDSHAKES_HEADER - 1,
         "this is no samples.csv of this loginstorm"},
        {(char[]){"cert\0ificate\n"}, 13, "no text"},
        {endless, sizeof endless, "this line is longer than any of ours"},
    };

    (void)state;
    memset(endless, 'x', sizeof endless);
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        FILE *stream = fmemopen(files[i].text, files[i].size, "r");
        struct ls_rows *rows;
        struct ls_error err = {0};

        print_message("%s\n", files[i].words);
        assert_non_null(stream);
        assert_int_equal(ls_rows_new(&rows, stream, "table.csv", LS_ROWS_SAMPLES, &err), LS_EINPUT);
        assert_string_equal(err.text, files[i].words);
        assert_int_equal(err.line, 1);
        assert_null(rows);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_written_comes_back_run_after_run_to_the_byte),
        cmocka_unit_test(a_row_that_loginstorm_would_not_write_is_refused_with_its_line),
        cmocka_unit_test(a_file_that_is_none_of_ours_is_refused_at_its_first_line),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
