/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TLS_CERTIFICATE_H
#define TLS_CERTIFICATE_H

/*
 * A certificate written as DER and signed, in the profiles of include/loginstorm/tls.h.
 *
 *     keys, names, profile -> [certificate] -> DER -> identity
 *
 * The library's own writer has no room for what a Windows CA puts into one: names of directories, two kinds of LDAP
 * addresses, Microsoft's template extensions.
 */

#include "loginstorm/error.h"
#include "loginstorm/tls.h"
#include "tls/der.h"
#include "tls/key.h"

/* An ML-DSA-65 key signed with another takes 5,600 bytes without its names. */
#define CERTIFICATE_MAX 32768

struct certificate_wish {
    enum ls_identity_profile profile;
    const char *const
        *names; /* a leaf's, the first is its common name; NULL-ended. NULL: the issuer itself */
    struct key *key, *issuer_key;
};

/* Writes it to memory of `size` bytes; *length is what it takes. */
LS_MUST_CHECK
enum ls_code certificate_make(unsigned char *out, size_t size, size_t *length,
                              const struct certificate_wish *wish, WC_RNG *rng,
                              struct ls_error *err);

/* LS_EINPUT for what can be no name of a certificate; in identity.c. */
LS_MUST_CHECK
enum ls_code certificate_check_name(const char *name, struct ls_error *err);

/* The extension with all of the names. */
void certificate_put_names(struct der *der, const char *const *names);

/* What is below is a leaf's profile, in profile.c. */

/* Distinguished names. */
void profile_put_issuer(struct der *der, enum ls_identity_profile profile);
void profile_put_subject(struct der *der, enum ls_identity_profile profile, const char *name);

/* One extension of a name known here, its value between der_open and der_close. */
struct extension {
    size_t outer, octets;
};
struct extension extension_open(struct der *der, const char *oid, bool critical);
void extension_close(struct der *der, struct extension extension);

/* What a Windows CA adds to a leaf of that profile. */
void profile_put_places(struct der *der);
void profile_put_template(struct der *der, enum ls_identity_profile profile);
void profile_put_policies(struct der *der);

#endif
