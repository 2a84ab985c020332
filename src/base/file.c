/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "loginstorm/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A rename reaches the disk only when its folder does. A folder that cannot be synced costs
 * durability, not the file. */
static void sync_folder(const char *path)
{
    char folder[4096];
    const char *slash = strrchr(path, '/');
    int fd;

    if (slash == NULL) {
        (void)snprintf(folder, sizeof folder, ".");
    } else {
        (void)snprintf(folder, sizeof folder, "%.*s", (int)(slash - path + 1), path);
    }
    fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0) {
        (void)fsync(fd);
        (void)close(fd);
    }
}

static void drop_temporary(const struct ls_file *file)
{
    if (file->temporary[0] != '\0') {
        (void)unlink(file->temporary);
    }
}

enum ls_code ls_file_create(struct ls_file *file, const char *path, struct ls_error *err)
{
    struct stat info;
    mode_t mask;
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
        fd = mkostemp(file->temporary, O_CLOEXEC);
    }
    if (fd >= 0) {
        mask = umask(0);
        (void)umask(mask);
        (void)fchmod(fd, 0666 & ~mask);
        file->stream = fdopen(fd, "w");
    }
    if (file->stream == NULL) {
        (void)ls_error_set_errno(err, LS_ECREATE, "cannot create %s", path);
        if (fd >= 0) {
            (void)close(fd);
            (void)unlink(file->temporary);
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
        (void)ls_error_set_errno(err, LS_ENOINPUT, "cannot read %s", path);
        free(data);
        return LS_ENOINPUT;
    }
    data[used] = '\0';
    *text = data;
    *size = used;
    return LS_OK;
}

enum ls_code ls_file_read(const char *path, size_t limit, char **text, size_t *size,
                          struct ls_error *err)
{
    const bool is_stdin = strcmp(path, "-") == 0;
    FILE *stream = is_stdin ? stdin : fopen(path, "re");
    enum ls_code code;

    *text = NULL;
    *size = 0;
    if (stream == NULL) {
        return ls_error_set_errno(err, LS_ENOINPUT, "cannot open %s", path);
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
