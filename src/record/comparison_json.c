/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loginstorm/comparison.h"

#include "record/fields.h"

/* A new object behind a list, or under a key of an object; NULL when there is no memory. */
static json_t *add_object(json_t *into, const char *key)
{
    json_t *fresh = json_object();
    const int done =
        key == NULL ? json_array_append_new(into, fresh) : json_object_set_new(into, key, fresh);

    return done == 0 ? fresh : NULL;
}

static json_t *add_list(json_t *into, const char *key)
{
    json_t *list = json_array();

    return json_object_set_new(into, key, list) == 0 ? list : NULL;
}

static bool put_side(json_t *list, const struct ls_side *side)
{
    json_t *row = add_object(list, NULL), *values;

    if (row == NULL || put_fields(row, side_fields, side_fields_count, side) != 0) {
        return false;
    }
    values = add_object(row, "values");
    for (int f = 0; values != NULL && f < LS_FIGURE_COUNT; f++) {
        const double value = side->value[f];

        if (json_object_set_new(values, ls_figure_word((enum ls_figure)f),
                                value < 0 ? json_null() : json_real(value)) != 0) {
            return false;
        }
    }
    return values != NULL;
}

static bool put_pair(json_t *list, const struct ls_pair *pair)
{
    json_t *row = add_object(list, NULL), *figures;

    if (row == NULL || put_fields(row, pair_fields, pair_fields_count, pair) != 0 ||
        put_note_list(row, pair->notes) != 0) {
        return false;
    }
    figures = add_object(row, "figures");
    for (int f = 0; figures != NULL && f < LS_FIGURE_COUNT; f++) {
        json_t *figure = add_object(figures, ls_figure_word((enum ls_figure)f));

        if (figure == NULL ||
            json_object_set_new(figure, "unit", json_string(ls_figure_unit((enum ls_figure)f))) !=
                0 ||
            put_fields(figure, compared_fields, compared_fields_count, &pair->figure[f]) != 0 ||
            put_fields(figure, own_fields, own_fields_count, &pair->figure[f]) != 0) {
            return false;
        }
    }
    return figures != NULL;
}

static bool put_all(json_t *top, const struct ls_comparison *comparison)
{
    json_t *sides, *pairs, *advice;
    bool good = put_fields(top, comparison_fields, comparison_fields_count, comparison) == 0;

    sides = good ? add_list(top, "sides") : NULL;
    for (size_t i = 0; sides != NULL && good && i < comparison->sides_count; i++) {
        good = put_side(sides, &comparison->sides[i]);
    }
    pairs = good ? add_list(top, "pairs") : NULL;
    for (size_t i = 0; pairs != NULL && good && i < comparison->pairs_count; i++) {
        good = put_pair(pairs, &comparison->pairs[i]);
    }
    advice = good ? add_list(top, "recommendation") : NULL;
    for (size_t i = 0; advice != NULL && good && i < comparison->advice_count; i++) {
        json_t *row = add_object(advice, NULL);

        good = row != NULL &&
               put_fields(row, advice_fields, advice_fields_count, &comparison->advice[i]) == 0;
    }
    return good && sides != NULL && pairs != NULL && advice != NULL;
}

enum ls_code ls_comparison_to_json(const struct ls_comparison *comparison, json_t **root,
                                   struct ls_error *err)
{
    json_t *top = json_object();

    *root = NULL;
    if (top == NULL || !put_all(top, comparison)) {
        json_decref(top);
        return ls_error_set(err, LS_ENOMEM, "no memory for the comparison");
    }
    *root = top;
    return LS_OK;
}

/* The list under key with room for it in *rows, which is zeroed. */
static enum ls_code get_list(const json_t *root, const char *key, const char *path, size_t size,
                             void **rows, size_t *count, struct ls_error *err)
{
    const json_t *list = json_object_get(root, key);

    if (!json_is_array(list)) {
        char where[64];

        (void)snprintf(where, sizeof where, "comparison.%s", key);
        return wrong(path, list, where, err);
    }
    *rows = calloc(json_array_size(list) + 1, size);
    if (*rows == NULL) {
        return ls_error_set(err, LS_ENOMEM, "no memory for the comparison");
    }
    *count = json_array_size(list);
    return LS_OK;
}

static enum ls_code get_sides(const json_t *root, struct ls_comparison *comparison,
                              const char *path, struct ls_error *err)
{
    void *rows = NULL;
    enum ls_code code = get_list(root, "sides", path, sizeof *comparison->sides, &rows,
                                 &comparison->sides_count, err);

    comparison->sides = rows;
    for (size_t i = 0; code == LS_OK && i < comparison->sides_count; i++) {
        struct ls_side *side = &comparison->sides[i];
        const json_t *row = json_array_get(json_object_get(root, "sides"), i);
        char prefix[64];

        (void)snprintf(prefix, sizeof prefix, "comparison.sides[%zu].", i);
        code =
            get_fields(row, side_fields, side_fields_count, side, (struct spot){path, prefix}, err);
        for (int f = 0; code == LS_OK && f < LS_FIGURE_COUNT; f++) {
            const json_t *value =
                json_object_get(json_object_get(row, "values"), ls_figure_word((enum ls_figure)f));

            if (value == NULL && f == LS_FIGURE_FAILED) {
                side->value[f] = -1; /* from before it was compared */
            } else if (!read_real(value, true, &side->value[f])) {
                code = wrong(path, value, "comparison.sides.values", err);
            }
        }
    }
    return code;
}

static enum ls_code get_figure(const json_t *figures, const struct ls_comparison *comparison,
                               struct ls_pair *pair, enum ls_figure f, struct spot spot,
                               struct ls_error *err)
{
    const json_t *row = json_object_get(figures, ls_figure_word(f));
    struct ls_compared *compared = &pair->figure[f];
    enum ls_code code = LS_OK;

    if (row == NULL && f == LS_FIGURE_FAILED) { /* from before it was compared */
        *compared = (struct ls_compared){
            .finding = LS_NOT_KNOWN, .ratio = -1, .low = -1, .high = -1, .value = -1, .base = -1};
        return LS_OK;
    }
    code = get_fields(row, compared_fields, compared_fields_count, compared, spot, err);
    if (code == LS_OK && comparison->sides != NULL && json_object_get(row, "value") == NULL) {
        compared->value = comparison->sides[pair->side].value[f];
        compared->base = comparison->sides[pair->against].value[f];
        return LS_OK;
    }
    return code == LS_OK ? get_fields(row, own_fields, own_fields_count, compared, spot, err)
                         : code;
}

static enum ls_code get_pair(const json_t *row, const struct ls_comparison *comparison,
                             struct ls_pair *pair, struct spot spot, struct ls_error *err)
{
    const size_t sides = comparison->sides_count;
    enum ls_code code = get_fields(row, pair_fields, pair_fields_count, pair, spot, err);

    if (code == LS_OK && ((size_t)pair->side >= sides || (size_t)pair->against >= sides)) {
        return ls_error_set_at(err, spot.path, 0, 0, "%sside: there are %zu sides", spot.prefix,
                               sides);
    }
    if (code == LS_OK) {
        code = get_note_list(row, &pair->notes, spot.path, err);
    }
    for (int f = 0; code == LS_OK && f < LS_FIGURE_COUNT; f++) {
        const char *word = ls_figure_word((enum ls_figure)f);
        char prefix[128];

        (void)snprintf(prefix, sizeof prefix, "%sfigures.%s.", spot.prefix, word);
        code = get_figure(json_object_get(row, "figures"), comparison, pair, (enum ls_figure)f,
                          (struct spot){spot.path, prefix}, err);
    }
    return code;
}

static enum ls_code get_pairs(const json_t *root, struct ls_comparison *comparison,
                              const char *path, struct ls_error *err)
{
    void *rows = NULL;
    enum ls_code code = get_list(root, "pairs", path, sizeof *comparison->pairs, &rows,
                                 &comparison->pairs_count, err);

    comparison->pairs = rows;
    for (size_t i = 0; code == LS_OK && rows != NULL && i < comparison->pairs_count; i++) {
        char prefix[64];

        (void)snprintf(prefix, sizeof prefix, "comparison.pairs[%zu].", i);
        code = get_pair(json_array_get(json_object_get(root, "pairs"), i), comparison,
                        &comparison->pairs[i], (struct spot){path, prefix}, err);
    }
    return code;
}

static enum ls_code get_advice(const json_t *root, struct ls_comparison *comparison,
                               const char *path, struct ls_error *err)
{
    void *rows = NULL;
    enum ls_code code = get_list(root, "recommendation", path, sizeof *comparison->advice, &rows,
                                 &comparison->advice_count, err);

    comparison->advice = rows;
    for (size_t i = 0; code == LS_OK && i < comparison->advice_count; i++) {
        code = get_fields(json_array_get(json_object_get(root, "recommendation"), i), advice_fields,
                          advice_fields_count, &comparison->advice[i],
                          (struct spot){path, "comparison.recommendation."}, err);
    }
    return code;
}

enum ls_code ls_comparison_from_json(struct ls_comparison **out, const json_t *root,
                                     const char *path, struct ls_error *err)
{
    struct ls_comparison *comparison = calloc(1, sizeof *comparison);
    enum ls_code code;

    *out = NULL;
    if (comparison == NULL) {
        return ls_error_set(err, LS_ENOMEM, "no memory for the comparison");
    }
    code = get_fields(root, comparison_fields, comparison_fields_count, comparison,
                      (struct spot){path, "comparison."}, err);
    if (code == LS_OK) {
        code = get_sides(root, comparison, path, err);
    }
    if (code == LS_OK) {
        code = get_pairs(root, comparison, path, err);
    }
    if (code == LS_OK) {
        code = get_advice(root, comparison, path, err);
    }
    if (code != LS_OK) {
        ls_comparison_free(comparison);
        return code;
    }
    *out = comparison;
    return LS_OK;
}
