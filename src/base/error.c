/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "loginstorm/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const struct {
    int status;
    const char *text;
} codes[] = {
#define LS_CODE_ROW(name, status, text) {status, text},
    LS_CODES(LS_CODE_ROW)
#undef LS_CODE_ROW
};

LS_PRINTF(3, 0)
static void fill(struct ls_error *err, enum ls_code code, const char *fmt, va_list args)
{
    char text[sizeof err->text]; /* an argument may be the old text: "costs: %s" */

    (void)vsnprintf(text, sizeof text, fmt, args);
    *err = (struct ls_error){.code = code};
    memcpy(err->text, text, strlen(text) + 1);
}

static void place(struct ls_error *err, const char *path, int line, int column)
{
    (void)snprintf(err->path, sizeof err->path, "%s", path == NULL ? "" : path);
    err->line = line;
    err->column = column;
}

enum ls_code(ls_error_set)(struct ls_error *err, enum ls_code code, const char *fmt, ...)
{
    va_list args;

    if (err != NULL) {
        va_start(args, fmt);
        fill(err, code, fmt, args);
        va_end(args);
    }
    return code;
}

enum ls_code(ls_error_set_errno)(struct ls_error *err, enum ls_code code, const char *fmt, ...)
{
    const int number = errno;
    va_list args;

    if (err != NULL) {
        size_t length;

        va_start(args, fmt);
        fill(err, code, fmt, args);
        va_end(args);
        length = strlen(err->text);
        (void)snprintf(err->text + length, sizeof err->text - length, ": %s", strerror(number));
    }
    return code;
}

enum ls_code ls_error_set_at(struct ls_error *err, const char *path, int line, int column,
                             const char *fmt, ...)
{
    va_list args;

    if (err != NULL) {
        va_start(args, fmt);
        fill(err, LS_EINPUT, fmt, args);
        va_end(args);
        place(err, path, line, column);
    }
    return LS_EINPUT;
}

enum ls_code ls_errors_add_at(struct ls_errors *errors, const char *path, int line, int column,
                              const char *fmt, ...)
{
    struct ls_error err;
    va_list args;

    va_start(args, fmt);
    fill(&err, LS_EINPUT, fmt, args);
    va_end(args);
    place(&err, path, line, column);
    return ls_errors_add(errors, &err);
}

enum ls_code ls_errors_add(struct ls_errors *errors, const struct ls_error *err)
{
    if (errors->count < LS_ERRORS_MAX) {
        errors->item[errors->count] = *err;
    }
    errors->count++;
    return err->code;
}

int ls_code_status(enum ls_code code)
{
    return codes[code].status;
}

const char *ls_code_text(enum ls_code code)
{
    return codes[code].text;
}

void ls_error_format(const struct ls_error *err, char *out, size_t size)
{
    if (err->path[0] == '\0') {
        (void)snprintf(out, size, "error: %s", err->text);
    } else if (err->line == 0) {
        (void)snprintf(out, size, "%s: error: %s", err->path, err->text);
    } else if (err->column == 0) {
        (void)snprintf(out, size, "%s:%d: error: %s", err->path, err->line, err->text);
    } else {
        (void)snprintf(out, size, "%s:%d:%d: error: %s", err->path, err->line, err->column,
                       err->text);
    }
}
