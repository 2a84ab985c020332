/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/lines.h"
#include "report/rounds.h"

/* "at 60 times its pace", or nothing. */
static void pace_words(const struct ls_result *result, char *out, size_t size)
{
    char times[32];

    if (own_pace(result)) {
        (void)snprintf(out, size, " at its own pace");
    } else {
        speedup_words(result->speedup, times, sizeof times);
        (void)snprintf(out, size, " at %s its pace", times);
    }
}

static const char *or_empty(const char *text)
{
    return text != NULL ? text : "";
}

static void put_window(struct page *page, const struct ls_result *result, const char *name,
                       const char *users)
{
    const int64_t to_ns = result->from_ns + result->window_ns;
    const bool told = strstr(name, users) != NULL;
    const char *dot = told || name[0] == '\0' ? "" : " · ";
    char from[16], to[16], pace[64];

    ls_format_clock(result->from_ns, result->from_ns % LS_NS_PER_MIN != 0, from, sizeof from);
    ls_format_clock(to_ns, to_ns % LS_NS_PER_MIN != 0, to, sizeof to);
    pace_words(result, pace, sizeof pace);
    page_put(page, PLAIN, 2, "%s%s%s%s · %s-%s%s · seed %" PRIu64, name, dot, told ? "" : users,
             told ? "" : " users", from, to, pace, result->seed);
}

static const char *gateway_word(const struct ls_result *result)
{
    const char *source = result->runs_count > 0 ? result->runs[0].gateway_source : NULL;

    if (result->target != NULL) {
        return strcmp(result->target, "embedded") == 0 ? "embedded" : "outside";
    }
    if (source == NULL) {
        return "embedded";
    }
    return strcmp(source, "none") != 0 ? source : "outside";
}

void put_heading(struct page *page, const struct ls_result *result)
{
    const char *name = page->html ? "" : or_empty(result->name); /* a page has it as its title */
    char users[32];

    ls_format_count(result->users, users, sizeof users);
    if (result->closed) {
        page_put(page, PLAIN, 2, "%s%s%s logins in closed loops · seed %" PRIu64, name,
                 name[0] == '\0' ? "" : " · ", users, result->seed);
    } else {
        put_window(page, result, name, users);
    }
    page_put(page, PLAIN, 2, "gateway: %s%s%s%s%s%s%s", gateway_word(result),
             result->placement != NULL ? ", " : "", or_empty(result->placement),
             result->tls_library != NULL ? " · " : "", or_empty(result->tls_library),
             result->tls_build != NULL ? ", " : "", or_empty(result->tls_build));
}

enum ls_code ls_report_heading(const struct ls_result *result, const struct ls_report_look *look,
                               FILE *out, struct ls_error *err)
{
    struct page page = {.out = out, .look = look};

    if (look->quiet) {
        return LS_OK;
    }
    put_heading(&page, result);
    return page_finish(&page, err);
}

/* "5 rounds", "2 to 5 rounds". size >= 32 */
static void many_words(const struct rounds *rounds, char *out, size_t size)
{
    if (rounds->fewest < rounds->taken) {
        (void)snprintf(out, size, "%d to %d rounds", rounds->fewest, rounds->taken);
    } else {
        (void)snprintf(out, size, "%d round%s", rounds->taken, rounds->taken == 1 ? "" : "s");
    }
}

void put_medians(struct page *page, const struct rounds *rounds)
{
    char many[32], left_out[96] = "";

    many_words(rounds, many, sizeof many);
    if (rounds->left_out > 0) {
        (void)snprintf(left_out, sizeof left_out, "; without %d that %s invalid or ended early",
                       rounds->left_out, rounds->left_out == 1 ? "is" : "are");
    }
    page_put(page, PLAIN, 0, "Medians of %s of every certificate in turn%s%s", many, left_out,
             rounds->medians.closed
                 ? "."
                 : "; logged in and failed are those of the worst round of all.");
}

/* A line a run, in fixed units and order. */
static void put_quiet(struct page *page, const struct ls_result *result,
                      const struct rounds *rounds)
{
    char pace[64] = "", times[64] = "", many[32];

    if (rounds->most > 1) {
        many_words(rounds, many, sizeof many);
        (void)snprintf(times, sizeof times, ", medians of %s", many);
    }

    if (!own_pace(result)) {
        (void)snprintf(pace, sizeof pace, " at %.6g times the pace", result->speedup);
    }
    for (size_t i = 0; i < result->runs_count; i++) {
        const struct ls_run *run = &result->runs[i];
        const char *verdict = ls_verdict_word(run->validity.verdict);
        char *name = clean_text(run->certificate, page->look->utf8);
        char p50[32] = "-", p100[32] = "-", cpu[32] = "-", mix[48] = "", share[32];

        if (run->login.count > 0) {
            (void)snprintf(p50, sizeof p50, "%.6f", (double)run->login.p50 / 1e6);
            (void)snprintf(p100, sizeof p100, "%.6f", (double)run->login.p100 / 1e6);
        }
        if (run->cpu_us_per_handshake >= 0) {
            (void)snprintf(cpu, sizeof cpu, "%.3f", run->cpu_us_per_handshake);
        }
        if (resumed_words(run, share, sizeof share)) {
            (void)snprintf(mix, sizeof mix, " (%s resumed)", share);
        }
        if (result->closed && name != NULL) {
            char whole[160];

            (void)snprintf(whole, sizeof whole, "%s us CPU a handshake%s, %s%s%s", cpu, mix,
                           verdict != NULL ? verdict : "unknown", run->partial ? ", partial" : "",
                           times);
            put_quiet_loops(page, run, name, whole);
            free(name);
            continue;
        }
        (void)fprintf(page->out,
                      "%s: %" PRId64 "/%" PRId64 " logged in, %" PRId64 " failed, p50 %s ms, p100 "
                      "%s ms%s, %s us CPU a handshake%s, %s%s%s\n",
                      name != NULL ? name : "", run->logged_in, run->total, run->failed, p50, p100,
                      pace, cpu, mix, verdict != NULL ? verdict : "unknown",
                      run->partial ? ", partial" : "", times);
        page->no_memory = page->no_memory || name == NULL;
        free(name);
    }
}

/* What was measured beside the logins. */
static void put_measured(struct page *page, const struct rounds *rounds)
{
    const struct ls_result *medians = &rounds->medians, *named = &rounds->named;

    if (rounds->most > 1) {
        put_medians(page, rounds);
    }
    (void)fputc('\n', page->out);
    put_cost_table(page, medians);
    put_resumed(page, medians);
    (void)fputc('\n', page->out);
    if (!medians->closed) { /* the loops have told */
        put_bytes_table(page, medians);
    }
    put_verdicts(page, medians);
    if (rounds->most > 1) {
        put_reasons(page, named);
    }
}

static void put_whole(struct page *page, const struct rounds *rounds)
{
    const struct ls_result *medians = &rounds->medians, *named = &rounds->named;

    put_partial(page, named);
    if (named->runs_count == 0) {
        page_put(page, YELLOW, 0, "Nothing was measured.");
    } else {
        if (medians->closed) {
            put_loops(page, medians);
        } else {
            put_main_table(page, medians);
            put_morning(page, named);
        }
        if (is_simulated(medians)) {
            put_simulated(page, medians);
        } else {
            put_measured(page, rounds);
        }
        put_pace(page, medians);
        put_peaks(page, medians);
        put_failures(page, named);
    }
    put_targets(page, named);
    put_notes(page, named);
    if (named->comparison != NULL) {
        put_comparison(page, named->comparison, true);
    }
}

enum ls_code ls_report_text(const struct ls_result *result, const struct ls_report_look *look,
                            FILE *out, struct ls_error *err)
{
    struct page page = {.out = out, .look = look};
    struct rounds rounds;

    if (!rounds_init(&rounds, result)) {
        page.no_memory = true;
    } else if (look->quiet) {
        put_quiet(&page, &rounds.medians, &rounds);
    } else {
        put_whole(&page, &rounds);
    }
    rounds_clear(&rounds);
    return page_finish(&page, err);
}
