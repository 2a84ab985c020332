/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Many mornings of a simulation, one figure at a time: as ranges, and as JSON. */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#include "record/build.h"
#include "record/fields.h"

void ls_range_of(struct ls_range *out, int64_t *values, size_t count)
{
    int64_t *const places[] = {&out->median, &out->low, &out->high, &out->in_95, &out->worst};
    static const int ranks[] = {5000, 250, 9750, 9500, 10000};

    for (size_t i = 0; i < count; i++) {
        values[i] = values[i] < 0 ? INT64_MAX : values[i];
    }
    sort_ns(values, count);
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        const int64_t value = count > 0 ? ls_quantile_sorted(values, count, ranks[i]) : INT64_MAX;

        *places[i] = value == INT64_MAX ? LS_NEVER_NS : value;
    }
}

enum unit { COUNTED, NS, MILLIONTHS };

#define RANGE(member) offsetof(struct ls_run_mornings, member)

/* Beside these: count, and returned_logins and returned_users of the first. */
static const struct {
    const char *object, *key; /* object NULL: on top */
    enum unit unit;
    size_t offset;
} ranges[] = {
    /* due to logged in, of those who were */
    {"login_us", "p50", NS, RANGE(login_p50)},
    {"login_us", "p95", NS, RANGE(login_p95)},
    {"login_us", "p99", NS, RANGE(login_p99)},
    {"login_us", "p100", NS, RANGE(login_p100)},
    /* over all, a failed one counting as longer than any: null where so many failed */
    {"login_of_all_us", "p50", NS, RANGE(of_all_p50)},
    {"login_of_all_us", "p95", NS, RANGE(of_all_p95)},
    {"login_of_all_us", "p99", NS, RANGE(of_all_p99)},
    {"login_of_all_us", "p100", NS, RANGE(of_all_p100)},
    {NULL, "failed_share", MILLIONTHS, RANGE(failed_share)},
    {NULL, "peak_minute_logins", COUNTED, RANGE(peak_minute_logins)},
    /* of one gateway's cores, in its own fullest minute */
    {NULL, "gateway_peak_share", MILLIONTHS, RANGE(gateway_peak_share)},
};
#define RANGES (sizeof ranges / sizeof ranges[0])

/* The middle 95 % lie from low to high; in_95_percent: what so many stay at or below. */
static const struct {
    const char *key;
    size_t offset;
} parts[] = {
    {"median", offsetof(struct ls_range, median)},
    {"low", offsetof(struct ls_range, low)},
    {"high", offsetof(struct ls_range, high)},
    {"in_95_percent", offsetof(struct ls_range, in_95)},
    {"worst", offsetof(struct ls_range, worst)},
};
#define PARTS (sizeof parts / sizeof parts[0])

static json_t *part_json(enum unit unit, int64_t value)
{
    if (unit == NS) {
        return ls_json_us(value);
    }
    if (value < 0) {
        return json_null();
    }
    return unit == COUNTED ? json_integer(value) : json_real((double)value / 1e6);
}

static json_t *range_json(enum unit unit, const void *range)
{
    json_t *object = json_object();

    for (size_t i = 0; i < PARTS; i++) {
        const int64_t value =
            *(const int64_t *)(const void *)((const char *)range + parts[i].offset);

        if (json_object_set_new(object, parts[i].key, part_json(unit, value)) != 0) {
            json_decref(object);
            return NULL;
        }
    }
    return object;
}

int put_mornings(json_t *run, const struct ls_run_mornings *mornings)
{
    json_t *figures;

    if (mornings->count == 0) {
        return 0;
    }
    figures =
        json_pack("{s:I, s:{}, s:{}, s:I, s:I}", "count", (json_int_t)mornings->count, "login_us",
                  "login_of_all_us", "returned_logins", (json_int_t)mornings->returned,
                  "returned_users", (json_int_t)mornings->returned_users);
    if (json_object_set_new(run, "mornings", figures) != 0) {
        return -1;
    }
    for (size_t i = 0; i < RANGES; i++) {
        json_t *to =
            ranges[i].object == NULL ? figures : json_object_get(figures, ranges[i].object);

        if (json_object_set_new(
                to, ranges[i].key,
                range_json(ranges[i].unit, (const char *)mornings + ranges[i].offset)) != 0) {
            return -1;
        }
    }
    return 0;
}

static bool read_count(const json_t *value, bool null_allowed, int64_t *out)
{
    if (null_allowed && json_is_null(value)) {
        *out = -1;
        return true;
    }
    *out = json_integer_value(value);
    return json_is_integer(value) && *out >= 0;
}

static bool read_part(const json_t *value, enum unit unit, int64_t *out)
{
    double share;

    if (unit == NS) {
        return read_us(value, out);
    }
    if (unit == COUNTED) {
        return read_count(value, true, out);
    }
    if (!read_real(value, true, &share) || share > 1e9) {
        return false;
    }
    *out = share < 0 ? -1 : (int64_t)llround(share * 1e6);
    return true;
}

enum ls_code get_mornings(const json_t *run, struct ls_run_mornings *mornings, struct spot spot,
                          struct ls_error *err)
{
    const json_t *object = json_object_get(run, "mornings");
    char where[128];

    if (object == NULL) {
        return LS_OK;
    }
    (void)snprintf(where, sizeof where, "%smornings", spot.prefix);
    if (!read_count(json_object_get(object, "count"), false, &mornings->count) ||
        mornings->count == 0 ||
        !read_count(json_object_get(object, "returned_logins"), false, &mornings->returned) ||
        !read_count(json_object_get(object, "returned_users"), false, &mornings->returned_users)) {
        return wrong(spot.path, object, where, err);
    }
    for (size_t i = 0; i < RANGES * PARTS; i++) {
        const size_t r = i / PARTS, p = i % PARTS;
        const json_t *from =
            ranges[r].object == NULL ? object : json_object_get(object, ranges[r].object);
        const json_t *value = json_object_get(json_object_get(from, ranges[r].key), parts[p].key);
        char *place = (char *)mornings + ranges[r].offset + parts[p].offset;

        if (!read_part(value, ranges[r].unit, (int64_t *)(void *)place)) {
            (void)snprintf(where, sizeof where, "%smornings.%s%s%s.%s", spot.prefix,
                           ranges[r].object == NULL ? "" : ranges[r].object,
                           ranges[r].object == NULL ? "" : ".", ranges[r].key, parts[p].key);
            return wrong(spot.path, value, where, err);
        }
    }
    return LS_OK;
}

static json_t *range_schema(enum unit unit)
{
    json_t *schema = json_pack("{s:s}", "type", "object");

    for (size_t p = 0; p < PARTS; p++) {
        json_t *value = json_pack("{s:[s, s], s:i}", "type", unit == COUNTED ? "integer" : "number",
                                  "null", "minimum", 0);

        if (!schema_put(schema, parts[p].key, value, true, NULL)) {
            json_decref(schema);
            return NULL;
        }
    }
    return schema;
}

static bool put_range_schema(json_t *schema, size_t which)
{
    json_t *to = schema;

    if (ranges[which].object != NULL) {
        const char *key = ranges[which].object;

        to = json_object_get(json_object_get(schema, "properties"), key);
        if (to == NULL) {
            if (!schema_put(schema, key, json_pack("{s:s}", "type", "object"), true, NULL)) {
                return false;
            }
            to = json_object_get(json_object_get(schema, "properties"), key);
        }
    }
    return schema_put(to, ranges[which].key, range_schema(ranges[which].unit), true, NULL);
}

json_t *schema_of_mornings(void)
{
    static const struct {
        const char *key;
        int least;
        const char *doc;
    } counts[] = {
        {"count", 1, "mornings"},
        {"returned_logins", 0, "of the first: logins of users who had to come again"},
        {"returned_users", 0, "of the first: how many users those were"},
    };
    json_t *schema = json_pack("{s:s}", "type", "object");
    bool good = schema != NULL;

    for (size_t i = 0; good && i < sizeof counts / sizeof counts[0]; i++) {
        good = schema_put(schema, counts[i].key,
                          json_pack("{s:s, s:i}", "type", "integer", "minimum", counts[i].least),
                          true, counts[i].doc);
    }
    for (size_t i = 0; good && i < RANGES; i++) {
        good = put_range_schema(schema, i);
    }
    if (!good) {
        json_decref(schema);
        return NULL;
    }
    return schema;
}
