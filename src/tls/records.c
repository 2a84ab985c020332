/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tls/records.h"

#include <string.h>

enum { CHANGE_CIPHER = 20, HANDSHAKE = 22, APPLICATION_DATA = 23 };
enum { CLIENT_HELLO = 1, SERVER_HELLO = 2, NEW_SESSION_TICKET = 4 };

/* RFC 8446, 4.1.3: a Server Hello with this random is a Hello Retry Request. */
static const uint8_t retry_random[32] = {
    0xcf, 0x21, 0xad, 0x74, 0xe5, 0x9a, 0x61, 0x11, 0xbe, 0x1d, 0x8c, 0x02, 0x1e, 0x65, 0xb8, 0x91,
    0xc2, 0xa2, 0x11, 0x16, 0x7a, 0xbb, 0x8c, 0x5e, 0x07, 0x9e, 0x09, 0xe2, 0xc8, 0xa8, 0x33, 0x9c,
};

/* A hello's message header, version and random. */
#define HELLO_MIN 38

static size_t payload_of(const uint8_t *header)
{
    return (size_t)header[3] << 8 | header[4];
}

static uint32_t message_size(const uint8_t *message)
{
    return (uint32_t)message[1] << 16 | (uint32_t)message[2] << 8 | message[3];
}

static void take_messages(struct records *r, const uint8_t *data, size_t size)
{
    bool first = r->left == r->payload;

    while (size > 0) {
        size_t part = 1;

        if (r->message_have < sizeof r->message) {
            r->message[r->message_have++] = *data;
            if (r->message_have == sizeof r->message) {
                r->message_left = message_size(r->message);
            }
        } else {
            part = size < r->message_left ? size : r->message_left;
            r->message_left -= (uint32_t)part;
        }
        if (r->message[0] == NEW_SESSION_TICKET) {
            r->tickets += (uint32_t)part + (first ? RECORD_HEADER : 0);
        }
        if (r->message_have == sizeof r->message && r->message_left == 0) {
            r->message_have = 0;
        }
        first = false;
        data += part;
        size -= part;
    }
}

static void begin_record(struct records *r)
{
    r->payload = r->left = (uint16_t)payload_of(r->header);
    r->sealed |= r->header[0] == CHANGE_CIPHER || r->header[0] == APPLICATION_DATA;
}

void records_take(struct records *r, const uint8_t *data, size_t size)
{
    while (size > 0) {
        size_t part = 1;

        if (r->have < RECORD_HEADER) {
            r->header[r->have++] = *data;
            if (r->have == RECORD_HEADER) {
                begin_record(r);
            }
        } else {
            part = size < r->left ? size : r->left;
            if (!r->sealed && r->header[0] == HANDSHAKE) {
                take_messages(r, data, part);
            }
            r->left = (uint16_t)(r->left - part);
        }
        if (r->have == RECORD_HEADER && r->left == 0) {
            r->have = 0;
            r->last = RECORD_HEADER + (uint32_t)r->payload;
            r->done += r->last;
        }
        data += part;
        size -= part;
    }
}

/* An encrypted Finished begins with any byte, but does not carry a length that fits as well. */
static bool is_hello(const uint8_t *record, size_t payload, uint8_t type)
{
    return record[0] == HANDSHAKE && payload >= HELLO_MIN && record[RECORD_HEADER] == type &&
           message_size(record + RECORD_HEADER) + 4 <= payload;
}

uint32_t records_client_hello(const uint8_t *data, size_t size, uint8_t *count)
{
    uint32_t bytes = 0;

    while (size >= RECORD_HEADER && payload_of(data) <= size - RECORD_HEADER) {
        const size_t whole = RECORD_HEADER + payload_of(data);

        if (is_hello(data, payload_of(data), CLIENT_HELLO)) {
            bytes += (uint32_t)whole;
            (*count)++;
        }
        data += whole;
        size -= whole;
    }
    return bytes;
}

bool records_hello_retry(const uint8_t *data, size_t size)
{
    while (size >= RECORD_HEADER && payload_of(data) <= size - RECORD_HEADER) {
        const size_t whole = RECORD_HEADER + payload_of(data);

        if (is_hello(data, payload_of(data), SERVER_HELLO) &&
            memcmp(data + RECORD_HEADER + 6, retry_random, sizeof retry_random) == 0) {
            return true;
        }
        data += whole;
        size -= whole;
    }
    return false;
}
