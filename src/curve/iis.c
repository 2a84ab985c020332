/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * IIS's W3C logs: a line `#Fields: date time ... c-ip ... sc-status`, then a request a line, whose
 * time is UTC. The fields may come again and change amid a log.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "curve/formats.h"
#include "curve/request.h"

#define FIELDS_MAX 64

enum column { DATE, TIME, METHOD, STEM, USER, ADDRESS, FORWARDED, STATUS, COLUMNS };

static const char *const names[COLUMNS] = {
    [DATE] = "date",
    [TIME] = "time",
    [METHOD] = "cs-method",
    [STEM] = "cs-uri-stem",
    [USER] = "cs-username",
    [ADDRESS] = "c-ip",
    [FORWARDED] = "X-Forwarded-For",
    [STATUS] = "sc-status",
};

struct iis {
    struct sink *sink;
    struct request_wish wish;
    bool has_fields;
    int places[COLUMNS]; /* -1: not there */
    char day[16];        /* of #Date, for logs without a field of it */
};

static void take_fields(struct iis *iis, struct slice fields)
{
    for (int column = 0; column < COLUMNS; column++) {
        iis->places[column] = -1;
    }
    for (int place = 0; fields.at != NULL;) {
        const struct slice name = slice_cut(&fields, ' ');

        if (name.size == 0) {
            continue;
        }
        for (int column = 0; column < COLUMNS; column++) {
            if (slice_is_like(name, names[column])) {
                iis->places[column] = place;
            }
        }
        place++;
    }
    iis->has_fields = true;
}

static void take_directive(struct iis *iis, struct slice line)
{
    static const char fields[] = "#Fields:", date[] = "#Date:";

    if (slice_begins(line, fields)) {
        take_fields(iis, slice_trim((struct slice){line.at + sizeof fields - 1,
                                                   line.size - (sizeof fields - 1)}));
    } else if (slice_begins(line, date)) {
        struct slice rest =
            slice_trim((struct slice){line.at + sizeof date - 1, line.size - (sizeof date - 1)});
        const struct slice day = slice_cut(&rest, ' ');

        (void)snprintf(iis->day, sizeof iis->day, "%.*s", day.size < 15 ? (int)day.size : 15,
                       day.at);
    }
}

static enum ls_code begin(void **state, struct sink *sink, struct ls_error *err)
{
    struct iis *iis = calloc(1, sizeof *iis);
    enum ls_code code;

    if (iis == NULL) {
        return ls_error_set(err, LS_ENOMEM, "no memory to read a log");
    }
    iis->sink = sink;
    code = request_wish_init(&iis->wish, sink, err);
    if (code == LS_OK && iis->wish.count == REQUEST_FULL) {
        code = ls_error_set(err, LS_EUSAGE, "--count full: IIS does not log TLS sessions");
    }
    if (code != LS_OK) {
        free(iis);
        return code;
    }
    request_counted(&iis->wish, sink, "its user name, else its address");
    request_note(&iis->wish, sink);
    *state = iis;
    return LS_OK;
}

/* Each column's value; what is "-" or not there is {NULL, 0}. False where fields are missing. */
static bool take_values(const struct iis *iis, struct slice line, struct slice values[COLUMNS])
{
    struct slice fields[FIELDS_MAX];
    int count = 0;

    while (line.at != NULL && count < FIELDS_MAX) {
        fields[count++] = slice_cut(&line, ' ');
    }
    for (int column = 0; column < COLUMNS; column++) {
        const int place = iis->places[column];

        values[column] = (struct slice){NULL, 0};
        if (place >= count) {
            return false;
        }
        if (place >= 0 && !slice_is(fields[place], "-")) {
            values[column] = fields[place];
        }
    }
    return true;
}

static const char *read_time(const struct iis *iis, const struct slice values[COLUMNS],
                             struct stamp *stamp)
{
    const struct slice day =
        values[DATE].at != NULL ? values[DATE] : (struct slice){iis->day, strlen(iis->day)};
    const char *why = NULL;
    char text[64];

    if (values[TIME].at == NULL || day.size == 0 || day.size > 16 || values[TIME].size > 20) {
        return "no time stamp";
    }
    (void)snprintf(text, sizeof text, "%.*s %.*sZ", (int)day.size, day.at, (int)values[TIME].size,
                   values[TIME].at);
    (void)stamp_read(stamp, text, strlen(text), LS_DATE_UNKNOWN, &why);
    return why;
}

static enum ls_code take_line(void *state, const char *line, size_t size, struct ls_error *err)
{
    struct iis *iis = state;
    struct sink *sink = iis->sink;
    struct slice values[COLUMNS];
    struct event event = {.count = 1};
    struct request request;
    struct slice who;
    const char *why;

    if (size == 0 || line[0] == '#') {
        take_directive(iis, (struct slice){line, size});
        return LS_OK;
    }
    if (!iis->has_fields || !take_values(iis, (struct slice){line, size}, values)) {
        sink->skip(sink,
                   iis->has_fields ? "fewer fields than #Fields says" : "no #Fields before it",
                   line, size);
        return LS_OK;
    }
    request =
        (struct request){.method = values[METHOD], .path = values[STEM], .status = values[STATUS]};
    why = request_refuse(&iis->wish, &request);
    why = why == NULL ? read_time(iis, values, &event.stamp) : why;
    if (why != NULL) {
        sink->skip(sink, why, line, size);
        return LS_OK;
    }
    who = values[USER].at != NULL        ? values[USER]
          : values[FORWARDED].at != NULL ? values[FORWARDED]
                                         : values[ADDRESS];
    event.who = who.at;
    event.who_size = who.size;
    return sink->event(sink, &event, err);
}

static int sniff(const char *head, size_t size)
{
    struct slice rest = {head, size};

    for (int lines = 0; lines < 10 && rest.at != NULL; lines++) {
        const struct slice line = slice_cut(&rest, '\n');

        if (slice_begins(line, "#Fields: ") && memmem(line.at, line.size, "time", 4) != NULL) {
            return slice_begins((struct slice){head, size}, "#Software: Microsoft") ? 98 : 90;
        }
    }
    return 0;
}

const struct format format_iis = {
    .word = "iis",
    .text = "IIS's W3C log",
    .counts = "requests with a status below 400",
    .words = "ok (status below 400), all (whatever the status)",
    .takes_url = true,
    .sniff = sniff,
    .begin = begin,
    .line = take_line,
    .free = free,
};
