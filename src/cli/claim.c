/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/claim.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "loginstorm/json.h"

#define FILE_LIMIT ((size_t)256 << 20)

static const char *const words[] = {
    [CLAIM_RUN] = "a run", [CLAIM_SIMULATION] = "a simulation", [CLAIM_PLAN] = "a plan"};

static bool is_there(const char *folder, const char *file, char *path, size_t size)
{
    (void)snprintf(path, size, "%s/%s", folder, file);
    return access(path, F_OK) == 0;
}

/* False for what no loginstorm wrote. */
static bool kind_of(enum claim *kind, const json_t *root)
{
    const char *format = json_string_value(json_object_get(root, "format"));
    const json_t *run = json_array_get(json_object_get(root, "runs"), 0);
    const char *engine = json_string_value(json_object_get(run, "engine"));

    if (format == NULL) {
        return false;
    }
    *kind = strcmp(format, "loginstorm-plan") == 0           ? CLAIM_PLAN
            : engine != NULL && strcmp(engine, "model") == 0 ? CLAIM_SIMULATION
                                                             : CLAIM_RUN;
    return *kind == CLAIM_PLAN || strcmp(format, "loginstorm-result") == 0;
}

/* "a run", "shard 1 of 4". */
static void tell(enum claim kind, json_int_t index, json_int_t count, char *out, size_t size)
{
    if (count > 0) {
        (void)snprintf(out, size, "shard %d of %d", (int)index, (int)count);
    } else {
        (void)snprintf(out, size, "%s", words[kind]);
    }
}

/* What is in that file, against what is to come. */
static enum ls_code check_file(const char *folder, const char *path, enum claim wanted,
                               const struct ls_shard *shard, const char *name, struct ls_error *err)
{
    static const char advice[] = "give --out another folder, or remove that one";
    const char *before;
    enum claim kind = wanted;
    enum ls_code code;
    json_t *root;
    char here[48], wish[48];
    const json_t *there;
    bool ours;

    if (ls_json_load(&root, path, FILE_LIMIT, err) != LS_OK) {
        return ls_error_set(err, LS_ECREATE,
                            "%.300s would be written over, and it cannot be read: %s", path,
                            advice);
    }
    before = json_string_value(json_object_get(json_object_get(root, "scenario"), "name"));
    ours = kind_of(&kind, root);
    there = json_object_get(root, "shard");
    tell(kind, json_integer_value(json_object_get(there, "index")),
         json_integer_value(json_object_get(there, "count")), here, sizeof here);
    tell(wanted, shard == NULL ? 0 : shard->index, shard == NULL ? 0 : shard->count, wish,
         sizeof wish);
    if (!ours || before == NULL) {
        code = ls_error_set(err, LS_ECREATE,
                            "%.300s would be written over, and loginstorm did not make it: %s",
                            path, advice);
    } else if (strcmp(here, wish) != 0 || strcmp(before, name) != 0) {
        code = ls_error_set(err, LS_ECREATE,
                            "%.200s holds %s of \"%.100s\", which %s of \"%.100s\" would take the "
                            "place of: %s",
                            folder, here, before, wish, name, advice);
    } else {
        code = LS_OK;
    }
    json_decref(root);
    return code;
}

enum ls_code claim_folder(const char *folder, enum claim kind, const struct ls_shard *shard,
                          const char *name, struct ls_error *err)
{
    static const char *const ours[] = {"scenario.yaml", "samples.csv", "handshakes.csv",
                                       "timeline.csv", "report.html"};
    char path[4200];
    bool found = false;
    enum ls_code code = LS_OK;

    if (is_there(folder, "result.json", path, sizeof path)) {
        found = true;
        code = check_file(folder, path, kind, shard, name, err);
    }
    if (code == LS_OK && is_there(folder, "plan.json", path, sizeof path)) {
        found = true;
        code = check_file(folder, path, kind, shard, name, err);
    }
    for (size_t i = 0; !found && code == LS_OK && i < sizeof ours / sizeof ours[0]; i++) {
        if (is_there(folder, ours[i], path, sizeof path)) {
            code = ls_error_set(err, LS_ECREATE,
                                "%.300s would be written over, and no result is beside it: give "
                                "--out another folder, or remove it",
                                path);
        }
    }
    return code;
}
