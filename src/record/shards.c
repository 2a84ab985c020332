/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A storm in shards, in result.json. */
#include <stddef.h>
#include <stdlib.h>

#include "record/fields.h"

#define SHARD(member) offsetof(struct ls_shard, member)
#define RUN(member) offsetof(struct ls_shard_run, member), 0
#define MERGED(member) offsetof(struct ls_merged, member)
#define SHARDS_MAX 65536

static const struct field shard_fields[] = {
    {"index", SMALL, SHARD(index), 0, "which shard, from 1"},
    {"count", SMALL, SHARD(count), 0, "of how many"},
    {"host", PLACED, SHARD(host), LS_HOST_SIZE, "the machine's name, as it calls itself"},
    {"loginstorm", PLACED, SHARD(version), LS_VERSION_SIZE, "the version that played it"},
    {"clock_error_us", US, SHARD(clock_error_ns), 0,
     "how far its clock may be off, as its keeper (NTP) says, or as it was measured against the "
     "first shard's; null: nobody keeps it"},
    {"clock_ahead_us", US_SINCE, SHARD(clock_ahead_ns), 0,
     "so far it was ahead of the first shard's, and was corrected; null: it was behind, or nobody "
     "measured it"},
    {"clock_behind_us", US_SINCE, SHARD(clock_behind_ns), 0,
     "so far it was behind the first shard's, and was corrected; null: it was ahead, or nobody "
     "measured it"},
};
#define SHARD_FIELDS (sizeof shard_fields / sizeof shard_fields[0])

static const struct field shard_run_fields[] = {
    {"start_at", MOMENT, RUN(start_at_ns), "when it was to begin; null: when it was ready"},
    {"started", MOMENT, RUN(started_ns), "when it began, by its clock; of merged shards the first"},
    {"gateway_user_us", US, RUN(gateway_user_ns),
     "of the gateway's CPU, which is that of all shards: in user mode"},
    {"gateway_system_us", US, RUN(gateway_system_ns), "in system mode"},
    {"gateway_baseline_us", US, RUN(gateway_baseline_ns),
     "what it would have taken anyway, which is subtracted"},
    {"gateway_baseline_error_us", US, RUN(gateway_baseline_error_ns), "how far that may be off"},
    {"gateway_whole_machine", FLAG, RUN(gateway_whole_machine),
     "other programs of its machine are in it"},
};
#define SHARD_RUN_FIELDS (sizeof shard_run_fields / sizeof shard_run_fields[0])

static const struct field merged_fields[] = {
    {"missing", FLAG, MERGED(missing), 0, "its users are not in this result"},
    {"host", PLACED, MERGED(host), LS_HOST_SIZE, "the machine that played it; empty: missing"},
    {"clock_error_us", US, MERGED(clock_error_ns), 0,
     "how far its clock may be off, as its keeper or a measurement says; null: not known"},
    {"clock_ahead_us", US, MERGED(clock_ahead_ns), 0,
     "so far it was ahead of the first shard's, and was corrected; null: it was behind, or nobody "
     "measured it"},
    {"clock_behind_us", US, MERGED(clock_behind_ns), 0,
     "so far it was behind the first shard's, and was corrected; null: it was ahead, or nobody "
     "measured it"},
    {"start_skew_us", US, MERGED(start_skew_ns), 0,
     "of its runs the worst: by how much later than agreed it began; null: nothing was agreed"},
    {"start_lag_p99_us", US, MERGED(start_lag_p99_ns), 0,
     "of its runs the worst: the p99 of its users' start lag; null: it has no run"},
};
#define MERGED_FIELDS (sizeof merged_fields / sizeof merged_fields[0])

static int put_merged(json_t *root, const struct ls_result *result)
{
    json_t *list = json_array();

    if (json_object_set_new(root, "shards", list) != 0) {
        return -1;
    }
    for (size_t i = 0; i < result->merged_count; i++) {
        json_t *row = json_object();

        if (json_array_append_new(list, row) != 0 ||
            put_fields(row, merged_fields, MERGED_FIELDS, &result->merged[i]) != 0) {
            return -1;
        }
    }
    return 0;
}

static int put_object(json_t *root, const struct field *fields, size_t count, const void *base)
{
    json_t *part = json_object();

    if (json_object_set_new(root, "shard", part) != 0) {
        return -1;
    }
    return put_fields(part, fields, count, base);
}

int put_shards(json_t *root, const struct ls_result *result)
{
    if (result->merged_count > 0) {
        return put_merged(root, result);
    }
    return result->shard.count == 0 ? 0
                                    : put_object(root, shard_fields, SHARD_FIELDS, &result->shard);
}

int put_shard_run(json_t *run, const struct ls_shard_run *shard)
{
    return shard->started_ns <= 0 ? 0 : put_object(run, shard_run_fields, SHARD_RUN_FIELDS, shard);
}

static enum ls_code get_merged(const json_t *list, struct ls_result *result, const char *path,
                               struct ls_error *err)
{
    const size_t count = json_array_size(list);
    enum ls_code code = LS_OK;

    if (!json_is_array(list) || count == 0 || count > SHARDS_MAX) {
        return wrong(path, list, "shards", err);
    }
    result->merged = calloc(count, sizeof *result->merged);
    if (result->merged == NULL) {
        return ls_error_set(err, LS_ENOMEM, "no memory for %zu shards", count);
    }
    result->merged_count = count;
    for (size_t i = 0; code == LS_OK && i < count; i++) {
        char prefix[40];

        (void)snprintf(prefix, sizeof prefix, "shards[%zu].", i);
        code = get_fields(json_array_get(list, i), merged_fields, MERGED_FIELDS, &result->merged[i],
                          (struct spot){path, prefix}, err);
    }
    return code;
}

enum ls_code get_shards(const json_t *root, struct ls_result *result, const char *path,
                        struct ls_error *err)
{
    const json_t *shard = json_object_get(root, "shard"), *list = json_object_get(root, "shards");
    enum ls_code code;

    if (list != NULL) {
        return get_merged(list, result, path, err);
    }
    if (shard == NULL) {
        return LS_OK;
    }
    code = get_fields(shard, shard_fields, SHARD_FIELDS, &result->shard,
                      (struct spot){path, "shard."}, err);
    if (code == LS_OK && (result->shard.index < 1 || result->shard.index > result->shard.count ||
                          result->shard.count > SHARDS_MAX)) {
        code = wrong(path, shard, "shard.index", err);
    }
    return code;
}

enum ls_code get_shard_run(const json_t *run, struct ls_shard_run *shard, struct spot spot,
                           struct ls_error *err)
{
    const json_t *object = json_object_get(run, "shard");
    char prefix[80];
    enum ls_code code;

    if (object == NULL) {
        return LS_OK;
    }
    (void)snprintf(prefix, sizeof prefix, "%sshard.", spot.prefix);
    code = get_fields(object, shard_run_fields, SHARD_RUN_FIELDS, shard,
                      (struct spot){spot.path, prefix}, err);
    if (code == LS_OK && shard->started_ns <= 0) {
        code = wrong(spot.path, object, prefix, err);
    }
    return code;
}

json_t *schema_of_shard(void)
{
    return schema_of_fields(shard_fields, SHARD_FIELDS);
}

json_t *schema_of_shard_run(void)
{
    return schema_of_fields(shard_run_fields, SHARD_RUN_FIELDS);
}

json_t *schema_of_merged(void)
{
    json_t *list = schema_list(schema_of_fields(merged_fields, MERGED_FIELDS));

    if (list != NULL && (json_object_set_new(list, "minItems", json_integer(1)) != 0 ||
                         json_object_set_new(list, "maxItems", json_integer(SHARDS_MAX)) != 0)) {
        json_decref(list);
        return NULL;
    }
    return list;
}
