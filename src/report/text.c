/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/lines.h"

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

enum ls_code ls_report_heading(const struct ls_result *result, const struct ls_report_look *look,
                               FILE *out, struct ls_error *err)
{
    struct page page = {.out = out, .look = look};
    const char *name = or_empty(result->name);
    const char *source = result->runs_count > 0 ? result->runs[0].gateway_source : "embedded";
    char users[32], from[16], to[16], pace[64];

    if (look->quiet) {
        return LS_OK;
    }
    ls_format_count(result->users, users, sizeof users);
    ls_format_clock(result->from_ns, result->from_ns % LS_NS_PER_MIN != 0, from, sizeof from);
    ls_format_clock(result->from_ns + result->window_ns,
                    (result->from_ns + result->window_ns) % LS_NS_PER_MIN != 0, to, sizeof to);
    pace_words(result, pace, sizeof pace);
    page_put(&page, PLAIN, 2, "%s%s%s%s · %s-%s%s · seed %" PRIu64, name,
             strstr(name, users) == NULL ? " · " : "", strstr(name, users) == NULL ? users : "",
             strstr(name, users) == NULL ? " users" : "", from, to, pace, result->seed);
    page_put(&page, PLAIN, 2, "gateway: %s%s%s%s%s%s%s",
             source != NULL && strcmp(source, "none") != 0 ? source : "outside",
             result->placement != NULL ? ", " : "", or_empty(result->placement),
             result->tls_library != NULL ? " · " : "", or_empty(result->tls_library),
             result->tls_build != NULL ? ", " : "", or_empty(result->tls_build));
    return page_finish(&page, err);
}

/* A line a run, in fixed units and order. */
static void put_quiet(struct page *page, const struct ls_result *result)
{
    char pace[64] = "";

    if (!own_pace(result)) {
        (void)snprintf(pace, sizeof pace, " at %.6g times the pace", result->speedup);
    }
    for (size_t i = 0; i < result->runs_count; i++) {
        const struct ls_run *run = &result->runs[i];
        const char *verdict = ls_verdict_word(run->validity.verdict);
        char *name = clean_text(run->certificate, page->look->utf8);
        char p50[32] = "-", p100[32] = "-", cpu[32] = "-";

        if (run->login.count > 0) {
            (void)snprintf(p50, sizeof p50, "%.6f", (double)run->login.p50 / 1e6);
            (void)snprintf(p100, sizeof p100, "%.6f", (double)run->login.p100 / 1e6);
        }
        if (run->cpu_us_per_handshake >= 0) {
            (void)snprintf(cpu, sizeof cpu, "%.3f", run->cpu_us_per_handshake);
        }
        (void)fprintf(page->out,
                      "%s: %" PRId64 "/%" PRId64 " logged in, %" PRId64 " failed, p50 %s ms, p100 "
                      "%s ms%s, %s us CPU a handshake, %s%s\n",
                      name != NULL ? name : "", run->logged_in, run->total, run->failed, p50, p100,
                      pace, cpu, verdict != NULL ? verdict : "unknown",
                      run->partial ? ", partial" : "");
        page->no_memory = page->no_memory || name == NULL;
        free(name);
    }
}

enum ls_code ls_report_text(const struct ls_result *result, const struct ls_report_look *look,
                            FILE *out, struct ls_error *err)
{
    struct page page = {.out = out, .look = look};

    if (look->quiet) {
        put_quiet(&page, result);
        return page_finish(&page, err);
    }
    put_partial(&page, result);
    if (result->runs_count == 0) {
        page_put(&page, YELLOW, 0, "Nothing was measured.");
    } else {
        put_main_table(&page, result);
        (void)fputc('\n', out);
        put_cost_table(&page, result);
        (void)fputc('\n', out);
        put_verdicts(&page, result);
        put_pace(&page, result);
        put_peaks(&page, result);
        put_failures(&page, result);
    }
    put_targets(&page, result);
    put_notes(&page, result);
    return page_finish(&page, err);
}
