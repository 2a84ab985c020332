/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Handshakes that were resumed: every mean over them and full ones says so. */
#include <stdio.h>
#include <string.h>

#include "report/lines.h"

/* No share that is not nothing shows as nothing, and none that is not all as all. */
static void share_words(double share, char *out, size_t size)
{
    const double percent = share * 100;
    const bool edge = (percent > 0 && percent < 1) || (percent > 99 && percent < 100);

    (void)snprintf(out, size, "%.*f %%", edge ? 1 : 0, percent);
}

bool resumed_words(const struct ls_run *run, char *out, size_t size)
{
    const int64_t secured = run->handshakes_full + run->handshakes_resumed;

    share_words(secured > 0 ? (double)run->handshakes_resumed / (double)secured : 0, out, size);
    return run->handshakes_resumed > 0;
}

/* "201 of 600" */
static void count_words(const struct ls_run *run, char *out, size_t size)
{
    char resumed[32], all[32];

    ls_format_count(run->handshakes_resumed, resumed, sizeof resumed);
    ls_format_count(run->handshakes_full + run->handshakes_resumed, all, sizeof all);
    (void)snprintf(out, size, "%s of %s", resumed, all);
}

bool any_resumed(const struct ls_result *result)
{
    for (size_t i = 0; i < result->runs_count; i++) {
        if (result->runs[i].handshakes_resumed > 0) {
            return true;
        }
    }
    return false;
}

void put_resumed(struct page *page, const struct ls_result *result)
{
    char asked[32], first[32], share[32], counts[96];

    if (!any_resumed(result)) {
        return;
    }
    share_words(result->resume_share, asked, sizeof asked);
    (void)resumed_words(&result->runs[0], first, sizeof first);
    count_words(&result->runs[0], counts, sizeof counts);
    page_put(page, PLAIN, 0,
             "%s: %s handshakes (%s) were resumed: with a ticket of an earlier session, without a "
             "signature (asked for: %s of the users, each of them drawn). CPU, latencies and all "
             "bytes to and from the gateway are means over full and resumed ones, and so is how "
             "they change from certificate to certificate; Client Hello and server flight, with "
             "the change beside them, are of full ones. What a certificate costs by itself, a "
             "storm without `resume` says.",
             result->runs[0].certificate, counts, first, asked);
    for (size_t i = 1; i < result->runs_count; i++) {
        (void)resumed_words(&result->runs[i], share, sizeof share);
        if (strcmp(first, share) != 0) {
            page_put(page, YELLOW, 2,
                     "%s: %s resumed, and %s of %s: their CPU and latencies are of two mixes",
                     result->runs[i].certificate, share, first, result->runs[0].certificate);
        }
    }
}

void put_tickets(struct page *page, const struct ls_run *run)
{
    const int64_t refused = run->handshakes_offered - run->handshakes_resumed;
    char offered[32], count[32];

    if (refused <= 0) {
        return;
    }
    ls_format_count(run->handshakes_offered, offered, sizeof offered);
    ls_format_count(refused, count, sizeof count);
    page_put(page, YELLOW, 2, "%s: of %s ticket%s offered, %s %s not taken, and counted full",
             run->certificate, offered, run->handshakes_offered == 1 ? "" : "s", count,
             refused == 1 ? "was" : "were");
}
