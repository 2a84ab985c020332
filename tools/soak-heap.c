/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For tools/soak: counts what is allocated and not yet given back, to the block, in a program that it is loaded into before the C
 * library (LD_PRELOAD). Memory that the kernel lends tells a leak only from the highest crowd that there ever was; this needs no
 * such guess. The account is a file of three 64-bit numbers (blocks, bytes, and the most bytes that there ever were), named by the process in the
 * folder LOGINSTORM_SOAK. */
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *memory);

struct account {
    _Atomic long long blocks, bytes, most;
};

static struct account nowhere;
static struct account *account = &nowhere;

__attribute__((constructor)) static void begin(void)
{
    const char *folder = getenv("LOGINSTORM_SOAK");
    char path[4096];
    void *memory;
    int fd;

    if (folder == NULL) {
        return;
    }
    (void)snprintf(path, sizeof path, "%s/%d", folder, (int)getpid());
    fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0) {
        return;
    }
    if (ftruncate(fd, sizeof *account) == 0) {
        memory = mmap(NULL, sizeof *account, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        if (memory != MAP_FAILED) {
            *(struct account *)memory = nowhere;
            account = memory;
        }
    }
    (void)close(fd);
}

static void add(long long blocks, long long bytes)
{
    account->blocks += blocks;
    account->bytes += bytes;
    if (account->bytes > account->most) {
        account->most = account->bytes;
    }
}

static void *taken(void *memory)
{
    if (memory != NULL) {
        add(1, (long long)malloc_usable_size(memory));
    }
    return memory;
}

static void given(void *memory)
{
    add(-1, -(long long)malloc_usable_size(memory));
}

void *malloc(size_t size)
{
    return taken(__libc_malloc(size));
}

void *calloc(size_t count, size_t size)
{
    return taken(__libc_calloc(count, size));
}

void *realloc(void *memory, size_t size)
{
    const long long before = memory == NULL ? 0 : (long long)malloc_usable_size(memory);
    void *moved = __libc_realloc(memory, size);

    if (moved != NULL) {
        add(memory == NULL, (long long)malloc_usable_size(moved) - before);
    } else if (memory != NULL && size == 0) {
        add(-1, -before);
    }
    return moved;
}

void *memalign(size_t alignment, size_t size)
{
    return taken(__libc_memalign(alignment, size));
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return memalign(alignment, size);
}

int posix_memalign(void **out, size_t alignment, size_t size)
{
    *out = memalign(alignment, size);
    return *out == NULL ? ENOMEM : 0;
}

void free(void *memory)
{
    if (memory != NULL) {
        given(memory);
        __libc_free(memory);
    }
}
