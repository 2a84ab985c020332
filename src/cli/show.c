/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/show.h"

#include <string.h>

#include "cli/print.h"
#include "loginstorm/file.h"
#include "loginstorm/json.h"

static enum ls_code put_json(const struct ls_result *result, FILE *out, struct ls_error *err)
{
    json_t *root;
    enum ls_code code = ls_result_to_json(result, &root, err);

    if (code == LS_OK) {
        code = ls_json_write(root, out, err);
        json_decref(root);
    }
    return code;
}

static enum ls_code put_result(const struct ls_result *result, enum format format,
                               const struct ls_report_look *look, FILE *out, struct ls_error *err)
{
    switch (format) {
    case FORMAT_TEXT:
        break;
    case FORMAT_JSON:
        return put_json(result, out, err);
    case FORMAT_CSV:
        return ls_report_csv(result, out, err);
    case FORMAT_OPENMETRICS:
        return ls_report_openmetrics(result, out, err);
    case FORMAT_JUNIT:
        return ls_report_junit(result, out, err);
    case FORMAT_HTML:
        return ls_report_html(result, out, err);
    case FORMAT_MARKDOWN:
        return ls_report_markdown(result, out, err);
    case FORMAT_HGRM: /* files of their own: show_curves */
        return LS_OK;
    }
    return ls_report_text(result, look, out, err);
}

static enum ls_code put_heading(const struct ls_result *result, const struct options *options,
                                const struct ls_report_look *look, FILE *out, struct ls_error *err)
{
    enum ls_code code = LS_OK;

    if (options->format == FORMAT_TEXT && !look->quiet) {
        code = ls_report_heading(result, look, out, err);
        (void)fputc('\n', out);
        (void)fflush(out);
    }
    return code;
}

int show_heading(const struct ls_result *result, const struct options *options)
{
    struct ls_report_look look;
    struct ls_error err;

    look_of(&look, stdout, options);
    return put_heading(result, options, &look, stdout, &err) == LS_OK ? 0 : print_error(&err);
}

int show_result(const struct ls_result *result, const struct options *options)
{
    struct ls_report_look look;
    struct ls_error err;

    look_of(&look, stdout, options);
    return put_result(result, options->format, &look, stdout, &err) == LS_OK ? 0
                                                                             : print_error(&err);
}

int show_into(const char *path, const struct ls_result *result, const struct options *options)
{
    struct ls_report_look look;
    struct ls_file file;
    struct ls_error err;
    enum ls_code code = ls_file_create(&file, path, &err);

    if (code != LS_OK) {
        return print_error(&err);
    }
    look_of(&look, file.stream, options);
    code = put_heading(result, options, &look, file.stream, &err);
    if (code == LS_OK) {
        code = put_result(result, options->format, &look, file.stream, &err);
    }
    if (code == LS_OK) {
        code = ls_file_commit(&file, &err);
    } else {
        if (code == LS_EWRITE) { /* who writes knows a stream alone */
            (void)snprintf(err.path, sizeof err.path, "%.*s", (int)sizeof err.path - 1, path);
        }
        ls_file_abort(&file);
    }
    return code == LS_OK ? 0 : print_error(&err);
}

enum ls_code show_check_metrics(const struct options *options, struct ls_error *err)
{
    struct ls_file file;
    enum ls_code code;

    if (options->metrics == NULL) {
        return LS_OK;
    }
    if (strcmp(options->metrics, "-") == 0) {
        return ls_error_set(err, LS_EUSAGE,
                            "--metrics wants a file; on standard output they are with --format "
                            "openmetrics");
    }
    code = ls_file_create(&file, options->metrics, err);
    if (code == LS_OK) {
        ls_file_abort(&file);
    }
    return code;
}

enum ls_code show_metrics(const struct ls_result *result, const struct options *options,
                          struct ls_error *err)
{
    struct ls_file file;
    enum ls_code code;

    if (options->metrics == NULL) {
        return LS_OK;
    }
    code = ls_file_create(&file, options->metrics, err);
    if (code != LS_OK) {
        return code;
    }
    code = ls_report_openmetrics(result, file.stream, err);
    if (code == LS_OK) {
        return ls_file_commit(&file, err);
    }
    ls_file_abort(&file);
    return code;
}

int status_of_result(const struct ls_result *result)
{
    if (result->partial) {
        return ls_code_status(LS_EPARTIAL);
    }
    for (size_t i = 0; i < result->runs_count; i++) {
        if (result->runs[i].validity.verdict == LS_INVALID) {
            return ls_code_status(LS_EINVALID);
        }
    }
    for (size_t i = 0; i < result->targets_count; i++) {
        if (ls_target_judgement(&result->targets[i]) == LS_TARGET_MISSED) {
            return ls_code_status(LS_ETARGET);
        }
    }
    return 0;
}
