/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/lines.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool own_pace(const struct ls_result *result)
{
    return fabs(result->speedup - 1) < 1e-12;
}

void speedup_words(double speedup, char *out, size_t size)
{
    (void)snprintf(out, size, "%.6g times", speedup);
}

const char *peak_clock(const struct ls_result *result, char *out, size_t size)
{
    if (result->runs_count == 0 || result->runs[0].peak_minute_at_ns < 0) {
        return NULL;
    }
    for (size_t i = 1; i < result->runs_count; i++) {
        if (result->runs[i].peak_minute_at_ns != result->runs[0].peak_minute_at_ns) {
            return NULL;
        }
    }
    ls_format_clock(result->runs[0].peak_minute_at_ns, 0, out, size);
    return out;
}

void put_partial(struct page *page, const struct ls_result *result)
{
    bool named = false;

    for (size_t i = 0; i < result->runs_count; i++) {
        const struct ls_run *run = &result->runs[i];
        char done[32], all[32];

        if (!run->partial) {
            continue;
        }
        named = true;
        ls_format_count(run->logged_in + run->failed, done, sizeof done);
        ls_format_count(run->total, all, sizeof all);
        if (!run->live) {
            ls_format_count(run->mornings.count, done, sizeof done);
            page_put(page, RED, 2,
                     "PARTIAL RESULT: %s ended early (%s): %s of its mornings %s played.",
                     run->certificate, run->partial_why != NULL ? run->partial_why : "why is lost",
                     done, run->mornings.count == 1 ? "was" : "were");
            continue;
        }
        page_put(page, RED, 2,
                 "PARTIAL RESULT: %s ended early%s%s%s: %s of %s users came to an end.",
                 run->certificate, run->partial_why != NULL ? " (" : "",
                 run->partial_why != NULL ? run->partial_why : "",
                 run->partial_why != NULL ? ")" : "", done, all);
    }
    if (result->partial && !named) {
        page_put(page, RED, 2, "PARTIAL RESULT: it ended before every certificate had its run.");
    }
}

static enum colour verdict_colour(enum ls_verdict verdict)
{
    return verdict == LS_INVALID ? RED : verdict == LS_SUSPECT ? YELLOW : PLAIN;
}

/* "0.4 %", "7 %", "81 %" of millionths or of a share. */
static void percent(double share, char *out, size_t size)
{
    (void)snprintf(out, size, share < 0.01 && share > 0 ? "%.1f %%" : "%.0f %%", share * 100);
}

/* The figures of one run, or the worst of all: lag, share and retransmits. */
static void worst(const struct ls_run *runs, size_t count, struct ls_validity *worst)
{
    *worst = (struct ls_validity){.injector_cpu_share = -1, .start_lag.p99 = LS_NEVER_NS};
    for (size_t i = 0; i < count; i++) {
        const struct ls_validity *one = &runs[i].validity;

        if (!runs[i].live) {
            continue;
        }
        if (one->start_lag.p99 > worst->start_lag.p99) {
            worst->start_lag.p99 = one->start_lag.p99;
        }
        worst->injector_cpu_share = fmax(worst->injector_cpu_share, one->injector_cpu_share);
        worst->retransmitted += one->retransmitted;
    }
}

static void put_verdict(struct page *page, const char *who, enum ls_verdict verdict,
                        const struct ls_run *runs, size_t count)
{
    const char *word = ls_verdict_word(verdict);
    struct ls_validity figures;
    char lag[64] = "", share[64] = "", again[64] = "no retransmits", part[32];

    worst(runs, count, &figures);
    if (figures.start_lag.p99 >= 0) {
        ls_format_ns(figures.start_lag.p99, part, sizeof part);
        (void)snprintf(lag, sizeof lag, "start lag p99 %s, ", part);
    }
    if (figures.injector_cpu_share >= 0) {
        percent(figures.injector_cpu_share, part, sizeof part);
        (void)snprintf(share, sizeof share, "injector %s of its core, ", part);
    }
    if (figures.retransmitted > 0) {
        ls_format_count(figures.retransmitted, part, sizeof part);
        (void)snprintf(again, sizeof again, "%s connection%s retransmitted", part,
                       figures.retransmitted == 1 ? "" : "s");
    }
    page_put(page, verdict_colour(verdict), 2, "measurement: %s%s%s (%s%s%s)", who,
             who[0] != '\0' ? ": " : "", word != NULL ? word : "unknown", lag, share, again);
}

static void put_run_reasons(struct page *page, const struct ls_run *run)
{
    for (size_t i = 0; i < run->validity.reasons_count; i++) {
        page_put(page, verdict_colour(run->validity.verdict), 4, "  %s: %s", run->certificate,
                 run->validity.reasons[i]);
    }
}

void put_verdicts(struct page *page, const struct ls_result *result)
{
    bool same = true;

    for (size_t i = 1; i < result->runs_count; i++) {
        same = same && result->runs[i].validity.verdict == result->runs[0].validity.verdict;
    }
    if (same && result->runs_count > 0) {
        put_verdict(page, "", result->runs[0].validity.verdict, result->runs, result->runs_count);
    }
    for (size_t i = 0; i < result->runs_count; i++) {
        if (!same) {
            put_verdict(page, result->runs[i].certificate, result->runs[i].validity.verdict,
                        &result->runs[i], 1);
        }
        put_run_reasons(page, &result->runs[i]);
    }
}

static void put_failed_users(struct page *page, const struct ls_run *run)
{
    char count[32];

    for (unsigned i = 0; i < LS_REASON_COUNT; i++) {
        if (run->by_reason[i] > 0) {
            ls_format_count(run->by_reason[i], count, sizeof count);
            page_put(page, RED, 2, "%s: %s user%s failed: %s (%s)", run->certificate, count,
                     run->by_reason[i] == 1 ? "" : "s", ls_reason_text((enum ls_reason)i),
                     ls_reason_word((enum ls_reason)i));
        }
    }
    if (run->failed > 0 && run->logged_in > 0) {
        char came[32], least[32], most[32];

        ls_format_count(run->logged_in, came, sizeof came);
        ls_format_ns(run->gave_up.min, least, sizeof least);
        ls_format_ns(run->gave_up.p100, most, sizeof most);
        page_put(
            page, RED, 2,
            "%s: the latencies are of the %s who got in; those who failed did so after %s to %s",
            run->certificate, came, least, most);
    }
    if (run->cut_off > 0) {
        ls_format_count(run->cut_off, count, sizeof count);
        page_put(page, YELLOW, 2, "%s: %s user%s cut off by the end of the run", run->certificate,
                 count, run->cut_off == 1 ? "" : "s");
    }
}

/* Failed attempts of users most of whom came in later: by reason, most users being listed above. */
static void put_attempts(struct page *page, const struct ls_run *run)
{
    char failed[32], retried[32];

    if (run->retried > 0) {
        ls_format_count(run->handshakes_failed, failed, sizeof failed);
        ls_format_count(run->retried, retried, sizeof retried);
        page_put(page, PLAIN, 2,
                 "%s: %s user%s tried more than once; %s handshake attempt%s failed",
                 run->certificate, retried, run->retried == 1 ? "" : "s", failed,
                 run->handshakes_failed == 1 ? "" : "s");
    }
    if (run->sessions_lost > 0) {
        ls_format_count(run->sessions_lost, failed, sizeof failed);
        page_put(page, RED, 2, "%s: %s held session%s ended too early", run->certificate, failed,
                 run->sessions_lost == 1 ? "" : "s");
    }
    if (run->hello_retries > 0) {
        ls_format_count(run->hello_retries, failed, sizeof failed);
        page_put(page, PLAIN, 2, "%s: %s handshake%s took a hello retry, a round trip more",
                 run->certificate, failed, run->hello_retries == 1 ? "" : "s");
    }
    if (run->wasted_handshakes > 0) {
        ls_format_count(run->wasted_handshakes, failed, sizeof failed);
        page_put(page, PLAIN, 2, "%s: %s handshake%s paid for by the gateway whose user had gone",
                 run->certificate, failed, run->wasted_handshakes == 1 ? " was" : "s were");
    }
}

/* What waits a second or more without any CPU, and where it was seen. */
static void put_kernel(struct page *page, const struct ls_run *run)
{
    const struct ls_kernel_counts *kernel = &run->kernel;
    char again[32], dropped[32], full[32];

    if (kernel->syn_retransmits < 0 || kernel->listen_drops < 0 || kernel->listen_overflows < 0 ||
        kernel->syn_retransmits + kernel->listen_drops == 0) {
        return;
    }
    ls_format_count(kernel->syn_retransmits, again, sizeof again);
    ls_format_count(kernel->listen_drops, dropped, sizeof dropped);
    ls_format_count(kernel->listen_overflows, full, sizeof full);
    page_put(page, YELLOW, 2,
             "%s: this machine's kernel sent %s SYN%s again, each after a second or more, and its "
             "listeners dropped %s connection%s, %s of them at a full queue",
             run->certificate, again, kernel->syn_retransmits == 1 ? "" : "s", dropped,
             kernel->listen_drops == 1 ? "" : "s", full);
}

/* A Client Hello of another size is the only thing that such a user does differently. */
static void put_long_hellos(struct page *page, const struct ls_run *run)
{
    char count[32];

    if (run->long_hellos_unanswered <= 0) {
        return;
    }
    ls_format_count(run->long_hellos_unanswered, count, sizeof count);
    page_put(page, RED, 2,
             "%s: to %s Client Hello%s with a post-quantum key share not a byte came: mostly that "
             "is a firewall or balancer on the way that cannot take so long a Client Hello; `run "
             "--counter-proof` tries without",
             run->certificate, count, run->long_hellos_unanswered == 1 ? "" : "s");
}

bool has_failures(const struct ls_result *result)
{
    for (size_t i = 0; i < result->runs_count; i++) {
        if (result->runs[i].failed > 0 || result->runs[i].cut_off > 0) {
            return true;
        }
    }
    return false;
}

void put_failures(struct page *page, const struct ls_result *result)
{
    for (size_t i = 0; i < result->runs_count; i++) {
        put_failed_users(page, &result->runs[i]);
        put_long_hellos(page, &result->runs[i]);
        put_attempts(page, &result->runs[i]);
        put_kernel(page, &result->runs[i]);
        put_tickets(page, &result->runs[i]);
    }
}

/* A queue that only the speed-up made looks like a gateway that is too small. */
static void put_artefact(struct page *page, const struct ls_run *run, double speedup,
                         const char *times)
{
    const double wants = ls_run_overrun(run, speedup);

    if (wants > 0) {
        page_put(
            page, YELLOW, 2,
            "%s: %s as dense, the fullest minute wants %.*f cores and the gateway has %d: that "
            "queue is the speed-up's, not the morning's; try a lower --speedup",
            run->certificate, times, wants < 10 ? 1 : 0, wants, run->gateway_workers);
    }
}

void put_pace(struct page *page, const struct ls_result *result)
{
    char times[32], clock[16] = "", rest[128] = "";
    bool cost = false;

    if (own_pace(result) || result->runs_count == 0) {
        return;
    }
    for (size_t i = 0; i < result->runs_count; i++) {
        cost = cost || result->runs[i].cpu_us_per_login >= 0;
    }
    speedup_words(result->speedup, times, sizeof times);
    if (cost) {
        const char *at = peak_clock(result, clock, sizeof clock);

        (void)snprintf(rest, sizeof rest,
                       "; cores at %s are the real one's, at the CPU per login %s here",
                       at != NULL ? at : "the peak", is_simulated(result) ? "taken" : "measured");
    }
    page_put(page, PLAIN, 0,
             "The latencies are those of a morning %s as dense%s. At its own pace: loginstorm "
             "simulate%s",
             times, rest,
             is_simulated(result) ? " without --injectors and --speedup." : " SCENARIO");
    for (size_t i = 0; i < result->runs_count; i++) {
        put_artefact(page, &result->runs[i], result->speedup, times);
    }
}

void put_peaks(struct page *page, const struct ls_result *result)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = result->runs_count > 0 ? open_memstream(&text, &size) : NULL;

    if (out == NULL) {
        page->no_memory = page->no_memory || result->runs_count > 0;
        return;
    }
    for (size_t i = 0; i < result->runs_count; i++) {
        const struct ls_run *run = &result->runs[i];
        char logins[32], handshakes[32];

        ls_format_count(run->peak_in_flight, logins, sizeof logins);
        ls_format_count(run->peak_handshakes_in_flight, handshakes, sizeof handshakes);
        (void)fprintf(out, "%s%s %s (%s)", i > 0 ? ", " : "", run->certificate, logins, handshakes);
    }
    if (fclose(out) == 0) {
        page_put(page, PLAIN, 2, "under way at once at most, logins (handshakes): %s", text);
    } else {
        page->no_memory = true;
    }
    free(text);
}

void put_notes(struct page *page, const struct ls_result *result)
{
    for (char **note = result->notes; note != NULL && *note != NULL; note++) {
        page_put(page, PLAIN, 2, "note: %s", *note);
    }
}
