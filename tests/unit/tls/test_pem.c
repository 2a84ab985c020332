/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tls/pem.h"

#include "unit/tls/pair.h"

static void blocks_are_found_among_words(void **state)
{
    static const char text[] = "words -----BEGIN A-----\r\nYWJj\r\n-----END A-----\nmore\n"
                               "-----BEGIN B C-----\nProc-Type: 4,ENCRYPTED\n-----END A-----\n"
                               "YQ==\n-----END B C----- tail\n-----BEGIN D-----\nYQ==\n";
    static const struct {
        const char *label;
        bool whole, says;
    } expected[] = {{"A", true, false}, {"B C", true, true}, {"D", false, false}};
    struct pem_block block;
    size_t at = 0;

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        assert_true(pem_next(text, &at, &block));
        assert_true(pem_is(&block, expected[i].label));
        assert_false(pem_is(&block, "B"));
        assert_int_equal(block.whole, expected[i].whole);
        assert_int_equal(pem_says(&block, "ENCRYPTED"), expected[i].says);
        assert_memory_equal(block.begin, "-----BEGIN ", 11);
    }
    assert_false(pem_next(text, &at, &block));
    assert_int_equal(at, strlen(text));
}

static void a_body_is_decoded(void **state)
{
    static const struct {
        const char *text, *value;
        const char *why;
    } rows[] = {
        {"-----BEGIN A-----\nYWJj\n-----END A-----\n", "abc", "lines"},
        {"-----BEGIN A-----\r\n\r\nYWJjZA==\r\n-----END A-----", "abcd", "an empty line"},
        {"-----BEGIN A-----YWJj-----END A-----", "abc", "one line"},
        {"-----BEGIN A-----\n-----END A-----", NULL, "nothing"},
        {"-----BEGIN A-----\n*&^%\n-----END A-----", NULL, "no base64"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct pem_block block;
        struct ls_error err;
        unsigned char *der = NULL;
        size_t at = 0, size = 0;

        print_message("%s\n", rows[i].why);
        assert_true(pem_next(rows[i].text, &at, &block));
        assert_int_equal(pem_decode(&block, &der, &size, &err),
                         rows[i].value == NULL ? LS_EINPUT : LS_OK);
        if (rows[i].value != NULL) {
            assert_int_equal(size, strlen(rows[i].value));
            assert_memory_equal(der, rows[i].value, size);
        }
        free(der);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_are_found_among_words),
        cmocka_unit_test(a_body_is_decoded),
    };

    return cmocka_run_group_tests_name("tls/pem", tests, start_tls, stop_tls);
}
