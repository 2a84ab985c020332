/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `openssl` is whatever lies first in the PATH: here a script that stands for it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/openssl.h"

static char folder[] = "/tmp/loginstorm-openssl-XXXXXX";
static char script[64];

static int into_a_folder(void **state)
{
    char search[4096];

    (void)state;
    if (mkdtemp(folder) == NULL) {
        return -1;
    }
    (void)snprintf(script, sizeof script, "%s/openssl", folder);
    (void)snprintf(search, sizeof search, "%s:/usr/bin:/bin", folder);
    return setenv("PATH", search, 1);
}

static int and_out_of_it(void **state)
{
    (void)state;
    (void)unlink(script);
    return rmdir(folder);
}

static void stand_in(const char *text)
{
    FILE *file = fopen(script, "w");

    assert_non_null(file);
    assert_true(fprintf(file, "#!/bin/sh\n%s\n", text) > 0);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(chmod(script, 0755), 0);
}

static struct ls_openssl_speed run(bool rsa4096, bool p256)
{
    const bool wanted[LS_SPEED_KEYS] = {[2] = rsa4096, [3] = p256};
    struct ls_openssl_speed speed;
    struct ls_error err;

    assert_int_equal(openssl_run(&speed, wanted, -1, &err), LS_OK);
    return speed;
}

static void the_keys_that_are_wanted_are_asked_for(void **state)
{
    struct ls_openssl_speed speed;

    (void)state;
    stand_in("[ \"$*\" = 'speed -seconds 1 rsa4096 ecdsap256' ] || exit 1\n"
             "echo 'Doing 4096 bits' >&2\n"
             "echo 'version: 3.0.19'\n"
             "echo 'rsa 4096 bits 0.002700s 0.000040s    370.5  25000.0'\n"
             "echo ' 256 bits ecdsa (nistp256)   0.0000s   0.0001s  36626.5  11486.0'");
    speed = run(true, true);
    assert_string_equal(speed.version, "3.0.19");
    assert_true(fabs(speed.sign_per_s[2] - 370.5) < 1e-9);
    assert_true(fabs(speed.sign_per_s[3] - 36626.5) < 1e-9);
    assert_true(speed.sign_per_s[0] < 0);
    ls_openssl_speed_clear(&speed);
}

static void without_it_nothing_is_known_and_nothing_is_wrong(void **state)
{
    static const char *const texts[] = {
        "exit 1",                             /* it does not know such a key */
        "echo 'version: 3.0.19'",             /* says nothing of it */
        "echo 'version: 3.0.19'; kill -9 $$", /* dies */
        "exit 127",
    };

    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct ls_openssl_speed speed;

        stand_in(texts[i]);
        speed = run(true, false);
        assert_null(speed.version);
        assert_true(speed.sign_per_s[2] < 0);
    }
    stand_in("echo 'version: 3.0.19'; echo '+F2:4:4096:360:25000'");
    {
        struct ls_openssl_speed speed = run(false, false); /* no key: it is not run */

        assert_null(speed.version);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_keys_that_are_wanted_are_asked_for),
        cmocka_unit_test(without_it_nothing_is_known_and_nothing_is_wrong),
    };

    return cmocka_run_group_tests(tests, into_a_folder, and_out_of_it);
}
