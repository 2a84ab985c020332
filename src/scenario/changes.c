/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "loginstorm/scenario.h"

enum ls_code ls_scenario_changes_add(struct ls_scenario_changes *changes, const char *path,
                                     const char *value, struct ls_error *err)
{
    if (changes->count == LS_SCENARIO_CHANGES_MAX) {
        return ls_error_set(err, LS_EUSAGE, "more than %d changes of the scenario",
                            LS_SCENARIO_CHANGES_MAX);
    }
    changes->list[changes->count++] = (struct ls_scenario_change){.path = path, .value = value};
    return LS_OK;
}

enum ls_code ls_scenario_changes_set(struct ls_scenario_changes *changes, const char *text,
                                     struct ls_error *err)
{
    const char *equals = strchr(text, '=');
    char *path;

    if (changes->count == LS_SCENARIO_CHANGES_MAX) {
        return ls_scenario_changes_add(changes, NULL, NULL, err);
    }
    path = changes->paths[changes->count];
    if (equals == NULL || equals == text || (size_t)(equals - text) >= sizeof changes->paths[0]) {
        return ls_error_set(err, LS_EUSAGE,
                            "--set: \"%s\" is not PATH=VALUE, like arrivals.middle=08:20", text);
    }
    memcpy(path, text, (size_t)(equals - text));
    path[equals - text] = '\0';
    return ls_scenario_changes_add(changes, path, equals + 1, err);
}
