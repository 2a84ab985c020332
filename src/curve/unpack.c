/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "curve/unpack.h"

#include <archive.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#define LIBRARY "libarchive.so.13"

#define FUNCTIONS(X)                                                                               \
    X(archive_read_new)                                                                            \
    X(archive_read_free)                                                                           \
    X(archive_read_support_filter_xz)                                                              \
    X(archive_read_support_filter_zstd)                                                            \
    X(archive_read_support_filter_bzip2)                                                           \
    X(archive_read_support_format_raw)                                                             \
    X(archive_read_open)                                                                           \
    X(archive_read_next_header)                                                                    \
    X(archive_read_data)                                                                           \
    X(archive_error_string)

struct unpack {
    void *library;
    struct archive *archive;
    unpack_more *more;
    void *data;
    const char *path;
#define MEMBER(name) __typeof__(name)(*(name));
    FUNCTIONS(MEMBER)
#undef MEMBER
};

static bool load(struct unpack *unpack)
{
    bool good;

    unpack->library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
    good = unpack->library != NULL;
#define FIND(name)                                                                                 \
    if (good) {                                                                                    \
        void *at = dlsym(unpack->library, #name);                                                  \
                                                                                                   \
        memcpy(&unpack->name, &at, sizeof at);                                                     \
        good = at != NULL;                                                                         \
    }
    FUNCTIONS(FIND)
#undef FIND
    return good;
}

static la_ssize_t give(struct archive *archive, void *data, const void **bytes)
{
    struct unpack *unpack = data;

    (void)archive;
    return unpack->more(unpack->data, bytes);
}

static enum ls_code damaged(const struct unpack *unpack, struct ls_error *err)
{
    const char *why = unpack->archive_error_string(unpack->archive);

    return ls_error_set_at(err, unpack->path, 0, 0, "it breaks off or is damaged (%s)",
                           why == NULL ? "it cannot be unpacked" : why);
}

static enum ls_code begin(struct unpack *unpack, struct ls_error *err)
{
    struct archive_entry *entry;

    unpack->archive = unpack->archive_read_new();
    if (unpack->archive == NULL) {
        return ls_error_set(err, LS_ENOMEM, "no memory to unpack %s", unpack->path);
    }
    (void)unpack->archive_read_support_filter_xz(unpack->archive);
    (void)unpack->archive_read_support_filter_zstd(unpack->archive);
    (void)unpack->archive_read_support_filter_bzip2(unpack->archive);
    (void)unpack->archive_read_support_format_raw(unpack->archive);
    if (unpack->archive_read_open(unpack->archive, unpack, NULL, give, NULL) != ARCHIVE_OK ||
        unpack->archive_read_next_header(unpack->archive, &entry) != ARCHIVE_OK) {
        return damaged(unpack, err);
    }
    return LS_OK;
}

enum ls_code unpack_new(struct unpack **out, unpack_more *more, void *data, const char *path,
                        struct ls_error *err)
{
    struct unpack *unpack = calloc(1, sizeof *unpack);
    enum ls_code code;

    if (unpack == NULL) {
        return ls_error_set(err, LS_ENOMEM, "no memory to unpack %s", path);
    }
    unpack->more = more;
    unpack->data = data;
    unpack->path = path;
    if (!load(unpack)) {
        code = ls_error_set(err, LS_ELIMIT,
                            "%s is packed, and " LIBRARY " (Debian's libarchive13) is not there to "
                            "unpack it; or pipe it: xz -dc FILE | loginstorm import -",
                            path);
    } else {
        code = begin(unpack, err);
    }
    if (code != LS_OK) {
        unpack_free(unpack);
        return code;
    }
    *out = unpack;
    return LS_OK;
}

void unpack_free(struct unpack *unpack)
{
    if (unpack == NULL) {
        return;
    }
    if (unpack->archive != NULL) {
        (void)unpack->archive_read_free(unpack->archive);
    }
    if (unpack->library != NULL) {
        (void)dlclose(unpack->library);
    }
    free(unpack);
}

enum ls_code unpack_read(struct unpack *unpack, char *out, size_t size, size_t *got,
                         struct ls_error *err)
{
    const la_ssize_t count = unpack->archive_read_data(unpack->archive, out, size);

    *got = count > 0 ? (size_t)count : 0;
    return count < 0 ? damaged(unpack, err) : LS_OK;
}
