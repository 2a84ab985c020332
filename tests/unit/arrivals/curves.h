/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TESTS_ARRIVALS_CURVES_H
#define TESTS_ARRIVALS_CURVES_H

/* Curves from text, and as files for scenarios to name. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "loginstorm/curve.h"

#define HEAD "# format: loginstorm-curve 1\n# timezone: Europe/Paris\n"

static inline struct ls_curve *curve_of(const char *text)
{
    struct ls_error err = {0};
    struct ls_curve *curve = NULL;
    FILE *stream = fmemopen((void *)(uintptr_t)text, strlen(text), "r");

    assert_non_null(stream);
    if (ls_curve_read(&curve, stream, "c.csv", &err) != LS_OK) {
        fail_msg("%d:%d: %s\n%s", err.line, err.column, err.text, text);
    }
    (void)fclose(stream);
    return curve;
}

/* A file of that text, which the caller unlinks. */
static inline void curve_file(char path[64], const char *text)
{
    FILE *stream;

    (void)snprintf(path, 64, "/tmp/loginstorm-curve.XXXXXX");
    stream = fdopen(mkstemp(path), "we");
    assert_non_null(stream);
    assert_true(fputs(text, stream) >= 0);
    assert_int_equal(fclose(stream), 0);
}

#endif
