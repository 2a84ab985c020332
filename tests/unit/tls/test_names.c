/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tls/names.h"

#include "unit/tls/pair.h"

static void a_name_fits_in_any_case_or_by_one_label_for_a_star(void **state)
{
    char *names[] = {(char[]){"Ras.Example"},
                     (char[]){"*.wild.example"},
                     (char[]){"192.0.2.7"},
                     (char[]){"2001:db8::7"},
                     (char[]){"*"},
                     (char[]){"*.2.7"},
                     NULL};
    static const struct {
        const char *asked;
        bool holds, fits;
        const char *why;
    } rows[] = {
        {"ras.example", true, true, "another case"},
        {"RAS.EXAMPLE", true, true, "capitals"},
        {"ras.example.", false, false, "a dot at the end is another name here"},
        {"ras.examples", false, false, "longer"},
        {"as.example", false, false, "shorter"},
        {"a.wild.example", false, true, "one label for the star"},
        {"A.WILD.example", false, true, "in any case"},
        {"a.b.wild.example", false, false, "two labels"},
        {"wild.example", false, false, "none"},
        {".wild.example", false, false, "an empty one"},
        {"*.wild.example", true, true, "the star itself"},
        {"192.0.2.7", true, true, "an address is only itself"},
        {"192.1.2.7", false, false, "and no label of it stands for a star"},
        {"2001:DB8:0::7", true, true, "an address written otherwise"},
        {"2001:db8::8", false, false, "another address"},
        {"anything", false, false, "a lone star fits nothing"},
        {"", false, false, "nothing is asked for"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        print_message("%s: %s\n", rows[i].asked, rows[i].why);
        assert_int_equal(names_hold(names, rows[i].asked), rows[i].holds);
        assert_int_equal(names_fit(names, rows[i].asked), rows[i].fits);
    }
}

static void names_are_those_of_the_certificate_s_san(void **state)
{
    static const char *const expected[] = {"a.example", "*.b.example", "192.0.2.7", "2001:db8::7"};
    const struct ls_identity_wish wish = {.key = "ecdsa-p256",
                                          .issuer_key = "ecdsa-p256",
                                          .name = "a.example",
                                          .more_names =
                                              LIST("*.b.example", "192.0.2.7", "2001:db8::7")};
    struct ls_identity *identity;
    struct ls_error err;
    char **names;
    bool fits;

    (void)state;
    assert_int_equal(ls_identity_new(&identity, &wish, &err), LS_OK);
    assert_int_equal(names_of(&names, identity->chain, &err), LS_OK);
    for (size_t i = 0; i < 4; i++) {
        size_t k = 0;

        while (names[k] != NULL && strcmp(names[k], expected[i]) != 0) {
            k++;
        }
        assert_non_null(names[k]);
    }
    assert_null(names[4]);
    names_free(names);
    assert_int_equal(ls_identity_fits(identity, "x.b.example", &fits, &err), LS_OK);
    assert_true(fits);
    assert_int_equal(ls_identity_fits(identity, "b.example", &fits, &err), LS_OK);
    assert_false(fits);
    ls_identity_free(identity);
}

/* Whether a client that checks the chain logs in to a server whose certificate has those three names. */
static void a_client_holds_what_it_asked_for_against_the_certificate(void **state)
{
    static const struct {
        const char *asked;
        bool secured;
        const char *why;
    } rows[] = {
        {"a.example", true, "a name"},
        {"A.example", true, "in capitals"},
        {"b.example", false, "another name"},
        {"192.0.2.7", true, "IPv4"},
        {"192.0.2.8", false, "another IPv4"},
        {"2001:db8::7", true, "IPv6"},
        {"2001:0DB8:0:0::7", true, "the same, written otherwise"},
        {"2001:db8::8", false, "another IPv6"},
        {"::ffff:192.0.2.7", false, "an IPv4 address as IPv6 is another one"},
    };
    const struct ls_identity_wish wish = {.key = "ecdsa-p256",
                                          .issuer_key = "ecdsa-p256",
                                          .name = "a.example",
                                          .more_names = LIST("192.0.2.7", "2001:db8::7")};
    struct ls_identity *identity;
    struct ls_tls_context *server;
    struct ls_error err;

    (void)state;
    assert_int_equal(ls_identity_new(&identity, &wish, &err), LS_OK);
    server = new_server(identity, false);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct ls_tls_context *client = new_client(&(struct ls_tls_client_wish){
            .tls13 = true,
            .groups = LIST("X25519"),
            .server_name = rows[i].asked,
            .check = LS_CHECK_CHAIN,
            .trust = identity->trust,
        });
        struct pair p;

        print_message("%s: %s\n", rows[i].asked, rows[i].why);
        pair_init(&p, client, server);
        pump(&p, SIZE_MAX);
        assert_int_equal(ls_tls_end_state(p.client),
                         rows[i].secured ? LS_TLS_SECURED : LS_TLS_FAILED);
        assert_int_equal(ls_tls_end_why(p.client),
                         rows[i].secured ? LS_WHY_NONE : LS_WHY_CERTIFICATE);
        pair_free(&p);
        ls_tls_context_free(client);
    }
    ls_tls_context_free(server);
    ls_identity_free(identity);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_name_fits_in_any_case_or_by_one_label_for_a_star),
        cmocka_unit_test(names_are_those_of_the_certificate_s_san),
        cmocka_unit_test(a_client_holds_what_it_asked_for_against_the_certificate),
    };

    return cmocka_run_group_tests_name("tls/names", tests, start_tls, stop_tls);
}
