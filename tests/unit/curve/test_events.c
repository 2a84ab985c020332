/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Events as XML that is cut, broken, hostile or in another encoding. What whole logs hold is in
 * test_formats.c. */
#include "curve/events.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define EVENT(id, second, user)                                                                    \
    "<Event xmlns='http://schemas.microsoft.com/win/2004/08/events/event'><System><Provider "      \
    "Name='" EVENTS_SECURITY "'/><EventID>" id "</EventID><TimeCreated SystemTime='2026-11-30T"    \
    "08:00:" second ".0000000Z'/><Channel>Security</Channel></System><EventData><Data "            \
    "Name='TargetUserName'>" user "</Data><Data Name='LogonType'>10</Data></EventData></Event>"
#define LOGON(second) EVENT("4624", second, "u" second)
#define BREAKS "makes no sense"

struct take {
    size_t count;
    char users[512];
};

static enum ls_code take(void *data, const struct slice values[EVENT_FIELDS], struct ls_error *err)
{
    struct take *taken = data;
    const struct slice user = values[EVENT_OWN];
    const size_t size = strlen(taken->users);

    (void)err;
    taken->count++;
    assert_true(size + user.size + 2 < sizeof taken->users);
    memcpy(taken->users + size, user.at, user.size);
    memcpy(taken->users + size + user.size, ";", 2);
    return LS_OK;
}

static void skip_event(struct sink *sink, const char *reason, const char *text, size_t size)
{
    (void)sink;
    (void)text;
    (void)size;
    fail_msg("skipped: %s", reason);
}

/* Reads it in pieces of so many bytes; sink->broken says how it ended. */
static enum ls_code read_in(struct take *taken, struct sink *sink, const char *bytes, size_t size,
                            size_t piece, struct ls_error *err)
{
    static const char *const own[] = {"TargetUserName", NULL};
    struct events *events = malloc(sizeof *events);
    enum ls_code code;

    assert_non_null(events);
    *taken = (struct take){0};
    *sink = (struct sink){.path = "log.xml", .skip = skip_event};
    code = events_init(events, sink, own, take, taken, err);
    for (size_t at = 0; at < size && code == LS_OK && sink->broken.code == LS_OK; at += piece) {
        code = events_feed(events, bytes + at, size - at < piece ? size - at : piece, err);
    }
    if (code == LS_OK) {
        code = events_end(events, err);
    }
    events_free(events);
    free(events);
    return code;
}

static void what_came_before_a_break_counts_whatever_the_pieces(void **state)
{
    static const struct {
        const char *text;
        const char *users;  /* read before */
        const char *broken; /* NULL: whole */
        int line;
        const char *why;
    } rows[] = {
        {LOGON("01") LOGON("02"), "u01;u02;", NULL, 0, "no root"},
        {"<Events>" LOGON("01") "</Events><Events>" LOGON("02") "</Events>", "u01;u02;", NULL, 0,
         "two roots"},
        {"<?xml version='1.0' encoding='utf-16'?>\n" LOGON("01") "\n<?xml version='1.0'?>\n" LOGON(
             "02"),
         "u01;u02;", NULL, 0, "two declarations, the first of an encoding that it has no more"},
        {"", "", NULL, 0, "nothing"},
        {"\n \n", "", NULL, 0, "blanks"},
        {"<Events/>", "", NULL, 0, "no event"},
        {"<e:Event xmlns:e='urn:x'><e:EventData><e:Data Name='TargetUserName'>u01</e:Data>"
         "</e:EventData></e:Event>",
         "u01;", NULL, 0, "a prefix"},
        {LOGON("01") "\n" EVENT("4624", "02", "a &amp; &#x62;<![CDATA[<c>]]><!-- d -->"),
         "u01;a & b<c>;", NULL, 0, "entities, CDATA, a comment"},
        {EVENT("4624", "01", "<Data Name='TargetUserName'>u02</Data>x"), "u02x;", NULL, 0,
         "a field within itself"},
        {LOGON("01") "<Event><EventData><Data>u02</Data></EventData></Event>", "u01;;", NULL, 0,
         "a field without a name"},
        {EVENT("4624", "01", "u\x01\xe4\xc3\xa4\xff"), "u?\xc3\xa4\xc3\xa4\xc3\xbf;", NULL, 0,
         "a control character, and a code page amid UTF-8"},
        {"<Events>\n" LOGON("01") "\n" LOGON("02"), "u01;u02;", "breaks off before its end", 3,
         "an open root"},
        {LOGON("01") "\n<Event><System>", "u01;", "breaks off before its end", 2, "an open event"},
        {LOGON("01") "\n<Event><Sys", "u01;", "breaks off before its end", 2, "an open tag"},
        {LOGON("01") "\n<Ev", "u01;", "breaks off before its end", 2, "a tag outside of events"},
        {LOGON("01") "\n<!-- ", "u01;", "breaks off before its end", 2, "a comment"},
        {LOGON("01") "\n</Event>" LOGON("02"), "u01;", BREAKS, 2, "an end without a beginning"},
        {LOGON("01") "\n<Event></System></Event>", "u01;", BREAKS, 2, "another end"},
        {LOGON("01") "\n<Event a=1/>", "u01;", BREAKS, 2, "no quotes"},
        {LOGON("01") "\n<Event a='1' a='1'/>", "u01;", BREAKS, 2, "an attribute twice"},
        {LOGON("01") "\n" EVENT("4624", "02", "&lol9;"), "u01;", BREAKS, 2, "an unknown entity"},
        {LOGON("01") "\n<!ENTITY lol 'lol'>", "u01;", BREAKS, 2, "a declaration of one"},
        {LOGON("01") "\n</r>" LOGON("02"), "u01;", BREAKS, 2, "the end of our own root"},
    };
    static const size_t pieces[] = {1, 2, 3, 7, 64, 100000};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        for (size_t k = 0; k < sizeof pieces / sizeof pieces[0]; k++) {
            struct ls_error err = {0};
            struct sink sink;
            struct take taken;

            if (read_in(&taken, &sink, rows[i].text, strlen(rows[i].text), pieces[k], &err) !=
                LS_OK) {
                fail_msg("%s: %s", rows[i].why, err.text);
            }
            if (strcmp(taken.users, rows[i].users) != 0) {
                fail_msg("%s, in pieces of %zu: %s", rows[i].why, pieces[k], taken.users);
            }
            if ((sink.broken.code != LS_OK) != (rows[i].broken != NULL) ||
                (rows[i].broken != NULL && strstr(sink.broken.text, rows[i].broken) == NULL) ||
                sink.broken.line != rows[i].line) {
                fail_msg("%s, in pieces of %zu: %d: %s", rows[i].why, pieces[k], sink.broken.line,
                         sink.broken.text);
            }
            assert_int_equal(sink.record, taken.count);
        }
    }
}

static void a_doctype_is_refused_wherever_it_stands(void **state)
{
    static const char *const texts[] = {
        "<?xml version=\"1.0\"?>\n<!DOCTYPE Events [<!ENTITY lol \"lol\"><!ENTITY lol1 "
        "\"&lol;&lol;&lol;&lol;\">]>\n<Events>&lol1;</Events>",
        LOGON("01") "\n<!DOCTYPE Events SYSTEM \"file:///etc/passwd\">" LOGON("02"),
    };

    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        for (size_t piece = 1; piece < 400; piece += 133) {
            struct ls_error err = {0};
            struct sink sink;
            struct take taken;

            assert_int_equal(read_in(&taken, &sink, texts[i], strlen(texts[i]), piece, &err),
                             LS_EINPUT);
            assert_string_equal(err.text,
                                "it has a DOCTYPE, which no event log has: it is not read");
            assert_int_equal(err.line, 2);
        }
    }
}

static void a_word_like_doctype_in_a_field_is_a_word(void **state)
{
    static const char text[] = EVENT("4624", "01", "<![CDATA[<!DOCTYPE html>]]>");
    struct ls_error err = {0};
    struct sink sink;
    struct take taken;

    (void)state;
    assert_int_equal(read_in(&taken, &sink, text, strlen(text), 10, &err), LS_OK);
    assert_string_equal(taken.users, "<!DOCTYPE html>;");
}

/* "<a><a>..." and "<a b='xxx...", which would take memory without end. */
static void what_would_fill_memory_breaks_a_log_off(void **state)
{
    const size_t size = (size_t)3 * 1024 * 1024;
    char *deep = malloc(size);
    char *wide = malloc(size);
    struct ls_error err = {0};
    struct sink sink;
    struct take taken;

    (void)state;
    assert_non_null(deep);
    assert_non_null(wide);
    for (size_t i = 0; i < size; i++) {
        deep[i] = "<a>"[i % 3];
    }
    assert_int_equal(read_in(&taken, &sink, deep, size, SIZE_MAX / 2, &err), LS_OK);
    assert_non_null(strstr(sink.broken.text, "nested more than 32 deep"));
    memset(wide, 'x', size);
    memcpy(wide, LOGON("01") "<a b='", strlen(LOGON("01") "<a b='"));
    assert_int_equal(read_in(&taken, &sink, wide, size, SIZE_MAX / 2, &err), LS_OK);
    assert_non_null(strstr(sink.broken.text, "a tag or comment of more than 1 MiB"));
    assert_string_equal(taken.users, "u01;");
    memset(wide, 'x', size);
    memcpy(wide, "<Event>", strlen("<Event>"));
    assert_int_equal(read_in(&taken, &sink, wide, size, SIZE_MAX / 2, &err), LS_OK);
    assert_non_null(strstr(sink.broken.text, "breaks off before its end")); /* text is no tag */
    free(deep);
    free(wide);
}

/* With a mark or without, little or big end first; an odd byte at the end. */
static void utf_16_is_the_same_log(void **state)
{
    static const char text[] = "<Events>" LOGON("01") LOGON("02") "</Events>";
    static const size_t pieces[] = {1, 5, 100000};

    (void)state;
    for (unsigned form = 0; form < 8; form++) {
        const bool big = form & 1;
        char wide[2 * sizeof text + 8];
        size_t size = 0;

        if (form & 2) {
            wide[size++] = big ? '\xfe' : '\xff';
            wide[size++] = big ? '\xff' : '\xfe';
        }
        for (size_t i = 0; i < strlen(text); i++) {
            wide[size + !big] = '\0';
            wide[size + big] = text[i];
            size += 2;
        }
        wide[size] = '\0';
        size += form >> 2; /* half a character */
        for (size_t k = 0; k < sizeof pieces / sizeof pieces[0]; k++) {
            struct ls_error err = {0};
            struct sink sink;
            struct take taken;

            assert_int_equal(read_in(&taken, &sink, wide, size, pieces[k], &err), LS_OK);
            assert_string_equal(taken.users, "u01;u02;");
            assert_int_equal(sink.broken.code, LS_OK);
        }
        assert_int_equal(events_sniff(wide, size, EVENTS_SECURITY), 95);
        assert_int_equal(events_sniff(wide, size, EVENTS_GATEWAY), 0);
    }
}

static void surrogates_that_stand_alone_are_one_unknown_character(void **state)
{
    /* u, a high one, v, a low one, w, a pair */
    static const unsigned short units[] = {'u', 0xd801, 'v', 0xdc01, 'w', 0xd835, 0xdd04};
    static const char before[] = "<Event><EventData><Data Name='TargetUserName'>";
    static const char behind[] = "</Data></EventData></Event>";
    char wide[512];
    size_t size = 0;
    struct ls_error err = {0};
    struct sink sink;
    struct take taken;

    (void)state;
    for (size_t i = 0; i < strlen(before); i++) {
        wide[size++] = before[i];
        wide[size++] = '\0';
    }
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        wide[size++] = (char)(units[i] & 0xff);
        wide[size++] = (char)(units[i] >> 8);
    }
    for (size_t i = 0; i < strlen(behind); i++) {
        wide[size++] = behind[i];
        wide[size++] = '\0';
    }
    for (size_t piece = 1; piece < 5; piece++) {
        assert_int_equal(read_in(&taken, &sink, wide, size, piece, &err), LS_OK);
        assert_string_equal(taken.users, "u\xef\xbf\xbdv\xef\xbf\xbdw\xf0\x9d\x94\x84;");
    }
}

static void what_is_no_log_of_events_is_not_taken_for_one(void **state)
{
    static const struct {
        const char *head;
        int security, gateway;
        const char *why;
    } rows[] = {
        {LOGON("01"), 95, 0, "an event"},
        {" \r\n<?xml version='1.0'?><Events>" LOGON("01"), 95, 0, "blanks, a declaration, a root"},
        {"<Event><System><Provider Name='" EVENTS_GATEWAY "'/>" LOGON("01"), 0, 95,
         "of both: what comes first"},
        {"<Event><System><Provider Name='Microsoft-Windows-Eventlog'/>", 0, 0, "another log"},
        {"time,user," LOGON("01"), 0, 0, "a table with an event in it"},
        {"<134>Nov 30 08:00:00 host " EVENTS_SECURITY, 0, 0, "syslog"},
        {"<html>" EVENTS_GATEWAY "</html>", 0, 0, "a page"},
        {"", 0, 0, "nothing"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const size_t size = strlen(rows[i].head);

        if (events_sniff(rows[i].head, size, EVENTS_SECURITY) != rows[i].security ||
            events_sniff(rows[i].head, size, EVENTS_GATEWAY) != rows[i].gateway) {
            fail_msg("%s", rows[i].why);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_came_before_a_break_counts_whatever_the_pieces),
        cmocka_unit_test(a_doctype_is_refused_wherever_it_stands),
        cmocka_unit_test(a_word_like_doctype_in_a_field_is_a_word),
        cmocka_unit_test(what_would_fill_memory_breaks_a_log_off),
        cmocka_unit_test(utf_16_is_the_same_log),
        cmocka_unit_test(surrogates_that_stand_alone_are_one_unknown_character),
        cmocka_unit_test(what_is_no_log_of_events_is_not_taken_for_one),
    };

    return cmocka_run_group_tests_name("curve/events", tests, NULL, NULL);
}
