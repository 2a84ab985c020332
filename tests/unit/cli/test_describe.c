/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How texts come into a manual page, and what an argument's name means to a shell. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/describe.h"
#include "loginstorm/cli.h"

static void assert_page(void (*write)(FILE *out, const char *text), const char *text,
                        const char *expected)
{
    char *page = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&page, &size);

    assert_non_null(out);
    write(out, text);
    assert_int_equal(fclose(out), 0);
    assert_string_equal(page, expected);
    free(page);
}

static void lines_of_40(FILE *out, const char *text)
{
    roff_lines(out, text, 40);
}

static void text_is_told_as_it_is(void **state)
{
    static const struct {
        const char *text, *expected;
    } rows[] = {
        {"as --set users=N", "as \\-\\-set users=N\n"}, /* can be typed as it is shown */
        {".profile", "\\&.profile\n"},                  /* no request */
        {"'POST /login'", "\\&\\(aqPOST /login\\(aq\n"},
        {"C:\\n, `run`, ^ and ~/.cache", "C:\\en, \\(garun\\(ga, \\(ha and \\(ti/.cache\n"},
        {"One. Two? No, 0.1 % of it.", "One.\nTwo?\nNo, 0.1 % of it.\n"}, /* a sentence, a line */
        {"one\n\ntwo\n", "one\ntwo\n"},
        {"", ""},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_page(roff_text, rows[i].text, rows[i].expected);
    }
}

static void a_long_command_goes_on_behind_a_backslash(void **state)
{
    (void)state;
    assert_page(lines_of_40, "  loginstorm run a.yaml\n", "loginstorm run a.yaml\n");
    /* An option stays with its value, and so does > with its file. */
    assert_page(lines_of_40, "  loginstorm run a.yaml --out result -q > answer\n",
                "loginstorm run a.yaml \\-\\-out result \\-q \\e\n    > answer\n");
    /* Nothing is broken between apostrophes. */
    assert_page(lines_of_40, "  loginstorm import --url 'POST /a/login/page' -q\n",
                "loginstorm import \\e\n    \\-\\-url \\(aqPOST /a/login/page\\(aq \\-q\n");
    /* What fits nowhere stands alone. */
    assert_page(lines_of_40, "  cat abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz b\n",
                "cat \\e\n    abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz \\e\n    b\n");
}

static void help_becomes_paragraphs_lists_and_lines(void **state)
{
    (void)state;
    assert_page(
        roff_help,
        "\nOne\nparagraph.\n\nAnother:\n  web   access log\n        --count all\n"
        "  iis   log\nThen:\n  --key a --name b\nDone.\n",
        ".Pp\nOne\nparagraph.\n.Pp\nAnother:\n"
        ".Bl -tag -width Ds\n.It Cm web\naccess log\n.Pp\n\\-\\-count all\n.It Cm iis\nlog\n"
        ".El\n.Pp\nThen:\n.Bd -literal -offset indent\n\\-\\-key a \\-\\-name b\n.Ed\n"
        ".Pp\nDone.\n");
}

static void an_argument_says_what_may_stand_there(void **state)
{
    static const struct {
        const char *argument;
        enum value_kind kind;
        const char *words, *end;
        bool may_be_left_out;
    } rows[] = {
        {NULL, VALUE_NONE, "", NULL, false},
        {"N", VALUE_FREE, "", NULL, false},
        {"a|b|c", VALUE_WORDS, "a b c", NULL, false},
        {"DIR", VALUE_FOLDER, "", NULL, false},
        {"FILE", VALUE_FILE, "", NULL, false},
        {"SCENARIO", VALUE_FILE, "", "yaml", false},
        {"[SCENARIO]", VALUE_FILE, "", "yaml", true},
        {"[ADDRESS:PORT]", VALUE_FREE, "", NULL, true},
        {"ZONE", VALUE_ZONE, "", NULL, false},
        {"KIND", VALUE_WORDS,
         "rsa-2048 rsa-3072 rsa-4096 ecdsa-p256 ecdsa-p384 ecdsa-p521 ed25519 ml-dsa-44 ml-dsa-65",
         NULL, false},
    };
    struct value value;

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        value_of(&value, rows[i].argument);
        assert_int_equal(value.kind, rows[i].kind);
        assert_string_equal(value.words, rows[i].words);
        assert_true(value.may_be_left_out == rows[i].may_be_left_out);
        if (rows[i].end == NULL) {
            assert_null(value.ends[0]);
        } else {
            assert_string_equal(value.ends[0], rows[i].end);
        }
    }
}

static void what_cannot_be_written_is_an_error(void **state)
{
    FILE *full = fopen("/dev/full", "w");
    struct ls_error err;

    (void)state;
    assert_non_null(full);
    assert_int_equal(ls_cli_describe(full, "man", "December 1, 2026", &err), LS_EWRITE);
    assert_int_equal(ls_cli_describe(full, "tcsh", "December 1, 2026", &err), LS_EUSAGE);
    assert_string_equal(err.text, "\"tcsh\" is none of man, bash, zsh, fish");
    (void)fclose(full);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_is_told_as_it_is),
        cmocka_unit_test(a_long_command_goes_on_behind_a_backslash),
        cmocka_unit_test(help_becomes_paragraphs_lists_and_lines),
        cmocka_unit_test(an_argument_says_what_may_stand_there),
        cmocka_unit_test(what_cannot_be_written_is_an_error),
    };

    return cmocka_run_group_tests_name("describe", tests, NULL, NULL);
}
