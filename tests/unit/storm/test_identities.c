/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "storm/identities.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "unit/tls/pair.h"

static char folder[] = "/tmp/loginstorm-identities-XXXXXX";

static int start(void **state)
{
    if (mkdtemp(folder) == NULL || chdir(folder) != 0 ||
        system("bash '" LS_SOURCE_DIR "/tests/unit/tls/material.sh'") != 0) { /* NOLINT */
        return -1;
    }
    return start_tls(state);
}

static int stop(void **state)
{
    char command[128];

    (void)snprintf(command, sizeof command, "cd / && rm -r '%s'", folder);
    return system(command) == 0 ? stop_tls(state) : -1; /* NOLINT(cert-env33-c) */
}

static struct ls_scenario *parse(const char *certificates, const char *populations)
{
    struct ls_scenario *scenario = NULL;
    struct ls_errors errors = {0};
    char text[2048];

    (void)snprintf(text, sizeof text,
                   "loginstorm: 1\nusers: 5\ncertificates: [%s]\npopulations: [%s]\n", certificates,
                   populations);
    if (ls_scenario_parse(&scenario, "all.yaml", text, strlen(text), NULL, 0, &errors) != LS_OK) {
        fail_msg("%s", errors.item[0].text);
    }
    return scenario;
}

#define ALL "{name: all, tls: {server_name: leaf.example}}"
#define OLD                                                                                        \
    "{name: old, tls: {server_name: leaf.example, versions: [1.2], verify: leaf, "                 \
    "ciphers: [TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256]}}"

static void files_are_held_to_what_users_ask_for(void **state)
{
    static const struct {
        const char *certificate, *populations, *text;
    } rows[] = {
        {"{name: a, chain: full.pem, private_key: leaf.key}", ALL, NULL},
        {"{name: a, chain: chain.pem, private_key: leaf.key, trust: root.pem}", ALL, NULL},
        {"{name: a, chain: full.pem, private_key: leaf.aes256, password_file: password, "
         "server_name: x.wild.example}",
         ALL, NULL},
        {"{name: a, chain: leaf.pem, private_key: leaf.key}",
         "{name: all, tls: {verify: leaf, server_name: any.example}}", NULL},
        {"{name: a, chain: chain.pem, private_key: leaf.key}", ALL,
         "certificates.1 (a): chain.pem ends before its root, so users who verify the chain have "
         "nobody to trust; name the CA's certificate as trust:, or write `verify: leaf`"},
        {"{name: a, chain: full.pem, private_key: leaf.key}",
         "{name: all, tls: {server_name: any.example}}",
         "certificates.1 (a): full.pem is not for any.example, which the population \"all\" asks "
         "for; "
         "write one of its names as server_name:, or `verify: leaf`"},
        {"{name: a, chain: full.pem, private_key: leaf.key, server_name: any.example}",
         "{name: all, tls: {verify: none, server_name: leaf.example}}",
         "certificates.1 (a): full.pem is not for any.example, which the population \"all\" asks "
         "for; "
         "write one of its names as server_name:"},
        {"{name: a, chain: full.pem, private_key: leaf.key}", OLD,
         "certificates.1 (a): ecdsa-p256 for the population \"old\": these users offer TLS 1.2 "
         "without "
         "a cipher for ECDSA and Ed25519 keys; add TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384, or "
         "take the certificate out"},
        {"{name: a, chain: client.pem, private_key: client.key, trust: root.pem}", ALL,
         "certificates.1 (a): client.pem: the population \"all\" cannot log in to it: the peer's "
         "certificate: not for a server; have it issued with serverAuth in its "
         "extendedKeyUsage"},
        {"{name: a, chain: agree.pem, private_key: agree.key, trust: root.pem}", ALL,
         "certificates.1 (a): agree.pem: the population \"all\" cannot log in to it: the peer's "
         "certificate: its key may not be used for signatures; have it issued with "
         "digitalSignature in its keyUsage"},
        {"{name: a, chain: caleaf.pem, private_key: caleaf.key, trust: root.pem}", ALL,
         "certificates.1 (a): caleaf.pem: the population \"all\" cannot log in to it: the peer's "
         "certificate: its key may not be used for signatures; have it issued with "
         "digitalSignature in its keyUsage"},
        {"{name: a, chain: nosign-chain.pem, private_key: undersigned.key}", ALL,
         "certificates.1 (a): nosign-chain.pem: the population \"all\" cannot log in to it: the "
         "peer's "
         "certificate: signed by a certificate that is not an issuer's; each issuer in the "
         "chain needs basicConstraints CA:TRUE and keyCertSign in its keyUsage"},
        {"{name: a, chain: full.pem, private_key: other.key}", ALL,
         "certificates.1 (a): other.key: does not belong to the first certificate of full.pem; are "
         "they of one request, and is the gateway's certificate first?"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char certificates[512];
        struct ls_scenario *scenario;
        struct ls_error err = {0};

        (void)snprintf(certificates, sizeof certificates, "{key: rsa-2048}, %s",
                       rows[i].certificate);
        scenario = parse(certificates, rows[i].populations);
        print_message("%s\n", rows[i].certificate);
        assert_int_equal(identities_check(scenario, &err),
                         rows[i].text == NULL ? LS_OK : LS_EINPUT);
        assert_string_equal(err.text, rows[i].text == NULL ? "" : rows[i].text);
        if (rows[i].text != NULL) {
            assert_string_equal(err.path, "all.yaml");
            assert_int_equal(err.line, 3);
            assert_int_equal(err.column,
                             (int)strlen("certificates: [{key: rsa-2048}, {name: a, chain: ") + 1);
        }
        ls_scenario_free(scenario);
    }
}

static void on_step(const char *text, void *data)
{
    (void)snprintf(data, 256, "%s", text);
}

/* Which of the certificates each run shows, in their order: "10" is the second, and then the first. */
static void a_run_shows_its_own_certificate_and_those_of_other_names(void **state)
{
    static const struct {
        const char *certificates, *populations, *shown[4];
        const char *why;
    } rows[] = {
        {"{key: ecdsa-p256}, {key: ecdsa-p384}", ALL, {"0", "1"}, "no names: each alone"},
        {"{key: ecdsa-p256, server_name: a.example}, {key: ecdsa-p384, server_name: b.example}, "
         "{key: ed25519, server_name: c.example}",
         ALL,
         {"012", "012", "012"},
         "three names: all of them in each run, in the same order"},
        {"{key: ecdsa-p256}, {key: ecdsa-p384, server_name: b.example}",
         ALL,
         {"01", "1"},
         "one without a name is for who asks for any other"},
        {"{key: ecdsa-p256, server_name: a.example}, {key: ecdsa-p384, server_name: a.example}",
         ALL,
         {"0", "1"},
         "the same name: only one of them can be shown"},
        {"{key: ecdsa-p256}, {key: ecdsa-p384, server_name: leaf.example}",
         ALL,
         {"0", "1"},
         "a name that the population asks for belongs to the run's own"},
        {"{name: w, chain: full.pem, private_key: leaf.key, server_name: a.wild.example}, "
         "{key: ecdsa-p384, server_name: b.wild.example}",
         ALL,
         {"01", "1"},
         "a star of the first would take the second's users"},
        {"{key: ecdsa-p256, server_name: a.example}, {key: ecdsa-p384, server_name: 192.0.2.7}",
         ALL,
         {"0", "10"},
         "an address is not asked for, so its certificate goes first in its run"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct ls_scenario *scenario = parse(rows[i].certificates, rows[i].populations);
        struct ls_identity *identities[4] = {NULL};
        char step[256];
        const struct ls_storm_wish wish = {.scenario = scenario, .step = on_step, .data = step};
        struct ls_error err;

        print_message("%s\n", rows[i].why);
        assert_int_equal(identities_make(&wish, identities, &err), LS_OK);
        for (size_t run = 0; run < scenario->certificates_count; run++) {
            const struct ls_identity *shown[4];
            char seen[8] = "";
            size_t count;

            assert_int_equal(identities_shown(scenario, identities, run, shown, &count, &err),
                             LS_OK);
            for (size_t k = 0; k < count; k++) {
                for (size_t n = 0; n < scenario->certificates_count; n++) {
                    if (shown[k] == identities[n]) {
                        seen[k] = (char)('0' + n);
                    }
                }
            }
            assert_string_equal(seen, rows[i].shown[run]);
        }
        for (size_t k = 0; k < 4; k++) {
            ls_identity_free(identities[k]);
        }
        ls_scenario_free(scenario);
    }
}

static void one_made_certificate_has_the_names_of_all_populations(void **state)
{
    struct ls_scenario *scenario =
        parse("{key: ecdsa-p256}", "{name: a, share: 0.5, tls: {server_name: a.example}}, "
                                   "{name: b, share: 0.5, tls: {server_name: b.example}}");
    struct ls_identity *identity = NULL;
    char step[256];
    const struct ls_storm_wish wish = {.scenario = scenario, .step = on_step, .data = step};
    struct ls_error err;
    bool fits;

    (void)state;
    assert_int_equal(identities_make(&wish, &identity, &err), LS_OK);
    assert_string_equal(step, "making a key and its certificate: ecdsa-p256");
    assert_int_equal(ls_identity_fits(identity, "a.example", &fits, &err), LS_OK);
    assert_true(fits);
    assert_int_equal(ls_identity_fits(identity, "b.example", &fits, &err), LS_OK);
    assert_true(fits);
    assert_string_equal(identity->key, "ecdsa-p256");
    ls_identity_free(identity);
    ls_scenario_free(scenario);
}

static void a_key_that_everybody_may_read_is_told(void **state)
{
    struct ls_scenario *scenario = parse("{name: a, chain: full.pem, private_key: leaf.key}", ALL);
    struct ls_identity *identity = NULL;
    char step[256] = "";
    const struct ls_storm_wish wish = {.scenario = scenario, .step = on_step, .data = step};
    struct ls_error err;

    (void)state;
    assert_int_equal(system("chmod 644 leaf.key"), 0); /* NOLINT(cert-env33-c) */
    assert_int_equal(identities_make(&wish, &identity, &err), LS_OK);
    assert_string_equal(step,
                        "warning: every user of this machine may read leaf.key; `chmod o-r` it");
    assert_string_equal(identity->key, "ecdsa-p256");
    ls_identity_free(identity);
    ls_scenario_free(scenario);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_are_held_to_what_users_ask_for),
        cmocka_unit_test(a_run_shows_its_own_certificate_and_those_of_other_names),
        cmocka_unit_test(one_made_certificate_has_the_names_of_all_populations),
        cmocka_unit_test(a_key_that_everybody_may_read_is_told),
    };

    return cmocka_run_group_tests_name("storm/identities", tests, start, stop);
}
