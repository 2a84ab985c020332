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
    char *chain; /* leaf first; the issuer behind it when send_chain, or what the file holds */
    char *
        trust; /* the issuer's certificate; NULL for a lone certificate from a file, whose issuer is not known */
    char *key;    /* what kind the leaf's key is: "rsa-4096", "ecdsa-p256", ... */
    bool exposed; /* the private key came from a file that everybody on this machine may read */
};

/*
 * What stands in the certificates beside the key.
 *
 * PLAIN           what a browser needs: names, usage, key identifiers.
 * ADCS_WEBSERVER  as a Microsoft CA makes them, set up by default, from its template "WebServer": a subject with country
 *                 and organisation, an issuer of domain components, LDAP addresses for CRL and issuer, the template's
 *                 name. About 700 bytes more.
 * ADCS_V2         the same from a template of version 2 or later: its number and version, and application policies.
 */
enum ls_identity_profile {
    LS_PROFILE_OF_PLAIN,
    LS_PROFILE_OF_ADCS_WEBSERVER,
    LS_PROFILE_OF_ADCS_V2,
};

struct ls_identity_wish {
    const char *key;               /* "rsa-4096", "ecdsa-p256", ... as in the scenario */
    const char *issuer_key;        /* the same words */
    const char *name;              /* the certificate's common name, and the first of its names */
    const char *const *more_names; /* NULL-ended, or NULL; a name that comes again is left out */
    enum ls_identity_profile profile;
    bool send_chain;
};

/* The kinds of keys that can be made, one after the other; NULL beyond the last. */
const char *ls_key_word(size_t index);

/* Makes keys and certificates in memory (RSA 4096 takes about a second). A key kind that this build
 * cannot make: LS_EINPUT. */
LS_MUST_CHECK
enum ls_code ls_identity_new(struct ls_identity **out, const struct ls_identity_wish *wish,
                             struct ls_error *err);
void ls_identity_free(struct ls_identity *identity);

/* A private key and the request that a CA signs, both PEM (NUL-ended, owned): PKCS#8 and PKCS#10. */
struct ls_request {
    char *private_key;
    char *request;
};

struct ls_request_wish {
    const char *key; /* as in struct ls_identity_wish */
    const char *const
        *names; /* NULL-ended, at least one: the first is the common name (where it has
                                 at most 64 characters), and all are subject alternative names */
};

/* Makes both. The request asks for digitalSignature, with RSA keyEncipherment too, and serverAuth.
 * Errors as those of ls_identity_new. */
LS_MUST_CHECK
enum ls_code ls_request_new(struct ls_request **out, const struct ls_request_wish *wish,
                            struct ls_error *err);
void ls_request_free(struct ls_request *request);

/*
 * A certificate of the user's own, all of it PEM. The private key is PKCS#1, SEC1 or PKCS#8, the
 * last one encrypted too (PBES2 with AES-CBC, as openssl writes it); its password stands in a
 * file's first line, or in a variable of the environment.
 *
 * Whom clients trust who verify the chain: `trust`, or else the chain's last certificate where that
 * signed itself, which a root does. A chain that ends before its root has nobody to trust: the
 * library takes none that is anchored in an intermediate.
 */
struct ls_identity_files {
    const char *chain, *private_key;          /* paths; the leaf stands first in the chain */
    const char *password_file, *password_env; /* one of them, or NULL */
    const char *trust;                        /* path, or NULL */
};

/*
 * LS_EINPUT with the file, what is wrong and what to do: no PEM, a key that is not the certificate's, an order that is not
 * the chain's, an unrelated certificate, one that has expired, is not valid yet or is weak (RSA below 2048 bits, signed with
 * SHA-1 or MD5), an encrypted key without its password or with a wrong one. LS_ENOINPUT for a file that is not there.
 */
LS_MUST_CHECK
enum ls_code ls_identity_load(struct ls_identity **out, const struct ls_identity_files *files,
                              struct ls_error *err);

/* Whether the certificate is one for that name: in any case of letters, by a leading star of one label, too. */
LS_MUST_CHECK
enum ls_code ls_identity_fits(const struct ls_identity *identity, const char *name, bool *fits,
                              struct ls_error *err);

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
    bool tickets; /* asks for session tickets in TLS 1.2, four bytes of the Client Hello; in 1.3
                          a server gives them unasked */
    const char *const *alpn; /* protocols offered, in order; NULL-ended, at most 200 bytes in all.
                                NULL: the extension is left out */
    const struct ls_identity *identity; /* shown to a server that asks for a certificate; NULL: an
                                           empty one is */
    bool looks; /* with LS_CHECK_NONE: keeps what the server shows, see ls_tls_end_shown */
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

/* Whether such a client logs in to a server with that identity: by one handshake in memory. LS_EINPUT with what the client (or
 * the server) says to it. */
LS_MUST_CHECK
enum ls_code ls_identity_try(const struct ls_identity *identity,
                             const struct ls_tls_client_wish *wish, struct ls_error *err);

#define LS_TICKET_KEY_BYTES 48

/* What a server shows; all of it is copied. */
struct ls_tls_server_wish {
    const struct ls_identity
        *identity; /* for who asks for no name (SNI), or for one that no other is for */
    const struct ls_identity *const
        *others; /* the first whose certificate is for the name that is asked for */
    size_t others_count;
    bool tickets; /* whether session tickets are given out, one a handshake, good for a day */
    const uint8_t *ticket_key; /* LS_TICKET_KEY_BYTES of a good random generator: servers with the
                                  same take each other's tickets; NULL: a key of its own */
};

/*
 * The server takes TLS 1.2 and 1.3, every cipher
 * and every group of the list above but ffdhe2048 (a client that sends a share for that alone meets
 * a hello retry). It prefers the hybrids, then X25519, P-256, P-384, P-521 among the shares that
 * came; in TLS 1.2 the first of the smallest curves. A key that is not the certificate's:
 * LS_EINPUT.
 */
LS_MUST_CHECK
enum ls_code ls_tls_server_new(struct ls_tls_context **out, const struct ls_tls_server_wish *wish,
                               struct ls_error *err);
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
 * A session that a client may take up again: a ticket of the server's, and the secret that belongs
 * to it. The caller's; about 540 bytes each, beside what its endpoint holds, which may be freed
 * before it.
 *
 * What resumption saves: the server sends no certificate and signs nothing (the larger part of a
 * full handshake's CPU with RSA), and the client checks neither. What still costs: in TLS 1.3 the
 * key exchange (psk_dhe_ke: both sides make a key share and work out a secret of it), the key
 * schedule, and a new ticket, made and sealed; in 1.2 no key exchange at all. In both, TCP, the
 * records and the request as ever.
 */
struct ls_tls_session;
void ls_tls_session_free(struct ls_tls_session *session);

/* Whether a client has got a ticket since the last one was taken from it. In TLS 1.3 tickets come
 * after the handshake, some step later. In TLS 1.2 the one that was offered and taken counts, too:
 * where the server gives no new one it stays good. Never on a server. */
bool ls_tls_end_has_ticket(const struct ls_tls_end *end);

/* Takes the newest one from a secured client: once; *out is NULL when there is none. LS_ENOMEM. */
LS_MUST_CHECK
enum ls_code ls_tls_end_take_session(struct ls_tls_end *end, struct ls_tls_session **out,
                                     struct ls_error *err);

/*
 * Lets a client offer a session, before its first step. Each is good for one connection: free it
 * then (a server that takes one for the third time breaks the handshake off). A server that does not
 * take it makes a full handshake. False, and a full handshake, for one that is older than the server
 * said it may be, and for a server's end. The context should be of the same wish as the one that
 * the session comes from.
 */
bool ls_tls_end_offer(struct ls_tls_end *end, struct ls_tls_session *session);

/* What it returned; false when it was not called. */
bool ls_tls_end_offered(const struct ls_tls_end *end);

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

/* What is wrong with a certificate that was not accepted, where LS_WHY_CERTIFICATE says so. */
enum ls_tls_doubt {
    LS_DOUBT_NONE,
    LS_DOUBT_ISSUER, /* nobody who is trusted signed it */
    LS_DOUBT_BEFORE, /* it, or one of its chain, is not valid yet */
    LS_DOUBT_AFTER,  /* or not any more */
    LS_DOUBT_NAME,   /* it is another server's */
    LS_DOUBT_OTHER,
};

struct ls_tls_facts {
    bool tls13;
    bool resumed; /* secured, and without a certificate */
    bool hello_retry;
    const char *group; /* static; the words above, "" before one was agreed on */
    const char *cipher;
    enum ls_tls_doubt doubt;
    int alert;      /* that the peer sent; negative when none */
    int error;      /* the TLS library's number, 0 when none */
    char text[128]; /* what went wrong, for a person; alerts by name */
};
void ls_tls_end_facts(const struct ls_tls_end *end, struct ls_tls_facts *facts);

/* The certificates that a server showed to a client that looks, for a person and for a result. */
struct ls_tls_shown {
    char key[24];    /* of the leaf: "rsa-4096"; "" where it is of no kind that is known here */
    char names[160]; /* "a.example, b.example and 3 more" */
    char issuer[80]; /* who signed the leaf, by common name */
    int64_t from_s,
        until_s; /* when the leaf is valid, seconds since 1970; 0 where that cannot be read */
    int chain_length;
    bool self_signed;
};

/* LS_EINPUT where none came, or what came cannot be read; LS_ENOMEM. */
LS_MUST_CHECK
enum ls_code ls_tls_end_shown(const struct ls_tls_end *end, struct ls_tls_shown *out,
                              struct ls_error *err);

/*
 * A client's count of the bytes of its handshake, in whole TLS records with their headers (not
 * those of TCP and IP). It does not depend on the parts in which they came.
 */
struct ls_tls_bytes {
    uint32_t client_hello; /* both of them where the server asked for a second one */
    /* All records up to the one with the server's Finished (in TLS 1.2 there are two flights), a
     * hello retry request and ChangeCipherSpec too, but for tickets. Before the endpoint is
     * secured: so far. */
    uint32_t server_flight;
    /* NewSessionTicket messages so far: in TLS 1.2 before the Finished, in TLS 1.3 records of their
     * own that come behind it. */
    uint32_t tickets;
    /* Something came behind the Finished: then tickets are known in TLS 1.3 too, as a server sends
     * them first. */
    bool followed;
};
void ls_tls_end_bytes(const struct ls_tls_end *end, struct ls_tls_bytes *bytes);

#endif
