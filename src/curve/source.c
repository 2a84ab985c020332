/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "curve/source.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <zlib.h>

#include "curve/unpack.h"
#include "loginstorm/units.h"

#define RAW ((size_t)64 * 1024)
#define WRITER_NS (5 * LS_NS_PER_S)
#define LOOK_MS 50

enum packing { PLAIN, GZIP, OTHER };

struct source {
    int fd;
    const char *path; /* the caller's */
    enum packing packing;
    int64_t taken, total, written_ns;
    size_t raw_at, raw_size; /* what is left of it */
    bool ended;              /* nothing more can be read */
    int failed;              /* errno of a read that failed */
    bool done;               /* nothing more comes out */
    z_stream gzip;
    bool gzip_ready;
    struct unpack *unpack;
    bool is_broken;
    struct ls_error broken;
    unsigned char raw[RAW];
    char piece[SOURCE_PIECE];
};

/* Up to size bytes from the disk; 0 at the end, or when that failed. */
static size_t take_bytes(struct source *source, void *out, size_t size)
{
    ssize_t got;

    if (source->ended) {
        return 0;
    }
    do {
        got = read(source->fd, out, size);
    } while (got < 0 && errno == EINTR);
    if (got <= 0) {
        source->failed = got < 0 ? errno : 0;
        source->ended = true;
        return 0;
    }
    source->taken += got;
    return (size_t)got;
}

static bool fill_raw(struct source *source)
{
    if (source->raw_size == 0) {
        source->raw_at = 0;
        source->raw_size = take_bytes(source, source->raw, RAW);
    }
    return source->raw_size > 0;
}

/* A kind of packing needs its first bytes, and a pipe may bring them one by one. */
static void look(struct source *source)
{
    static const struct {
        const char *magic;
        size_t size;
        enum packing packing;
    } known[] = {{"\x1f\x8b", 2, GZIP},
                 {"\xfd"
                  "7zXZ",
                  6, OTHER},
                 {"\x28\xb5\x2f\xfd", 4, OTHER},
                 {"BZh", 3, OTHER}};

    while (source->raw_size < 8) {
        const size_t got =
            take_bytes(source, source->raw + source->raw_size, RAW - source->raw_size);

        if (got == 0) {
            break;
        }
        source->raw_size += got;
    }
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (source->raw_size >= known[i].size &&
            memcmp(source->raw, known[i].magic, known[i].size) == 0) {
            source->packing = known[i].packing;
        }
    }
}

static long more_packed(void *data, const void **bytes)
{
    struct source *source = data;
    size_t size;

    if (!fill_raw(source)) {
        return source->failed == 0 ? 0 : -1;
    }
    *bytes = source->raw + source->raw_at;
    size = source->raw_size;
    source->raw_size = 0;
    return (long)size;
}

static void break_off(struct source *source, const char *why)
{
    source->is_broken = true;
    (void)ls_error_set_at(&source->broken, source->path, 0, 0, "%s", why);
}

/* The next member of a file that several were appended to; zeros and the like behind the last are
 * no part of it. */
static bool next_member(struct source *source)
{
    if (!fill_raw(source) || source->raw[source->raw_at] != 0x1f) {
        return false;
    }
    return inflateReset(&source->gzip) == Z_OK;
}

static size_t take_gzip(struct source *source, char *out, size_t size)
{
    z_stream *gzip = &source->gzip;

    gzip->next_out = (unsigned char *)out;
    gzip->avail_out = (unsigned)size;
    while (gzip->avail_out == (unsigned)size && !source->done && !source->is_broken) {
        int result;

        if (!fill_raw(source)) {
            break_off(source, "it breaks off: the gzip file is not whole");
            break;
        }
        gzip->next_in = source->raw + source->raw_at;
        gzip->avail_in = (unsigned)source->raw_size;
        result = inflate(gzip, Z_NO_FLUSH);
        source->raw_at += source->raw_size - gzip->avail_in;
        source->raw_size = gzip->avail_in;
        if (result == Z_STREAM_END) {
            source->done = !next_member(source);
        } else if (result != Z_OK && result != Z_BUF_ERROR) {
            break_off(source, "it is damaged: the gzip data makes no sense from there on");
        }
    }
    return size - gzip->avail_out;
}

static size_t take_plain(struct source *source, char *out, size_t size)
{
    size_t got = source->raw_size < size ? source->raw_size : size;

    if (got > 0) {
        memcpy(out, source->raw + source->raw_at, got);
        source->raw_at += got;
        source->raw_size -= got;
        return got;
    }
    got = take_bytes(source, out, size);
    source->done = got == 0;
    return got;
}

static size_t take_other(struct source *source, char *out, size_t size)
{
    size_t got = 0;

    if (unpack_read(source->unpack, out, size, &got, &source->broken) != LS_OK) {
        source->is_broken = true;
    }
    source->done = got == 0;
    return got;
}

/* A pipe with a name may have no writer as yet; one that a shell made for this process has had one. */
static bool may_have_no_writer(const struct stat *info, const char *path)
{
    return S_ISFIFO(info->st_mode) && strncmp(path, "/dev/", 5) != 0 &&
           strncmp(path, "/proc/", 6) != 0 && strcmp(path, "-") != 0;
}

/* Who writes to a pipe with a name may be started beside us, and gets WRITER_NS to open its end; then
 * it may take its time. The file does not block as yet. */
static enum ls_code await_writer(struct source *source, struct ls_error *err)
{
    const int64_t until_ns = ls_now_ns() + WRITER_NS;
    struct pollfd pipe = {.fd = source->fd, .events = POLLIN};

    for (;;) {
        const ssize_t got = read(source->fd, source->raw, RAW);

        if (got > 0) {
            source->raw_size = (size_t)got;
            source->taken = got;
        }
        /* Without a writer it is at its end, with a silent one not; one that has come and gone hangs up. */
        if (got != 0 || poll(&pipe, 1, LOOK_MS) != 0) {
            return LS_OK;
        }
        if (ls_now_ns() >= until_ns) {
            return ls_error_set(
                err, LS_ENOINPUT,
                "%s is a pipe that nobody writes to: start what writes to it first, "
                "or give the log itself",
                source->path);
        }
    }
}

static enum ls_code begin(struct source *source, struct ls_error *err)
{
    struct stat info;
    struct timespec now;
    enum ls_code code = LS_OK;

    if (source->fd < 0 || fstat(source->fd, &info) != 0) {
        return ls_error_set_errno(err, LS_ENOINPUT, "%s", source->path);
    }
    if (may_have_no_writer(&info, source->path)) {
        code = await_writer(source, err);
    }
    if (source->fd != STDIN_FILENO) {
        (void)fcntl(source->fd, F_SETFL, fcntl(source->fd, F_GETFL) & ~O_NONBLOCK);
    }
    if (code != LS_OK) {
        return code;
    }
    (void)clock_gettime(CLOCK_REALTIME, &now);
    if (S_ISREG(info.st_mode)) {
        source->total = info.st_size;
        now = info.st_mtim;
    }
    source->written_ns = now.tv_sec * LS_NS_PER_S + now.tv_nsec;
    (void)posix_fadvise(source->fd, 0, 0, POSIX_FADV_SEQUENTIAL);
    look(source);
    if (source->failed != 0) {
        errno = source->failed;
        return ls_error_set_errno(err, LS_ENOINPUT, "%s", source->path);
    }
    if (source->packing == GZIP) {
        source->gzip_ready = inflateInit2(&source->gzip, 15 + 16) == Z_OK;
        if (!source->gzip_ready) {
            return ls_error_set(err, LS_ENOMEM, "no memory to unpack %s", source->path);
        }
    }
    return source->packing == OTHER
               ? unpack_new(&source->unpack, more_packed, source, source->path, err)
               : LS_OK;
}

enum ls_code source_open(struct source **out, const char *path, struct ls_error *err)
{
    struct source *source = malloc(sizeof *source);
    enum ls_code code;

    if (source == NULL) {
        return ls_error_set(err, LS_ENOMEM, "no memory to read %s", path);
    }
    /* The buffers behind need no zeros. */
    memset(source, 0, offsetof(struct source, raw));
    source->path = path;
    source->fd =
        strcmp(path, "-") == 0 ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    code = begin(source, err);
    if (code == LS_EINPUT) {
        /* Packed, and damaged from its beginning: told when it is read, as it is elsewhere. */
        source->broken = *err;
        source->is_broken = true;
    } else if (code != LS_OK) {
        source_close(source);
        return code;
    }
    *out = source;
    return LS_OK;
}

void source_close(struct source *source)
{
    if (source == NULL) {
        return;
    }
    if (source->gzip_ready) {
        (void)inflateEnd(&source->gzip);
    }
    unpack_free(source->unpack);
    if (source->fd > STDIN_FILENO) {
        (void)close(source->fd);
    }
    free(source);
}

enum ls_code source_read(struct source *source, const char **bytes, size_t *size,
                         struct ls_error *err)
{
    size_t have = 0;

    while (have < SOURCE_PIECE && !source->done && !source->is_broken) {
        char *out = source->piece + have;
        const size_t room = SOURCE_PIECE - have;

        have += source->packing == PLAIN  ? take_plain(source, out, room)
                : source->packing == GZIP ? take_gzip(source, out, room)
                                          : take_other(source, out, room);
    }
    *bytes = source->piece;
    *size = have;
    if (have > 0) {
        return LS_OK;
    }
    if (source->failed != 0) {
        errno = source->failed;
        return ls_error_set_errno(err, LS_ESYSTEM, "cannot read %s", source->path);
    }
    if (source->is_broken && err != NULL) {
        *err = source->broken;
    }
    return source->is_broken ? LS_EINPUT : LS_OK;
}

int64_t source_taken(const struct source *source)
{
    return source->taken;
}

int64_t source_total(const struct source *source)
{
    return source->total;
}

int64_t source_written_ns(const struct source *source)
{
    return source->written_ns;
}
