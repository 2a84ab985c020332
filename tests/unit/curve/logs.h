/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_TESTS_CURVE_LOGS_H
#define LOGINSTORM_TESTS_CURVE_LOGS_H

/* A log of tests/data/logs, what is wished of it, and exactly what it holds. Behind cmocka.h. */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loginstorm/import.h"

#define LOGS LS_SOURCE_DIR "/tests/data/logs/"
#define ROWS_MAX 24

struct log {
    const char *why;
    const char *file;
    struct ls_import_wish wish;
    const char *format;              /* that it is found to be, without being told */
    const char *rows[ROWS_MAX];      /* of the curve */
    const char *skips[LS_SKIPS_MAX]; /* "lines reason" in the order in which they are met */
    int64_t users, disorder;
};

/* The rows of a curve behind its header, as they are written. */
static inline void hold_to_rows(const struct log *log, const struct ls_curve *curve)
{
    struct ls_error err;
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    char *line;
    size_t count = 0;

    assert_non_null(stream);
    assert_int_equal(ls_curve_write(curve, stream, &err), LS_OK);
    assert_int_equal(fclose(stream), 0);
    line = strstr(text, curve->exact ? "\ntime,user\n" : "\nfrom,to,count\n");
    assert_non_null(line);
    line = strchr(line + 1, '\n') + 1;
    for (; *line != '\0'; count++) {
        char *end = strchr(line, '\n');

        *end = '\0';
        if (log->rows[count] == NULL || strcmp(line, log->rows[count]) != 0) {
            fail_msg("%s: row %zu is %s, not %s", log->why, count + 1, line,
                     log->rows[count] == NULL ? "none" : log->rows[count]);
        }
        line = end + 1;
    }
    assert_null(log->rows[count]);
    free(text);
}

static inline void hold_to_skips(const struct log *log, const struct ls_import_summary *summary)
{
    for (size_t i = 0; i < summary->skips_count; i++) {
        char text[160];

        (void)snprintf(text, sizeof text, "%" PRId64 " %s", summary->skips[i].lines,
                       summary->skips[i].reason);
        if (log->skips[i] == NULL || strcmp(text, log->skips[i]) != 0) {
            fail_msg("%s: skipped \"%s\", not \"%s\"", log->why, text,
                     log->skips[i] == NULL ? "" : log->skips[i]);
        }
        assert_string_not_equal(summary->skips[i].first_path, "");
        assert_true(summary->skips[i].first_line > 0 || summary->skips[i].first_record > 0);
    }
    assert_null(log->skips[summary->skips_count]);
}

static inline void hold_to_log(const struct log *log)
{
    struct ls_import_wish wish = log->wish;
    struct ls_import_summary summary;
    struct ls_error err = {0}, broken;
    struct ls_curve *curve = NULL;
    char path[512];
    const char *const paths[] = {path};

    (void)snprintf(path, sizeof path, LOGS "%s", log->file);
    wish.paths = paths;
    wish.paths_count = 1;
    if (ls_import_run(&curve, &summary, &broken, &wish, &err) != LS_OK) {
        fail_msg("%s: %s", log->why, err.text);
    }
    hold_to_rows(log, curve);
    hold_to_skips(log, &summary);
    assert_int_equal(summary.users, log->users);
    assert_int_equal(summary.disorder, log->disorder);
    assert_int_equal(summary.logins, ls_curve_total(curve));
    assert_int_equal(broken.code, LS_OK);
    ls_curve_free(curve);
}

#endif
