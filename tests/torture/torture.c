/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lets a system call or an allocation fail in a program that is as it is shipped, by LD_PRELOAD.
 *
 *     LS_TORTURE="ROLE CALL N once|on ERRNO"    ROLE: the program's first argument, or "-" for all
 *     LS_TORTURE_LOG=FILE                       a line for each process that met it, "fault ROLE CALL N"
 *
 * The N-th call from the start of main fails, or each from the N-th on. With N 0 none does, and the line says
 * how many calls there were: "calls ROLE CALL COUNT", one for every call.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <unistd.h>

#define CALLS(X)                                                                                   \
    X(malloc)                                                                                      \
    X(socket)                                                                                      \
    X(bind)                                                                                        \
    X(listen)                                                                                      \
    X(accept4)                                                                                     \
    X(connect)                                                                                     \
    X(setsockopt)                                                                                  \
    X(getsockopt)                                                                                  \
    X(epoll_create1)                                                                               \
    X(epoll_ctl)                                                                                   \
    X(epoll_wait)                                                                                  \
    X(read)                                                                                        \
    X(read_file)                                                                                   \
    X(read_socket)                                                                                 \
    X(write)                                                                                       \
    X(write_file)                                                                                  \
    X(write_socket)                                                                                \
    X(writev)                                                                                      \
    X(open)                                                                                        \
    X(fopen)                                                                                       \
    X(fflush)                                                                                      \
    X(fsync)                                                                                       \
    X(rename)                                                                                      \
    X(linkat)                                                                                      \
    X(mkostemp)                                                                                    \
    X(dup2)                                                                                        \
    X(mkdir)                                                                                       \
    X(ftruncate)                                                                                   \
    X(mmap)                                                                                        \
    X(memfd_create)                                                                                \
    X(pipe2)                                                                                       \
    X(socketpair)                                                                                  \
    X(timerfd_create)                                                                              \
    X(timerfd_settime)                                                                             \
    X(getrandom)                                                                                   \
    X(fork)

enum call {
#define CALL_NAME(name) CALL_##name,
    CALLS(CALL_NAME) CALL_COUNT
};

static const char *const names[] = {
#define CALL_WORD(name) #name,
    CALLS(CALL_WORD)};

static struct {
    bool armed, on;
    char role[32];
    enum call call;
    long at;
    int error;
    const char *log;
    atomic_long counts[CALL_COUNT];
    atomic_bool told;
} torture;

/* glibc's own, which are always there. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);

/* By the bare calls: nothing of this may fail or count. */
static void note(const char *text)
{
    const long fd = torture.log == NULL ? -1
                                        : syscall(SYS_openat, AT_FDCWD, torture.log,
                                                  O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);

    if (fd >= 0) {
        (void)syscall(SYS_write, fd, text, strlen(text));
        (void)syscall(SYS_close, fd);
    }
}

static bool fails(enum call call)
{
    long n;
    char line[96];

    if (!torture.armed) {
        return false;
    }
    n = atomic_fetch_add(&torture.counts[call], 1) + 1;
    if (torture.at == 0 || call != torture.call || n < torture.at ||
        (n > torture.at && !torture.on)) {
        return false;
    }
    if (!atomic_exchange(&torture.told, true)) {
        (void)snprintf(line, sizeof line, "fault %s %s %ld\n", torture.role, names[call], n);
        note(line);
    }
    errno = torture.error;
    return true;
}

__attribute__((constructor)) static void begin(int argc, char **argv)
{
    const char *wish = getenv("LS_TORTURE");
    char role[32], call[32], mode[8];

    torture.log = getenv("LS_TORTURE_LOG");
    (void)snprintf(torture.role, sizeof torture.role, "%s", argc > 1 ? argv[1] : "-");
    if (wish == NULL ||
        sscanf(wish, "%31s %31s %ld %7s %d", role, call, &torture.at, mode, &torture.error) != 5 ||
        (strcmp(role, "-") != 0 && strcmp(role, torture.role) != 0)) {
        return;
    }
    while (torture.call < CALL_COUNT && strcmp(names[torture.call], call) != 0) {
        torture.call++;
    }
    torture.on = strcmp(mode, "on") == 0;
    torture.armed = true;
}

__attribute__((destructor)) static void end(void)
{
    char line[96];

    torture.armed = false;
    for (int i = 0; torture.at == 0 && i < CALL_COUNT; i++) {
        const long count = atomic_load(&torture.counts[i]);

        if (count > 0) {
            (void)snprintf(line, sizeof line, "calls %s %s %ld\n", torture.role, names[i], count);
            note(line);
        }
    }
}

void *malloc(size_t size)
{
    return fails(CALL_malloc) ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return fails(CALL_malloc) ? NULL : __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size)
{
    return fails(CALL_malloc) ? NULL : __libc_realloc(memory, size);
}

/* What comes behind this one: found once, without being counted. */
static void *next(void **found, const char *name)
{
    if (*found == NULL) {
        const bool armed = torture.armed;

        torture.armed = false;
        *found = dlsym(RTLD_NEXT, name);
        torture.armed = armed;
    }
    return *found;
}

#define WRAP(type, bad, name, parameters, arguments)                                               \
    type name parameters                                                                           \
    {                                                                                              \
        static void *found;                                                                        \
        type(*real) parameters;                                                                    \
                                                                                                   \
        *(void **)&real = next(&found, #name);                                                     \
        return fails(CALL_##name) ? (bad) : real arguments;                                        \
    }

WRAP(int, -1, socket, (int domain, int type, int protocol), (domain, type, protocol))
WRAP(int, -1, bind, (int fd, __CONST_SOCKADDR_ARG at, socklen_t size), (fd, at, size))
WRAP(int, -1, listen, (int fd, int backlog), (fd, backlog))
WRAP(int, -1, accept4, (int fd, __SOCKADDR_ARG from, socklen_t *restrict size, int flags),
     (fd, from, size, flags))
WRAP(int, -1, connect, (int fd, __CONST_SOCKADDR_ARG to, socklen_t size), (fd, to, size))
WRAP(int, -1, setsockopt, (int fd, int level, int option, const void *value, socklen_t size),
     (fd, level, option, value, size))
WRAP(int, -1, getsockopt,
     (int fd, int level, int option, void *restrict value, socklen_t *restrict size),
     (fd, level, option, value, size))
WRAP(int, -1, epoll_create1, (int flags), (flags))
WRAP(int, -1, epoll_ctl, (int epoll, int what, int fd, struct epoll_event *event),
     (epoll, what, fd, event))
WRAP(int, -1, epoll_wait, (int epoll, struct epoll_event *events, int most, int ms),
     (epoll, events, most, ms))
WRAP(ssize_t, -1, writev, (int fd, const struct iovec *parts, int count), (fd, parts, count))
WRAP(FILE *, NULL, fopen, (const char *restrict path, const char *restrict mode), (path, mode))
WRAP(int, EOF, fflush, (FILE * file), (file))
WRAP(int, -1, fsync, (int fd), (fd))
WRAP(int, -1, rename, (const char *from, const char *to), (from, to))
WRAP(int, -1, linkat, (int from, const char *path, int to, const char *name, int flags),
     (from, path, to, name, flags))
WRAP(int, -1, mkostemp, (char *path, int flags), (path, flags))
WRAP(int, -1, dup2, (int from, int to), (from, to))
WRAP(int, -1, mkdir, (const char *path, mode_t mode), (path, mode))
WRAP(int, -1, ftruncate, (int fd, off_t size), (fd, size))
WRAP(void *, MAP_FAILED, mmap, (void *at, size_t size, int how, int flags, int fd, off_t offset),
     (at, size, how, flags, fd, offset))
WRAP(int, -1, memfd_create, (const char *name, unsigned flags), (name, flags))
WRAP(int, -1, pipe2, (int fds[2], int flags), (fds, flags))
WRAP(int, -1, socketpair, (int domain, int type, int protocol, int fds[2]),
     (domain, type, protocol, fds))
WRAP(int, -1, timerfd_create, (int clock, int flags), (clock, flags))
WRAP(int, -1, timerfd_settime,
     (int fd, int flags, const struct itimerspec *value, struct itimerspec *old),
     (fd, flags, value, old))
WRAP(ssize_t, -1, getrandom, (void *data, size_t size, unsigned flags), (data, size, flags))
WRAP(pid_t, -1, fork, (void), ())

/* What a file, a stream and a descriptor of the kernel's own may say differs. */
static enum call kind_of(int fd, enum call any)
{
    struct stat status;

    if (!torture.armed || fstat(fd, &status) != 0) {
        return any;
    }
    return S_ISREG(status.st_mode) ? any + 1 : S_ISSOCK(status.st_mode) ? any + 2 : any;
}

ssize_t read(int fd, void *data, size_t size)
{
    static void *found;
    ssize_t (*real)(int, void *, size_t);

    *(void **)&real = next(&found, "read");
    return fails(kind_of(fd, CALL_read)) ? -1 : real(fd, data, size);
}

ssize_t write(int fd, const void *data, size_t size)
{
    static void *found;
    ssize_t (*real)(int, const void *, size_t);

    *(void **)&real = next(&found, "write");
    return fails(kind_of(fd, CALL_write)) ? -1 : real(fd, data, size);
}

int open(const char *path, int flags, ...)
{
    static void *found;
    int (*real)(const char *, int, ...);
    va_list rest;
    mode_t mode = 0;

    va_start(rest, flags);
    if ((flags & (O_CREAT | O_TMPFILE)) != 0) {
        mode = va_arg(rest, mode_t);
    }
    va_end(rest);
    *(void **)&real = next(&found, "open");
    return fails(CALL_open) ? -1 : real(path, flags, mode);
}
