/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "storm/identities.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loginstorm/engine.h"
#include "loginstorm/name.h"

#define PATH_SIZE 4096

/* What users of a population ask for. */
static const char *name_of(const struct ls_scenario *scenario, size_t certificate,
                           size_t population)
{
    const char *own = scenario->certificates[certificate].server_name;

    return own != NULL ? own : scenario->populations[population].tls.server_name;
}

static const char *found(const struct ls_scenario *scenario, const char *path, char out[PATH_SIZE],
                         enum ls_code *code, struct ls_error *err)
{
    if (path == NULL || *code != LS_OK) {
        return NULL;
    }
    *code = ls_scenario_path(scenario, path, out, PATH_SIZE, err);
    return *code == LS_OK ? out : NULL;
}

/* The error with the certificate's name before its message, and with its place in the scenario. */
static enum ls_code place(struct ls_error *err, const struct ls_scenario *scenario,
                          size_t certificate)
{
    const struct ls_certificate *at = &scenario->certificates[certificate];
    char text[sizeof err->text];

    (void)snprintf(text, sizeof text, "%s", err->text);
    (void)snprintf(err->text, sizeof err->text, "certificates.%zu (%.60s): %s", certificate,
                   at->name, text);
    if (at->origin != NULL) {
        (void)snprintf(err->path, sizeof err->path, "%s", at->origin);
        err->line = at->line;
        err->column = at->column;
    }
    return err->code;
}

enum ls_code ls_storm_load_identity(struct ls_identity **out, const struct ls_scenario *scenario,
                                    size_t certificate, struct ls_error *err)
{
    const struct ls_certificate *from = &scenario->certificates[certificate];
    char chain[PATH_SIZE], key[PATH_SIZE], password[PATH_SIZE], trust[PATH_SIZE];
    enum ls_code code = LS_OK;
    const struct ls_identity_files files = {
        .chain = found(scenario, from->chain, chain, &code, err),
        .private_key = found(scenario, from->private_key, key, &code, err),
        .password_file = found(scenario, from->password_file, password, &code, err),
        .password_env = from->password_env,
        .trust = found(scenario, from->trust, trust, &code, err),
    };

    return code == LS_OK ? ls_identity_load(out, &files, err) : code;
}

static enum ls_code load(const struct ls_scenario *scenario, size_t certificate,
                         struct ls_identity **identity, struct ls_error *err)
{
    enum ls_code code;

    if (scenario->certificates[certificate].chain != NULL) {
        code = ls_storm_load_identity(identity, scenario, certificate, err);
    } else {
        code = ls_error_set(err, LS_EINPUT,
                            "an outside gateway keeps its key to itself; say of which kind it is, "
                            "like key: rsa-2048, and one of that kind is made here");
    }
    return code == LS_OK ? LS_OK : place(err, scenario, certificate);
}

/* One handshake as those of the storm will be. */
static enum ls_code try_population(const struct ls_population *users,
                                   const struct ls_certificate *from,
                                   const struct ls_identity *identity, const char *name,
                                   struct ls_error *err)
{
    const struct ls_tls_client_wish wish =
        ls_engine_client_wish(&users->tls, name, identity->trust);
    const enum ls_code code = ls_identity_try(identity, &wish, err);
    char said[sizeof err->text];

    if (code != LS_EINPUT) {
        return code;
    }
    (void)snprintf(said, sizeof said, "%s", err->text);
    return ls_error_set(err, code, "%.200s: the population \"%.60s\" cannot log in to it: %.220s",
                        from->chain, users->name, said);
}

static enum ls_code check_population(const struct ls_scenario *scenario, size_t certificate,
                                     size_t population, const struct ls_identity *identity,
                                     struct ls_error *err)
{
    const struct ls_population *users = &scenario->populations[population];
    const struct ls_certificate *from = &scenario->certificates[certificate];
    const char *name = name_of(scenario, certificate, population);
    const char *refusal = ls_key_refusal(identity->key, &users->tls);
    const bool verified = users->tls.verify == LS_VERIFY_CHAIN;
    bool fits;
    enum ls_code code;

    if (refusal != NULL) {
        return ls_error_set(err, LS_EINPUT, "%s for the population \"%s\": %s", identity->key,
                            users->name, refusal);
    }
    if (verified && identity->trust == NULL) {
        return ls_error_set(err, LS_EINPUT,
                            "%s ends before its root, so users who verify the chain have nobody to "
                            "trust; name the CA's certificate as trust:, or write `verify: leaf`",
                            from->chain);
    }
    code = ls_identity_fits(identity, name, &fits, err);
    if (code == LS_OK && !fits && (verified || from->server_name != NULL)) {
        return ls_error_set(err, LS_EINPUT,
                            "%s is not for %s, which the population \"%s\" asks for; write one of "
                            "its names as server_name:%s",
                            from->chain, name, users->name,
                            from->server_name != NULL ? "" : ", or `verify: leaf`");
    }
    return code == LS_OK ? try_population(users, from, identity, name, err) : code;
}

static enum ls_code check_file(const struct ls_scenario *scenario, size_t certificate,
                               struct ls_error *err)
{
    struct ls_identity *identity = NULL;
    enum ls_code code = load(scenario, certificate, &identity, err);

    if (code != LS_OK || identity == NULL) {
        return code;
    }
    for (size_t i = 0; code == LS_OK && i < scenario->populations_count; i++) {
        code = check_population(scenario, certificate, i, identity, err);
        code = code == LS_OK ? LS_OK : place(err, scenario, certificate);
    }
    ls_identity_free(identity);
    return code;
}

enum ls_code identities_check(const struct ls_scenario *scenario, struct ls_error *err)
{
    enum ls_code code = ls_tls_start(err);

    if (code != LS_OK) {
        return code;
    }
    for (size_t i = 0; code == LS_OK && i < scenario->certificates_count; i++) {
        if (scenario->certificates[i].key == LS_KEY_FILE) {
            code = check_file(scenario, i, err);
        }
    }
    ls_tls_stop();
    return code;
}

/* For the certificate's own name, or for all that its users ask for. */
static enum ls_code make(const struct ls_scenario *scenario, size_t certificate,
                         struct ls_identity **identity, struct ls_error *err)
{
    static const enum ls_identity_profile profiles[] = {
        [LS_PROFILE_PLAIN] = LS_PROFILE_OF_PLAIN,
        [LS_PROFILE_ADCS_WEBSERVER] = LS_PROFILE_OF_ADCS_WEBSERVER,
        [LS_PROFILE_ADCS_V2] = LS_PROFILE_OF_ADCS_V2,
    };
    const char **names = calloc(scenario->populations_count + 1, sizeof *names);
    struct ls_identity_wish wish = {
        .key = ls_key_name(scenario->certificates[certificate].key),
        .issuer_key = ls_key_name(scenario->issuer.key),
        .profile = profiles[scenario->issuer.profile],
        .send_chain = scenario->issuer.send == LS_SEND_CHAIN,
    };
    enum ls_code code;

    if (names == NULL) {
        return ls_error_set(err, LS_ENOMEM, "no memory for a certificate's names");
    }
    for (size_t i = 0; i < scenario->populations_count; i++) {
        names[i] = name_of(scenario, certificate, i);
    }
    wish.name = names[0];
    wish.more_names = names;
    code = ls_identity_new(identity, &wish, err);
    free(names);
    return code == LS_OK ? LS_OK : place(err, scenario, certificate);
}

enum ls_code identities_make(const struct ls_storm_wish *wish, struct ls_identity **identities,
                             struct ls_error *err)
{
    const struct ls_scenario *scenario = wish->scenario;
    enum ls_code code = LS_OK;

    for (size_t i = 0; code == LS_OK && i < scenario->certificates_count; i++) {
        const struct ls_certificate *from = &scenario->certificates[i];
        char text[256];

        if (from->key != LS_KEY_FILE) {
            (void)snprintf(text, sizeof text, "making a key and its certificate: %s", from->name);
            wish->step(text, wish->data);
            code = make(scenario, i, &identities[i], err);
            continue;
        }
        code = load(scenario, i, &identities[i], err);
        if (code == LS_OK && identities[i]->exposed) {
            (void)snprintf(text, sizeof text,
                           "warning: every user of this machine may read %.150s; `chmod o-r` it",
                           from->private_key);
            wish->step(text, wish->data);
        }
    }
    return code;
}

/* An address is not asked for in a Client Hello (RFC 6066): its certificate is the one for who asks for none. */
static bool is_chosen_by_name(const struct ls_certificate *certificate)
{
    return certificate->server_name != NULL && !ls_name_is_address(certificate->server_name);
}

static enum ls_code is_asked_for(const struct ls_scenario *scenario, size_t certificate,
                                 const struct ls_identity *other, bool *asked, struct ls_error *err)
{
    enum ls_code code = LS_OK;

    *asked = false;
    for (size_t i = 0; code == LS_OK && !*asked && i < scenario->populations_count; i++) {
        code = ls_identity_fits(other, name_of(scenario, certificate, i), asked, err);
    }
    return code;
}

enum ls_code identities_shown(const struct ls_scenario *scenario,
                              struct ls_identity *const *identities, size_t certificate,
                              const struct ls_identity **shown, size_t *count, struct ls_error *err)
{
    const bool named = is_chosen_by_name(&scenario->certificates[certificate]);
    enum ls_code code = LS_OK;

    *count = 0;
    if (!named) {
        shown[(*count)++] = identities[certificate];
    }
    for (size_t i = 0; code == LS_OK && i < scenario->certificates_count; i++) {
        bool asked = false;

        if (i == certificate && named) {
            shown[(*count)++] = identities[i];
        } else if (i != certificate && is_chosen_by_name(&scenario->certificates[i])) {
            code = is_asked_for(scenario, certificate, identities[i], &asked, err);
            if (code == LS_OK && !asked) {
                shown[(*count)++] = identities[i];
            }
        }
    }
    return code;
}
