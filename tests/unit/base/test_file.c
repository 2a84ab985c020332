/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "loginstorm/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/* A file system without files that have no name, and a chance that gives the same names again. */
static bool named_only;
static int same_draws;

int __real_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...);
ssize_t __real_getrandom(void *out, size_t size, unsigned flags);
ssize_t __wrap_getrandom(void *out, size_t size, unsigned flags);

int __wrap_open(const char *path, int flags, ...)
{
    va_list arguments;
    mode_t mode;

    va_start(arguments, flags);
    mode = (flags & (O_CREAT | __O_TMPFILE)) != 0 ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    if (named_only && (flags & O_TMPFILE) == O_TMPFILE) {
        errno = EOPNOTSUPP;
        return -1;
    }
    return __real_open(path, flags, mode);
}

ssize_t __wrap_getrandom(void *out, size_t size, unsigned flags)
{
    if (same_draws > 0) {
        same_draws--;
        memset(out, 0, size);
        return (ssize_t)size;
    }
    return __real_getrandom(out, size, flags);
}

/* Whether a file that is being written to has a name by then. */
static bool has_a_name(void)
{
    const int fd = open(".", O_TMPFILE | O_WRONLY, 0600);

    if (fd >= 0) {
        (void)close(fd);
    }
    return fd < 0;
}

/* Each test runs in a folder of its own, which is the working directory. */
static int enter(void **state)
{
    char folder[] = "/tmp/loginstorm-test-XXXXXX";

    if (mkdtemp(folder) == NULL || chdir(folder) != 0) {
        return -1;
    }
    *state = strdup(folder);
    return *state == NULL ? -1 : 0;
}

static int leave(void **state)
{
    static const char *const left[] = {"a.txt",         "a.txt.aaaaaa", "p",   "full",
                                       "deep/er/still", "deep/er",      "deep"};

    for (size_t i = 0; i < sizeof left / sizeof left[0]; i++) {
        (void)remove(left[i]);
    }
    if (chdir("/") != 0 || rmdir(*state) != 0) {
        return -1; /* something was left behind */
    }
    free(*state);
    return 0;
}

static void put_text(const char *path, const char *text)
{
    FILE *stream = fopen(path, "w");

    assert_non_null(stream);
    assert_true(fputs(text, stream) >= 0);
    assert_int_equal(fclose(stream), 0);
}

static void assert_text(const char *path, const char *text)
{
    struct ls_error err;
    char *is;
    size_t size;

    assert_int_equal(ls_file_read(path, 1 << 20, &is, &size, &err), LS_OK);
    assert_int_equal(size, strlen(text));
    assert_string_equal(is, text);
    free(is);
}

static size_t files_here(void)
{
    DIR *folder = opendir(".");
    size_t count = 0;

    assert_non_null(folder);
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        count += entry->d_name[0] != '.';
    }
    (void)closedir(folder);
    return count;
}

static void a_file_is_replaced_whole_at_the_commit(void **state)
{
    struct ls_file file;
    struct ls_error err;

    (void)state;
    put_text("a.txt", "old");
    assert_int_equal(ls_file_create(&file, "a.txt", &err), LS_OK);
    assert_true(fputs("new", file.stream) >= 0);
    assert_int_equal(fflush(file.stream), 0);
    assert_text("a.txt", "old");
    assert_int_equal(ls_file_commit(&file, &err), LS_OK);
    assert_text("a.txt", "new");
    assert_int_equal(files_here(), 1);
    ls_file_abort(&file); /* safe after a commit */
    assert_text("a.txt", "new");
}

static void an_abort_leaves_the_old_file_and_no_other(void **state)
{
    struct ls_file file;
    struct ls_error err;

    (void)state;
    put_text("a.txt", "old");
    assert_int_equal(ls_file_create(&file, "a.txt", &err), LS_OK);
    assert_true(fputs("new", file.stream) >= 0);
    assert_int_equal(files_here(), has_a_name() ? 2 : 1);
    ls_file_abort(&file);
    assert_text("a.txt", "old");
    assert_int_equal(files_here(), 1);
    file = (struct ls_file){0};
    ls_file_abort(&file);
}

static void a_process_that_is_killed_leaves_the_old_file_and_no_other(void **state)
{
    pid_t child;
    int status;

    (void)state;
    if (has_a_name()) {
        skip(); /* nobody is left who could clean up */
    }
    put_text("a.txt", "old");
    child = fork();
    if (child == 0) {
        struct ls_file file;
        struct ls_error err;

        if (ls_file_create(&file, "a.txt", &err) != LS_OK || fputs("new", file.stream) < 0 ||
            fflush(file.stream) != 0) {
            _exit(1);
        }
        (void)raise(SIGKILL);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
    assert_text("a.txt", "old");
    assert_int_equal(files_here(), 1);
}

static void a_name_that_is_taken_is_left_alone(void **state)
{
    struct ls_file file;
    struct ls_error err;

    (void)state;
    if (has_a_name()) {
        skip(); /* then the C library chooses it */
    }
    put_text("a.txt.aaaaaa", "somebody's");
    assert_int_equal(ls_file_create(&file, "a.txt", &err), LS_OK);
    assert_true(fputs("new", file.stream) >= 0);
    same_draws = 3;
    assert_int_equal(ls_file_commit(&file, &err), LS_OK);
    assert_int_equal(same_draws, 0);
    assert_text("a.txt", "new");
    assert_text("a.txt.aaaaaa", "somebody's");
    assert_int_equal(files_here(), 2);
    put_text("a.txt", "old");
    assert_int_equal(ls_file_create(&file, "a.txt", &err), LS_OK);
    same_draws = INT_MAX; /* and never another */
    assert_int_equal(ls_file_commit(&file, &err), LS_EWRITE);
    same_draws = 0;
    assert_string_equal(err.text, "cannot write a.txt: File exists");
    assert_text("a.txt", "old");
    assert_int_equal(files_here(), 2);
}

static void a_failed_write_leaves_the_old_file_and_no_other(void **state)
{
    /* A limit on the size of files stands for the full disk. */
    struct rlimit before, small;
    struct ls_file file;
    struct ls_error err = {0};
    char block[1024] = {0};
    enum ls_code code;

    (void)state;
    put_text("a.txt", "old");
    assert_int_equal(ls_file_create(&file, "a.txt", &err), LS_OK);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = before;
    small.rlim_cur = 10000;
    (void)signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    for (int i = 0; i < 100; i++) {
        (void)fwrite(block, 1, sizeof block, file.stream);
    }
    code = ls_file_commit(&file, &err);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_int_equal(code, LS_EWRITE);
    assert_int_equal(err.code, LS_EWRITE);
    assert_non_null(strstr(err.text, "cannot write a.txt: "));
    assert_null(strstr(err.text, "Success"));
    assert_null(file.stream);
    assert_text("a.txt", "old");
    assert_int_equal(files_here(), 1);
}

static void a_device_is_written_to_and_not_replaced(void **state)
{
    struct ls_file file;
    struct ls_error err = {0};
    struct stat info;

    (void)state;
    assert_int_equal(ls_file_create(&file, "/dev/null", &err), LS_OK);
    assert_true(fputs("gone", file.stream) >= 0);
    assert_int_equal(ls_file_commit(&file, &err), LS_OK);
    assert_int_equal(ls_file_create(&file, "/dev/full", &err), LS_OK);
    assert_true(fputs("too much", file.stream) >= 0);
    assert_int_equal(ls_file_commit(&file, &err), LS_EWRITE);
    assert_string_equal(err.text, "cannot write /dev/full: No space left on device");
    assert_int_equal(stat("/dev/null", &info), 0);
    assert_true(S_ISCHR(info.st_mode));
    assert_int_equal(stat("/dev/full", &info), 0);
    assert_true(S_ISCHR(info.st_mode));
}

static void what_cannot_be_created_is_told_at_once(void **state)
{
    struct ls_file file;
    struct ls_error err = {0};
    char name[5000];

    (void)state;
    assert_int_equal(ls_file_create(&file, "none/a.txt", &err), LS_ECREATE);
    assert_string_equal(err.text, "cannot create none/a.txt: No such file or directory");
    assert_null(file.stream);
    assert_int_equal(ls_file_create(&file, ".", &err), LS_ECREATE);
    assert_string_equal(err.text, "cannot create .: Is a directory");
    memset(name, 'a', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    assert_int_equal(ls_file_create(&file, name, &err), LS_ECREATE);
    name[300] = '\0';
    assert_int_equal(ls_file_create(&file, name, &err), LS_ECREATE);
    assert_int_equal(files_here(), 0);
}

static void a_new_file_has_the_rights_that_the_umask_leaves(void **state)
{
    struct ls_file file;
    struct ls_error err;
    struct stat info;
    const mode_t before = umask(027);

    (void)state;
    assert_int_equal(ls_file_create(&file, "a.txt", &err), LS_OK);
    assert_int_equal(ls_file_commit(&file, &err), LS_OK);
    assert_int_equal(umask(before), 027);
    assert_int_equal(stat("a.txt", &info), 0);
    assert_int_equal(info.st_mode & 0777, 0640);
}

static void a_file_of_the_limit_is_read_and_one_byte_more_is_not(void **state)
{
    static const struct {
        size_t size, limit;
        enum ls_code code;
        const char *why;
    } rows[] = {
        {0, 0, LS_OK, "empty"},
        {10, 10, LS_OK, "at the limit"},
        {11, 10, LS_EINPUT, "a byte too much"},
        {65535, 65535, LS_OK, "as large as the first buffer"},
        {65536, 65536, LS_OK, "one larger"},
        {300000, 300000, LS_OK, "several buffers"},
        {300001, 300000, LS_EINPUT, "several buffers and one byte"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct ls_error err = {0};
        FILE *stream = fopen("a.txt", "w");
        char *text = NULL;
        size_t size = 77;

        assert_non_null(stream);
        for (size_t n = 0; n < rows[i].size; n++) {
            assert_true(fputc('a' + (int)(n % 26), stream) != EOF);
        }
        assert_int_equal(fclose(stream), 0);
        assert_int_equal(ls_file_read("a.txt", rows[i].limit, &text, &size, &err), rows[i].code);
        if (rows[i].code != LS_OK) {
            assert_null(text);
            assert_int_equal(err.code, LS_EINPUT);
            continue;
        }
        assert_int_equal(size, rows[i].size);
        assert_int_equal(text[size], '\0');
        for (size_t n = 0; n < size; n++) {
            assert_int_equal(text[n], 'a' + (int)(n % 26));
        }
        free(text);
    }
}

static void what_is_missing_or_a_folder_is_no_input(void **state)
{
    struct ls_error err = {0};
    char *text = NULL;
    size_t size;

    (void)state;
    assert_int_equal(ls_file_read("none.yaml", 100, &text, &size, &err), LS_ENOINPUT);
    assert_string_equal(err.text, "cannot open none.yaml: No such file or directory");
    assert_null(text);
    assert_int_equal(ls_file_read(".", 100, &text, &size, &err), LS_ENOINPUT);
    assert_string_equal(err.text, "cannot read .: Is a directory");
    assert_null(text);
}

static void a_pipe_with_a_name_is_refused_and_one_of_the_shell_s_is_read(void **state)
{
    struct ls_error err = {0};
    char place[32], *text = NULL;
    size_t size;
    int ends[2];

    (void)state;
    assert_int_equal(mkfifo("pipe", 0600), 0);
    assert_int_equal(ls_file_read("pipe", 100, &text, &size, &err), LS_ENOINPUT);
    assert_string_equal(err.text, "cannot read pipe: it is a pipe, not a file; write what comes "
                                  "out of it to a file and name that");
    assert_null(text);
    assert_int_equal(unlink("pipe"), 0);
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], "users", 5), 5);
    assert_int_equal(close(ends[1]), 0);
    (void)snprintf(place, sizeof place, "/dev/fd/%d", ends[0]);
    assert_int_equal(ls_file_read(place, 100, &text, &size, &err), LS_OK);
    assert_string_equal(text, "users");
    free(text);
    assert_int_equal(close(ends[0]), 0);
}

static void a_dash_is_standard_input(void **state)
{
    struct ls_error err = {0};
    char *text;
    size_t size;

    (void)state;
    put_text("a.txt", "users: 6000\n");
    assert_non_null(freopen("a.txt", "r", stdin));
    assert_int_equal(ls_file_read("-", 100, &text, &size, &err), LS_OK);
    assert_string_equal(text, "users: 6000\n");
    assert_int_equal(size, 12);
    free(text);
    assert_non_null(freopen("a.txt", "r", stdin));
    assert_int_equal(ls_file_read("-", 5, &text, &size, &err), LS_EINPUT);
    assert_string_equal(err.text, "standard input is larger than 5 bytes");
}

static void a_nul_inside_counts_as_a_byte(void **state)
{
    struct ls_error err;
    FILE *stream = fopen("a.txt", "w");
    char *text;
    size_t size;

    (void)state;
    assert_non_null(stream);
    assert_int_equal(fwrite("a\0b", 1, 3, stream), 3);
    assert_int_equal(fclose(stream), 0);
    assert_int_equal(ls_file_read("a.txt", 100, &text, &size, &err), LS_OK);
    assert_int_equal(size, 3);
    assert_memory_equal(text, "a\0b", 4);
    free(text);
}

static void names_of_one_file_are_known_as_such(void **state)
{
    (void)state;
    put_text("one", "x");
    put_text("two", "x");
    assert_int_equal(link("one", "hard"), 0);
    assert_int_equal(symlink("one", "soft"), 0);
    assert_true(ls_file_is_same("one", "one"));
    assert_true(ls_file_is_same("./one", "one"));
    assert_true(ls_file_is_same("one", "hard"));
    assert_true(ls_file_is_same("soft", "one"));
    assert_false(ls_file_is_same("one", "two"));
    assert_false(ls_file_is_same("three", "three")); /* not there, so nothing is lost */
    assert_false(ls_file_is_same("/dev/null", "/dev/null"));
    assert_false(ls_file_is_same("-", "-"));
    (void)unlink("one");
    (void)unlink("two");
    (void)unlink("hard");
    (void)unlink("soft");
}

static void a_folder_is_made_with_its_parents_and_may_exist(void **state)
{
    struct ls_error err = {0};
    struct stat info;

    (void)state;
    for (int twice = 0; twice < 2; twice++) {
        assert_int_equal(ls_folder_make("deep/er//still/", &err), LS_OK);
        assert_int_equal(stat("deep/er/still", &info), 0);
        assert_true(S_ISDIR(info.st_mode));
    }
    assert_int_equal(ls_folder_make("/", &err), LS_OK);
    assert_int_equal(ls_folder_make(".", &err), LS_OK);
}

static void a_folder_that_cannot_be_made_is_told_with_the_part_and_the_reason(void **state)
{
    struct ls_error err = {0};
    char name[5000];

    (void)state;
    put_text("a.txt", "");
    assert_int_equal(ls_folder_make("a.txt/sub", &err), LS_ECREATE);
    assert_string_equal(err.text, "cannot create the folder a.txt: Not a directory");
    assert_int_equal(ls_folder_make("/proc/none/sub", &err), LS_ECREATE);
    assert_string_equal(err.text, "cannot create the folder /proc/none: No such file or directory");
    assert_int_equal(ls_folder_make("", &err), LS_ECREATE);
    memset(name, 'a', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    assert_int_equal(ls_folder_make(name, &err), LS_ECREATE);
}

#define IN_A_FOLDER(test) cmocka_unit_test_setup_teardown(test, enter, leave)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_A_FOLDER(a_file_is_replaced_whole_at_the_commit),
        IN_A_FOLDER(an_abort_leaves_the_old_file_and_no_other),
        IN_A_FOLDER(a_process_that_is_killed_leaves_the_old_file_and_no_other),
        IN_A_FOLDER(a_name_that_is_taken_is_left_alone),
        IN_A_FOLDER(a_failed_write_leaves_the_old_file_and_no_other),
        IN_A_FOLDER(a_device_is_written_to_and_not_replaced),
        IN_A_FOLDER(what_cannot_be_created_is_told_at_once),
        IN_A_FOLDER(a_new_file_has_the_rights_that_the_umask_leaves),
        IN_A_FOLDER(a_file_of_the_limit_is_read_and_one_byte_more_is_not),
        IN_A_FOLDER(what_is_missing_or_a_folder_is_no_input),
        IN_A_FOLDER(a_pipe_with_a_name_is_refused_and_one_of_the_shell_s_is_read),
        IN_A_FOLDER(a_dash_is_standard_input),
        IN_A_FOLDER(names_of_one_file_are_known_as_such),
        IN_A_FOLDER(a_nul_inside_counts_as_a_byte),
        IN_A_FOLDER(a_folder_is_made_with_its_parents_and_may_exist),
        IN_A_FOLDER(a_folder_that_cannot_be_made_is_told_with_the_part_and_the_reason),
    };

    const int failed = cmocka_run_group_tests_name("base/file", tests, NULL, NULL);

    named_only = true;
    return failed +
           cmocka_run_group_tests_name("base/file, every file with a name", tests, NULL, NULL);
}
