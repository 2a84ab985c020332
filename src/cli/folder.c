/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/folder.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/own.h"
#include "cli/shard.h"
#include "loginstorm/file.h"
#include "loginstorm/json.h"
#include "loginstorm/report.h"

static char lower(char letter)
{
    return letter >= 'A' && letter <= 'Z' ? (char)(letter - 'A' + 'a') : letter;
}

/* "Monday morning, 6,000 users" -> "monday-morning": up to the first comma, letters and digits of
 * ASCII. */
void folder_slug(const char *name, char *out, size_t size)
{
    size_t used = 0;

    for (const char *c = name; *c != '\0' && *c != ',' && used + 2 < size; c++) {
        if (isalnum((unsigned char)*c)) {
            out[used++] = lower(*c);
        } else if (used > 0 && out[used - 1] != '-') {
            out[used++] = '-';
        }
    }
    while (used > 0 && out[used - 1] == '-') {
        used--;
    }
    out[used] = '\0';
    if (used == 0) {
        (void)snprintf(out, size, "storm");
    }
}

static enum ls_code open_file(const struct folder *folder, const char *name, struct ls_file *file,
                              struct ls_error *err)
{
    char path[4096];

    (void)snprintf(path, sizeof path, "%s/%s", folder->path, name);
    return ls_file_create(file, path, err);
}

static enum ls_code close_file(struct ls_file *file, enum ls_code code, struct ls_error *err)
{
    if (code != LS_OK) {
        ls_file_abort(file);
        return code;
    }
    return ls_file_commit(file, err);
}

/* A table grows by a run, and is a whole file at every moment: the old rows are copied in front of
 * the new ones. */
static enum ls_code copy_old(const struct folder *folder, const char *name, FILE *to,
                             struct ls_error *err)
{
    char path[4096];
    char piece[64 * 1024];
    FILE *from;
    size_t got;

    (void)snprintf(path, sizeof path, "%s/%s", folder->path, name);
    from = fopen(path, "re");
    if (from == NULL) {
        return ls_error_set_errno(err, LS_EWRITE, "cannot add to %s", path);
    }
    while ((got = fread(piece, 1, sizeof piece, from)) > 0 && fwrite(piece, 1, got, to) == got) {
    }
    (void)fclose(from);
    return LS_OK; /* a failed write shows at the commit */
}

struct table {
    const char *name;
    bool grows;
    enum ls_code (*write)(FILE *stream, const struct ls_scenario *scenario,
                          const struct ls_measurement *measurement, const struct ls_run *run,
                          bool first, struct ls_error *err);
};

/* A folder that is looked at next year must not hang on a curve that was somewhere else. */
static enum ls_code copy_curve(const struct folder *folder, const struct ls_scenario *scenario,
                               size_t wave, struct ls_error *err)
{
    char path[4200], name[OWN_CURVE_NAME], piece[64 * 1024];
    struct ls_file file;
    FILE *from;
    size_t got;
    enum ls_code code =
        ls_scenario_path(scenario, scenario->waves[wave].curve, path, sizeof path, err);

    if (code != LS_OK) {
        return code;
    }
    from = fopen(path, "re");
    if (from == NULL) {
        return ls_error_set_errno(err, LS_EWRITE, "cannot copy the curve %s", path);
    }
    own_curve_name(scenario, wave, name);
    code = open_file(folder, name, &file, err);
    if (code == LS_OK) {
        while ((got = fread(piece, 1, sizeof piece, from)) > 0 &&
               fwrite(piece, 1, got, file.stream) == got) {
        }
        code = close_file(&file, LS_OK, err);
    }
    (void)fclose(from);
    return code;
}

static enum ls_code copy_curves(const struct folder *folder, const struct ls_scenario *scenario,
                                struct ls_error *err)
{
    enum ls_code code = LS_OK;

    for (size_t i = 0; code == LS_OK && i < scenario->waves_count; i++) {
        if (scenario->waves[i].shape == LS_SHAPE_RECORDED) {
            code = copy_curve(folder, scenario, i, err);
        }
    }
    return code;
}

static enum ls_code write_scenario(FILE *stream, const struct ls_scenario *scenario,
                                   const struct ls_measurement *measurement,
                                   const struct ls_run *run, bool first, struct ls_error *err)
{
    char *text;
    size_t size;
    enum ls_code code = own_text(scenario, &text, &size, err);

    (void)measurement;
    (void)run;
    (void)first;
    if (code == LS_OK) {
        (void)fwrite(text, 1, size, stream); /* a failed write shows at the commit */
    }
    free(text);
    return code;
}

static enum ls_code write_samples(FILE *stream, const struct ls_scenario *scenario,
                                  const struct ls_measurement *measurement,
                                  const struct ls_run *run, bool first, struct ls_error *err)
{
    const char **names = calloc(scenario->populations_count, sizeof *names);
    enum ls_code code;

    if (names == NULL) {
        return ls_error_set(err, LS_ENOMEM, "no memory for the samples");
    }
    for (size_t i = 0; i < scenario->populations_count; i++) {
        names[i] = scenario->populations[i].name;
    }
    code = ls_samples_write(stream, measurement->certificate, run->repeat, measurement->record,
                            &measurement->share, names, first, err);
    free(names);
    return code;
}

static enum ls_code write_handshakes(FILE *stream, const struct ls_scenario *scenario,
                                     const struct ls_measurement *measurement,
                                     const struct ls_run *run, bool first, struct ls_error *err)
{
    (void)scenario;
    return ls_handshakes_write(stream, measurement->certificate, run->repeat, measurement->record,
                               &measurement->share, first, err);
}

static enum ls_code write_timeline(FILE *stream, const struct ls_scenario *scenario,
                                   const struct ls_measurement *measurement,
                                   const struct ls_run *run, bool first, struct ls_error *err)
{
    (void)measurement;
    return ls_timeline_write(stream, run, scenario->from_ns, first, err);
}

static const struct table tables[] = {
    {"scenario.yaml", false, write_scenario},
    {"samples.csv", true, write_samples},
    {"handshakes.csv", true, write_handshakes},
    {"timeline.csv", true, write_timeline},
};

/* Who writes rows knows a stream alone. */
static void name_file(enum ls_code code, const char *path, struct ls_error *err)
{
    if (code == LS_EWRITE) {
        (void)snprintf(err->path, sizeof err->path, "%.*s", (int)sizeof err->path - 1, path);
    }
}

enum ls_code folder_add_run(const struct folder *folder, const struct ls_scenario *scenario,
                            const struct ls_measurement *measurement, const struct ls_run *run,
                            bool first, struct ls_error *err)
{
    enum ls_code code = first ? copy_curves(folder, scenario, err) : LS_OK;

    for (size_t i = 0; code == LS_OK && i < sizeof tables / sizeof tables[0]; i++) {
        struct ls_file file;

        if (!first && !tables[i].grows) {
            continue;
        }
        code = open_file(folder, tables[i].name, &file, err);
        if (code != LS_OK) {
            break;
        }
        if (!first) {
            code = copy_old(folder, tables[i].name, file.stream, err);
        }
        if (code == LS_OK) {
            code = tables[i].write(file.stream, scenario, measurement, run, first, err);
            name_file(code, file.path, err);
        }
        code = close_file(&file, code, err);
    }
    return code;
}

/* Beside it the page of it, so that the two are always of one run. */
static enum ls_code save_report(const struct folder *folder, const struct ls_result *result,
                                struct ls_error *err)
{
    struct ls_file file;
    enum ls_code code = open_file(folder, "report.html", &file, err);

    if (code == LS_OK) {
        code = ls_report_html(result, file.stream, err);
        name_file(code, file.path, err);
        code = close_file(&file, code, err);
    }
    return code;
}

enum ls_code folder_save_result(const struct folder *folder, const struct ls_result *result,
                                struct ls_error *err)
{
    char path[4096];
    json_t *root;
    enum ls_code code = ls_result_to_json(result, &root, err);

    if (code == LS_OK) {
        (void)snprintf(path, sizeof path, "%s/result.json", folder->path);
        code = ls_json_save(root, path, err);
        json_decref(root);
    }
    return code == LS_OK ? save_report(folder, result, err) : code;
}

void folder_take_back(const struct folder *folder)
{
    static const char *const results[] = {"result.json", "report.html"};
    char path[4096];

    for (size_t i = 0; i < sizeof results / sizeof results[0]; i++) {
        (void)snprintf(path, sizeof path, "%s/%s", folder->path, results[i]);
        (void)unlink(path);
    }
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        (void)snprintf(path, sizeof path, "%s/%s", folder->path, tables[i].name);
        (void)unlink(path);
    }
}

void folder_tell(const struct folder *folder, const struct options *options)
{
    FILE *out = options->format == FORMAT_TEXT ? stdout : stderr;

    if (!options->quiet) {
        (void)fprintf(out, "%s/report.html\n", folder->path);
    }
}
