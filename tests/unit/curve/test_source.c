/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "curve/source.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define BYTES ((size_t)700 * 1000)

struct files {
    char folder[64];
    char *plain; /* BYTES of lines, no two alike */
};

static void path_of(const struct files *files, const char *name, char out[128])
{
    (void)snprintf(out, 128, "%s/%s", files->folder, name);
}

static void put(const struct files *files, const char *name, const void *bytes, size_t size)
{
    char path[128];
    FILE *stream;

    path_of(files, name, path);
    stream = fopen(path, "w");
    assert_non_null(stream);
    assert_int_equal(fwrite(bytes, 1, size, stream), size);
    assert_int_equal(fclose(stream), 0);
}

/* In the folder of the test. */
static void shell(const struct files *files, const char *command)
{
    char line[512];

    (void)snprintf(line, sizeof line, "cd %s && %s", files->folder, command);
    assert_int_equal(system(line), 0);
}

static int make_files(void **state)
{
    struct files *files = calloc(1, sizeof *files);

    assert_non_null(files);
    (void)snprintf(files->folder, sizeof files->folder, "/tmp/loginstorm-source.XXXXXX");
    assert_non_null(mkdtemp(files->folder));
    files->plain = malloc(BYTES + 64);
    assert_non_null(files->plain);
    for (size_t size = 0, i = 0; size < BYTES; i++) {
        size +=
            (size_t)sprintf(files->plain + size, "line %zu %zu\n", i, i * 2654435761U % 1000003);
    }
    put(files, "plain", files->plain, BYTES);
    *state = files;
    return 0;
}

static int drop_files(void **state)
{
    struct files *files = *state;

    shell(files, "rm -f plain* two* bad* cut*");
    assert_int_equal(rmdir(files->folder), 0);
    free(files->plain);
    free(files);
    return 0;
}

/* Reads it all; how it ended. */
static enum ls_code read_all(const struct files *files, const char *name, char **out, size_t *size,
                             struct ls_error *err)
{
    char path[128];
    struct source *source;
    const char *bytes;
    size_t got;
    enum ls_code code;

    path_of(files, name, path);
    assert_int_equal(source_open(&source, path, err), LS_OK);
    *out = malloc(2 * BYTES + SOURCE_PIECE);
    assert_non_null(*out);
    *size = 0;
    while ((code = source_read(source, &bytes, &got, err)) == LS_OK && got > 0) {
        assert_true(*size % SOURCE_PIECE == 0);
        assert_true(*size + got <= 2 * BYTES + SOURCE_PIECE);
        memcpy(*out + *size, bytes, got);
        *size += got;
    }
    source_close(source);
    return code;
}

static void hold_to_plain(const struct files *files, const char *name, size_t times)
{
    struct ls_error err = {0};
    size_t size;
    char *bytes;

    if (read_all(files, name, &bytes, &size, &err) != LS_OK) {
        fail_msg("%s: %s", name, err.text);
    }
    assert_int_equal(size, times * BYTES);
    for (size_t i = 0; i < times; i++) {
        assert_memory_equal(bytes + i * BYTES, files->plain, BYTES);
    }
    free(bytes);
}

static void a_log_is_unpacked_whatever_it_is_called(void **state)
{
    static const char *const packers[] = {"gzip", "xz -0", "bzip2 -1", "zstd -q"};
    const struct files *files = *state;

    hold_to_plain(files, "plain", 1);
    for (size_t i = 0; i < sizeof packers / sizeof packers[0]; i++) {
        char command[128];

        (void)snprintf(command, sizeof command, "command -v %.*s >/dev/null",
                       (int)strcspn(packers[i], " "), packers[i]);
        if (system(command) != 0) {
            print_message("skipped: no %s here\n", packers[i]);
            continue;
        }
        (void)snprintf(command, sizeof command, "%s -c plain >plain.packed", packers[i]);
        shell(files, command);
        hold_to_plain(files, "plain.packed", 1);
    }
}

static void a_gzip_that_another_was_appended_to_is_read_on(void **state)
{
    const struct files *files = *state;

    shell(files, "gzip -c plain >two && gzip -c plain >>two && head -c 512 /dev/zero >>two");
    hold_to_plain(files, "two", 2);
}

static void a_gzip_that_is_cut_off_gives_what_stood_before(void **state)
{
    const struct files *files = *state;
    struct ls_error err = {0};
    size_t size;
    char *bytes;

    shell(files, "gzip -c plain >plain.gz && head -c 60000 plain.gz >cut");
    assert_int_equal(read_all(files, "cut", &bytes, &size, &err), LS_EINPUT);
    assert_non_null(strstr(err.text, "it breaks off"));
    assert_non_null(strstr(err.path, "/cut"));
    /* What 60,000 of its bytes unpack to, to the last one: more than a seventh part of it. */
    assert_in_range(size, 100000, BYTES - 1);
    assert_memory_equal(bytes, files->plain, size);
    free(bytes);
}

static void a_gzip_that_is_damaged_gives_what_stood_before(void **state)
{
    const struct files *files = *state;
    struct ls_error err = {0};
    size_t size;
    char *bytes;

    shell(files, "gzip -c plain >plain.gz && { head -c 60000 plain.gz; head -c 5000 plain.gz | tr "
                 "'\\000-\\377' "
                 "'\\001-\\377\\000'; tail -c +65001 plain.gz; } >bad");
    assert_int_equal(read_all(files, "bad", &bytes, &size, &err), LS_EINPUT);
    assert_non_null(strstr(err.text, "it is damaged"));
    assert_in_range(size, 100000, BYTES);
    free(bytes);
}

static void an_xz_that_is_cut_off_is_told(void **state)
{
    const struct files *files = *state;
    struct ls_error err = {0};
    size_t size;
    char *bytes;

    if (system("command -v xz >/dev/null") != 0) {
        skip();
    }
    shell(files, "xz -0 -c plain >plain.xz && head -c 80000 plain.xz >cut");
    assert_int_equal(read_all(files, "cut", &bytes, &size, &err), LS_EINPUT);
    assert_non_null(strstr(err.text, "it breaks off or is damaged"));
    assert_true(size > 0);
    assert_memory_equal(bytes, files->plain, size);
    free(bytes);
}

static void a_log_that_is_not_there_is_told(void **state)
{
    const struct files *files = *state;
    struct ls_error err = {0};
    struct source *source;
    char path[128];

    path_of(files, "nowhere", path);
    assert_int_equal(source_open(&source, path, &err), LS_ENOINPUT);
    assert_non_null(strstr(err.text, "No such file"));
    assert_int_equal(source_open(&source, files->folder, &err), LS_ENOINPUT);
    assert_non_null(strstr(err.text, "Is a directory"));
}

static void an_empty_log_has_nothing(void **state)
{
    const struct files *files = *state;
    struct ls_error err = {0};
    size_t size;
    char *bytes;

    put(files, "plain.empty", "", 0);
    assert_int_equal(read_all(files, "plain.empty", &bytes, &size, &err), LS_OK);
    assert_int_equal(size, 0);
    free(bytes);
}

static void a_pipe_with_a_name_is_read_once_somebody_writes_to_it(void **state)
{
    const struct files *files = *state;
    struct ls_error err = {0};
    size_t size;
    char *bytes;

    /* The writer comes when we wait already, and is silent for a while. */
    shell(files,
          "mkfifo plain.pipe && { { sleep 0.2; exec 3>plain.pipe; sleep 0.2; cat plain >&3; } & }");
    hold_to_plain(files, "plain.pipe", 1);
    shell(files, "{ sleep 0.2; : >plain.pipe; } &");
    assert_int_equal(read_all(files, "plain.pipe", &bytes, &size, &err), LS_OK);
    assert_int_equal(size, 0);
    free(bytes);
}

static void a_pipe_that_nobody_writes_to_is_told(void **state)
{
    const struct files *files = *state;
    struct ls_error err = {0};
    struct source *source;
    char path[128];

    shell(files, "mkfifo plain.deserted");
    path_of(files, "plain.deserted", path);
    assert_int_equal(source_open(&source, path, &err), LS_ENOINPUT);
    assert_non_null(strstr(err.text, "plain.deserted is a pipe that nobody writes to: start what "
                                     "writes to it first, or give the log itself"));
}

static void a_pipe_that_a_shell_made_is_read_even_when_its_writer_has_gone(void **state)
{
    struct ls_error err = {0};
    struct source *source;
    const char *bytes;
    char path[32];
    size_t size;
    int ends[2];

    (void)state;
    for (int filled = 0; filled < 2; filled++) {
        assert_int_equal(pipe(ends), 0);
        assert_int_equal(write(ends[1], "a line\n", filled ? 7 : 0), filled ? 7 : 0);
        assert_int_equal(close(ends[1]), 0);
        (void)snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
        assert_int_equal(source_open(&source, path, &err), LS_OK);
        assert_int_equal(source_read(source, &bytes, &size, &err), LS_OK);
        assert_int_equal(size, filled ? 7 : 0);
        source_close(source);
        assert_int_equal(close(ends[0]), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_log_is_unpacked_whatever_it_is_called),
        cmocka_unit_test(a_gzip_that_another_was_appended_to_is_read_on),
        cmocka_unit_test(a_gzip_that_is_cut_off_gives_what_stood_before),
        cmocka_unit_test(a_gzip_that_is_damaged_gives_what_stood_before),
        cmocka_unit_test(an_xz_that_is_cut_off_is_told),
        cmocka_unit_test(a_log_that_is_not_there_is_told),
        cmocka_unit_test(an_empty_log_has_nothing),
        cmocka_unit_test(a_pipe_with_a_name_is_read_once_somebody_writes_to_it),
        cmocka_unit_test(a_pipe_that_nobody_writes_to_is_told),
        cmocka_unit_test(a_pipe_that_a_shell_made_is_read_even_when_its_writer_has_gone),
    };

    return cmocka_run_group_tests(tests, make_files, drop_files);
}
