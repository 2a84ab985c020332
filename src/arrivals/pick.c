/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "arrivals/pick.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "loginstorm/units.h"

#define PATH_MAX_BYTES 4200
#define DAYS_LISTED 8
#define TIMEZONE_COLUMN 13 /* behind "# timezone: " */

void pick_free(struct pick *pick)
{
    ls_curve_free(pick->curve);
    ls_zone_free(pick->zone);
    free(pick->all);
    *pick = (struct pick){0};
}

static const char *weekday(int64_t day)
{
    static const char *const names[] = {"Thursday", "Friday",  "Saturday", "Sunday",
                                        "Monday",   "Tuesday", "Wednesday"};

    return names[((day % 7) + 7) % 7];
}

/* "2026-11-23 (5,120 logins), 2026-11-24 (4,988 logins) and 3 more". */
static void list_days(const struct cut_day *days, size_t count, char *out, size_t size)
{
    size_t used = 0;

    out[0] = '\0';
    for (size_t i = 0; i < count && i < DAYS_LISTED && used < size; i++) {
        char day[16], logins[32];

        cut_format_day(days[i].day, day);
        ls_format_count(days[i].logins, logins, sizeof logins);
        used += (size_t)snprintf(out + used, size - used, "%s%s (%s login%s)", i == 0 ? "" : ", ",
                                 day, logins, days[i].logins == 1 ? "" : "s");
    }
    if (count > DAYS_LISTED && used < size) {
        (void)snprintf(out + used, size - used, " and %zu more", count - DAYS_LISTED);
    }
}

static enum ls_code refuse_day(const struct ls_wave *wave, const struct cut_day *days, size_t count,
                               const char *path, const char *name, struct ls_error *err)
{
    char list[400];

    list_days(days, count, list, sizeof list);
    if (wave->day == NULL) {
        return ls_error_set(err, LS_EINPUT,
                            "%s: %.100s has several days, say day: worst, average or one of %s",
                            name, path, list);
    }
    return ls_error_set(err, LS_EINPUT, "%s: %.100s has no login in the window on %s, but on %s",
                        name, path, wave->day, list);
}

static enum ls_code choose(struct pick *pick, size_t count, const struct ls_wave *wave,
                           const char *path, const char *name, struct ls_error *err)
{
    size_t best = 0;

    if (wave->day == NULL && count > 1) {
        return refuse_day(wave, pick->all, count, path, name, err);
    }
    pick->days = pick->all;
    pick->count = count;
    if (wave->day == NULL || strcmp(wave->day, "average") == 0) {
        return LS_OK;
    }
    if (strcmp(wave->day, "worst") == 0) {
        for (size_t i = 1; i < count; i++) {
            best = pick->all[i].peak_logins > pick->all[best].peak_logins ? i : best;
        }
    } else {
        char day[16] = "";

        for (best = 0; best < count; best++) {
            cut_format_day(pick->all[best].day, day);
            if (strcmp(day, wave->day) == 0) {
                break;
            }
        }
        if (best == count) {
            return refuse_day(wave, pick->all, count, path, name, err);
        }
    }
    pick->days = &pick->all[best];
    pick->count = 1;
    return LS_OK;
}

/* A log's clock that knows whole seconds, or minutes, makes a crowd at each of them. */
static bool is_whole(const struct pick *pick, int64_t unit_ns)
{
    size_t logins = 0;

    for (size_t d = 0; pick->curve->exact && d < pick->count; d++) {
        const struct cut_day *day = &pick->days[d];

        for (size_t i = day->first; i < day->first + day->count; i++) {
            if (pick->curve->logins[i].utc_ns % unit_ns != 0) {
                return false;
            }
        }
        logins += day->count;
    }
    return logins > 1;
}

static void note_days(const struct pick *pick, const struct ls_wave *wave, size_t all, FILE *notes)
{
    int64_t logins = 0;
    char count[32], first[16], last[16], minute[16];

    for (size_t i = 0; i < pick->count; i++) {
        logins += pick->days[i].logins;
    }
    ls_format_count(logins, count, sizeof count);
    cut_format_day(pick->days[0].day, first);
    cut_format_day(pick->days[pick->count - 1].day, last);
    if (pick->count > 1) {
        (void)fprintf(
            notes,
            "recorded: %s, the average of %zu days with logins from %s to %s, %s logins in all\n",
            wave->curve, pick->count, first, last, count);
        return;
    }
    (void)fprintf(notes, "recorded: %s, %s %s, %s login%s\n", wave->curve,
                  weekday(pick->days[0].day), first, count, logins == 1 ? "" : "s");
    if (wave->day != NULL && strcmp(wave->day, "worst") == 0) {
        ls_format_clock(pick->days[0].peak_minute_ns, 0, minute, sizeof minute);
        (void)fprintf(notes, "that is the worst of %zu day%s: %.0f login%s in the minute of %s\n",
                      all, all == 1 ? "" : "s", pick->days[0].peak_logins,
                      pick->days[0].peak_logins < 1.5 ? "" : "s", minute);
    }
}

/* What is not played should not be thought to be. */
static void note_rest(const struct pick *pick, size_t all, FILE *notes)
{
    int64_t rest = ls_curve_total(pick->curve);
    char count[32];

    for (size_t i = 0; i < all; i++) {
        rest -= pick->all[i].logins;
    }
    if (rest > 0) {
        ls_format_count(rest, count, sizeof count);
        (void)fprintf(notes, "%s further login%s of the curve %s outside the window\n", count,
                      rest == 1 ? "" : "s", rest == 1 ? "lies" : "lie");
    }
}

static void note_clocks(const struct pick *pick, FILE *notes)
{
    if (strcmp(ls_zone_name(pick->zone), pick->curve->timezone) != 0) {
        (void)fprintf(notes, "the window is by the clocks of %s; the curve was recorded in %s\n",
                      ls_zone_name(pick->zone), pick->curve->timezone);
    }
    for (size_t i = 0; i < pick->count; i++) {
        const struct cut_day *day = &pick->days[i];
        char date[16], by[32];

        if (day->end_ns - day->start_ns == pick->window.window_ns) {
            continue;
        }
        cut_format_day(day->day, date);
        ls_format_duration(day->end_ns - day->start_ns, by, sizeof by);
        (void)fprintf(notes, "clocks change within the window on %s, which is %s long there%s\n",
                      date, by,
                      pick->count == 1 ? "; times of day are those of a clock that was not changed"
                                       : "; its logins count at the time that the clock showed");
    }
    if (is_whole(pick, LS_NS_PER_S)) {
        const char *unit = is_whole(pick, LS_NS_PER_MIN) ? "minute" : "second";

        (void)fprintf(notes,
                      "the log knew whole %ss: all logins of a %s start together at its beginning, "
                      "which people did not\n",
                      unit, unit);
    }
}

/* The scenario's, or else the curve's, which then is where a wrong one stands. */
static enum ls_code open_zone(struct pick *pick, const struct ls_scenario *scenario,
                              const char *path, struct ls_error *err)
{
    const struct ls_curve *curve = pick->curve;
    const char *name = scenario->timezone != NULL ? scenario->timezone : curve->timezone;
    enum ls_code code = ls_zone_new(&pick->zone, name, err);

    if (code == LS_EINPUT && strcmp(name, curve->timezone) == 0) {
        char text[sizeof err->text];

        (void)snprintf(text, sizeof text, "%s", err->text);
        code = ls_error_set_at(err, path, curve->timezone_line, TIMEZONE_COLUMN, "%s", text);
    }
    return code;
}

/* A run and the look at it before read the curve one after another: what is gone when it was read is
 * none for them, and what waits for a writer would keep them waiting. A missing one is told by who
 * opens it. */
static enum ls_code check_file(const char *path, const char *name, struct ls_error *err)
{
    struct stat info;

    if (stat(path, &info) != 0 || S_ISREG(info.st_mode)) {
        return LS_OK;
    }
    return ls_error_set(
        err, LS_EINPUT,
        "%s: the curve %s is %s, not a file: write the curve to a file and name that", name, path,
        S_ISFIFO(info.st_mode)  ? "a pipe"
        : S_ISDIR(info.st_mode) ? "a folder"
                                : "a device");
}

enum ls_code pick_days(struct pick *pick, const struct ls_scenario *scenario,
                       const struct ls_wave *wave, const char *name, FILE *notes,
                       struct ls_error *err)
{
    char path[PATH_MAX_BYTES];
    size_t all = 0;
    enum ls_code code;

    *pick = (struct pick){0};
    if (wave->curve == NULL || strcmp(wave->curve, "-") == 0) {
        return ls_error_set(err, LS_EINPUT, "%s: a recorded curve must be a file", name);
    }
    code = ls_scenario_path(scenario, wave->curve, path, sizeof path, err);
    if (code == LS_OK) {
        code = check_file(path, name, err);
    }
    if (code == LS_OK) {
        code = ls_curve_load(&pick->curve, path, err);
    }
    if (code == LS_OK) {
        code = open_zone(pick, scenario, path, err);
    }
    if (code == LS_OK) {
        pick->window = (struct cut_window){
            .zone = pick->zone,
            .from_ns = scenario->from_ns,
            .window_ns = scenario->window_ns,
        };
        code = cut_days(&pick->all, &all, pick->curve, &pick->window, path, err);
    }
    if (code == LS_OK) {
        code = choose(pick, all, wave, path, name, err);
    }
    if (code == LS_OK) {
        note_days(pick, wave, all, notes);
        note_rest(pick, all, notes);
        note_clocks(pick, notes);
    }
    if (code != LS_OK) {
        pick_free(pick);
    }
    return code;
}
