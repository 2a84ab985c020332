/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "mpi/gather.h"

#include <stdlib.h>
#include <string.h>

/* No file of a shard is larger: 4,096 shards of a million users each are none that one machine merges. */
#define SIZE_MAX_BYTES (INT64_C(1) << 40)

enum ls_code gather_new(struct gather *gather, int count, int64_t patience_ns, int64_t now_ns,
                        struct ls_error *err)
{
    *gather = (struct gather){
        .shards = calloc((size_t)count, sizeof *gather->shards),
        .count = count,
        .patience_ns = patience_ns,
        .heard_ns = now_ns,
    };
    return gather->shards == NULL ? ls_error_set(err, LS_ENOMEM, "no memory for %d shards", count)
                                  : LS_OK;
}

void gather_clear(struct gather *gather)
{
    free(gather->shards);
    *gather = (struct gather){0};
}

/* A name as a shard's folder has it, which leads nowhere else. */
static bool is_name(const char name[GATHER_NAME])
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789-.";
    const size_t length = strnlen(name, GATHER_NAME);

    return length > 0 && length < GATHER_NAME && name[0] != '.' && strspn(name, letters) == length;
}

static bool is_sound(const struct gather_report *report)
{
    if (report->count < 0 || report->count > GATHER_FILES) {
        return false;
    }
    for (int i = 0; i < report->count; i++) {
        const struct gather_file *file = &report->files[i];

        if (!is_name(file->name) || file->size_bytes < 0 || file->size_bytes > SIZE_MAX_BYTES) {
            return false;
        }
    }
    return report->count == 0 || strcmp(report->files[report->count - 1].name, GATHER_LAST) == 0;
}

enum ls_code gather_take_report(struct gather *gather, int shard,
                                const struct gather_report *report, int64_t now_ns,
                                struct ls_error *err)
{
    struct gather_shard *one = &gather->shards[shard];

    if (one->state != GATHER_SILENT || !is_sound(report)) {
        one->state = GATHER_LOST;
        return ls_error_set(err, LS_EBROKEN, "shard %d of %d reports what no shard has", shard + 1,
                            gather->count);
    }
    gather->heard_ns = now_ns;
    one->report = *report;
    if (report->count == 0) {
        one->state = GATHER_LOST;
    } else {
        one->state = report->shares != 0 ? GATHER_THERE : GATHER_COMING;
    }
    return LS_OK;
}

size_t gather_piece(const struct gather *gather, int shard)
{
    const struct gather_shard *one = &gather->shards[shard];
    const int64_t left = one->report.files[one->file].size_bytes - one->come_bytes;

    return left < (int64_t)GATHER_PIECE ? (size_t)left : GATHER_PIECE;
}

bool gather_take_piece(struct gather *gather, int shard, int64_t now_ns)
{
    struct gather_shard *one = &gather->shards[shard];

    gather->heard_ns = now_ns;
    one->come_bytes += (int64_t)gather_piece(gather, shard);
    if (one->come_bytes < one->report.files[one->file].size_bytes) {
        return false;
    }
    one->come_bytes = 0;
    one->file++;
    if (one->file == one->report.count) {
        one->state = GATHER_THERE;
    }
    return true;
}

void gather_lose(struct gather *gather, int shard)
{
    gather->shards[shard].state = GATHER_LOST;
}

bool gather_is_over(struct gather *gather, int64_t now_ns)
{
    const bool patient = now_ns - gather->heard_ns < gather->patience_ns;
    bool over = true;

    for (int i = 0; i < gather->count; i++) {
        enum gather_state *state = &gather->shards[i].state;

        if (*state == GATHER_SILENT || *state == GATHER_COMING) {
            over = over && !patient;
            *state = patient ? *state : GATHER_LOST;
        }
    }
    return over;
}
