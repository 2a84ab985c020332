/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Any bytes for a result file, and the golden one with some of its values changed. What is refused
 * says why; what is taken is written, read again and must come out the same to the byte, and every
 * report of it can be made.
 */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loginstorm/report.h"

#include "fuzz/values.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool good, const char *what)
{
    if (!good) {
        (void)fprintf(stderr, "%s\n", what);
        abort();
    }
}

struct text {
    char *bytes;
    size_t size;
    FILE *stream;
};

static FILE *text_open(struct text *text)
{
    *text = (struct text){0};
    text->stream = open_memstream(&text->bytes, &text->size);
    must(text->stream != NULL, "a stream");
    return text->stream;
}

static void text_close(struct text *text)
{
    must(fclose(text->stream) == 0, "closed");
}

static struct ls_result *take(const char *text, size_t size)
{
    struct ls_error err = {0};
    struct ls_result *result = NULL;
    json_t *root = NULL;
    enum ls_code code = ls_json_parse(&root, "fuzz.json", text, size, &err);

    if (code == LS_OK) {
        code = ls_result_from_json(&result, root, "fuzz.json", &err);
        json_decref(root);
    }
    must((code == LS_OK) == (result != NULL), "a result comes with LS_OK and nothing else");
    must(code == LS_OK || (err.code == code && err.text[0] != '\0'), "a refusal says why");
    return result;
}

static void put(const struct ls_result *result, struct text *text)
{
    struct ls_error err = {0};
    json_t *root = NULL;

    must(ls_result_to_json(result, &root, &err) == LS_OK, "as JSON");
    must(ls_json_write(root, text_open(text), &err) == LS_OK, "written");
    text_close(text);
    json_decref(root);
}

static void must_come_back(const struct ls_result *result)
{
    struct ls_result *again;
    struct text once, twice;

    put(result, &once);
    again = take(once.bytes, once.size);
    must(again != NULL, "what was written is taken");
    put(again, &twice);
    must(once.size == twice.size && memcmp(once.bytes, twice.bytes, once.size) == 0,
         "the same again");
    free(once.bytes);
    free(twice.bytes);
    ls_result_free(again);
}

static void must_report(const struct ls_result *result)
{
    static const struct ls_report_look looks[] = {
        {.columns = 80, .utf8 = true},
        {.columns = 20, .utf8 = false},
        {.columns = 240, .utf8 = true, .colour = true},
        {.columns = 80, .utf8 = true, .quiet = true},
    };
    struct ls_error err;
    struct text text;

    for (size_t i = 0; i < sizeof looks / sizeof looks[0]; i++) {
        (void)text_open(&text);
        must(ls_report_heading(result, &looks[i], text.stream, &err) == LS_OK, "the heading");
        must(ls_report_text(result, &looks[i], text.stream, &err) == LS_OK, "the text");
        text_close(&text);
        free(text.bytes);
    }
    (void)text_open(&text);
    must(ls_report_csv(result, text.stream, &err) == LS_OK, "the CSV");
    must(ls_report_html(result, text.stream, &err) == LS_OK, "the page");
    must(result->comparison == NULL ||
             ls_report_comparison_html(result->comparison, text.stream, &err) == LS_OK,
         "the comparison's page");
    must(ls_report_openmetrics(result, text.stream, &err) == LS_OK, "the metrics");
    must(ls_report_junit(result, text.stream, &err) == LS_OK, "the JUnit report");
    must(ls_report_markdown(result, text.stream, &err) == LS_OK, "the Markdown");
    must(result->comparison == NULL ||
             ls_report_comparison_csv(result->comparison, text.stream, &err) == LS_OK,
         "the comparison as CSV");
    for (size_t i = 0; i < result->runs_count; i++) {
        must(ls_report_hgrm(&result->runs[i], LS_CURVE_OF_LOGIN, text.stream, &err) == LS_OK &&
                 ls_report_hgrm(&result->runs[i], LS_CURVE_OF_HANDSHAKE, text.stream, &err) ==
                     LS_OK,
             "the curves");
        must(ls_timeline_write(text.stream, &result->runs[i], result->from_ns, i == 0, &err) ==
                 LS_OK,
             "the timeline");
    }
    text_close(&text);
    free(text.bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ls_result *result = take((const char *)data, size);

    if (result != NULL) {
        must_come_back(result);
        must_report(result);
        ls_result_free(result);
    }
    return 0;
}
