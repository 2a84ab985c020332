/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "curve/when.h"

#include <stdio.h>
#include <string.h>

/* A stamp and nothing else. A bare number is an epoch only where its size says so: a row's number
 * or a port is none. */
bool when_read(struct stamp *stamp, struct slice value, enum ls_import_order order,
               const char **why)
{
    const struct slice text = slice_trim(value);
    size_t taken;

    if (text.size == 0) {
        *why = "no time stamp";
        return false;
    }
    taken = stamp_read(stamp, text.at, text.size, order, why);
    if (taken > 0 && taken < text.size) {
        *why = "a time stamp with something behind it";
        return false;
    }
    return taken > 0;
}

bool when_seems(struct slice value)
{
    struct stamp stamp;
    const char *why;

    return when_read(&stamp, value, LS_DATE_UNKNOWN, &why) &&
           (!stamp.is_utc_ns || slice_trim(value).size >= 10);
}

/* A date and a time of day, which stand in two fields. */
bool when_read_apart(struct stamp *stamp, struct slice day, struct slice clock,
                     enum ls_import_order order, const char **why)
{
    char text[128];

    day = slice_trim(day);
    clock = slice_trim(clock);
    if (day.size == 0 || clock.size == 0 || day.size > 60 || clock.size > 60) {
        *why = "no time stamp";
        return false;
    }
    (void)snprintf(text, sizeof text, "%.*s %.*s", (int)day.size, day.at, (int)clock.size,
                   clock.at);
    return when_read(stamp, (struct slice){text, strlen(text)}, order, why);
}

static bool is_part(struct slice day, struct slice clock)
{
    struct stamp stamp;
    const char *why;

    return when_read_apart(&stamp, day, clock, LS_DATE_UNKNOWN, &why) && !stamp.is_utc_ns;
}

static bool has_colon(struct slice value)
{
    return value.size > 0 && memchr(value.at, ':', value.size) != NULL;
}

static bool looks_like_day(struct slice value)
{
    return !when_seems(value) && is_part(value, (struct slice){"00:00:00", 8});
}

static bool looks_like_clock(struct slice value)
{
    return has_colon(value) && !when_seems(value) &&
           is_part((struct slice){"2026-11-30", 10}, value);
}

/* The first date, and the first time of day behind it, else of all; an option may have named one. */
bool when_find_apart(const struct field *fields, size_t count, size_t told, size_t *day,
                     size_t *clock)
{
    size_t colons = 0;

    /* Most rows without a time are told by that, and cheaply. */
    for (size_t i = 0; i < count; i++) {
        colons += has_colon(fields[i].value);
    }
    *day = WHEN_NONE;
    *clock = WHEN_NONE;
    if (colons == 0) {
        return false;
    }
    *day = told != WHEN_NONE && looks_like_day(fields[told].value) ? told : WHEN_NONE;
    *clock = told != WHEN_NONE && looks_like_clock(fields[told].value) ? told : WHEN_NONE;
    if (told != WHEN_NONE && *day == WHEN_NONE && *clock == WHEN_NONE) {
        return false;
    }
    for (size_t i = 0; i < count && *day == WHEN_NONE; i++) {
        *day = looks_like_day(fields[i].value) ? i : WHEN_NONE;
    }
    for (size_t i = 0; i < count && *day != WHEN_NONE && *clock == WHEN_NONE; i++) {
        const size_t at = (*day + 1 + i) % count;

        *clock = looks_like_clock(fields[at].value) ? at : WHEN_NONE;
    }
    return *day != WHEN_NONE && *clock != WHEN_NONE &&
           is_part(fields[*day].value, fields[*clock].value);
}
