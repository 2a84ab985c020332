/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "curve/json_stream.h"

#include <string.h>

#define MARK "\xef\xbb\xbf"

void json_stream_init(struct json_stream *stream, struct sink *sink, json_take *take, void *data)
{
    memset(stream, 0, offsetof(struct json_stream, path));
    stream->sink = sink;
    stream->take = take;
    stream->data = data;
    sink->line = 1;
}

static void break_off(const struct json_stream *stream, const char *why)
{
    struct sink *sink = stream->sink;

    (void)ls_error_set_at(&sink->broken, sink->path, (int)sink->line, 0,
                          "its JSON is damaged: there is %s; nothing behind that is read", why);
}

static bool is_broken(const struct json_stream *stream)
{
    return stream->sink->broken.code != LS_OK;
}

static struct json_frame *top(struct json_stream *stream)
{
    return &stream->frames[stream->depth];
}

/* As much of it as there is room for: a way that is not whole is none that anybody looks for. */
static void add_to_path(struct json_stream *stream, const char *text, size_t size)
{
    const size_t room = JSON_PATH - stream->path_size;
    const size_t more = size < room ? size : room;

    memcpy(stream->path + stream->path_size, text, more);
    stream->path_size += more;
}

static enum ls_code give(struct json_stream *stream, enum json_kind kind, struct slice text,
                         struct ls_error *err)
{
    const struct json_frame *frame = top(stream);
    const struct json_item item = {
        .kind = kind,
        .path = {stream->path, stream->path_size},
        .index = frame->count,
        .text = text,
    };

    return stream->take(stream->data, &item, err);
}

/* Behind a value: back to the object or array that it is in. */
static void go_on(struct json_stream *stream)
{
    struct json_frame *frame = top(stream);

    frame->count++;
    stream->state = stream->depth == 0 ? JSON_AT_VALUE : JSON_AT_NEXT;
}

static enum ls_code open_frame(struct json_stream *stream, bool is_array, struct ls_error *err)
{
    enum ls_code code;

    if (stream->depth == JSON_DEPTH) {
        break_off(stream, "something nested deeper than 32 times");
        return LS_OK;
    }
    code = give(stream, is_array ? JSON_ARRAY : JSON_OBJECT, (struct slice){NULL, 0}, err);
    stream->frames[++stream->depth] =
        (struct json_frame){.is_array = is_array, .path_size = stream->path_size};
    if (is_array) {
        add_to_path(stream, "/*", 2);
    }
    stream->state = is_array ? JSON_AT_FIRST_VALUE : JSON_AT_FIRST_KEY;
    return code;
}

static enum ls_code close_frame(struct json_stream *stream, char c, struct ls_error *err)
{
    const struct json_frame *frame = top(stream);
    enum ls_code code;

    if (stream->depth == 0 || frame->is_array != (c == ']')) {
        break_off(stream, "a bracket that closes nothing");
        return LS_OK;
    }
    stream->path_size = frame->path_size;
    stream->depth--;
    code = give(stream, c == ']' ? JSON_ARRAY_END : JSON_OBJECT_END, (struct slice){NULL, 0}, err);
    go_on(stream);
    return code;
}

static void keep(struct json_stream *stream, const char *bytes, size_t size)
{
    const size_t room = JSON_TEXT - stream->text_size;
    const size_t more = size < room ? size : room;

    memcpy(stream->text + stream->text_size, bytes, more);
    stream->text_size += more;
}

/* A character as UTF-8. */
static void keep_character(struct json_stream *stream, unsigned c)
{
    char bytes[4];
    size_t size = 0;

    if (c < 0x80) {
        bytes[size++] = (char)c;
    } else {
        if (c < 0x800) {
            bytes[size++] = (char)(0xc0 | c >> 6);
        } else {
            if (c < 0x10000) {
                bytes[size++] = (char)(0xe0 | c >> 12);
            } else {
                bytes[size++] = (char)(0xf0 | c >> 18);
                bytes[size++] = (char)(0x80 | (c >> 12 & 0x3f));
            }
            bytes[size++] = (char)(0x80 | (c >> 6 & 0x3f));
        }
        bytes[size++] = (char)(0x80 | (c & 0x3f));
    }
    keep(stream, bytes, size);
}

/* The four digits behind \u are there: half a pair waits for the other half. */
static void keep_unit(struct json_stream *stream)
{
    const unsigned unit = stream->unit;

    if (unit >= 0xd800 && unit < 0xdc00) {
        stream->leading = unit;
    } else if (unit >= 0xdc00 && unit < 0xe000) {
        keep_character(stream, stream->leading == 0 ? 0xfffd
                                                    : 0x10000 + ((stream->leading - 0xd800) << 10) +
                                                          (unit - 0xdc00));
        stream->leading = 0;
    } else {
        stream->leading = 0;
        keep_character(stream, unit);
    }
}

/* One byte behind a backslash. */
static void take_escape(struct json_stream *stream, char c)
{
    static const char from[] = "\"\\/bfnrt";
    static const char to[] = "\"\\/\b\f\n\r\t";
    const char *at = memchr(from, c, sizeof from - 1);

    if (stream->escape == 1 && c == 'u') {
        stream->escape = 2;
        stream->unit = 0;
    } else if (stream->escape == 1 && at != NULL) {
        stream->escape = 0;
        keep(stream, to + (at - from), 1);
    } else if (stream->escape > 1 &&
               ((c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'f'))) {
        stream->unit = stream->unit * 16 + (unsigned)(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
        stream->escape++;
        if (stream->escape == 6) {
            stream->escape = 0;
            keep_unit(stream);
        }
    } else {
        break_off(stream, "a backslash in a string that escapes nothing");
    }
}

static enum ls_code give_string(struct json_stream *stream, struct slice text, struct ls_error *err)
{
    enum ls_code code;

    stream->text_size = 0;
    stream->leading = 0;
    if (stream->is_key) {
        stream->path_size = top(stream)->path_size;
        add_to_path(stream, "/", 1);
        add_to_path(stream, text.at, text.size);
        stream->state = JSON_AT_COLON;
        return LS_OK;
    }
    code = give(stream, JSON_STRING, text, err);
    go_on(stream);
    return code;
}

/* What is left of a string, or as much of it as has come; most lie whole where they are. */
static enum ls_code take_string(struct json_stream *stream, const char **at, const char *end,
                                struct ls_error *err)
{
    const char *from = *at;
    const char *stop = memchr(from, '"', (size_t)(end - from));
    const char *to = stop == NULL ? end : stop;

    if (stream->escape == 0) {
        const char *escape = memchr(from, '\\', (size_t)(to - from));

        if (escape == NULL && stop != NULL) {
            *at = stop + 1;
            if (stream->text_size == 0) {
                return give_string(stream, (struct slice){from, (size_t)(stop - from)}, err);
            }
            keep(stream, from, (size_t)(stop - from));
            return give_string(stream, (struct slice){stream->text, stream->text_size}, err);
        }
        to = escape == NULL ? to : escape;
        stream->leading = to > from ? 0 : stream->leading;
        keep(stream, from, (size_t)(to - from));
        stream->escape = escape != NULL;
        *at = escape == NULL ? to : to + 1;
        return LS_OK;
    }
    take_escape(stream, **at);
    (*at)++;
    return LS_OK;
}

static bool is_of_number(char c)
{
    return (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '+' || c == 'e' || c == 'E';
}

/* A number, true, false or null, now that it is whole. */
static enum ls_code give_word(struct json_stream *stream, struct slice text, struct ls_error *err)
{
    enum json_kind kind = JSON_NUMBER;
    enum ls_code code;
    size_t i = 0;

    if (slice_is(text, "null")) {
        kind = JSON_NULL;
        text.size = 0;
    } else if (slice_is(text, "true") || slice_is(text, "false")) {
        kind = JSON_BOOL;
    } else {
        while (i < text.size && is_of_number(text.at[i])) {
            i++;
        }
        if (i < text.size || text.size == JSON_TEXT) {
            break_off(stream, "a word that is no value");
            return LS_OK;
        }
    }
    code = give(stream, kind, text, err);
    stream->text_size = 0;
    go_on(stream);
    return code;
}

static enum ls_code take_word(struct json_stream *stream, const char **at, const char *end,
                              struct ls_error *err)
{
    const char *from = *at;
    const char *to = from;

    while (to < end && *to != ',' && *to != ']' && *to != '}' && *to != '\n' && *to != ' ' &&
           *to != '\r' && *to != '\t' && *to != ':' && *to != '"' && *to != '[' && *to != '{') {
        to++;
    }
    *at = to;
    if (to < end && stream->text_size == 0) {
        return give_word(stream, (struct slice){from, (size_t)(to - from)}, err);
    }
    keep(stream, from, (size_t)(to - from));
    return to == end ? LS_OK
                     : give_word(stream, (struct slice){stream->text, stream->text_size}, err);
}

/* Where a value begins. */
static enum ls_code begin_value(struct json_stream *stream, const char **at, struct ls_error *err)
{
    const char c = **at;

    if (c == ',' || c == ':' || c == ']' || c == '}') {
        break_off(stream, "no value where one should be");
        return LS_OK;
    }
    if (c == '{' || c == '[') {
        (*at)++;
        return open_frame(stream, c == '[', err);
    }
    stream->is_key = false;
    stream->state = c == '"' ? JSON_IN_STRING : JSON_IN_WORD;
    *at += c == '"';
    return LS_OK;
}

static enum ls_code take_mark(struct json_stream *stream, const char **at, struct ls_error *err)
{
    const char c = **at;

    switch (stream->state) {
    case JSON_AT_FIRST_VALUE:
    case JSON_AT_VALUE:
        if (c == ']' && stream->state == JSON_AT_FIRST_VALUE) {
            break;
        }
        return begin_value(stream, at, err);
    case JSON_AT_FIRST_KEY:
    case JSON_AT_KEY:
        if (c == '}' && stream->state == JSON_AT_FIRST_KEY) {
            break;
        }
        if (c != '"') {
            break_off(stream, "no key where one should be");
            return LS_OK;
        }
        stream->is_key = true;
        stream->state = JSON_IN_STRING;
        (*at)++;
        return LS_OK;
    case JSON_AT_COLON:
        if (c != ':') {
            break_off(stream, "a key without a colon");
        }
        stream->state = JSON_AT_VALUE;
        (*at)++;
        return LS_OK;
    default:
        if (c == ',') {
            stream->state = top(stream)->is_array ? JSON_AT_VALUE : JSON_AT_KEY;
            (*at)++;
            return LS_OK;
        }
        if (c != ']' && c != '}') {
            break_off(stream, "neither a comma nor a bracket behind a value");
            return LS_OK;
        }
        break;
    }
    (*at)++;
    return close_frame(stream, c, err);
}

/* Blanks, and between documents what pages that were put together have there: byte order marks, and
 * the mark of RFC 7464. */
static bool pass_blank(struct json_stream *stream, char c)
{
    if (stream->depth == 0 && c == MARK[stream->marks]) {
        stream->marks = (stream->marks + 1) % 3;
        return true;
    }
    if (stream->marks != 0) {
        return false;
    }
    stream->sink->line += c == '\n';
    return c == ' ' || c == '\n' || c == '\r' || c == '\t' || (stream->depth == 0 && c == '\x1e');
}

enum ls_code json_stream_feed(struct json_stream *stream, const char *bytes, size_t size,
                              struct ls_error *err)
{
    const char *end = bytes + size;
    enum ls_code code = LS_OK;

    while (bytes < end && code == LS_OK && !is_broken(stream)) {
        if (stream->state == JSON_IN_STRING) {
            code = take_string(stream, &bytes, end, err);
        } else if (stream->state == JSON_IN_WORD) {
            code = take_word(stream, &bytes, end, err);
        } else if (pass_blank(stream, *bytes)) {
            bytes++;
        } else if (stream->marks != 0) {
            break_off(stream, "something that is no text");
        } else {
            code = take_mark(stream, &bytes, err);
        }
    }
    return code;
}

enum ls_code json_stream_end(struct json_stream *stream, struct ls_error *err)
{
    struct sink *sink = stream->sink;

    if (is_broken(stream)) {
        return LS_OK;
    }
    if (stream->depth == 0 && stream->state == JSON_IN_WORD) {
        return give_word(stream, (struct slice){stream->text, stream->text_size}, err);
    }
    if (stream->depth > 0 || stream->state != JSON_AT_VALUE) {
        (void)ls_error_set_at(&sink->broken, sink->path, (int)sink->line, 0,
                              "it breaks off amid a JSON document");
    }
    return LS_OK;
}
