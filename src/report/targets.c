/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/targets.h"

#include <stdio.h>
#include <string.h>

#include "report/lines.h"

static void value_words(const struct ls_target_outcome *target, int64_t value, char *out,
                        size_t size)
{
    if (value < 0) {
        (void)snprintf(out, size, "not known");
    } else if (target->is_share) {
        (void)snprintf(out, size, "%.4g %%", (double)value / 1e4);
    } else {
        ls_format_ns(value, out, size);
    }
}

void target_limit_words(const struct ls_target_outcome *target, char *out, size_t size)
{
    value_words(target, target->limit, out, size);
}

void target_value_words(const struct ls_target_outcome *target, char *out, size_t size)
{
    if (target->never) {
        (void)snprintf(out, size, "never, so many failed");
    } else {
        value_words(target, target->value, out, size);
    }
}

void target_by_words(const struct ls_target_outcome *target, char *out, size_t size)
{
    const int64_t excess = ls_target_excess(target);
    char by[32], part[48] = "";
    double over;

    out[0] = '\0';
    if (target->never || excess < 0) {
        return;
    }
    if (target->is_share) {
        (void)snprintf(by, sizeof by, "%.4g points", (double)excess / 1e4);
    } else {
        ls_format_ns(excess, by, sizeof by);
    }
    if (target->limit > 0) {
        over = (double)excess / (double)target->limit;
        if (over >= 10) {
            (void)snprintf(part, sizeof part, ", %.3g times the limit", over + 1);
        } else {
            (void)snprintf(part, sizeof part, over < 0.01 ? ", %.1g %% over" : ", %.0f %% over",
                           over * 100);
        }
    }
    (void)snprintf(out, size, "by %s%s", by, part);
}

/* Latencies are those of the pace that was played, the gateway's CPU is worked out for the
 * scenario's own. */
void target_pace_words(const struct ls_result *result, const struct ls_target_outcome *target,
                       char *out, size_t size)
{
    char times[32];

    out[0] = '\0';
    if (result->runs_count > 0 && result->runs[0].mornings.count > 1) {
        (void)snprintf(out, size, "in 95 %% of mornings");
    }
    if (own_pace(result) || result->closed || is_simulated(result)) {
        return;
    }
    speedup_words(result->speedup, times, sizeof times);
    if (strcmp(target->name, "gateway_cpu_peak") == 0) {
        (void)snprintf(out, size, "at the scenario's own pace");
    } else if (!target->is_share) {
        (void)snprintf(out, size, "%s as dense", times);
    }
}

/* What became of it in a certificate's worst round; false: it was missed in none. */
static bool worst_of(const struct ls_result *result, const char *certificate,
                     const struct ls_target_outcome *target, struct ls_target_outcome *worst)
{
    bool missed = false;

    for (size_t i = 0; i < result->runs_count; i++) {
        struct ls_target_outcome one = *target;

        if (strcmp(result->runs[i].certificate, certificate) != 0) {
            continue;
        }
        ls_run_target(&result->runs[i], &one);
        if (ls_target_judgement(&one) == LS_TARGET_MISSED &&
            (!missed || one.never || (!worst->never && one.value > worst->value))) {
            *worst = one;
            missed = true;
        }
    }
    return missed;
}

static bool is_first_of_its_name(const struct ls_result *result, size_t run)
{
    for (size_t i = 0; i < run; i++) {
        if (strcmp(result->runs[i].certificate, result->runs[run].certificate) == 0) {
            return false;
        }
    }
    return true;
}

/* One of several has its own figure: what stands before them all is the worst one's. */
static void misser_words(const char *name, const struct ls_target_outcome *worst, bool alone,
                         char *out, size_t size)
{
    char by[64];

    target_by_words(worst, by, sizeof by);
    if (alone) {
        (void)snprintf(out, size, "%s", name);
    } else if (worst->never) {
        (void)snprintf(out, size, "%s: never", name);
    } else {
        (void)snprintf(out, size, "%s %s", name, by);
    }
}

void target_missers(const struct ls_result *result, const struct ls_target_outcome *target,
                    char *out, size_t size)
{
    struct ls_target_outcome worst;
    size_t names = 0, missers = 0, used = 0;

    out[0] = '\0';
    for (size_t i = 0; i < result->runs_count; i++) {
        if (is_first_of_its_name(result, i)) {
            names++;
            missers += worst_of(result, result->runs[i].certificate, target, &worst);
        }
    }
    for (size_t i = 0; names > 1 && i < result->runs_count; i++) {
        const char *name = result->runs[i].certificate;
        char words[160];

        if (!is_first_of_its_name(result, i) || !worst_of(result, name, target, &worst)) {
            continue;
        }
        misser_words(name, &worst, missers == 1, words, sizeof words);
        if (used + strlen(words) + 8 > size) {
            (void)snprintf(out + used, size - used, "; ...");
            return;
        }
        used += (size_t)snprintf(out + used, size - used, "%s%s", used > 0 ? "; " : "", words);
    }
}

bool any_invalid(const struct ls_result *result)
{
    for (size_t i = 0; i < result->runs_count; i++) {
        if (result->runs[i].validity.verdict == LS_INVALID) {
            return true;
        }
    }
    return false;
}

static void put_target(struct page *page, const struct ls_result *result,
                       const struct ls_target_outcome *target)
{
    const enum ls_judgement judgement = ls_target_judgement(target);
    char limit[32], value[32], pace[64], by[64], who[400];

    target_limit_words(target, limit, sizeof limit);
    target_value_words(target, value, sizeof value);
    target_pace_words(result, target, pace, sizeof pace);
    target_by_words(target, by, sizeof by);
    target_missers(result, target, who, sizeof who);
    if (judgement == LS_TARGET_NOT_JUDGED) {
        page_put(page, YELLOW, 2, "target %s%s%s%s: %s, limit %s", target->name,
                 pace[0] != '\0' ? " (" : "", pace, pace[0] != '\0' ? ")" : "", value, limit);
        return;
    }
    if (judgement == LS_TARGET_MET) {
        who[0] = '\0';
    }
    page_put(page, judgement == LS_TARGET_MET ? PLAIN : RED, 2,
             "target %s%s%s%s: %s, limit %s: %s%s%s%s%s%s%s", target->name,
             pace[0] != '\0' ? " (" : "", pace, pace[0] != '\0' ? ")" : "", value, limit,
             judgement == LS_TARGET_MET ? "met" : "MISSED", by[0] != '\0' ? " " : "", by,
             who[0] != '\0' ? " (" : "", who, who[0] != '\0' ? ")" : "",
             any_invalid(result) ? ", but the measurement is invalid" : "");
}

void put_targets(struct page *page, const struct ls_result *result)
{
    for (size_t i = 0; i < result->targets_count; i++) {
        put_target(page, result, &result->targets[i]);
    }
}
