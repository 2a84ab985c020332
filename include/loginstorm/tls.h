/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_TLS_H
#define LOGINSTORM_TLS_H

/*
 * A TLS endpoint as bytes in, bytes out: no socket, no clock, no callback into the caller.
 *
 *     socket -> wire -> [tls endpoint] -> wire -> socket
 *
 *     NEW --ls_tls_end_step--> HANDSHAKING --ls_tls_end_step--> SECURED --ls_tls_end_step--> CLOSED
 *                                   `------------------------------`----------------------> FAILED
 *
 * The only room that includes wolfSSL. Not thread-safe: a process has one loop.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "loginstorm/bytes.h"
#include "loginstorm/error.h"

/* Once a process, before anything else of this room; ls_tls_stop after everything else. */
LS_MUST_CHECK
enum ls_code ls_tls_start(struct ls_error *err);
void ls_tls_stop(void);

/* "wolfSSL 5.9.2" and "own build 3f2a91c0" (or "system's"): named in every result. */
const char *ls_tls_library(void);
const char *ls_tls_build(void);

/* SHA-256 of bytes as 64 hex digits. */
LS_MUST_CHECK
enum ls_code ls_tls_sha256(const void *data, size_t size, char hex[65], struct ls_error *err);

/*
 * What a gateway shows: a private key with its certificate chain, and the issuer to trust, all PEM
 * (NUL-ended, owned).
 */
struct ls_identity {
    char *private_key;
    char *chain; /* leaf first; the issuer behind it when send_chain */
    char *trust; /* the issuer's certificate */
};

struct ls_identity_wish {
    const char *key;        /* "rsa-4096", "ecdsa-p256", ... as in the scenario */
    const char *issuer_key; /* the same words */
    const char *name;       /* the certificate's common and DNS name */
    bool send_chain;
};

/* Makes keys and certificates in memory (RSA 4096 takes about a second). A key kind that this build
 * cannot make: LS_EINPUT. */
LS_MUST_CHECK
enum ls_code ls_identity_new(struct ls_identity **out, const struct ls_identity_wish *wish,
                             struct ls_error *err);
void ls_identity_free(struct ls_identity *identity);

/* Settings shared by many endpoints of one side. */
struct ls_tls_context;

/*
 * How a client looks at the server's certificate.
 *
 * CHAIN  signatures from the leaf up to `trust`, dates of all, key usage, and the server name (or
 *        address) against the leaf, where a name is given; plus what LEAF checks.
 * LEAF   the leaf can be read, and the server proves that it holds its private key (the signature
 *        of CertificateVerify, in TLS 1.2 of ServerKeyExchange). Issuer, dates and name are not
 *        looked at.
 * NONE   as little as the protocol allows. TLS has no handshake without that proof, and the library
 *        does not leave it out, so this costs and checks the same as LEAF; the two differ in what a
 *        report says was meant.
 */
enum ls_tls_check { LS_CHECK_CHAIN, LS_CHECK_LEAF, LS_CHECK_NONE };

struct ls_tls_client_wish {
    bool tls12, tls13;
    const char *const *groups;     /* offered, in order; NULL-ended; X25519, P-256, P-384, P-521,
                                      X25519MLKEM768, SecP256r1MLKEM768, SecP384r1MLKEM1024,
                                      ffdhe2048 */
    const char *const *key_shares; /* sent with a TLS 1.3 Client Hello, in the groups' order; NULL
                                      or empty: the first group */
    const char *const *ciphers;    /* IANA names, in order; NULL or empty: TLS_AES_256_GCM_SHA384,
                                      TLS_AES_128_GCM_SHA256, and with 1.2 the ECDHE GCM suites of
                                      both */
    const char *server_name;       /* SNI (not for an address), and checked by LS_CHECK_CHAIN; NULL:
                                      none */
    enum ls_tls_check check;
    const char *trust; /* PEM; needed by LS_CHECK_CHAIN */
};

/*
 * A group, cipher or version that cannot work (together) is LS_EINPUT with the reason, before
 * anything runs: every version that is offered needs a group and a cipher, and no group or cipher
 * may be of a version that is not.
 *
 * In TLS 1.2 many servers (OpenSSL's, not ours) also hold an ECDSA certificate's curve against the
 * groups: with X25519 alone they answer handshake_failure(40). The groups stay as wished: add the
 * certificate's curve.
 */
LS_MUST_CHECK
enum ls_code ls_tls_client_new(struct ls_tls_context **out, const struct ls_tls_client_wish *wish,
                               struct ls_error *err);

/*
 * tickets: whether session tickets are given out. The server takes TLS 1.2 and 1.3, every cipher
 * and every group of the list above but ffdhe2048 (a client that sends a share for that alone meets
 * a hello retry). It prefers the hybrids, then X25519, P-256, P-384, P-521 among the shares that
 * came; in TLS 1.2 the first of the smallest curves. A key that is not the certificate's:
 * LS_EINPUT.
 */
LS_MUST_CHECK
enum ls_code ls_tls_server_new(struct ls_tls_context **out, const struct ls_identity *identity,
                               bool tickets, struct ls_error *err);
void ls_tls_context_free(struct ls_tls_context *context);

struct ls_tls_end;

enum ls_tls_state {
    LS_TLS_HANDSHAKING, /* wants more bytes from the peer */
    LS_TLS_SECURED,
    LS_TLS_CLOSED, /* the peer said close_notify */
    LS_TLS_FAILED, /* see ls_tls_end_why */
};

/* Why an endpoint failed, as far as the TLS library tells. */
enum ls_tls_why {
    LS_WHY_NONE,
    LS_WHY_ALERT,       /* the peer sent a fatal alert */
    LS_WHY_CERTIFICATE, /* the peer's certificate was not accepted */
    LS_WHY_PROTOCOL,    /* what came is not TLS, or not what was agreed */
    LS_WHY_MEMORY,      /* ours: an allocation failed */
};

/* The context must outlive its endpoints. An endpoint of a held connection is small: no buffers
 * while nothing moves. */
LS_MUST_CHECK
enum ls_code ls_tls_end_new(struct ls_tls_end **out, struct ls_tls_context *context,
                            struct ls_error *err);
void ls_tls_end_free(struct ls_tls_end *end);

/*
 * Takes size bytes from the peer (all of them; 0 at a client's start), goes as far as they reach,
 * appends what must be sent to out, and decrypted application data to plain (either queue may
 * already hold something). A whole flight comes out in one go. The Client Hello comes from a
 * client's first call with size 0.
 */
enum ls_tls_state ls_tls_end_step(struct ls_tls_end *end, const void *data, size_t size,
                                  struct ls_bytes *out, struct ls_bytes *plain);

/* Encrypts application data of a secured endpoint into out. */
LS_MUST_CHECK
enum ls_code ls_tls_end_write(struct ls_tls_end *end, const void *data, size_t size,
                              struct ls_bytes *out, struct ls_error *err);

/* Appends a close_notify to out (nothing before the endpoint is secured); it is CLOSED after that,
 * unless it had FAILED. */
void ls_tls_end_close(struct ls_tls_end *end, struct ls_bytes *out);

enum ls_tls_state ls_tls_end_state(const struct ls_tls_end *end);

/* Whether its handshake was completed, even if the endpoint has closed or failed since (in the same
 * step, perhaps). */
bool ls_tls_end_was_secured(const struct ls_tls_end *end);
enum ls_tls_why ls_tls_end_why(const struct ls_tls_end *end);

struct ls_tls_facts {
    bool tls13;
    bool resumed;
    bool hello_retry;
    const char *group; /* static; the words above, "" before one was agreed on */
    const char *cipher;
    int error;      /* the TLS library's number, 0 when none */
    char text[128]; /* what went wrong, for a person; alerts by name */
};
void ls_tls_end_facts(const struct ls_tls_end *end, struct ls_tls_facts *facts);

#endif
