/* SPDX-License-Identifier: GPL-3.0-or-later */

/* JSON lines: an object a line, as many servers and collectors write them. */
#include <stdlib.h>

#include "curve/formats.h"
#include "curve/json_line.h"

struct json {
    struct sink *sink;
    struct picker picker;
    struct json_leaves leaves;
};

static enum ls_code begin(void **state, struct sink *sink, struct ls_error *err)
{
    struct json *json = malloc(sizeof *json);

    if (json == NULL) {
        return ls_error_set(err, LS_ENOMEM, "no memory to read JSON");
    }
    json->sink = sink;
    picker_init(&json->picker, sink, "objects");
    json->picker.keys_are_data = true;
    *state = json;
    return LS_OK;
}

static enum ls_code take_line(void *state, const char *line, size_t size, struct ls_error *err)
{
    struct json *json = state;
    const struct slice text = slice_trim((struct slice){line, size});

    if (text.size == 0) {
        return LS_OK;
    }
    if (!json_line_read(&json->leaves, text)) {
        json->sink->skip(json->sink, "no JSON object", line, size);
        return LS_OK;
    }
    return picker_row(&json->picker, json->leaves.fields, json->leaves.count, line, size, err);
}

/* The first line is an object, and one of the first has a time. */
static int sniff(const char *head, size_t size)
{
    struct slice rest = {head, size};
    struct json_leaves *leaves = malloc(sizeof *leaves);
    int sure = 0;

    for (int lines = 0; lines < 20 && rest.at != NULL && leaves != NULL; lines++) {
        const struct slice line = slice_trim(slice_cut(&rest, '\n'));

        if (line.size > 0 && (line.at[0] != '{' || !json_line_read(leaves, line))) {
            break;
        }
        if (line.size > 0) {
            const int sees = picker_sees_time(leaves->fields, leaves->count);
            const int now = sees == 2 ? 70 : sees == 1 ? 60 : 10;

            sure = now > sure ? now : sure;
        }
    }
    free(leaves);
    return sure;
}

const struct format format_json = {
    .word = "json",
    .text = "JSON lines",
    .counts = "objects",
    .takes_keys = true,
    .sniff = sniff,
    .begin = begin,
    .line = take_line,
    .free = free,
};
