/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <inttypes.h>
#include <string.h>

#include "loginstorm/units.h"
#include "scenario/scalar.h"
#include "scenario/writing.h"

#define NOTES_COLUMN 44

static void write_map(struct ls_writing *w, const struct ls_map *map, const void *record,
                      int indent, bool in_list);

static int64_t integer_of(const struct ls_field *field, const void *record)
{
    const void *at = ls_field_in(field, record);
    int64_t wide = 0;
    int narrow = 0;
    bool truth = false;

    if (field->size == sizeof wide) {
        memcpy(&wide, at, sizeof wide);
        return wide;
    }
    if (field->size == sizeof narrow) {
        memcpy(&narrow, at, sizeof narrow);
        return narrow;
    }
    if (field->size == sizeof truth) {
        memcpy(&truth, at, sizeof truth);
        return truth;
    }
    return 0; /* a word that is not stored: there is but one */
}

static double number_of(const struct ls_field *field, const void *record)
{
    double number;

    memcpy(&number, ls_field_in(field, record), sizeof number);
    return number;
}

static const void *pointer_of(const struct ls_field *field, const void *record)
{
    const void *pointer;

    memcpy(&pointer, ls_field_in(field, record), sizeof pointer);
    return pointer;
}

static size_t words_in(const char *const *words)
{
    size_t n = 0;

    while (words[n] != NULL) {
        n++;
    }
    return n;
}

/* Whether a field holds something that was given or defaulted; what was left out is not written. */
static bool has_value(const struct ls_field *field, const void *record)
{
    switch (field->kind) {
    case LS_KIND_TEXT:
    case LS_KIND_DATE:
    case LS_KIND_ZONE:
    case LS_KIND_ADDRESSES:
        return pointer_of(field, record) != NULL;
    case LS_KIND_WORDS: {
        const char *const *list = pointer_of(field, record);

        return list != NULL && list[0] != NULL;
    }
    case LS_KIND_WORD:
        return (size_t)integer_of(field, record) < words_in(field->words);
    case LS_KIND_INTEGER:
    case LS_KIND_DURATION:
    case LS_KIND_SIZE:
        return integer_of(field, record) >= field->low;
    case LS_KIND_NUMBER:
    case LS_KIND_SHARE:
    case LS_KIND_RATE:
        return number_of(field, record) >= field->least;
    case LS_KIND_MAP:
        return field->map->given == NULL || field->map->given(ls_field_in(field, record));
    case LS_KIND_LIST:
    case LS_KIND_ONE_OR_MORE:
        return ls_field_count(field, record) > 0;
    default:
        return ls_special_has_value(field, record);
    }
}

static void write_words(struct ls_writing *w, const char *const *list)
{
    ls_put(w, "[");
    for (size_t i = 0; list[i] != NULL; i++) {
        if (i > 0) {
            ls_put(w, ", ");
        }
        ls_put_text(w, list[i]);
    }
    ls_put(w, "]");
}

static void write_scalar(struct ls_writing *w, const struct ls_field *field, const void *record)
{
    char text[LS_SCALAR_MAX] = "";

    switch (field->kind) {
    case LS_KIND_WORD:
        ls_put(w, field->words[integer_of(field, record)]);
        return;
    case LS_KIND_SWITCH:
        ls_put(w, integer_of(field, record) != 0 ? "yes" : "no");
        return;
    case LS_KIND_INTEGER:
        (void)snprintf(text, sizeof text, "%" PRId64, integer_of(field, record));
        break;
    case LS_KIND_NUMBER:
        ls_scalar_write_number(number_of(field, record), text);
        break;
    case LS_KIND_SHARE:
        ls_scalar_write_share(number_of(field, record), text);
        break;
    case LS_KIND_RATE:
        ls_scalar_write_rate(number_of(field, record), text);
        break;
    case LS_KIND_DURATION:
        ls_format_duration(integer_of(field, record), text, sizeof text);
        break;
    case LS_KIND_SIZE:
        ls_scalar_write_size(integer_of(field, record), text);
        break;
    case LS_KIND_CLOCK:
        ls_scalar_write_clock(integer_of(field, record), text);
        break;
    default: /* LS_KIND_MOMENT */
        ls_write_moment(w, integer_of(field, record));
        return;
    }
    ls_put(w, text);
}

static void write_value(struct ls_writing *w, const struct ls_field *field, const void *record)
{
    switch (field->kind) {
    case LS_KIND_TEXT:
    case LS_KIND_DATE:
    case LS_KIND_ZONE:
        ls_put_text(w, pointer_of(field, record));
        break;
    case LS_KIND_ADDRESSES:
    case LS_KIND_WORDS:
        write_words(w, pointer_of(field, record));
        break;
    case LS_KIND_WORD:
    case LS_KIND_SWITCH:
    case LS_KIND_INTEGER:
    case LS_KIND_NUMBER:
    case LS_KIND_SHARE:
    case LS_KIND_RATE:
    case LS_KIND_DURATION:
    case LS_KIND_SIZE:
    case LS_KIND_CLOCK:
    case LS_KIND_MOMENT:
        write_scalar(w, field, record);
        break;
    default:
        ls_write_special(w, field, record);
        break;
    }
}

static void end_line(struct ls_writing *w, const struct ls_field *field)
{
    if (w->notes) {
        const int gap = w->column < NOTES_COLUMN ? NOTES_COLUMN - w->column : 2;

        (void)fprintf(w->stream, "%*s# %s", gap, "", field->doc);
    }
    (void)fputc('\n', w->stream);
    w->column = 0;
}

static void write_field(struct ls_writing *w, const struct ls_field *field, const void *record,
                        int indent)
{
    const size_t count = field->kind == LS_KIND_LIST || field->kind == LS_KIND_ONE_OR_MORE
                             ? ls_field_count(field, record)
                             : 0;
    const unsigned char *items;

    ls_put(w, field->key);
    if (field->kind == LS_KIND_MAP) {
        ls_put(w, ":");
        end_line(w, field);
        write_map(w, field->map, ls_field_in(field, record), indent + 2, false);
        return;
    }
    ls_put(w, ":");
    if (count == 0) {
        ls_put(w, " ");
        write_value(w, field, record);
        end_line(w, field);
        return;
    }
    end_line(w, field);
    items = pointer_of(field, record);
    if (field->kind == LS_KIND_ONE_OR_MORE && count == 1) {
        write_map(w, field->map, items, indent + 2, false);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        write_map(w, field->map, items + i * field->item_size, indent + 4, true);
    }
}

/* Of an outside gateway the default stands for the target's own name. */
static bool is_name_of_target(const struct ls_writing *w, const struct ls_field *field,
                              const void *record)
{
    return !w->scenario->gateway.embedded && field->kind == LS_KIND_TEXT &&
           field->fallback != NULL && strcmp(field->fallback, LS_SERVER_NAME_DEFAULT) == 0 &&
           strcmp(pointer_of(field, record), field->fallback) == 0;
}

static void note_name_of_target(const struct ls_writing *w, int indent)
{
    if (w->notes) {
        (void)fprintf(
            w->stream,
            "%*s# server_name: left out, users ask for the target's host, and for no name "
            "where that is an address\n",
            indent, "");
    }
}

static void write_map(struct ls_writing *w, const struct ls_map *map, const void *record,
                      int indent, bool in_list)
{
    bool first = true;

    for (size_t i = 0; i < map->count; i++) {
        const struct ls_field *field = &map->fields[i];

        if (!ls_field_applies(map, field, record) || !has_value(field, record)) {
            continue;
        }
        if (is_name_of_target(w, field, record)) {
            note_name_of_target(w, indent);
            continue;
        }
        for (int n = in_list && first ? 2 : 0; n < indent; n++) {
            ls_put(w, " ");
        }
        if (in_list && first) {
            ls_put(w, "- ");
        }
        first = false;
        write_field(w, field, record, indent);
    }
}

enum ls_code ls_scenario_write(const struct ls_scenario *scenario, bool with_notes, FILE *stream,
                               struct ls_error *err)
{
    struct ls_writing w = {.stream = stream, .notes = with_notes, .scenario = scenario};

    write_map(&w, &ls_scenario_map, scenario, 0, false);
    if (fflush(stream) != 0 || ferror(stream)) {
        return ls_error_set_errno(err, LS_EWRITE, "the scenario cannot be written");
    }
    return LS_OK;
}
