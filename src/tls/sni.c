/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A server of several certificates: which of them the client asks for is read off its first record, before there is anything of
 * the library for the connection. So each certificate has settings of its own, made once, and a choice costs no
 * reading of certificates and keys at each handshake. */
#include <string.h>

#include "tls/end.h"
#include "tls/names.h"

#define HEADER 5
#define RECORD_HANDSHAKE 22
#define RECORD_MAX 16384

/* Bytes of the record that begins there, 0: not to be known yet. What is no handshake is as long as it is: the library will say
 * what is wrong with it. */
static size_t record_size(const uint8_t *data, size_t size)
{
    size_t length;

    if (size > 0 && data[0] != RECORD_HANDSHAKE) {
        return size;
    }
    if (size < HEADER) {
        return 0;
    }
    length = (size_t)data[3] << 8 | data[4];
    return length > RECORD_MAX ? size : HEADER + length;
}

static void choose(struct ls_tls_end *end, const uint8_t *hello, size_t size)
{
    unsigned char name[256];
    unsigned int length = sizeof name - 1;

    if (wolfSSL_SNI_GetFromBuffer(hello, (unsigned int)size, WOLFSSL_SNI_HOST_NAME, name,
                                  &length) != WOLFSSL_SUCCESS) {
        return;
    }
    name[length] = '\0';
    if (strlen((const char *)name) != length) {
        return;
    }
    /* A certificate of just that name goes before one that fits by a star. */
    for (int star = 0; star < 2; star++) {
        for (const struct ls_tls_context *context = end->context; context != NULL;
             context = context->next) {
            if ((star == 0 ? names_hold : names_fit)(context->names, (const char *)name)) {
                end->context = context;
                return;
            }
        }
    }
}

bool sni_known(struct ls_tls_end *end, struct end_io *io)
{
    const uint8_t *data = io->data;
    size_t size = io->size, record;

    if (ls_bytes_size(&end->early) > 0) {
        if (ls_bytes_put(&end->early, io->data, io->size) != LS_OK) {
            end->no_memory = true;
            return false;
        }
        io->size = 0;
        data = ls_bytes_front(&end->early);
        size = ls_bytes_size(&end->early);
    }
    record = record_size(data, size);
    if (size > 0 && record > 0 && size >= record) {
        choose(end, data, record);
        return true;
    }
    if (io->size > 0 && ls_bytes_put(&end->early, io->data, io->size) != LS_OK) {
        end->no_memory = true;
    }
    io->size = 0;
    return false;
}
