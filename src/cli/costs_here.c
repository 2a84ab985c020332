/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/costs_here.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/host.h"
#include "loginstorm/file.h"

#define PATH_SIZE 4096

static enum ls_code folder(char *out, size_t size, struct ls_error *err)
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    int length;

    if (cache != NULL && cache[0] == '/') { /* a relative one is to be passed over, says XDG */
        length = snprintf(out, size, "%s/loginstorm", cache);
    } else if (home != NULL && home[0] != '\0') {
        length = snprintf(out, size, "%s/.cache/loginstorm", home);
    } else {
        return ls_error_set(err, LS_EINPUT,
                            "no place for this host's cost profile: neither XDG_CACHE_HOME nor "
                            "HOME is set; name a file");
    }
    return length < (int)size
               ? LS_OK
               : ls_error_set(err, LS_ERANGE, "XDG_CACHE_HOME or HOME: the name is too long");
}

enum ls_code ls_costs_here_path(char *out, size_t size, struct ls_error *err)
{
    char of[PATH_SIZE];
    enum ls_code code = folder(of, sizeof of, err);

    if (code == LS_OK && snprintf(out, size, "%s/costs.json", of) >= (int)size) {
        code = ls_error_set(err, LS_ERANGE, "XDG_CACHE_HOME or HOME: the name is too long");
    }
    return code;
}

enum ls_code ls_costs_here_folder(struct ls_error *err)
{
    char of[PATH_SIZE];
    enum ls_code code = folder(of, sizeof of, err);

    return code == LS_OK ? ls_folder_make(of, err) : code;
}

/* Nothing known on both sides is the same. */
static bool same(const char *a, const char *b)
{
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

static enum ls_code must_be_ours(const struct ls_costs *costs, struct ls_error *err)
{
    struct ls_costs *here = calloc(1, sizeof *here);
    enum ls_code code;

    if (here == NULL) {
        return ls_error_set(err, LS_ENOMEM, "no memory for the cost profile");
    }
    code = host_of_costs(here, err);
    if (code == LS_OK && !same(costs->host_cpu, here->host_cpu)) {
        code =
            ls_error_set_at(err, costs->path, 0, 0,
                            "measured on another CPU (%.100s) than this one (%.100s): run "
                            "`loginstorm calibrate`",
                            costs->host_cpu == NULL ? "unknown" : costs->host_cpu, here->host_cpu);
    } else if (code == LS_OK && (!same(costs->tls_library, here->tls_library) ||
                                 !same(costs->tls_build, here->tls_build))) {
        code = ls_error_set_at(err, costs->path, 0, 0,
                               "measured with another TLS library (%.60s, %.60s) than this "
                               "loginstorm has: run `loginstorm calibrate`",
                               costs->tls_library == NULL ? "unknown" : costs->tls_library,
                               costs->tls_build == NULL ? "unknown build" : costs->tls_build);
    }
    ls_costs_free(here);
    return code;
}

enum ls_code ls_costs_of_this_host(struct ls_costs **out, struct ls_error *err)
{
    char path[PATH_SIZE];
    enum ls_code code = ls_costs_here_path(path, sizeof path, err);

    *out = NULL;
    if (code == LS_OK && access(path, F_OK) != 0) {
        return ls_error_set(
            err, LS_ENOINPUT,
            "what a handshake costs on this host is not known yet: run "
            "`loginstorm calibrate` (a minute and a half), or name a cost profile in "
            "farm.costs");
    }
    if (code == LS_OK) {
        code = ls_costs_load(out, path, err);
    }
    if (code == LS_OK) {
        code = must_be_ours(*out, err);
        if (code != LS_OK) {
            ls_costs_free(*out);
            *out = NULL;
        }
    }
    return code;
}
