/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tls/end.h"

#include <stdlib.h>
#include <string.h>

#include "tls/fault.h"
#include "tls/shown.h"

#define RECORD_MAX 16384

int end_receive(WOLFSSL *ssl, char *buffer, int size, void *context)
{
    struct ls_tls_end *end = context;
    struct end_io *io = end->io;
    size_t part = (size_t)size;

    (void)ssl;
    if (io == NULL || io->size == 0) {
        return WOLFSSL_CBIO_ERR_WANT_READ;
    }
    if (part > io->size) {
        part = io->size;
    }
    memcpy(buffer, io->data, part);
    if (end->context->client) {
        records_take(&end->records, io->data, part);
    }
    io->data += part;
    io->size -= part;
    return (int)part;
}

/* The library does not tell of hello retries; the first messages of both sides are plain. */
static void watch_hellos(struct ls_tls_end *end, const uint8_t *data, size_t size)
{
    if (end->context->client) {
        end->hello_bytes += records_client_hello(data, size, &end->hellos);
        end->hello_retry = end->hellos > 1;
    } else if (records_hello_retry(data, size)) {
        end->hello_retry = true;
    }
}

int end_send(WOLFSSL *ssl, char *buffer, int size, void *context)
{
    struct ls_tls_end *end = context;

    (void)ssl;
    if (end->io == NULL) {
        return WOLFSSL_CBIO_ERR_GENERAL;
    }
    if (end->state == LS_TLS_HANDSHAKING) {
        watch_hellos(end, (const uint8_t *)buffer, (size_t)size);
    }
    if (ls_bytes_put(end->io->out, buffer, (size_t)size) != LS_OK) {
        end->no_memory = true;
        return WOLFSSL_CBIO_ERR_GENERAL;
    }
    return size;
}

static enum ls_code set_up(struct ls_tls_end *end, struct ls_error *err)
{
    const struct ls_tls_context *context = end->context;
    int rc = WOLFSSL_SUCCESS;

    end->ssl = wolfSSL_new(context->ctx);
    if (end->ssl == NULL) {
        return ls_error_set(err, LS_ENOMEM, "TLS endpoint: out of memory");
    }
    wolfSSL_SetIOReadCtx(end->ssl, end);
    wolfSSL_SetIOWriteCtx(end->ssl, end);
    if (context->client) {
        session_listen(end);
    }
    for (size_t i = 0; rc == WOLFSSL_SUCCESS && i < context->key_shares_count; i++) {
        rc = wolfSSL_UseKeyShare(end->ssl, context->key_shares[i]);
    }
    if (rc != WOLFSSL_SUCCESS) {
        return fault(err, LS_ETLS, rc, "TLS key share");
    }
    if (context->looks) {
        shown_listen(end);
    }
    if (context->alpn != NULL) {
        rc = wolfSSL_UseALPN(end->ssl, context->alpn, (unsigned)strlen(context->alpn),
                             WOLFSSL_ALPN_CONTINUE_ON_MISMATCH);
        if (rc != WOLFSSL_SUCCESS) {
            return fault(err, LS_ETLS, rc, "ALPN");
        }
    }
    if (context->check_name != NULL) {
        rc = context->name_is_address ? wolfSSL_check_ip_address(end->ssl, context->check_name)
                                      : wolfSSL_check_domain_name(end->ssl, context->check_name);
        if (rc != WOLFSSL_SUCCESS) {
            return fault(err, LS_EINPUT, BAD_FUNC_ARG, "server name");
        }
    }
    return LS_OK;
}

enum ls_code ls_tls_end_new(struct ls_tls_end **out, struct ls_tls_context *context,
                            struct ls_error *err)
{
    struct ls_tls_end *end = calloc(1, sizeof *end);
    enum ls_code code;

    if (end == NULL) {
        return ls_error_set(err, LS_ENOMEM, "TLS endpoint: out of memory");
    }
    end->context = context;
    end->state = LS_TLS_HANDSHAKING;
    fault_forget();
    code = context->next == NULL ? set_up(end, err) : LS_OK;
    if (code != LS_OK) {
        ls_tls_end_free(end);
        return code;
    }
    *out = end;
    return LS_OK;
}

void ls_tls_end_free(struct ls_tls_end *end)
{
    if (end == NULL) {
        return;
    }
    wolfSSL_free(end->ssl);
    ls_bytes_free(&end->early);
    free(end->shown);
    free(end);
}

static void shake_hands(struct ls_tls_end *end)
{
    const int rc = end->context->client ? wolfSSL_connect(end->ssl) : wolfSSL_accept(end->ssl);
    int number;

    if (rc == WOLFSSL_SUCCESS) {
        end->state = LS_TLS_SECURED;
        end->secured = true;
        end->tls13 = wolfSSL_GetVersion(end->ssl) == WOLFSSL_TLSV1_3;
        session_keep(end);
        /* The library takes a record at a time: what it has taken ends with the Finished. */
        end->flight_bytes = end->records.done - end->records.tickets;
        end->ticket_bytes = end->records.tickets;
        end->settled = end->records.done;
        return;
    }
    number = wolfSSL_get_error(end->ssl, rc);
    if (number != WOLFSSL_ERROR_WANT_READ || end->no_memory) {
        end_fail(end, number);
    }
}

/* As shake_hands, but that the certificate has to be chosen first. */
static void begin(struct ls_tls_end *end, struct end_io *io)
{
    struct end_io early;
    struct ls_error err;

    if (!sni_known(end, io)) {
        if (end->no_memory) {
            end_fail(end, 0);
        }
        return;
    }
    if (set_up(end, &err) != LS_OK) {
        end->no_memory = true;
        end_fail(end, 0);
        return;
    }
    early = *io;
    if (ls_bytes_size(&end->early) > 0) {
        early.data = ls_bytes_front(&end->early);
        early.size = ls_bytes_size(&end->early);
    }
    end->io = &early;
    shake_hands(end);
    end->io = io;
    *io = early;
}

/*
 * In TLS 1.3 a ticket looks like any other record. But of those that the library took for one read,
 * only the last can be application data (or the goodbye, or what broke the stream); what came
 * before it, and all where the read got nothing, are handshake messages: tickets (or a KeyUpdate of
 * 27 bytes, which no server sends within a login).
 */
static void settle(struct ls_tls_end *end, bool got_nothing)
{
    const uint32_t taken = end->records.done - end->settled;

    if (end->tls13 && taken > 0) {
        end->ticket_bytes += got_nothing ? taken : taken - end->records.last;
    }
    end->settled = end->records.done;
}

static void read_plain(struct ls_tls_end *end, struct ls_bytes *plain)
{
    uint8_t buffer[RECORD_MAX];

    for (;;) {
        const int rc = wolfSSL_read(end->ssl, buffer, sizeof buffer);
        int number;

        if (rc > 0) {
            settle(end, false);
            if (ls_bytes_put(plain, buffer, (size_t)rc) != LS_OK) {
                end->no_memory = true;
                end_fail(end, 0);
                return;
            }
            continue;
        }
        number = wolfSSL_get_error(end->ssl, rc);
        settle(end, number == WOLFSSL_ERROR_WANT_READ);
        if (number == WOLFSSL_ERROR_ZERO_RETURN) {
            end->state = LS_TLS_CLOSED;
        } else if (number != WOLFSSL_ERROR_WANT_READ || end->no_memory) {
            end_fail(end, number);
        }
        return;
    }
}

enum ls_tls_state ls_tls_end_step(struct ls_tls_end *end, const void *data, size_t size,
                                  struct ls_bytes *out, struct ls_bytes *plain)
{
    struct end_io io = {.data = data, .size = size, .out = out};

    if (size > 0 && !end->heard) {
        end->heard = true;
        end->first = io.data[0];
    }
    fault_forget();
    end->io = &io;
    if (end->state == LS_TLS_HANDSHAKING && end->ssl == NULL) {
        begin(end, &io);
    } else if (end->state == LS_TLS_HANDSHAKING) {
        shake_hands(end);
    }
    if (end->state == LS_TLS_SECURED && io.size > 0) {
        read_plain(end, plain);
    }
    end->io = NULL;
    if (end->ssl != NULL) {
        ls_bytes_free(&end->early);
    }
    return end->state;
}

enum ls_code ls_tls_end_write(struct ls_tls_end *end, const void *data, size_t size,
                              struct ls_bytes *out, struct ls_error *err)
{
    struct end_io io = {.out = out};
    const uint8_t *p = data;

    if (end->state != LS_TLS_SECURED) {
        return ls_error_set(err, LS_EBROKEN,
                            "application data for an endpoint that is not secured");
    }
    fault_forget();
    end->io = &io;
    while (size > 0) {
        const int part = size > RECORD_MAX ? RECORD_MAX : (int)size;
        const int rc = wolfSSL_write(end->ssl, p, part);

        if (rc <= 0) {
            end_fail(end, wolfSSL_get_error(end->ssl, rc));
            break;
        }
        p += rc;
        size -= (size_t)rc;
    }
    end->io = NULL;
    if (end->state == LS_TLS_FAILED) {
        return fault(err, LS_ETLS, end->error, "TLS write");
    }
    return LS_OK;
}

void ls_tls_end_close(struct ls_tls_end *end, struct ls_bytes *out)
{
    struct end_io io = {.out = out};

    if (end->state == LS_TLS_SECURED) {
        end->io = &io;
        (void)wolfSSL_shutdown(end->ssl);
        end->io = NULL;
    }
    if (end->state != LS_TLS_FAILED) {
        end->state = LS_TLS_CLOSED;
    }
}

bool ls_tls_end_was_secured(const struct ls_tls_end *end)
{
    return end->secured;
}

void ls_tls_end_bytes(const struct ls_tls_end *end, struct ls_tls_bytes *bytes)
{
    const uint32_t so_far = end->records.done - end->records.tickets;

    *bytes = (struct ls_tls_bytes){
        .client_hello = end->hello_bytes,
        .server_flight = end->secured ? end->flight_bytes : so_far,
        .tickets = end->secured ? end->ticket_bytes : end->records.tickets,
        .followed = end->secured && so_far > end->flight_bytes,
    };
}

enum ls_tls_state ls_tls_end_state(const struct ls_tls_end *end)
{
    return (enum ls_tls_state)end->state;
}

enum ls_tls_why ls_tls_end_why(const struct ls_tls_end *end)
{
    return (enum ls_tls_why)end->why;
}
