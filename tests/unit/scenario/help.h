/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_TESTS_SCENARIO_HELP_H
#define LOGINSTORM_TESTS_SCENARIO_HELP_H

/* Shared by the tests of this room: parse a text, and say loudly what was complained of. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "loginstorm/scenario.h"

/* The least that a scenario needs: three lines, so that what a test adds begins in line 4. */
#define LEAST "loginstorm: 1\nusers: 100\ncertificates: [{key: ecdsa-p256}]\n"

/* NULL, with the complaints in *errors, when the text is refused. */
static inline struct ls_scenario *parse(const char *text, struct ls_errors *errors)
{
    struct ls_scenario *s = NULL;
    const enum ls_code code =
        ls_scenario_parse(&s, "monday.yaml", text, strlen(text), NULL, 0, errors);

    assert_int_equal(code == LS_OK, s != NULL);
    assert_int_equal(code == LS_OK, errors->count == 0);
    return s;
}

/* A text that must be taken. */
static inline struct ls_scenario *parse_good(const char *text)
{
    struct ls_errors errors = {0};
    struct ls_scenario *s = parse(text, &errors);

    if (s == NULL) {
        fail_msg("refused: %d:%d: %s\n%s", errors.item[0].line, errors.item[0].column,
                 errors.item[0].text, text);
    }
    return s;
}

/* LEAST and what is added to it. */
static inline struct ls_scenario *parse_with(const char *added)
{
    char text[4096];

    (void)snprintf(text, sizeof text, LEAST "%s", added);
    return parse_good(text);
}

/* What is added to LEAST, and the one complaint that it must give. */
struct refusal {
    const char *added;
    int line, column;
    const char *text;
    const char *why;
};

static inline void check_refusals(const struct refusal *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct ls_errors errors = {0};
        char text[4096];
        struct ls_scenario *s;

        (void)snprintf(text, sizeof text, LEAST "%s", rows[i].added);
        s = parse(text, &errors);
        if (s != NULL) {
            fail_msg("taken: %s (%s)", rows[i].added, rows[i].why);
        }
        if (errors.count != 1 || errors.item[0].line != rows[i].line ||
            errors.item[0].column != rows[i].column ||
            strcmp(errors.item[0].text, rows[i].text) != 0) {
            fail_msg("%s\n  gives %zu: %d:%d: %s\n  wanted %d:%d: %s\n  (%s)", rows[i].added,
                     errors.count, errors.item[0].line, errors.item[0].column, errors.item[0].text,
                     rows[i].line, rows[i].column, rows[i].text, rows[i].why);
        }
        assert_string_equal(errors.item[0].path, "monday.yaml");
        assert_int_equal(errors.item[0].code, LS_EINPUT);
    }
}

/* The canonical text of a scenario; the caller frees it. */
static inline char *written(const struct ls_scenario *s, bool with_notes)
{
    struct ls_error err = {0};
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);

    assert_non_null(stream);
    assert_int_equal(ls_scenario_write(s, with_notes, stream, &err), LS_OK);
    assert_int_equal(fclose(stream), 0);
    return text;
}

#endif
