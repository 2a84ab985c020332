/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "curve/clean.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define MARK 0xfeffU
#define UNKNOWN 0xfffdU

static bool is_high(uint32_t c)
{
    return c >= 0xd800 && c < 0xdc00;
}

static bool is_low(uint32_t c)
{
    return c >= 0xdc00 && c < 0xe000;
}

/* How many bytes of it are a character; 0: more must come. */
static size_t of_utf16(const unsigned char *at, size_t size, bool little, uint32_t *c)
{
    uint32_t next;

    if (size < 2) {
        return 0;
    }
    *c = little ? at[0] | (uint32_t)at[1] << 8 : at[1] | (uint32_t)at[0] << 8;
    if (!is_high(*c)) {
        *c = is_low(*c) ? UNKNOWN : *c;
        return 2;
    }
    if (size < 4) {
        return 0;
    }
    next = little ? at[2] | (uint32_t)at[3] << 8 : at[3] | (uint32_t)at[2] << 8;
    if (!is_low(next)) {
        *c = UNKNOWN;
        return 2;
    }
    *c = 0x10000 + ((*c - 0xd800) << 10) + (next - 0xdc00);
    return 4;
}

static size_t of_utf8(const unsigned char *at, size_t size, uint32_t *c)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const size_t length = at[0] < 0x80   ? 1
                          : at[0] < 0xc2 ? 0
                          : at[0] < 0xe0 ? 2
                          : at[0] < 0xf0 ? 3
                          : at[0] < 0xf5 ? 4
                                         : 0;

    *c = at[0];
    if (length <= 1) {
        return 1;
    }
    *c &= 0x7fU >> length;
    for (size_t i = 1; i < length; i++) {
        if (i == size) {
            return 0;
        }
        if ((at[i] & 0xc0) != 0x80) {
            *c = at[0];
            return 1;
        }
        *c = *c << 6 | (at[i] & 0x3fU);
    }
    if (*c < least[length] || is_high(*c) || is_low(*c) || *c > 0x10ffff) {
        *c = at[0];
        return 1;
    }
    return length;
}

/* A character in UTF-8, or nothing for a mark. */
static size_t put(struct clean *clean, uint32_t c, char *out)
{
    if (c == MARK) {
        return 0;
    }
    if ((c < 0x20 && c != '\n' && c != '\r' && c != '\t') || c == 0xfffe || c == 0xffff) {
        c = '?';
    }
    if ((c == 'x' || c == 'X') && memcmp(clean->before, "<?", 2) == 0) {
        c = 'y';
    }
    clean->before[0] = clean->before[1];
    clean->before[1] = c < 0x80 ? (char)c : '\0';
    if (c < 0x80) {
        out[0] = (char)c;
        return 1;
    }
    if (c < 0x800) {
        out[0] = (char)(0xc0 | c >> 6);
        out[1] = (char)(0x80 | (c & 0x3f));
        return 2;
    }
    if (c < 0x10000) {
        out[0] = (char)(0xe0 | c >> 12);
        out[1] = (char)(0x80 | (c >> 6 & 0x3f));
        out[2] = (char)(0x80 | (c & 0x3f));
        return 3;
    }
    out[0] = (char)(0xf0 | c >> 18);
    out[1] = (char)(0x80 | (c >> 12 & 0x3f));
    out[2] = (char)(0x80 | (c >> 6 & 0x3f));
    out[3] = (char)(0x80 | (c & 0x3f));
    return 4;
}

static enum clean_kind kind_of(const unsigned char first[2])
{
    if ((first[0] == 0xff && first[1] == 0xfe) || (first[0] == '<' && first[1] == 0)) {
        return CLEAN_LITTLE;
    }
    if ((first[0] == 0xfe && first[1] == 0xff) || (first[0] == 0 && first[1] == '<')) {
        return CLEAN_BIG;
    }
    return CLEAN_BYTES;
}

/* Of what is held, the characters that are whole. */
static size_t give_held(struct clean *clean, char *out)
{
    size_t given = 0;

    if (clean->kind == CLEAN_UNKNOWN) {
        if (clean->held_size < 2) {
            return 0;
        }
        clean->kind = kind_of(clean->held);
    }
    while (clean->held_size > 0) {
        uint32_t c = 0;
        const size_t taken = clean->kind == CLEAN_BYTES ? of_utf8(clean->held, clean->held_size, &c)
                                                        : of_utf16(clean->held, clean->held_size,
                                                                   clean->kind == CLEAN_LITTLE, &c);

        if (taken == 0) {
            break;
        }
        clean->held_size -= taken;
        memmove(clean->held, clean->held + taken, clean->held_size);
        given += put(clean, c, out + given);
    }
    return given;
}

/* Characters of ASCII that stay as they are, which is nearly all of them. */
static size_t copy_plain(struct clean *clean, const char **bytes, size_t *size, char *out,
                         size_t room)
{
    const size_t most = *size < room ? *size : room;
    const char *at = *bytes;
    char first = clean->before[0];
    char second = clean->before[1];
    size_t i = 0;

    for (; i < most; i++) {
        const unsigned char c = (unsigned char)at[i];

        if (c >= 0x80 || (c < 0x20 && c != '\n' && c != '\r' && c != '\t')) {
            break;
        }
        out[i] = second == '?' && first == '<' && (c | 32) == 'x' ? 'y' : (char)c;
        first = second;
        second = out[i];
    }
    clean->before[0] = first;
    clean->before[1] = second;
    *bytes += i;
    *size -= i;
    return i;
}

size_t clean_take(struct clean *clean, const char **bytes, size_t *size, char *out, size_t room)
{
    size_t given = 0;

    while (*size > 0 && room - given >= CLEAN_ROOM) {
        if (clean->kind == CLEAN_BYTES && clean->held_size == 0) {
            given += copy_plain(clean, bytes, size, out + given, room - given);
            if (*size == 0 || room - given < CLEAN_ROOM) {
                break;
            }
        }
        clean->held[clean->held_size++] = (unsigned char)*(*bytes)++;
        (*size)--;
        given += give_held(clean, out + given);
    }
    return given;
}

size_t clean_end(struct clean *clean, char *out)
{
    const size_t given = clean->held_size > 0 ? put(clean, '?', out) : 0;

    clean->held_size = 0;
    return given;
}
