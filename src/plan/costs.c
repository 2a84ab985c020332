/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is told of the costs: where they are from, and what to doubt. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "loginstorm/result.h"
#include "loginstorm/units.h"
#include "plan/work.h"

enum ls_code costs_words(struct ls_plan *plan, const struct stage *stage, struct ls_error *err)
{
    const struct ls_farm *farm = &stage->scenario.farm;
    const struct ls_costs *costs = stage->wish->costs;
    char mean[32], text[1024];

    ls_format_ns(farm->cost_ns, mean, sizeof mean);
    switch (farm->cost_kind) {
    case LS_COST_PROFILE:
        (void)snprintf(text, sizeof text, "%.300s (%.100s, %.10s)%s%.300s",
                       costs->path == NULL ? "a cost profile" : costs->path,
                       costs->host_cpu == NULL ? "an unknown CPU" : costs->host_cpu,
                       costs->created == NULL ? "no date" : costs->created,
                       costs->translation == NULL ? "" : "; ",
                       costs->translation == NULL ? "" : costs->translation);
        break;
    case LS_COST_FIXED:
        (void)snprintf(text, sizeof text, "%s a handshake, whatever the certificate", mean);
        break;
    case LS_COST_EXPONENTIAL:
    case LS_COST_LOGNORMAL:
        (void)snprintf(text, sizeof text, "%s a handshake on average, whatever the certificate",
                       mean);
        break;
    }
    plan->costs = strdup(text);
    return plan->costs == NULL ? ls_error_set(err, LS_ENOMEM, "no memory for a plan") : LS_OK;
}

struct doubts {
    bool without_interval;
    enum ls_verdict worst;
};

/* Of the costs of those keys that the plan is about. */
static struct doubts doubts_of(const struct ls_costs *costs, const struct ls_scenario *scenario)
{
    struct doubts doubts = {.worst = LS_VALID};

    for (size_t i = 0; i < costs->count; i++) {
        const struct ls_cost *row = &costs->rows[i];
        bool used = false, interval = false;

        for (size_t c = 0; c < scenario->certificates_count; c++) {
            used = used || strcmp(row->key, ls_key_name(scenario->certificates[c].key)) == 0;
        }
        for (size_t k = 0; used && k < row->at_count; k++) {
            doubts.worst = row->at[k].verdict > doubts.worst ? row->at[k].verdict : doubts.worst;
            interval = interval || row->at[k].cpu_low_ns >= 0;
        }
        doubts.without_interval = doubts.without_interval || (used && !interval);
    }
    return doubts;
}

/* What the answer hangs on and its reader should know, a sentence a line. */
static void put_costs_notes(FILE *out, const struct stage *stage)
{
    const struct ls_costs *costs = stage->wish->costs;
    const struct doubts doubts = doubts_of(costs, &stage->scenario);
    char text[200];

    if (doubts.worst != LS_VALID) {
        (void)fprintf(out,
                      "some of the costs are of a measurement that is %s; `loginstorm calibrate` "
                      "measures again\n",
                      ls_verdict_word(doubts.worst));
    }
    if (doubts.without_interval) {
        (void)fputs("how far off the costs may be is not known, since they are of a single round; "
                    "\"low to high\" does not show it (`loginstorm calibrate` without --quick "
                    "measures it)\n",
                    out);
    }
    if (costs->source != NULL && strcmp(costs->source, "published") == 0) {
        (void)fprintf(out, "the costs are put together from published figures%s%s\n",
                      costs->left_out == NULL ? "" : "; ",
                      costs->left_out == NULL ? "" : costs->left_out);
    }
    if (costs->source != NULL && strcmp(costs->source, "calibrate") == 0 &&
        stage->scenario.farm.login_cpu_ns == 0) {
        (void)fputs("the costs are those of a bare TLS gateway: what yours does for a login beside "
                    "TLS comes on top (farm.login_cpu)\n",
                    out);
    }
    if (ls_costs_idle_text(costs, text, sizeof text)) {
        (void)fprintf(out, "%s\n", text);
    }
    if (stage->wish->scenario->farm.capacity_logins > 0) {
        (void)fputs("farm.capacity is left out, since costs were given\n", out);
    }
}

/* The same for who reads the paragraph alone: short, and only what limits the answer. */
static void put_caveats(FILE *out, const struct stage *stage)
{
    const struct ls_farm *farm = &stage->scenario.farm;
    const struct ls_costs *costs = stage->wish->costs;
    struct doubts doubts;
    char text[200];

    if (costs == NULL) {
        if (farm->capacity_logins == 0) {
            char mean[32];

            ls_format_ns(farm->cost_ns, mean, sizeof mean);
            (void)fprintf(out, " A handshake is taken to cost %s with any certificate.", mean);
        }
        return;
    }
    doubts = doubts_of(costs, &stage->scenario);
    if (doubts.worst != LS_VALID) {
        (void)fprintf(out, " Some of the costs are of a measurement that is %s.",
                      ls_verdict_word(doubts.worst));
    }
    if (costs->source != NULL && strcmp(costs->source, "published") == 0) {
        (void)fputs(" The costs are put together from published figures; none was measured.", out);
    } else if (doubts.without_interval) {
        (void)fputs(" How far off the costs may be is not known: they were measured once.", out);
    }
    if (costs->source != NULL && strcmp(costs->source, "calibrate") == 0 &&
        farm->login_cpu_ns == 0) {
        (void)fputs(" They are those of a bare TLS gateway: what a real one does for a login "
                    "beside TLS comes on top.",
                    out);
    }
    if (ls_costs_idle_text(costs, text, sizeof text)) {
        text[0] = (char)toupper((unsigned char)text[0]);
        (void)fprintf(out, " %s.", text);
    }
}

void costs_caveats(FILE *out, const struct stage *stage)
{
    const struct ls_plan *plan = stage->plan;
    bool assumed = false;

    for (int t = 0; t < LS_PLAN_TARGETS; t++) {
        assumed = assumed || plan->limits[t].assumed;
    }
    if (assumed && plan->capacity.logins == 0) {
        (void)fputs(" The targets are assumed, since the scenario has none.", out);
    }
    put_caveats(out, stage);
}

enum ls_code costs_notes(struct ls_plan *plan, const struct stage *stage, struct ls_error *err)
{
    size_t size = 0;
    FILE *out;
    bool whole;

    if (stage->wish->costs == NULL) {
        return LS_OK;
    }
    out = open_memstream(&plan->notes, &size);
    if (out == NULL) {
        plan->notes = NULL;
        return ls_error_set(err, LS_ENOMEM, "no memory for a plan");
    }
    put_costs_notes(out, stage);
    whole = ferror(out) == 0;
    whole = fclose(out) == 0 && whole;
    if (whole && size == 0) {
        free(plan->notes);
        plan->notes = NULL;
    }
    return whole ? LS_OK : ls_error_set(err, LS_ENOMEM, "no memory for a plan");
}
