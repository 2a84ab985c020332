/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "help.h"

static void tls_settings_that_cannot_work_together_are_refused(void **state)
{
    static const struct refusal rows[] = {
        {"populations: [{tls: {key_shares: [P-384]}}]\n", 4, 35,
         "populations.0.tls.key_shares: P-384 is not among the groups; add it there, or take it "
         "out here",
         "a key that is not offered"},
        {"populations: [{tls: {versions: [1.2], groups: [X25519MLKEM768]}}]\n", 4, 48,
         "populations.0.tls.groups: X25519MLKEM768 needs TLS 1.3; add 1.3 to versions, or take the "
         "group out",
         "hybrids are of TLS 1.3"},
        {"populations: [{tls: {versions: [1.2, 1.3], groups: [X25519MLKEM768]}}]\n", 4, 53,
         "populations.0.tls.groups: TLS 1.2 can use none of these; add X25519 or P-256, or take "
         "1.2 out of versions",
         "TLS 1.2 is left without any"},
        {"populations: [{tls: {versions: [1.2], key_shares: [X25519]}}]\n", 4, 52,
         "populations.0.tls.key_shares: are of TLS 1.3, which versions leaves out; take them out",
         "TLS 1.2 has none"},
        {"populations: [{tls: {ciphers: [TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384, "
         "TLS_AES_128_GCM_SHA256]}}]\n",
         4, 32,
         "populations.0.tls.ciphers: a cipher suite of TLS 1.2 is among these, which versions "
         "leaves out",
         "never used"},
        {"populations: [{tls: {versions: [1.2], ciphers: [TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384, "
         "TLS_AES_128_GCM_SHA256]}}]\n",
         4, 49,
         "populations.0.tls.ciphers: a cipher suite of TLS 1.3 is among these, which versions "
         "leaves out",
         "never used"},
        {"populations: [{tls: {versions: [1.2, 1.3], ciphers: [TLS_AES_128_GCM_SHA256]}}]\n", 4, 54,
         "populations.0.tls.ciphers: none of these is a cipher suite of TLS 1.2, which versions "
         "offers; add TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384 or "
         "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
         "TLS 1.2 is left without any"},
        {"populations: [{tls: {versions: [1.2, 1.3], ciphers: "
         "[TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384]}}]\n",
         4, 54,
         "populations.0.tls.ciphers: none of these is a cipher suite of TLS 1.3, which versions "
         "offers; add TLS_AES_256_GCM_SHA384",
         "TLS 1.3 is left without any"},
        {"populations: [{tls: {groups: [X448]}}]\n", 4, 31,
         "populations.0.tls.groups: unknown word \"X448\" (known: X25519, P-256, P-384, P-521, "
         "X25519MLKEM768, SecP256r1MLKEM768, SecP384r1MLKEM1024)",
         "not built in"},
    };

    (void)state;
    check_refusals(rows, sizeof rows / sizeof rows[0]);
}

static void gateways_that_cannot_be_are_refused(void **state)
{
    static const struct refusal rows[] = {
        {"gateway: {workers: 2, cores: [0]}\n", 4, 30,
         "gateway.cores: lists 1 for 2 workers; give one core a worker", "one is left over"},
        {"gateway: {cpu: none}\n", 4, 16,
         "gateway.cpu: the embedded gateway accounts for its CPU itself; take this out",
         "it cannot be turned off"},
        {"gateway: {target: \"a:1\", cpu: embedded}\n", 4, 31,
         "gateway.cpu: an outside gateway is not embedded; give {from: process, pid: 1234}, {from: "
         "cgroup, path: ...}, {from: exporter, url: ...} or none",
         "not ours"},
        {"gateway: {target: \"a:1\", cpu: {from: exporter, url: \"gw1:9100/metrics\"}}\n", 4, 53,
         "gateway.cpu.url: \"gw1:9100/metrics\" does not begin with http:// or https://, like "
         "http://gw1:9100/metrics",
         "it is no URL"},
        {"gateway: {target: \"a:1\", cpu: {from: exporter, url: \"file:///etc/passwd\"}}\n", 4, 53,
         "gateway.cpu.url: \"file:///etc/passwd\" does not begin with http:// or https://, like "
         "http://gw1:9100/metrics",
         "no exporter is there"},
        {"gateway: {target: \"a:1\", cpu: {from: process, pid: 1, process: x}}\n", 4, 31,
         "gateway.cpu: pid and process say the same; take one of them out", "which one?"},
    };

    (void)state;
    check_refusals(rows, sizeof rows / sizeof rows[0]);
}

static void check_certificate(const char *certificates, int column, const char *complaint)
{
    struct ls_errors errors = {0};
    char text[200];

    (void)snprintf(text, sizeof text, "loginstorm: 1\nusers: 5\ncertificates: %s\n", certificates);
    assert_null(parse(text, &errors));
    assert_int_equal(errors.count, 1);
    assert_string_equal(errors.item[0].text, complaint);
    assert_int_equal(errors.item[0].line, 3);
    assert_int_equal(errors.item[0].column, column);
}

static void certificates_have_a_key_or_files(void **state)
{
    (void)state;
    check_certificate(
        "[{name: x}]", 16,
        "certificates.0: says no key; give one, like key: rsa-4096 or key: ecdsa-p256");
    check_certificate("[{chain: a.pem}]", 16,
                      "certificates.0: private_key is missing: chain and private_key go together");
    check_certificate("[{private_key: a.key}]", 16,
                      "certificates.0: chain is missing: chain and private_key go together");
    check_certificate("[{key: rsa-2048, chain: a, private_key: b}]", 22,
                      "certificates.0: key makes a new key, chain and private_key bring one; take "
                      "one of both out");
    check_certificate(
        "[{key: rsa-2048}, {key: rsa-2048}]", 33,
        "certificates.1.name: \"rsa-2048\" is taken by an entry before; give each its "
        "own");
}

static void what_belongs_to_files_is_refused_without_them(void **state)
{
    (void)state;
    check_certificate("[{key: rsa-2048, password_file: a}]", 47,
                      "certificates.0: password_file belongs to a certificate from files, with "
                      "chain and private_key; take it out");
    check_certificate("[{key: rsa-2048, password_env: A}]", 46,
                      "certificates.0: password_env belongs to a certificate from files, with "
                      "chain and private_key; take it out");
    check_certificate("[{key: rsa-2048, trust: a.pem}]", 39,
                      "certificates.0: trust belongs to a certificate from files, with chain and "
                      "private_key; take it out");
    check_certificate("[{chain: a, private_key: b, password_file: c, password_env: D}]", 75,
                      "certificates.0: password_file and password_env say the same; take one of "
                      "them out");
}

static void certificates_from_files_keep_their_paths(void **state)
{
    struct ls_scenario *s = parse_good("loginstorm: 1\nusers: 5\ncertificates: [{name: ours, "
                                       "chain: a.pem, private_key: a.key, server_name: a.example, "
                                       "password_file: pw, trust: ca.pem}]\n");

    (void)state;
    assert_string_equal(s->certificates[0].server_name, "a.example");
    assert_string_equal(s->certificates[0].password_file, "pw");
    assert_null(s->certificates[0].password_env);
    assert_string_equal(s->certificates[0].trust, "ca.pem");
    assert_int_equal(s->certificates[0].key, LS_KEY_FILE);
    assert_string_equal(s->certificates[0].chain, "a.pem");
    assert_string_equal(s->certificates[0].private_key, "a.key");
    assert_string_equal(ls_key_name(LS_KEY_FILE), "file");
    ls_scenario_free(s);
}

static void ciphers_left_out_follow_the_versions(void **state)
{
    struct ls_scenario *old = parse_with("populations: [{tls: {versions: [1.2]}}]\n");
    struct ls_scenario *both = parse_with("populations: [{tls: {versions: [1.2, 1.3]}}]\n");

    (void)state;
    assert_string_equal(old->populations[0].tls.ciphers[0],
                        "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384");
    assert_string_equal(old->populations[0].tls.ciphers[3],
                        "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256");
    assert_null(old->populations[0].tls.ciphers[4]);
    assert_null(old->populations[0].tls.key_shares[0]);
    assert_string_equal(both->populations[0].tls.ciphers[0], "TLS_AES_256_GCM_SHA384");
    assert_string_equal(both->populations[0].tls.ciphers[5],
                        "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256");
    assert_null(both->populations[0].tls.ciphers[6]);
    ls_scenario_free(old);
    ls_scenario_free(both);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tls_settings_that_cannot_work_together_are_refused),
        cmocka_unit_test(gateways_that_cannot_be_are_refused),
        cmocka_unit_test(certificates_have_a_key_or_files),
        cmocka_unit_test(what_belongs_to_files_is_refused_without_them),
        cmocka_unit_test(certificates_from_files_keep_their_paths),
        cmocka_unit_test(ciphers_left_out_follow_the_versions),
    };

    return cmocka_run_group_tests_name("scenario/check_tls", tests, NULL, NULL);
}
