/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "loginstorm/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#define NAME_LETTERS 6 /* the X of mkostemp */

static void folder_of(const char *path, char *folder, size_t size)
{
    const char *slash = strrchr(path, '/');

    if (slash == NULL) {
        (void)snprintf(folder, size, ".");
    } else {
        (void)snprintf(folder, size, "%.*s", (int)(slash - path + 1), path);
    }
}

/* A rename reaches the disk only when its folder does. A folder that cannot be synced costs
 * durability, not the file. */
static void sync_folder(const char *path)
{
    char folder[4096];
    int fd;

    folder_of(path, folder, sizeof folder);
    fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0) {
        (void)fsync(fd);
        (void)close(fd);
    }
}

static void drop_temporary(const struct ls_file *file)
{
    if (file->named) {
        (void)unlink(file->temporary);
    }
}

static void place_of(int fd, char *place, size_t size)
{
    (void)snprintf(place, size, "/proc/self/fd/%d", fd);
}

/* A file without a name goes with the process, however that ends. Not every file system has them, and only /proc can name one
 * later: -1 where it cannot be. */
static int open_unnamed(const struct ls_file *file)
{
    char folder[4096], place[32];
    int fd;

    folder_of(file->path, folder, sizeof folder);
    /* Only a name can be too long: known now, not when all has been written. */
    if (access(file->temporary, F_OK) != 0 && errno == ENAMETOOLONG) {
        return -1;
    }
    fd = open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
    if (fd >= 0) {
        place_of(fd, place, sizeof place);
        if (access(place, F_OK) != 0) {
            (void)close(fd);
            fd = -1;
        }
    }
    return fd;
}

static int open_named(struct ls_file *file)
{
    const int fd = mkostemp(file->temporary, O_CLOEXEC);
    mode_t mask;

    if (fd >= 0) {
        file->named = true;
        mask = umask(0);
        (void)umask(mask);
        (void)fchmod(fd, 0666 & ~mask);
    }
    return fd;
}

/* A link never replaces a file, so it is made beside, under a name that is not taken. */
static int give_name(struct ls_file *file)
{
    char place[32];
    char *end = file->temporary + strlen(file->temporary) - NAME_LETTERS;
    uint64_t draw;

    place_of(fileno(file->stream), place, sizeof place);
    for (int tries = 0; tries < 100; tries++) {
        if (getrandom(&draw, sizeof draw, 0) != (ssize_t)sizeof draw) {
            return -1;
        }
        for (int i = 0; i < NAME_LETTERS; i++, draw /= 26) {
            end[i] = (char)('a' + draw % 26);
        }
        if (linkat(AT_FDCWD, place, AT_FDCWD, file->temporary, AT_SYMLINK_FOLLOW) == 0) {
            file->named = true;
            return 0;
        }
        if (errno != EEXIST) {
            break;
        }
    }
    return -1;
}

enum ls_code ls_file_create(struct ls_file *file, const char *path, struct ls_error *err)
{
    struct stat info;
    int fd;

    *file = (struct ls_file){0};
    if (snprintf(file->path, sizeof file->path, "%s", path) >= (int)sizeof file->path ||
        snprintf(file->temporary, sizeof file->temporary, "%s.XXXXXX", path) >=
            (int)sizeof file->temporary) {
        *file = (struct ls_file){0};
        return ls_error_set(err, LS_ECREATE, "cannot create %.200s...: the name is too long", path);
    }
    /* /dev/null, a pipe, a terminal: a rename would put a plain file in its place. */
    if (stat(path, &info) == 0 && !S_ISREG(info.st_mode)) {
        file->temporary[0] = '\0';
        file->stream = fopen(path, "we");
        fd = -1;
    } else {
        fd = open_unnamed(file);
        fd = fd >= 0 ? fd : open_named(file);
    }
    if (fd >= 0) {
        file->stream = fdopen(fd, "w");
    }
    if (file->stream == NULL) {
        (void)ls_error_set_errno(err, LS_ECREATE, "cannot create %s", path);
        if (fd >= 0) {
            (void)close(fd);
            drop_temporary(file);
        }
        *file = (struct ls_file){0};
        return LS_ECREATE;
    }
    return LS_OK;
}

enum ls_code ls_file_commit(struct ls_file *file, struct ls_error *err)
{
    const bool in_place = file->temporary[0] == '\0';
    bool failed = fflush(file->stream) != 0;
    int number = errno;

    if (!failed && ferror(file->stream)) {
        failed = true;
        number = EIO; /* an earlier write failed; what errno said then is long gone */
    }
    if (!failed && !in_place && fsync(fileno(file->stream)) != 0) {
        failed = true;
        number = errno;
    }
    if (!failed && !in_place && !file->named && give_name(file) != 0) {
        failed = true;
        number = errno;
    }
    if (fclose(file->stream) != 0 && !failed) {
        failed = true;
        number = errno;
    }
    file->stream = NULL;
    if (!failed && !in_place && rename(file->temporary, file->path) != 0) {
        failed = true;
        number = errno;
    }
    if (failed) {
        drop_temporary(file);
        errno = number;
        (void)ls_error_set_errno(err, LS_EWRITE, "cannot write %s", file->path);
        *file = (struct ls_file){0};
        return LS_EWRITE;
    }
    if (!in_place) {
        sync_folder(file->path);
    }
    *file = (struct ls_file){0};
    return LS_OK;
}

void ls_file_abort(struct ls_file *file)
{
    if (file->stream != NULL) {
        (void)fclose(file->stream);
        drop_temporary(file);
    }
    *file = (struct ls_file){0};
}

bool ls_file_is_same(const char *a, const char *b)
{
    struct stat one, other;

    return strcmp(a, "-") != 0 && strcmp(b, "-") != 0 && stat(a, &one) == 0 &&
           stat(b, &other) == 0 && S_ISREG(one.st_mode) && one.st_dev == other.st_dev &&
           one.st_ino == other.st_ino;
}

/* A stream has a buffer of its own, which may be what there was no memory for. */
static enum ls_code unread(void)
{
    return errno == ENOMEM ? LS_ENOMEM : LS_ENOINPUT;
}

static enum ls_code read_all(FILE *stream, const char *path, size_t limit, char **text,
                             size_t *size, struct ls_error *err)
{
    size_t capacity = 65536;
    size_t used = 0;
    char *data = malloc(capacity);

    while (data != NULL) {
        const size_t got = fread(data + used, 1, capacity - 1 - used, stream);

        used += got;
        if (used > limit) {
            free(data);
            return ls_error_set(err, LS_EINPUT, "%s is larger than %zu bytes", path, limit);
        }
        if (got == 0) {
            break;
        }
        if (used == capacity - 1) {
            char *more = realloc(data, capacity * 2);

            if (more == NULL) {
                free(data);
                data = NULL;
                break;
            }
            data = more;
            capacity *= 2;
        }
    }
    if (data == NULL) {
        return ls_error_set(err, LS_ENOMEM, "no memory to read %s", path);
    }
    if (ferror(stream)) {
        const enum ls_code code = unread();

        (void)ls_error_set_errno(err, code, "cannot read %s", path);
        free(data);
        return code;
    }
    data[used] = '\0';
    *text = data;
    *size = used;
    return LS_OK;
}

/* A pipe with a name waits for a writer, for ever perhaps; one that a shell made for this process has one. */
static bool is_waiting_pipe(int fd, const char *path)
{
    struct stat info;

    return fstat(fd, &info) == 0 && S_ISFIFO(info.st_mode) && strncmp(path, "/dev/", 5) != 0 &&
           strncmp(path, "/proc/", 6) != 0;
}

enum ls_code ls_file_open(FILE **stream, const char *path, struct ls_error *err)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    enum ls_code code;

    *stream = NULL;
    if (fd < 0) {
        return ls_error_set_errno(err, unread(), "cannot open %s", path);
    }
    if (is_waiting_pipe(fd, path)) {
        code = ls_error_set(err, LS_ENOINPUT,
                            "cannot read %s: it is a pipe, not a file; write what comes out of it "
                            "to a file and name that",
                            path);
        (void)close(fd);
        return code;
    }
    (void)fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
    *stream = fdopen(fd, "r");
    if (*stream == NULL) {
        code = ls_error_set_errno(err, unread(), "cannot open %s", path);
        (void)close(fd);
        return code;
    }
    return LS_OK;
}

enum ls_code ls_file_read(const char *path, size_t limit, char **text, size_t *size,
                          struct ls_error *err)
{
    const bool is_stdin = strcmp(path, "-") == 0;
    FILE *stream = stdin;
    enum ls_code code = is_stdin ? LS_OK : ls_file_open(&stream, path, err);

    *text = NULL;
    *size = 0;
    if (code != LS_OK) {
        return code;
    }
    code = read_all(stream, is_stdin ? "standard input" : path, limit, text, size, err);
    if (!is_stdin) {
        (void)fclose(stream);
    }
    return code;
}

enum ls_code ls_folder_make(const char *path, struct ls_error *err)
{
    char part[4096];
    struct stat info;

    if (path[0] == '\0' || snprintf(part, sizeof part, "%s", path) >= (int)sizeof part) {
        return ls_error_set(err, LS_ECREATE, "cannot create the folder %.200s: bad name", path);
    }
    for (char *p = part + 1;; p++) {
        const char kept = *p;

        if (kept != '/' && kept != '\0') {
            continue;
        }
        *p = '\0';
        if (mkdir(part, 0777) != 0 && (errno != EEXIST || stat(part, &info) != 0 ||
                                       (!S_ISDIR(info.st_mode) && (errno = ENOTDIR) != 0))) {
            return ls_error_set_errno(err, LS_ECREATE, "cannot create the folder %s", part);
        }
        *p = kept;
        if (kept == '\0') {
            return LS_OK;
        }
    }
}
