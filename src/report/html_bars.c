/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bars, drawn by the page's own numbers: they need no script. */
#include <math.h>

#include "report/html_parts.h"
#include "report/lines.h"

/* A bar of share 0 to 1 in one of the page's colours, behind it the words that are its value. */
static void put_bar(struct page *page, double share, size_t colour)
{
    (void)fprintf(page->out,
                  "<td class=\"bar\"><svg aria-hidden=\"true\" width=\"100%%\" height=\"14\"><rect "
                  "class=\"c%zu\" width=\"%.2f%%\" height=\"14\"/></svg></td>",
                  colour % 6, fmax(0, fmin(share, 1)) * 100);
}

static void row_begin(struct page *page, const char *certificate)
{
    html_raw(page, "<tr><th scope=\"row\">");
    html_text(page, certificate);
    html_raw(page, "</th>");
}

static int64_t most_failed(const struct ls_result *result)
{
    int64_t most = 0;

    for (size_t i = 0; i < result->runs_count; i++) {
        for (unsigned r = 0; r < LS_REASON_COUNT; r++) {
            most = result->runs[i].by_reason[r] > most ? result->runs[i].by_reason[r] : most;
        }
    }
    return most;
}

void html_failure_bars(struct page *page, const struct ls_result *result)
{
    const int64_t most = most_failed(result);

    if (most == 0) {
        return;
    }
    html_scroll(page, "Failures by reason");
    html_raw(page,
             "<table class=\"bars\">\n<caption>Users who did not get in, by reason</caption>\n"
             "<thead><tr><th scope=\"col\">certificate</th><th scope=\"col\">reason</th><th "
             "scope=\"col\">users</th><td></td></tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < result->runs_count; i++) {
        for (unsigned r = 0; r < LS_REASON_COUNT; r++) {
            const int64_t count = result->runs[i].by_reason[r];
            char words[32];

            if (count <= 0) {
                continue;
            }
            row_begin(page, result->runs[i].certificate);
            html_cell(page, "%s", ls_reason_text((enum ls_reason)r));
            ls_format_count(count, words, sizeof words);
            html_cell(page, "%s", words);
            put_bar(page, (double)count / (double)most, 1);
            html_raw(page, "</tr>\n");
        }
    }
    html_raw(page, "</tbody>\n</table>\n");
    html_scroll_end(page);
}

void html_bytes_bars(struct page *page, const struct ls_result *result)
{
    double most = 0;

    for (size_t i = 0; i < result->runs_count; i++) {
        most = fmax(most,
                    fmax(result->runs[i].client_hello_bytes, result->runs[i].server_flight_bytes));
    }
    if (!(most > 0)) {
        return;
    }
    html_scroll(page, "Bytes of a handshake");
    html_raw(page,
             "<table class=\"bars\">\n<caption>Bytes of a handshake</caption>\n<thead><tr><th "
             "scope=\"col\">certificate</th><th scope=\"col\">what</th><th "
             "scope=\"col\">bytes</th><td></td></tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < result->runs_count; i++) {
        const double bytes[] = {result->runs[i].client_hello_bytes,
                                result->runs[i].server_flight_bytes};

        for (size_t b = 0; b < 2; b++) {
            char words[32];

            if (bytes[b] < 0) {
                continue;
            }
            row_begin(page, result->runs[i].certificate);
            html_cell(page, "%s", b == 0 ? "Client Hello" : "server flight");
            ls_format_count((int64_t)llround(fmin(bytes[b], 9e15)), words, sizeof words);
            html_cell(page, "%s", words);
            put_bar(page, bytes[b] / most, b == 0 ? 5 : 0);
            html_raw(page, "</tr>\n");
        }
    }
    html_raw(page, "</tbody>\n</table>\n");
    html_scroll_end(page);
}
