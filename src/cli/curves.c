/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The curves of a result as .hgrm files: the plotter takes a file a curve, and calls it by the file's name. */
#include <stdlib.h>
#include <string.h>

#include "cli/folder.h"
#include "cli/print.h"
#include "cli/show.h"
#include "loginstorm/file.h"

#define NAME_SIZE 80

static void name_of(const struct ls_run *run, bool rounds, char *out, size_t size)
{
    char slug[48];

    folder_slug(run->certificate, slug, sizeof slug);
    if (rounds) {
        (void)snprintf(out, size, "%s-round-%d", slug, run->repeat);
    } else {
        (void)snprintf(out, size, "%s", slug);
    }
}

/* A name a run, all of them different: numbered where they would not be. NULL when there is no memory. */
static char (*names_of(const struct ls_result *result))[NAME_SIZE]
{
    char(*names)[NAME_SIZE] = calloc(result->runs_count + 1, NAME_SIZE);
    bool rounds = false, twins = false;

    for (size_t i = 0; i < result->runs_count; i++) {
        rounds = rounds || result->runs[i].repeat > 1;
    }
    for (size_t i = 0; names != NULL && i < result->runs_count; i++) {
        name_of(&result->runs[i], rounds, names[i], NAME_SIZE);
        for (size_t n = 0; n < i; n++) {
            twins = twins || strcmp(names[n], names[i]) == 0;
        }
    }
    for (size_t i = 0; names != NULL && twins && i < result->runs_count; i++) {
        char plain[NAME_SIZE];

        name_of(&result->runs[i], rounds, plain, sizeof plain);
        (void)snprintf(names[i], NAME_SIZE, "%zu-%.60s", i + 1, plain);
    }
    return names;
}

static enum ls_code save(const char *folder, const char *name, const struct ls_run *run,
                         enum ls_curve_of of, const struct options *options, struct ls_error *err)
{
    char path[4096];
    struct ls_file file;
    enum ls_code code;

    if (snprintf(path, sizeof path, "%s/%s-%s.hgrm", folder, name,
                 of == LS_CURVE_OF_LOGIN ? "login" : "handshake") >= (int)sizeof path) {
        return ls_error_set(err, LS_ECREATE, "--out: the name is too long");
    }
    code = ls_file_create(&file, path, err);
    if (code != LS_OK) {
        return code;
    }
    code = ls_report_hgrm(run, of, file.stream, err);
    if (code != LS_OK) {
        ls_file_abort(&file);
        return code;
    }
    code = ls_file_commit(&file, err);
    if (code == LS_OK && !options->quiet) {
        (void)printf("%s\n", path);
    }
    return code;
}

static enum ls_code save_all(const char *folder, const struct ls_result *result,
                             const struct options *options, struct ls_error *err)
{
    char(*names)[NAME_SIZE] = names_of(result);
    enum ls_code code = LS_OK;

    if (names == NULL) {
        return ls_error_set(err, LS_ENOMEM, "no memory for the curves");
    }
    code = ls_folder_make(folder, err);
    for (size_t i = 0; code == LS_OK && i < result->runs_count; i++) {
        code = save(folder, names[i], &result->runs[i], LS_CURVE_OF_LOGIN, options, err);
        if (code == LS_OK) {
            code = save(folder, names[i], &result->runs[i], LS_CURVE_OF_HANDSHAKE, options, err);
        }
    }
    free(names);
    return code;
}

int show_curves(const char *folder, const struct ls_result *result, const struct options *options)
{
    struct ls_error err;
    enum ls_code code;

    if (folder != NULL && strcmp(folder, "-") != 0) {
        code = save_all(folder, result, options, &err);
    } else if (result->runs_count == 1) {
        code = ls_report_hgrm(&result->runs[0], LS_CURVE_OF_LOGIN, stdout, &err);
    } else {
        code = ls_error_set(&err, LS_EUSAGE,
                            "a .hgrm file holds one curve, and there are %zu runs: name a folder "
                            "with --out, for a file each",
                            result->runs_count);
    }
    return code == LS_OK ? 0 : print_error(&err);
}
