/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenario/text.h"

#include <stdint.h>
#include <string.h>

/* The length of the UTF-8 sequence at s and its code point; 0 when it is not UTF-8. */
static size_t decode(const unsigned char *s, size_t left, uint32_t *point)
{
    static const uint32_t least[5] = {0, 0, 0x80, 0x800, 0x10000};
    size_t length;

    if (s[0] < 0x80) {
        *point = s[0];
        return 1;
    }
    length = (s[0] & 0xe0) == 0xc0 ? 2 : (s[0] & 0xf0) == 0xe0 ? 3 : (s[0] & 0xf8) == 0xf0 ? 4 : 0;
    if (length == 0 || length > left) {
        return 0;
    }
    *point = s[0] & (0x7fU >> length);
    for (size_t i = 1; i < length; i++) {
        if ((s[i] & 0xc0) != 0x80) {
            return 0;
        }
        *point = *point << 6 | (s[i] & 0x3fU);
    }
    if (*point < least[length] || *point > 0x10ffff || (*point >= 0xd800 && *point <= 0xdfff)) {
        return 0;
    }
    return length;
}

static bool is_control(uint32_t point)
{
    return (point < 0x20 && point != '\t' && point != '\n' && point != '\r') ||
           (point >= 0x7f && point < 0xa0 && point != 0x85) || point == 0xfffe || point == 0xffff;
}

static bool is_utf16(const unsigned char *s, size_t size)
{
    return size >= 2 && ((s[0] == 0xff && s[1] == 0xfe) || (s[0] == 0xfe && s[1] == 0xff));
}

bool ls_text_check(struct ls_reading *reading, const char *text, size_t size, const char *origin,
                   size_t *skip)
{
    const unsigned char *s = (const unsigned char *)text;
    struct ls_place place = {origin, origin == NULL ? 1 : 0, origin == NULL ? 1 : 0};
    size_t at = size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;

    *skip = at;
    if (is_utf16(s, size)) {
        ls_complain(reading, place, "the file is UTF-16; save it as UTF-8");
        return false;
    }
    while (at < size) {
        uint32_t point = 0;
        const size_t length = decode(s + at, size - at, &point);

        if (length == 0) {
            ls_complain(reading, place, "the byte 0x%02x is not UTF-8; save the file as UTF-8",
                        (unsigned)s[at]);
            return false;
        }
        if (is_control(point)) {
            ls_complain(reading, place, "a control character (U+%04X) does not belong here",
                        (unsigned)point);
            return false;
        }
        at += length;
        if (origin == NULL && point == '\n') {
            place.line++;
            place.column = 1;
        } else if (origin == NULL) {
            place.column++;
        }
    }
    return true;
}
