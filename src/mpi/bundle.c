/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "mpi/bundle.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "loginstorm/file.h"

#define NAME_MAX_BYTES 1024

/* Below the folder, without a way out of it. */
static bool is_beneath(const char *name)
{
    const char *part = name;

    if (name[0] == '/' || name[0] == '\0' || strlen(name) > NAME_MAX_BYTES) {
        return false;
    }
    while (part != NULL) {
        if (strncmp(part, "..", 2) == 0 && (part[2] == '/' || part[2] == '\0')) {
            return false;
        }
        part = strchr(part, '/');
        part = part == NULL ? NULL : part + 1;
    }
    return name[strlen(name) - 1] != '/';
}

static enum ls_code add_bytes(struct bundle *bundle, const char *name, const char *bytes,
                              size_t size, struct ls_error *err)
{
    char head[NAME_MAX_BYTES + 32];
    const size_t name_size = (size_t)snprintf(head, sizeof head, "%s", name) + 1;
    const size_t head_size =
        name_size + (size_t)snprintf(head + name_size, sizeof head - name_size, "%zu", size) + 1;
    char *more;

    if (size > BUNDLE_MAX || bundle->size + head_size + size > BUNDLE_MAX) {
        return ls_error_set(err, LS_EINPUT,
                            "%s: the scenario and its files are more than %zu MiB, too much to be "
                            "sent; put that one on each machine and name it absolutely",
                            name, BUNDLE_MAX >> 20);
    }
    more = realloc(bundle->bytes, bundle->size + head_size + size);
    if (more == NULL) {
        return ls_error_set(err, LS_ENOMEM, "no memory to send %s", name);
    }
    memcpy(more + bundle->size, head, head_size);
    memcpy(more + bundle->size + head_size, bytes, size);
    bundle->bytes = more;
    bundle->size += head_size + size;
    return LS_OK;
}

/* A file that the scenario's field names; NULL: none. */
static enum ls_code add_file(struct bundle *bundle, const struct ls_scenario *scenario,
                             const char *field, const char *name, struct ls_error *err)
{
    char path[4096];
    char *bytes;
    size_t size;
    enum ls_code code;

    if (name == NULL || name[0] == '/') {
        return LS_OK;
    }
    if (!is_beneath(name) || strcmp(name, BUNDLE_SCENARIO) == 0) {
        return ls_error_set(err, LS_EINPUT,
                            "%s: only files below the scenario's folder are sent, and %.100s is "
                            "none; put it on each machine and name it absolutely",
                            field, name);
    }
    code = ls_scenario_path(scenario, name, path, sizeof path, err);
    if (code == LS_OK) {
        code = ls_file_read(path, BUNDLE_MAX, &bytes, &size, err);
    }
    if (code == LS_OK) {
        code = add_bytes(bundle, name, bytes, size, err);
        free(bytes);
    }
    return code;
}

static enum ls_code keep_secret(const char *field, const char *name, struct ls_error *err)
{
    if (name == NULL || name[0] == '/') {
        return LS_OK;
    }
    return ls_error_set(
        err, LS_EINPUT,
        "%s: %.100s is a secret, and nobody encrypts what MPI sends; put it on each "
        "machine and name it absolutely",
        field, name);
}

static enum ls_code add_clients(struct bundle *bundle, const struct ls_scenario *scenario,
                                struct ls_error *err)
{
    enum ls_code code = LS_OK;

    for (size_t i = 0; code == LS_OK && i < scenario->populations_count; i++) {
        const struct ls_client_wish *client = &scenario->populations[i].tls.client;
        char field[64];

        (void)snprintf(field, sizeof field, "populations.%zu.tls.client.private_key", i);
        code = keep_secret(field, client->private_key, err);
        if (code == LS_OK) {
            (void)snprintf(field, sizeof field, "populations.%zu.tls.client.password_file", i);
            code = keep_secret(field, client->password_file, err);
        }
        if (code == LS_OK) {
            (void)snprintf(field, sizeof field, "populations.%zu.tls.client.chain", i);
            code = add_file(bundle, scenario, field, client->chain, err);
        }
    }
    return code;
}

static enum ls_code add_files(struct bundle *bundle, const struct ls_scenario *scenario,
                              struct ls_error *err)
{
    enum ls_code code = add_file(bundle, scenario, "gateway.trust", scenario->gateway.trust, err);

    for (size_t i = 0; code == LS_OK && i < scenario->waves_count; i++) {
        code = add_file(bundle, scenario, "arrivals.curve", scenario->waves[i].curve, err);
    }
    return code == LS_OK ? add_clients(bundle, scenario, err) : code;
}

enum ls_code bundle_make(struct bundle *bundle, const struct ls_scenario *scenario,
                         struct ls_error *err)
{
    char *text;
    size_t size;
    enum ls_code code = ls_scenario_text(scenario, &text, &size, err);

    *bundle = (struct bundle){0};
    if (code == LS_OK) {
        code = add_bytes(bundle, BUNDLE_SCENARIO, text, size, err);
        free(text);
    }
    if (code == LS_OK) {
        code = add_files(bundle, scenario, err);
    }
    if (code != LS_OK) {
        bundle_clear(bundle);
    }
    return code;
}

void bundle_clear(struct bundle *bundle)
{
    free(bundle->bytes);
    *bundle = (struct bundle){0};
}

/* FNV-1a: a name, not a proof. */
static uint64_t digest(const struct bundle *bundle)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);

    for (size_t i = 0; i < bundle->size; i++) {
        hash = (hash ^ (unsigned char)bundle->bytes[i]) * UINT64_C(0x100000001b3);
    }
    return hash;
}

/* Where everybody may make folders, somebody may have made this one. */
static enum ls_code own_folder(const char *path, struct ls_error *err)
{
    struct stat info;

    if (mkdir(path, 0700) != 0 && errno != EEXIST) {
        return ls_error_set_errno(err, LS_ECREATE, "cannot create the folder %s", path);
    }
    if (lstat(path, &info) != 0 || !S_ISDIR(info.st_mode) || info.st_uid != geteuid() ||
        (info.st_mode & 022) != 0) {
        return ls_error_set(err, LS_ECREATE,
                            "%s is not a folder of this user's own that nobody else may write into",
                            path);
    }
    return LS_OK;
}

static enum ls_code write_file(const char *folder, const char *name, const char *bytes, size_t size,
                               struct ls_error *err)
{
    char path[4096 + NAME_MAX_BYTES], above[sizeof path];
    struct ls_file file;
    enum ls_code code;

    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    (void)snprintf(above, sizeof above, "%s", path);
    *strrchr(above, '/') = '\0';
    code = ls_folder_make(above, err);
    if (code == LS_OK) {
        code = ls_file_create(&file, path, err);
    }
    if (code == LS_OK) {
        (void)fwrite(bytes, 1, size, file.stream);
        code = ls_file_commit(&file, err);
    }
    return code;
}

/* The file that begins at *at, which moves behind it. False: there is none. */
static bool next_file(const struct bundle *bundle, size_t *at, const char **name,
                      const char **bytes, size_t *size)
{
    const char *from = bundle->bytes + *at, *end = bundle->bytes + bundle->size;
    const char *number = memchr(from, '\0', (size_t)(end - from));
    const char *stop = number == NULL ? NULL : memchr(number + 1, '\0', (size_t)(end - number - 1));
    char *rest;

    if (stop == NULL || !is_beneath(from) || number[1] < '0' || number[1] > '9') {
        return false;
    }
    errno = 0;
    *size = strtoumax(number + 1, &rest, 10);
    if (errno != 0 || rest != stop || *size > (size_t)(end - stop - 1)) {
        return false;
    }
    *name = from;
    *bytes = stop + 1;
    *at = (size_t)(stop + 1 - bundle->bytes) + *size;
    return true;
}

enum ls_code bundle_unpack(const struct bundle *bundle, const char *base, char *path, size_t size,
                           struct ls_error *err)
{
    char folder[4096];
    size_t at = 0;
    enum ls_code code;

    (void)snprintf(folder, sizeof folder, "%.3900s/loginstorm-%u", base, (unsigned)geteuid());
    code = own_folder(folder, err);
    if (code == LS_OK) {
        (void)snprintf(folder + strlen(folder), sizeof folder - strlen(folder), "/%016" PRIx64,
                       digest(bundle));
        code = own_folder(folder, err);
    }
    while (code == LS_OK && at < bundle->size) {
        const char *name, *bytes;
        size_t length;

        if (next_file(bundle, &at, &name, &bytes, &length)) {
            code = write_file(folder, name, bytes, length, err);
        } else {
            code = ls_error_set(err, LS_EINPUT, "what was sent is no scenario with its files");
        }
    }
    if (code == LS_OK && snprintf(path, size, "%s/%s", folder, BUNDLE_SCENARIO) >= (int)size) {
        code = ls_error_set(err, LS_ERANGE, "the path of %.100s is too long", folder);
    }
    return code;
}
