/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "curve/json_line.h"

#include <string.h>

struct reader {
    struct json_leaves *leaves;
    const char *at, *end;
};

static void pass_blanks(struct reader *r)
{
    while (r->at < r->end && (*r->at == ' ' || *r->at == '\t' || *r->at == '\r')) {
        r->at++;
    }
}

static bool take(struct reader *r, char c)
{
    pass_blanks(r);
    if (r->at == r->end || *r->at != c) {
        return false;
    }
    r->at++;
    return true;
}

/* Behind its first quote. */
static bool read_string(struct reader *r, struct slice *out)
{
    const char *from = r->at;

    while (r->at < r->end && *r->at != '"') {
        r->at += *r->at == '\\' && r->at + 1 < r->end ? 2 : 1;
    }
    if (r->at >= r->end) {
        return false;
    }
    *out = (struct slice){from, (size_t)(r->at - from)};
    r->at++;
    return true;
}

/* Whatever is in brackets, to their end. */
static bool pass_array(struct reader *r)
{
    size_t depth = 1;

    while (r->at < r->end && depth > 0) {
        struct slice text;
        const char c = *r->at++;

        if (c == '"' && !read_string(r, &text)) {
            return false;
        }
        depth += c == '[' || c == '{' ? 1 : 0;
        depth -= c == ']' || c == '}' ? 1 : 0;
    }
    return depth == 0;
}

/* A number, true, false or null. */
static bool read_word(struct reader *r, struct slice *out)
{
    const char *from = r->at;

    while (r->at < r->end && strchr(",}] \t\r", *r->at) == NULL) {
        r->at++;
    }
    *out = (struct slice){from, (size_t)(r->at - from)};
    if (slice_is(*out, "null")) {
        out->size = 0;
    }
    return r->at > from;
}

/* "outer.inner"; a way too long for the room is left out. */
static bool join(struct json_leaves *leaves, struct slice outer, struct slice inner,
                 struct slice *out)
{
    const size_t size = outer.size + 1 + inner.size;
    char *to = leaves->names + leaves->names_size;

    if (outer.size == 0) {
        *out = inner;
        return true;
    }
    if (leaves->names_size + size > sizeof leaves->names) {
        return false;
    }
    memcpy(to, outer.at, outer.size);
    to[outer.size] = '.';
    memcpy(to + outer.size + 1, inner.at, inner.size);
    leaves->names_size += size;
    *out = (struct slice){to, size};
    return true;
}

static bool read_object(struct reader *r, struct slice outer, int depth);

static bool read_value(struct reader *r, struct slice name, bool named, int depth)
{
    struct json_leaves *leaves = r->leaves;
    struct slice value = {NULL, 0};
    bool good;

    if (take(r, '{')) {
        if (depth == JSON_LINE_DEPTH || !named) {
            return pass_array(r);
        }
        return read_object(r, name, depth + 1);
    }
    if (take(r, '[')) {
        return pass_array(r);
    }
    good = take(r, '"') ? read_string(r, &value) : read_word(r, &value);
    if (good && named && leaves->count < PICKER_FIELDS) {
        leaves->fields[leaves->count++] = (struct field){name, value};
    }
    return good;
}

/* Behind its bracket. */
static bool read_object(struct reader *r, struct slice outer, int depth)
{
    if (take(r, '}')) {
        return true;
    }
    do {
        struct slice key, name = {NULL, 0};
        bool named;

        if (!take(r, '"') || !read_string(r, &key) || !take(r, ':')) {
            return false;
        }
        named = join(r->leaves, outer, key, &name);
        if (!read_value(r, name, named, depth)) {
            return false;
        }
    } while (take(r, ','));
    return take(r, '}');
}

bool json_line_read(struct json_leaves *leaves, struct slice line)
{
    struct reader r = {leaves, line.at, line.at + line.size};

    leaves->count = 0;
    leaves->names_size = 0;
    return take(&r, '{') && read_object(&r, (struct slice){NULL, 0}, 0);
}
