/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "loginstorm/zone.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/tzif.h"
#include "base/zone_names.h"
#include "loginstorm/file.h"
#include "loginstorm/units.h"

#define ZONE_FILE_MAX ((size_t)256 * 1024)

struct ls_zone {
    struct spans spans;
    char name[ZONE_NAME_MAX];
};

/* A name goes into a path, and into the header of a curve file. */
static bool is_name(const char *name)
{
    return name[0] != '\0' && name[0] != '/' && strlen(name) < ZONE_NAME_MAX &&
           strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_+-/") ==
               strlen(name) &&
           /* What this machine's clock shows, or a template: no place that another would know. */
           strcmp(name, "localtime") != 0 && strcmp(name, "posixrules") != 0;
}

static enum ls_code read_spans(struct spans *spans, const char *name, struct ls_error *err)
{
    char path[4096];
    char *bytes = NULL;
    size_t size = 0;
    struct ls_error wrong = {0};
    enum ls_code code = LS_ENOINPUT;

    if (is_name(name) &&
        snprintf(path, sizeof path, "%s/%s", zone_folder(), name) < (int)sizeof path) {
        code = ls_file_read(path, ZONE_FILE_MAX, &bytes, &size, &wrong);
    }
    if (code == LS_OK && (size < 4 || memcmp(bytes, "TZif", 4) != 0)) {
        code = LS_ENOINPUT; /* zone1970.tab and its like */
    }
    if (code == LS_OK) {
        code = tzif_read(spans, bytes, size, &wrong);
    }
    free(bytes);
    if (code == LS_OK) {
        return LS_OK;
    }
    if (code == LS_ENOINPUT) {
        return zone_unknown(name, err);
    }
    if (code == LS_ENOMEM) {
        return ls_error_set(err, code, "%s", wrong.text);
    }
    return ls_error_set(err, LS_EINPUT, "timezone %s: %s %s", name, path, wrong.text);
}

static enum ls_code utc_spans(struct spans *spans, struct ls_error *err)
{
    spans->item = malloc(sizeof *spans->item);
    if (spans->item == NULL) {
        return ls_error_set(err, LS_ENOMEM, "no memory for a time zone");
    }
    spans->item[0] = (struct span){INT64_MIN, 0};
    spans->count = 1;
    return LS_OK;
}

enum ls_code ls_zone_new(struct ls_zone **out, const char *name, struct ls_error *err)
{
    struct ls_zone *zone = calloc(1, sizeof *zone);
    enum ls_code code;

    *out = NULL;
    if (zone == NULL) {
        return ls_error_set(err, LS_ENOMEM, "no memory for a time zone");
    }
    code = strcmp(name, "UTC") == 0 ? utc_spans(&zone->spans, err)
                                    : read_spans(&zone->spans, name, err);
    if (code != LS_OK) {
        free(zone);
        return code;
    }
    (void)snprintf(zone->name, sizeof zone->name, "%s", name);
    *out = zone;
    return LS_OK;
}

void ls_zone_free(struct ls_zone *zone)
{
    if (zone != NULL) {
        free(zone->spans.item);
        free(zone);
    }
}

const char *ls_zone_name(const struct ls_zone *zone)
{
    return zone->name;
}

static size_t span_at(const struct spans *spans, int64_t utc_ns)
{
    size_t low = 0;
    size_t high = spans->count;

    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;

        if (spans->item[middle].from_ns <= utc_ns) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

void ls_zone_civil(const struct ls_zone *zone, int64_t utc_ns, struct ls_civil *civil,
                   int *offset_s)
{
    const int32_t offset = zone->spans.item[span_at(&zone->spans, utc_ns)].offset_s;
    int64_t s = utc_ns / LS_NS_PER_S;
    int64_t days;
    int of_day;

    civil->ns = (int32_t)(utc_ns % LS_NS_PER_S);
    if (civil->ns < 0) {
        civil->ns += (int32_t)LS_NS_PER_S;
        s--;
    }
    s += offset;
    days = (s >= 0 ? s : s - 86399) / 86400;
    of_day = (int)(s - days * 86400);
    ls_civil_of_days(days, &civil->year, &civil->month, &civil->day);
    civil->hour = of_day / 3600;
    civil->minute = of_day / 60 % 60;
    civil->second = of_day % 60;
    if (offset_s != NULL) {
        *offset_s = offset;
    }
}

int ls_zone_moments(const struct ls_zone *zone, const struct ls_civil *civil, int64_t utc_ns[2])
{
    const struct span *item = zone->spans.item;
    const int64_t most_ns = OFFSET_LIMIT_S * LS_NS_PER_S;
    int64_t local_ns;
    int64_t unchanged_ns = 0;
    int count = 0;

    if (!ls_civil_utc_ns(civil, &local_ns) || local_ns < INT64_MIN + most_ns ||
        local_ns > INT64_MAX - most_ns) {
        return -1;
    }
    /* Any clock that shows it does so within most_ns of the moment when UTC does. */
    for (size_t i = span_at(&zone->spans, local_ns - most_ns);
         i < zone->spans.count && item[i].from_ns <= local_ns + most_ns && count < 2; i++) {
        const int64_t moment_ns = local_ns - item[i].offset_s * LS_NS_PER_S;

        if (moment_ns < item[i].from_ns) {
            continue;
        }
        if (i + 1 == zone->spans.count || moment_ns < item[i + 1].from_ns) {
            utc_ns[count++] = moment_ns;
        } else {
            unchanged_ns = moment_ns;
        }
    }
    if (count == 0) {
        utc_ns[0] = unchanged_ns;
    }
    return count;
}
