/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The whole curve of a latency in few points: exact ranks, closer together the nearer the slowest. */
#include <math.h>

#include "record/build.h"
#include "record/fields.h"

#define TICKS 5 /* for each halving of what is slower */

/* Behind halving k stand (10 - tick) / (10 * 2^k) of all, for the ticks 0 to 4. */
void distribution_of(struct ls_distribution *out, const int64_t *sorted, size_t count)
{
    out->points_count = 0;
    for (int i = 0; count > 0; i++) {
        const int halving = i / TICKS, tick = i % TICKS;
        const double behind = (2.0 * TICKS - tick) / (2.0 * TICKS) / exp2(halving);
        const size_t slower = (size_t)floor((double)count * behind + 1e-6);
        const size_t rank = slower < count ? count - slower : 1;
        const bool last = slower == 0 || out->points_count == LS_POINTS_MAX - 1;

        out->points[out->points_count++] =
            (struct ls_point){last ? 1 : 1 - behind, sorted[last ? count - 1 : rank - 1]};
        if (last) {
            return;
        }
    }
}

static const struct {
    const char *key;
    size_t offset;
} kinds[] = {
    {"login", offsetof(struct ls_run, login_distribution)},
    {"handshake", offsetof(struct ls_run, handshake_distribution)},
};
#define KINDS (sizeof kinds / sizeof kinds[0])

int put_distributions(json_t *to, const struct ls_run *run)
{
    json_t *object = json_object();

    if (json_object_set_new(to, "distribution_us", object) != 0) {
        return -1;
    }
    for (size_t k = 0; k < KINDS; k++) {
        const struct ls_distribution *from = (const void *)((const char *)run + kinds[k].offset);
        json_t *list = json_array();

        if (json_object_set_new(object, kinds[k].key, list) != 0) {
            return -1;
        }
        for (size_t i = 0; i < from->points_count; i++) {
            const struct ls_point *point = &from->points[i];

            if (json_array_append_new(
                    list, json_pack("[f, o]", point->share, ls_json_us(point->ns))) != 0) {
                return -1;
            }
        }
    }
    return 0;
}

/* Points that go up, from a share of 0 to 1. */
static bool read_distribution(const json_t *list, struct ls_distribution *out)
{
    const size_t count = json_array_size(list);

    if (!json_is_array(list) || count > LS_POINTS_MAX) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        const json_t *row = json_array_get(list, i);
        struct ls_point *point = &out->points[i];

        if (json_array_size(row) != 2 || !read_real(json_array_get(row, 0), false, &point->share) ||
            point->share > 1 || !read_us(json_array_get(row, 1), &point->ns) || point->ns < 0 ||
            (i > 0 && (point->share < point[-1].share || point->ns < point[-1].ns))) {
            return false;
        }
    }
    out->points_count = count;
    return count == 0 || !(out->points[count - 1].share < 1);
}

enum ls_code get_distributions(const json_t *root, struct ls_run *run, struct spot spot,
                               struct ls_error *err)
{
    const json_t *object = json_object_get(root, "distribution_us");

    for (size_t k = 0; object != NULL && k < KINDS; k++) {
        const json_t *list = json_object_get(object, kinds[k].key);

        if (!read_distribution(list, (void *)((char *)run + kinds[k].offset))) {
            char where[96];

            (void)snprintf(where, sizeof where, "%sdistribution_us.%s", spot.prefix, kinds[k].key);
            return wrong(spot.path, list, where, err);
        }
    }
    return LS_OK;
}

static json_t *distribution_schema(void)
{
    json_t *pair = json_pack("{s:s, s:[{s:s, s:i, s:i}, {s:s, s:i}], s:i, s:i}", "type", "array",
                             "items", "type", "number", "minimum", 0, "maximum", 1, "type",
                             "number", "minimum", 0, "minItems", 2, "maxItems", 2);

    return json_pack("{s:s, s:o, s:i}", "type", "array", "items", pair, "maxItems", LS_POINTS_MAX);
}

json_t *schema_of_distributions(void)
{
    json_t *schema = json_pack("{s:s}", "type", "object");

    for (size_t k = 0; k < KINDS; k++) {
        if (!schema_put(schema, kinds[k].key, distribution_schema(), true,
                        "pairs of a share and what so many took at most, up to share 1")) {
            json_decref(schema);
            return NULL;
        }
    }
    return schema;
}
