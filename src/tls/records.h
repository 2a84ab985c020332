/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TLS_RECORDS_H
#define TLS_RECORDS_H

/*
 * Counts the bytes of TLS records as they pass, whatever parts they come in:
 *
 *     socket -> wire -> endpoint -> [records] -> library
 *
 * A record is a header of 5 bytes (type, version, length) and that many bytes. What handshake
 * messages it carries can be read until its side changes to encryption.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RECORD_HEADER 5

/* Zeroed at the start. The counts wrap round at 4 GiB. */
struct records {
    uint32_t done; /* bytes of whole records, headers too */
    uint32_t last; /* of the last whole one */
    /* Of NewSessionTicket messages that are not encrypted (TLS 1.2); a record's header goes with
     * its first message. */
    uint32_t tickets;
    uint32_t message_left;
    uint16_t payload, left;
    uint8_t header[RECORD_HEADER], have;
    uint8_t message[4], message_have;
    bool sealed; /* encrypted from here on */
};

void records_take(struct records *records, const uint8_t *data, size_t size);

/* The bytes of those of the whole records in data that are a plain Client Hello; their number is
 * added to *count. */
uint32_t records_client_hello(const uint8_t *data, size_t size, uint8_t *count);

/* Whether one of the whole records in data is a Hello Retry Request. */
bool records_hello_retry(const uint8_t *data, size_t size);

#endif
