/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Any lines for time stamps: the first byte chooses what is told about the log, each line then is
 * read and its moment found. What is taken is a date of the calendar, reads the same when it stands
 * alone, and its moment is shown again by a clock of its zone.
 */

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "curve/stamp.h"
#include "loginstorm/units.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool good, const char *what)
{
    if (!good) {
        (void)fprintf(stderr, "%s\n", what);
        abort();
    }
}

/* Read once for all inputs; LeakSanitizer sees it through the static pointers. */
static const struct ls_zone *zone_by(unsigned choice)
{
    static const char *const names[] = {"Europe/Paris", "America/New_York", "Australia/Lord_Howe"};
    static struct ls_zone *zones[3];

    if (choice % 4 == 3) {
        return NULL;
    }
    if (zones[choice % 4] == NULL) {
        struct ls_error err;

        must(ls_zone_new(&zones[choice % 4], names[choice % 4], &err) == LS_OK, "a zone");
    }
    return zones[choice % 4];
}

/* The same clock again, but where it is one that was not put forward. */
static void hold_to_clock(const struct stamper *stamper, const struct stamp *stamp, int64_t utc_ns)
{
    struct ls_civil shown;
    int64_t moments_ns[2];
    int64_t back_ns = 0;
    int64_t left_ns = 0;

    if (stamp->is_utc_ns || stamp->has_offset) {
        return;
    }
    ls_zone_civil(stamper->zone, utc_ns, &shown, NULL);
    must(ls_civil_is_valid(&shown), "a clock shows what there is");
    if (stamp->civil.year == 0) {
        must(shown.ns == stamp->civil.ns, "the fraction stays");
        return;
    }
    switch (ls_zone_moments(stamper->zone, &stamp->civil, moments_ns)) {
    case 0:
        must(utc_ns == moments_ns[0], "left out");
        break;
    case 1:
        must(utc_ns == moments_ns[0], "once");
        break;
    default:
        must(utc_ns == moments_ns[0] || utc_ns == moments_ns[1], "twice");
        break;
    }
    must(ls_civil_utc_ns(&shown, &back_ns) && ls_civil_utc_ns(&stamp->civil, &left_ns), "a moment");
    must(back_ns - left_ns <= 2 * LS_NS_PER_DAY && left_ns - back_ns <= 2 * LS_NS_PER_DAY,
         "the clock is near");
}

static void one_line(struct stamper *stamper, const char *text, size_t size,
                     enum ls_import_order order)
{
    struct stamp stamp;
    struct stamp again;
    const char *why = NULL;
    int64_t utc_ns;
    const size_t taken = stamp_read(&stamp, text, size, order, &why);

    must(taken <= size && (taken == 0) == (why != NULL), "a word comes with a refusal");
    if (taken == 0) {
        must(why[0] != '\0', "a word");
        return;
    }
    must(stamp.is_utc_ns || ls_civil_is_valid(&stamp.civil), "a date");
    must(!stamp.swappable || stamp.tells == LS_DATE_UNKNOWN, "tells or does not");
    must(stamp_read(&again, text, taken, order, &why) == taken &&
             memcmp(&again.civil, &stamp.civil, sizeof again.civil) == 0 &&
             again.utc_ns == stamp.utc_ns && again.offset_s == stamp.offset_s,
         "the same when it stands alone");
    why = stamper_moment(stamper, &stamp, &utc_ns);
    if (why == NULL) {
        hold_to_clock(stamper, &stamp, utc_ns);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const unsigned choice = size > 0 ? data[0] : 0;
    const struct ls_import_wish wish = {.twice = (enum ls_import_twice)(choice / 4 % 4 % 3),
                                        .year = choice >= 128 ? 2024 : 0};
    const enum ls_import_order order = (enum ls_import_order)(choice / 16 % 4 % 3);
    struct stamper stamper;

    stamper_init(&stamper, zone_by(choice), &wish);
    stamper_begin(&stamper, INT64_C(1796027267000000000));
    for (size_t from = 1; from < size;) {
        const char *line = (const char *)data + from;
        const char *end = memchr(line, '\n', size - from);
        const size_t length = end == NULL ? size - from : (size_t)(end - line);
        char *exact = malloc(length + 1);

        must(exact != NULL, "memory");
        memcpy(exact + 1, line, length);
        one_line(&stamper, exact + 1, length, order);
        free(exact);
        from += length + 1;
    }
    return 0;
}
