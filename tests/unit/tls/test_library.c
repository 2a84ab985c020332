/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit/tls/pair.h"

static void sha256_is_that_of_the_standard(void **state)
{
    static char million[1000000];
    static const struct {
        const char *data;
        size_t size;
        const char *hex;
    } rows[] = {
        {"", 0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
        {"abc", 3, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
        {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 56,
         "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
        {million, sizeof million,
         "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"},
    };

    (void)state;
    memset(million, 'a', sizeof million);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct ls_error err;
        char hex[65];

        assert_int_equal(ls_tls_sha256(rows[i].data, rows[i].size, hex, &err), LS_OK);
        assert_string_equal(hex, rows[i].hex);
    }
}

static void the_library_and_its_build_have_names(void **state)
{
    (void)state;
    assert_memory_equal(ls_tls_library(), "wolfSSL 5.", 10);
    assert_true(strncmp(ls_tls_build(), "own build ", 10) == 0 ||
                strcmp(ls_tls_build(), "system's") == 0);
}

static void the_room_can_be_stopped_and_started_again(void **state)
{
    struct ls_error err;

    (void)state;
    ls_tls_stop();
    assert_int_equal(ls_tls_start(&err), LS_OK);
    ls_identity_free(new_identity("ed25519", "ed25519"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sha256_is_that_of_the_standard),
        cmocka_unit_test(the_library_and_its_build_have_names),
        cmocka_unit_test(the_room_can_be_stopped_and_started_again),
    };

    return cmocka_run_group_tests_name("tls/library", tests, start_tls, stop_tls);
}
