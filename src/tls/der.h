/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TLS_DER_H
#define TLS_DER_H

/*
 * DER, as certificates are written in: appended to memory of the caller's, an open element's length put in when it is
 * closed. What does not fit is remembered, and der_close and der_put do nothing from then on.
 */

#include <stdbool.h>
#include <stddef.h>

#define DER_BOOLEAN 0x01
#define DER_INTEGER 0x02
#define DER_BITS 0x03
#define DER_OCTETS 0x04
#define DER_OID 0x06
#define DER_UTF8 0x0c
#define DER_PRINTABLE 0x13
#define DER_IA5 0x16
#define DER_UTC_TIME 0x17
#define DER_GENERALIZED_TIME 0x18
#define DER_BMP 0x1e
#define DER_SEQUENCE 0x30
#define DER_SET 0x31
/* [n] of a context: with a value of its own, or around others. */
#define DER_CONTEXT(n) (0x80 + (n))
#define DER_WRAP(n) (0xa0 + (n))

struct der {
    unsigned char *bytes;
    size_t size, used;
    bool full; /* something did not fit */
};

/* Begins an element; what is put until der_close, with the returned mark, is its value. */
size_t der_open(struct der *der, unsigned char tag);
void der_close(struct der *der, size_t mark);

/* Bytes that are DER already. */
void der_raw(struct der *der, const void *bytes, size_t size);

/* A whole element. */
void der_put(struct der *der, unsigned char tag, const void *value, size_t size);
void der_text(struct der *der, unsigned char tag, const char *text);

/* "2.5.29.15"; a number of it below 2^28. */
void der_oid(struct der *der, const char *dotted);

/* The element at `bytes`: its value, and how long it is in all; 0 for what is none. */
size_t der_read(const unsigned char *bytes, size_t size, unsigned char *tag,
                const unsigned char **value, size_t *value_size);

#endif
