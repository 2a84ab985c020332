/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_ERROR_H
#define LOGINSTORM_ERROR_H

/*
 * Errors are values. A function that can fail returns an enum ls_code and takes
 * a struct ls_error last; only the room cli ever prints one.
 */

#include <stdbool.h>
#include <stddef.h>

#if defined(__GNUC__)
#define LS_MUST_CHECK __attribute__((warn_unused_result))
#define LS_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define LS_MUST_CHECK
#define LS_PRINTF(fmt, args)
#endif

/* Code, the exit status that cli gives it (sysexits.h where one fits), and what it is. */
#define LS_CODES(X)                                                                                \
    X(LS_OK, 0, "done")                                                                            \
    X(LS_ETARGET, 99, "a target of the scenario was missed")                                       \
    X(LS_EINVALID, 98, "the measurement is invalid")                                               \
    X(LS_EUSAGE, 64, "wrong usage")                                                                \
    X(LS_EINPUT, 65, "bad scenario or file")                                                       \
    X(LS_ENOINPUT, 66, "no such input")                                                            \
    X(LS_EUNREACHABLE, 69, "the gateway cannot be reached")                                        \
    X(LS_ENOMEM, 70, "out of memory")                                                              \
    X(LS_ERANGE, 70, "a value does not fit the place it is meant for")                             \
    X(LS_ELIMIT, 70, "a limit of this machine is too low")                                         \
    X(LS_ESYSTEM, 70, "the operating system said no")                                              \
    X(LS_ETLS, 70, "the TLS library said no")                                                      \
    X(LS_EBROKEN, 70, "a fault of loginstorm itself")                                              \
    X(LS_ECREATE, 73, "output cannot be created")                                                  \
    X(LS_EWRITE, 74, "output cannot be written")                                                   \
    X(LS_EPARTIAL, 75, "a shard is missing")                                                       \
    X(LS_EINTERRUPTED, 130, "stopped by SIGINT")                                                   \
    X(LS_ETERMINATED, 143, "stopped by SIGTERM")

enum ls_code {
#define LS_CODE_NAME(name, status, text) name,
    LS_CODES(LS_CODE_NAME)
#undef LS_CODE_NAME
};

/*
 * One thing that went wrong, ready to print. A caller owns the struct, usually
 * on its stack; it holds no pointers, so it needs no freeing and outlives the
 * room that filled it. line and column count from 1; 0 means "no such place".
 */
struct ls_error {
    enum ls_code code;
    int line;
    int column;
    char path[256];
    char text[512];
};

/* Many at once, for a user's file: the first LS_ERRORS_MAX are kept, all are counted. */
#define LS_ERRORS_MAX 32
struct ls_errors {
    size_t count;
    struct ls_error item[LS_ERRORS_MAX];
};

/* Fills *err and returns code, so that a failing function can end with
 * `return ls_error_set(err, LS_ENOMEM, "schedule: %zu rows", count);`.
 * err may be NULL: then only the code is kept. */
enum ls_code ls_error_set(struct ls_error *err, enum ls_code code, const char *fmt, ...)
    LS_PRINTF(3, 4);

/* As above, ending in ": " and what errno says. */
enum ls_code ls_error_set_errno(struct ls_error *err, enum ls_code code, const char *fmt, ...)
    LS_PRINTF(3, 4);

/* As above with the place in a user's file, code LS_EINPUT. */
enum ls_code ls_error_set_at(struct ls_error *err, const char *path, int line, int column,
                             const char *fmt, ...) LS_PRINTF(5, 6);

/* That the code comes back as it went in, told where an analyser of one file can see it. */
#define ls_error_set(err, code, ...) ((void)(ls_error_set)((err), (code), __VA_ARGS__), (code))
#define ls_error_set_errno(err, code, ...)                                                         \
    ((void)(ls_error_set_errno)((err), (code), __VA_ARGS__), (code))

/* Appends to a list; returns LS_EINPUT. */
enum ls_code ls_errors_add_at(struct ls_errors *errors, const char *path, int line, int column,
                              const char *fmt, ...) LS_PRINTF(5, 6);
enum ls_code ls_errors_add(struct ls_errors *errors, const struct ls_error *err);

/* The exit status that belongs to a code, and its text, from LS_CODES. */
int ls_code_status(enum ls_code code);
const char *ls_code_text(enum ls_code code);

/* "path:line:column: error: text" into out (as much of the place as is known); always ended. */
void ls_error_format(const struct ls_error *err, char *out, size_t size);

#endif
