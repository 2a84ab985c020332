/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A log of each format in its true shape, with its traps, and exactly the logins that it holds. */
#include "curve/formats.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "unit/curve/logs.h"

static const struct log logs[] = {
    {"nginx: a user name or else an address, TLS bytes, an error log's line, a line cut short",
     "nginx.log",
     {.timezone = "Europe/Paris", .url = "POST /login"},
     "web",
     {"2026-11-10T07:25:48Z,3", "2026-11-10T07:25:49Z,1", "2026-11-10T07:25:51Z,2",
      "2026-11-10T07:31:02Z,1", "2026-11-10T07:31:05Z,4"},
     {"1 another method", "1 status 4xx", "3 another URL", "1 status 5xx", "1 no such day",
      "1 not in the log's layout"},
     4,
     1},
    {"nginx: every request, failed ones too",
     "nginx.log",
     {.timezone = "Europe/Paris", .count = "all"},
     "web",
     {"2026-11-10T07:25:43Z,1", "2026-11-10T07:25:48Z,5", "2026-11-10T07:25:49Z,2",
      "2026-11-10T07:25:49Z,3", "2026-11-10T07:25:51Z,4", "2026-11-10T07:31:02Z,2",
      "2026-11-10T07:31:03Z,6", "2026-11-10T07:31:05Z,7"},
     {"1 TLS bytes, sent to a plain port", "1 no request", "1 no such day",
      "2 not in the log's layout"},
     7,
     1},
    {"Apache: combined and common lines in one, quotes escaped with a backslash",
     "apache.log",
     {.url = "POST /RDWeb/Pages"},
     "web",
     {"2026-11-30T07:58:20Z,1", "2026-11-30T07:58:21Z,2", "2026-11-30T07:58:24Z,2"},
     {"1 another method", "1 another URL", "1 status 4xx"},
     2,
     0},
    {"nginx's own words: full TLS handshakes alone, to the millisecond",
     "custom.log",
     {.log_format = "log_format tls '$msec $remote_addr $ssl_protocol $ssl_session_reused '\n"
                    "               '$remote_user \"$request\" $status';",
      .count = "full"},
     NULL,
     {"2026-11-30T08:27:47.123Z,1", "2026-11-30T08:27:49.5Z,2"},
     {"1 a resumed TLS session", "1 no TLS", "1 status 4xx"},
     2,
     0},
    {"HAProxy: the bracket's time, written at the end; failed handshakes, TCP, a server's state",
     "haproxy.log",
     {.timezone = "Europe/Paris", .url = "/login"},
     "haproxy",
     {"2026-11-06T07:14:13.002Z,2", "2026-11-06T07:14:14.655Z,1", "2026-11-06T07:14:18.9Z,3"},
     {"1 a TLS handshake that failed", "1 no request", "1 status 4xx", "1 another URL",
      "1 a TCP connection, not a request", "1 not in the log's layout"},
     3,
     1},
    {"HAProxy: full TLS handshakes alone",
     "haproxy.log",
     {.timezone = "Europe/Paris", .count = "full"},
     "haproxy",
     {"2026-11-06T07:14:14.655Z,1", "2026-11-06T07:14:18.9Z,2"},
     {"1 a TLS handshake that failed", "1 a resumed TLS session", "1 no request", "1 status 4xx",
      "1 no word of a TLS session (httpslog has one)", "1 a TCP connection, not a request",
      "1 not in the log's layout"},
     2,
     0},
    {"IIS: UTC, fields that change amid the log, a day that only #Date has",
     "iis.log",
     {.timezone = "Europe/Paris", .url = "POST /RDWeb/Pages/en-US/login.aspx"},
     "iis",
     {"2026-11-30T08:31:09Z,1", "2026-11-30T08:31:10Z,2", "2026-11-30T09:00:04Z,3",
      "2026-11-30T09:00:05Z,4", "2026-11-30T09:00:07Z,3"},
     {"1 another method", "1 status 4xx", "1 fewer fields than #Fields says"},
     4,
     0},
    {"NetScaler: the body's clock, whose order the prefix tells, across midnight too",
     "netscaler.log",
     {.timezone = "Europe/Paris"},
     "netscaler",
     {"2026-03-07T07:59:45Z,1", "2026-03-07T08:00:01Z,2", "2026-03-07T23:30:00Z,1"},
     {"1 a login that failed", "2 another message"},
     2,
     0},
    {"NetScaler: failed logins too",
     "netscaler.log",
     {.timezone = "Europe/Paris", .count = "all"},
     "netscaler",
     {"2026-03-07T07:59:45Z,1", "2026-03-07T07:59:46Z,2", "2026-03-07T08:00:01Z,2",
      "2026-03-07T23:30:00Z,1"},
     {"2 another message"},
     2,
     0},
    {"FreeRADIUS: its epoch less the delay, a record sent again, a session of another server",
     "freeradius.detail",
     {.timezone = "Europe/Paris"},
     "freeradius",
     {"2026-11-30T07:27:45Z,1", "2026-11-30T07:27:51Z,2", "2026-11-30T07:29:51Z,3",
      "2026-11-30T16:00:02Z,1"},
     {"1 a Start that was sent again", "1 Interim-Update", "1 Stop",
      "1 no time stamp in a form that is known"},
     3,
     0},
    {"Event Viewer: messages of many lines, twins, other types, machines, a local month's name",
     "event-viewer.csv",
     {.timezone = "Europe/Berlin"},
     "windows-csv",
     {"2026-03-12T07:00:00Z,3", "2026-03-13T14:09:10Z,1", "2026-03-13T14:09:12Z,2"},
     {"1 the elevated twin of a logon", "2 another logon type", "1 another event than 4624",
      "1 a machine's account",
      "1 \"M\303\244rz\" is German, not English: export the log with English month names, or with "
      "dates like 2026-11-30",
      "1 fewer fields than the first row says"},
     3,
     1},
    {"Event Viewer: unlocked sessions too",
     "event-viewer.csv",
     {.timezone = "Europe/Berlin", .count = "10,7", .day = "2026-03-13"},
     "windows-csv",
     {"2026-03-13T14:09:10Z,1", "2026-03-13T14:09:12Z,2", "2026-03-13T14:09:15Z,1"},
     {"1 the elevated twin of a logon", "1 another logon type", "1 another event than 4624",
      "1 a machine's account",
      "1 \"M\303\244rz\" is German, not English: export the log with English month names, or with "
      "dates like 2026-11-30",
      "1 another day", "1 fewer fields than the first row says"},
     2,
     0},
    {"wevtutil: no root, a line an event; the system, twins in part, other types, a failure, "
     "entities, stamps",
     "wevtutil.xml",
     {.timezone = "Europe/Paris"},
     "windows-xml",
     {"2026-11-30T07:58:12.9341912Z,1", "2026-11-30T07:58:15.1234567Z,2", "2026-11-30T07:58:16Z,3",
      "2026-11-30T07:58:17.5Z,4", "2026-11-30T07:58:21.9999999Z,5",
      "2026-11-30T07:58:22.123456789Z,5", "2026-11-30T07:58:23Z,6"},
     {"2 an event of another provider", "2 a logon of the system itself (type 0 or 5)",
      "4 another logon type", "1 the twin of an elevated logon that is counted",
      "1 another event than 4624", "1 a logon that failed (event 4625)", "1 a machine's account",
      "1 no time stamp", "1 a date without a time of day", "1 a field of more than 512 bytes"},
     6,
     1},
    {"wevtutil: every type with which somebody comes to a desk, Windows's own accounts left out",
     "wevtutil.xml",
     {.count = "all interactive"},
     "windows-xml",
     {"2026-11-30T07:58:12.9341912Z,1", "2026-11-30T07:58:15.1234567Z,2", "2026-11-30T07:58:16Z,3",
      "2026-11-30T07:58:17.5Z,4", "2026-11-30T07:58:19Z,1", "2026-11-30T07:58:21.9999999Z,5",
      "2026-11-30T07:58:22.123456789Z,5", "2026-11-30T07:58:23Z,6"},
     {"2 an event of another provider", "2 a logon of the system itself (type 0 or 5)",
      "2 another logon type", "1 the twin of an elevated logon that is counted",
      "1 another event than 4624", "1 a logon that failed (event 4625)", "1 a machine's account",
      "1 an account that Windows made for itself (DWM, UMFD)", "1 no time stamp",
      "1 a date without a time of day", "1 a field of more than 512 bytes"},
     6,
     1},
    {"wevtutil: network logons, nobody's left out",
     "wevtutil.xml",
     {.count = "3"},
     "windows-xml",
     {"2026-11-30T07:58:14Z,1"},
     {"2 an event of another provider", "13 another logon type",
      "2 a logon of the system itself (type 0 or 5)", "1 another event than 4624",
      "1 a logon that failed (event 4625)", "1 an anonymous logon",
      "1 a field of more than 512 bytes"},
     1,
     0},
    {"Event Viewer: a declaration, a root, all on a line, words for people; and another appended "
     "to it",
     "event-viewer.xml",
     {0},
     "windows-xml",
     {"2026-11-30T08:01:00.1111111Z,1", "2026-11-30T08:01:01.2222222Z,2",
      "2026-12-01T08:01:02.3333333Z,3"},
     {"1 another logon type"},
     3,
     0},
    {"ToXml in UTF-16: an event on many lines, characters beyond 16 bits",
     "toxml-utf16.xml",
     {0},
     "windows-xml",
     {"2026-11-30T08:02:00.1234567Z,2", "2026-11-30T08:02:01.7654321Z,1", "2026-11-30T08:02:02Z,3"},
     {"1 another event than 4624"},
     3,
     1},
    {"RD Gateway: HTTP and UDP of one connection, with an ActivityID and without; one of the "
     "Security log",
     "rd-gateway.xml",
     {.timezone = "Europe/Paris"},
     "rd-gateway",
     {"2026-11-30T07:59:02.1234567Z,1", "2026-11-30T07:59:03Z,2", "2026-11-30T07:59:07Z,2",
      "2026-11-30T07:59:08Z,3"},
     {"2 a connection authorised, not made yet (event 200)",
      "1 a resource authorised, not reached yet (event 300)",
      "3 another channel of a connection that is counted",
      "2 a connection that was refused or failed (event 201, 301 or 304)",
      "1 a connection's end (event 303)", "1 an event of another number",
      "1 an event of another provider"},
     3,
     0},
    {"RD Gateway: connections as they are authorised",
     "rd-gateway.xml",
     {.count = "200"},
     "rd-gateway",
     {"2026-11-30T07:59:01.0000001Z,1", "2026-11-30T07:59:04.5Z,2"},
     {"1 a resource authorised, not reached yet (event 300)", "7 a connection (event 302)",
      "2 a connection that was refused or failed (event 201, 301 or 304)",
      "1 a connection's end (event 303)", "1 an event of another number",
      "1 an event of another provider"},
     2,
     0},
    {"RD Gateway: resources as they are authorised",
     "rd-gateway.xml",
     {.count = "300"},
     "rd-gateway",
     {"2026-11-30T07:59:01.5Z,1"},
     {"2 a connection authorised, not made yet (event 200)", "7 a connection (event 302)",
      "2 a connection that was refused or failed (event 201, 301 or 304)",
      "1 a connection's end (event 303)", "1 an event of another number",
      "1 an event of another provider"},
     1,
     0},
    {"Export-Csv: a line of types first, the message before the time",
     "export-csv.csv",
     {.timezone = "Europe/Berlin"},
     "windows-csv",
     {"2026-03-13T14:09:10Z,1", "2026-03-13T14:09:12Z,2"},
     {"1 the elevated twin of a logon"},
     2,
     0},
    {"mysqldump: other tables, quotes of both kinds, NULL and zero times, an INSERT cut short",
     "mysqldump.sql",
     {.timezone = "Europe/Paris"},
     "radius-sql",
     {"2026-11-30T07:27:45Z,2", "2026-11-30T07:27:47Z,1", "2026-11-30T07:30:00Z,1",
      "2026-11-30T07:30:01Z,3"},
     {"1 another table, or one without acctstarttime", "2 no acctstarttime",
      "1 a row that is not whole"},
     3,
     1},
    {"pg_dump: other tables, stamps with a zone, nulls",
     "pg_dump.sql",
     {.timezone = "Europe/Paris"},
     "radius-sql",
     {"2026-11-30T07:27:47Z,1", "2026-11-30T07:27:47.5Z,2", "2026-11-30T07:28:00Z,"},
     {"1 another table, or one without acctstarttime", "1 no acctstarttime"},
     2,
     0},
    {"CSV: semicolons, quotes, rows of several lines, blank ends, times in other forms",
     "logins.csv",
     {.timezone = "Europe/Paris"},
     "csv",
     {"2026-11-02T07:01:03Z,2", "2026-11-13T07:01:02Z,1", "2026-11-13T07:01:05Z,",
      "2026-11-13T07:01:07Z,3", "2026-11-13T07:01:09Z,4"},
     {"1 a time stamp with something behind it", "1 no time stamp",
      "1 \"novembre\" is French or Italian, not English: export the log with English month names, "
      "or with dates like 2026-11-30",
      "1 a date without a time of day", "1 a quote that is not closed"},
     4,
     1},
    {"CSV: one day of it",
     "logins.csv",
     {.timezone = "Europe/Paris", .day = "2026-11-02"},
     "csv",
     {"2026-11-02T07:01:03Z,1"},
     {"4 another day", "1 a time stamp with something behind it", "1 no time stamp",
      "1 \"novembre\" is French or Italian, not English: export the log with English month names, "
      "or with dates like 2026-11-30",
      "1 a date without a time of day", "1 a quote that is not closed"},
     1,
     0},
    {"CSV: month before day, told by a 13th far behind; one row the other way round",
     "american.csv",
     {.timezone = "America/New_York"},
     "csv",
     {"2026-03-07T12:59:45Z,1", "2026-03-07T17:00:01Z,2", "2026-03-12T19:09:10Z,1",
      "2026-03-13T19:09:10Z,1"},
     {"1 day and month are the other way round than they should be"},
     2,
     0},
    {"CSV: counts from a time to the next, of the shortest interval where rows are missing",
     "counts.csv",
     {.timezone = "Europe/Paris"},
     "csv",
     {"2026-11-30T07:00:00Z,2026-11-30T07:01:00Z,12",
      "2026-11-30T07:01:00Z,2026-11-30T07:02:00Z,30", "2026-11-30T07:04:00Z,2026-11-30T07:05:00Z,7",
      "2026-11-30T07:06:00Z,2026-11-30T07:07:00Z,0"},
     {"1 no whole number as its count"},
     -1,
     0},
    {"tabs: counts with both ends of their intervals",
     "intervals.tsv",
     {.timezone = "UTC"},
     "csv",
     {"2026-11-30T07:00:00Z,2026-11-30T07:15:00Z,40",
      "2026-11-30T07:15:00Z,2026-11-30T07:20:00Z,3"},
     {"1 an interval that ends before it begins"},
     -1,
     0},
    {"JSON lines: keys in any order and within others, nulls, stamps of 1970 and 2106",
     "logins.jsonl",
     {0},
     "json",
     {"2026-11-30T07:42:09.5Z,3", "2026-11-30T07:42:10.1234Z,1", "2026-11-30T07:42:11Z,2",
      "2026-11-30T07:42:13Z,"},
     {"1 no time stamp", "1 no JSON object",
      "1 a time stamp before 1980, as of a clock that was not set",
      "1 a time stamp beyond the year 2099"},
     3,
     1},
};

static void every_format_gives_its_log_s_logins(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof logs / sizeof logs[0]; i++) {
        hold_to_log(&logs[i]);
    }
}

static char *head_of(const char *file, size_t *size)
{
    char path[512];
    char *head = malloc(64 * 1024);
    FILE *stream;

    assert_non_null(head);
    (void)snprintf(path, sizeof path, LOGS "%s", file);
    stream = fopen(path, "r");
    assert_non_null(stream);
    *size = fread(head, 1, 64 * 1024, stream);
    assert_int_equal(fclose(stream), 0);
    return head;
}

static void a_log_is_found_to_be_of_one_format_and_no_other(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof logs / sizeof logs[0]; i++) {
        const struct format *best = NULL;
        int sure = 0;
        size_t size;
        char *head;

        if (logs[i].format == NULL) {
            continue;
        }
        head = head_of(logs[i].file, &size);
        for (size_t k = 0; formats[k] != NULL; k++) {
            const int how = formats[k]->sniff(head, size);

            assert_in_range(how, 0, 100);
            if (how == sure && how > 0) {
                fail_msg("%s: %s and %s are as likely", logs[i].file, best->word, formats[k]->word);
            }
            best = how > sure ? formats[k] : best;
            sure = how > sure ? how : sure;
        }
        free(head);
        assert_non_null(best);
        assert_string_equal(best->word, logs[i].format);
    }
}

/* A format must not read behind the bytes that it was given, wherever they end. */
static void any_beginning_of_a_log_is_sniffed(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof logs / sizeof logs[0]; i++) {
        size_t size;
        char *head = head_of(logs[i].file, &size);

        for (size_t cut = 1; cut < size && cut < 600; cut++) {
            char *exact = malloc(cut);

            assert_non_null(exact);
            memcpy(exact, head, cut);
            for (size_t k = 0; formats[k] != NULL; k++) {
                assert_in_range(formats[k]->sniff(exact, cut), 0, 100);
            }
            free(exact);
        }
        free(head);
    }
}

static void every_format_has_what_help_says_of_it(void **unused)
{
    struct ls_import_format format;
    size_t count = 0;

    (void)unused;
    for (; ls_import_format(&format, count); count++) {
        assert_string_equal(format.word, formats[count]->word);
        assert_non_null(format.text);
        assert_true(strlen(format.text) < sizeof((struct ls_import_summary *)NULL)->format);
        assert_non_null(format.counts);
        assert_int_equal((formats[count]->line != NULL) + (formats[count]->feed != NULL) +
                             (formats[count]->pull != NULL),
                         1);
        assert_true(formats[count]->line == NULL || formats[count]->unit == NULL);
    }
    assert_null(formats[count]);
    assert_true(count >= 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_format_gives_its_log_s_logins),
        cmocka_unit_test(a_log_is_found_to_be_of_one_format_and_no_other),
        cmocka_unit_test(any_beginning_of_a_log_is_sniffed),
        cmocka_unit_test(every_format_has_what_help_says_of_it),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
