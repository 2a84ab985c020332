/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A result as JUnit XML, of the elements and attributes that Jenkins and GitLab read. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "loginstorm/report.h"
#include "report/lines.h"
#include "report/targets.h"

enum state { PASSED, FAILED, BROKEN, SKIPPED };

struct junit {
    FILE *out;
    const struct ls_result *result;
    bool no_memory;
};

/* What has no place in XML, or cannot be seen, is '?'. */
static void put_text(struct junit *junit, const char *text)
{
    char *clean = clean_text(text != NULL ? text : "", true);

    junit->no_memory = junit->no_memory || clean == NULL;
    for (const char *c = clean; c != NULL && *c != '\0'; c++) {
        switch (*c) {
        case '<':
            (void)fputs("&lt;", junit->out);
            break;
        case '>':
            (void)fputs("&gt;", junit->out);
            break;
        case '&':
            (void)fputs("&amp;", junit->out);
            break;
        case '"':
            (void)fputs("&quot;", junit->out);
            break;
        default:
            (void)fputc(*c, junit->out);
        }
    }
    free(clean);
}

static void put_format(struct junit *junit, const char *fmt, ...) LS_PRINTF(2, 3);
static void put_format(struct junit *junit, const char *fmt, ...)
{
    char *text = NULL;
    va_list args;

    va_start(args, fmt);
    if (vasprintf(&text, fmt, args) < 0) {
        text = NULL;
        junit->no_memory = true;
    }
    va_end(args);
    put_text(junit, text);
    free(text);
}

/* What is not judged of the whole: it was invalid, or nothing is there to go by. */
static enum state state_of_target(const struct ls_result *result,
                                  const struct ls_target_outcome *target)
{
    const enum ls_judgement judgement = ls_target_judgement(target);

    if (any_invalid(result) || judgement == LS_TARGET_NOT_JUDGED) {
        return SKIPPED;
    }
    return judgement == LS_TARGET_MISSED ? FAILED : PASSED;
}

static enum state state_of_run(const struct ls_run *run)
{
    return run->validity.verdict == LS_INVALID ? BROKEN : PASSED;
}

static void put_case(struct junit *junit, const char *kind, const char *name, int round)
{
    (void)fputs("    <testcase classname=\"", junit->out);
    put_format(junit, "%s.%s", junit->result->name != NULL ? junit->result->name : "", kind);
    (void)fputs("\" name=\"", junit->out);
    put_text(junit, name);
    if (round > 0) {
        (void)fprintf(junit->out, ", round %d", round);
    }
    (void)fputs("\">\n", junit->out);
}

static bool has_rounds(const struct ls_result *result)
{
    for (size_t i = 0; i < result->runs_count; i++) {
        if (result->runs[i].repeat > 1) {
            return true;
        }
    }
    return false;
}

static void put_reason_list(struct junit *junit, const struct ls_run *run)
{
    for (size_t i = 0; i < run->validity.reasons_count; i++) {
        put_text(junit, run->validity.reasons[i]);
        (void)fputc('\n', junit->out);
    }
}

/* May its measurement be trusted? */
static void put_run(struct junit *junit, const struct ls_run *run)
{
    const char *verdict = ls_verdict_word(run->validity.verdict);

    put_case(junit, "measurement", run->certificate, has_rounds(junit->result) ? run->repeat : 0);
    if (state_of_run(run) == BROKEN) {
        (void)fputs("      <error type=\"invalid\" message=\"the measurement is invalid: measure "
                    "again\">",
                    junit->out);
        put_reason_list(junit, run);
        (void)fputs("</error>\n", junit->out);
    }
    (void)fprintf(junit->out, "      <system-out>measurement: %s\n",
                  verdict != NULL ? verdict : "unknown");
    if (state_of_run(run) != BROKEN) {
        put_reason_list(junit, run);
    }
    (void)fputs("</system-out>\n    </testcase>\n", junit->out);
}

/* A storm that ended early has judged nothing; that must not pass for a green build. */
static void put_end(struct junit *junit)
{
    const struct ls_result *result = junit->result;

    put_case(junit, "measurement", "played to its end", 0);
    if (result->partial) {
        (void)fputs("      <error type=\"partial\" message=\"the storm ended early\">", junit->out);
        for (size_t i = 0; i < result->runs_count; i++) {
            const struct ls_run *run = &result->runs[i];

            if (run->partial) {
                put_format(junit, "%s%s%s: %" PRId64 " of %" PRId64 " users came to an end",
                           run->certificate, run->partial_why != NULL ? ", " : "",
                           run->partial_why != NULL ? run->partial_why : "",
                           run->logged_in + run->failed, run->total);
                (void)fputc('\n', junit->out);
            }
        }
        (void)fputs("</error>\n", junit->out);
    }
    (void)fputs("    </testcase>\n", junit->out);
}

static void put_target(struct junit *junit, const struct ls_target_outcome *target)
{
    static const char *const elements[] = {
        [PASSED] = NULL, [FAILED] = "failure", [BROKEN] = "error", [SKIPPED] = "skipped"};
    const struct ls_result *result = junit->result;
    const enum state state = state_of_target(result, target);
    char limit[32], value[32], by[64], who[400], pace[64];

    target_limit_words(target, limit, sizeof limit);
    target_value_words(target, value, sizeof value);
    target_pace_words(result, target, pace, sizeof pace);
    target_by_words(target, by, sizeof by);
    target_missers(result, target, who, sizeof who);
    put_case(junit, "targets", target->name, 0);
    if (state == FAILED) {
        (void)fprintf(junit->out, "      <%s type=\"target\" message=\"", elements[state]);
        put_format(junit, "missed%s%s: %s, limit %s", by[0] != '\0' ? " " : "", by, value, limit);
        (void)fputs("\">", junit->out);
        put_format(junit, "%s%s", who[0] != '\0' ? "missed with " : "", who);
        (void)fprintf(junit->out, "</%s>\n", elements[state]);
    } else if (state == SKIPPED) {
        (void)fprintf(junit->out, "      <%s message=\"", elements[state]);
        put_format(junit, "not judged: %s; %s, limit %s",
                   any_invalid(result) ? "the measurement is invalid"
                   : result->partial   ? "the storm ended early"
                                       : "nothing is known to judge it by",
                   value, limit);
        (void)fputs("\"/>\n", junit->out);
    }
    (void)fputs("      <system-out>", junit->out);
    put_format(junit, "%s: %s, limit %s%s%s", target->name, value, limit,
               pace[0] != '\0' ? ", " : "", pace);
    (void)fputs("</system-out>\n    </testcase>\n", junit->out);
}

static void put_counts(struct junit *junit, bool with_skipped)
{
    const struct ls_result *result = junit->result;
    size_t tests = result->targets_count + 1, counts[SKIPPED + 1] = {0};

    counts[BROKEN] = result->partial;
    for (size_t i = 0; i < result->runs_count; i++) {
        if (result->runs[i].live) {
            tests++;
            counts[state_of_run(&result->runs[i])]++;
        }
    }
    for (size_t i = 0; i < result->targets_count; i++) {
        counts[state_of_target(result, &result->targets[i])]++;
    }
    (void)fprintf(junit->out, " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\"", tests,
                  counts[FAILED], counts[BROKEN]);
    if (with_skipped) {
        (void)fprintf(junit->out, " skipped=\"%zu\"", counts[SKIPPED]);
    }
}

static void put_properties(struct junit *junit)
{
    const struct ls_result *result = junit->result;
    char seed[32];
    const struct {
        const char *name, *value;
    } rows[] = {
        {"engine", is_simulated(result) ? "model" : "live"},
        {"seed", seed},
        {"sha256", result->sha256},
        {"cpu", result->host_cpu},
        {"tls_library", result->tls_library},
        {"tls_build", result->tls_build},
    };

    (void)snprintf(seed, sizeof seed, "%llu", (unsigned long long)result->seed);
    (void)fputs("    <properties>\n", junit->out);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].value != NULL) {
            (void)fprintf(junit->out, "      <property name=\"%s\" value=\"", rows[i].name);
            put_text(junit, rows[i].value);
            (void)fputs("\"/>\n", junit->out);
        }
    }
    (void)fputs("    </properties>\n", junit->out);
}

/* "2026-11-30T07:55:00Z" without the Z, as the schema has it. */
static void put_timestamp(struct junit *junit)
{
    const char *created = junit->result->created;

    if (created != NULL && strlen(created) == 20 && created[19] == 'Z') {
        (void)fputs(" timestamp=\"", junit->out);
        put_format(junit, "%.19s", created);
        (void)fputc('"', junit->out);
    }
}

enum ls_code ls_report_junit(const struct ls_result *result, FILE *out, struct ls_error *err)
{
    struct junit junit = {.out = out, .result = result};

    (void)fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"loginstorm\"", out);
    put_counts(&junit, false);
    (void)fputs(">\n  <testsuite name=\"", out);
    put_text(&junit, result->name);
    (void)fputc('"', out);
    put_counts(&junit, true);
    put_timestamp(&junit);
    (void)fputs(">\n", out);
    put_properties(&junit);
    put_end(&junit);
    for (size_t i = 0; i < result->runs_count; i++) {
        if (result->runs[i].live) {
            put_run(&junit, &result->runs[i]);
        }
    }
    for (size_t i = 0; i < result->targets_count; i++) {
        put_target(&junit, &result->targets[i]);
    }
    (void)fputs("  </testsuite>\n</testsuites>\n", out);
    if (junit.no_memory) {
        return ls_error_set(err, LS_ENOMEM, "no memory for the report");
    }
    if (fflush(out) != 0 || ferror(out) != 0) {
        return ls_error_set_errno(err, LS_EWRITE, "cannot write the report");
    }
    return LS_OK;
}
