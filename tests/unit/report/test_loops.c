/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "report/page.h"

#include "unit/record/loops.h"
#include "unit/report/sample.h"

#define MS LS_NS_PER_MS

static char paper[] = "a paper, with curl and ab", another[] = "another";

/* As published_benchmark.yaml has them; of P-384 not all. */
static const struct ls_published published[] = {
    {paper, 17500000, 96.7, 84 * MS, 118 * MS, 604 * MS, 1779, 3505},
    {paper, 9 * MS, 199.5, 47 * MS, 72 * MS, 165 * MS, 1781, 2571},
    {another, 12300000, -1, 57 * MS, -1, 200 * MS, -1, 2633},
};

struct benchmark {
    struct ls_result result;
    struct ls_run runs[3];
};

static void benchmark_init(struct benchmark *benchmark, bool with_published)
{
    *benchmark = (struct benchmark){0};
    loops_run(&benchmark->runs[0], "RSA 4096", "rsa-4096", 6 * MS, 105 * 5 * MS,
              with_published ? &published[0] : NULL);
    loops_run(&benchmark->runs[1], "ECDSA P-256", "ecdsa-p256", MS, 105 * MS / 4,
              with_published ? &published[1] : NULL);
    loops_run(&benchmark->runs[2], "ECDSA P-384", "ecdsa-p384", 2 * MS, 105 * MS / 2,
              with_published ? &published[2] : NULL);
    benchmark->result = (struct ls_result){
        .created = sample_words[CREATED],
        .name = (char *)(uintptr_t) "Published benchmark",
        .sha256 = sample_words[SHA256],
        .seed = 20261130,
        .users = 105,
        .closed = true,
        .speedup = 1,
        .host_cores = 2,
        .injectors = 1,
        .placement = sample_words[PLACEMENT],
        .tls_library = sample_words[LIBRARY],
        .runs = benchmark->runs,
        .runs_count = 3,
    };
}

static void benchmark_clear(struct benchmark *benchmark)
{
    for (size_t i = 0; i < 3; i++) {
        ls_run_clear(&benchmark->runs[i]);
    }
}

static void the_benchmark_is_this_to_the_byte(void **state)
{
    static const struct {
        const char *golden;
        struct ls_report_look look;
    } rows[] = {
        {"loops-100.txt", {.columns = 100, .utf8 = true}},
        {"loops-60-ascii.txt", {.columns = 60}},
        {"loops-quiet.txt", {.columns = 80, .quiet = true}},
    };
    struct benchmark benchmark;

    (void)state;
    benchmark_init(&benchmark, true);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char *text = sample_text(&benchmark.result, &rows[i].look);

        assert_golden(rows[i].golden, text);
        free(text);
    }
    benchmark_clear(&benchmark);
}

static void its_file_and_its_spreadsheet_are_these_to_the_byte(void **state)
{
    struct benchmark benchmark;
    struct ls_result *again;
    struct ls_error err = {0};
    json_t *root, *root_again;
    size_t size;
    char *text;
    FILE *stream = open_memstream(&text, &size);

    (void)state;
    benchmark_init(&benchmark, true);
    assert_int_equal(ls_report_csv(&benchmark.result, stream, NULL), LS_OK);
    assert_int_equal(fclose(stream), 0);
    assert_golden("loops.csv", text);
    free(text);
    assert_int_equal(ls_result_to_json(&benchmark.result, &root, NULL), LS_OK);
    stream = open_memstream(&text, &size);
    assert_int_equal(ls_json_write(root, stream, NULL), LS_OK);
    assert_int_equal(fclose(stream), 0);
    assert_golden("loops.json", text);
    if (ls_result_from_json(&again, root, "loops.json", &err) != LS_OK) {
        fail_msg("%s", err.text);
    }
    assert_true(again->closed);
    assert_true(again->from_ns == 0 && again->window_ns == 0);
    assert_int_equal(ls_result_to_json(again, &root_again, NULL), LS_OK);
    assert_true(json_equal(root, root_again));
    json_decref(root);
    json_decref(root_again);
    ls_result_free(again);
    free(text);
    benchmark_clear(&benchmark);
}

/* What is compared is what can be: each against its own baseline. */
static void gains_and_ratios_are_theirs_against_theirs_and_ours_against_ours(void **state)
{
    static const char *const lines[] = {
        "\nECDSA P-256  1.00 ms  1.01 ms  1.02 ms  1.03 ms  1.04 ms      1.02 ms     -83 %         "
        "250 "
        "µs\n",
        "\n  published                                                   9.00 ms     -49 %         "
        "    "
        " -\n",
        "\n  published                                                   12.3 ms     -30 %         "
        "    "
        " -\n",
        "\nECDSA P-256         1,381                     2,100  3,481  -13 % (-500)\n",
        "\n  published         1,781                     2,571  4,352  -18 % (-932)\n",
        "\n  published             -                     2,633      -             -\n",
        "\n  published       0.51      2.06    0.56       0.61  0.27   0.82      -\n",
        "\n  published       0.70         -    0.68          -  0.33      -      -\n",
        "\npublished: a paper, with curl and ab\npublished: another\n",
    };
    const struct ls_report_look look = {.columns = 100, .utf8 = true};
    struct benchmark benchmark;
    char *text;

    (void)state;
    benchmark_init(&benchmark, true);
    text = sample_text(&benchmark.result, &look);
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        if (strstr(text, lines[i]) == NULL) {
            fail_msg("no line%sin\n%s", lines[i], text);
        }
    }
    free(text);
    benchmark_clear(&benchmark);
}

static void a_morning_s_words_are_not_said_of_a_closed_loop(void **state)
{
    static const char *const words[] = {"cores at", "fullest", "start lag", "pace", "carries"};
    const struct ls_report_look look = {.columns = 1000, .utf8 = true};
    struct benchmark benchmark;
    char *text;

    (void)state;
    benchmark_init(&benchmark, true);
    text = sample_text(&benchmark.result, &look);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strstr(text, words[i]) != NULL) {
            fail_msg("\"%s\" in\n%s", words[i], text);
        }
    }
    assert_non_null(strstr(text, "not what happens at 08:30"));
    free(text);
    benchmark_clear(&benchmark);
}

static void without_published_figures_ours_stand_alone(void **state)
{
    const struct ls_report_look look = {.columns = 100, .utf8 = true};
    struct benchmark benchmark;
    char *text;

    (void)state;
    benchmark_init(&benchmark, false);
    text = sample_text(&benchmark.result, &look);
    assert_null(strstr(text, "published"));
    assert_null(strstr(text, "Theirs"));
    assert_non_null(strstr(text, "As parts of RSA 4096's"));
    free(text);
    benchmark.result.runs_count = 1;
    text = sample_text(&benchmark.result, &look);
    assert_null(strstr(text, "As parts of"));
    free(text);
    benchmark_clear(&benchmark);
}

static void rounds_of_loops_are_medians_of_their_figures(void **state)
{
    const struct ls_report_look look = {.columns = 100, .utf8 = true};
    struct benchmark benchmark;
    char *text;

    (void)state;
    benchmark_init(&benchmark, true);
    for (size_t i = 1; i < 3; i++) {
        free(benchmark.runs[i].certificate);
        benchmark.runs[i].certificate = strdup("RSA 4096");
        benchmark.runs[i].repeat = (int)i + 1;
    }
    benchmark.runs[0].repeat = 1;
    text = sample_text(&benchmark.result, &look);
    /* of 6.12, 1.02 and 2.04 ms, and single handshakes are of single rounds */
    assert_non_null(strstr(text, "\ncertificate  mean of all    change  CPU/handshake\n"
                                 "RSA 4096         2.04 ms  baseline         500 µs\n"));
    assert_non_null(strstr(text, "Medians of 3 rounds of every certificate in turn.\n"));
    free(text);
    benchmark_clear(&benchmark);
}

static void no_line_is_wider_than_the_page(void **state)
{
    struct benchmark benchmark;

    (void)state;
    benchmark_init(&benchmark, true);
    free(benchmark.runs[1].certificate);
    benchmark.runs[1].certificate =
        strdup("a certificate with a name as long as a Monday morning, 東京");
    for (int columns = 60; columns <= 140; columns++) {
        for (int utf8 = 0; utf8 <= 1; utf8++) {
            const struct ls_report_look look = {.columns = columns, .utf8 = utf8 == 1};
            char *text = sample_text(&benchmark.result, &look), *line, *rest;

            for (line = strtok_r(text, "\n", &rest); line != NULL;
                 line = strtok_r(NULL, "\n", &rest)) {
                if (text_width(line) > (size_t)columns || line[strlen(line) - 1] == ' ') {
                    fail_msg("%d columns: %s|", columns, line);
                }
            }
            free(text);
        }
    }
    benchmark_clear(&benchmark);
}

/* A file says that its loop is closed and holds none: nothing to show, nothing to fall over. */
static void loops_that_a_file_leaves_out_are_not_shown(void **state)
{
    const struct ls_report_look look = {.columns = 100, .utf8 = true};
    struct benchmark benchmark;
    size_t counts[3];
    char *text;

    (void)state;
    benchmark_init(&benchmark, true);
    for (size_t first = 0; first < 3; first++) {
        for (size_t i = 0; i < 3; i++) {
            counts[i] = benchmark.runs[i].waves_count;
            benchmark.runs[i].waves_count = i == first ? 0 : i == 0 ? 1 : counts[i];
        }
        text = sample_text(&benchmark.result, &look);
        assert_non_null(strstr(text, "Bytes of a handshake"));
        free(text);
        for (size_t i = 0; i < 3; i++) {
            benchmark.runs[i].waves_count = counts[i];
        }
    }
    benchmark_clear(&benchmark);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_benchmark_is_this_to_the_byte),
        cmocka_unit_test(its_file_and_its_spreadsheet_are_these_to_the_byte),
        cmocka_unit_test(gains_and_ratios_are_theirs_against_theirs_and_ours_against_ours),
        cmocka_unit_test(a_morning_s_words_are_not_said_of_a_closed_loop),
        cmocka_unit_test(without_published_figures_ours_stand_alone),
        cmocka_unit_test(rounds_of_loops_are_medians_of_their_figures),
        cmocka_unit_test(no_line_is_wider_than_the_page),
        cmocka_unit_test(loops_that_a_file_leaves_out_are_not_shown),
    };

    return cmocka_run_group_tests_name("report/loops", tests, NULL, NULL);
}
