/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page of a result: the answer, how far it can be trusted, pictures, figures. */
#include <inttypes.h>
#include <string.h>

#include "report/html_parts.h"
#include "report/lines.h"

static const struct ls_report_look look = {.columns = 80, .utf8 = true};

void html_answer(struct page *page, const char *question, const struct answer *answer)
{
    html_section(page, "answer", question);
    (void)fprintf(page->out, "<div class=\"answer %s\">\n<p>", answer_word(answer->tone));
    html_text(page, answer->stands);
    html_raw(page, "</p>\n<p>");
    html_text(page, answer->room);
    html_raw(page, "</p>\n</div>\n");
    html_section_end(page);
}

static void put_answer(struct page *page, const struct rounds *rounds)
{
    struct answer answer;

    if (answer_of(&answer, rounds)) {
        html_answer(page, "Does it stand?", &answer);
    } else {
        page->no_memory = true;
    }
    answer_clear(&answer);
}

/* Of a simulation nothing was measured but its costs. */
static void put_trust(struct page *page, const struct rounds *rounds)
{
    const struct ls_result *medians = &rounds->medians;

    put_partial(page, &rounds->named);
    if (medians->runs_count == 0) {
        page_put(page, YELLOW, 0, "Nothing was measured.");
        return;
    }
    if (is_simulated(medians)) {
        put_simulated(page, medians);
        return;
    }
    put_verdicts(page, medians);
    if (rounds->most > 1) {
        put_reasons(page, &rounds->named);
    }
}

static void put_figures(struct page *page, const struct rounds *rounds)
{
    const struct ls_result *medians = &rounds->medians, *named = &rounds->named;

    html_section(page, "figures", "The figures");
    if (medians->closed) {
        put_loops(page, medians);
    } else {
        put_main_table(page, medians);
    }
    if (rounds->most > 1) {
        put_medians(page, rounds);
    }
    put_pace(page, medians);
    put_peaks(page, medians);
    html_section_end(page);
    html_section(page, "failures", "Who did not get in");
    html_failure_bars(page, medians);
    put_failures(page, named);
    if (named->runs_count > 0 && !has_failures(named)) {
        html_raw(page, "<p>Everybody got in.</p>\n");
    }
    html_section_end(page);
}

static void put_costs(struct page *page, const struct ls_result *medians)
{
    html_section(page, "cpu", "What it costs the gateway");
    if (is_simulated(medians)) {
        page_put(page, PLAIN, 0, "Costs are from %s.",
                 medians->costs != NULL ? medians->costs : "an unknown profile");
    } else {
        put_cost_table(page, medians);
        put_resumed(page, medians);
    }
    html_section_end(page);
    html_section(page, "bytes", "Bytes on the wire");
    html_bytes_bars(page, medians);
    if (is_simulated(medians)) {
        html_raw(page, "<p>Of a simulation the bytes are not known.</p>\n");
    } else if (!medians->closed) {
        put_bytes_table(page, medians);
    }
    html_section_end(page);
}

static void put_origin(struct page *page, const struct ls_result *result)
{
    html_section(page, "origin", "Where this is from");
    put_notes(page, result);
    page_put(page, PLAIN, 0, "Scenario: %s, seed %" PRIu64 ", sha256 %s.",
             result->name != NULL ? result->name : "unnamed", result->seed,
             result->sha256 != NULL ? result->sha256 : "not known");
    page_put(page, PLAIN, 0, "Made %s%s%s, %d cores, %s. Times of day are those of %s.",
             result->created != NULL ? result->created : "at a time that is not known",
             is_simulated(result) ? " by simulation, at the costs of " : " on ",
             result->host_cpu != NULL ? result->host_cpu : "a host that is not known",
             result->host_cores,
             result->host_kernel != NULL ? result->host_kernel : "a kernel that is not known",
             result->timezone != NULL ? result->timezone : "the scenario");
    page_put(page, PLAIN, 0, "All of it, to compute with, is in result.json beside this page.");
    html_section_end(page);
}

static void put_rest(struct page *page, const struct rounds *rounds)
{
    const struct ls_result *medians = &rounds->medians, *named = &rounds->named;

    if (medians->runs_count > 0) {
        html_pictures(page, rounds, false);
        put_figures(page, rounds);
        put_costs(page, medians);
    }
    if (named->comparison != NULL) {
        html_section(page, "comparison", "The certificates beside each other");
        put_comparison(page, named->comparison, true);
        html_section_end(page);
    }
    put_origin(page, named);
}

static void put_top(struct page *page, const struct rounds *rounds, const char *stream)
{
    const struct ls_result *named = &rounds->named;

    html_begin(page, named->name != NULL && named->name[0] != '\0' ? named->name : "A login storm",
               stream);
    put_heading(page, named);
    html_raw(page, "</header>\n<main>\n");
}

enum ls_code ls_report_html(const struct ls_result *result, FILE *out, struct ls_error *err)
{
    struct page page = {.out = out, .look = &look, .html = true};
    struct rounds rounds;

    if (rounds_init(&rounds, result)) {
        put_top(&page, &rounds, NULL);
        put_answer(&page, &rounds);
        html_section(&page, "trust",
                     is_simulated(&rounds.medians) ? "What was simulated"
                                                   : "Can the measurement be trusted?");
        put_trust(&page, &rounds);
        html_section_end(&page);
        if (result->targets_count > 0) {
            html_section(&page, "targets", "The targets");
            put_targets(&page, &rounds.named);
            html_section_end(&page);
        }
        put_rest(&page, &rounds);
        html_raw(&page, "</main>\n");
        html_result_data(&page, &rounds.medians, NULL, 0);
        html_end(&page, false);
    } else {
        page.no_memory = true;
    }
    rounds_clear(&rounds);
    return page_finish(&page, err);
}

/* What page.js fills, a row a certificate. */
static void put_now(struct page *page)
{
    static const char *const headings[] = {"at",        "due",           "logged in", "under way",
                                           "failed",    "p50",           "p99",       "p100",
                                           "CPU cores", "start lag, p99"};

    html_raw(page, "<div id=\"now\" hidden>\n");
    html_scroll(page, "The storm now");
    html_raw(page,
             "<table>\n<caption>Latencies and cores are of the last second, all else since the "
             "storm began</caption>\n<thead><tr><th scope=\"col\">certificate</th>");
    for (size_t i = 0; i < sizeof headings / sizeof headings[0]; i++) {
        html_raw(page, "<th scope=\"col\">");
        html_text(page, headings[i]);
        html_raw(page, "</th>");
    }
    html_raw(page, "</tr></thead>\n<tbody></tbody>\n</table>\n");
    html_scroll_end(page);
    html_raw(page, "</div>\n");
}

enum ls_code ls_report_live_html(const struct ls_result *result, const char *stream, int cores,
                                 FILE *out, struct ls_error *err)
{
    struct page page = {.out = out, .look = &look, .html = true};
    struct rounds rounds;

    if (rounds_init(&rounds, result)) {
        put_top(&page, &rounds, stream);
        html_section(&page, "answer", "The storm is under way");
        html_raw(&page,
                 "<div class=\"answer unknown\"><p id=\"live\" role=\"status\">This page wants "
                 "JavaScript, and its server.</p></div>\n");
        put_now(&page);
        html_section_end(&page);
        html_pictures(&page, &rounds, true);
        html_raw(&page, "</main>\n");
        html_result_data(&page, &rounds.medians, stream, cores);
        html_end(&page, true);
    } else {
        page.no_memory = true;
    }
    rounds_clear(&rounds);
    return page_finish(&page, err);
}

enum ls_code ls_report_live_policy(FILE *out, struct ls_error *err)
{
    struct page page = {.out = out, .look = &look, .html = true};

    html_policy(&page, true);
    return page_finish(&page, err);
}
