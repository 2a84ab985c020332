/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/costs_here.h"
#include "cli/host.h"
#include "unit/record/costs_sample.h"

static char folder[] = "/tmp/loginstorm-cache-XXXXXX";
static char path[128];

static int into_a_folder(void **state)
{
    (void)state;
    if (mkdtemp(folder) == NULL || setenv("XDG_CACHE_HOME", folder, 1) != 0) {
        return -1;
    }
    (void)snprintf(path, sizeof path, "%s/loginstorm/costs.json", folder);
    return 0;
}

static int and_out_of_it(void **state)
{
    char inner[128];

    (void)state;
    (void)snprintf(inner, sizeof inner, "%s/loginstorm", folder);
    (void)unlink(path);
    (void)rmdir(inner);
    return rmdir(folder);
}

/* The sample as if it had been measured here. */
static struct ls_costs *ours(void)
{
    struct ls_costs *costs = sample_costs();

    free(costs->created);
    free(costs->host_cpu);
    free(costs->host_kernel);
    free(costs->tls_library);
    free(costs->tls_build);
    assert_int_equal(host_of_costs(costs, NULL), LS_OK);
    return costs;
}

static void save(const struct ls_costs *costs)
{
    json_t *root;

    assert_int_equal(ls_costs_here_folder(NULL), LS_OK);
    assert_int_equal(ls_costs_to_json(costs, &root, NULL), LS_OK);
    assert_int_equal(ls_json_save(root, path, NULL), LS_OK);
    json_decref(root);
}

static void the_place_is_in_the_cache(void **state)
{
    static const struct {
        const char *cache, *home, *place; /* NULL: not set; none */
    } rows[] = {
        {"/cache", "/home/me", "/cache/loginstorm/costs.json"},
        {NULL, "/home/me", "/home/me/.cache/loginstorm/costs.json"},
        {"", "/home/me", "/home/me/.cache/loginstorm/costs.json"},
        {"relative", "/home/me", "/home/me/.cache/loginstorm/costs.json"}, /* as XDG says */
        {NULL, NULL, NULL},
    };
    char *home = getenv("HOME") == NULL ? NULL : strdup(getenv("HOME"));
    char out[256];
    struct ls_error err;

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        (void)(rows[i].cache == NULL ? unsetenv("XDG_CACHE_HOME")
                                     : setenv("XDG_CACHE_HOME", rows[i].cache, 1));
        (void)(rows[i].home == NULL ? unsetenv("HOME") : setenv("HOME", rows[i].home, 1));
        assert_int_equal(ls_costs_here_path(out, sizeof out, &err),
                         rows[i].place == NULL ? LS_EINPUT : LS_OK);
        if (rows[i].place != NULL) {
            assert_string_equal(out, rows[i].place);
            assert_int_equal(ls_costs_here_path(out, 20, &err), LS_ERANGE);
        }
    }
    (void)(home == NULL ? unsetenv("HOME") : setenv("HOME", home, 1));
    (void)setenv("XDG_CACHE_HOME", folder, 1);
    free(home);
}

static void a_host_that_was_not_measured_says_what_to_do(void **state)
{
    struct ls_costs *costs;
    struct ls_error err;

    (void)state;
    assert_int_equal(ls_costs_of_this_host(&costs, &err), LS_ENOINPUT);
    assert_null(costs);
    assert_non_null(strstr(err.text, "run `loginstorm calibrate`"));
}

static void a_profile_of_this_host_is_taken(void **state)
{
    struct ls_costs *costs = ours(), *taken;
    struct ls_error err;

    (void)state;
    save(costs);
    assert_int_equal(ls_costs_of_this_host(&taken, &err), LS_OK);
    assert_int_equal(taken->count, 3);
    assert_string_equal(taken->path, path);
    ls_costs_free(taken);
    ls_costs_free(costs);
}

static void one_of_another_cpu_or_library_is_not(void **state)
{
    static const char *const words[] = {"measured on another CPU (other)",
                                        "measured with another TLS library (other",
                                        "measured with another TLS library (wolfSSL"};

    (void)state;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        struct ls_costs *costs = ours(), *taken;
        char **changed = i == 0   ? &costs->host_cpu
                         : i == 1 ? &costs->tls_library
                                  : &costs->tls_build;
        struct ls_error err = {0};

        free(*changed);
        *changed = strdup("other");
        save(costs);
        assert_int_equal(ls_costs_of_this_host(&taken, &err), LS_EINPUT);
        assert_null(taken);
        assert_non_null(strstr(err.text, words[i]));
        assert_string_equal(err.path, path);
        ls_costs_free(costs);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_place_is_in_the_cache),
        cmocka_unit_test(a_host_that_was_not_measured_says_what_to_do),
        cmocka_unit_test(a_profile_of_this_host_is_taken),
        cmocka_unit_test(one_of_another_cpu_or_library_is_not),
    };

    return cmocka_run_group_tests(tests, into_a_folder, and_out_of_it);
}
