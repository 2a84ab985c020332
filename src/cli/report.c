/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/print.h"
#include "cli/show.h"
#include "cli/teller.h"
#include "loginstorm/json.h"
#include "loginstorm/plan.h"

static bool is_scenario(const char *path)
{
    const char *dot = strrchr(path, '.');

    return dot != NULL && (strcmp(dot, ".yaml") == 0 || strcmp(dot, ".yml") == 0);
}

#define FILE_LIMIT ((size_t)256 << 20)

/* The file that an operand means: of a folder its result, or its plan. */
static int load_json(json_t **root, const char *operand, char *path, size_t size,
                     const char *command, const struct options *options)
{
    struct teller teller;
    struct ls_error err;
    enum ls_code code;
    struct stat info;
    const bool is_folder = stat(operand, &info) == 0 && S_ISDIR(info.st_mode);

    if (is_scenario(operand)) {
        (void)ls_error_set(&err, LS_EUSAGE,
                           "%.300s is a scenario; %s wants the folder of a run, or its result.json",
                           operand, command);
        return print_error(&err);
    }
    (void)snprintf(path, size, "%s%s", operand, is_folder ? "/plan.json" : "");
    if (is_folder && stat(path, &info) == 0) {
        char result[4096];

        (void)snprintf(result, sizeof result, "%s/result.json", operand);
        if (stat(result, &info) == 0) {
            (void)snprintf(path, size, "%s", result);
        }
    } else if (is_folder) {
        (void)snprintf(path, size, "%s/result.json", operand);
    }
    teller_begin(&teller, options);
    teller_say(&teller, "reading %s", path);
    code = ls_json_load(root, path, FILE_LIMIT, &err);
    teller_end(&teller);
    return code == LS_OK ? 0 : print_error(&err);
}

static bool is_plan(const json_t *root)
{
    const char *format = json_string_value(json_object_get(root, "format"));

    return format != NULL && strcmp(format, "loginstorm-plan") == 0;
}

int load_result(struct ls_result **result, const char *operand, const char *command,
                const struct options *options)
{
    struct ls_error err;
    char path[4096];
    json_t *root = NULL;
    int status = load_json(&root, operand, path, sizeof path, command, options);

    if (status != 0) {
        return status;
    }
    if (ls_result_from_json(result, root, path, &err) != LS_OK) {
        status = print_error(&err);
    }
    json_decref(root);
    return status;
}

static int report_result(const json_t *root, const char *path, const struct options *options)
{
    struct ls_result *result;
    struct ls_error err;
    int status;

    if (ls_result_from_json(&result, root, path, &err) != LS_OK) {
        return print_error(&err);
    }
    if (options->format == FORMAT_HGRM) {
        status = show_curves(options->out, result, options);
    } else if (options->out != NULL && strcmp(options->out, "-") != 0) {
        status = show_into(options->out, result, options);
    } else {
        status = show_heading(result, options);
        if (status == 0) {
            status = show_result(result, options);
        }
    }
    status = status == 0 ? status_of_result(result) : status;
    ls_result_free(result);
    return status;
}

static int report_plan(const json_t *root, const char *path, const struct options *options)
{
    struct ls_plan *plan;
    struct output output;
    struct ls_error err;
    enum ls_code code = ls_plan_from_json(&plan, root, path, &err);
    int status;

    if (code == LS_OK && options->format != FORMAT_TEXT && options->format != FORMAT_JSON &&
        options->format != FORMAT_CSV && options->format != FORMAT_HTML) {
        ls_plan_free(plan);
        code =
            ls_error_set(&err, LS_EUSAGE,
                         "%.200s is a plan, and a plan is told as text, json, csv or html", path);
    }
    if (code != LS_OK) {
        return print_error(&err);
    }
    code = output_open(&output, options, &err);
    if (code == LS_OK) {
        code = output_close(&output, put_plan(plan, options, output.stream, &err), &err);
    }
    status = code != LS_OK ? print_error(&err) : 0;
    if (status == 0 && plan->partial) {
        status = ls_code_status(LS_EPARTIAL);
    }
    if (status == 0 && ls_plan_misses(plan)) {
        status = ls_code_status(LS_ETARGET);
    }
    ls_plan_free(plan);
    return status;
}

int command_report(const struct options *options)
{
    char path[4096];
    json_t *root = NULL;
    int status = load_json(&root, options->operand, path, sizeof path, "report", options);

    if (status != 0) {
        return status;
    }
    status = is_plan(root) ? report_plan(root, path, options) : report_result(root, path, options);
    json_decref(root);
    return status;
}
