/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_CURVE_CLEAN_H
#define LOGINSTORM_CURVE_CLEAN_H

/*
 * The bytes of an XML log -> UTF-8 that a parser of XML takes, in pieces of any size:
 *
 * - UTF-16 by its mark, or by its first '<', as Windows writes it.
 * - A byte that is no UTF-8 is a character of Latin-1: a console's code page, in which wevtutil writes
 *   into a file. A name is then another one, but the same each time.
 * - Characters that XML has not (NULs of a log that was cut while it was written to): '?'.
 * - Marks of the order of bytes are left out, and "<?xml", which a log that was appended to has in its
 *   midst, becomes "<?yml", which nobody heeds.
 */

#include <stddef.h>

#define CLEAN_ROOM ((size_t)16) /* the least that there must be for what is given */

enum clean_kind { CLEAN_UNKNOWN, CLEAN_BYTES, CLEAN_LITTLE, CLEAN_BIG };

struct clean {
    enum clean_kind kind;
    unsigned char held[4]; /* of a character whose end has not come yet */
    size_t held_size;
    char before[2]; /* what was given last */
};

/* Takes from *bytes what goes into room; how much was given, which may be nothing. */
size_t clean_take(struct clean *clean, const char **bytes, size_t *size, char *out, size_t room);

/* What is left of a log that ends amid a character; room as above. */
size_t clean_end(struct clean *clean, char *out);

#endif
