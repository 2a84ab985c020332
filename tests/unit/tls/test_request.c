/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit/tls/pair.h"

static int start(void **state)
{
    struct ls_error err;

    (void)state;
    return ls_tls_start(&err) == LS_OK ? 0 : -1;
}

static int stop(void **state)
{
    (void)state;
    ls_tls_stop();
    return 0;
}

static void every_kind_has_a_key_and_a_request(void **state)
{
    static const char *const kinds[] = {"rsa-2048", "ecdsa-p256", "ecdsa-p384", "ecdsa-p521",
                                        "ed25519",  "ml-dsa-44",  "ml-dsa-65"};

    (void)state;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        const struct ls_request_wish wish = {.key = kinds[i], .names = LIST(NAME, "192.0.2.1")};
        struct ls_request *request;
        struct ls_error err;

        if (ls_request_new(&request, &wish, &err) != LS_OK) {
            fail_msg("%s: %s", kinds[i], err.text);
        }
        assert_memory_equal(request->private_key, "-----BEGIN PRIVATE KEY-----\n", 28);
        assert_memory_equal(request->request, "-----BEGIN CERTIFICATE REQUEST-----\n", 36);
        ls_request_free(request);
    }
}

static void what_cannot_be_asked_for_is_refused_with_the_reason(void **state)
{
    static char long_name[255];
    static const struct {
        const char *key, *names[3];
        const char *said;
        const char *reason;
    } rows[] = {
        {"rsa-1024", {NAME}, "a key of kind rsa-1024", "no kind that can be made"},
        {"ecdsa-p256", {""}, "is empty", "no name"},
        {"ecdsa-p256", {NAME, "a b"}, "letters, digits", "a blank in the second"},
        {"ecdsa-p256", {long_name}, "longer than 253 characters", "a name of 254"},
    };

    (void)state;
    memset(long_name, 'a', sizeof long_name - 1);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct ls_request_wish wish = {.key = rows[i].key, .names = rows[i].names};
        struct ls_request *request;
        struct ls_error err;

        print_message("%s\n", rows[i].reason);
        assert_int_equal(ls_request_new(&request, &wish, &err), LS_EINPUT);
        if (strstr(err.text, rows[i].said) == NULL) {
            fail_msg("%s", err.text);
        }
    }
    ls_request_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_has_a_key_and_a_request),
        cmocka_unit_test(what_cannot_be_asked_for_is_refused_with_the_reason),
    };

    return cmocka_run_group_tests(tests, start, stop);
}
