/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/tzif.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/tzrule.h"
#include "loginstorm/units.h"
#include "loginstorm/zone.h"

#define HEADER_SIZE 44
#define FIRST_YEAR 1677
#define LAST_YEAR 2262
#define RULE_SPANS_MAX ((size_t)2 * (LAST_YEAR - FIRST_YEAR + 1))

struct header {
    uint64_t utc, standard, leaps, times, types, letters;
};

/* One data block: times, the number of a type for each, and the types. */
struct block {
    const unsigned char *times, *numbers, *types;
    size_t times_count, types_count;
};

static uint64_t big_endian(const unsigned char *at, size_t size)
{
    uint64_t value = 0;

    for (size_t i = 0; i < size; i++) {
        value = value << 8 | at[i];
    }
    return value;
}

static bool read_header(struct header *h, const unsigned char *at, size_t size)
{
    if (size < HEADER_SIZE || memcmp(at, "TZif", 4) != 0) {
        return false;
    }
    *h = (struct header){big_endian(at + 20, 4), big_endian(at + 24, 4), big_endian(at + 28, 4),
                         big_endian(at + 32, 4), big_endian(at + 36, 4), big_endian(at + 40, 4)};
    return true;
}

static uint64_t block_size(const struct header *h, uint64_t time_size)
{
    return h->times * (time_size + 1) + h->types * 6 + h->letters + h->leaps * (time_size + 4) +
           h->standard + h->utc;
}

static int32_t type_offset(const struct block *b, size_t number)
{
    return (int32_t)(uint32_t)big_endian(b->types + number * 6, 4);
}

static const char *check_block(const struct block *b, const struct header *h)
{
    if (h->leaps != 0) {
        return "counts leap seconds, which no log does";
    }
    if (b->types_count == 0 || b->types_count > 256) {
        return "has no kind of time";
    }
    for (size_t i = 0; i < b->types_count; i++) {
        if (type_offset(b, i) <= -OFFSET_LIMIT_S || type_offset(b, i) >= OFFSET_LIMIT_S) {
            return "is more than a day away from UTC";
        }
    }
    for (size_t i = 0; i < b->times_count; i++) {
        if (b->numbers[i] >= b->types_count) {
            return "has a change to an unknown kind of time";
        }
        if (i > 0 && (int64_t)big_endian(b->times + i * 8, 8) <=
                         (int64_t)big_endian(b->times + i * 8 - 8, 8)) {
            return "has changes out of order";
        }
    }
    return NULL;
}

/* The block of 64-bit times behind that of 32-bit ones, and the rule behind it. */
static const char *find_block(struct block *b, const char **rule, size_t *rule_size,
                              const char *bytes, size_t size)
{
    const unsigned char *at = (const unsigned char *)bytes;
    const unsigned char *end = at + size;
    const char *close;
    struct header h;

    if (!read_header(&h, at, size)) {
        return "is no file of the tz database";
    }
    if (at[4] < '2') {
        return "is of version 1, which ends in 2037";
    }
    if (block_size(&h, 4) > size - HEADER_SIZE) {
        return "breaks off";
    }
    at += HEADER_SIZE + block_size(&h, 4);
    if (!read_header(&h, at, (size_t)(end - at)) ||
        block_size(&h, 8) > (uint64_t)(end - at) - HEADER_SIZE) {
        return "breaks off";
    }
    at += HEADER_SIZE;
    *b = (struct block){at, at + h.times * 8, at + h.times * 9, (size_t)h.times, (size_t)h.types};
    at += block_size(&h, 8);
    close = end - at < 2 || *at != '\n' ? NULL : memchr(at + 1, '\n', (size_t)(end - at) - 1);
    if (close == NULL) {
        return "breaks off";
    }
    *rule = (const char *)at + 1;
    *rule_size = (size_t)(close - *rule);
    return check_block(b, &h);
}

/* A change at a time that int64_t cannot hold in ns is one that was always so, or never comes. */
static void put(struct spans *spans, int64_t at_s, int32_t offset_s)
{
    int64_t from_ns;
    struct span *last = &spans->item[spans->count - 1];

    if (__builtin_mul_overflow(at_s, LS_NS_PER_S, &from_ns)) {
        if (at_s < 0) {
            last->offset_s = offset_s;
        }
    } else if (from_ns <= last->from_ns) {
        last->offset_s = offset_s; /* two at once: the later rule counts */
    } else if (offset_s != last->offset_s) {
        spans->item[spans->count++] = (struct span){from_ns, offset_s};
    }
}

static void put_rule(struct spans *spans, const struct tzrule *rule, bool alone, int64_t after_s)
{
    int year = FIRST_YEAR;
    int month;
    int day;

    if (!rule->has_summer) {
        if (alone) {
            spans->item[0].offset_s = rule->standard_s;
        }
        return;
    }
    if (!alone && after_s / 86400 > ls_civil_days(FIRST_YEAR, 1, 1)) {
        if (after_s / 86400 > ls_civil_days(LAST_YEAR, 12, 31)) {
            return;
        }
        ls_civil_of_days(after_s / 86400, &year, &month, &day);
        year--; /* a change of a year may lie in the next one */
    }
    for (; year <= LAST_YEAR; year++) {
        struct tzrule_change changes[2];

        tzrule_year(rule, year, changes);
        for (int i = 0; i < 2; i++) {
            if (alone || changes[i].at_s > after_s) {
                put(spans, changes[i].at_s, changes[i].offset_s);
            }
        }
    }
}

enum ls_code tzif_read(struct spans *spans, const char *bytes, size_t size, struct ls_error *err)
{
    struct block b;
    struct tzrule rule;
    const char *rule_text = NULL;
    size_t rule_size = 0;
    const char *wrong = find_block(&b, &rule_text, &rule_size, bytes, size);
    int64_t last_s = INT64_MIN;

    *spans = (struct spans){0};
    if (wrong == NULL && rule_size > 0 && !tzrule_parse(&rule, rule_text, rule_size)) {
        wrong = "has a rule for the years to come that makes no sense";
    }
    if (wrong != NULL) {
        return ls_error_set(err, LS_EINPUT, "%s", wrong);
    }
    spans->item = malloc((1 + b.times_count + RULE_SPANS_MAX) * sizeof *spans->item);
    if (spans->item == NULL) {
        return ls_error_set(err, LS_ENOMEM, "no memory for a time zone");
    }
    spans->item[spans->count++] = (struct span){INT64_MIN, type_offset(&b, 0)};
    for (size_t i = 0; i < b.times_count; i++) {
        last_s = (int64_t)big_endian(b.times + i * 8, 8);
        put(spans, last_s, type_offset(&b, b.numbers[i]));
    }
    if (rule_size > 0) {
        put_rule(spans, &rule, b.times_count == 0, last_s);
    }
    return LS_OK;
}
