/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The pages of a plan and of a comparison. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/html_parts.h"
#include "report/lines.h"
#include "report/planned.h"

static const struct ls_report_look look = {.columns = 80, .utf8 = true};

/* Whether a picture by that many points of some row says anything. */
static bool has_cliff(const struct ls_plan *plan)
{
    for (size_t i = 0; i < plan->rows_count && i < HTML_SHOWN; i++) {
        if (plan->rows[i].gateways > 0 && plan->rows[i].cliff[1].users > 0) {
            return true;
        }
    }
    return false;
}

static bool has_fewer(const struct ls_plan *plan)
{
    for (size_t i = 0; i < plan->rows_count && i < HTML_SHOWN; i++) {
        if (plan->rows[i].gateways > 0 && plan->rows[i].one_less.users > 0) {
            return true;
        }
    }
    return false;
}

static void put_pictures(struct page *page, const struct ls_plan *plan)
{
    const bool counted = plan->capacity.logins > 0;

    if (!has_cliff(plan)) {
        return;
    }
    html_section(page, "pictures", "The cliff in pictures");
    html_raw(page, "<div class=\"pictures\">\n");
    if (!counted) {
        html_picture(
            page, "plan-latency", -1, "Login p99 against the number of users",
            "The planned farm with its spare gateways down, what 95 % of the mornings keep. "
            "A line that ends stands before mornings on which so many fail that there is no "
            "p99.");
        planned_cliffs(page, plan);
        html_picture_end(page);
    }
    html_picture(page, "plan-peak", -1,
                 counted ? "How full the capacity is, against the number of users"
                         : "How full a gateway is, against the number of users",
                 counted
                     ? "The fullest stretch of a morning against what the planned farm takes, in "
                       "95 % of mornings at most."
                     : "A gateway's cores in its fullest minute, in 95 % of mornings at most; the "
                       "planned farm with its spare gateways down.");
    planned_cliffs(page, plan);
    html_picture_end(page);
    if (has_fewer(plan)) {
        html_picture(page, "plan-gateways", -1,
                     counted ? "How full the capacity is, against the number of gateways"
                             : "How full a gateway is, against the number of gateways",
                     "The planned number, and one fewer; spare ones are counted and down.");
        planned_fewer(page, plan);
        html_picture_end(page);
    }
    html_raw(page, "</div>\n");
    html_section_end(page);
}

static void put_answer(struct page *page, const struct ls_plan *plan)
{
    struct answer answer;

    if (answer_of_plan(&answer, plan)) {
        html_answer(page, "What does it take?", &answer);
    } else {
        page->no_memory = true;
    }
    answer_clear(&answer);
}

enum ls_code ls_report_plan_html(const struct ls_plan *plan, FILE *out, struct ls_error *err)
{
    struct page page = {.out = out, .look = &look, .html = true};

    html_begin(&page, plan->name != NULL && plan->name[0] != '\0' ? plan->name : "A plan", NULL);
    planned_head(&page, plan);
    html_raw(&page, "</header>\n<main>\n");
    put_answer(&page, plan);
    html_section(&page, "farms", "The farm for each certificate");
    planned_farms(&page, plan);
    html_section_end(&page);
    put_pictures(&page, plan);
    html_section(&page, "cliff", "With more users");
    planned_cliffs(&page, plan);
    html_section_end(&page);
    html_section(&page, "words", "In words, for a mail");
    page_put(&page, PLAIN, 0, "%s", plan->words != NULL ? plan->words : "");
    html_section_end(&page);
    html_section(&page, "origin", "What it goes by");
    planned_notes(&page, plan);
    page_put(&page, PLAIN, 0, "All of it, to compute with, is in plan.json.");
    html_section_end(&page);
    html_raw(&page, "</main>\n");
    html_plan_data(&page, plan);
    html_end(&page, false);
    return page_finish(&page, err);
}

/* ------------------------------------------------------------------------------------ comparison */

static void put_choice(struct page *page, const struct ls_comparison *comparison)
{
    size_t told = 0;

    html_section(page, "answer", "Which certificate?");
    (void)fprintf(page->out, "<div class=\"answer %s\">\n", comparison->forced ? "no" : "unknown");
    if (comparison->forced) {
        html_raw(page, "<p>Storms, machines or builds that are not alike were compared, since that "
                       "was asked for.</p>\n");
    }
    for (size_t i = 0; i < comparison->advice_count && told < 2; i++) {
        if (strcmp(comparison->advice[i].about, "choice") == 0 ||
            strcmp(comparison->advice[i].about, "hardware") == 0 ||
            strcmp(comparison->advice[i].about, "doubt") == 0) {
            html_raw(page, "<p>");
            html_text(page, comparison->advice[i].text);
            html_raw(page, "</p>\n");
            told++;
        }
    }
    if (told == 0) {
        html_raw(page,
                 "<p>Nothing could be told apart; what was compared, and why not more, stands "
                 "below.</p>\n");
    }
    html_raw(page, "</div>\n");
    html_section_end(page);
}

enum ls_code ls_report_comparison_html(const struct ls_comparison *comparison, FILE *out,
                                       struct ls_error *err)
{
    struct page page = {.out = out, .look = &look, .html = true};

    html_begin(&page, "Certificates beside each other", NULL);
    html_raw(&page, "</header>\n<main>\n");
    put_choice(&page, comparison);
    html_section(&page, "comparison", "The comparison");
    put_comparison(&page, comparison, false);
    html_section_end(&page);
    html_raw(&page, "</main>\n");
    html_data_begin(&page);
    html_raw(&page, "{\"version\":1,\"kind\":\"comparison\",\"runs\":[],\"stream\":null}");
    html_data_end(&page);
    html_end(&page, false);
    return page_finish(&page, err);
}
