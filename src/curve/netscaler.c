/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * NetScaler's (Citrix ADC's) syslog:
 *
 *     Mar  7 08:59:45 <local0.info> 10.1.1.5 03/07/2026:07:59:45 GMT ns1 0-PPE-0 : default SSLVPN
 *         LOGIN 1234 0 : Context alice@192.0.2.10 - SessionId: 12 - User alice - Client_ip ...
 *     ... : default AAA LOGIN_FAILED 1235 0 : User bob - Client_ip 192.0.2.11 - Failure_reason "..."
 *
 * The body's clock wins over the prefix's, which has no year and no zone; but the prefix tells which
 * of the body's numbers is the month.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "curve/formats.h"
#include "curve/slice.h"

struct netscaler {
    struct sink *sink;
    bool failed_too;
};

static enum ls_code begin(void **state, struct sink *sink, struct ls_error *err)
{
    const char *count = sink->wish->count;
    struct netscaler *netscaler;

    if (count != NULL && strcmp(count, "ok") != 0 && strcmp(count, "all") != 0) {
        return ls_error_set(err, LS_EUSAGE, "--count: \"%.40s\" is none of ok, all", count);
    }
    netscaler = calloc(1, sizeof *netscaler);
    if (netscaler == NULL) {
        return ls_error_set(err, LS_ENOMEM, "no memory to read a log");
    }
    netscaler->sink = sink;
    netscaler->failed_too = count != NULL && strcmp(count, "all") == 0;
    if (netscaler->failed_too) {
        (void)snprintf(sink->counted, sizeof sink->counted,
                       "logins (SSLVPN, AAA), failed ones too; a user is a user name");
    }
    *state = netscaler;
    return LS_OK;
}

static bool is_digit_pair(const char *at)
{
    return at[0] >= '0' && at[0] <= '9' && at[1] >= '0' && at[1] <= '9';
}

/* 03/07/2026:07:59:45 */
static const char *find_clock(struct slice line)
{
    const char *end = line.at + line.size;
    const char *at = line.at;

    while (at < end && (at = memchr(at, '/', (size_t)(end - at))) != NULL) {
        if (at - line.at >= 2 && end - at >= 17 && at[3] == '/' && is_digit_pair(at - 2) &&
            is_digit_pair(at + 1) && is_digit_pair(at + 4) && at[8] == ':') {
            return at - 2;
        }
        at++;
    }
    return NULL;
}

/* What the prefix says of the date, a day's difference allowed for the zones' sake. */
static enum ls_import_order order_by_prefix(struct slice line, const struct stamp *body)
{
    struct stamp prefix;
    const char *why;
    const int first = body->civil.day; /* as it is read while the order is not known */
    const int second = body->civil.month;

    if (stamp_read(&prefix, line.at, line.size, LS_DATE_UNKNOWN, &why) == 0 ||
        prefix.civil.month == 0 || prefix.is_utc_ns) {
        return LS_DATE_UNKNOWN;
    }
    if (prefix.civil.month == first && abs(prefix.civil.day - second) <= 1) {
        return LS_DATE_MONTH_DAY;
    }
    if (prefix.civil.month == second && abs(prefix.civil.day - first) <= 1) {
        return LS_DATE_DAY_MONTH;
    }
    return LS_DATE_UNKNOWN;
}

static const char *read_time(const struct netscaler *netscaler, struct slice line,
                             struct stamp *stamp)
{
    const char *at = find_clock(line);
    const char *why = NULL;
    enum ls_import_order order = netscaler->sink->order;

    if (at == NULL) {
        return "no time stamp";
    }
    if (stamp_read(stamp, at, (size_t)(line.at + line.size - at), order, &why) == 0) {
        return why;
    }
    if (order == LS_DATE_UNKNOWN && stamp->swappable) {
        order = order_by_prefix(line, stamp);
        if (order != LS_DATE_UNKNOWN) {
            (void)stamp_read(stamp, at, (size_t)(line.at + line.size - at), order, &why);
            stamp->tells = order;
            stamp->swappable = false;
        }
    }
    return NULL;
}

/* "SSLVPN LOGIN 1234 0 :": whether it is one that counts, or why not. */
static const char *refuse(const struct netscaler *netscaler, struct slice line)
{
    static const char word[] = " LOGIN";
    static const char *const modules[] = {" SSLVPN", " AAATM", " AAA"};
    const char *at = memmem(line.at, line.size, word, sizeof word - 1);
    const char *end = line.at + line.size;
    bool known = false;

    if (at == NULL) {
        return "another message";
    }
    for (size_t i = 0; i < sizeof modules / sizeof modules[0]; i++) {
        const size_t size = strlen(modules[i]);

        known =
            known || ((size_t)(at - line.at) >= size && memcmp(at - size, modules[i], size) == 0);
    }
    at += sizeof word - 1;
    if (!known || at == end) {
        return "another message";
    }
    if (*at == ' ') {
        return NULL;
    }
    if (!slice_begins((struct slice){at, (size_t)(end - at)}, "_FAILED ")) {
        return "another message";
    }
    return netscaler->failed_too ? NULL : "a login that failed";
}

/* "User alice - ", else "Context alice@192.0.2.10 - ". */
static struct slice find_user(struct slice line)
{
    static const struct {
        const char *before, *behind;
    } forms[] = {{" User ", " - "}, {" Context ", "@"}};

    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        const char *at = memmem(line.at, line.size, forms[i].before, strlen(forms[i].before));
        const char *from = at == NULL ? NULL : at + strlen(forms[i].before);
        const size_t size = from == NULL ? 0 : (size_t)(line.at + line.size - from);
        const char *to =
            from == NULL ? NULL : memmem(from, size, forms[i].behind, strlen(forms[i].behind));

        if (to != NULL) {
            return (struct slice){from, (size_t)(to - from)};
        }
    }
    return (struct slice){NULL, 0};
}

static enum ls_code take_line(void *state, const char *line, size_t size, struct ls_error *err)
{
    struct netscaler *netscaler = state;
    struct sink *sink = netscaler->sink;
    const struct slice text = {line, size};
    struct event event = {.count = 1};
    struct slice user;
    const char *why;

    if (size == 0) {
        return LS_OK;
    }
    why = refuse(netscaler, text);
    why = why == NULL ? read_time(netscaler, text, &event.stamp) : why;
    if (why != NULL) {
        sink->skip(sink, why, line, size);
        return LS_OK;
    }
    user = find_user(text);
    event.who = user.at;
    event.who_size = user.size;
    return sink->event(sink, &event, err);
}

/* Its clock, and a packet engine or one of its modules. */
static int sniff(const char *head, size_t size)
{
    static const char *const marks[] = {"-PPE-", " SSLVPN ", " AAA ", " AAATM "};
    struct slice rest = {head, size};
    int lines = 0;
    int good = 0;

    while (rest.at != NULL && lines < 50) {
        const struct slice line = slice_cut(&rest, '\n');
        bool marked = false;

        if (line.size == 0 || (rest.at == NULL && lines > 0)) {
            continue;
        }
        lines++;
        for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
            marked = marked || memmem(line.at, line.size, marks[i], strlen(marks[i])) != NULL;
        }
        good += marked && find_clock(line) != NULL ? 1 : 0;
    }
    return lines == 0 ? 0 : good * 97 / lines;
}

const struct format format_netscaler = {
    .word = "netscaler",
    .text = "syslog of NetScaler (Citrix ADC)",
    .counts = "logins (SSLVPN, AAA) that succeeded; a user is a user name",
    .words = "ok (default), all (failed ones too: they cost a TLS handshake as well)",
    .sniff = sniff,
    .begin = begin,
    .line = take_line,
    .free = free,
};
