/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pictures of the morning, and the table behind each. */
#include <inttypes.h>
#include <stdlib.h>

#include "report/grid.h"
#include "report/html_parts.h"
#include "report/lines.h"

/* The steps of all shown runs, one run behind the other. */
struct morning {
    const struct ls_result *result;
    size_t runs;
    struct grid grid;
    struct grid_step *steps;
};

static size_t html_rows(const struct ls_result *medians)
{
    return html_steps(medians) < HTML_ROWS ? html_steps(medians) : HTML_ROWS;
}

static bool morning_init(struct morning *morning, const struct ls_result *medians)
{
    *morning = (struct morning){.result = medians, .runs = html_shown(medians)};
    morning->grid = grid_of(medians, morning->runs, html_rows(medians));
    morning->steps = calloc(morning->runs * morning->grid.count + 1, sizeof *morning->steps);
    for (size_t i = 0; morning->steps != NULL && i < morning->runs; i++) {
        grid_fill(&morning->grid, &medians->runs[i], morning->steps + i * morning->grid.count);
    }
    return morning->steps != NULL;
}

static const struct grid_step *step_of(const struct morning *morning, size_t run, size_t row)
{
    return &morning->steps[run * morning->grid.count + row];
}

static void put_when(struct page *page, const struct morning *morning, size_t row)
{
    const int64_t at_ns = morning->result->from_ns + (int64_t)row * morning->grid.step_ns;
    char clock[16];

    html_raw(page, "<tr><th scope=\"row\">");
    if (morning->result->closed) {
        char since[32];

        ls_format_ns(at_ns, since, sizeof since);
        html_text(page, row == 0 ? "0 s" : since);
    } else if (morning->grid.step_ns < LS_NS_PER_S) {
        ls_format_clock(at_ns, 1, clock, sizeof clock);
        html_put(page, "%s.%d", clock, (int)(at_ns / (LS_NS_PER_S / 10) % 10));
    } else {
        ls_format_clock(at_ns, morning->grid.step_ns % LS_NS_PER_MIN != 0, clock, sizeof clock);
        html_text(page, clock);
    }
    html_raw(page, "</th>");
}

static void put_count(struct page *page, bool there, int64_t count)
{
    char text[32] = "-";

    if (there) {
        ls_format_count(count, text, sizeof text);
    }
    html_cell(page, "%s", text);
}

static void put_time(struct page *page, int64_t ns)
{
    char text[32];

    ls_format_ns(ns, text, sizeof text);
    html_cell(page, "%s", text);
}

static void put_column(struct page *page, const char *heading)
{
    html_raw(page, "<th scope=\"col\">");
    html_text(page, heading);
    html_raw(page, "</th>");
}

static void table_begin(struct page *page, const struct morning *morning, const char *label)
{
    char step[32];

    html_scroll(page, label);
    html_raw(page, "<table>\n<caption>");
    ls_format_duration(morning->grid.step_ns, step, sizeof step);
    html_put(page, "Each row is %s", step);
    html_raw(page,
             morning->grid.merged
                 ? "; of the slices in it latencies and logins under way are the largest, cores "
                   "the mean</caption>\n<thead><tr>"
                 : "</caption>\n<thead><tr>");
    put_column(page, morning->result->closed ? "since the start" : "from");
}

static void table_end(struct page *page)
{
    html_raw(page, "</tbody>\n</table>\n");
    html_scroll_end(page);
}

static void put_names(struct page *page, const struct morning *morning)
{
    for (size_t i = 0; i < morning->runs; i++) {
        put_column(page, morning->result->runs[i].certificate);
    }
    html_raw(page, "</tr></thead>\n<tbody>\n");
}

static void put_logins(struct page *page, const struct morning *morning)
{
    html_picture(
        page, "logins", -1, "Logins a minute, due and done",
        "When users wanted in, and when they were in. Where a line stays below what is due, "
        "users wait.");
    table_begin(page, morning, "Logins, due and done");
    put_column(page, "due");
    put_names(page, morning);
    for (size_t row = 0; row < morning->grid.count; row++) {
        int64_t due = 0;

        for (size_t i = 0; i < morning->runs; i++) {
            due = step_of(morning, i, row)->due > due ? step_of(morning, i, row)->due : due;
        }
        put_when(page, morning, row);
        put_count(page, true, due);
        for (size_t i = 0; i < morning->runs; i++) {
            put_count(page, step_of(morning, i, row)->there, step_of(morning, i, row)->logged_in);
        }
        html_raw(page, "</tr>\n");
    }
    table_end(page);
    html_picture_end(page);
}

static void put_latency(struct page *page, const struct morning *morning, size_t run)
{
    const char *name = morning->result->runs[run].certificate;
    char heading[160];

    (void)snprintf(heading, sizeof heading, "Login latency, %.120s", name);
    html_picture(
        page, "latency", (int)run, heading,
        "From the moment a user was due: half are in within p50, 99 of a hundred within p99, "
        "everybody who got in within p100.");
    table_begin(page, morning, heading);
    put_column(page, "logged in");
    put_column(page, "failed");
    put_column(page, "p50");
    put_column(page, "p99");
    put_column(page, "p100");
    html_raw(page, "</tr></thead>\n<tbody>\n");
    for (size_t row = 0; row < morning->grid.count; row++) {
        const struct grid_step *step = step_of(morning, run, row);

        put_when(page, morning, row);
        put_count(page, step->there, step->logged_in);
        put_count(page, step->there, step->failed);
        put_time(page, step->p50_ns);
        put_time(page, step->p99_ns);
        put_time(page, step->p100_ns);
        html_raw(page, "</tr>\n");
    }
    table_end(page);
    html_picture_end(page);
}

static void put_cores(struct page *page, const struct morning *morning)
{
    char caption[256], times[32], played[96] = "";

    if (!own_pace(morning->result)) {
        speedup_words(morning->result->speedup, times, sizeof times);
        (void)snprintf(played, sizeof played, " As played, %s as dense as the morning itself.",
                       times);
    }
    (void)snprintf(caption, sizeof caption,
                   "Cores that the gateway used, and those that there are.%s", played);
    html_picture(page, "cores", -1, "Gateway CPU, in cores", caption);
    table_begin(page, morning, "Gateway CPU, in cores");
    put_names(page, morning);
    for (size_t row = 0; row < morning->grid.count; row++) {
        put_when(page, morning, row);
        for (size_t i = 0; i < morning->runs; i++) {
            char text[32];

            ls_format_cores(step_of(morning, i, row)->cores, text, sizeof text);
            html_cell(page, "%s", text);
        }
        html_raw(page, "</tr>\n");
    }
    html_raw(page, "<tr><th scope=\"row\">there are</th>");
    for (size_t i = 0; i < morning->runs; i++) {
        const int workers = morning->result->runs[i].gateway_workers;

        html_cell(page, workers > 0 ? "%d" : "-", workers);
    }
    html_raw(page, "</tr>\n");
    table_end(page);
    html_picture_end(page);
}

/* A crowd within a slice is gone when it ends; results from before the most was written know those at
 * its end alone, so the most of all is told beside. */
static bool knows_peaks(const struct morning *morning)
{
    for (size_t i = 0; i < morning->runs; i++) {
        const struct ls_run *run = &morning->result->runs[i];

        for (size_t n = 0; n < run->timeline_count; n++) {
            if (run->timeline[n].peak_in_flight < 0) {
                return false;
            }
        }
    }
    return true;
}

/* Counted from when users are due, as in the picture; a run's own figure counts from when they were
 * started. */
static int64_t most_in_flight(const struct ls_run *run)
{
    int64_t most = -1;

    for (size_t i = 0; i < run->timeline_count; i++) {
        const int64_t peak = run->timeline[i].peak_in_flight;

        most = peak > most ? peak : most;
    }
    return most >= 0 ? most : run->peak_in_flight;
}

static void put_flight(struct page *page, const struct morning *morning)
{
    char caption[640];
    size_t used = (size_t)snprintf(caption, sizeof caption,
                                   "Users who are due and not yet in, %s: a hill that stays is a "
                                   "queue. The most at once: ",
                                   knows_peaks(morning) ? "the most at any moment of each step"
                                                        : "as each slice ends");

    for (size_t i = 0; i < morning->runs && used < sizeof caption; i++) {
        const struct ls_run *run = &morning->result->runs[i];
        char count[32];

        ls_format_count(most_in_flight(run), count, sizeof count);
        used += (size_t)snprintf(caption + used, sizeof caption - used, "%s%s with %.60s",
                                 i == 0 ? "" : ", ", count, run->certificate);
    }
    (void)snprintf(caption + used, used < sizeof caption ? sizeof caption - used : 0, ".");
    html_picture(page, "flight", -1, "Logins in flight",
                 morning->runs > 0 ? caption : "Users who are due and not yet in.");
    table_begin(page, morning, "Logins in flight");
    put_names(page, morning);
    for (size_t row = 0; row < morning->grid.count; row++) {
        put_when(page, morning, row);
        for (size_t i = 0; i < morning->runs; i++) {
            put_count(page, step_of(morning, i, row)->there, step_of(morning, i, row)->in_flight);
        }
        html_raw(page, "</tr>\n");
    }
    table_end(page);
    html_picture_end(page);
}

/* ------------------------------------------------------------------------------ the distribution */

static void put_distribution_rows(struct page *page, const struct ls_result *medians, size_t shown)
{
    static const char *const names[] = {"fastest", "50 %",   "90 %", "95 %",
                                        "99 %",    "99.9 %", "100 %"};

    for (size_t q = 0; q < sizeof names / sizeof names[0]; q++) {
        html_raw(page, "<tr><th scope=\"row\">");
        html_text(page, names[q]);
        html_raw(page, "</th>");
        for (size_t i = 0; i < shown; i++) {
            const struct ls_quantiles *login = &medians->runs[i].login;
            const int64_t values[] = {login->min, login->p50,   login->p90, login->p95,
                                      login->p99, login->p99_9, login->p100};

            put_time(page, values[q]);
        }
        html_raw(page, "</tr>\n");
    }
}

static void put_band_rows(struct page *page, const struct ls_result *medians, size_t shown)
{
    static const char *const names[] = {"50 %", "95 %", "99 %", "100 %"};

    for (size_t q = 0; q < 4 && is_simulated(medians) && medians->runs[0].mornings.count > 1; q++) {
        html_raw(page, "<tr><th scope=\"row\">");
        html_put(page, "%s, the middle 95 %% of mornings", names[q]);
        html_raw(page, "</th>");
        for (size_t i = 0; i < shown; i++) {
            const struct ls_run_mornings *mornings = &medians->runs[i].mornings;
            const struct ls_range *ranges[] = {&mornings->login_p50, &mornings->login_p95,
                                               &mornings->login_p99, &mornings->login_p100};
            char low[32], high[32];

            ls_format_ns(ranges[q]->low, low, sizeof low);
            ls_format_ns(ranges[q]->high, high, sizeof high);
            html_cell(page, "%s to %s", low, high);
        }
        html_raw(page, "</tr>\n");
    }
}

static void put_distribution(struct page *page, const struct ls_result *medians)
{
    const size_t shown = html_shown(medians);
    const bool band = is_simulated(medians) && medians->runs[0].mornings.count > 1;

    html_picture(page, "distribution", -1, "How long a login takes",
                 band
                     ? "So many of those who got in were in within that time. Each nine more is as "
                       "wide as the one before. The shade is where the middle 95 % of the mornings "
                       "lie; the line is the first one's."
                     : "So many of those who got in were in within that time. Each nine more is as "
                       "wide as the one before.");
    html_scroll(page, "How long a login takes");
    html_raw(page,
             "<table>\n<caption>Of those who got in, within that time</caption>\n<thead><tr>");
    put_column(page, "share");
    for (size_t i = 0; i < shown; i++) {
        put_column(page, medians->runs[i].certificate);
    }
    html_raw(page, "</tr></thead>\n<tbody>\n");
    put_distribution_rows(page, medians, shown);
    put_band_rows(page, medians, shown);
    html_raw(page, "</tbody>\n</table>\n");
    html_scroll_end(page);
    html_picture_end(page);
}

/* Buttons for those who do not drag with a mouse; page.js shows them. */
static void put_tools(struct page *page)
{
    html_raw(page,
             "<p class=\"hint\" hidden>Drag across a picture to look closer, at all of them "
             "at once; a double click shows the whole morning again.</p>\n"
             "<div class=\"tools\" role=\"group\" aria-label=\"What the pictures show\" hidden>"
             "<button type=\"button\" data-do=\"earlier\">Earlier</button>"
             "<button type=\"button\" data-do=\"closer\">Closer</button>"
             "<button type=\"button\" data-do=\"wider\">Wider</button>"
             "<button type=\"button\" data-do=\"later\">Later</button>"
             "<button type=\"button\" data-do=\"all\">The whole morning</button>"
             "<output class=\"span\"></output></div>\n");
}

static void put_which(struct page *page, const struct rounds *rounds)
{
    const struct ls_result *medians = &rounds->medians;

    if (rounds->most > 1) {
        html_raw(page, "<p>Pictures over the morning are of the first round.</p>\n");
    }
    if (is_simulated(medians) && medians->runs[0].mornings.count > 1) {
        html_raw(page, "<p>Pictures over the morning are of the first of the simulated "
                       "mornings.</p>\n");
    }
    if (medians->runs_count > HTML_SHOWN) {
        html_raw(page, "<p>");
        html_put(page,
                 "The pictures show the first %d of %zu certificates; the tables of figures "
                 "have all.",
                 HTML_SHOWN, medians->runs_count);
        html_raw(page, "</p>\n");
    }
}

void html_pictures(struct page *page, const struct rounds *rounds, bool live)
{
    const struct ls_result *medians = &rounds->medians;
    struct morning morning;

    if (!morning_init(&morning, medians)) {
        page->no_memory = true;
    } else if (morning.grid.count > 0 || live) {
        html_section(page, "pictures",
                     medians->closed ? "The storm in pictures" : "The morning in pictures");
        put_which(page, rounds);
        put_tools(page);
        html_raw(page, "<div class=\"pictures\">\n");
        put_logins(page, &morning);
        put_cores(page, &morning);
        for (size_t i = 0; i < morning.runs; i++) {
            put_latency(page, &morning, i);
        }
        if (!live) {
            put_distribution(page, medians);
        }
        put_flight(page, &morning);
        html_raw(page, "</div>\n");
        html_section_end(page);
    }
    free(morning.steps);
}
