/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The plan as one paragraph that can be pasted into a mail. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "loginstorm/result.h"
#include "plan/work.h"

static void count_words(int64_t count, char *out, size_t size)
{
    ls_format_count(count, out, size);
}

static const char *plural(int64_t count)
{
    return count == 1 ? "" : "s";
}

static void percent(double share, char *out, size_t size)
{
    (void)snprintf(out, size, share < 5e-6 ? "%.0f %%" : "%.3g %%", share * 100);
}

static void duration(double ns, char *out, size_t size)
{
    if (isinf(ns)) {
        (void)snprintf(out, size, "for ever");
    } else {
        ls_format_ns((int64_t)ns, out, size);
    }
}

/* "login_p99 (1.52 s, at most 1.00 s)": each target that is missed. */
static void missed_words(FILE *out, const struct ls_plan *plan, const struct ls_plan_farm *farm)
{
    const double values[] = {farm->p50_ns.most,       farm->p95_ns.most,
                             farm->p99_ns.most,       farm->p100_ns.most,
                             farm->failed_share.most, farm->cpu_peak_share.most};
    const char *before = "";

    for (int t = 0; t < LS_PLAN_TARGETS; t++) {
        char value[32], limit[32];

        if ((farm->missed & 1U << t) == 0) {
            continue;
        }
        if (ls_plan_target_is_share((enum ls_plan_target)t)) {
            percent(values[t], value, sizeof value);
            percent(plan->limits[t].limit, limit, sizeof limit);
        } else {
            duration(values[t], value, sizeof value);
            duration(plan->limits[t].limit, limit, sizeof limit);
        }
        (void)fprintf(out, "%s%s (%s, at most %s)", before,
                      ls_plan_target_word((enum ls_plan_target)t), value, limit);
        before = " and ";
    }
}

static const char *break_words(const struct ls_plan_farm *farm)
{
    static const char *const words[] = {
        [LS_BREAK_NONE] = "nothing",
        [LS_BREAK_CPU] = "CPU: logins wait for a core",
        [LS_BREAK_BACKLOG] = "the backlog: SYNs find no place and come again a second later",
        [LS_BREAK_TIMEOUTS] = "time-outs: users give up while their handshakes wait for a core",
        [LS_BREAK_RETRIES] = "retries: users who come again make more work than there was",
        [LS_BREAK_CAPACITY] = "the published capacity",
    };

    return farm->missed == 1U << LS_TARGET_CPU_PEAK
               ? "CPU: a gateway's cores are fuller than they may be"
               : words[farm->why];
}

static void put_gateways(FILE *out, const struct ls_plan *plan, const struct ls_plan_row *row)
{
    char gateways[32];

    count_words(row->gateways, gateways, sizeof gateways);
    (void)fprintf(out, "%s gateway%s", gateways, plural(row->gateways));
    if (plan->capacity.logins == 0) {
        (void)fprintf(out, " of %d core%s", plan->cores, plural(plan->cores));
    }
    if (row->gateways_low != row->gateways_high) {
        char high[32];

        count_words(row->gateways_high, high, sizeof high);
        (void)fprintf(out,
                      " (%d to %s, since the costs are known to between %+.0f %% and %+.0f %%)",
                      row->gateways_low, row->gateways_high > 0 ? high : "more than there are",
                      (row->cpu_low - 1) * 100, (row->cpu_high - 1) * 100);
    }
    if (plan->spare > 0) {
        (void)fprintf(out, ", %d of them spare", plan->spare);
    }
}

static void put_carried(FILE *out, const struct ls_plan_carried *carried)
{
    char users[32];

    count_words(carried->users, users, sizeof users);
    if (carried->users == 0) {
        (void)fputs("hardly a user", out);
    } else {
        (void)fprintf(out, "%s%s users", carried->over ? "more than " : "", users);
    }
}

static void put_today(FILE *out, const struct ls_plan *plan, const struct ls_plan_row *row)
{
    (void)fprintf(out, " %s %d gateway%s carr%s ", plan->farm_given ? "Today's" : "A farm of",
                  plan->gateways, plural(plan->gateways),
                  plan->farm_given && plan->gateways > 1 ? "y" : "ies");
    put_carried(out, &row->today_carries);
    if (plan->spare > 0) {
        (void)fprintf(out, " with %d down, and ", plan->spare);
        put_carried(out, &row->today_all_carries);
        (void)fputs(" with all up", out);
    }
    if (row->today.missed != 0 && plan->capacity.logins == 0) {
        char users[32];

        count_words(plan->users, users, sizeof users);
        (void)fprintf(out, "; with %s users %s ", users,
                      plan->gateways == 1 ? "it misses" : "they miss");
        missed_words(out, plan, &row->today);
    }
    (void)fputc('.', out);
}

static void put_room(FILE *out, const struct ls_plan *plan, const struct ls_plan_row *row)
{
    const int64_t more = row->carries.users * 100 / plan->users - 100;

    (void)fputs(" That carries ", out);
    put_carried(out, &row->carries);
    if (row->carries.over) {
        (void)fputc('.', out);
        return;
    }
    if (more < 1) {
        (void)fputs(", hardly more than now; beyond that ", out);
    } else {
        (void)fprintf(out, ", %lld %% more than now; beyond that ", (long long)more);
    }
    if (plan->capacity.logins > 0) {
        (void)fputs("the published capacity is exceeded.", out);
        return;
    }
    missed_words(out, plan, &row->edge);
    (void)fprintf(out, " is missed, and what gives way is %s.", break_words(&row->edge));
}

static void put_cost_row(FILE *out, const struct ls_plan *plan, const struct ls_plan_row *row)
{
    const struct ls_plan_farm *farm = &row->cliff[0];
    char p99[32], failed[32], peak[32];

    if (row->gateways == 0) {
        (void)fprintf(out, " With %s no number of gateways meets the targets: %s.",
                      row->certificate, row->why_not);
        return;
    }
    duration(farm->p99_ns.most, p99, sizeof p99);
    percent(farm->failed_share.most, failed, sizeof failed);
    percent(farm->cpu_peak_share.most, peak, sizeof peak);
    (void)fprintf(out, " With %s they need ", row->certificate);
    put_gateways(out, plan, row);
    (void)fprintf(
        out,
        ": then in 95 %% of mornings 99 %% of the logins take %s at most, %s fail, and no "
        "gateway's fullest minute takes more than %s of its cores.",
        p99, failed, peak);
    put_room(out, plan, row);
    put_today(out, plan, row);
}

static void put_capacity_row(FILE *out, const struct ls_plan *plan, const struct ls_plan_row *row)
{
    const struct ls_plan_capacity *capacity = &plan->capacity;
    const struct ls_plan_farm *less = &row->one_less;
    char logins[32], in[32], most[32], mean[32];

    count_words(capacity->logins, logins, sizeof logins);
    ls_format_duration(capacity->in_ns, in, sizeof in);
    count_words((int64_t)capacity->most, most, sizeof most);
    (void)fprintf(out,
                  " A gateway takes %s logins in %s, and in 95 %% of mornings no stretch of %s "
                  "holds more than %s",
                  logins, in, in, most);
    if (capacity->mean >= 0) {
        count_words((int64_t)(capacity->mean + 0.5), mean, sizeof mean);
        (void)fprintf(
            out,
            " (the curve's mean has %s, %.2f times that; the fullest stretch of a single morning "
            "lies around it, mostly above, and decides)",
            mean, capacity->mean / (double)capacity->logins);
    }
    if (row->gateways == 0) {
        (void)fprintf(out, ": no number of gateways is enough: %s.", row->why_not);
        return;
    }
    (void)fputs(": they need ", out);
    put_gateways(out, plan, row);
    (void)fputc('.', out);
    if (less->users > 0 && less->capacity_met >= 0.05) {
        (void)fprintf(out,
                      " %d%s stand%s exactly on the edge: in %.0f %% of mornings more users come "
                      "than they take.",
                      row->gateways - 1, plan->spare > 0 ? " (spare ones included)" : "",
                      row->gateways == 2 ? "s" : "", (1 - less->capacity_met) * 100);
    }
    put_room(out, plan, row);
    put_today(out, plan, row);
}

/* What the other certificates are worth against the first one. */
static void put_gains(FILE *out, const struct ls_plan *plan)
{
    const struct ls_plan_row *base = &plan->rows[0];

    for (size_t i = 1; i < plan->rows_count && base->gateways > 0; i++) {
        const struct ls_plan_row *row = &plan->rows[i];
        const int saved = base->gateways - row->gateways;

        if (row->gateways > 0 && saved != 0) {
            (void)fprintf(out, " Against %s, %s %s %d gateway%s.", base->certificate,
                          row->certificate, saved > 0 ? "saves" : "costs", abs(saved),
                          plural(abs(saved)));
        }
    }
}

static void put_beginning(FILE *out, const struct ls_plan *plan)
{
    char users[32], from[16], to[16];

    count_words(plan->users, users, sizeof users);
    ls_format_clock(plan->from_ns, 0, from, sizeof from);
    ls_format_clock(plan->from_ns + plan->window_ns, 0, to, sizeof to);
    (void)fprintf(out, "%s user%s log%s in between %s and %s.", users, plural(plan->users),
                  plan->users == 1 ? "s" : "", from, to);
}

enum ls_code words_write(const struct stage *stage, struct ls_error *err)
{
    struct ls_plan *plan = stage->plan;
    size_t size = 0;
    FILE *out = open_memstream(&plan->words, &size);
    bool whole;

    if (out == NULL) {
        plan->words = NULL;
        return ls_error_set(err, LS_ENOMEM, "no memory for a plan");
    }
    put_beginning(out, plan);
    for (size_t i = 0; i < plan->rows_count; i++) {
        if (plan->capacity.logins > 0) {
            put_capacity_row(out, plan, &plan->rows[i]);
        } else {
            put_cost_row(out, plan, &plan->rows[i]);
        }
    }
    put_gains(out, plan);
    if (plan->partial) {
        (void)fputs(" The plan was stopped early: for the other certificates there is no answer.",
                    out);
    }
    costs_caveats(out, stage);
    whole = ferror(out) == 0;
    whole = fclose(out) == 0 && whole;
    return whole ? LS_OK : ls_error_set(err, LS_ENOMEM, "no memory for a plan");
}
