/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A result in short, for tickets and merge requests: the answer, the figures, what to make of it. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "report/answer.h"
#include "report/lines.h"
#include "report/targets.h"

struct markdown {
    FILE *out;
    bool no_memory;
};

/* What would be a sign of Markdown, HTML, a formula or a mention stands for itself; what cannot be seen is
 * '?'. */
static void put_text(struct markdown *md, const char *text)
{
    char *clean = clean_text(text != NULL ? text : "", true);

    md->no_memory = md->no_memory || clean == NULL;
    for (const char *c = clean; c != NULL && *c != '\0'; c++) {
        if (*c == '<') {
            (void)fputs("&lt;", md->out);
        } else if (*c == '>') {
            (void)fputs("&gt;", md->out);
        } else if (*c == '&') {
            (void)fputs("&amp;", md->out);
        } else if (*c == '@') {
            (void)fputs("\\@<!-- -->", md->out); /* nobody is called by a certificate */
        } else {
            if (strchr("\\`*_{}[]#|~!$", *c) != NULL) {
                (void)fputc('\\', md->out);
            }
            (void)fputc(*c, md->out);
        }
    }
    free(clean);
}

static void put(struct markdown *md, const char *fmt, ...) LS_PRINTF(2, 3);
static void put(struct markdown *md, const char *fmt, ...)
{
    char *text = NULL;
    va_list args;

    va_start(args, fmt);
    if (vasprintf(&text, fmt, args) < 0) {
        text = NULL;
        md->no_memory = true;
    }
    va_end(args);
    put_text(md, text);
    free(text);
}

static void put_cell(struct markdown *md, const char *text)
{
    (void)fputc(' ', md->out);
    put_text(md, text);
    (void)fputs(" |", md->out);
}

static void put_time(struct markdown *md, int64_t ns)
{
    char text[32];

    ls_format_ns(ns, text, sizeof text);
    put_cell(md, text);
}

static void put_count(struct markdown *md, int64_t count)
{
    char text[32];

    ls_format_count(count, text, sizeof text);
    put_cell(md, text);
}

static void put_cpu(struct markdown *md, double us)
{
    put_time(md, us >= 0 && us < 9e12 ? (int64_t)(us * 1000) : LS_NEVER_NS);
}

/* Titles are ours, and separated by '|'; the first column is of names, the rest of figures. */
static void put_head(struct markdown *md, const char *titles)
{
    (void)fprintf(md->out, "| %s |\n|---|", titles);
    for (const char *c = titles; (c = strchr(c, '|')) != NULL; c++) {
        (void)fputs("--:|", md->out);
    }
    (void)fputc('\n', md->out);
}

static void put_share(struct markdown *md, int64_t millionths)
{
    char text[32] = "-";

    if (millionths >= 0) {
        (void)snprintf(text, sizeof text, "%.4g %%", (double)millionths / 1e4);
    }
    put_cell(md, text);
}

static void put_runs(struct markdown *md, const struct ls_result *medians)
{
    char clock[16] = "", title[160];
    const char *at = peak_clock(medians, clock, sizeof clock);

    (void)snprintf(title, sizeof title,
                   "certificate | logged in | failed | login p50 | p99 | p100 | CPU a handshake | "
                   "cores at %s",
                   at != NULL ? at : "the peak");
    put_head(md, title);
    for (size_t i = 0; i < medians->runs_count; i++) {
        const struct ls_run *run = &medians->runs[i];
        char cores[32];

        (void)fputc('|', md->out);
        put_cell(md, run->certificate);
        put_count(md, run->logged_in);
        put_count(md, run->failed);
        put_time(md, run->login.p50);
        put_time(md, run->login.p99);
        put_time(md, run->login.p100);
        put_cpu(md, run->cpu_us_per_handshake);
        ls_format_cores(run->cores_at_peak_minute, cores, sizeof cores);
        put_cell(md, cores);
        (void)fputc('\n', md->out);
    }
}

/* What 95 % of its mornings stay at or below: one of them alone is a matter of luck. */
static void put_mornings(struct markdown *md, const struct ls_result *result)
{
    put_head(md, "certificate, in 95 % of mornings | failed | login p50 | p99 | p100 | a gateway's "
                 "peak");
    for (size_t i = 0; i < result->runs_count; i++) {
        const struct ls_run_mornings *mornings = &result->runs[i].mornings;

        (void)fputc('|', md->out);
        put_cell(md, result->runs[i].certificate);
        put_share(md, mornings->failed_share.in_95);
        put_time(md, mornings->login_p50.in_95);
        put_time(md, mornings->login_p99.in_95);
        put_time(md, mornings->login_p100.in_95);
        put_share(md, mornings->gateway_peak_share.in_95);
        (void)fputc('\n', md->out);
    }
}

static void put_loop(struct markdown *md, const struct ls_run *run,
                     const struct ls_wave_figures *wave)
{
    char rate[32] = "-";

    (void)fputc('|', md->out);
    put_cell(md, run->certificate);
    put_count(md, wave->logins);
    put_count(md, wave->concurrency);
    put_count(md, wave->failed);
    put_time(md, wave->handshake.mean);
    put_time(md, wave->login.p50);
    put_time(md, wave->login.p100);
    if (wave->logins_per_s >= 0) {
        (void)snprintf(rate, sizeof rate, "%.1f", wave->logins_per_s);
    }
    put_cell(md, rate);
    put_cpu(md, run->cpu_us_per_handshake);
    (void)fputc('\n', md->out);
}

static void put_loops_of(struct markdown *md, const struct ls_result *medians)
{
    put_head(md, "certificate | logins | at a time | failed | handshake mean | login p50 | p100 | "
                 "logins/s | CPU a handshake");
    for (size_t i = 0; i < medians->runs_count; i++) {
        for (size_t w = 0; w < medians->runs[i].waves_count; w++) {
            put_loop(md, &medians->runs[i], &medians->runs[i].waves[w]);
        }
    }
}

static bool has_mornings(const struct ls_result *result)
{
    for (size_t i = 0; i < result->runs_count; i++) {
        if (result->runs[i].mornings.count < 2) {
            return false;
        }
    }
    return result->runs_count > 0;
}

static void put_figures_of(struct markdown *md, const struct rounds *rounds)
{
    const struct ls_result *medians = &rounds->medians;

    if (medians->runs_count == 0) {
        return;
    }
    if (medians->closed) {
        put_loops_of(md, medians);
    } else if (has_mornings(medians)) {
        put_mornings(md, medians);
    } else {
        put_runs(md, medians);
    }
    (void)fputc('\n', md->out);
    if (rounds->most > 1) {
        (void)fprintf(md->out, "Medians of up to %d rounds of every certificate in turn.\n\n",
                      rounds->taken);
    }
}

/* Bold: what is to be looked at. */
static void put_target(struct markdown *md, const struct ls_result *result,
                       const struct ls_target_outcome *target)
{
    const enum ls_judgement judgement = ls_target_judgement(target);
    char value[32], limit[32], by[64], who[400], pace[64];

    target_value_words(target, value, sizeof value);
    target_limit_words(target, limit, sizeof limit);
    target_by_words(target, by, sizeof by);
    target_missers(result, target, who, sizeof who);
    target_pace_words(result, target, pace, sizeof pace);
    (void)fputs("| ", md->out);
    put(md, "%s%s%s", target->name, pace[0] != '\0' ? ", " : "", pace);
    (void)fputs(" |", md->out);
    put_cell(md, value);
    put_cell(md, limit);
    (void)fputc(' ', md->out);
    if (any_invalid(result)) {
        (void)fputs("not judged: the measurement is invalid", md->out);
    } else if (judgement == LS_TARGET_MET) {
        (void)fputs("met", md->out);
    } else if (judgement == LS_TARGET_NOT_JUDGED) {
        (void)fputs("not judged", md->out);
    } else {
        (void)fputs("**missed** ", md->out);
        put(md, "%s%s%s", by, who[0] != '\0' ? " with " : "", who);
    }
    (void)fputs(" |\n", md->out);
}

static void put_targets_of(struct markdown *md, const struct ls_result *result)
{
    if (result->targets_count == 0) {
        return;
    }
    (void)fputs("| target | came to | limit | |\n|---|--:|--:|---|\n", md->out);
    for (size_t i = 0; i < result->targets_count; i++) {
        put_target(md, result, &result->targets[i]);
    }
    (void)fputc('\n', md->out);
}

/* A line where all may be trusted, else one for each that may not. */
static void put_measurement(struct markdown *md, const struct ls_result *named)
{
    size_t told = 0;

    if (named->runs_count == 0 || is_simulated(named)) {
        return;
    }
    for (size_t i = 0; i < named->runs_count; i++) {
        const struct ls_run *run = &named->runs[i];
        const char *word = ls_verdict_word(run->validity.verdict);

        if (run->validity.verdict == LS_VALID) {
            continue;
        }
        (void)fputs("- measurement of ", md->out);
        put(md, "%s: ", run->certificate);
        (void)fprintf(md->out, "**%s**", word != NULL ? word : "unknown");
        for (size_t r = 0; r < run->validity.reasons_count; r++) {
            put(md, "%s %s", r == 0 ? ":" : ";", run->validity.reasons[r]);
        }
        (void)fputc('\n', md->out);
        told++;
    }
    (void)fputs(told == 0 ? "Measurement: valid.\n\n" : "\n", md->out);
}

static void put_advice(struct markdown *md, const struct ls_comparison *comparison)
{
    for (size_t i = 0; comparison != NULL && i < comparison->advice_count; i++) {
        (void)fputs("- ", md->out);
        put_text(md, comparison->advice[i].text);
        (void)fputc('\n', md->out);
    }
    if (comparison != NULL && comparison->advice_count > 0) {
        (void)fputc('\n', md->out);
    }
}

/* What storm it was, and where. */
static void put_storm(struct markdown *md, const struct ls_result *result)
{
    char users[32], times[32], pace[64] = "at its own pace", from[16], to[16];
    const int64_t to_ns = result->from_ns + result->window_ns;

    ls_format_count(result->users, users, sizeof users);
    if (!own_pace(result)) {
        speedup_words(result->speedup, times, sizeof times);
        (void)snprintf(pace, sizeof pace, "at %s its pace", times);
    }
    if (result->closed) {
        put(md, "%s logins in closed loops", users);
    } else {
        ls_format_clock(result->from_ns, result->from_ns % LS_NS_PER_MIN != 0, from, sizeof from);
        ls_format_clock(to_ns, to_ns % LS_NS_PER_MIN != 0, to, sizeof to);
        put(md, "%s users, %s-%s %s", users, from, to, pace);
    }
    put(md, " · seed %llu", (unsigned long long)result->seed);
    if (result->placement != NULL) {
        put(md, " · %s", result->placement);
    }
    if (result->tls_library != NULL && !is_simulated(result)) {
        put(md, " · %s", result->tls_library);
    }
    if (result->costs != NULL) {
        put(md, " · costs from %s", result->costs);
    }
    (void)fputc('\n', md->out);
}

static void put_all(struct markdown *md, const struct rounds *rounds)
{
    const struct ls_result *result = rounds->whole;
    struct answer answer;

    (void)fputs("### ", md->out);
    put_text(md, result->name != NULL && result->name[0] != '\0' ? result->name : "login storm");
    (void)fputs("\n\n", md->out);
    if (answer_of(&answer, rounds)) {
        (void)fputs("**", md->out);
        put_text(md, answer.stands);
        (void)fputs("** ", md->out);
        put_text(md, answer.room);
        (void)fputs("\n\n", md->out);
    } else {
        md->no_memory = true;
    }
    answer_clear(&answer);
    put_measurement(md, &rounds->named);
    put_figures_of(md, rounds);
    put_targets_of(md, result);
    put_advice(md, result->comparison);
    put_storm(md, result);
}

enum ls_code ls_report_markdown(const struct ls_result *result, FILE *out, struct ls_error *err)
{
    struct markdown md = {.out = out};
    struct rounds rounds;

    if (rounds_init(&rounds, result)) {
        put_all(&md, &rounds);
    } else {
        md.no_memory = true;
    }
    rounds_clear(&rounds);
    if (md.no_memory) {
        return ls_error_set(err, LS_ENOMEM, "no memory for the report");
    }
    if (fflush(out) != 0 || ferror(out) != 0) {
        return ls_error_set_errno(err, LS_EWRITE, "cannot write the report");
    }
    return LS_OK;
}
