/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A schedule in memory that processes share. */
#include <string.h>

#include "loginstorm/schedule.h"

size_t ls_schedule_size(const struct ls_schedule *schedule)
{
    return sizeof *schedule + schedule->count * sizeof schedule->rows[0];
}

void ls_schedule_copy(const struct ls_schedule *schedule, void *memory)
{
    struct ls_schedule *copy = memory;

    memcpy(copy, schedule, ls_schedule_size(schedule));
    copy->notes = NULL;
}

enum ls_code ls_schedule_attach(const struct ls_schedule **out, const void *memory, size_t size,
                                struct ls_error *err)
{
    const struct ls_schedule *schedule = memory;

    *out = NULL;
    if (size < sizeof *schedule ||
        schedule->count > (size - sizeof *schedule) / sizeof schedule->rows[0]) {
        return ls_error_set(err, LS_EBROKEN, "the schedule in shared memory is cut short");
    }
    *out = schedule;
    return LS_OK;
}
