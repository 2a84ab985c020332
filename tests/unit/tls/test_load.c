/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Certificates and keys as OpenSSL writes them (material.sh), good ones and each kind of bad one. */
#include "tls/load.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tls/chain.h"
#include "unit/tls/pair.h"

static char folder[] = "/tmp/loginstorm-load-XXXXXX";

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
    if (chdir("/") != 0 || strncmp(folder, "/tmp/loginstorm-load-", 21) != 0) {
        return -1;
    }
    {
        char command[128];

        (void)snprintf(command, sizeof command, "rm -r '%s'", folder);
        if (system(command) != 0) { /* NOLINT(cert-env33-c): the folder of the test itself */
            return -1;
        }
    }
    return stop_tls(state);
}

static void what_people_have_on_disk_is_served_and_verified(void **state)
{
    static const struct {
        const char *chain, *key, *password, *trust, *kind, *name;
        bool trusted;
        const char *why;
    } rows[] = {
        {"full.pem", "leaf.key", NULL, NULL, "ecdsa-p256", "leaf.example", true,
         "the root at the end is whom to trust"},
        {"chain.pem", "leaf.key", NULL, "root.pem", "ecdsa-p256", "a.wild.example", true,
         "the root is named"},
        {"full.pem", "leaf.key", NULL, "root.pem", "ecdsa-p256", "leaf.example", true, "both"},
        {"leaf.pem", "leaf.key", NULL, "inter.pem", "ecdsa-p256", "leaf.example", true,
         "a leaf alone, whose issuer is named"},
        {"chain.pem", "leaf.key", NULL, NULL, "ecdsa-p256", NULL, false,
         "it ends before its root: nobody to trust"},
        {"leaf.pem", "leaf.key", NULL, NULL, "ecdsa-p256", NULL, false, "a leaf alone"},
        {"combined.pem", "combined.pem", NULL, NULL, "ecdsa-p256", "leaf.example", true,
         "all in one file, with words between"},
        {"full.pem", "leaf.sec1", NULL, NULL, "ecdsa-p256", "leaf.example", true, "SEC1"},
        {"full.pem", "leaf.params", NULL, NULL, "ecdsa-p256", "leaf.example", true,
         "parameters in front"},
        {"full.pem", "leaf.aes256", "password", NULL, "ecdsa-p256", "leaf.example", true,
         "encrypted as openssl does it"},
        {"full.pem", "leaf.aes128", "password", NULL, "ecdsa-p256", "leaf.example", true,
         "with AES-128 and SHA-1"},
        {"full.pem", "leaf.key", "password", NULL, "ecdsa-p256", "leaf.example", true,
         "a password that is not needed"},
        {"rsa3072.pem", "rsa3072.key", NULL, NULL, "rsa-3072", "rsa3072.example", true,
         "signed by itself, PKCS#8"},
        {"rsa3072.pem", "rsa3072.pkcs1", NULL, NULL, "rsa-3072", "rsa3072.example", true, "PKCS#1"},
        {"rsa3072.pem", "rsa3072.aes256", "password", NULL, "rsa-3072", "rsa3072.example", true,
         "RSA, encrypted"},
        {"p384.pem", "p384.key", NULL, NULL, "ecdsa-p384", "p384.example", true, "P-384"},
        {"p521.pem", "p521.key", NULL, NULL, "ecdsa-p521", "p521.example", true, "P-521"},
        {"ed25519.pem", "ed25519.key", NULL, NULL, "ed25519", "ed25519.example", true, "Ed25519"},
        {"ed25519.pem", "ed25519.aes256", "password", NULL, "ed25519", "ed25519.example", true,
         "Ed25519, encrypted"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct ls_identity_files files = {.chain = rows[i].chain,
                                                .private_key = rows[i].key,
                                                .password_file = rows[i].password,
                                                .trust = rows[i].trust};
        struct ls_identity *identity = NULL;
        struct ls_error err = {0};
        struct ls_tls_context *server;

        print_message("%s, %s: %s\n", rows[i].chain, rows[i].key, rows[i].why);
        if (ls_identity_load(&identity, &files, &err) != LS_OK) {
            fail_msg("%s", err.text);
        }
        assert_string_equal(identity->key, rows[i].kind);
        assert_int_equal(identity->trust != NULL, rows[i].trusted);
        assert_null(strstr(identity->chain, "PRIVATE"));
        assert_null(strstr(identity->private_key, "ENCRYPTED"));
        server = new_server(identity, false);
        for (int tls13 = 0; tls13 < 2 && rows[i].trusted; tls13++) {
            struct ls_tls_context *client =
                new_client(&(struct ls_tls_client_wish){.tls12 = tls13 == 0,
                                                        .tls13 = tls13 == 1,
                                                        .groups = LIST("X25519"),
                                                        .server_name = rows[i].name,
                                                        .check = LS_CHECK_CHAIN,
                                                        .trust = identity->trust});
            struct pair p;

            pair_init(&p, client, server);
            pump(&p, SIZE_MAX);
            assert_secured(&p);
            pair_free(&p);
            ls_tls_context_free(client);
        }
        ls_tls_context_free(server);
        ls_identity_free(identity);
    }
}

#define CONVERT "`openssl pkcs8 -topk8 -v2 aes-256-cbc -in FILE -out FILE.new` converts it"

static void what_is_wrong_is_said_with_the_file_and_what_to_do(void **state)
{
    static const struct {
        const char *chain, *key, *password, *variable, *trust;
        enum ls_code code;
        const char *text;
    } rows[] = {
        {"nowhere.pem", "leaf.key", NULL, NULL, NULL, LS_ENOINPUT,
         "cannot open nowhere.pem: No such file or directory"},
        {"full.pem", "nowhere.key", NULL, NULL, NULL, LS_ENOINPUT,
         "cannot open nowhere.key: No such file or directory"},
        {"full.pem", "leaf.key", NULL, NULL, "nowhere.pem", LS_ENOINPUT,
         "cannot open nowhere.pem: No such file or directory"},
        {"full.pem", "leaf.aes256", "nowhere", NULL, NULL, LS_ENOINPUT,
         "cannot open nowhere: No such file or directory"},
        {"empty.pem", "leaf.key", NULL, NULL, NULL, LS_EINPUT,
         "empty.pem: no certificate in PEM (-----BEGIN CERTIFICATE-----) is in it"},
        {"leaf.key", "leaf.key", NULL, NULL, NULL, LS_EINPUT,
         "leaf.key: no certificate in PEM (-----BEGIN CERTIFICATE-----) is in it"},
        {"leaf.der", "leaf.key", NULL, NULL, NULL, LS_EINPUT,
         "leaf.der: is binary (DER or PKCS#12), not PEM; `openssl x509 -inform DER -in FILE -out "
         "FILE.pem` or `openssl pkcs12 -in FILE -nokeys -out FILE.pem` converts it"},
        {"cut.pem", "leaf.key", NULL, NULL, NULL, LS_EINPUT,
         "cut.pem: certificate 1 has no end; is the file cut off?"},
        {"dirt.pem", "leaf.key", NULL, NULL, NULL, LS_EINPUT,
         "dirt.pem: certificate 1 is no base64"},
        {"noise.pem", "leaf.key", NULL, NULL, NULL, LS_EINPUT,
         "noise.pem: certificate 1 cannot be read: ASN parsing error, invalid input (-140)"},
        {"many.pem", "leaf.key", NULL, NULL, NULL, LS_EINPUT,
         "many.pem: more than 9 certificates in a chain"},
        {"wrong.pem", "leaf.key", NULL, NULL, NULL, LS_EINPUT,
         "wrong.pem: certificate 1 (inter.example) is not followed by its issuer; put the "
         "gateway's certificate first, then its issuer, then the issuer's issuer"},
        {"reverse.pem", "leaf.key", NULL, NULL, NULL, LS_EINPUT,
         "reverse.pem: certificate 1 (root.example) is not followed by its issuer; put the "
         "gateway's certificate first, then its issuer, then the issuer's issuer"},
        {"unrelated.pem", "leaf.key", NULL, NULL, NULL, LS_EINPUT,
         "unrelated.pem: certificate 2 (other.example) has nothing to do with certificate 1 "
         "(leaf.example) before it; take it out, or put the issuer there"},
        {"forged-chain.pem", "leaf.key", NULL, NULL, NULL, LS_EINPUT,
         "forged-chain.pem: certificate 1 (leaf.example) was not signed by the issuer that it "
         "names; the issuer's certificate is of another key"},
        {"noca-chain.pem", "undernoca.key", NULL, NULL, NULL, LS_EINPUT,
         "noca-chain.pem: certificate 2 (noca.example) is no CA's (basicConstraints without "
         "CA:TRUE), so clients refuse what it signed; have the certificate signed by a CA"},
        {"leaf.pem", "leaf.key", NULL, NULL, "root.pem", LS_EINPUT,
         "root.pem: does not hold the issuer of certificate 1 (leaf.example) of leaf.pem; put the "
         "CA's certificate there"},
        {"leaf.pem", "leaf.key", NULL, NULL, "empty.pem", LS_EINPUT,
         "empty.pem: no certificate in PEM (-----BEGIN CERTIFICATE-----) is in it"},
        {"short.pem", "short.key", NULL, NULL, NULL, LS_EINPUT,
         "short.pem: certificate 1 (short.example) has an RSA key of 1024 bits, which is too "
         "short; make one of 2048 bits or more, or an ECDSA key"},
        {"sha1.pem", "sha1.key", NULL, NULL, NULL, LS_EINPUT,
         "sha1.pem: certificate 1 (sha1.example) is signed with SHA-1, which clients of today "
         "refuse; have it signed with SHA-256"},
        {"md5.pem", "md5.key", NULL, NULL, NULL, LS_EINPUT,
         "md5.pem: certificate 1 (md5.example) is signed with MD5, which clients of today "
         "refuse; have it signed with SHA-256"},
        {"full.pem", "other.key", NULL, NULL, NULL, LS_EINPUT,
         "other.key: does not belong to the first certificate of full.pem; are they of one "
         "request, and is the gateway's certificate first?"},
        {"full.pem", "rsa3072.key", NULL, NULL, NULL, LS_EINPUT,
         "rsa3072.key: does not belong to the first certificate of full.pem; are they of one "
         "request, and is the gateway's certificate first?"},
        {"full.pem", "leaf.public", NULL, NULL, NULL, LS_EINPUT,
         "leaf.public: no private key in PEM (-----BEGIN PRIVATE KEY-----) is in it"},
        {"full.pem", "leaf.cut", NULL, NULL, NULL, LS_EINPUT,
         "leaf.cut: the key has no end; is the file cut off?"},
        {"full.pem", "leaf.key.der", NULL, NULL, NULL, LS_EINPUT,
         "leaf.key.der: is binary (DER or PKCS#12), not PEM; `openssl pkey -inform DER -in FILE "
         "-out FILE.pem` or `openssl pkcs12 -in FILE -nocerts -out FILE.pem` converts it"},
        {"full.pem", "leaf.aes256", NULL, NULL, NULL, LS_EINPUT,
         "leaf.aes256: is encrypted; say where its password is: password_file (its first line) or "
         "password_env (a variable)"},
        {"full.pem", "leaf.aes256", "password.wrong", NULL, NULL, LS_EINPUT,
         "leaf.aes256: the password is wrong"},
        {"full.pem", "leaf.aes256", "empty.pem", NULL, NULL, LS_EINPUT,
         "leaf.aes256: the password is wrong"},
        {"full.pem", "leaf.aes256", NULL, "LOGINSTORM_TEST_UNSET", NULL, LS_EINPUT,
         "password_env: the variable LOGINSTORM_TEST_UNSET, which should hold the password of "
         "leaf.aes256, is not set"},
        {"full.pem", "leaf.aes256", NULL, "LOGINSTORM_TEST_WRONG", NULL, LS_EINPUT,
         "leaf.aes256: the password is wrong"},
        {"full.pem", "leaf.des3", "password", NULL, NULL, LS_EINPUT,
         "leaf.des3: is encrypted in a way that is not read here; " CONVERT},
        {"full.pem", "leaf.scrypt", "password", NULL, NULL, LS_EINPUT,
         "leaf.scrypt: is encrypted in a way that is not read here; " CONVERT},
        {"full.pem", "leaf.old", "password", NULL, NULL, LS_EINPUT,
         "leaf.old: is encrypted in the old way (Proc-Type: 4,ENCRYPTED), which is not read "
         "here; " CONVERT},
    };

    (void)state;
    assert_int_equal(setenv("LOGINSTORM_TEST_WRONG", "nothing", 1), 0);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct ls_identity_files files = {.chain = rows[i].chain,
                                                .private_key = rows[i].key,
                                                .password_file = rows[i].password,
                                                .password_env = rows[i].variable,
                                                .trust = rows[i].trust};
        struct ls_identity *identity = NULL;
        struct ls_error err = {0};

        print_message("%s, %s\n", rows[i].chain, rows[i].key);
        assert_int_equal(ls_identity_load(&identity, &files, &err), rows[i].code);
        assert_string_equal(err.text, rows[i].text);
        assert_null(identity);
    }
}

/* The curve that no TLS client offers: the message comes from one library or the other, and names the file. */
static void a_kind_of_key_that_is_not_served_is_refused(void **state)
{
    const struct ls_identity_files files = {.chain = "koblitz.pem", .private_key = "koblitz.key"};
    struct ls_identity *identity = NULL;
    struct ls_error err = {0};

    (void)state;
    assert_int_equal(ls_identity_load(&identity, &files, &err), LS_EINPUT);
    assert_memory_equal(err.text, "koblitz.pem: certificate 1", 26);
}

static void a_variable_holds_a_password_too(void **state)
{
    const struct ls_identity_files files = {.chain = "full.pem",
                                            .private_key = "leaf.aes256",
                                            .password_env = "LOGINSTORM_TEST_PASSWORD"};
    struct ls_identity *identity = NULL;
    struct ls_error err = {0};

    (void)state;
    assert_int_equal(setenv("LOGINSTORM_TEST_PASSWORD", "secret", 1), 0);
    assert_int_equal(ls_identity_load(&identity, &files, &err), LS_OK);
    ls_identity_free(identity);
}

static void a_key_that_everybody_may_read_is_marked(void **state)
{
    static const struct {
        mode_t mode;
        bool exposed;
    } rows[] = {{0600, false}, {0640, false}, {0644, true}};
    const struct ls_identity_files files = {.chain = "full.pem", .private_key = "leaf.key"};

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        struct ls_identity *identity = NULL;
        struct ls_error err;

        assert_int_equal(chmod("leaf.key", rows[i].mode), 0);
        assert_int_equal(ls_identity_load(&identity, &files, &err), LS_OK);
        assert_int_equal(identity->exposed, rows[i].exposed);
        ls_identity_free(identity);
    }
}

/* The root is of 30 days, the others of 20. */
static void a_certificate_is_only_good_in_its_time(void **state)
{
    const time_t day = 86400, now = time(NULL);
    static const struct {
        int days;
        const char *part;
    } rows[] = {
        {0, NULL},
        {19, NULL},
        {21, "full.pem: certificate 1 (leaf.example) expired on "},
        {-1, "full.pem: certificate 1 (leaf.example) is not valid before "},
    };
    char text[65536];
    struct chain chain;
    struct ls_error err;
    FILE *file = fopen("full.pem", "r");
    char expected[128];
    struct tm utc;
    time_t until = now + 20 * day;

    (void)state;
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    assert_int_equal(fclose(file), 0);
    assert_int_equal(chain_parse(&chain, "full.pem", text, &err), LS_OK);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const enum ls_code code = chain_check(&chain, now + rows[i].days * day, &err);

        assert_int_equal(code, rows[i].part == NULL ? LS_OK : LS_EINPUT);
        if (rows[i].part != NULL) {
            assert_memory_equal(err.text, rows[i].part, strlen(rows[i].part));
        }
        if (rows[i].days == 21) {
            /* Made some seconds ago, perhaps before midnight. */
            (void)gmtime_r(&until, &utc);
            (void)strftime(expected, sizeof expected, "expired on %Y-%m-%d; have it renewed", &utc);
            if (strstr(err.text, expected) == NULL) {
                until -= 60;
                (void)gmtime_r(&until, &utc);
                (void)strftime(expected, sizeof expected, "expired on %Y-%m-%d; have it renewed",
                               &utc);
            }
            assert_non_null(strstr(err.text, expected));
        }
    }
    chain_free(&chain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_people_have_on_disk_is_served_and_verified),
        cmocka_unit_test(what_is_wrong_is_said_with_the_file_and_what_to_do),
        cmocka_unit_test(a_kind_of_key_that_is_not_served_is_refused),
        cmocka_unit_test(a_variable_holds_a_password_too),
        cmocka_unit_test(a_key_that_everybody_may_read_is_marked),
        cmocka_unit_test(a_certificate_is_only_good_in_its_time),
    };

    return cmocka_run_group_tests_name("tls/load", tests, start, stop);
}
