/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "mpi/options.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct mpi_options options;
static struct ls_error err;

/* Words with blanks between them; they must stay as long as the options. */
static enum ls_code parse(char *words)
{
    static char *argv[40];
    int argc = 0;
    static char name[] = "loginstorm-mpi";

    argv[argc++] = name;
    for (char *word = strtok(words, " "); word != NULL; word = strtok(NULL, " ")) {
        argv[argc++] = word;
    }
    argv[argc] = NULL;
    return mpi_options_parse(&options, argc, argv, &err);
}

static void what_is_not_its_own_is_handed_on(void **state)
{
    char words[] = "--injectors 2 -r3 monday.yaml --allow-outside --format=json --quiet -m x.prom "
                   "--out there --patience 7 -u 60 --set a.b=c=d";

    (void)state;
    assert_int_equal(parse(words), LS_OK);
    assert_string_equal(options.scenario, "monday.yaml");
    assert_string_equal(options.out, "there");
    assert_int_equal(options.patience_s, 7);
    assert_true(options.quiet);
    assert_int_equal(options.run_count, 3);
    assert_string_equal(options.run[0], "--injectors=2");
    assert_string_equal(options.run[1], "--repeat=3");
    assert_string_equal(options.run[2], "--allow-outside");
    assert_int_equal(options.merge_count, 3);
    assert_string_equal(options.merge[0], "--format=json");
    assert_string_equal(options.merge[1], "--quiet");
    assert_string_equal(options.merge[2], "--metrics=x.prom");
    assert_int_equal(options.changes.count, 2);
    assert_string_equal(options.changes.list[0].path, "users");
    assert_string_equal(options.changes.list[0].value, "60");
    assert_string_equal(options.changes.list[1].path, "a.b");
    assert_string_equal(options.changes.list[1].value, "c=d");
}

static void what_is_wrong_is_told_before_anything_is_started(void **state)
{
    static const struct {
        const char *words, *text;
    } rows[] = {
        {"", "SCENARIO is missing"},
        {"a.yaml b.yaml", "one SCENARIO, not \"b.yaml\" as well"},
        {"a.yaml --nonsense", "--nonsense is not known here"},
        {"a.yaml --live", "--live is not known here"},
        {"a.yaml --out", "--out wants a value"},
        {"a.yaml --set users", "--set: \"users\" is not PATH=VALUE"},
        {"a.yaml --set =5", "--set: \"=5\" is not PATH=VALUE"},
        {"a.yaml --format yaml", "--format: \"yaml\" is none of text|json|"},
        {"a.yaml --format js", "--format: \"js\" is none of text|json|"},
        {"a.yaml --patience 0", "--patience: \"0\" is not 1 to 86400 seconds"},
        {"a.yaml --patience 2m", "--patience: \"2m\" is not 1 to 86400 seconds"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char words[64];

        print_message("%s\n", rows[i].words);
        (void)snprintf(words, sizeof words, "%s", rows[i].words);
        assert_int_equal(parse(words), LS_EUSAGE);
        assert_non_null(strstr(err.text, rows[i].text));
    }
}

static void help_wants_no_scenario_and_names_every_option(void **state)
{
    char words[] = "--help", *text;
    size_t size;
    FILE *stream = open_memstream(&text, &size);

    (void)state;
    assert_non_null(stream);
    assert_int_equal(parse(words), LS_OK);
    assert_true(options.help);
    mpi_options_help(stream);
    assert_int_equal(fclose(stream), 0);
    assert_non_null(strstr(text, "  -o, --out DIR                 where the result goes"));
    assert_non_null(strstr(text, "      --patience SECONDS        so long nothing"));
    assert_non_null(strstr(text, "      --version                 show which"));
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_not_its_own_is_handed_on),
        cmocka_unit_test(what_is_wrong_is_told_before_anything_is_started),
        cmocka_unit_test(help_wants_no_scenario_and_names_every_option),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
