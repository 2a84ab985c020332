/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "loginstorm/json.h"

#include <stdlib.h>

#include "loginstorm/file.h"

/* 15 digits print what was written as ns/1000 back exactly, without the tail of digits that 17
 * would show. */
#define WRITE_FLAGS (JSON_INDENT(2) | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(15))

enum ls_code ls_json_parse(json_t **root, const char *path, const char *text, size_t size,
                           struct ls_error *err)
{
    json_error_t why;

    *root = json_loadb(text, size, JSON_REJECT_DUPLICATES, &why);
    if (*root == NULL) {
        if (json_error_code(&why) == json_error_out_of_memory) {
            return ls_error_set(err, LS_ENOMEM, "no memory to read %s", path);
        }
        return ls_error_set_at(err, path, why.line > 0 ? why.line : 1,
                               why.column > 0 ? why.column : 1, "not valid JSON: %s", why.text);
    }
    return LS_OK;
}

enum ls_code ls_json_load(json_t **root, const char *path, size_t limit, struct ls_error *err)
{
    char *text;
    size_t size;
    enum ls_code code;

    *root = NULL;
    code = ls_file_read(path, limit, &text, &size, err);
    if (code == LS_OK) {
        code = ls_json_parse(root, path, text, size, err);
        free(text);
    }
    return code;
}

enum ls_code ls_json_write(const json_t *root, FILE *stream, struct ls_error *err)
{
    if (json_dumpf(root, stream, WRITE_FLAGS) != 0 || fputc('\n', stream) == EOF) {
        return ls_error_set_errno(err, LS_EWRITE, "cannot write JSON");
    }
    return LS_OK;
}

enum ls_code ls_json_save(const json_t *root, const char *path, struct ls_error *err)
{
    struct ls_file file;
    enum ls_code code = ls_file_create(&file, path, err);

    if (code != LS_OK) {
        return code;
    }
    code = ls_json_write(root, file.stream, err);
    if (code != LS_OK) {
        ls_file_abort(&file);
        return code;
    }
    return ls_file_commit(&file, err);
}

json_t *ls_json_us(int64_t ns)
{
    if (ns < 0) {
        return json_null();
    }
    if (ns % 1000 == 0) {
        return json_integer(ns / 1000);
    }
    return json_real((double)ns / 1000.0);
}
