/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "curve/gather.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "curve/told.h"
#include "loginstorm/units.h"

#define PENDING_MAX 500000
#define NO_ORDER                                                                                   \
    "day and month cannot be told apart (%02d/%02d, and no day beyond 12 in it): say "             \
    "--date-order "                                                                                \
    "dmy, or mdy"

/* 1980 and 2100: before and after them stand clocks that were not set, and fields that were full. */
#define TOO_EARLY_NS (INT64_C(315532800) * LS_NS_PER_S)
#define TOO_LATE "a time stamp beyond the year 2099"
#define TOO_LATE_NS (INT64_C(4102444800) * LS_NS_PER_S)

struct pending {
    struct stamp stamp;
    uint64_t who; /* hash, 0: not known */
    int64_t line;
};

/* Room for one more. */
static enum ls_code make_room(void **rows, size_t *room, size_t count, size_t row_size,
                              struct ls_error *err)
{
    const size_t more = *room + *room / 2 + 1024;
    void *grown;

    if (count < *room) {
        return LS_OK;
    }
    grown = realloc(*rows, more * row_size);
    if (grown == NULL) {
        return ls_error_set(err, LS_ENOMEM, "no memory for %zu logins", count + 1);
    }
    *rows = grown;
    *room = more;
    return LS_OK;
}

static enum ls_code no_zone(const struct gather *gather, const struct stamp *stamp,
                            struct ls_error *err)
{
    const int line = (int)gather->sink.line;

    if (!stamp->has_offset) {
        return ls_error_set_at(err, gather->sink.path, line, 0,
                               "its time stamps have no zone: say --timezone, like Europe/Paris");
    }
    return ls_error_set_at(err, gather->sink.path, line, 0,
                           "its time stamps are local ones (%s%02d:%02d from UTC): say --timezone, "
                           "like Europe/Paris, so that the curve's hours are its users'",
                           stamp->offset_s < 0 ? "-" : "+", abs(stamp->offset_s) / 3600,
                           abs(stamp->offset_s) / 60 % 60);
}

/* A moment that is in the curve; LS_OK without *good for one that is not. */
static enum ls_code moment_of(struct gather *gather, const struct stamp *stamp, int64_t *utc_ns,
                              bool *good, struct ls_error *err)
{
    const char *why;

    *good = false;
    if (!gather->zone_told && !stamp->is_utc_ns && (!stamp->has_offset || stamp->offset_s != 0)) {
        return no_zone(gather, stamp, err);
    }
    why = stamper_moment(&gather->stamper, stamp, utc_ns);
    if (why == NULL && *utc_ns < TOO_EARLY_NS) {
        why = "a time stamp before 1980, as of a clock that was not set";
    } else if (why == NULL && *utc_ns >= TOO_LATE_NS) {
        why = TOO_LATE;
    } else if (why == NULL && gather->has_day &&
               (*utc_ns < gather->day_from_ns || *utc_ns >= gather->day_to_ns)) {
        why = "another day";
    }
    if (why != NULL) {
        told_skip(&gather->sink, why, "", 0);
        return LS_OK;
    }
    *good = true;
    return LS_OK;
}

static enum ls_code add_login(struct gather *gather, const struct stamp *stamp, uint64_t who,
                              struct ls_error *err)
{
    struct ls_import_summary *summary = gather->summary;
    int64_t utc_ns = 0;
    uint64_t user = 0;
    bool good;
    enum ls_code code = moment_of(gather, stamp, &utc_ns, &good, err);

    if (code != LS_OK || !good) {
        return code;
    }
    if (who != 0) {
        gather->knows_people = true;
        code = people_number(&gather->people, who, &user, err);
        if (code != LS_OK) {
            return code;
        }
    }
    code = make_room((void **)&gather->logins, &gather->logins_room, gather->logins_count,
                     sizeof *gather->logins, err);
    if (code != LS_OK) {
        return code;
    }
    gather->logins[gather->logins_count++] = (struct ls_curve_login){utc_ns, user};
    summary->logins++;
    if (gather->has_latest && utc_ns < gather->latest_ns) {
        const int64_t behind_ns = gather->latest_ns - utc_ns;

        summary->disorder++;
        summary->worst_disorder_ns =
            behind_ns > summary->worst_disorder_ns ? behind_ns : summary->worst_disorder_ns;
    } else {
        gather->latest_ns = utc_ns;
        gather->has_latest = true;
    }
    return LS_OK;
}

static enum ls_code add_interval(struct gather *gather, const struct event *event,
                                 struct ls_error *err)
{
    int64_t from_ns = 0;
    int64_t to_ns = 0;
    bool good;
    enum ls_code code = moment_of(gather, &event->stamp, &from_ns, &good, err);

    if (code == LS_OK && good && event->has_until) {
        const char *why = stamper_moment(&gather->stamper, &event->until, &to_ns);

        if (why != NULL || to_ns <= from_ns) {
            told_skip(&gather->sink, "an interval that ends before it begins", "", 0);
            return LS_OK;
        }
        if (to_ns >= TOO_LATE_NS) {
            told_skip(&gather->sink, TOO_LATE, "", 0);
            return LS_OK;
        }
    }
    if (code != LS_OK || !good) {
        return code;
    }
    if (__builtin_add_overflow(gather->summary->logins, event->count, &gather->summary->logins)) {
        return ls_error_set_at(err, gather->sink.path, (int)gather->sink.line, 0,
                               "more logins than can be counted");
    }
    code = make_room((void **)&gather->intervals, &gather->intervals_room, gather->intervals_count,
                     sizeof *gather->intervals, err);
    if (code == LS_OK) {
        gather->intervals[gather->intervals_count++] =
            (struct ls_curve_interval){from_ns, event->has_until ? to_ns : from_ns, event->count};
    }
    return code;
}

/* What waited for its day and month to be told. */
static enum ls_code settle(struct gather *gather, enum ls_import_order order, struct ls_error *err)
{
    const int64_t line = gather->sink.line;
    enum ls_code code = LS_OK;

    gather->sink.order = order;
    for (size_t i = 0; i < gather->pending_count && code == LS_OK; i++) {
        struct stamp stamp = gather->pending[i].stamp;

        if (order == LS_DATE_MONTH_DAY) {
            const int day = stamp.civil.day;

            stamp.civil.day = stamp.civil.month;
            stamp.civil.month = day;
        }
        gather->sink.line = gather->pending[i].line;
        code = add_login(gather, &stamp, gather->pending[i].who, err);
    }
    gather->pending_count = 0;
    gather->sink.line = line;
    return code;
}

static enum ls_code no_order(const struct gather *gather, struct ls_error *err)
{
    const struct pending *first = &gather->pending[0];

    return ls_error_set_at(err, gather->sink.path, (int)first->line, 0, NO_ORDER,
                           first->stamp.civil.day, first->stamp.civil.month);
}

/* A login before the order is known waits, as do all behind it, so that they come in theirs. */
static enum ls_code wait(struct gather *gather, const struct event *event, uint64_t who,
                         struct ls_error *err)
{
    enum ls_code code;

    if (gather->pending_count == PENDING_MAX) {
        return no_order(gather, err);
    }
    code = make_room((void **)&gather->pending, &gather->pending_room, gather->pending_count,
                     sizeof *gather->pending, err);
    if (code == LS_OK) {
        gather->pending[gather->pending_count++] =
            (struct pending){event->stamp, who, gather->sink.line};
    }
    return code;
}

static enum ls_code take_event(struct sink *sink, const struct event *event, struct ls_error *err)
{
    struct gather *gather = (struct gather *)sink;
    const uint64_t who = event->who_size > 0 && !event->is_count
                             ? people_hash(&gather->people, event->who, event->who_size)
                             : 0;
    enum ls_code code = LS_OK;

    if (event->is_count != (gather->intervals_count > 0) &&
        gather->intervals_count + gather->logins_count + gather->pending_count > 0) {
        return ls_error_set_at(err, sink->path, (int)sink->line, 0,
                               "counts and single logins in one import: import them apart");
    }
    if (sink->order == LS_DATE_UNKNOWN && event->stamp.tells != LS_DATE_UNKNOWN) {
        code = settle(gather, event->stamp.tells, err);
    }
    if (code != LS_OK) {
        return code;
    }
    if (sink->order == LS_DATE_UNKNOWN && event->stamp.swappable && event->is_count) {
        return ls_error_set_at(err, sink->path, (int)sink->line, 0, NO_ORDER,
                               event->stamp.civil.day, event->stamp.civil.month);
    }
    if (event->is_count) {
        return add_interval(gather, event, err);
    }
    return sink->order == LS_DATE_UNKNOWN && (event->stamp.swappable || gather->pending_count > 0)
               ? wait(gather, event, who, err)
               : add_login(gather, &event->stamp, who, err);
}

/* The local day from midnight to midnight. */
static enum ls_code find_day(struct gather *gather, const char *day, struct ls_error *err)
{
    struct ls_civil to = {0};
    struct stamp stamp;
    int64_t moments_ns[2];
    char text[32];
    const char *why;

    (void)snprintf(text, sizeof text, "%s 00:00:00", day);
    if (strlen(day) != strlen("2026-11-30") || day[4] != '-' ||
        stamp_read(&stamp, text, strlen(text), LS_DATE_UNKNOWN, &why) != strlen(text) ||
        ls_zone_moments(gather->zone, &stamp.civil, moments_ns) < 0) {
        return ls_error_set(err, LS_EUSAGE, "--day: \"%.40s\" is no day like 2026-11-30", day);
    }
    gather->day_from_ns = moments_ns[0];
    ls_civil_of_days(ls_civil_days(stamp.civil.year, stamp.civil.month, stamp.civil.day) + 1,
                     &to.year, &to.month, &to.day);
    if (ls_zone_moments(gather->zone, &to, moments_ns) < 0) {
        return ls_error_set(err, LS_EUSAGE, "--day: \"%.40s\" is too far away", day);
    }
    gather->day_to_ns = moments_ns[0];
    gather->has_day = true;
    return LS_OK;
}

enum ls_code gather_init(struct gather *gather, const struct ls_import_wish *wish,
                         struct ls_import_summary *summary, struct ls_error *err)
{
    enum ls_code code;

    *gather = (struct gather){
        .sink = {.event = take_event,
                 .skip = told_skip,
                 .note = told_note,
                 .wish = wish,
                 .order = wish->date_order},
        .summary = summary,
        .zone_told = wish->timezone != NULL,
        .last_skip = LS_SKIPS_MAX,
    };
    code = people_init(&gather->people, err);
    if (code == LS_OK) {
        code = ls_zone_new(&gather->zone, gather->zone_told ? wish->timezone : "UTC", err);
    }
    if (code == LS_OK && wish->day != NULL) {
        code = find_day(gather, wish->day, err);
    }
    if (code != LS_OK) {
        gather_free(gather);
        return code;
    }
    stamper_init(&gather->stamper, gather->zone_told ? gather->zone : NULL, wish);
    return LS_OK;
}

void gather_free(struct gather *gather)
{
    people_free(&gather->people);
    ls_zone_free(gather->zone);
    gather->zone = NULL;
    free(gather->logins);
    free(gather->intervals);
    free(gather->pending);
    gather->logins = NULL;
    gather->intervals = NULL;
    gather->pending = NULL;
}

void gather_begin(struct gather *gather, const char *path, int64_t written_ns)
{
    gather->sink.path = path;
    gather->sink.line = 0;
    gather->sink.record = 0;
    gather->sink.broken = (struct ls_error){0};
    gather->sink.must_size = 0;
    gather->has_latest = false;
    stamper_begin(&gather->stamper, written_ns);
}

enum ls_code gather_end(struct gather *gather, struct ls_error *err)
{
    gather->summary->lines += gather->sink.record > 0 ? gather->sink.record : gather->sink.line;
    if (gather->pending_count > 0) {
        return no_order(gather, err);
    }
    return LS_OK;
}
