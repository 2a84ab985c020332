/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "help.h"

#include "scenario/node.h"

static void yaml_that_says_more_than_it_shows_is_refused(void **state)
{
    static const struct refusal rows[] = {
        {"users: 6\n", 4, 1, "duplicate key \"users\", given before in line 2; take one out",
         "which of them?"},
        {"login: {close: fin, close: reset}\n", 4, 21,
         "duplicate key \"close\", given before in line 4; take one out", "which of them?"},
        {"name: &n x\n", 4, 7, "anchors (&name) are not taken; write the value out", "an anchor"},
        {"name: *n\n", 4, 7, "aliases (*name) are not taken; write the value out", "an alias"},
        {"name: !!str x\n", 4, 7, "tags (!name) are not taken; take the tag out", "a tag"},
        {"login: !x {close: fin}\n", 4, 8, "tags (!name) are not taken; take the tag out",
         "a tag on a map"},
        {"login: {<<: {close: fin}}\n", 4, 9, "merge keys (<<) are not taken; write the keys out",
         "a merge"},
        {"? [a]\n: b\n", 4, 3, "a key must be a word", "a list for a key"},
        {"---\nusers: 6\n", 4, 1, "a second document begins here; a scenario is one document",
         "two documents"},
        {"\tname: x\n", 4, 1, "a tab stands here; YAML is indented with spaces", "a tab"},
        {"name: \"x\n", 5, 1,
         "not readable as YAML: found unexpected end of stream, while scanning a quoted scalar",
         "no closing quote"},
        {"name: [a\n", 5, 1,
         "not readable as YAML: did not find expected ',' or ']', while parsing a flow sequence",
         "no closing bracket"},
        {"a: b: c\n", 4, 5, "not readable as YAML: mapping values are not allowed in this context",
         "two colons"},
        {"name: @x\n", 4, 7,
         "not readable as YAML: found character that cannot start any token, while scanning for "
         "the next token",
         "a reserved character"},
    };

    (void)state;
    check_refusals(rows, sizeof rows / sizeof rows[0]);
}

static void check_whole(const char *text, int line, int column, const char *complaint)
{
    struct ls_errors errors = {0};

    assert_null(parse(text, &errors));
    assert_int_equal(errors.count, 1);
    assert_string_equal(errors.item[0].text, complaint);
    assert_int_equal(errors.item[0].line, line);
    assert_int_equal(errors.item[0].column, column);
}

static void a_file_that_is_no_map_is_refused(void **state)
{
    (void)state;
    check_whole("", 1, 1, "nothing here; a scenario begins with `loginstorm: 1`");
    check_whole("# a comment\n\n", 3, 1, "nothing here; a scenario begins with `loginstorm: 1`");
    check_whole("\xef\xbb\xbf", 1, 1, "nothing here; a scenario begins with `loginstorm: 1`");
    check_whole("[]", 1, 1,
                "a scenario is a list of keys with values, beginning with `loginstorm: 1`");
    check_whole("loginstorm", 1, 1,
                "a scenario is a list of keys with values, beginning with `loginstorm: 1`");
    check_whole("---\n...\n", 2, 1,
                "a scenario is a list of keys with values, beginning with `loginstorm: 1`");
}

static void line_ends_marks_and_document_starts_do_not_matter(void **state)
{
    static const char *const rows[] = {
        "\xef\xbb\xbfloginstorm: 1\nusers: 5\ncertificates: [{key: rsa-2048}]\n",
        "loginstorm: 1\r\nusers: 5\r\ncertificates:\r\n  - key: rsa-2048\r\n",
        "---\nloginstorm: 1\nusers: 5\ncertificates: [{key: rsa-2048}]\n...\n",
        "%YAML 1.2\n---\nloginstorm: 1\nusers: 5\ncertificates: [{key: rsa-2048}]",
        "{\"loginstorm\": 1, \"users\": 5, \"certificates\": [{\"key\": \"rsa-2048\"}]}",
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct ls_scenario *s = parse_good(rows[i]);

        assert_int_equal(s->users, 5);
        assert_int_equal(s->certificates[0].key, LS_KEY_RSA_2048);
        ls_scenario_free(s);
    }
}

/* count times the piece behind the head; the caller frees it. */
static char *repeat(const char *head, const char *piece, size_t count)
{
    const size_t size = strlen(head) + count * strlen(piece) + 1;
    char *text = malloc(size);
    char *at = text;

    assert_non_null(text);
    at = stpcpy(at, head);
    for (size_t i = 0; i < count; i++) {
        at = stpcpy(at, piece);
    }
    return text;
}

static void check_flood(const char *head, const char *piece, size_t count, const char *complaint)
{
    struct ls_errors errors = {0};
    char *text = repeat(head, piece, count);

    assert_null(parse(text, &errors));
    assert_string_equal(errors.item[0].text, complaint);
    free(text);
}

static void hostile_files_are_refused_at_their_first_excess(void **state)
{
    const char *deep = "too deeply nested for a scenario";

    (void)state;
    check_flood("a: ", "[", 500000, deep);
    check_flood("a: ", "{a: ", 200000, deep);
    check_flood("", "- ", 400000, deep);
    check_flood("a: [", "0,", 400000, "more than 20,000 values; no scenario needs so many");
    check_flood("a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [", "*a,", 200000,
                "anchors (&name) are not taken; write the value out");
    check_flood("name: ", "x", 2000000, "larger than 1 MiB; no scenario is");
}

static void many_keys_are_refused_before_they_cost_time(void **state)
{
    struct ls_errors errors = {0};
    char *text = malloc(1 << 20);
    size_t used = 0;

    (void)state;
    assert_non_null(text);
    for (int i = 0; i < 40000; i++) {
        const int n = snprintf(text + used, 32, "k%d: 1\n", i);

        used += n > 0 ? (size_t)n : 0;
    }
    assert_null(parse(text, &errors));
    assert_int_equal(errors.count, 1);
    assert_string_equal(errors.item[0].text, "more than 64 keys in one place");
    assert_int_equal(errors.item[0].line, 65);
    free(text);
}

static void a_tree_knows_where_everything_stood(void **state)
{
    static const char text[] = "a: 1\nb:\n  - é: \"x\"\n";
    struct ls_reading reading = {.file = "f", .scratch = ls_arena_new(1 << 16)};
    const struct ls_node *root = ls_node_parse(&reading, text, sizeof text - 1, NULL);
    const struct ls_node *list = ls_node_get(root, "b");
    const struct ls_node *value = ls_node_get(ls_node_at(list, 0), "é");

    (void)state;
    assert_int_equal(root->count, 2);
    assert_int_equal(list->kind, LS_NODE_LIST);
    assert_int_equal(list->key_place.line, 2);
    assert_int_equal(list->key_place.column, 1);
    assert_int_equal(value->key_place.line, 3);
    assert_int_equal(value->key_place.column, 5);
    assert_int_equal(value->place.column, 8);
    assert_false(value->plain);
    assert_true(ls_node_get(root, "a")->plain);
    assert_null(ls_node_at(list, 1));
    assert_null(ls_node_get(root, "c"));
    assert_null(ls_node_get(NULL, "c"));
    ls_arena_free(reading.scratch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(yaml_that_says_more_than_it_shows_is_refused),
        cmocka_unit_test(a_file_that_is_no_map_is_refused),
        cmocka_unit_test(line_ends_marks_and_document_starts_do_not_matter),
        cmocka_unit_test(hostile_files_are_refused_at_their_first_excess),
        cmocka_unit_test(many_keys_are_refused_before_they_cost_time),
        cmocka_unit_test(a_tree_knows_where_everything_stood),
    };

    return cmocka_run_group_tests_name("scenario/node", tests, NULL, NULL);
}
