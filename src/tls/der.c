/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tls/der.h"

#include <stdlib.h>
#include <string.h>

/* A length in one, two or three bytes: what is longer than 64 KiB is no certificate. */
#define LENGTH_MAX 65535

void der_raw(struct der *der, const void *bytes, size_t size)
{
    if (der->full || size > der->size - der->used) {
        der->full = true;
        return;
    }
    if (size > 0) {
        memcpy(der->bytes + der->used, bytes, size);
    }
    der->used += size;
}

size_t der_open(struct der *der, unsigned char tag)
{
    der_raw(der, &tag, 1);
    return der->used;
}

void der_close(struct der *der, size_t mark)
{
    const size_t length = der->used - mark;
    unsigned char head[3];
    size_t size = 0;

    if (length > LENGTH_MAX) {
        der->full = true;
        return;
    }
    if (length > 255) {
        head[size++] = 0x82;
        head[size++] = (unsigned char)(length >> 8);
    } else if (length > 127) {
        head[size++] = 0x81;
    }
    head[size++] = (unsigned char)length;
    der_raw(der, head, size); /* makes room, if there is any */
    if (!der->full) {
        memmove(der->bytes + mark + size, der->bytes + mark, length);
        memcpy(der->bytes + mark, head, size);
    }
}

void der_put(struct der *der, unsigned char tag, const void *value, size_t size)
{
    const size_t mark = der_open(der, tag);

    der_raw(der, value, size);
    der_close(der, mark);
}

void der_text(struct der *der, unsigned char tag, const char *text)
{
    der_put(der, tag, text, strlen(text));
}

/* Seven bits a byte, the highest bit on all but the last. */
static void put_arc(struct der *der, unsigned long arc)
{
    unsigned char bytes[4];
    size_t at = sizeof bytes;

    do {
        at--;
        bytes[at] = (unsigned char)((arc & 0x7f) | (at == sizeof bytes - 1 ? 0U : 0x80U));
        arc >>= 7;
    } while (arc > 0 && at > 0);
    der_raw(der, bytes + at, sizeof bytes - at);
}

void der_oid(struct der *der, const char *dotted)
{
    const size_t mark = der_open(der, DER_OID);
    char *end;
    const unsigned long first = strtoul(dotted, &end, 10);

    put_arc(der, first * 40 + (*end == '.' ? strtoul(end + 1, &end, 10) : 0));
    while (*end == '.') {
        put_arc(der, strtoul(end + 1, &end, 10));
    }
    der_close(der, mark);
}

size_t der_read(const unsigned char *bytes, size_t size, unsigned char *tag,
                const unsigned char **value, size_t *value_size)
{
    size_t at = 2, length;

    if (size < 2) {
        return 0;
    }
    length = bytes[1];
    if (length > 127) {
        const size_t count = length - 128;

        if (count == 0 || count > 3 || size - 2 < count) {
            return 0;
        }
        length = 0;
        for (size_t i = 0; i < count; i++) {
            length = length << 8 | bytes[at++];
        }
    }
    if (length > size - at) {
        return 0;
    }
    *tag = bytes[0];
    *value = bytes + at;
    *value_size = length;
    return at + length;
}
