/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Logs that are JSON documents, in their true shape, with their traps, and exactly what they hold. */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "loginstorm/import.h"

#define LOGS LS_SOURCE_DIR "/tests/data/logs/"
#define TEXT 2048

/* The rows of a curve as they are written, its skips and notes a line each. */
struct told {
    char rows[TEXT], skips[TEXT], notes[TEXT];
    struct ls_import_summary summary;
    struct ls_error err, broken;
    enum ls_code code;
};

static void write_rows(char *out, const struct ls_curve *curve)
{
    const char *header = curve->exact ? "\ntime,user\n" : "\nfrom,to,count\n";
    struct ls_error err;
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);

    assert_non_null(stream);
    assert_int_equal(ls_curve_write(curve, stream, &err), LS_OK);
    assert_int_equal(fclose(stream), 0);
    assert_non_null(strstr(text, header));
    (void)snprintf(out, TEXT, "%s", strstr(text, header) + strlen(header));
    free(text);
}

static void import(struct told *told, const struct ls_import_wish *wish)
{
    struct ls_curve *curve = NULL;

    *told = (struct told){0};
    told->code = ls_import_run(&curve, &told->summary, &told->broken, wish, &told->err);
    assert_int_equal(told->code == LS_OK, curve != NULL);
    if (curve != NULL) {
        write_rows(told->rows, curve);
        assert_int_equal(told->summary.logins, ls_curve_total(curve));
    }
    for (size_t i = 0; i < told->summary.skips_count; i++) {
        const size_t at = strlen(told->skips);

        (void)snprintf(told->skips + at, TEXT - at, "%" PRId64 " %s\n",
                       told->summary.skips[i].lines, told->summary.skips[i].reason);
        assert_true(told->summary.skips[i].first_record > 0);
    }
    for (size_t i = 0; i < told->summary.notes_count; i++) {
        const size_t at = strlen(told->notes);

        (void)snprintf(told->notes + at, TEXT - at, "%s\n", told->summary.notes[i]);
    }
    ls_curve_free(curve);
}

/* As it lies in memory. */
static void import_text(struct told *told, const char *text, const char *count)
{
    const int fd = memfd_create("log", 0);
    char path[64];
    const char *const paths[] = {path};
    const struct ls_import_wish wish = {.paths = paths, .paths_count = 1, .count = count};

    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    import(told, &wish);
    assert_int_equal(close(fd), 0);
}

static void logs_of_documents_give_their_logins(void **unused)
{
    static const struct {
        const char *why, *files[2], *count, *format, *rows, *skips, *notes;
        int64_t records, users;
    } logs[] = {
        {"pages of both forms in one log, a byte order mark between, nulls, brackets in names, a "
         "user "
         "by number and by a name written in two ways, a record within a record",
         {"citrix.json"},
         NULL,
         "Citrix Monitor, OData as JSON",
         "2026-11-30T07:42:09Z,2\n2026-11-30T07:42:10.1234567Z,1\n2026-11-30T07:43:00Z,1\n"
         "2026-11-30T07:43:01Z,3\n2026-11-30T07:43:02Z,3\n2026-11-30T07:43:03Z,\n",
         "1 LogOnStartDate is null\n1 no LogOnStartDate\n"
         "1 no time stamp in a form that is known\n",
         "",
         9,
         3},
        {"another moment of the same connections, by a word in any case",
         {"citrix.json"},
         "brokeringdate",
         "Citrix Monitor, OData as JSON",
         "2026-11-30T07:42:05.5Z,1\n2026-11-30T07:42:11Z,2\n2026-11-30T07:42:13Z,\n",
         "6 no BrokeringDate\n",
         "",
         9,
         2},
        {"milliseconds in a Date(), and a page that is not the last",
         {"citrix-v2.json"},
         NULL,
         "Citrix Monitor, OData as JSON",
         "2026-11-30T07:42:10.123Z,1\n2026-11-30T07:42:11Z,2\n",
         "",
         "every page says that another follows (nextLink), so the last was not given: fetch it, "
         "and "
         "import all together\n",
         2,
         2},
        {"a page that is followed by the last in another log",
         {"citrix-v2.json", "citrix.json"},
         "BrokeringDate",
         "Citrix Monitor, OData as JSON",
         "2026-11-30T07:42:05Z,1\n2026-11-30T07:42:05.5Z,2\n2026-11-30T07:42:11Z,3\n"
         "2026-11-30T07:42:13Z,\n",
         "1 BrokeringDate is null\n6 no BrokeringDate\n",
         "",
         11,
         3},
        {"a counter that began again, a gap over NaN that overlaps the other gateway's intervals, "
         "exponents, samples out of order, a third series of one sample",
         {"prometheus.json"},
         NULL,
         "range query of Prometheus, as JSON",
         "2026-11-30T07:40:00Z,2026-11-30T07:41:00Z,30\n"
         "2026-11-30T07:41:00Z,2026-11-30T07:42:00Z,19\n"
         "2026-11-30T07:42:00Z,2026-11-30T07:43:00Z,10\n"
         "2026-11-30T07:43:00Z,2026-11-30T07:44:00Z,17\n"
         "2026-11-30T07:44:00Z,2026-11-30T07:45:00Z,1\n",
         "1 NaN, so no value\n1 a sample that is not after the one before it\n"
         "1 an infinite value\n1 a series of one sample, which has no increase\n",
         "Prometheus warns: a store did not answer\n"
         "intervals between samples that are longer than the step of 1m: 1; what came in one is "
         "spread over the whole of it\n",
         14,
         -1},
        {"the same of two other gateways, in a log of their own",
         {"prometheus.json", "prometheus-b.json"},
         "gauge",
         "range query of Prometheus, as JSON",
         "2026-11-30T07:40:00Z,2026-11-30T07:41:00Z,60\n"
         "2026-11-30T07:41:00Z,2026-11-30T07:42:00Z,24\n"
         "2026-11-30T07:42:00Z,2026-11-30T07:43:00Z,20\n"
         "2026-11-30T07:43:00Z,2026-11-30T07:44:00Z,34\n"
         "2026-11-30T07:44:00Z,2026-11-30T07:45:00Z,2\n",
         "2 NaN, so no value\n2 a sample that is not after the one before it\n"
         "2 an infinite value\n2 a series of one sample, which has no increase\n",
         "Prometheus warns: a store did not answer\n"
         "intervals between samples that are longer than the step of 1m: 1; what came in one is "
         "spread over the whole of it\n",
         28,
         -1},
        {"rates of half a login: what is below one is carried on, a missing sample is no login",
         {"prometheus-rate.json"},
         "rate",
         "range query of Prometheus, as JSON",
         "2026-11-30T07:39:30.5Z,2026-11-30T07:40:00.5Z,1\n"
         "2026-11-30T07:40:00.5Z,2026-11-30T07:40:30.5Z,1\n"
         "2026-11-30T07:40:30.5Z,2026-11-30T07:41:00.5Z,2\n"
         "2026-11-30T07:41:30.5Z,2026-11-30T07:42:00.5Z,4\n"
         "2026-11-30T07:42:00.5Z,2026-11-30T07:42:30.5Z,0\n",
         "",
         "meant for rate(x[30s]), as long as the step: with a longer range the peak is flatter "
         "than "
         "it was, and later\nplaces where samples are missing: 1; nothing is counted there\n",
         5,
         -1},
    };
    struct told told;

    (void)unused;
    for (size_t i = 0; i < sizeof logs / sizeof logs[0]; i++) {
        char names[2][512];
        const char *const paths[] = {names[0], names[1]};
        const struct ls_import_wish wish = {.paths = paths,
                                            .paths_count = logs[i].files[1] == NULL ? 1 : 2,
                                            .count = logs[i].count,
                                            .timezone = "Europe/Berlin"};

        for (size_t k = 0; k < wish.paths_count; k++) {
            (void)snprintf(names[k], sizeof names[k], LOGS "%s", logs[i].files[k]);
        }
        import(&told, &wish);
        if (told.code != LS_OK || strcmp(told.rows, logs[i].rows) != 0 ||
            strcmp(told.skips, logs[i].skips) != 0 || strcmp(told.notes, logs[i].notes) != 0) {
            fail_msg("%s: %s\n%s\n%s\n%s", logs[i].why, told.err.text, told.rows, told.skips,
                     told.notes);
        }
        assert_string_equal(told.summary.format, logs[i].format);
        assert_string_equal(told.summary.tie, "");
        assert_int_equal(told.summary.lines, logs[i].records);
        assert_int_equal(told.summary.users, logs[i].users);
        assert_int_equal(told.broken.code, LS_OK);
    }
}

#define SERIES(name, values)                                                                       \
    "{\"status\":\"success\",\"data\":{\"resultType\":\"matrix\",\"result\":[{\"metric\":{" name   \
    "},\"values\":[" values "]}]}}"
#define FIVE(a, b, c, d, e)                                                                        \
    "[1796024400,\"" #a "\"],[1796024460,\"" #b "\"],[1796024520,\"" #c "\"],[1796024580,\"" #d    \
    "\"],[1796024640,\"" #e "\"]"

static void what_a_value_is_is_taken_from_how_values_go_or_asked_for(void **unused)
{
    static const struct {
        const char *why, *text, *count, *counted, *error;
        int64_t logins;
    } rows[] = {
        {"a name that ends in _total is a counter's, however it goes",
         SERIES("\"__name__\":\"logins_total\"", FIVE(5, 3, 4, 2, 9)), NULL,
         "increases of a counter every 1m (by its name), 1 series, 2 resets", NULL, 3 + 1 + 2 + 7},
        {"without a name it may rise only", SERIES("", FIVE(5, 6, 6, 8, 20)), NULL,
         "increases of a counter every 1m (taken for one, since it hardly falls), 1 series, 0 "
         "resets",
         NULL, 15},
        {"or begin again once, far below", SERIES("", FIVE(50, 60, 2, 8, 20)), NULL,
         "increases of a counter every 1m (taken for one, since it hardly falls), 1 series, 1 "
         "reset",
         NULL, 30},
        {"but not fall a little", SERIES("", FIVE(50, 60, 55, 80, 90)), NULL, NULL,
         "it does not look like a counter (its values fall at 1 of 4 steps): say --count "
         "increase, as of increase(x[1m]), rate (per second), gauge, or counter",
         0},
        {"nor often", SERIES("", FIVE(50, 1, 50, 1, 50)), NULL, NULL,
         "it does not look like a counter (its values fall at 2 of 4 steps): say --count "
         "increase, as of increase(x[1m]), rate (per second), gauge, or counter",
         0},
        {"nor be no whole number", SERIES("", FIVE(1, 2, 2.5, 3, 4)), NULL, NULL,
         "it does not look like a counter (it has values that are not whole): say --count "
         "increase, "
         "as of increase(x[1m]), rate (per second), gauge, or counter",
         0},
        {"unless it is told to be one", SERIES("", FIVE(50, 60, 55, 80, 90)), "counter",
         "increases of a counter every 1m (as told), 1 series, 1 reset", NULL, 10 + 55 + 25 + 10},
        {"increases are counted as they are, the first too", SERIES("", FIVE(5, 3, 4, 2, 9)),
         "increase", "values as increases, each of the 1m before it, 1 series", NULL, 23},
        {"rates are per second", SERIES("", FIVE(0.5, 0.25, 0, 0, 1)), "rate",
         "values as rates per second, each of the 1m before it, 1 series", NULL, 30 + 15 + 60},
        {"a step of another length is told as such, too",
         SERIES("", "[1796024400,\"50\"],[1796024700,\"49\"]"), NULL, NULL,
         "it does not look like a counter (its values fall at 1 of 1 steps): say --count "
         "increase, as of increase(x[5m]), rate (per second), gauge, or counter",
         0},
        {"of a gauge the rises count", SERIES("", FIVE(5, 3, 4, 2, 9)), "gauge",
         "rises of a gauge every 1m, so that more may have come, 1 series", NULL, 8},
        {"the result alone is read too", "[{\"metric\":{},\"values\":[" FIVE(1, 2, 3, 4, 5) "]}]",
         NULL,
         "increases of a counter every 1m (taken for one, since it hardly falls), 1 series, 0 "
         "resets",
         NULL, 4},
        {"a word that is none", SERIES("", FIVE(1, 2, 3, 4, 5)), "most", NULL,
         "--count: \"most\" is none of counter, increase, rate, gauge", 0},
        {"one sample", SERIES("", "[1796024400,\"5\"]"), "increase", NULL,
         "one sample a series does not tell how long its step is", 0},
        {"an answer that is an error",
         "{\"status\":\"error\",\"errorType\":\"bad_data\",\"error\":\"1:8: parse error\\nhere\"}",
         NULL, NULL, "Prometheus answered with an error: bad_data: 1:8: parse error here", 0},
        {"one moment",
         "{\"status\":\"success\",\"data\":{\"resultType\":\"vector\",\"result\":[{\"metric\":{},"
         "\"value\":[1796024400,\"5\"]}]}}",
         NULL, NULL,
         "it is no range query: its resultType is vector, one moment alone; ask "
         "/api/v1/query_range, "
         "with start, end and step",
         0},
        {"one moment, its type behind it",
         "{\"data\":{\"result\":[{\"metric\":{},\"value\":[1796024400,\"5\"]}],\"resultType\":"
         "\"vector\"}}",
         NULL, NULL,
         "it is no range query: its series have one value each; ask /api/v1/query_range, with "
         "start, "
         "end and step",
         0},
        {"more than a curve holds", SERIES("", FIVE(0, 1, 2, 3, 4000000000)), NULL, NULL,
         "the interval that begins at 2026-11-30T07:43:00Z has more than 1,000,000,000 logins: are "
         "its counts logins?",
         0},
        {"seconds of another age", SERIES("", "[1796024400,\"5\"],[4202444800,\"9\"]"), NULL, NULL,
         "no login in 2 samples, read as prometheus; most often (1, the first one here): a time "
         "stamp beyond the year 2099",
         0},
        {"nothing but zeros", SERIES("", FIVE(5, 5, 5, 5, 5)), NULL, NULL,
         "no login in 5 samples, read as prometheus", 0},
    };
    struct told told;

    (void)unused;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        import_text(&told, rows[i].text, rows[i].count);
        if (rows[i].error != NULL && strcmp(told.err.text, rows[i].error) != 0) {
            fail_msg("%s: \"%s\"", rows[i].why, told.err.text);
        }
        if (rows[i].error == NULL && (told.code != LS_OK || told.summary.logins != rows[i].logins ||
                                      strcmp(told.summary.counted, rows[i].counted) != 0)) {
            fail_msg("%s: %s %" PRId64 " of %s", rows[i].why, told.err.text, told.summary.logins,
                     told.summary.counted);
        }
    }
}

/* increase(x[5m]) asked with a step of a minute counts each login five times, and no value shows it. */
static void the_range_for_which_amounts_are_right_is_told(void **unused)
{
    static const struct {
        const char *count, *values, *notes;
    } rows[] = {
        {"increase", FIVE(5, 3, 4, 2, 9),
         "right for increase(x[1m]) alone, as long as the step: with a longer range each login is "
         "counted several times, with a shorter one some are missed\n"},
        {"increase", "[1796024400,\"50\"],[1796024415,\"49\"]",
         "right for increase(x[15s]) alone, as long as the step: with a longer range each login is "
         "counted several times, with a shorter one some are missed\n"},
        {"rate", FIVE(5, 3, 4, 2, 9),
         "meant for rate(x[1m]), as long as the step: with a longer range the peak is flatter than "
         "it was, and later\n"},
        {"counter", FIVE(5, 6, 7, 8, 9), ""},
    };
    struct told told;

    (void)unused;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[1024];

        (void)snprintf(text, sizeof text, "[{\"metric\":{},\"values\":[%s]}]", rows[i].values);
        import_text(&told, text, rows[i].count);
        assert_int_equal(told.code, LS_OK);
        assert_string_equal(told.notes, rows[i].notes);
    }
}

static void the_peak_minute_adds_up_what_is_shorter_and_is_a_mean_of_what_is_longer(void **unused)
{
    static const struct {
        const char *values;
        int64_t logins, at_s;
    } rows[] = {
        {"[1796024400,\"0\"],[1796024415,\"4\"],[1796024430,\"4\"],[1796024445,\"4\"],[1796024460,"
         "\"4\"],[1796024475,\"9\"]",
         16, 1796024400},
        {"[1796024420,\"0\"],[1796024440,\"1\"],[1796024480,\"30\"],[1796024500,\"1\"]", 31,
         1796024460},
        {"[1796024400,\"0\"],[1796028000,\"6\"],[1796031600,\"20\"]", 0, 1796028000},
    };
    struct told told;

    (void)unused;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[1024];

        (void)snprintf(text, sizeof text, "[{\"metric\":{},\"values\":[%s]}]", rows[i].values);
        import_text(&told, text, "increase");
        assert_int_equal(told.code, LS_OK);
        assert_int_equal(told.summary.peak_minute_logins, rows[i].logins);
        assert_int_equal(told.summary.peak_minute_ns, rows[i].at_s * INT64_C(1000000000));
    }
}

static void a_fall_that_is_no_reset_is_told(void **unused)
{
    struct told told;

    (void)unused;
    import_text(&told, SERIES("", FIVE(50, 60, 55, 80, 90)), "counter");
    assert_string_equal(
        told.notes, "falls by less than half: 1, as of a sum of counters one of which began "
                    "again; too much is counted there: ask for sum(increase(x[1m])), and --count "
                    "increase\n");
}

#define PAGE                                                                                       \
    "{\"@odata.context\":\"x\",\"value\":[{\"LogOnStartDate\":\"2026-11-30T07:43:00Z\"},\n"        \
    "{\"LogOnStartDate\":\"2026-11-30T07:43:01Z\"},\n"

static void what_stands_before_a_break_counts_and_the_break_is_told(void **unused)
{
    static const struct {
        const char *text, *broken;
        int line;
    } rows[] = {
        {PAGE, "it breaks off amid a JSON document", 3},
        {PAGE "{\"LogOnStartDate\":\"2026-11-30T07:4", "it breaks off amid a JSON document", 3},
        {PAGE "{\"LogOnStartDate\" \"2026-11-30T07:43:02Z\"}]}",
         "its JSON is damaged: there is a key without a colon; nothing behind that is read", 3},
        {PAGE "\n<html>502 Bad Gateway</html>",
         "its JSON is damaged: there is a word that is no value; nothing behind that is read", 4},
        {PAGE "{}}",
         "its JSON is damaged: there is a bracket that closes nothing; nothing behind "
         "that is read",
         3},
        {PAGE "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[",
         "its JSON is damaged: there is something nested deeper than 32 times; nothing behind that "
         "is read",
         3},
    };
    struct told told;

    (void)unused;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        import_text(&told, rows[i].text, NULL);
        assert_int_equal(told.code, LS_OK);
        assert_string_equal(told.rows, "2026-11-30T07:43:00Z,\n2026-11-30T07:43:01Z,\n");
        assert_int_equal(told.broken.code, LS_EINPUT);
        assert_string_equal(told.broken.text, rows[i].broken);
        assert_int_equal(told.broken.line, rows[i].line);
    }
}

static void an_answer_of_citrix_that_is_an_error_is_shown(void **unused)
{
    struct told told;

    (void)unused;
    import_text(&told, PAGE "{}]} {\"error\":{\"code\":\"401\",\"message\":\"No rights.\"}}", NULL);
    assert_int_equal(told.code, LS_OK);
    assert_string_equal(told.notes, "a page is an error of Citrix: No rights.\n");
    import_text(&told, PAGE "{}]}", "SessionKey");
    assert_int_equal(told.code, LS_EUSAGE);
    assert_string_equal(told.err.text, "--count: \"SessionKey\" is none of LogOnStartDate, "
                                       "LogOnEndDate, BrokeringDate, EstablishmentDate");
}

static void objects_a_line_stay_of_the_format_json(void **unused)
{
    struct told told;

    (void)unused;
    import_text(&told,
                "{\"LogOnStartDate\":\"2026-11-30T07:43:00Z\",\"User\":\"a\"}\n"
                "{\"LogOnStartDate\":\"2026-11-30T07:43:01Z\",\"User\":\"b\"}\n",
                NULL);
    assert_string_equal(told.summary.format, "JSON lines");
    assert_int_equal(told.summary.logins, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(logs_of_documents_give_their_logins),
        cmocka_unit_test(what_a_value_is_is_taken_from_how_values_go_or_asked_for),
        cmocka_unit_test(the_range_for_which_amounts_are_right_is_told),
        cmocka_unit_test(the_peak_minute_adds_up_what_is_shorter_and_is_a_mean_of_what_is_longer),
        cmocka_unit_test(a_fall_that_is_no_reset_is_told),
        cmocka_unit_test(what_stands_before_a_break_counts_and_the_break_is_told),
        cmocka_unit_test(an_answer_of_citrix_that_is_an_error_is_shown),
        cmocka_unit_test(objects_a_line_stay_of_the_format_json),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
