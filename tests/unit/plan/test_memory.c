/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every allocation of the rooms comes through here: counted, and one of them at a time refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>

#include "unit/plan/kit.h"

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
char *__real_strdup(const char *text);
void __real_free(void *p);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
char *__wrap_strdup(const char *text);
void __wrap_free(void *p);
FILE *__real_open_memstream(char **text, size_t *size);
FILE *__wrap_open_memstream(char **text, size_t *size);

static long blocks; /* now held */
static long allocations, refuse_at = -1;

static bool refuse(void)
{
    return allocations++ == refuse_at;
}

static void *count(void *p)
{
    blocks += p != NULL;
    return p;
}

void *__wrap_malloc(size_t size)
{
    return refuse() ? NULL : count(__real_malloc(size));
}

void *__wrap_calloc(size_t number, size_t size)
{
    return refuse() ? NULL : count(__real_calloc(number, size));
}

void *__wrap_realloc(void *old, size_t size)
{
    void *p;

    if (refuse()) {
        return NULL;
    }
    p = __real_realloc(old, size);
    blocks += p != NULL && old == NULL;
    return p;
}

char *__wrap_strdup(const char *text)
{
    return refuse() ? NULL : count(__real_strdup(text));
}

/* Its text comes from within the C library, and is freed by who opened it. */
FILE *__wrap_open_memstream(char **text, size_t *size)
{
    FILE *stream;

    if (refuse()) {
        return NULL;
    }
    stream = __real_open_memstream(text, size);
    blocks += stream != NULL;
    return stream;
}

void __wrap_free(void *p)
{
    blocks -= p != NULL;
    __real_free(p);
}

/* Refuses each of the first 60, then one after another in steps that grow to 1 / `parts` of what lies
 * behind. */
static void refuse_one_after_another(const char *text, long parts)
{
    struct ls_scenario *scenario = scenario_of(text);
    const struct ls_plan_wish wish = {.scenario = scenario, .mornings = 1, .threads = 1};
    struct ls_plan *plan;
    struct ls_error err;
    long before, needed;

    allocations = 0;
    before = blocks;
    assert_int_equal(ls_plan_build(&plan, &wish, &err), LS_OK);
    needed = allocations;
    ls_plan_free(plan);
    assert_true(blocks == before);
    assert_true(needed > 20);
    for (long i = 0; i < needed; i += i < 60 ? 1 : 1 + i / parts) {
        allocations = 0;
        refuse_at = i;
        err = (struct ls_error){0};
        assert_int_equal(ls_plan_build(&plan, &wish, &err), LS_ENOMEM);
        refuse_at = -1;
        assert_null(plan);
        assert_string_not_equal(err.text, "");
        assert_true(blocks == before);
    }
    ls_scenario_free(scenario);
}

static void whatever_allocation_fails_it_is_told_and_nothing_is_lost(void **state)
{
    (void)state;
    refuse_one_after_another("loginstorm: 1\nusers: 9\nseed: 1\n"
                             "certificates: [{name: A, key: rsa-4096}]\n"
                             "farm: {gateways: 2, spare: 1, capacity: 3 in 10m}\n",
                             6);
    /* A farm in which nobody waits has an allocation a gateway. */
    refuse_one_after_another(
        "loginstorm: 1\nusers: 9\nseed: 1\n"
        "certificates: [{name: A, key: rsa-4096}, {name: B, key: ecdsa-p256}]\n"
        "farm: {gateways: 2, spare: 1, costs: {fixed: 10s}}\n"
        "targets: {gateway_cpu_peak: 30%}\n",
        397);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whatever_allocation_fails_it_is_told_and_nothing_is_lost),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
