/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "loginstorm/units.h"
#include "scenario/field.h"

static bool read_mean(struct ls_reading *reading, const struct ls_node *node, struct ls_farm *farm)
{
    static const struct ls_field mean = {.kind = LS_KIND_DURATION, .low = 1, .high = LS_NS_PER_H};

    return ls_read_amount(reading, node, &mean, &farm->cost_ns);
}

static void read_lognormal(struct ls_reading *reading, const struct ls_node *node,
                           struct ls_farm *farm)
{
    const struct ls_node *mean = ls_node_get(node, "mean");
    const struct ls_node *scv = ls_node_get(node, "scv");
    size_t length;

    farm->cost_kind = LS_COST_LOGNORMAL;
    if (mean == NULL || scv == NULL || node->count != 2) {
        ls_complain(reading, node->place,
                    "wants {mean: 10ms, scv: 1} (scv: the squared "
                    "coefficient of variation)");
        return;
    }
    length = ls_path_enter(reading, "mean");
    (void)read_mean(reading, mean, farm);
    ls_path_leave(reading, length);
    length = ls_path_enter(reading, "scv");
    (void)ls_read_number(reading, scv, LS_KIND_NUMBER, 0, 1000, &farm->cost_scv);
    ls_path_leave(reading, length);
}

/* A path, or a distribution for studies. */
void ls_read_costs(struct ls_reading *reading, const struct ls_node *node, struct ls_farm *farm)
{
    const struct ls_node *only = node->kind == LS_NODE_MAP && node->count == 1 ? node->first : NULL;
    size_t length;

    if (node->kind == LS_NODE_SCALAR) {
        farm->cost_kind = LS_COST_PROFILE;
        farm->costs = ls_read_text(reading, node);
        return;
    }
    length = only != NULL ? ls_path_enter(reading, only->key) : reading->path_length;
    if (only != NULL && strcmp(only->key, "fixed") == 0) {
        farm->cost_kind = LS_COST_FIXED;
        (void)read_mean(reading, only, farm);
    } else if (only != NULL && strcmp(only->key, "exponential") == 0) {
        farm->cost_kind = LS_COST_EXPONENTIAL;
        (void)read_mean(reading, only, farm);
    } else if (only != NULL && strcmp(only->key, "lognormal") == 0) {
        read_lognormal(reading, only, farm);
    } else {
        ls_complain(reading, node->place,
                    "wants the path of a cost profile, or one of {fixed: 17.5ms}, {exponential: "
                    "10ms}, {lognormal: {mean: 10ms, scv: 1}}");
    }
    ls_path_leave(reading, length);
}
