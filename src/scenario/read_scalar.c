/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenario/field.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "loginstorm/near.h"
#include "loginstorm/units.h"
#include "scenario/scalar.h"
#include "scenario/text.h"

const char *ls_kind_form(enum ls_kind kind)
{
    switch (kind) {
    case LS_KIND_INTEGER:
        return "a whole number in digits, like 6000";
    case LS_KIND_NUMBER:
        return "a number, like 1.5";
    case LS_KIND_SHARE:
        return "a share, like 0.4 or 40%";
    case LS_KIND_DURATION:
    case LS_KIND_SPREAD:
        return "a duration, like 250us, 5ms, 10s, 2m, 1h or 1m30s";
    case LS_KIND_SIZE:
        return "a size, like 900B, 6kB, 6KiB or 1MB";
    case LS_KIND_RATE:
        return "a rate, like 5/s, 240/min or 900/h";
    case LS_KIND_CLOCK:
    case LS_KIND_MOMENT:
    case LS_KIND_WINDOW_END:
        return "a time of day, like 08:30 or 08:30:15";
    case LS_KIND_SWITCH:
        return "yes or no";
    case LS_KIND_DATE:
        return "a date, like 2026-12-31";
    default:
        return "a single value";
    }
}

bool ls_read_scalar(struct ls_reading *reading, const struct ls_node *node, const char *form)
{
    if (node->kind != LS_NODE_SCALAR) {
        ls_complain(reading, node->place, "wants %s, not %s", form,
                    node->kind == LS_NODE_LIST ? "a list" : "keys and values");
        return false;
    }
    if (node->length == 0) {
        ls_complain(reading, node->place, "is empty; write %s", form);
        return false;
    }
    if (strlen(node->text) != node->length) {
        ls_complain(reading, node->place, "a NUL character does not belong here");
        return false;
    }
    return true;
}

static bool complain_form(struct ls_reading *reading, const struct ls_node *node, enum ls_kind kind)
{
    char shown[LS_SHOWN_MAX];

    ls_complain(reading, node->place, "\"%s\" is not %s", ls_show(node->text, shown),
                ls_kind_form(kind));
    return false;
}

bool ls_read_integer(struct ls_reading *reading, const struct ls_node *node, int64_t low,
                     int64_t high, int64_t *out)
{
    char shown[LS_SHOWN_MAX];
    const char *digits;
    int64_t value = 0;
    bool fits;

    if (!ls_read_scalar(reading, node, ls_kind_form(LS_KIND_INTEGER))) {
        return false;
    }
    digits = node->text + (*node->text == '-' || *node->text == '+');
    if (*digits == '\0' || strspn(digits, "0123456789") != strlen(digits)) {
        return complain_form(reading, node, LS_KIND_INTEGER);
    }
    fits = ls_scalar_integer(node->text, &value);
    if (!fits || value < low || value > high) {
        ls_complain(reading, node->place, "%s is out of range (%" PRId64 " to %" PRId64 ")",
                    ls_show(node->text, shown), low, high);
        return false;
    }
    *out = value;
    return true;
}

bool ls_read_switch(struct ls_reading *reading, const struct ls_node *node, bool *out)
{
    return ls_read_scalar(reading, node, ls_kind_form(LS_KIND_SWITCH)) &&
           (ls_scalar_switch(node->text, out) || complain_form(reading, node, LS_KIND_SWITCH));
}

static bool parse_amount(enum ls_kind kind, const char *text, int64_t *out)
{
    switch (kind) {
    case LS_KIND_SIZE:
        return ls_scalar_size(text, out);
    case LS_KIND_CLOCK:
    case LS_KIND_MOMENT:
    case LS_KIND_WINDOW_END:
        return ls_scalar_clock(text, out);
    default:
        return ls_scalar_duration(text, out);
    }
}

/* From a time of day to an offset from the window's start. */
static bool into_window(struct ls_reading *reading, const struct ls_node *node, int64_t *at)
{
    const struct ls_scenario *s = reading->scenario;
    char shown[LS_SHOWN_MAX];
    char from[LS_SCALAR_MAX];
    char to[LS_SCALAR_MAX];
    int64_t offset;

    if (!reading->window_known) {
        return false; /* the window's own complaint is enough */
    }
    offset = *at - s->from_ns;
    if (offset < 0) {
        offset += LS_NS_PER_DAY;
    }
    if (offset > s->window_ns) {
        ls_scalar_write_clock(s->from_ns, from);
        ls_scalar_write_clock((s->from_ns + s->window_ns) % LS_NS_PER_DAY, to);
        ls_complain(reading, node->place, "%s is outside the window %s-%s",
                    ls_show(node->text, shown), from, to);
        return false;
    }
    *at = offset;
    return true;
}

static bool in_range(struct ls_reading *reading, const struct ls_node *node,
                     const struct ls_field *field, int64_t value)
{
    const int64_t high = field->high > 0 ? field->high : LS_NS_PER_DAY;
    char shown[LS_SHOWN_MAX];
    char a[LS_SCALAR_MAX];
    char b[LS_SCALAR_MAX];

    if (value >= field->low && value <= high) {
        return true;
    }
    if (field->kind == LS_KIND_SIZE) {
        ls_scalar_write_size(field->low, a);
        ls_scalar_write_size(high, b);
    } else {
        ls_format_duration(field->low, a, sizeof a);
        ls_format_duration(high, b, sizeof b);
    }
    ls_complain(reading, node->place, "%s is out of range (%s to %s)", ls_show(node->text, shown),
                a, b);
    return false;
}

bool ls_read_amount(struct ls_reading *reading, const struct ls_node *node,
                    const struct ls_field *field, int64_t *out)
{
    int64_t value = 0;

    if (!ls_read_scalar(reading, node, ls_kind_form(field->kind))) {
        return false;
    }
    if (!parse_amount(field->kind, node->text, &value)) {
        return complain_form(reading, node, field->kind);
    }
    if (field->kind == LS_KIND_MOMENT) {
        if (!into_window(reading, node, &value)) {
            return false;
        }
    } else if (field->kind != LS_KIND_CLOCK && field->kind != LS_KIND_WINDOW_END &&
               !in_range(reading, node, field, value)) {
        return false;
    }
    *out = value;
    return true;
}

static void write_number(enum ls_kind kind, double value, char out[LS_SCALAR_MAX])
{
    if (kind == LS_KIND_SHARE) {
        ls_scalar_write_share(value, out);
    } else if (kind == LS_KIND_RATE) {
        ls_scalar_write_rate(value, out);
    } else {
        ls_scalar_write_number(value, out);
    }
}

bool ls_read_number(struct ls_reading *reading, const struct ls_node *node, enum ls_kind kind,
                    double least, double most, double *out)
{
    char shown[LS_SHOWN_MAX];
    char a[LS_SCALAR_MAX];
    char b[LS_SCALAR_MAX];
    double value = 0;
    bool good;

    if (!ls_read_scalar(reading, node, ls_kind_form(kind))) {
        return false;
    }
    good = kind == LS_KIND_SHARE  ? ls_scalar_share(node->text, &value)
           : kind == LS_KIND_RATE ? ls_scalar_rate(node->text, &value)
                                  : ls_scalar_number(node->text, &value);
    if (!good) {
        return complain_form(reading, node, kind);
    }
    if (!(value >= least && value <= most)) {
        write_number(kind, least, a);
        write_number(kind, most, b);
        ls_complain(reading, node->place, "%s is out of range (%s to %s)",
                    ls_show(node->text, shown), a, b);
        return false;
    }
    *out = value;
    return true;
}

/* Control characters (which move a terminal's cursor), and what YAML takes for a line break. */
static bool is_line_of_text(const char *text)
{
    for (; *text != '\0'; text++) {
        const unsigned char byte = (unsigned char)*text;
        const unsigned char follows = (unsigned char)text[1];

        if (byte < 0x20 || byte == 0x7f || (byte == 0xc2 && follows < 0xa0) ||
            strncmp(text, "\xe2\x80\xa8", 3) == 0 || strncmp(text, "\xe2\x80\xa9", 3) == 0) {
            return false;
        }
    }
    return true;
}

char *ls_read_text(struct ls_reading *reading, const struct ls_node *node)
{
    if (!ls_read_scalar(reading, node, "a text")) {
        return NULL;
    }
    if (!is_line_of_text(node->text)) {
        ls_complain(reading, node->place, "must be one line of text without control characters");
        return NULL;
    }
    return ls_reading_text(reading, node->text);
}

int ls_read_word(struct ls_reading *reading, const struct ls_node *node, const char *const *words)
{
    char shown[LS_SHOWN_MAX];
    char known[320] = "";
    const char *nearest;
    size_t used = 0;
    size_t count = 0;

    if (!ls_read_scalar(reading, node, "a word")) {
        return -1;
    }
    for (; words[count] != NULL; count++) {
        if (strcmp(words[count], node->text) == 0) {
            return (int)count;
        }
        if (used < sizeof known) {
            const int n = snprintf(known + used, sizeof known - used, "%s%s", count > 0 ? ", " : "",
                                   words[count]);

            used += n > 0 ? (size_t)n : 0;
        }
    }
    /* Of versions and the like the list says enough. */
    nearest = node->text[0] > '9' ? ls_nearest(node->text, words, count) : NULL;
    ls_complain(reading, node->place, "unknown word \"%s\"%s%s%s (known: %s)",
                ls_show(node->text, shown), nearest != NULL ? ", did you mean \"" : "",
                nearest != NULL ? nearest : "", nearest != NULL ? "\"?" : "", known);
    return -1;
}
