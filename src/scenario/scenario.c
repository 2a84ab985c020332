/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "loginstorm/scenario.h"

#include <stdlib.h>
#include <string.h>

#include "loginstorm/file.h"
#include "scenario/field.h"
#include "scenario/limits.h"

/* A whole farm with every key is a few kilobytes; 5,000 points are 100. */
#define FILE_BYTES_MAX ((size_t)1 << 20)

const char *ls_key_name(enum ls_key key)
{
    return key == LS_KEY_FILE ? "file" : ls_words_key[key];
}

/* Only `loginstorm: 1` can be judged by this table; another version gets one clear answer. */
static bool is_known_version(const struct ls_node *root)
{
    const struct ls_node *version = ls_node_get(root, "loginstorm");

    return version == NULL || version->kind != LS_NODE_SCALAR || strcmp(version->text, "1") == 0;
}

static void read_version_only(struct ls_reading *reading, const struct ls_node *root)
{
    const size_t length = ls_path_enter(reading, "loginstorm");

    ls_read_special(reading, &ls_scenario_map.fields[0], ls_node_get(root, "loginstorm"),
                    reading->scenario);
    ls_path_leave(reading, length);
}

static void read_all(struct ls_reading *reading, const char *text, size_t size,
                     const struct ls_scenario_change *changes, size_t changes_count)
{
    struct ls_node *root;

    if (size > FILE_BYTES_MAX) {
        ls_complain(reading, (struct ls_place){0}, "larger than 1 MiB; no scenario is");
        return;
    }
    root = ls_node_parse(reading, text, size, NULL);
    if (root == NULL) {
        return;
    }
    if (root->kind != LS_NODE_MAP) {
        ls_complain(reading, root->place,
                    "a scenario is a list of keys with values, beginning with `loginstorm: 1`");
        return;
    }
    for (size_t i = 0; i < changes_count; i++) {
        ls_node_change(reading, root, changes[i].path, changes[i].value);
    }
    if (is_known_version(root)) {
        ls_read_map(reading, &ls_scenario_map, root, reading->scenario);
        ls_check_missing(reading, root);
    } else {
        read_version_only(reading, root);
    }
}

/* The complaints of this reading, behind what the caller's list already holds. */
static void hand_over(const struct ls_reading *reading, struct ls_errors *errors)
{
    const size_t count = reading->errors.count;
    const size_t kept = count < LS_ERRORS_MAX ? count : LS_ERRORS_MAX;

    for (size_t i = 0; i < kept; i++) {
        (void)ls_errors_add(errors, &reading->errors.item[i]);
    }
    errors->count += count - kept;
}

static enum ls_code no_memory(struct ls_errors *errors, const char *path)
{
    struct ls_error err;

    (void)ls_error_set(&err, LS_ENOMEM, "%s: no memory for this scenario", path);
    return ls_errors_add(errors, &err);
}

enum ls_code ls_scenario_parse_within(size_t limit, struct ls_scenario **out,
                                      const struct ls_scenario_text *text,
                                      const struct ls_scenario_change *changes,
                                      size_t changes_count, struct ls_errors *errors)
{
    struct ls_reading reading = {.file = text->path};
    enum ls_code code = LS_OK;

    *out = NULL;
    reading.memory = ls_arena_new(limit);
    reading.scratch = ls_arena_new(limit);
    if (reading.memory == NULL || reading.scratch == NULL) {
        reading.no_memory = true;
    } else {
        reading.scenario = ls_reading_alloc(&reading, 1, sizeof *reading.scenario);
    }
    if (reading.scenario != NULL) {
        reading.scenario->memory = reading.memory;
        read_all(&reading, text->bytes, text->size, changes, changes_count);
    }
    if (reading.no_memory) {
        code = no_memory(errors, text->path);
    } else if (reading.errors.count > 0) {
        hand_over(&reading, errors);
        code = LS_EINPUT;
    } else {
        *out = reading.scenario;
        reading.memory = NULL;
    }
    ls_arena_free(reading.memory);
    ls_arena_free(reading.scratch);
    return code;
}

/* NOLINTNEXTLINE(readability-function-size): the changes and the complaints both belong here */
enum ls_code ls_scenario_parse(struct ls_scenario **out, const char *path, const char *text,
                               size_t size, const struct ls_scenario_change *changes,
                               size_t changes_count, struct ls_errors *errors)
{
    const struct ls_scenario_text whole = {path, text, size};

    return ls_scenario_parse_within(LS_SCENARIO_MEMORY_MAX, out, &whole, changes, changes_count,
                                    errors);
}

enum ls_code ls_scenario_load(struct ls_scenario **out, const char *path,
                              const struct ls_scenario_change *changes, size_t changes_count,
                              struct ls_errors *errors)
{
    const char *shown = strcmp(path, "-") == 0 ? "stdin" : path;
    struct ls_error err = {0};
    enum ls_code code;
    char *text = NULL;
    size_t size = 0;

    *out = NULL;
    code = ls_file_read(path, FILE_BYTES_MAX, &text, &size, &err);
    if (code != LS_OK) {
        return ls_errors_add(errors, &err);
    }
    code = ls_scenario_parse(out, shown, text, size, changes, changes_count, errors);
    free(text);
    return code;
}

void ls_scenario_free(struct ls_scenario *scenario)
{
    if (scenario != NULL) {
        ls_arena_free(scenario->memory);
    }
}

enum ls_code ls_scenario_path(const struct ls_scenario *scenario, const char *path, char *out,
                              size_t size, struct ls_error *err)
{
    const bool within = path[0] != '/' && scenario->folder != NULL;
    const char *folder = within ? scenario->folder : "";
    const int n = snprintf(out, size, "%s%s%s", folder, within ? "/" : "", path);

    if (n < 0 || (size_t)n >= size) {
        return ls_error_set(err, LS_ERANGE, "the path of %.100s is too long", path);
    }
    return LS_OK;
}

enum ls_code ls_scenario_text(const struct ls_scenario *scenario, char **text, size_t *size,
                              struct ls_error *err)
{
    FILE *stream = open_memstream(text, size);
    enum ls_code code;

    if (stream == NULL) {
        *text = NULL;
        return ls_error_set(err, LS_ENOMEM, "no memory for the scenario");
    }
    code = ls_scenario_write(scenario, false, stream, err);
    if (fclose(stream) != 0 && code == LS_OK) {
        code = ls_error_set(err, LS_ENOMEM, "no memory for the scenario");
    }
    if (code != LS_OK) {
        free(*text);
        *text = NULL;
    }
    return code;
}
