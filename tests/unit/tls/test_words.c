/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit/tls/pair.h"

#include "tls/words.h"

static void words_lead_to_the_library_and_back(void **state)
{
    (void)state;
    for (size_t i = 0; i < group_words_count; i++) {
        assert_ptr_equal(group_of_word(group_words[i].word), &group_words[i]);
        assert_string_equal(group_of_library(group_words[i].library), group_words[i].word);
    }
    for (size_t i = 0; i < cipher_words_count; i++) {
        assert_ptr_equal(cipher_of_word(cipher_words[i].word), &cipher_words[i]);
        assert_string_equal(cipher_of_library(cipher_words[i].library), cipher_words[i].word);
    }
}

static void unknown_words_are_unknown_and_the_library_is_quoted(void **state)
{
    (void)state;
    assert_null(group_of_word("x25519"));
    assert_null(group_of_word(""));
    assert_null(cipher_of_word("TLS_AES_256_GCM_SHA38"));
    assert_string_equal(group_of_library("BRAINPOOLP256R1"), "BRAINPOOLP256R1");
    assert_string_equal(group_of_library(NULL), "");
    assert_string_equal(cipher_of_library("None"), "None");
    assert_string_equal(cipher_of_library(NULL), "");
}

static void alerts_have_the_names_of_the_rfcs(void **state)
{
    static const struct {
        int number;
        const char *name;
    } rows[] = {{0, "close_notify"},          {40, "handshake_failure"}, {48, "unknown_ca"},
                {70, "protocol_version"},     {80, "internal_error"},    {112, "unrecognized_name"},
                {116, "certificate_required"}};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_string_equal(alert_name(rows[i].number), rows[i].name);
    }
    assert_null(alert_name(1));
    assert_null(alert_name(-1));
    assert_null(alert_name(255));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_lead_to_the_library_and_back),
        cmocka_unit_test(unknown_words_are_unknown_and_the_library_is_quoted),
        cmocka_unit_test(alerts_have_the_names_of_the_rfcs),
    };

    return cmocka_run_group_tests_name("tls/words", tests, NULL, NULL);
}
