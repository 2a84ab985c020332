/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/page.h"

#include "report/html.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

size_t text_decode(const char *text, uint32_t *code)
{
    const unsigned char *c = (const unsigned char *)text;
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const size_t length = c[0] < 0x80             ? 1
                          : (c[0] & 0xe0) == 0xc0 ? 2
                          : (c[0] & 0xf0) == 0xe0 ? 3
                          : (c[0] & 0xf8) == 0xf0 ? 4
                                                  : 0;

    *code = 0xfffd;
    if (length <= 1) {
        *code = length == 1 ? c[0] : 0xfffd;
        return 1;
    }
    *code = c[0] & (0x7fU >> length);
    for (size_t i = 1; i < length; i++) {
        if ((c[i] & 0xc0) != 0x80) {
            *code = 0xfffd;
            return 1;
        }
        *code = *code << 6 | (c[i] & 0x3f);
    }
    if (*code < least[length] || *code > 0x10ffff || (*code >= 0xd800 && *code <= 0xdfff)) {
        *code = 0xfffd;
        return 1;
    }
    return length;
}

struct range {
    uint32_t first, last;
};

static bool is_in(const struct range *ranges, size_t count, uint32_t code)
{
    for (size_t i = 0; i < count; i++) {
        if (code >= ranges[i].first && code <= ranges[i].last) {
            return true;
        }
    }
    return false;
}

/* Controls, line and paragraph separators, marks and overrides of direction, broken characters. */
static bool is_hidden(uint32_t code)
{
    static const struct range ranges[] = {{0x00, 0x1f},     {0x7f, 0x9f},     {0x61c, 0x61c},
                                          {0x200b, 0x200f}, {0x2028, 0x202e}, {0x2060, 0x206f},
                                          {0xfeff, 0xfeff}, {0xfff9, 0xffff}, {0xe0000, 0xe0fff}};

    return is_in(ranges, sizeof ranges / sizeof ranges[0], code);
}

static size_t code_width(uint32_t code)
{
    static const struct range none[] = {
        {0x300, 0x36f},   {0x483, 0x489},   {0x591, 0x5bd},   {0x610, 0x61a},   {0x64b, 0x65f},
        {0x1ab0, 0x1aff}, {0x1dc0, 0x1dff}, {0x20d0, 0x20ff}, {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f}};
    static const struct range two[] = {{0x1100, 0x115f},   {0x2e80, 0x303e},   {0x3041, 0xa4cf},
                                       {0xa960, 0xa97f},   {0xac00, 0xd7a3},   {0xf900, 0xfaff},
                                       {0xfe30, 0xfe6f},   {0xff00, 0xff60},   {0xffe0, 0xffe6},
                                       {0x1f300, 0x1f64f}, {0x1f680, 0x1f6ff}, {0x1f900, 0x1faff},
                                       {0x20000, 0x3fffd}};

    if (is_in(none, sizeof none / sizeof none[0], code)) {
        return 0;
    }
    return is_in(two, sizeof two / sizeof two[0], code) ? 2 : 1;
}

/* What our own text uses beyond ASCII; anything else is '?'. */
static char ascii_for(uint32_t code)
{
    switch (code) {
    case 0xb5: /* µ */
    case 0x3bc:
        return 'u';
    case 0xb7: /* · */
        return '|';
    case 0xd7: /* × */
        return 'x';
    case 0x2013: /* – */
    case 0x2014:
        return '-';
    case 0x2018:
    case 0x2019:
        return '\'';
    case 0x201c:
    case 0x201d:
        return '"';
    default:
        return (char)(code < 0x80 ? code : (uint32_t)'?');
    }
}

char *clean_text(const char *text, bool utf8)
{
    char *clean = malloc(strlen(text) + 1);
    size_t used = 0;

    if (clean == NULL) {
        return NULL;
    }
    while (*text != '\0') {
        uint32_t code;
        const size_t length = text_decode(text, &code);

        if (is_hidden(code)) {
            clean[used++] = '?';
        } else if (utf8) {
            memcpy(clean + used, text, length);
            used += length;
        } else {
            clean[used++] = ascii_for(code);
        }
        text += length;
    }
    clean[used] = '\0';
    return clean;
}

size_t text_fit(const char *text, size_t columns)
{
    size_t used = 0;

    while (text[used] != '\0') {
        uint32_t code;
        const size_t length = text_decode(text + used, &code);
        const size_t width = code_width(code);

        if (width > columns) {
            break;
        }
        columns -= width;
        used += length;
    }
    return used;
}

size_t text_width(const char *text)
{
    size_t width = 0;

    while (*text != '\0') {
        uint32_t code;

        text += text_decode(text, &code);
        width += code_width(code);
    }
    return width;
}

size_t text_cut(char *text, size_t columns, bool utf8)
{
    const char *mark = utf8 ? "…" : "~";
    size_t length, keep;

    if (text_width(text) <= columns) {
        return text_width(text);
    }
    length = strlen(text);
    keep = text_fit(text, columns - 1);
    if (length - keep < strlen(mark)) {
        mark = "~"; /* the wider mark would not fit where the text was */
    }
    (void)snprintf(text + keep, length - keep + 1, "%s", mark);
    return text_width(text);
}

void page_colour(struct page *page, enum colour colour)
{
    static const char *const codes[] = {"\x1b[0m", "\x1b[31m", "\x1b[33m"};

    if (page->look->colour) {
        (void)fputs(codes[colour], page->out);
    }
}

static size_t columns_of(const struct page *page)
{
    return page->look->columns > 20 ? (size_t)page->look->columns : 20;
}

/* Bytes of the first line: up to the last blank that fits, or as much of a long word as does. */
static size_t line_end(const char *text, size_t columns)
{
    const size_t fit = text_fit(text, columns);
    size_t end = fit;

    if (text[fit] != '\0' && text[fit] != ' ') {
        while (end > 0 && text[end - 1] != ' ') {
            end--;
        }
    }
    while (end > 0 && text[end - 1] == ' ') {
        end--;
    }
    return end > 0 ? end : fit > 0 ? fit : strlen(text);
}

void page_put(struct page *page, enum colour colour, size_t indent, const char *fmt, ...)
{
    char *raw = NULL, *clean = NULL;
    const char *text;
    size_t before = 0;
    va_list args;

    va_start(args, fmt);
    if (vasprintf(&raw, fmt, args) < 0) {
        raw = NULL;
    }
    va_end(args);
    clean = raw == NULL ? NULL : clean_text(raw, page->look->utf8);
    free(raw);
    if (clean == NULL) {
        page->no_memory = true;
        return;
    }
    if (page->html) {
        html_paragraph(page, colour, clean);
        free(clean);
        return;
    }
    text = clean;
    do {
        const size_t end = line_end(text, columns_of(page) - before);

        (void)fprintf(page->out, "%*s", (int)before, "");
        if (colour != PLAIN) {
            page_colour(page, colour);
        }
        (void)fwrite(text, 1, end, page->out);
        if (colour != PLAIN) {
            page_colour(page, PLAIN);
        }
        (void)fputc('\n', page->out);
        text += end;
        text += strspn(text, " ");
        before = indent;
    } while (*text != '\0');
    free(clean);
}

enum ls_code page_finish(struct page *page, struct ls_error *err)
{
    if (page->no_memory) {
        return ls_error_set(err, LS_ENOMEM, "no memory for the report");
    }
    if (fflush(page->out) != 0 || ferror(page->out) != 0) {
        return ls_error_set_errno(err, LS_EWRITE, "cannot write the report");
    }
    return LS_OK;
}
