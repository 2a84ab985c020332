/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_RECORD_H
#define LOGINSTORM_RECORD_H

/*
 * The record: one row for each user's login and one for each handshake attempt of one run of one
 * certificate.
 *
 *     schedule -> engine / model -> [record] -> result -> report
 *
 * It lies in one piece of memory that the caller gives, often a mapping shared between an injector
 * and the conductor, so that a killed injector loses nothing. Every sample is kept; all memory is
 * there before the first login, so that recording neither allocates nor fails. One process writes;
 * another may read a row as soon as its outcome is not PENDING.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "loginstorm/error.h"
#include "loginstorm/units.h"

enum ls_outcome {
    LS_OUTCOME_PENDING = 0, /* not over yet; none may be left when a run ends */
    LS_OUTCOME_LOGGED_IN,
    LS_OUTCOME_FAILED,
    LS_OUTCOME_CUT_OFF, /* the run ended first */
};

/*
 * Why a login or handshake failed: name (as in samples.csv and by_reason), whose limit it was, and
 * the words. Ours are never booked as the gateway's failures: one of them makes a measurement
 * invalid.
 */
#define LS_REASONS(X)                                                                              \
    X(NONE, "", false, "no failure")                                                               \
    X(CONNECT_REFUSED, "connect_refused", false, "the gateway refused the connection")             \
    X(CONNECT_TIMEOUT, "connect_timeout", false,                                                   \
      "no TCP connection within login.timeouts.connect")                                           \
    X(CONNECT_RESET, "connect_reset", false, "reset while connecting")                             \
    X(CONNECT_UNREACHABLE, "connect_unreachable", false, "no route to the gateway")                \
    X(HANDSHAKE_TIMEOUT, "handshake_timeout", false, "no TLS within login.timeouts.handshake")     \
    X(HANDSHAKE_RESET, "handshake_reset", false, "reset during the handshake")                     \
    X(HANDSHAKE_CLOSED, "handshake_closed", false, "closed by the gateway during the handshake")   \
    X(HANDSHAKE_ALERT, "handshake_alert", false, "the gateway sent a TLS alert")                   \
    X(HANDSHAKE_PROTOCOL, "handshake_protocol", false, "what the gateway sent is not valid TLS")   \
    X(CERTIFICATE_REJECTED, "certificate_rejected", false,                                         \
      "the gateway's certificate was refused")                                                     \
    X(REQUEST_RESET, "request_reset", false, "reset after the handshake")                          \
    X(REQUEST_CLOSED, "request_closed", false, "closed by the gateway before its whole answer")    \
    X(REQUEST_PROTOCOL, "request_protocol", false, "broken TLS or HTTP after the handshake")       \
    X(REQUEST_REFUSED, "request_refused", false,                                                   \
      "the gateway answered with an error (HTTP 4xx or 5xx)")                                      \
    X(LOGIN_TIMEOUT, "login_timeout", false, "not logged in within login.timeouts.login")          \
    X(OWN_DESCRIPTORS, "own_descriptors", true, "the injector ran out of file descriptors")        \
    X(OWN_PORTS, "own_ports", true, "the injector ran out of local ports")                         \
    X(OWN_MEMORY, "own_memory", true, "the injector ran out of memory")                            \
    X(OWN_OTHER, "own_other", true, "the injector's system refused a connection")                  \
    X(OWN_CAP, "own_cap", true, "more connections a second than are allowed there")                \
    X(NEVER_SENT, "never_sent", true, "the injector never sent it")

enum ls_reason {
#define LS_REASON_NAME(name, word, ours, text) LS_REASON_##name,
    LS_REASONS(LS_REASON_NAME)
#undef LS_REASON_NAME
        LS_REASON_COUNT
};
const char *ls_reason_word(enum ls_reason reason);
const char *ls_reason_text(enum ls_reason reason);
bool ls_reason_ours(enum ls_reason reason);
/* Finds a reason by its word; false when there is none. */
bool ls_reason_find(const char *word, enum ls_reason *reason);

/* Who had been due for longer than this when a run ended early, and was not sent yet, is one whom the injector failed to send.
 * Less is what a turn of a loop takes that is no stall yet: he is cut off, as those are who were not due. */
#define LS_NEVER_SENT_NS (50 * LS_NS_PER_MS)

/*
 * A login, 48 bytes. Times are ns from the run's start, LS_NEVER_NS where not reached. due_ns comes
 * from the schedule and not from the moment the engine got round to the user: latency counts from
 * due_ns, so that a late injector shows up in it.
 */
struct ls_login {
    int64_t due_ns;
    int64_t started_ns;   /* the first attempt's connect() */
    int64_t connected_ns; /* TCP of the first connection of the last attempt */
    int64_t secured_ns;   /* TLS of the same */
    int64_t done_ns;      /* logged in, failed or cut off */
    uint16_t population;
    uint8_t attempts;
    uint8_t reason; /* enum ls_reason: of the failure, or of the last failed attempt of a login that
                       came through */
    uint8_t outcome; /* enum ls_outcome */
    uint8_t unused[3];
};

/*
 * One handshake attempt, 64 bytes. Its bytes are those of TLS records with their 5-byte headers, as
 * they went through the injector's socket. TCP and IP add 52 bytes a segment (IPv4, with
 * timestamps), of which a server's flight of n bytes takes ceil(n / 1448) on an Ethernet of 1,500.
 *
 *     client    Client Hello ......... Finished        sent_bytes
 *     server         Server Hello ... Finished         server_flight_bytes
 *                                        [tickets]     ticket_bytes
 */
struct ls_handshake {
    int64_t started_ns;   /* connect() called */
    int64_t connected_ns; /* TCP is there */
    int64_t ended_ns;     /* secured, failed or cut off */
    uint32_t user;
    uint32_t sent_bytes; /* up to ended_ns: for a secured one, up to the client's Finished */
    /* A secured one: server_flight_bytes and the tickets that are known; else all that came up to
     * ended_ns. */
    uint32_t received_bytes;
    /* Up to the server's Finished, in TLS 1.2 both of its flights; a hello retry request too;
     * without tickets. */
    uint32_t server_flight_bytes;
    uint16_t client_hello_bytes; /* both of them after a hello retry */
    uint16_t retransmits; /* TCP segments sent again up to the login attempt's end, SYNs too */
    uint8_t connection;   /* of the login, from 0 */
    uint8_t attempt;      /* from 1 */
    uint8_t outcome;      /* enum ls_outcome; LOGGED_IN means secured */
    uint8_t reason;
    uint8_t resumed, hello_retry, tls13;
    uint8_t offered;  /* its Client Hello brought a ticket of an earlier session */
    uint8_t no_bytes; /* nobody counted them: it was simulated */
    uint8_t unused[7];
    /* NewSessionTicket messages; negative when not known: not secured, or in TLS 1.3 nothing came
     * behind the handshake before the connection went. */
    int32_t ticket_bytes;
};

/*
 * Which users of a storm somebody plays: those whose number modulo `of` is one of the `count` from `first` on. An
 * injector has one remainder, a machine those of all its injectors. Zeroed: all users. A record of a share alone has a
 * row for each of its users, in the order of their numbers.
 */
struct ls_share {
    size_t first, count, of;
};
bool ls_share_has(const struct ls_share *share, size_t user);
/* How many of so many users (0 to users - 1) are in it, and so the row of the next one. */
size_t ls_share_rows(const struct ls_share *share, size_t users);
/* The user of a row. */
size_t ls_share_user(const struct ls_share *share, size_t row);

struct ls_record;

/* Bytes that a record of so many rows takes; 0 when that does not fit. */
size_t ls_record_size(size_t logins, size_t handshakes);

/* Lays an empty record (all logins PENDING, no handshake) over zeroed memory of ls_record_size
 * bytes, aligned to 64. */
struct ls_record *ls_record_init(void *memory, size_t logins, size_t handshakes);

/* Finds the record that another process laid there; LS_EBROKEN when it is none. */
LS_MUST_CHECK
enum ls_code ls_record_attach(struct ls_record **out, void *memory, size_t size,
                              struct ls_error *err);

/* On the heap. */
LS_MUST_CHECK
enum ls_code ls_record_new(struct ls_record **out, size_t logins, size_t handshakes,
                           struct ls_error *err);
void ls_record_free(struct ls_record *record);

/* Puts down how user's login ended, once: a second call keeps the first row and returns LS_EBROKEN,
 * as does a user beyond the end or an outcome PENDING. The outcome is stored last (release). */
LS_MUST_CHECK
enum ls_code ls_record_login(struct ls_record *record, size_t user, const struct ls_login *login);

/* Appends a handshake attempt; LS_EBROKEN when the record is full. */
LS_MUST_CHECK
enum ls_code ls_record_handshake(struct ls_record *record, const struct ls_handshake *handshake);

/* Segments sent again that were seen after a handshake was put down as that row; LS_EBROKEN where there is no such row. */
LS_MUST_CHECK
enum ls_code ls_record_retransmits(struct ls_record *record, size_t row, uint16_t retransmits);

/* What a secured handshake's tickets came to, known when its connection is closed: puts them into
 * row, and into its received_bytes. LS_EBROKEN where there is no such row. */
LS_MUST_CHECK
enum ls_code ls_record_tickets(struct ls_record *record, size_t row, int32_t bytes);

/* The rows; owned by the record. The login rows are in user order. */
const struct ls_login *ls_record_logins(const struct ls_record *record, size_t *count);
const struct ls_handshake *ls_record_handshakes(const struct ls_record *record, size_t *count);

/* The outcome of one login, read so (acquire) that the rest of the row may be read after it. */
enum ls_outcome ls_record_outcome(const struct ls_record *record, size_t user);

/* Adds a shard: its decided logins and all its handshakes. A login that both decided: LS_EBROKEN.
 */
LS_MUST_CHECK
enum ls_code ls_record_merge(struct ls_record *into, const struct ls_record *shard,
                             struct ls_error *err);

/* Adds the rows that a record of all users has of a share to a record of that share alone. A user of the share whom
 * `from` has not decided stays as he is; one that is decided already, and a row of another user: LS_EBROKEN. */
LS_MUST_CHECK
enum ls_code ls_record_gather(struct ls_record *into, const struct ls_record *from,
                              const struct ls_share *share, struct ls_error *err);

#endif
