/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The cost profile that a calibration comes to, and its table for people. */
#include "cli/calibrate.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/host.h"
#include "cli/print.h"
#include "loginstorm/units.h"

static bool take_load(struct ls_cost_at *at, const struct load *load)
{
    const struct ls_run **rounds = calloc(load->rounds_count + 1, sizeof *rounds);
    bool good = rounds != NULL;

    for (size_t i = 0; good && i < load->rounds_count; i++) {
        rounds[i] = &load->rounds[i];
    }
    good = good && ls_cost_at_of(at, rounds, load->rounds_count, 3600 / load->seconds);
    free(rounds);
    if (good) {
        /* Exactly, where a run's timeline tells it in slices. */
        at->per_s = round(load->handshakes / load->span_ns * 1e15) / 1e6;
        at->core_share = fmin(1, round(load->cpu_ns / load->span_ns * 1e6) / 1e6);
        ls_spread_of(&at->hello, load->hello.values, load->hello.count);
        ls_spread_of(&at->finish, load->finish.values, load->finish.count);
        ls_spread_of(&at->connect, load->connect.values, load->connect.count);
        ls_spread_of(&at->handshake, load->handshake.values, load->handshake.count);
        ls_spread_of(&at->login, load->login.values, load->login.count);
    }
    return good;
}

static bool add_text(char **text, const char *more, const char *why)
{
    char *before = *text;
    const int length = asprintf(text, "%s%s%s (%s)", before == NULL ? "" : before,
                                before == NULL ? "" : ", ", more, why);

    free(before);
    if (length < 0) {
        *text = NULL;
    }
    return length >= 0;
}

static int by_share(const void *left, const void *right)
{
    const struct ls_cost_at *a = left, *b = right;

    return (a->core_share > b->core_share) - (a->core_share < b->core_share);
}

static bool name_row(struct ls_cost *row, const struct calibration *calibration,
                     const struct kind *kind)
{
    const struct ls_scenario *scenario = calibration->scenario;
    const struct ls_tls_wish *tls = &kind->population.tls;

    row->certificate = strdup(scenario->certificates[kind->certificate].name);
    row->key = strdup(calibration->identities[kind->certificate]->key);
    row->group = strdup(ls_tls_wish_group(tls));
    row->version = strdup(ls_tls_wish_version(tls));
    row->resumed_share = tls->resume_share;
    row->resumed = tls->resume_share > 0;
    row->send_bytes = scenario->login.send_bytes;
    row->receive_bytes = scenario->login.receive_bytes;
    return row->certificate != NULL && row->key != NULL && row->group != NULL &&
           row->version != NULL;
}

/* Some of what was to come resumed may have been refused: such a round is of no one kind. */
static bool is_of_its_kind(const struct kind *kind, const struct load *load)
{
    int64_t other = 0;

    for (size_t i = 0; i < load->rounds_count; i++) {
        other += kind->population.tls.resume_share > 0 ? load->rounds[i].handshakes_full
                                                       : load->rounds[i].handshakes_resumed;
    }
    return other == 0;
}

static bool add_kind(struct ls_costs *costs, struct calibration *calibration,
                     const struct kind *kind)
{
    struct ls_cost *row = &costs->rows[costs->count];
    const char *why = "nothing measured";
    bool good = true;

    for (size_t i = 0; good && i < LOADS; i++) {
        const struct load *load = &kind->loads[i];

        if (calibrate_has(load) && is_of_its_kind(kind, load)) {
            good = take_load(&row->at[row->at_count++], load);
        } else if (load->rounds_count > 0) {
            why = calibrate_has(load) ? "tickets were refused" : "invalid";
            calibration->failed = true;
        }
    }
    if (!good) {
        return false;
    }
    if (row->at_count == 0) {
        calibration->failed = true;
        return add_text(&costs->left_out, kind->name, why);
    }
    qsort(row->at, row->at_count, sizeof row->at[0], by_share);
    costs->count++;
    return name_row(row, calibration, kind);
}

enum ls_code calibrate_costs(struct ls_costs **out, struct calibration *calibration,
                             struct ls_error *err)
{
    struct ls_costs *costs = calloc(1, sizeof *costs);
    bool whole = costs != NULL;

    *out = NULL;
    if (whole) {
        costs->factor = costs->low = costs->high = 1;
        costs->source = strdup("calibrate");
        costs->rows = calloc(calibration->kinds_count + 1, sizeof *costs->rows);
        costs->openssl = calibration->openssl;
        costs->pauses = calibration->pauses;
        costs->pauses_per_s = calibration->pauses_per_s;
        calibration->openssl = (struct ls_openssl_speed){0};
        whole = costs->source != NULL && costs->rows != NULL && host_of_costs(costs, err) == LS_OK;
    }
    for (size_t k = 0; whole && k < calibration->kinds_count; k++) {
        whole = add_kind(costs, calibration, &calibration->kinds[k]);
    }
    if (!whole) {
        ls_costs_free(costs);
        return ls_error_set(err, LS_ENOMEM, "no memory for the cost profile");
    }
    if (costs->count == 0) {
        (void)ls_error_set(err, LS_EINVALID, "nothing of what was measured can be trusted: %.300s",
                           costs->left_out == NULL ? "nothing was" : costs->left_out);
        ls_costs_free(costs);
        return LS_EINVALID;
    }
    *out = costs;
    return LS_OK;
}
