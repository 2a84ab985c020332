/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "storm/job.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum ls_code job_memory(int *fd, const char *name, size_t size, struct ls_error *err)
{
    *fd = memfd_create(name, MFD_CLOEXEC);
    if (*fd < 0) {
        return ls_error_set_errno(err, LS_ESYSTEM, "no memory to share with a process");
    }
    if (ftruncate(*fd, (off_t)size) != 0) {
        (void)ls_error_set_errno(err, LS_ENOMEM, "no %zu bytes to share with a process", size);
        (void)close(*fd);
        *fd = -1;
        return LS_ENOMEM;
    }
    return LS_OK;
}

enum ls_code job_map(int fd, void **memory, size_t *size, struct ls_error *err)
{
    struct stat info;

    if (fstat(fd, &info) != 0) {
        return ls_error_set_errno(err, LS_ESYSTEM, "no memory shared with the conductor");
    }
    *size = (size_t)info.st_size;
    if (*size == 0) {
        *memory = NULL;
        return ls_error_set(err, LS_EBROKEN, "the memory shared with the conductor is empty");
    }
    *memory = mmap(NULL, *size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (*memory == MAP_FAILED) {
        *memory = NULL;
        return ls_error_set_errno(err, LS_ENOMEM, "cannot map %zu shared bytes", *size);
    }
    return LS_OK;
}

/* A job's texts are its own, and nobody else reads them any more. */
static void wipe(json_t *value)
{
    const union {
        const char *read;
        char *write;
    } text = {.read = json_string_value(value)};
    const char *key;
    json_t *inner;
    size_t i;

    if (text.write != NULL) {
        explicit_bzero(text.write, json_string_length(value));
    }
    json_array_foreach(value, i, inner)
    {
        wipe(inner);
    }
    json_object_foreach(value, key, inner)
    {
        wipe(inner);
    }
}

void job_forget(json_t *job)
{
    wipe(job);
    json_decref(job);
}

enum ls_code job_write(int *fd, json_t *job, struct ls_error *err)
{
    char *text = job == NULL || json_object_set_new(job, "version", json_integer(JOB_VERSION)) != 0
                     ? NULL
                     : json_dumps(job, JSON_COMPACT);
    enum ls_code code;

    *fd = -1;
    job_forget(job);
    if (text == NULL) {
        return ls_error_set(err, LS_ENOMEM, "no memory for a job");
    }
    code = job_memory(fd, "loginstorm-job", 0, err);
    if (code == LS_OK && write(*fd, text, strlen(text)) != (ssize_t)strlen(text)) {
        code = ls_error_set_errno(err, LS_ENOMEM, "cannot hand a job over");
        (void)close(*fd);
        *fd = -1;
    }
    explicit_bzero(text, strlen(text));
    free(text);
    return code;
}

enum ls_code job_read(json_t **job, struct ls_error *err)
{
    void *memory;
    size_t size;
    enum ls_code code = job_map(JOB_FD, &memory, &size, err);

    *job = NULL;
    if (code != LS_OK) {
        return code;
    }
    code = ls_json_parse(job, "the conductor's job", memory, size, err);
    (void)munmap(memory, size);
    (void)close(JOB_FD);
    if (code == LS_OK && json_integer_value(json_object_get(*job, "version")) != JOB_VERSION) {
        json_decref(*job);
        *job = NULL;
        code = ls_error_set(err, LS_EBROKEN, "the conductor is of another version of loginstorm");
    }
    return code;
}

void job_hex(const uint8_t *bytes, size_t size, char *out)
{
    static const char digits[] = "0123456789abcdef";

    for (size_t i = 0; i < size; i++) {
        *out++ = digits[bytes[i] >> 4];
        *out++ = digits[bytes[i] & 15];
    }
    *out = '\0';
}

static int digit_of(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

bool job_unhex(const char *text, uint8_t *bytes, size_t size)
{
    if (strlen(text) != 2 * size) {
        return false;
    }
    for (size_t i = 0; i < size; i++) {
        const int high = digit_of(text[2 * i]);
        const int low = digit_of(text[2 * i + 1]);

        if (high < 0 || low < 0) {
            return false;
        }
        bytes[i] = (uint8_t)(high << 4 | low);
    }
    return true;
}
