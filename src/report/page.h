/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LS_REPORT_PAGE_H
#define LS_REPORT_PAGE_H

/*
 * Text for a terminal, or for an HTML page: private to this room. Names come from files, so nothing of theirs reaches
 * the terminal but what can be seen: no escape sequence, no control character, no change of
 * direction.
 */

#include "loginstorm/report.h"

enum colour { PLAIN, RED, YELLOW };

/* What is written to, and whether all of it went well so far. */
struct page {
    FILE *out;
    const struct ls_report_look *look;
    bool no_memory;
    bool html; /* the same words and tables as parts of an HTML page */
};

/* Returns what became of the page. */
LS_MUST_CHECK
enum ls_code page_finish(struct page *page, struct ls_error *err);

/* A paragraph, wrapped at the page's width; lines after the first begin `indent` blanks in. In HTML a
 * <p>. */
void page_put(struct page *page, enum colour colour, size_t indent, const char *fmt, ...)
    LS_PRINTF(4, 5);

void page_colour(struct page *page, enum colour colour);

/* text as it may be shown, on the heap: hidden and broken characters as '?'; without utf8 all is
 * ASCII. NULL when there is no memory. */
char *clean_text(const char *text, bool utf8);

/* The bytes of text's first character, and which it is; one byte and 0xFFFD when it is not UTF-8. text is
 * not empty. */
size_t text_decode(const char *text, uint32_t *code);

/* Columns that clean text takes. */
size_t text_width(const char *text);

/* The longest beginning of clean text, in bytes, of at most so many columns. */
size_t text_fit(const char *text, size_t columns);

/* Cuts clean text down to so many columns (at least 1), the last of them a mark when something is
 * gone. Returns its width then. */
size_t text_cut(char *text, size_t columns, bool utf8);

#endif
