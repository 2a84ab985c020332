/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/simulated.h"

#include <stdlib.h>

#include "loginstorm/model.h"
#include "loginstorm/units.h"

/* As fine as the timeline is: a minute of the scenario, of a short window a second. */
static int64_t slice_ns(const struct ls_scenario *scenario)
{
    const int64_t own_ns = scenario->window_ns >= 10 * LS_NS_PER_MIN ? LS_NS_PER_MIN : LS_NS_PER_S;
    const double ns = (double)own_ns / scenario->speedup;

    return ns >= 1 ? (int64_t)ns : 1;
}

/* Mean over the users, whose populations may differ. */
static double connections(const struct ls_scenario *scenario, const struct ls_schedule *schedule)
{
    double sum = 0;

    for (size_t i = 0; i < schedule->count; i++) {
        sum += scenario->populations[schedule->rows[i].population].connections;
    }
    return schedule->count > 0 ? sum / (double)schedule->count : 0;
}

/* What was used by the end of each slice, and by the end of everything. */
static enum ls_code take_cpu(struct simulated *out, const struct ls_model *model,
                             struct ls_error *err)
{
    struct ls_gateway_account *gateway = &out->measurement.gateway;
    const struct ls_model_facts *facts = ls_model_facts(model);
    size_t count, logins;
    int64_t each_ns, sum_ns = 0, last_ns = 0;
    const int64_t *slices = ls_model_slices(model, &count, &each_ns);
    const struct ls_login *rows = ls_model_logins(model, &logins);

    out->samples = calloc(count + 2, sizeof *out->samples);
    if (out->samples == NULL) {
        return ls_error_set(err, LS_ENOMEM, "no memory for %zu slices of a morning", count);
    }
    for (size_t i = 0; i < count; i++) {
        sum_ns += slices[i];
        out->samples[i + 1] =
            (struct ls_cpu_sample){.at_ns = (int64_t)(i + 1) * each_ns, .cpu_ns = sum_ns};
    }
    for (size_t i = 0; i < logins; i++) {
        last_ns = rows[i].done_ns > last_ns ? rows[i].done_ns : last_ns;
        last_ns = rows[i].due_ns > last_ns ? rows[i].due_ns : last_ns;
    }
    /* Beyond the last burst the gateways are idle. */
    last_ns = last_ns > (int64_t)count * each_ns ? last_ns : (int64_t)count * each_ns;
    out->samples[count + 1] = (struct ls_cpu_sample){.at_ns = last_ns + each_ns, .cpu_ns = sum_ns};
    gateway->samples = out->samples;
    gateway->samples_count = count + 2;
    gateway->cpu_ns = facts->cpu_ns;
    gateway->accepted = facts->connections;
    gateway->server_flights = facts->flights;
    gateway->secured = facts->secured;
    return LS_OK;
}

static enum ls_code count_returned(struct simulated *out, const struct ls_model *model,
                                   size_t users, struct ls_error *err)
{
    bool *again = calloc(users + 1, sizeof *again);
    size_t count;

    if (again == NULL) {
        return ls_error_set(err, LS_ENOMEM, "no memory for %zu users", users);
    }
    (void)ls_model_logins(model, &count);
    for (size_t row = users; row < count; row++) {
        const size_t user = ls_model_user(model, row);

        out->returned++;
        out->returned_users += !again[user];
        again[user] = true;
    }
    free(again);
    return LS_OK;
}

static enum ls_code take_load(struct simulated *out, const struct ls_model *model,
                              const struct ls_scenario *scenario,
                              const struct ls_schedule *schedule, struct ls_error *err)
{
    struct ls_measurement *measurement = &out->measurement;
    struct ls_load load;
    const enum ls_code code = ls_model_load(&load, model, schedule, scenario, err);

    if (code != LS_OK) {
        return code;
    }
    measurement->peak_minute_at_ns = load.peak_minute_at_ns;
    measurement->peak_minute_logins = load.peak_minute_logins;
    measurement->peak_second_at_ns = load.peak_second_at_ns;
    measurement->peak_second_logins = load.peak_second_logins;
    return LS_OK;
}

static void take_waves(struct simulated *out, const struct ls_schedule *schedule)
{
    struct ls_measurement *measurement = &out->measurement;

    for (size_t i = 0; i < schedule->waves_count; i++) {
        out->waves[i] = (struct ls_played_wave){
            .sequence = schedule->waves[i].shape == LS_SHAPE_SEQUENCE,
            .first = schedule->waves[i].first,
            .count = schedule->waves[i].count,
            .concurrency = schedule->waves[i].concurrency,
        };
    }
    measurement->waves = out->waves;
    measurement->waves_count = schedule->waves_count;
}

enum ls_code simulated_play(struct simulated *out, const struct ls_scene *scene,
                            const struct ls_scenario *scenario, size_t certificate,
                            const struct ls_schedule *schedule, struct ls_error *err)
{
    const struct ls_certificate *shown = &scenario->certificates[certificate];
    struct ls_model_wish wish = scene->wish;
    struct ls_model *model;
    enum ls_code code;

    *out = (struct simulated){
        .measurement = {.certificate = shown->name,
                        .key = ls_key_name(shown->key),
                        .speedup = scenario->speedup,
                        .from_ns = scenario->from_ns,
                        .window_ns = scenario->window_ns,
                        .connections_per_login = connections(scenario, schedule),
                        .gateway = {.source = "model",
                                    .workers = wish.farm.gateways * wish.farm.cores,
                                    .user_ns = -1,
                                    .system_ns = -1,
                                    .tls_ns = -1,
                                    .waited_ns = -1,
                                    .failed = -1}}};
    take_waves(out, schedule);
    wish.keep_handshakes = true;
    wish.slice_ns = slice_ns(scenario);
    code = ls_model_new(&model, &wish, err);
    if (code == LS_OK) {
        code = ls_model_run(model, schedule, scenario->seed, err);
    }
    if (code == LS_OK) {
        code = take_cpu(out, model, err);
    }
    if (code == LS_OK) {
        code = count_returned(out, model, schedule->count, err);
    }
    if (code == LS_OK) {
        code = take_load(out, model, scenario, schedule, err);
    }
    if (code == LS_OK) {
        ls_model_lighten(model); /* the rows are there twice for a moment */
        code = ls_model_record(&out->record, model, err);
        out->measurement.record = out->record;
    }
    ls_model_free(model);
    return code;
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

int64_t simulated_memory(const struct ls_scenario *scenario, int64_t users)
{
    size_t logins, handshakes;
    int64_t record;

    ls_model_rows(scenario, users, &logins, &handshakes);
    record = (int64_t)ls_record_size(logins, handshakes);
    return larger(ls_model_memory(scenario, users, true),
                  record + larger(record, ls_run_memory(logins, handshakes)));
}

void simulated_clear(struct simulated *simulated)
{
    ls_record_free(simulated->record);
    free(simulated->samples);
    *simulated = (struct simulated){0};
}
