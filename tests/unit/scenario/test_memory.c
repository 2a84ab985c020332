/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "help.h"

#include <errno.h>

#include "loginstorm/file.h"

/*
 * The allocator itself fails, at every call in turn, in the YAML library too. The sanitizers bring
 * an allocator of their own, which leaves no room for this one: there the test is skipped.
 */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define OWN_ALLOCATOR 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) ||                         \
    __has_feature(memory_sanitizer)
#define OWN_ALLOCATOR 0
#endif
#endif
#ifndef OWN_ALLOCATOR
#define OWN_ALLOCATOR 1
#endif

/* Calls that still succeed; negative: all do. */
static long left = -1;
static long held;

#if OWN_ALLOCATOR
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);
extern void __libc_free(void *place);
void *malloc(size_t size);
void *calloc(size_t count, size_t size);
void *realloc(void *old, size_t size);
void free(void *place);

static bool refused(void)
{
    if (left == 0) {
        errno = ENOMEM; /* as malloc does */
        return true;
    }
    left -= left > 0;
    return false;
}

void *malloc(size_t size)
{
    void *place = refused() ? NULL : __libc_malloc(size);

    held += place != NULL;
    return place;
}

void *calloc(size_t count, size_t size)
{
    void *place = refused() ? NULL : __libc_calloc(count, size);

    held += place != NULL;
    return place;
}

void *realloc(void *old, size_t size)
{
    void *place = refused() ? NULL : __libc_realloc(old, size);

    held += place != NULL && old == NULL;
    return place;
}

void free(void *place)
{
    held -= place != NULL;
    __libc_free(place);
}
#endif

static void any_call_of_the_allocator_may_fail(void **state)
{
    static const struct ls_scenario_change change = {"login.hold", "none"};
    static struct ls_errors errors;
    struct ls_error err = {0};
    enum ls_code code = LS_ENOMEM;
    char *text = NULL;
    size_t size = 0;
    long calls = 0;

    (void)state;
    if (!OWN_ALLOCATOR) {
        skip();
    }
    assert_int_equal(
        ls_file_read(LS_SOURCE_DIR "/tests/data/every-key.yaml", 1 << 20, &text, &size, &err),
        LS_OK);
    for (; code == LS_ENOMEM; calls++) {
        struct ls_scenario *s = NULL;
        const long before = held;

        errors = (struct ls_errors){0};
        left = calls;
        code = ls_scenario_parse(&s, "f", text, size, &change, 1, &errors);
        ls_scenario_free(s);
        left = -1;
        assert_int_equal(held, before);
        assert_int_equal(errors.count, code == LS_OK ? 0 : 1);
    }
    assert_int_equal(code, LS_OK);
    assert_in_range(calls, 100, 10000);
    free(text);
}

static void the_schema_survives_a_failing_allocator(void **state)
{
    struct ls_error err = {0};
    enum ls_code code = LS_ENOMEM;
    FILE *nowhere = fopen("/dev/null", "w");
    long calls = 0;

    (void)state;
    if (!OWN_ALLOCATOR) {
        (void)fclose(nowhere);
        skip();
    }
    assert_non_null(nowhere);
    for (; code != LS_OK; calls += 7) {
        left = calls;
        code = ls_scenario_write_schema(nowhere, &err);
        left = -1;
        assert_true(code == LS_OK || err.text[0] != '\0');
    }
    assert_true(calls > 1000);
    (void)fclose(nowhere);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_call_of_the_allocator_may_fail),
        cmocka_unit_test(the_schema_survives_a_failing_allocator),
    };

    return cmocka_run_group_tests_name("scenario/memory", tests, NULL, NULL);
}
