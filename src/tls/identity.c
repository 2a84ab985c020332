/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "loginstorm/tls.h"

#include <stdlib.h>
#include <string.h>

#include "loginstorm/name.h"
#include "tls/certificate.h"
#include "tls/fault.h"
#include "tls/key.h"
#include "tls/text.h"

/* What is needed while an identity is made; both keys are large. */
struct making {
    const struct ls_identity_wish *wish;
    const char *const *names;
    WC_RNG rng;
    struct key key, issuer_key;
    unsigned char der[CERTIFICATE_MAX];
};

enum ls_code certificate_check_name(const char *name, struct ls_error *err)
{
    const char *refusal = ls_name_refusal(name == NULL ? "" : name, LS_NAME_SHOWN);

    return refusal == NULL ? LS_OK
                           : ls_error_set(err, LS_EINPUT, "the name \"%.260s\" %s",
                                          name == NULL ? "" : name, refusal);
}

/* The wish's name and the further ones, as one list on the heap; each of them once. */
static enum ls_code gather_names(const char ***out, const struct ls_identity_wish *wish,
                                 struct ls_error *err)
{
    size_t count = 1;
    const char **names;

    for (const char *const *more = wish->more_names; more != NULL && *more != NULL; more++) {
        count++;
    }
    names = calloc(count + 1, sizeof *names);
    if (names == NULL) {
        return ls_error_set(err, LS_ENOMEM, "certificate: out of memory");
    }
    names[0] = wish->name;
    count = 1;
    for (const char *const *more = wish->more_names; more != NULL && *more != NULL; more++) {
        size_t i = 0;

        while (i < count && strcmp(names[i], *more) != 0) {
            i++;
        }
        if (i == count) {
            names[count++] = *more;
        }
    }
    *out = names;
    return LS_OK;
}

static enum ls_code make_certificate(struct making *m, bool leaf, char **out, struct ls_error *err)
{
    const struct certificate_wish wish = {
        .profile = m->wish->profile,
        .names = leaf ? m->names : NULL,
        .key = leaf ? &m->key : &m->issuer_key,
        .issuer_key = &m->issuer_key,
    };
    size_t size;
    const enum ls_code code = certificate_make(m->der, sizeof m->der, &size, &wish, &m->rng, err);

    return code == LS_OK ? pem_of_der(out, m->der, (int)size, CERT_TYPE, err) : code;
}

static enum ls_code join_chain(struct ls_identity *identity, struct ls_error *err)
{
    const size_t leaf = strlen(identity->chain), issuer = strlen(identity->trust);
    char *chain = realloc(identity->chain, leaf + issuer + 1);

    if (chain == NULL) {
        return ls_error_set(err, LS_ENOMEM, "certificate chain: out of memory");
    }
    memcpy(chain + leaf, identity->trust, issuer + 1);
    identity->chain = chain;
    return LS_OK;
}

/* Both keys are there. */
static enum ls_code certify(struct ls_identity *identity, struct making *m, struct ls_error *err)
{
    enum ls_code code = make_certificate(m, false, &identity->trust, err);

    if (code == LS_OK) {
        code = make_certificate(m, true, &identity->chain, err);
    }
    if (code != LS_OK) {
        return code;
    }
    if (m->wish->send_chain) {
        code = join_chain(identity, err);
    }
    if (code == LS_OK) {
        identity->key = text_copy(m->wish->key, strlen(m->wish->key));
        if (identity->key == NULL) {
            return ls_error_set(err, LS_ENOMEM, "certificate: out of memory");
        }
        code = key_pem(&m->key, &identity->private_key, err);
    }
    return code;
}

static enum ls_code fill(struct ls_identity *identity, struct making *m, struct ls_error *err)
{
    const struct key_kind *kind, *issuer_kind;
    enum ls_code code = LS_OK;

    for (const char *const *name = m->names; code == LS_OK && (name == m->names || *name != NULL);
         name++) {
        code = certificate_check_name(*name, err);
    }
    if (code == LS_OK) {
        code = key_kind_of(&kind, m->wish->key, err);
    }
    if (code == LS_OK) {
        code = key_kind_of(&issuer_kind, m->wish->issuer_key, err);
    }
    if (code == LS_OK) {
        code = key_make(&m->key, kind, &m->rng, err);
    }
    if (code != LS_OK) {
        return code;
    }
    code = key_make(&m->issuer_key, issuer_kind, &m->rng, err);
    if (code == LS_OK) {
        code = certify(identity, m, err);
        key_free(&m->issuer_key);
    }
    key_free(&m->key);
    return code;
}

enum ls_code ls_identity_new(struct ls_identity **out, const struct ls_identity_wish *wish,
                             struct ls_error *err)
{
    struct ls_identity *identity = calloc(1, sizeof *identity);
    struct making *m = calloc(1, sizeof *m);
    const char **names = NULL;
    enum ls_code code = gather_names(&names, wish, err);
    int rc;

    if (identity == NULL || m == NULL || code != LS_OK) {
        free(identity);
        free(m);
        free(names);
        return ls_error_set(err, LS_ENOMEM, "certificate: out of memory");
    }
    m->wish = wish;
    m->names = names;
    fault_forget();
    rc = wc_InitRng(&m->rng);
    if (rc == 0) {
        code = fill(identity, m, err);
        (void)wc_FreeRng(&m->rng);
    } else {
        code = fault(err, LS_ETLS, rc, "random numbers");
    }
    explicit_bzero(m, sizeof *m);
    free(m);
    free(names);
    if (code != LS_OK) {
        ls_identity_free(identity);
        return code;
    }
    *out = identity;
    return LS_OK;
}

void ls_identity_free(struct ls_identity *identity)
{
    if (identity == NULL) {
        return;
    }
    if (identity->private_key != NULL) {
        explicit_bzero(identity->private_key, strlen(identity->private_key));
    }
    free(identity->private_key);
    free(identity->chain);
    free(identity->trust);
    free(identity->key);
    free(identity);
}
