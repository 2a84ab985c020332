/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/html.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "report/assets.h"

void html_raw(struct page *page, const char *html)
{
    (void)fputs(html, page->out);
}

static void put_escaped(struct page *page, const char *clean)
{
    for (const char *c = clean; *c != '\0'; c++) {
        switch (*c) {
        case '&':
            html_raw(page, "&amp;");
            break;
        case '<':
            html_raw(page, "&lt;");
            break;
        case '>':
            html_raw(page, "&gt;");
            break;
        case '"':
            html_raw(page, "&quot;");
            break;
        case '\'':
            html_raw(page, "&#39;");
            break;
        default:
            (void)fputc(*c, page->out);
        }
    }
}

void html_text(struct page *page, const char *text)
{
    char *clean = clean_text(text, true);

    if (clean == NULL) {
        page->no_memory = true;
        return;
    }
    put_escaped(page, clean);
    free(clean);
}

static void LS_PRINTF(2, 0) put_formatted(struct page *page, const char *fmt, va_list args)
{
    char *text;

    if (vasprintf(&text, fmt, args) < 0) {
        page->no_memory = true;
        return;
    }
    html_text(page, text);
    free(text);
}

void html_put(struct page *page, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    put_formatted(page, fmt, args);
    va_end(args);
}

void html_cell(struct page *page, const char *fmt, ...)
{
    va_list args;

    html_raw(page, "<td>");
    va_start(args, fmt);
    put_formatted(page, fmt, args);
    va_end(args);
    html_raw(page, "</td>");
}

void json_text(struct page *page, const char *text)
{
    char *clean = clean_text(text, true);

    if (clean == NULL) {
        page->no_memory = true;
        return;
    }
    (void)fputc('"', page->out);
    for (const char *c = clean; *c != '\0'; c++) {
        if (*c == '"' || *c == '\\') {
            (void)fputc('\\', page->out);
        }
        if (*c == '<' || *c == '>' || *c == '&') {
            (void)fprintf(page->out, "\\u%04x", (unsigned)*c);
        } else {
            (void)fputc(*c, page->out);
        }
    }
    (void)fputc('"', page->out);
    free(clean);
}

void html_hash(const unsigned char sha256[32], char *out, size_t size)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char text[45];
    size_t used = 0;

    for (size_t i = 0; i < 32; i += 3) {
        const unsigned one = sha256[i], two = i + 1 < 32 ? sha256[i + 1] : 0,
                       three = i + 2 < 32 ? sha256[i + 2] : 0;
        const unsigned bits = one << 16 | two << 8 | three;

        text[used++] = digits[bits >> 18];
        text[used++] = digits[bits >> 12 & 63];
        text[used++] = i + 1 < 32 ? digits[bits >> 6 & 63] : '=';
        text[used++] = i + 2 < 32 ? digits[bits & 63] : '=';
    }
    text[used] = '\0';
    (void)snprintf(out, size, "sha256-%s", text);
}

static void put_hashes(struct page *page, const struct asset *one, const struct asset *other)
{
    char hash[64];

    html_hash(one->sha256, hash, sizeof hash);
    (void)fprintf(page->out, " '%s'", hash);
    html_hash(other->sha256, hash, sizeof hash);
    (void)fprintf(page->out, " '%s'", hash);
}

static void put_asset(struct page *page, const char *tag, const struct asset *asset)
{
    (void)fprintf(page->out, "<%s>", tag);
    (void)fwrite(asset->bytes, 1, asset->size, page->out);
    (void)fprintf(page->out, "</%s>\n", tag);
}

void html_policy(struct page *page, bool live)
{
    html_raw(page, "default-src 'none'; base-uri 'none'; form-action 'none'; script-src");
    put_hashes(page, &asset_dygraph_js, &asset_page_js);
    html_raw(page, "; style-src");
    put_hashes(page, &asset_dygraph_css, &asset_page_css);
    html_raw(page, live ? "; connect-src 'self'" : "");
}

void html_begin(struct page *page, const char *title, const char *stream)
{
    html_raw(page, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                   "<meta http-equiv=\"Content-Security-Policy\" content=\"");
    html_policy(page, stream != NULL);
    html_raw(page, "\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                   "<meta name=\"color-scheme\" content=\"light dark\">\n"
                   "<meta name=\"referrer\" content=\"no-referrer\">\n"
                   "<meta name=\"generator\" content=\"loginstorm " LS_VERSION "\">\n<title>");
    html_text(page, title);
    html_raw(page, "</title>\n");
    put_asset(page, "style", &asset_dygraph_css);
    put_asset(page, "style", &asset_page_css);
    html_raw(page, "</head>\n<body>\n<header>\n<h1>");
    html_text(page, title);
    html_raw(page, "</h1>\n");
}

void html_data_begin(struct page *page)
{
    html_raw(page, "<script type=\"application/json\" id=\"data\">");
}

void html_data_end(struct page *page)
{
    html_raw(page, "</script>\n");
}

void html_end(struct page *page, bool live)
{
    html_raw(page, "<footer><p>loginstorm " LS_VERSION " · pictures by dygraphs (MIT licence) · ");
    html_raw(page, live ? "this page asks the storm that it shows, and nobody else</p></footer>\n"
                        : "this page is one file and asks no server for anything</p></footer>\n");
    put_asset(page, "script", &asset_dygraph_js);
    put_asset(page, "script", &asset_page_js);
    html_raw(page, "</body>\n</html>\n");
}

void html_section(struct page *page, const char *id, const char *heading)
{
    (void)fprintf(page->out, "<section id=\"%s\" aria-labelledby=\"h-%s\">\n<h2 id=\"h-%s\">", id,
                  id, id);
    html_text(page, heading);
    html_raw(page, "</h2>\n");
}

void html_section_end(struct page *page)
{
    html_raw(page, "</section>\n");
}

void html_picture(struct page *page, const char *kind, int run, const char *heading,
                  const char *caption)
{
    (void)fprintf(page->out, "<figure class=\"picture\" data-picture=\"%s\" data-run=\"%d\">\n<h3>",
                  kind, run);
    html_text(page, heading);
    html_raw(page, "</h3>\n<div class=\"plot\" role=\"img\" aria-label=\"Picture: ");
    html_text(page, heading);
    html_raw(page, ". Its figures are in the table behind it.\"></div>\n<ul class=\"legend\" "
                   "hidden></ul>\n<figcaption>");
    html_text(page, caption);
    html_raw(page, "</figcaption>\n<details><summary>The same as a table<span class=\"unseen\">: ");
    html_text(page, heading);
    html_raw(page, "</span></summary>\n");
}

void html_picture_end(struct page *page)
{
    html_raw(page, "</details>\n</figure>\n");
}

void html_paragraph(struct page *page, enum colour colour, const char *text)
{
    static const char *const classes[] = {"<p>", "<p class=\"bad\">", "<p class=\"care\">"};

    html_raw(page, classes[colour]);
    put_escaped(page, text + strspn(text, " "));
    html_raw(page, "</p>\n");
}

void html_scroll(struct page *page, const char *label)
{
    html_raw(page, "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"");
    html_text(page, label);
    html_raw(page, "\">\n");
}

void html_scroll_end(struct page *page)
{
    html_raw(page, "</div>\n");
}

static void put_head(struct page *page, const struct table *table)
{
    html_raw(page, "<thead><tr>");
    if (table->title[0] != '\0') {
        html_raw(page, "<th scope=\"col\">");
        html_text(page, table->title);
        html_raw(page, "</th>");
    } else {
        html_raw(page, "<td></td>");
    }
    for (size_t i = 0; i < table->columns; i++) {
        html_raw(page, "<th scope=\"col\">");
        html_text(page, table->column[i].heading.wide);
        html_raw(page, "</th>");
    }
    html_raw(page, "</tr></thead>\n<tbody>\n");
}

void html_table(struct page *page, const struct table *table)
{
    static const char *const classes[] = {"<td>", "<td class=\"bad\">", "<td class=\"care\">"};

    html_scroll(page, table->title[0] != '\0' ? table->title : "figures");
    html_raw(page, "<table>\n");
    put_head(page, table);
    for (size_t row = 0; row < table->rows; row++) {
        html_raw(page, "<tr><th scope=\"row\">");
        html_text(page, table->names[row]);
        html_raw(page, "</th>");
        for (size_t i = 0; i < table->columns; i++) {
            const struct cell *cell = &table->column[i].cells[row];

            html_raw(page, classes[cell->colour]);
            html_text(page, cell->text);
            html_raw(page, "</td>");
        }
        html_raw(page, "</tr>\n");
    }
    html_raw(page, "</tbody>\n</table>\n");
    html_scroll_end(page);
}
