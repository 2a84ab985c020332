/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "mpi/bundle.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "loginstorm/file.h"

static char base[] = "/tmp/loginstorm-bundle.XXXXXX";
static struct ls_error err;

static int make_base(void **state)
{
    (void)state;
    return mkdtemp(base) == NULL || chdir(base) != 0 ? -1 : 0;
}

static int drop_base(void **state)
{
    char command[128];

    (void)state;
    (void)snprintf(command, sizeof command, "rm -rf %s", base);
    return chdir("/") == 0 && system(command) == 0 ? 0 : -1; /* NOLINT(cert-env33-c) */
}

static void put(const char *path, const char *text)
{
    FILE *stream = fopen(path, "w");

    assert_non_null(stream);
    (void)fputs(text, stream);
    assert_int_equal(fclose(stream), 0);
}

static struct ls_scenario *scenario_with(const char *more)
{
    struct ls_scenario *scenario;
    struct ls_errors errors = {0};
    char text[1024];

    (void)snprintf(text, sizeof text,
                   "loginstorm: 1\nusers: 60\nwindow: {from: 08:00, to: 09:00}\n"
                   "certificates: [{name: One, key: ecdsa-p256}]\n%s",
                   more);
    put("the scenario.yaml", text);
    assert_int_equal(ls_scenario_load(&scenario, "the scenario.yaml", NULL, 0, &errors), LS_OK);
    return scenario;
}

static void same_file(const char *a, const char *b)
{
    char *one, *other;
    size_t one_size, other_size;

    assert_int_equal(ls_file_read(a, BUNDLE_MAX, &one, &one_size, &err), LS_OK);
    assert_int_equal(ls_file_read(b, BUNDLE_MAX, &other, &other_size, &err), LS_OK);
    assert_int_equal(one_size, other_size);
    assert_memory_equal(one, other, one_size);
    free(one);
    free(other);
}

static void a_scenario_arrives_with_the_files_beside_it(void **state)
{
    struct ls_scenario *scenario, *again;
    struct ls_errors errors = {0};
    struct bundle bundle;
    char path[4096], beside[4200], *text, *text_again;
    size_t size, size_again;

    (void)state;
    assert_int_equal(mkdir("sub", 0700), 0);
    put("sub/ca.pem", "a CA\n");
    scenario = scenario_with(
        "arrivals: {shape: uniform}\n"
        "gateway: {target: \"gw.example:443\", trust: sub/ca.pem}\n"
        "populations: [{name: all, tls: {client: {chain: /nowhere/chain.pem, private_key: "
        "/nowhere/key.pem}}}]\n");
    assert_int_equal(bundle_make(&bundle, scenario, &err), LS_OK);
    assert_int_equal(bundle_unpack(&bundle, base, path, sizeof path, &err), LS_OK);

    /* The seed that was drawn here is the seed there. */
    assert_true(scenario->seed_drawn);
    assert_int_equal(ls_scenario_load(&again, path, NULL, 0, &errors), LS_OK);
    assert_int_equal(ls_scenario_text(scenario, &text, &size, &err), LS_OK);
    assert_int_equal(ls_scenario_text(again, &text_again, &size_again, &err), LS_OK);
    assert_string_equal(text, text_again);
    free(text);
    free(text_again);
    (void)snprintf(beside, sizeof beside, "%.*s/sub/ca.pem", (int)(strrchr(path, '/') - path),
                   path);
    same_file("sub/ca.pem", beside);

    /* Its place follows from what is in it: the same on all machines, each time. */
    (void)snprintf(beside, sizeof beside, "%s", path);
    assert_int_equal(bundle_unpack(&bundle, base, path, sizeof path, &err), LS_OK);
    assert_string_equal(path, beside);
    bundle.bytes[bundle.size - 2] = '!';
    assert_int_equal(bundle_unpack(&bundle, base, path, sizeof path, &err), LS_OK);
    assert_string_not_equal(path, beside);
    bundle_clear(&bundle);
    ls_scenario_free(again);
    ls_scenario_free(scenario);
}

static void what_is_not_sent_is_refused_with_its_field(void **state)
{
    static const struct {
        const char *more;
        enum ls_code code;
        const char *words;
    } rows[] = {
        {"gateway: {target: \"gw:443\", trust: ../ca.pem}\n", LS_EINPUT,
         "gateway.trust: only files below the scenario's folder are sent, and ../ca.pem is none; "
         "put "
         "it on each machine and name it absolutely"},
        {"gateway: {target: \"gw:443\", trust: sub/../../ca.pem}\n", LS_EINPUT,
         "gateway.trust: only files below"},
        {"gateway: {target: \"gw:443\", trust: nowhere.pem}\n", LS_ENOINPUT, "nowhere.pem"},
        {"gateway: {target: \"gw:443\"}\npopulations: [{name: all, tls: {client: {chain: c.pem, "
         "private_key: k.pem}}}]\n",
         LS_EINPUT,
         "populations.0.tls.client.private_key: k.pem is a secret, and nobody encrypts what MPI "
         "sends; put it on each machine and name it absolutely"},
        {"gateway: {target: \"gw:443\"}\npopulations: [{name: all, tls: {client: {chain: c.pem, "
         "private_key: /k.pem, password_file: p}}}]\n",
         LS_EINPUT, "populations.0.tls.client.password_file: p is a secret"},
    };

    (void)state;
    put("k.pem", "secret");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct ls_scenario *scenario = scenario_with(rows[i].more);
        struct bundle bundle;

        print_message("%s\n", rows[i].words);
        assert_int_equal(bundle_make(&bundle, scenario, &err), rows[i].code);
        assert_non_null(strstr(err.text, rows[i].words));
        assert_null(bundle.bytes);
        ls_scenario_free(scenario);
    }
}

static void bytes_that_are_no_bundle_write_nothing_outside(void **state)
{
    static const struct {
        const char *bytes;
        size_t size;
        const char *why;
    } rows[] = {
        {"../out\0"
         "1\0x",
         10, "a way out"},
        {"/tmp/out\0"
         "1\0x",
         12, "another place"},
        {"a/../../out\0"
         "1\0x",
         15, "a way out amid"},
        {"a/..\0"
         "1\0x",
         8, "a way out at the end"},
        {"a\0"
         "2\0x",
         5, "less than is said"},
        {"a\0"
         "-1\0x",
         6, "less than nothing"},
        {"a\0"
         "99999999999999999999999\0x",
         27, "more than there is"},
        {"a\0x\0x", 5, "no number"},
        {"a", 1, "no end of the name"},
        {"a\0"
         "1",
         3, "no end of the number"},
        {"\0"
         "1\0x",
         4, "no name"},
        {"a/\0"
         "1\0x",
         6, "a folder"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char *copy = malloc(rows[i].size), path[4096];
        const struct bundle bundle = {.bytes = copy, .size = rows[i].size};

        print_message("%s\n", rows[i].why);
        assert_non_null(copy);
        memcpy(copy, rows[i].bytes, rows[i].size);
        assert_int_equal(bundle_unpack(&bundle, base, path, sizeof path, &err), LS_EINPUT);
        assert_int_not_equal(access("out", F_OK), 0);
        free(copy);
    }
}

static void a_folder_that_others_may_write_into_is_not_used(void **state)
{
    struct bundle bundle = {0};
    char folder[128], path[4096];

    (void)state;
    (void)snprintf(folder, sizeof folder, "%s/loginstorm-%u", base, (unsigned)geteuid());
    (void)mkdir(folder, 0700);
    assert_int_equal(chmod(folder, 0777), 0);
    assert_int_equal(bundle_unpack(&bundle, base, path, sizeof path, &err), LS_ECREATE);
    assert_non_null(strstr(err.text, "is not a folder of this user's own"));
    assert_int_equal(chmod(folder, 0700), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_scenario_arrives_with_the_files_beside_it),
        cmocka_unit_test(what_is_not_sent_is_refused_with_its_field),
        cmocka_unit_test(bytes_that_are_no_bundle_write_nothing_outside),
        cmocka_unit_test(a_folder_that_others_may_write_into_is_not_used),
    };

    return cmocka_run_group_tests(tests, make_base, drop_base);
}
