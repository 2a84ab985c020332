/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_CURVE_JSON_STREAM_H
#define LOGINSTORM_CURVE_JSON_STREAM_H

/*
 * JSON documents, one after another, in whatever pieces they come -> a call for each value, with the
 * way to it. Constant memory: of a string no more than JSON_TEXT bytes are kept, of a way no more
 * than JSON_PATH, and what is nested deeper than JSON_DEPTH breaks off. json_line.h reads objects
 * of a line each, which is how a log has them; here a document may be one line of gigabytes.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "curve/format.h"
#include "curve/slice.h"

#define JSON_TEXT 4096
#define JSON_PATH 512
#define JSON_DEPTH 32

enum json_kind {
    JSON_OBJECT,
    JSON_OBJECT_END,
    JSON_ARRAY,
    JSON_ARRAY_END,
    JSON_STRING, /* without its escapes */
    JSON_NUMBER, /* as it is written */
    JSON_BOOL,
    JSON_NULL,
};

struct json_item {
    enum json_kind kind;
    struct slice
        path;      /* "/value/" and a star for any place of an array, and "/LogOnStartDate"; of the
                          document itself "" */
    int64_t index; /* in the array or object that it is in, from 0 */
    struct slice text; /* of a string, number or truth */
};

typedef enum ls_code json_take(void *data, const struct json_item *item, struct ls_error *err);

struct json_frame {
    bool is_array;
    size_t path_size; /* of the object or array itself */
    int64_t count;    /* values of an array so far */
};

enum json_state {
    JSON_AT_VALUE,
    JSON_AT_FIRST_VALUE, /* or the array's end */
    JSON_AT_FIRST_KEY,   /* or the object's end */
    JSON_AT_KEY,
    JSON_AT_COLON,
    JSON_AT_NEXT, /* a comma or an end */
    JSON_IN_STRING,
    JSON_IN_WORD,
};

struct json_stream {
    struct sink *sink; /* its line is kept, and its broken is set */
    json_take *take;
    void *data;
    enum json_state state;
    bool is_key;      /* the string */
    int escape;       /* 0: none; 1: behind a backslash; 2 to 5: the digits of \u */
    unsigned unit;    /* that the digits have given so far */
    unsigned leading; /* the first half of a surrogate pair, or 0 */
    int marks;        /* bytes of a byte order mark between documents */
    size_t depth, path_size, text_size;
    struct json_frame frames[JSON_DEPTH + 1]; /* the first is of the documents themselves */
    char path[JSON_PATH];
    char text[JSON_TEXT];
};

void json_stream_init(struct json_stream *stream, struct sink *sink, json_take *take, void *data);

/* What take returns, else LS_OK: bytes that are no JSON set sink->broken. */
LS_MUST_CHECK
enum ls_code json_stream_feed(struct json_stream *stream, const char *bytes, size_t size,
                              struct ls_error *err);

/* After the last byte: a document that is not whole sets sink->broken. */
LS_MUST_CHECK
enum ls_code json_stream_end(struct json_stream *stream, struct ls_error *err);

/* Whether an item is at this way. */
static inline bool json_is_at(const struct json_item *item, const char *path)
{
    return slice_is(item->path, path);
}

#endif
