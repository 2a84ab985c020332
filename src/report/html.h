/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LS_REPORT_HTML_H
#define LS_REPORT_HTML_H

/*
 * HTML: private to this room. A page that is one file: scripts and styles are in it, a content security policy in its head lets
 * nothing else run and no request leave it, and whatever came from a file is escaped on its way in.
 *
 * Where the text report has words and tables already, the page has the same ones: page_put and table_put write HTML to a page
 * whose `html` is set.
 */

#include "report/table.h"

/* text as a reader sees it, with nothing in it that HTML would take for its own; control characters and changes of direction as
 * '?', as everywhere. */
void html_text(struct page *page, const char *text);

/* The same of a formatted text. */
void html_put(struct page *page, const char *fmt, ...) LS_PRINTF(2, 3);

/* Our own HTML, as it is. */
void html_raw(struct page *page, const char *html);

/* text as a string of JSON, with its quotes, that can stand in a <script>: no '<', no line separators. */
void json_text(struct page *page, const char *text);

/* What the page may do, as a content security policy has it; a live one may ask its own server. */
void html_policy(struct page *page, bool live);

/* The head with policy, styles and title, up to <main>; stream is where a live page listens for events, on its own server; NULL:
 * a page that asks nobody. */
void html_begin(struct page *page, const char *title, const char *stream);

/* <script type="application/json"> around what is written between the two. */
void html_data_begin(struct page *page);
void html_data_end(struct page *page);

/* From </main> to the end, scripts included. */
void html_end(struct page *page, bool live);

/* <section> with a heading; id is ours. */
void html_section(struct page *page, const char *id, const char *heading);
void html_section_end(struct page *page);

/* A picture that page.js draws from the data: kind says which, run is of which certificate (negative: of all). What stands behind it
 * follows, as <details>, up to html_picture_end. */
void html_picture(struct page *page, const char *kind, int run, const char *heading,
                  const char *caption);
void html_picture_end(struct page *page);

/* What page_put and table_put write to such a page. text is clean. */
void html_paragraph(struct page *page, enum colour colour, const char *text);
void html_table(struct page *page, const struct table *table);

/* A cell of a table that is not built as a struct table. */
void html_cell(struct page *page, const char *fmt, ...) LS_PRINTF(2, 3);

/* Opens a table whose columns are too many for the page: it scrolls by itself, by keyboard too. label is clean or ours. */
void html_scroll(struct page *page, const char *label);
void html_scroll_end(struct page *page);

/* "sha256-..." as a policy names it. size >= 52 */
void html_hash(const unsigned char sha256[32], char *out, size_t size);

#endif
