/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "help.h"

#define FOR_OLD(key) "certificates.0.key: " key " for the population \"old\": "
#define POST_QUANTUM                                                                               \
    "a post-quantum key exists in TLS 1.3 only, and these users offer 1.2 alone; add 1.3 to "      \
    "their "                                                                                       \
    "versions, or take the certificate out"
#define NO_ECDSA                                                                                   \
    "these users offer TLS 1.2 without a cipher for ECDSA and Ed25519 keys; add "                  \
    "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384, or take the certificate out"
#define NO_RSA                                                                                     \
    "these users offer TLS 1.2 without a cipher for RSA keys; add "                                \
    "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384, or take the certificate out"
#define ONLY_RSA "versions: [1.2], ciphers: [TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256]"
#define ONLY_ECDSA "versions: [1.2], ciphers: [TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256]"

static void a_certificate_that_users_cannot_log_in_to_is_refused_with_the_reason(void **state)
{
    static const struct {
        const char *key, *tls, *complaint;
    } rows[] = {
        {"ml-dsa-44", "versions: [1.2]", FOR_OLD("ml-dsa-44") POST_QUANTUM},
        {"ml-dsa-65", "versions: [1.2]", FOR_OLD("ml-dsa-65") POST_QUANTUM},
        {"ml-dsa-65", "versions: [1.2, 1.3]", NULL}, /* they get 1.3 */
        {"ml-dsa-65", "versions: [1.3]", NULL},
        {"ed25519", "versions: [1.2]", NULL},
        {"ecdsa-p521", "versions: [1.2], groups: [X25519]", NULL},
        {"ecdsa-p256", ONLY_RSA, FOR_OLD("ecdsa-p256") NO_ECDSA},
        {"ecdsa-p384", ONLY_RSA, FOR_OLD("ecdsa-p384") NO_ECDSA},
        {"ecdsa-p521", ONLY_RSA, FOR_OLD("ecdsa-p521") NO_ECDSA},
        {"ed25519", ONLY_RSA, FOR_OLD("ed25519") NO_ECDSA},
        {"rsa-2048", ONLY_ECDSA, FOR_OLD("rsa-2048") NO_RSA},
        {"rsa-4096", ONLY_ECDSA, FOR_OLD("rsa-4096") NO_RSA},
        {"rsa-3072", ONLY_RSA, NULL},
        {"ed25519", ONLY_ECDSA, NULL},
        {"ecdsa-p256",
         "versions: [1.2, 1.3], ciphers: [TLS_AES_128_GCM_SHA256, "
         "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256]",
         NULL}, /* they get 1.3 */
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct ls_errors errors = {0};
        char text[512];
        struct ls_scenario *s;

        (void)snprintf(
            text, sizeof text,
            "loginstorm: 1\nusers: 5\ncertificates: [{key: %s}]\n"
            "populations: [{name: new, share: 0.5}, {name: old, share: 0.5, tls: {%s}}]\n",
            rows[i].key, rows[i].tls);
        print_message("%s, %s\n", rows[i].key, rows[i].tls);
        s = parse(text, &errors);
        assert_int_equal(errors.count, rows[i].complaint == NULL ? 0 : 1);
        if (rows[i].complaint != NULL) {
            assert_string_equal(errors.item[0].text, rows[i].complaint);
            assert_int_equal(errors.item[0].line, 3);
            assert_int_equal(errors.item[0].column, 22);
        }
        ls_scenario_free(s);
    }
}

static void an_outside_gateway_and_a_file_of_unknown_kind_are_not_judged(void **state)
{
    struct ls_scenario *s;

    (void)state;
    s = parse_good("loginstorm: 1\nusers: 5\ncertificates: [{key: ml-dsa-44}]\n"
                   "gateway: {target: \"127.0.0.1:8443\"}\n"
                   "populations: [{name: old, tls: {versions: [1.2]}}]\n");
    assert_non_null(ls_key_refusal("ml-dsa-44", &s->populations[0].tls));
    assert_non_null(ls_key_refusal("ml-dsa-87", &s->populations[0].tls));
    assert_null(ls_key_refusal("file", &s->populations[0].tls));
    ls_scenario_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_certificate_that_users_cannot_log_in_to_is_refused_with_the_reason),
        cmocka_unit_test(an_outside_gateway_and_a_file_of_unknown_kind_are_not_judged),
    };

    return cmocka_run_group_tests_name("scenario/check_keys", tests, NULL, NULL);
}
