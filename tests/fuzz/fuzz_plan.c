/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Any bytes for a plan, and a real one with some of its values changed. What is refused says why; what is taken is written, read
 * again and must come out the same, and every report of it can be made.
 */

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

static struct ls_plan *take(const json_t *root)
{
    struct ls_error err = {0};
    struct ls_plan *plan = NULL;
    enum ls_code code = ls_plan_from_json(&plan, root, "fuzz.json", &err);

    must((code == LS_OK) == (plan != NULL), "a plan comes with LS_OK and nothing else");
    must(code == LS_OK || (err.code == code && err.text[0] != '\0'), "a refusal says why");
    return plan;
}

static void must_come_back(const struct ls_plan *plan)
{
    struct ls_error err;
    struct ls_plan *again;
    json_t *once, *twice;

    must(ls_plan_to_json(plan, &once, &err) == LS_OK, "as JSON");
    again = take(once);
    must(again != NULL, "what was written is taken");
    must(ls_plan_to_json(again, &twice, &err) == LS_OK, "as JSON again");
    must(json_equal(once, twice), "the same again");
    json_decref(once);
    json_decref(twice);
    ls_plan_free(again);
}

static void must_report(const struct ls_plan *plan)
{
    static const struct ls_report_look looks[] = {
        {.columns = 80, .utf8 = true},
        {.columns = 20, .utf8 = false},
        {.columns = 80, .utf8 = true, .quiet = true},
    };
    struct ls_error err;
    FILE *out = fopen("/dev/null", "w");

    must(out != NULL, "a stream");
    for (size_t i = 0; i < sizeof looks / sizeof looks[0]; i++) {
        must(ls_report_plan(plan, &looks[i], out, &err) == LS_OK, "the text");
    }
    must(ls_report_plan_csv(plan, out, &err) == LS_OK, "the CSV");
    must(ls_report_plan_html(plan, out, &err) == LS_OK, "the page");
    must(ls_plan_misses(plan) || !ls_plan_misses(plan), "whether it misses");
    (void)fclose(out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ls_error err;
    struct ls_plan *plan;
    json_t *root = NULL;

    if (ls_json_parse(&root, "fuzz.json", (const char *)data, size, &err) != LS_OK) {
        return 0;
    }
    plan = take(root);
    if (plan != NULL) {
        must_come_back(plan);
        must_report(plan);
        ls_plan_free(plan);
    }
    json_decref(root);
    return 0;
}
