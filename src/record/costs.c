/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "record/costs.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* As that of a result: one may be read as a profile. */
#define FILE_LIMIT ((size_t)256 << 20)

void cost_clear(struct ls_cost *cost)
{
    free(cost->certificate);
    free(cost->key);
    free(cost->group);
    free(cost->version);
    cost_line_clear(&cost->line);
}

void ls_costs_free(struct ls_costs *costs)
{
    if (costs == NULL) {
        return;
    }
    free(costs->path);
    free(costs->source);
    free(costs->created);
    free(costs->host_cpu);
    free(costs->host_kernel);
    free(costs->tls_library);
    free(costs->tls_build);
    free(costs->translation);
    free(costs->left_out);
    ls_openssl_speed_clear(&costs->openssl);
    for (size_t i = 0; costs->rows != NULL && i < costs->count; i++) {
        cost_clear(&costs->rows[i]);
    }
    free(costs->rows);
    free(costs);
}

bool text_copy(char **out, const char *text)
{
    *out = text == NULL ? NULL : strdup(text);
    return text == NULL || *out != NULL;
}

enum ls_code ls_costs_load(struct ls_costs **out, const char *path, struct ls_error *err)
{
    struct ls_result *result = NULL;
    json_t *root;
    enum ls_code code = ls_json_load(&root, path, FILE_LIMIT, err);
    const char *format;

    *out = NULL;
    if (code != LS_OK) {
        return code;
    }
    format = json_string_value(json_object_get(root, "format"));
    if (format == NULL || strcmp(format, "loginstorm-result") != 0) {
        code = ls_costs_from_json(out, root, path, err);
    } else {
        code = ls_result_from_json(&result, root, path, err);
        if (code == LS_OK) {
            code = ls_costs_of_result(out, result, err);
            if (code == LS_EINPUT && err != NULL) {
                (void)snprintf(err->path, sizeof err->path, "%.*s", (int)sizeof err->path - 1,
                               path);
            }
        }
        if (code == LS_OK && !text_copy(&(*out)->path, path)) {
            code = ls_error_set(err, LS_ENOMEM, "no memory for the cost profile");
            ls_costs_free(*out);
            *out = NULL;
        }
    }
    ls_result_free(result);
    json_decref(root);
    return code;
}

static const char *handshake_word(const struct ls_cost *cost)
{
    return cost->resumed ? "resumed" : cost->resumed_share > 0 ? "mixed" : "full";
}

void cost_words(const struct ls_cost *cost, char *out, size_t size)
{
    (void)snprintf(out, size, "%s with %s%s%s%s%s", handshake_word(cost), cost->key,
                   cost->group == NULL ? "" : ", ", cost->group == NULL ? "" : cost->group,
                   cost->version == NULL ? "" : ", TLS ",
                   cost->version == NULL ? "" : cost->version);
}

/* NULL in a row: not known; as a wish: any. */
static bool suits(const char *has, const char *wish)
{
    return has == NULL || wish == NULL || strcmp(has, wish) == 0;
}

static bool same(const char *has, const char *wish)
{
    return wish == NULL || (has != NULL && strcmp(has, wish) == 0);
}

static enum ls_code not_there(const struct ls_costs *costs, const struct ls_cost *wish,
                              struct ls_error *err)
{
    char wished[128], list[300] = "";
    size_t used = 0;

    cost_words(wish, wished, sizeof wished);
    for (size_t i = 0; i < costs->count && used < sizeof list; i++) {
        char words[128];

        cost_words(&costs->rows[i], words, sizeof words);
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i > 0 ? "; " : "", words);
    }
    if (used >= sizeof list) {
        (void)snprintf(list + sizeof list - 5, 5, " ...");
    }
    return ls_error_set_at(err, costs->path == NULL ? "" : costs->path, 0, 0,
                           "no cost of a handshake %s; it has: %s%s%.100s; measure it with "
                           "`loginstorm calibrate SCENARIO`",
                           wished, list, costs->left_out == NULL ? "" : "; left out: ",
                           costs->left_out == NULL ? "" : costs->left_out);
}

const struct ls_cost *ls_costs_find(const struct ls_costs *costs, const char *key,
                                    const char *group, const char *version, bool resumed,
                                    bool *exact, struct ls_error *err)
{
    const struct ls_cost *best = NULL;
    int best_same = -1;

    for (size_t i = 0; i < costs->count; i++) {
        const struct ls_cost *row = &costs->rows[i];
        const bool mixed = row->resumed_share > 0 && row->resumed_share < 1;
        const int alike = (int)same(row->group, group) + (int)same(row->version, version);

        if (strcmp(row->key, key) == 0 && row->resumed == resumed && !mixed &&
            suits(row->group, group) && suits(row->version, version) && alike > best_same) {
            best = row;
            best_same = alike;
        }
    }
    *exact = best_same == 2;
    if (best == NULL) {
        char key_copy[64], group_copy[64], version_copy[16];
        struct ls_cost wish = {.key = key_copy, .resumed = resumed, .resumed_share = resumed};

        (void)snprintf(key_copy, sizeof key_copy, "%s", key);
        (void)snprintf(group_copy, sizeof group_copy, "%s", group == NULL ? "" : group);
        (void)snprintf(version_copy, sizeof version_copy, "%s", version == NULL ? "" : version);
        wish.group = group == NULL ? NULL : group_copy;
        wish.version = version == NULL ? NULL : version_copy;
        (void)not_there(costs, &wish, err);
    }
    return best;
}
