/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/print.h"
#include "cli/show.h"
#include "loginstorm/json.h"

static enum ls_code print_json(const struct ls_result *result, struct ls_error *err)
{
    json_t *root;
    enum ls_code code = ls_result_to_json(result, &root, err);

    if (code == LS_OK) {
        code = ls_json_write(root, stdout, err);
        json_decref(root);
    }
    return code;
}

int show_heading(const struct ls_result *result, const struct options *options)
{
    struct ls_report_look look;
    struct ls_error err;

    look_of(&look, stdout, options);
    if (options->format != FORMAT_TEXT || look.quiet) {
        return 0;
    }
    if (ls_report_heading(result, &look, stdout, &err) != LS_OK) {
        return print_error(&err);
    }
    (void)fputc('\n', stdout);
    (void)fflush(stdout);
    return 0;
}

int show_result(const struct ls_result *result, const struct options *options)
{
    struct ls_report_look look;
    struct ls_error err;
    enum ls_code code = LS_OK;

    look_of(&look, stdout, options);
    switch (options->format) {
    case FORMAT_TEXT:
        code = ls_report_text(result, &look, stdout, &err);
        break;
    case FORMAT_JSON:
        code = print_json(result, &err);
        break;
    case FORMAT_CSV:
        code = ls_report_csv(result, stdout, &err);
        break;
    }
    return code == LS_OK ? 0 : print_error(&err);
}

int status_of_result(const struct ls_result *result)
{
    for (size_t i = 0; i < result->runs_count; i++) {
        if (result->runs[i].validity.verdict == LS_INVALID) {
            return ls_code_status(LS_EINVALID);
        }
    }
    for (size_t i = 0; i < result->targets_count; i++) {
        if (!result->targets[i].met) {
            return ls_code_status(LS_ETARGET);
        }
    }
    return 0;
}

static bool is_scenario(const char *path)
{
    const char *dot = strrchr(path, '.');

    return dot != NULL && (strcmp(dot, ".yaml") == 0 || strcmp(dot, ".yml") == 0);
}

int command_report(const struct options *options)
{
    struct ls_result *result;
    struct ls_error err;
    struct stat info;
    char path[4096];
    const bool is_folder = stat(options->operand, &info) == 0 && S_ISDIR(info.st_mode);
    int status;

    if (is_scenario(options->operand)) {
        (void)ls_error_set(
            &err, LS_EUSAGE,
            "%.300s is a scenario; report wants the folder of a run, or its result.json",
            options->operand);
        return print_error(&err);
    }
    (void)snprintf(path, sizeof path, "%s%s", options->operand, is_folder ? "/result.json" : "");
    if (ls_result_load(&result, path, &err) != LS_OK) {
        return print_error(&err);
    }
    status = show_heading(result, options);
    if (status == 0) {
        status = show_result(result, options);
    }
    if (status == 0) {
        status = status_of_result(result);
    }
    ls_result_free(result);
    return status;
}
