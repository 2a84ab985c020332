/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_JSON_H
#define LOGINSTORM_JSON_H

/*
 * JSON by jansson under the house's rules: duplicate keys refused, place of an error kept, 64-bit
 * integers exact, files replaced atomically. Rooms that need JSON use jansson's json_t through this
 * header.
 */

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <jansson.h>

#include "loginstorm/error.h"

/* Parses text; path is for the error message only. The caller owns *root. */
LS_MUST_CHECK
enum ls_code ls_json_parse(json_t **root, const char *path, const char *text, size_t size,
                           struct ls_error *err);
LS_MUST_CHECK
enum ls_code ls_json_load(json_t **root, const char *path, size_t limit, struct ls_error *err);

/* Indented, keys in the order in which they were set, reals with 15 digits (exact for ns written as
 * µs). */
LS_MUST_CHECK
enum ls_code ls_json_write(const json_t *root, FILE *stream, struct ls_error *err);
LS_MUST_CHECK
enum ls_code ls_json_save(const json_t *root, const char *path, struct ls_error *err);

/* Nanoseconds as a JSON number of microseconds; a never (negative) time as null. */
json_t *ls_json_us(int64_t ns);

#endif
