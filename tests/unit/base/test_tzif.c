/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/tzif.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "loginstorm/units.h"

void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);

static bool refuse_memory;

void *__wrap_malloc(size_t size)
{
    return refuse_memory ? NULL : __real_malloc(size);
}

struct change {
    int64_t at_s;
    unsigned char type;
};

/* A zone file by its parts. */
struct parts {
    char version;
    int leaps;
    int types_count;
    int32_t types_s[4];
    int changes_count;
    struct change changes[4];
    const char *footer;
};

static char bytes[1024];
static size_t size;

static void put(uint64_t value, size_t width)
{
    for (size_t i = width; i > 0; i--) {
        bytes[size++] = i > 8 ? '\0' : (char)(value >> (8 * (i - 1)) & 255);
    }
}

static void put_header(const struct parts *p, bool empty)
{
    memcpy(bytes + size, "TZif", 4);
    size += 4;
    put((uint64_t)p->version, 1);
    put(0, 15);
    put(0, 4);
    put(0, 4);
    put((uint64_t)(empty ? 0 : p->leaps), 4);
    put((uint64_t)(empty ? 0 : p->changes_count), 4);
    put((uint64_t)(empty ? 1 : p->types_count), 4);
    put(4, 4);
}

static void build(const struct parts *p)
{
    size = 0;
    put_header(p, true);
    put(0, 6);
    put(0, 4);
    put_header(p, false);
    for (int i = 0; i < p->changes_count; i++) {
        put((uint64_t)p->changes[i].at_s, 8);
    }
    for (int i = 0; i < p->changes_count; i++) {
        put(p->changes[i].type, 1);
    }
    for (int i = 0; i < p->types_count; i++) {
        put((uint32_t)p->types_s[i], 4);
        put(0, 2);
    }
    put(0x41424300, 4);
    for (int i = 0; i < p->leaps; i++) {
        put(0, 12);
    }
    memcpy(bytes + size, p->footer, strlen(p->footer));
    size += strlen(p->footer);
}

static const struct parts plain = {.version = '2',
                                   .types_count = 2,
                                   .types_s = {561, 3600},
                                   .changes_count = 1,
                                   .changes = {{-1000, 1}},
                                   .footer = "\nCET-1\n"};

static void a_file_is_its_changes_and_then_its_rule(void **state)
{
    struct parts p = plain;
    struct spans spans;
    struct ls_error err;

    (void)state;
    build(&p);
    assert_int_equal(tzif_read(&spans, bytes, size, &err), LS_OK);
    assert_int_equal(spans.count, 2);
    assert_true(spans.item[0].from_ns == INT64_MIN && spans.item[0].offset_s == 561);
    assert_true(spans.item[1].from_ns == -1000 * LS_NS_PER_S && spans.item[1].offset_s == 3600);
    free(spans.item);

    p.footer = "\nCET-1CEST,M3.5.0,M10.5.0/3\n";
    build(&p);
    assert_int_equal(tzif_read(&spans, bytes, size, &err), LS_OK);
    /* Two a year from 1970, for the change is on the last day of 1969; that of October 2262 is
     * beyond int64_t. */
    assert_int_equal(spans.count, 2 + 2 * 293 - 1);
    assert_true(spans.item[2].from_ns == 7520400 * LS_NS_PER_S && spans.item[2].offset_s == 7200);
    assert_true(spans.item[3].from_ns == 25664400 * LS_NS_PER_S && spans.item[3].offset_s == 3600);
    free(spans.item);
}

/* The end of 2025's summer, by a clock behind UTC, lies in UTC's 2026, as the last change does. */
static void a_change_of_a_year_that_lies_in_the_next_is_not_lost(void **state)
{
    struct parts p = plain;
    struct spans spans;
    struct ls_error err;

    (void)state;
    p.types_s[1] = -14400;
    p.changes[0].at_s = 1767227400; /* 2026-01-01T00:30:00Z */
    p.footer = "\nAAA5BBB,J100/0,J365/24\n";
    build(&p);
    assert_int_equal(tzif_read(&spans, bytes, size, &err), LS_OK);
    assert_true(spans.item[1].offset_s == -14400);
    assert_true(spans.item[2].from_ns == 1767240000 * LS_NS_PER_S);
    assert_true(spans.item[2].offset_s == -18000);
    free(spans.item);
}

static void a_rule_alone_holds_for_all_time(void **state)
{
    struct parts p = plain;
    struct spans spans;
    struct ls_error err;

    (void)state;
    p.changes_count = 0;
    build(&p);
    assert_int_equal(tzif_read(&spans, bytes, size, &err), LS_OK);
    assert_int_equal(spans.count, 1);
    assert_int_equal(spans.item[0].offset_s, 3600);
    free(spans.item);

    /* RFC 8536, 3.3.1: summer time all the year; its end is the next one's beginning. */
    p.footer = "\nEST5EDT,0/0,J365/25\n";
    build(&p);
    assert_int_equal(tzif_read(&spans, bytes, size, &err), LS_OK);
    for (size_t i = 1; i < spans.count; i++) {
        assert_int_equal(spans.item[i].offset_s, -14400);
    }
    free(spans.item);
}

static void a_file_without_a_rule_stays_as_it_was_last(void **state)
{
    struct parts p = plain;
    struct spans spans;
    struct ls_error err;

    (void)state;
    p.footer = "\n\n";
    build(&p);
    assert_int_equal(tzif_read(&spans, bytes, size, &err), LS_OK);
    assert_int_equal(spans.count, 2);
    assert_int_equal(spans.item[1].offset_s, 3600);
    free(spans.item);
}

static void changes_before_and_behind_all_nanoseconds_are_no_matter(void **state)
{
    struct parts p = plain;
    struct spans spans;
    struct ls_error err;

    (void)state;
    p.changes_count = 3;
    p.changes[0] = (struct change){-576460752303423488, 1}; /* the big bang, as zic writes it */
    p.changes[1] = (struct change){0, 0};
    p.changes[2] = (struct change){99999999999, 1};
    p.footer = "\nCET-1CEST,M3.5.0,M10.5.0/3\n";
    build(&p);
    assert_int_equal(tzif_read(&spans, bytes, size, &err), LS_OK);
    assert_int_equal(spans.count, 2);
    assert_true(spans.item[0].from_ns == INT64_MIN && spans.item[0].offset_s == 3600);
    assert_true(spans.item[1].from_ns == 0 && spans.item[1].offset_s == 561);
    free(spans.item);
}

static void refused(const struct parts *p, const char *text)
{
    struct spans spans;
    struct ls_error err = {0};

    build(p);
    assert_int_equal(tzif_read(&spans, bytes, size, &err), LS_EINPUT);
    assert_string_equal(err.text, text);
    assert_null(spans.item);
}

static void a_file_that_makes_no_sense_is_refused_with_a_word(void **state)
{
    struct parts p = plain;

    (void)state;
    p.version = '\0';
    refused(&p, "is of version 1, which ends in 2037");
    p = plain;
    p.leaps = 1;
    refused(&p, "counts leap seconds, which no log does");
    p = plain;
    p.changes[0].type = 2;
    refused(&p, "has a change to an unknown kind of time");
    p = plain;
    p.types_s[0] = OFFSET_LIMIT_S;
    refused(&p, "is more than a day away from UTC");
    p.types_s[0] = -OFFSET_LIMIT_S;
    refused(&p, "is more than a day away from UTC");
    p = plain;
    p.types_count = 0;
    p.changes_count = 0;
    refused(&p, "has no kind of time");
    p = plain;
    p.changes_count = 2;
    p.changes[1] = p.changes[0];
    refused(&p, "has changes out of order");
    p = plain;
    p.footer = "\nCET-1CEST\n";
    refused(&p, "has a rule for the years to come that makes no sense");
    p.footer = "CET-1\n";
    refused(&p, "breaks off");
}

static void a_file_that_breaks_off_anywhere_is_refused(void **state)
{
    struct spans spans;
    struct ls_error err;

    (void)state;
    build(&plain);
    for (size_t cut = 0; cut < size; cut++) {
        char *exact = malloc(cut + 1); /* for the address sanitizer to see its end */

        assert_non_null(exact);
        memcpy(exact + 1, bytes, cut);
        assert_int_equal(tzif_read(&spans, exact + 1, cut, &err), LS_EINPUT);
        assert_string_equal(err.text, cut < 44 ? "is no file of the tz database" : "breaks off");
        free(exact);
    }
}

static void counts_beyond_all_measure_are_refused(void **state)
{
    struct spans spans;
    struct ls_error err;

    (void)state;
    for (size_t at = 20; at < 44; at++) {
        build(&plain);
        bytes[at] = (char)255;
        assert_int_equal(tzif_read(&spans, bytes, size, &err), LS_EINPUT);
        build(&plain);
        bytes[54 + at] = (char)255;
        assert_int_equal(tzif_read(&spans, bytes, size, &err), LS_EINPUT);
    }
}

static void no_memory_is_said(void **state)
{
    struct spans spans;
    struct ls_error err = {0};

    (void)state;
    build(&plain);
    refuse_memory = true;
    assert_int_equal(tzif_read(&spans, bytes, size, &err), LS_ENOMEM);
    refuse_memory = false;
    assert_null(spans.item);
    assert_string_equal(err.text, "no memory for a time zone");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_is_its_changes_and_then_its_rule),
        cmocka_unit_test(a_change_of_a_year_that_lies_in_the_next_is_not_lost),
        cmocka_unit_test(a_rule_alone_holds_for_all_time),
        cmocka_unit_test(a_file_without_a_rule_stays_as_it_was_last),
        cmocka_unit_test(changes_before_and_behind_all_nanoseconds_are_no_matter),
        cmocka_unit_test(a_file_that_makes_no_sense_is_refused_with_a_word),
        cmocka_unit_test(a_file_that_breaks_off_anywhere_is_refused),
        cmocka_unit_test(counts_beyond_all_measure_are_refused),
        cmocka_unit_test(no_memory_is_said),
    };

    return cmocka_run_group_tests_name("base/tzif", tests, NULL, NULL);
}
