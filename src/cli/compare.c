/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "loginstorm/compare.h"

#include <stdlib.h>
#include <string.h>

#include "cli/print.h"
#include "cli/show.h"
#include "cli/teller.h"
#include "loginstorm/json.h"

static enum ls_code put_json(const struct ls_comparison *comparison, FILE *out,
                             struct ls_error *err)
{
    json_t *inner;
    enum ls_code code = ls_comparison_to_json(comparison, &inner, err);
    json_t *root = code == LS_OK ? json_pack("{s:s, s:i, s:o}", "format", "loginstorm-comparison",
                                             "version", 1, "comparison", inner)
                                 : NULL;

    if (code == LS_OK && root == NULL) {
        code = ls_error_set(err, LS_ENOMEM, "no memory for the comparison");
    }
    if (code == LS_OK) {
        code = ls_json_write(root, out, err);
    }
    json_decref(root);
    return code;
}

static enum ls_code put(const struct ls_comparison *comparison, const struct options *options,
                        FILE *out, struct ls_error *err)
{
    struct ls_report_look look;

    look_of(&look, out, options);
    switch (options->format) {
    case FORMAT_JSON:
        return put_json(comparison, out, err);
    case FORMAT_CSV:
        return ls_report_comparison_csv(comparison, out, err);
    case FORMAT_HTML:
        return ls_report_comparison_html(comparison, out, err);
    default: /* the table of options offers no other one here */
        break;
    }
    return ls_report_comparison(comparison, &look, out, err);
}

static int show(const struct ls_comparison *comparison, const struct options *options)
{
    struct output output;
    struct ls_error err;
    enum ls_code code = output_open(&output, options, &err);

    if (code == LS_OK) {
        code = output_close(&output, put(comparison, options, output.stream, &err), &err);
    }
    return code == LS_OK ? 0 : print_error(&err);
}

/* Invalid only where an invalid measurement is why nothing but counted bytes stands side by side; what
 * was refused as unlike is told in words. */
static int status_of(const struct ls_comparison *comparison)
{
    bool compared = false, missing = false;

    for (size_t i = 0; i < comparison->pairs_count; i++) {
        for (int f = 0; f < LS_FIGURE_COUNT; f++) {
            compared = compared || (f != LS_FIGURE_BYTES &&
                                    comparison->pairs[i].figure[f].finding >= LS_NOT_JUDGED);
        }
    }
    for (size_t i = 0; i < comparison->sides_count; i++) {
        missing = missing || comparison->sides[i].rounds == 0;
    }
    return missing && !compared ? ls_code_status(LS_EINVALID) : 0;
}

static int compare(struct ls_result **results, const struct options *options)
{
    struct ls_comparison *comparison = NULL;
    const struct ls_compare_wish wish = {
        .results = (const struct ls_result *const *)results,
        .names = (const char *const *)options->operands,
        .count = options->operands_count,
        .force = options->force,
    };
    struct teller teller;
    struct ls_error err;
    enum ls_code code;
    int status;

    teller_begin(&teller, options);
    teller_say(&teller, "comparing %zu result%s", wish.count, wish.count == 1 ? "" : "s");
    code = ls_compare(&comparison, &wish, &err);
    teller_end(&teller);
    if (code != LS_OK) {
        return print_error(&err);
    }
    if (comparison == NULL) {
        (void)ls_error_set(&err, LS_EUSAGE,
                           "nothing to compare: %.200s has one certificate; name a second result",
                           options->operand);
        return print_error(&err);
    }
    status = show(comparison, options);
    status = status == 0 ? status_of(comparison) : status;
    ls_comparison_free(comparison);
    return status;
}

int command_compare(const struct options *options)
{
    struct ls_result **results = calloc(options->operands_count, sizeof *results);
    struct ls_error err;
    int status = 0;

    if (results == NULL) {
        (void)ls_error_set(&err, LS_ENOMEM, "no memory for %zu results", options->operands_count);
        return print_error(&err);
    }
    for (size_t i = 0; status == 0 && i < options->operands_count; i++) {
        status = load_result(&results[i], options->operands[i], "compare", options);
    }
    if (status == 0) {
        status = compare(results, options);
    }
    for (size_t i = 0; i < options->operands_count; i++) {
        ls_result_free(results[i]);
    }
    free(results);
    return status;
}

void help_compare(FILE *out)
{
    (void)fputs(
        "\nEnds with 98 where an invalid measurement left nothing but bytes to compare. What is "
        "unlike and so\nnot compared ends with 0; the words say why.\n",
        out);
}
