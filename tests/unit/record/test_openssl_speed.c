/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "unit/record/costs_sample.h"

static const char table_3_0[] =
    "version: 3.0.19\n"
    "built on: Fri Apr  3 12:29:32 2026 UTC\n"
    "options: bn(64,64)\n"
    "CPUINFO: OPENSSL_ia32cap=0xfffa32034f8bffff:0x1a415f46f1bf2ffb\n"
    "                  sign    verify    sign/s verify/s\n"
    "rsa 2048 bits 0.000388s 0.000023s   2576.9  43878.0\n"
    "rsa 4096 bits 0.002700s 0.000040s    370.5  25000.0\n"
    "                              sign    verify    sign/s verify/s\n"
    " 256 bits ecdsa (nistp256)   0.0000s   0.0001s  36626.5  11486.0\n"
    " 256 bits ecdsa (brainpoolP256r1)   0.0004s   0.0004s   2400.0  2500.0\n"
    " 253 bits EdDSA (Ed25519)   0.0001s   0.0001s  15083.7   6746.0\n";

static const char table_1_1_1[] =
    "OpenSSL 1.1.1w  11 Sep 2023\n"
    "built on: Mon Sep 11 14:00:00 2023 UTC\r\n"
    "                  sign    verify    sign/s verify/s\r\n"
    "rsa 3072 bits 0.001800s 0.000030s    555.5  33000.0\r\n"
    " 521 bits ecdsa (nistp521)   0.0003s   0.0006s   3700.0   1800.0\r\n";

static const char table_3_5[] =
    "version: 3.5.1\n"
    "                   sign    verify    encrypt   decrypt   sign/s verify/s  encr./s  decr./s\n"
    "rsa  2048 bits 0.000388s 0.000023s 0.000025s 0.000404s   2576.9  43878.0  40000.0   2475.2\n";

static const char machine[] = "OpenSSL 3.0.19 27 Jan 2026 (Library: OpenSSL 3.0.19 27 Jan 2026)\n"
                              "+DTP:2048:private:rsa:1\n"
                              "+R1:2306:2048:0.98\n"
                              "+F2:2:2048:2306.122449:37692.000000\n"
                              "+F2:4:4096:360:25000.000000\n"
                              "+F4:3:256:30383.673469:10506.122449\n"
                              "+F4:17:256:2300.000000:2400.000000\n"
                              "+F4:4:384:1100.5:1300.000000\n"
                              "+F6:0:253:Ed25519:13780.000000:4886.363636\n";

static void both_formats_of_all_versions_are_read(void **state)
{
    static const struct {
        const char *text, *version;
        double per_s[LS_SPEED_KEYS];
    } rows[] = {
        {table_3_0, "3.0.19", {2576.9, -1, 370.5, 36626.5, -1, -1, 15083.7}},
        {table_1_1_1, "1.1.1w", {-1, 555.5, -1, -1, -1, 3700, -1}},
        {table_3_5, "3.5.1", {2576.9, -1, -1, -1, -1, -1, -1}},
        {machine, "3.0.19", {2306.122449, -1, 360, 30383.673469, 1100.5, -1, 13780}},
        {"+F2:2:2048:1.5:2\n", NULL, {1.5, -1, -1, -1, -1, -1, -1}},
        {"LibreSSL 3.0.19\n+F2:2:2048:1.5:2", "LibreSSL 3.0.19", {1.5, -1, -1, -1, -1, -1, -1}},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct ls_openssl_speed speed;
        struct ls_error err = {0};

        assert_int_equal(
            ls_openssl_speed_parse(&speed, "x", rows[i].text, strlen(rows[i].text), &err), LS_OK);
        if (rows[i].version == NULL) {
            assert_null(speed.version);
        } else {
            assert_string_equal(speed.version, rows[i].version);
        }
        for (size_t k = 0; k < LS_SPEED_KEYS; k++) {
            if (fabs(speed.sign_per_s[k] - rows[i].per_s[k]) > 1e-6) {
                fail_msg("row %zu, %s: %f", i, ls_openssl_speed_key(k), speed.sign_per_s[k]);
            }
        }
        ls_openssl_speed_clear(&speed);
    }
    assert_null(ls_openssl_speed_key(LS_SPEED_KEYS));
}

static void what_is_no_such_output_is_refused(void **state)
{
    static const struct {
        const char *text, *error;
        int line;
    } rows[] = {
        {"",
         "no line of a signature in it: the output of `openssl speed rsa ecdsa eddsa` is wanted",
         0},
        {"version: 3.0.19\nrsa 2048 bits 0.000388s 0.000023s\n",
         "no line of a signature in it: the output of `openssl speed rsa ecdsa eddsa` is wanted",
         0},
        {"+F2:2:2048:-5:2\n+F2:2:2048:0:2\n+F2:2:2048:1e9:2\n+F2:2:2048::2\n+F2:2",
         "no line of a signature in it: the output of `openssl speed rsa ecdsa eddsa` is wanted",
         0},
        {"+F2:2:2048:5:2\n+F2:2:2048:6:2\n",
         "a second line of rsa-2048: the output of one host and one run is wanted", 2},
        {"version: 3.0.19\n\nversion: 3.0.18\n",
         "OpenSSL 3.0.18 after 3.0.19: the output of one host and one version is wanted", 3},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct ls_openssl_speed speed;
        struct ls_error err = {0};

        assert_int_equal(
            ls_openssl_speed_parse(&speed, "speed.txt", rows[i].text, strlen(rows[i].text), &err),
            LS_EINPUT);
        assert_string_equal(err.text, rows[i].error);
        assert_string_equal(err.path, "speed.txt");
        assert_int_equal(err.line, rows[i].line);
        assert_null(speed.version);
    }
}

/* The sample has no line of rsa-3072; here it is 3000.75 of rsa-4096 and 4001 of P-256. */
static struct ls_openssl_speed there_as_fast_as(double rsa, double p256)
{
    static char version[] = "3.0.19";
    struct ls_openssl_speed there = {.version = version};

    for (size_t i = 0; i < LS_SPEED_KEYS; i++) {
        there.sign_per_s[i] = -1;
    }
    there.sign_per_s[2] = 3000.75 * rsa;
    there.sign_per_s[3] = 4001 * p256;
    return there;
}

static void each_key_goes_by_its_own_ratio(void **state)
{
    struct ls_costs *costs = sample_costs();
    const struct ls_openssl_speed there = there_as_fast_as(2, 0.5);
    struct ls_error err;

    (void)state;
    assert_int_equal(ls_costs_translate(costs, NULL, &there, "there.txt", &err), LS_OK);
    assert_true(fabs(costs->rows[0].at[1].cpu_ns - 1650000) < 1e-3);
    assert_int_equal(costs->rows[0].at[0].hello.points_ns[0], 30001);     /* half of 60,001 */
    assert_int_equal(costs->rows[0].at[0].handshake.points_ns[0], 60001); /* a user's wait stays */
    assert_true(fabs(costs->rows[0].at[0].client_ns - 105000.5) < 1e-3);
    assert_true(costs->rows[0].at[0].system_ns < 0);
    assert_true(fabs(costs->rows[1].at[0].cpu_ns - 20000) < 1e-3);
    assert_true(fabs(costs->rows[2].at[0].cpu_ns - 120000) < 1e-3);
    assert_true(fabs(costs->factor - 1) < 1e-9);
    assert_true(fabs(costs->low - 0.8) < 1e-9 && fabs(costs->high - 1.2) < 1e-9);
    assert_string_equal(costs->translation, "by openssl speed 3.0.19 of both hosts (rsa-4096 x 2, "
                                            "ecdsa-p256 x 0.5)");
    ls_costs_free(costs);
}

static void what_cannot_be_carried_over_is_refused_and_nothing_changed(void **state)
{
    static const struct {
        const char *here_version, *there_version;
        double there_p256;
        const char *key, *text;
    } rows[] = {
        {"3.0.19", "3.0.18", 1, "ecdsa-p256",
         "OpenSSL 3.0.18 there and 3.0.19 here: between two libraries the ratio says nothing of "
         "the CPU; measure a handshake there with loginstorm calibrate"},
        {"3.0.19", NULL, 1, "ecdsa-p256",
         "it names no version of OpenSSL: put what `openssl version` prints there before it"},
        {NULL, "3.0.19", 1, "ecdsa-p256",
         "the host that was measured has no `openssl speed` of its own: run loginstorm calibrate "
         "there again where openssl is installed, or state a factor"},
        {"3.0.19", "3.0.19", -1, "ecdsa-p256",
         "no line of ecdsa-p256: run `openssl speed ecdsap256` there and add what it prints"},
        {"3.0.19", "3.0.19", 1, "rsa-3072",
         "no line of rsa-3072: run `openssl speed rsa3072` there and add what it prints"},
        {"3.0.19", "3.0.19", 1, "ml-dsa-65",
         "`openssl speed` has no line of ml-dsa-65: state a factor, or measure a handshake there "
         "with loginstorm calibrate"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct ls_costs *costs = sample_costs();
        struct ls_openssl_speed there = there_as_fast_as(2, 1), here = costs->openssl;
        char here_version[16], there_version[16], *before, *after;
        struct ls_error err = {0};

        free(costs->rows[2].key);
        costs->rows[2].key = strdup(rows[i].key);
        before = costs_text(costs);
        (void)snprintf(here_version, sizeof here_version, "%s",
                       rows[i].here_version == NULL ? "" : rows[i].here_version);
        (void)snprintf(there_version, sizeof there_version, "%s",
                       rows[i].there_version == NULL ? "" : rows[i].there_version);
        here.version = rows[i].here_version == NULL ? NULL : here_version;
        there.version = rows[i].there_version == NULL ? NULL : there_version;
        there.sign_per_s[3] = rows[i].there_p256;
        assert_int_equal(ls_costs_translate(costs, &here, &there, "there.txt", &err), LS_EINPUT);
        assert_string_equal(err.text, rows[i].text);
        assert_string_equal(err.path, "there.txt");
        after = costs_text(costs);
        assert_string_equal(before, after);
        free(before);
        free(after);
        ls_costs_free(costs);
    }
}

static void two_translations_widen_the_interval(void **state)
{
    struct ls_costs *costs = sample_costs();
    const struct ls_openssl_speed there = there_as_fast_as(1, 1);
    struct ls_error err;

    (void)state;
    assert_int_equal(ls_costs_translate(costs, NULL, &there, "there.txt", &err), LS_OK);
    assert_int_equal(ls_costs_scale(costs, 2, &err), LS_OK);
    assert_true(fabs(costs->low - 0.64) < 1e-9 && fabs(costs->high - 1.44) < 1e-9);
    assert_true(fabs(costs->factor - 0.5) < 1e-9);
    assert_string_equal(costs->translation, "by openssl speed 3.0.19 of both hosts (rsa-4096 x 1, "
                                            "ecdsa-p256 x 1), then by a factor of 2");
    ls_costs_free(costs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_formats_of_all_versions_are_read),
        cmocka_unit_test(what_is_no_such_output_is_refused),
        cmocka_unit_test(each_key_goes_by_its_own_ratio),
        cmocka_unit_test(what_cannot_be_carried_over_is_refused_and_nothing_changed),
        cmocka_unit_test(two_translations_widen_the_interval),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
