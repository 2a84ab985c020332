/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tls/end.h"

#include <stdlib.h>
#include <string.h>

#include "tls/fault.h"

#define RECORD_MAX 16384

enum { RECORD_HANDSHAKE = 22, CLIENT_HELLO = 1, SERVER_HELLO = 2 };

/* RFC 8446, 4.1.3: a Server Hello with this random is a Hello Retry Request. */
static const uint8_t retry_random[32] = {
    0xcf, 0x21, 0xad, 0x74, 0xe5, 0x9a, 0x61, 0x11, 0xbe, 0x1d, 0x8c, 0x02, 0x1e, 0x65, 0xb8, 0x91,
    0xc2, 0xa2, 0x11, 0x16, 0x7a, 0xbb, 0x8c, 0x5e, 0x07, 0x9e, 0x09, 0xe2, 0xc8, 0xa8, 0x33, 0x9c,
};

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
    io->data += part;
    io->size -= part;
    return (int)part;
}

/* The library does not tell of hello retries; the first messages of both sides are plain. */
static void watch_hellos(struct ls_tls_end *end, const uint8_t *record, size_t size)
{
    if (size < 43 || record[0] != RECORD_HANDSHAKE) {
        return;
    }
    if (end->context->client) {
        if (record[5] == CLIENT_HELLO) {
            end->hello_retry = end->hellos++ > 0;
        }
    } else if (record[5] == SERVER_HELLO &&
               memcmp(record + 11, retry_random, sizeof retry_random) == 0) {
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
    for (size_t i = 0; rc == WOLFSSL_SUCCESS && i < context->key_shares_count; i++) {
        rc = wolfSSL_UseKeyShare(end->ssl, context->key_shares[i]);
    }
    if (rc != WOLFSSL_SUCCESS) {
        return fault(err, LS_ETLS, rc, "TLS key share");
    }
    if (context->check_name != NULL) {
        rc = context->name_is_address ? wolfSSL_check_ip_address(end->ssl, context->check_name)
                                      : wolfSSL_check_domain_name(end->ssl, context->check_name);
        if (rc != WOLFSSL_SUCCESS) {
            return ls_error_set(err, LS_ENOMEM, "TLS endpoint: out of memory");
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
    code = set_up(end, err);
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
    free(end);
}

static void shake_hands(struct ls_tls_end *end)
{
    const int rc = end->context->client ? wolfSSL_connect(end->ssl) : wolfSSL_accept(end->ssl);
    int number;

    if (rc == WOLFSSL_SUCCESS) {
        end->state = LS_TLS_SECURED;
        end->secured = true;
        return;
    }
    number = wolfSSL_get_error(end->ssl, rc);
    if (number != WOLFSSL_ERROR_WANT_READ || end->no_memory) {
        end_fail(end, number);
    }
}

static void read_plain(struct ls_tls_end *end, struct ls_bytes *plain)
{
    uint8_t buffer[RECORD_MAX];

    for (;;) {
        const int rc = wolfSSL_read(end->ssl, buffer, sizeof buffer);
        int number;

        if (rc > 0) {
            if (ls_bytes_put(plain, buffer, (size_t)rc) != LS_OK) {
                end->no_memory = true;
                end_fail(end, 0);
                return;
            }
            continue;
        }
        number = wolfSSL_get_error(end->ssl, rc);
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
    if (end->state == LS_TLS_HANDSHAKING) {
        shake_hands(end);
    }
    if (end->state == LS_TLS_SECURED && io.size > 0) {
        read_plain(end, plain);
    }
    end->io = NULL;
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

enum ls_tls_state ls_tls_end_state(const struct ls_tls_end *end)
{
    return (enum ls_tls_state)end->state;
}

enum ls_tls_why ls_tls_end_why(const struct ls_tls_end *end)
{
    return (enum ls_tls_why)end->why;
}
