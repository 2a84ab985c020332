/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "storm/job.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/* What a process gets at its start has fixed numbers, so each reading is done by a process of its
 * own; its status is the number of the check that failed. */
static int in_child(int fd, int (*work)(void))
{
    const pid_t pid = fork();
    int status = -1;

    assert_true(pid >= 0);
    if (pid == 0) {
        if (fd < 0) {
            (void)close(JOB_FD);
        } else if (dup2(fd, JOB_FD) != JOB_FD) {
            _exit(99);
        }
        _exit(work());
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static int expect(enum ls_code code, const char *text)
{
    struct ls_error err = {0};
    json_t *job = NULL;

    if (job_read(&job, &err) != code) {
        return 1;
    }
    if (job != NULL) {
        return 2;
    }
    return strstr(err.text, text) != NULL ? 0 : 3;
}

static int reads_the_job(void)
{
    struct ls_error err;
    json_t *job;

    if (job_read(&job, &err) != LS_OK) {
        return 1;
    }
    if (strcmp(json_string_value(json_object_get(job, "key")), "a\nb \xc3\xa9") != 0) {
        return 2;
    }
    if (json_integer_value(json_object_get(job, "start")) != INT64_MAX) {
        return 3;
    }
    if (json_integer_value(json_object_get(job, "version")) != JOB_VERSION) {
        return 4;
    }
    json_decref(job);
    return close(JOB_FD) == 0 ? 5 : 0; /* it is closed: a key is not left lying about */
}

static void a_job_arrives_as_it_was_given(void **state)
{
    struct ls_error err;
    int fd;
    json_t *job = json_pack("{s:s,s:I}", "key", "a\nb \xc3\xa9", "start", (json_int_t)INT64_MAX);

    (void)state;
    assert_int_equal(job_write(&fd, job, &err), LS_OK);
    assert_int_equal(in_child(fd, reads_the_job), 0);
    assert_int_equal(close(fd), 0);
}

static void a_job_that_could_not_be_made_is_told(void **state)
{
    struct ls_error err;
    int fd = 5;

    (void)state;
    assert_int_equal(job_write(&fd, NULL, &err), LS_ENOMEM);
    assert_int_equal(fd, -1);
}

static int refuses_another_version(void)
{
    return expect(LS_EBROKEN, "the conductor is of another version of loginstorm");
}

static int refuses_what_is_no_json(void)
{
    return expect(LS_EINPUT, "");
}

static int refuses_nothing(void)
{
    return expect(LS_ESYSTEM, "no memory shared with the conductor");
}

static int refuses_emptiness(void)
{
    return expect(LS_EBROKEN, "the memory shared with the conductor is empty");
}

static void a_job_of_no_or_another_conductor_is_refused(void **state)
{
    static const struct {
        const char *text;
        int (*work)(void);
    } rows[] = {
        {"{\"version\":1}", refuses_another_version},
        {"{}", refuses_another_version},
        {"[1]", refuses_another_version},
        {"{\"version\":\"1\"}", refuses_another_version},
        {"{\"version\":1", refuses_what_is_no_json},
        {"{\"version\":1,\"version\":1}", refuses_what_is_no_json},
        {"", refuses_emptiness},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct ls_error err;
        int fd;

        print_message("%s\n", rows[i].text);
        assert_int_equal(job_memory(&fd, "job", 0, &err), LS_OK);
        assert_int_equal(write(fd, rows[i].text, strlen(rows[i].text)), strlen(rows[i].text));
        assert_int_equal(in_child(fd, rows[i].work), 0);
        assert_int_equal(close(fd), 0);
    }
    assert_int_equal(in_child(-1, refuses_nothing), 0);
}

static void both_sides_of_shared_memory_see_the_same(void **state)
{
    struct ls_error err;
    void *one, *other;
    size_t size;
    int fd;

    (void)state;
    assert_int_equal(job_memory(&fd, "rows", 10000, &err), LS_OK);
    assert_int_equal(job_map(fd, &one, &size, &err), LS_OK);
    assert_int_equal(size, 10000);
    assert_int_equal(job_map(fd, &other, &size, &err), LS_OK);
    assert_ptr_not_equal(one, other);
    for (size_t i = 0; i < size; i++) {
        assert_int_equal(((unsigned char *)other)[i], 0);
    }
    memcpy(one, "seen", 4);
    assert_memory_equal(other, "seen", 4);
    assert_int_equal(munmap(one, size), 0);
    assert_int_equal(munmap(other, size), 0);
    assert_int_equal(close(fd), 0);
}

static void bytes_come_back_from_their_digits_and_from_nothing_else(void **state)
{
    static const uint8_t bytes[4] = {0x00, 0x9a, 0xff, 0x10};
    static const char *const wrong[] = {"",         "009aff1",  "009aff100",
                                        "009aff1g", "009AFF10", " 09aff10"};
    uint8_t back[4];
    char text[9];

    (void)state;
    job_hex(bytes, sizeof bytes, text);
    assert_string_equal(text, "009aff10");
    assert_true(job_unhex(text, back, sizeof back));
    assert_memory_equal(back, bytes, sizeof bytes);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_false(job_unhex(wrong[i], back, sizeof back));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_job_arrives_as_it_was_given),
        cmocka_unit_test(a_job_that_could_not_be_made_is_told),
        cmocka_unit_test(a_job_of_no_or_another_conductor_is_refused),
        cmocka_unit_test(both_sides_of_shared_memory_see_the_same),
        cmocka_unit_test(bytes_come_back_from_their_digits_and_from_nothing_else),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
