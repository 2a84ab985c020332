/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The certificates are looked at with other eyes: those of OpenSSL's command line. */
#include "unit/tls/pair.h"

#include <stdio.h>
#include <unistd.h>

static char folder[] = "/tmp/loginstorm-identity-XXXXXX";

static int start(void **state)
{
    return mkdtemp(folder) == NULL ? -1 : start_tls(state);
}

static int stop(void **state)
{
    return rmdir(folder) == 0 ? stop_tls(state) : -1;
}

static void write_file(const char *name, const char *text)
{
    char path[256];
    FILE *file;

    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void put_files(const struct ls_identity *identity)
{
    write_file("key", identity->private_key);
    write_file("chain", identity->chain);
    write_file("trust", identity->trust);
}

static void drop_files(void)
{
    static const char *const names[] = {"key", "chain", "trust"};
    char path[256];

    for (size_t i = 0; i < 3; i++) {
        (void)snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        assert_int_equal(unlink(path), 0);
    }
}

/* What `openssl ...` prints on both outputs, in the folder; its exit status. */
static int openssl(char *out, size_t size, const char *arguments)
{
    char command[512];
    size_t length;
    FILE *pipe;

    (void)snprintf(command, sizeof command, "cd %s && openssl %s 2>&1", folder, arguments);
    pipe = popen(command, "r"); /* NOLINT(cert-env33-c): arguments of the test itself */
    assert_non_null(pipe);
    length = fread(out, 1, size - 1, pipe);
    out[length] = '\0';
    return pclose(pipe);
}

static void assert_says(const char *arguments, const char *const *parts)
{
    char out[16384];

    if (openssl(out, sizeof out, arguments) != 0) {
        fail_msg("openssl %s: %s", arguments, out);
    }
    for (; *parts != NULL; parts++) {
        if (strstr(out, *parts) == NULL) {
            fail_msg("openssl %s does not say '%s' but: %s", arguments, *parts, out);
        }
    }
}

static void openssl_accepts_every_kind_of_certificate(void **state)
{
    static const struct {
        const char *key, *issuer_key, *public_key, *signature, *usage;
    } rows[] = {
        {"rsa-2048", "rsa-2048", "Public-Key: (2048 bit)", "sha256WithRSAEncryption",
         "Digital Signature, Key Encipherment"},
        {"rsa-3072", "ecdsa-p256", "Public-Key: (3072 bit)", "ecdsa-with-SHA256",
         "Digital Signature, Key Encipherment"},
        {"rsa-4096", "rsa-3072", "Public-Key: (4096 bit)", "sha256WithRSAEncryption",
         "Digital Signature, Key Encipherment"},
        {"ecdsa-p256", "rsa-4096", "ASN1 OID: prime256v1", "sha256WithRSAEncryption",
         "Digital Signature\n"},
        {"ecdsa-p384", "ecdsa-p384", "ASN1 OID: secp384r1", "ecdsa-with-SHA384",
         "Digital Signature\n"},
        {"ecdsa-p521", "ecdsa-p521", "ASN1 OID: secp521r1", "ecdsa-with-SHA512",
         "Digital Signature\n"},
        {"ed25519", "ed25519", "ED25519 Public-Key:", "Signature Algorithm: ED25519",
         "Digital Signature\n"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct ls_identity *identity = new_identity(rows[i].key, rows[i].issuer_key);

        print_message("%s by %s\n", rows[i].key, rows[i].issuer_key);
        put_files(identity);
        assert_says("verify -x509_strict -purpose sslserver -verify_hostname " NAME
                    " -CAfile trust chain",
                    LIST("chain: OK"));
        assert_says("x509 -in chain -noout -text",
                    LIST("Version: 3", "Subject: CN = " NAME, "Issuer: CN = loginstorm issuer",
                         rows[i].public_key, rows[i].signature, rows[i].usage,
                         "TLS Web Server Authentication", "DNS:" NAME "\n",
                         "X509v3 Subject Key Identifier", "X509v3 Authority Key Identifier"));
        assert_says("x509 -in trust -noout -text",
                    LIST("CA:TRUE", "Certificate Sign, CRL Sign", "X509v3 Subject Key Identifier"));
        assert_says("pkey -in key -check -noout", LIST("Key is valid"));
        assert_says("x509 -in chain -noout -checkend 7689600", LIST("will not expire")); /* 89 d */
        drop_files();
        ls_identity_free(identity);
    }
}

static void the_private_key_is_that_of_the_certificate(void **state)
{
    static const char *const kinds[] = {"rsa-2048", "ecdsa-p384", "ed25519"};

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        struct ls_identity *identity = new_identity(kinds[i], "ecdsa-p256");
        char of_key[4096], of_certificate[4096];

        put_files(identity);
        assert_int_equal(openssl(of_key, sizeof of_key, "pkey -in key -pubout"), 0);
        assert_int_equal(
            openssl(of_certificate, sizeof of_certificate, "x509 -in chain -noout -pubkey"), 0);
        assert_string_equal(of_key, of_certificate);
        drop_files();
        ls_identity_free(identity);
    }
}

static size_t certificates_in(const char *pem)
{
    size_t count = 0;

    while ((pem = strstr(pem, "-----BEGIN CERTIFICATE-----")) != NULL) {
        count++;
        pem++;
    }
    return count;
}

static void the_issuer_is_sent_only_when_wished(void **state)
{
    (void)state;
    for (size_t send = 0; send < 2; send++) {
        const struct ls_identity_wish wish = {
            .key = "ecdsa-p256", .issuer_key = "ecdsa-p256", .name = NAME, .send_chain = send == 1};
        struct ls_identity *identity;
        struct ls_error err;

        assert_int_equal(ls_identity_new(&identity, &wish, &err), LS_OK);
        assert_int_equal(certificates_in(identity->chain), 1 + send);
        assert_int_equal(certificates_in(identity->trust), 1);
        assert_true((strstr(identity->chain, identity->trust) != NULL) == (send == 1));
        ls_identity_free(identity);
    }
}

static void two_identities_share_neither_key_nor_serial(void **state)
{
    struct ls_identity *a = new_identity("ecdsa-p256", "ecdsa-p256");
    struct ls_identity *b = new_identity("ecdsa-p256", "ecdsa-p256");

    (void)state;
    assert_string_not_equal(a->private_key, b->private_key);
    assert_string_not_equal(a->chain, b->chain);
    assert_string_not_equal(a->trust, b->trust);
    ls_identity_free(a);
    ls_identity_free(b);
}

static void names_of_any_length_and_addresses_stand_in_the_certificate(void **state)
{
    static char name[254];
    static const struct {
        size_t labels, rest; /* of 50 characters and a dot; then the rest */
        const char *name, *shows, *option, *why;
    } rows[] = {
        {0, 0, "a", "DNS:a\n", "hostname", "one character"},
        {0, 0, "192.0.2.7", "IP Address:192.0.2.7", "ip", "an address"},
        {0, 0, "2001:db8::7", "IP Address:2001:DB8:0:0:0:0:0:7", "ip", "an address of six"},
        {1, 12, NULL, "Subject: CN = ", "hostname", "63: the longest common name here"},
        {2, 18, NULL, "Subject: O = loginstorm", "hostname", "120: not a common name any more"},
        {2, 24, NULL, "Subject: O = loginstorm", "hostname", "126: the outer length grows first"},
        {3, 40, NULL, "Subject: O = loginstorm", "hostname", "193: both lengths are long"},
        {4, 49, NULL, "Subject: O = loginstorm", "hostname", "253: the longest DNS name"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct ls_identity_wish wish = {.key = "ecdsa-p256", .issuer_key = "ecdsa-p256"};
        struct ls_identity *identity;
        struct ls_error err = {0};
        char arguments[512];
        size_t at = 0;

        print_message("%s\n", rows[i].why);
        for (size_t k = 0; k < rows[i].labels; k++) {
            memset(name + at, 'a' + (int)k, 50);
            at += 50;
            name[at++] = '.';
        }
        memset(name + at, 'z', rows[i].rest);
        name[at + rows[i].rest] = '\0';
        wish.name = rows[i].name == NULL ? name : rows[i].name;
        if (ls_identity_new(&identity, &wish, &err) != LS_OK) {
            fail_msg("%s", err.text);
        }
        put_files(identity);
        (void)snprintf(arguments, sizeof arguments, "verify -verify_%s %s -CAfile trust chain",
                       rows[i].option, wish.name);
        assert_says(arguments, LIST("chain: OK"));
        assert_says("x509 -in chain -noout -text", LIST(rows[i].shows));
        drop_files();
        ls_identity_free(identity);
    }
}

static void what_cannot_be_made_is_refused(void **state)
{
    static char long_name[255];
    static const struct {
        const char *key, *issuer_key, *name, *text;
    } rows[] = {
        {"ml-dsa-44", "rsa-2048", NAME,
         "a key of kind ml-dsa-44 cannot be made here; there are rsa-2048, rsa-3072, rsa-4096, "
         "ecdsa-p256, ecdsa-p384, ecdsa-p521 and ed25519"},
        {"rsa-2048", "ml-dsa-65", NAME,
         "a key of kind ml-dsa-65 cannot be made here; there are rsa-2048, rsa-3072, rsa-4096, "
         "ecdsa-p256, ecdsa-p384, ecdsa-p521 and ed25519"},
        {"RSA-2048", "rsa-2048", NAME,
         "a key of kind RSA-2048 cannot be made here; there are rsa-2048, rsa-3072, rsa-4096, "
         "ecdsa-p256, ecdsa-p384, ecdsa-p521 and ed25519"},
        {NULL, "rsa-2048", NAME,
         "a key of kind (none) cannot be made here; there are rsa-2048, rsa-3072, rsa-4096, "
         "ecdsa-p256, ecdsa-p384, ecdsa-p521 and ed25519"},
        {"ecdsa-p256", "ecdsa-p256", "", "a certificate's name has 1 to 253 characters"},
        {"ecdsa-p256", "ecdsa-p256", NULL, "a certificate's name has 1 to 253 characters"},
        {"ecdsa-p256", "ecdsa-p256", long_name, "a certificate's name has 1 to 253 characters"},
        {"ecdsa-p256", "ecdsa-p256", "two words",
         "a certificate's name has only letters, digits, dots and dashes"},
        {"ecdsa-p256", "ecdsa-p256", "t\xc3\xbcr.example",
         "a certificate's name has only letters, digits, dots and dashes"},
    };

    (void)state;
    memset(long_name, 'x', sizeof long_name - 1);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct ls_identity_wish wish = {
            .key = rows[i].key, .issuer_key = rows[i].issuer_key, .name = rows[i].name};
        struct ls_identity *identity = NULL;
        struct ls_error err = {0};

        assert_int_equal(ls_identity_new(&identity, &wish, &err), LS_EINPUT);
        assert_string_equal(err.text, rows[i].text);
        assert_null(identity);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(openssl_accepts_every_kind_of_certificate),
        cmocka_unit_test(the_private_key_is_that_of_the_certificate),
        cmocka_unit_test(the_issuer_is_sent_only_when_wished),
        cmocka_unit_test(two_identities_share_neither_key_nor_serial),
        cmocka_unit_test(names_of_any_length_and_addresses_stand_in_the_certificate),
        cmocka_unit_test(what_cannot_be_made_is_refused),
    };

    return cmocka_run_group_tests_name("tls/identity", tests, start, stop);
}
