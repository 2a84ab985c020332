/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "storm/clients.h"

#include <stdio.h>
#include <stdlib.h>

#define PATH_SIZE 4096

static const char *found(const struct ls_scenario *scenario, const char *path, char out[PATH_SIZE],
                         enum ls_code *code, struct ls_error *err)
{
    if (path == NULL || *code != LS_OK) {
        return NULL;
    }
    *code = ls_scenario_path(scenario, path, out, PATH_SIZE, err);
    return *code == LS_OK ? out : NULL;
}

static enum ls_code load(struct ls_identity **out, const struct ls_scenario *scenario,
                         const struct ls_population *population, struct ls_error *err)
{
    const struct ls_client_wish *client = &population->tls.client;
    char chain[PATH_SIZE], key[PATH_SIZE], password[PATH_SIZE], said[sizeof err->text];
    enum ls_code code = LS_OK;
    const struct ls_identity_files files = {
        .chain = found(scenario, client->chain, chain, &code, err),
        .private_key = found(scenario, client->private_key, key, &code, err),
        .password_file = found(scenario, client->password_file, password, &code, err),
        .password_env = client->password_env,
    };

    if (code == LS_OK) {
        code = ls_identity_load(out, &files, err);
    }
    if (code != LS_OK) {
        (void)snprintf(said, sizeof said, "%s", err->text);
        (void)snprintf(err->text, sizeof err->text, "tls.client of the population \"%.60s\": %s",
                       population->name, said);
    }
    return code;
}

enum ls_code clients_load(struct ls_identity ***out, const struct ls_scenario *scenario,
                          struct ls_error *err)
{
    enum ls_code code = LS_OK;

    *out = calloc(scenario->populations_count + 1, sizeof **out);
    if (*out == NULL) {
        return ls_error_set(err, LS_ENOMEM, "no memory for the users' certificates");
    }
    for (size_t i = 0; code == LS_OK && i < scenario->populations_count; i++) {
        if (scenario->populations[i].tls.client.chain != NULL) {
            code = load(&(*out)[i], scenario, &scenario->populations[i], err);
        }
    }
    return code;
}

void clients_free(struct ls_identity **clients, const struct ls_scenario *scenario)
{
    for (size_t i = 0; clients != NULL && i < scenario->populations_count; i++) {
        ls_identity_free(clients[i]);
    }
    free(clients);
}
