/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What comes before the first morning of a simulation: refusals, farm, costs, notes. */
#include <stdlib.h>
#include <string.h>

#include "cli/farm_costs.h"
#include "cli/host.h"
#include "cli/show.h"
#include "cli/simulation.h"
#include "loginstorm/tls.h"

#define REPLICATIONS_MAX 100000
#define INJECTORS_MAX 256

bool simulation_as_run(const struct simulation *simulation)
{
    return simulation->options->virtual_injectors > 0;
}

static enum ls_code check(const struct simulation *simulation, struct ls_error *err)
{
    const struct options *options = simulation->options;
    const struct ls_scenario *scenario = &simulation->scenario;

    if (simulation->replications < 1 || simulation->replications > REPLICATIONS_MAX) {
        return ls_error_set(err, LS_EUSAGE, "--replications: %d is out of range (1 to %d)",
                            simulation->replications, REPLICATIONS_MAX);
    }
    if (options->virtual_injectors > INJECTORS_MAX || options->virtual_injectors == 0) {
        return ls_error_set(err, LS_EUSAGE, "--injectors: %d is out of range (1 to %d)",
                            options->virtual_injectors, INJECTORS_MAX);
    }
    if (scenario->certificates_count == 0) {
        return ls_error_set(err, LS_EINPUT,
                            "a simulation needs `certificates`, by their kinds of key: what they "
                            "cost is what it goes by (the scenario's gateway is an outside one)");
    }
    if (simulation_as_run(simulation) && !scenario->gateway.embedded) {
        return ls_error_set(err, LS_EINPUT,
                            "--injectors foretells a run against the embedded gateway, and the "
                            "scenario's gateway is %.200s",
                            scenario->gateway.target);
    }
    return LS_OK;
}

/* What the scenario says of its farm, or what `run` has instead. */
static enum ls_code choose_farm(struct simulation *simulation, struct ls_error *err)
{
    struct ls_scenario *played = &simulation->played;
    enum ls_code code = LS_OK;

    *played = simulation->scenario;
    farm_fill(&played->farm);
    simulation->certificates = calloc(played->certificates_count, sizeof *simulation->certificates);
    if (simulation->certificates == NULL) {
        return ls_error_set(err, LS_ENOMEM, "no memory for the certificates");
    }
    for (size_t i = 0; code == LS_OK && i < played->certificates_count; i++) {
        code = farm_certificate(&simulation->certificates[i], &simulation->scenario, i, err);
    }
    played->certificates = simulation->certificates;
    if (simulation->options->costs != NULL) {
        played->farm.cost_kind = LS_COST_PROFILE;
    }
    if (simulation_as_run(simulation)) {
        played->farm.gateways = played->gateway.workers;
        played->farm.cores = 1;
        played->farm.balancing = LS_RANDOM; /* as the kernel spreads what comes to one port */
        played->farm.backlog = played->gateway.backlog;
        played->farm.drops_closed = true;
        played->farm.classic_syn_retries = false;
        played->farm.login_cpu_ns = 0;
        played->events_count = 0;
    }
    return code;
}

static void farm_words(const struct simulation *simulation, char *out, size_t size)
{
    static const char *const balancings[] = {[LS_ROUND_ROBIN] = "round robin",
                                             [LS_LEAST_CONNECTIONS] = "least connections",
                                             [LS_RANDOM] = "random",
                                             [LS_SOURCE_HASH] = "source hash"};
    const struct ls_farm *farm = &simulation->played.farm;

    if (simulation_as_run(simulation)) {
        (void)snprintf(out, size, "as run on this host: %d worker%s, %d injector%s", farm->gateways,
                       farm->gateways == 1 ? "" : "s", simulation->options->virtual_injectors,
                       simulation->options->virtual_injectors == 1 ? "" : "s");
        return;
    }
    (void)snprintf(out, size, "%d gateway%s of %d core%s%s%s", farm->gateways,
                   farm->gateways == 1 ? "" : "s", farm->cores, farm->cores == 1 ? "" : "s",
                   farm->gateways == 1 ? "" : ", ",
                   farm->gateways == 1 ? "" : balancings[farm->balancing]);
}

static enum ls_code add_notes(struct simulation *simulation, struct ls_error *err)
{
    struct ls_result *result = simulation->result;
    const struct ls_scenario *scenario = &simulation->scenario;
    enum ls_code code = farm_costs_notes(simulation->costs, &simulation->played,
                                         simulation_as_run(simulation), result, err);

    if (code == LS_OK && !scenario->farm.given && !simulation_as_run(simulation)) {
        char text[128];

        (void)snprintf(text, sizeof text,
                       "the scenario has no `farm`: taken is %d gateway of %d cores",
                       simulation->played.farm.gateways, simulation->played.farm.cores);
        code = host_add_note(result, text, err);
    }
    if (code == LS_OK && scenario->farm.spare > 0 && !simulation_as_run(simulation)) {
        code = host_add_note(result, "all gateways are up: `plan` takes the spare ones away", err);
    }
    if (code == LS_OK && simulation_as_run(simulation) && scenario->events_count > 0) {
        code = host_add_note(result, "left out, as by `run`: events", err);
    }
    if (code == LS_OK && simulation_as_run(simulation) && scenario->farm.given) {
        code = host_add_note(result, "left out, as by `run`: farm, but for its costs", err);
    }
    return code;
}

enum ls_code simulation_prepare(struct simulation *simulation, struct ls_error *err)
{
    const struct options *options = simulation->options;
    char words[1024];
    enum ls_code code = check(simulation, err);

    if (code == LS_OK) {
        code = show_check_metrics(options, err);
    }
    if (code == LS_OK) {
        code = ls_tls_start(err);
    }
    if (code == LS_OK) {
        code = choose_farm(simulation, err);
    }
    if (code == LS_OK) {
        code = simulation_memory(simulation, err);
    }
    if (code == LS_OK) {
        code = farm_costs_load(&simulation->costs, &simulation->played, options->costs,
                               simulation_as_run(simulation), err);
    }
    if (code == LS_OK) {
        code = ls_mornings_new(&simulation->mornings, &simulation->played, simulation->replications,
                               simulation->threads, err);
    }
    if (code == LS_OK) {
        simulation->out = calloc((size_t)simulation->replications, sizeof *simulation->out);
        if (simulation->out == NULL) {
            return ls_error_set(err, LS_ENOMEM, "no memory for %d mornings",
                                simulation->replications);
        }
    }
    if (code == LS_OK) {
        farm_words(simulation, words, sizeof words);
        code = host_model_new(&simulation->result, &simulation->scenario,
                              ls_mornings_schedule(simulation->mornings, 0), simulation->costs,
                              words, err);
    }
    if (code == LS_OK) {
        farm_costs_words(simulation->costs, &simulation->played, words, sizeof words);
        simulation->result->costs = strdup(words);
        if (simulation->result->costs == NULL) {
            return ls_error_set(err, LS_ENOMEM, "no memory for the result");
        }
        code = add_notes(simulation, err);
    }
    return code;
}

/* Whether one of the sentences of `notes`, a line each, is that one. */
static bool has_line(const char *notes, const char *line, size_t length)
{
    while (notes != NULL && *notes != '\0') {
        const size_t own = strcspn(notes, "\n");

        if (own == length && strncmp(notes, line, length) == 0) {
            return true;
        }
        notes += own + (notes[own] == '\n');
    }
    return false;
}

/* A sentence that holds for certificate `first` and maybe others: with their names, where not for all. */
static enum ls_code add_scene_note(struct simulation *simulation, struct ls_scene **scenes,
                                   size_t first, const char *line, size_t length,
                                   struct ls_error *err)
{
    const size_t count = simulation->scenario.certificates_count;
    char names[400] = "", text[1024];
    size_t with = 0, used = 0;

    for (size_t i = first; i < count; i++) {
        if (has_line(scenes[i]->notes, line, length)) {
            with++;
            used +=
                (size_t)snprintf(names + used, sizeof names - used, "%s%.100s",
                                 used > 0 ? ", " : "", simulation->scenario.certificates[i].name);
            used = used < sizeof names ? used : sizeof names - 1;
        }
    }
    (void)snprintf(text, sizeof text, "%s%s%.*s", with < count ? names : "",
                   with < count ? ": " : "", (int)length, line);
    return host_add_note(simulation->result, text, err);
}

enum ls_code simulation_scene_notes(struct simulation *simulation, struct ls_scene **scenes,
                                    struct ls_error *err)
{
    const size_t count = simulation->scenario.certificates_count;
    double low = 1, high = 1;
    enum ls_code code = LS_OK;

    for (size_t i = 0; code == LS_OK && i < count; i++) {
        const char *line = scenes[i]->notes;

        while (code == LS_OK && line != NULL && *line != '\0') {
            const size_t length = strcspn(line, "\n");
            bool told = false;

            for (size_t k = 0; k < i; k++) {
                told = told || has_line(scenes[k]->notes, line, length);
            }
            if (!told) {
                code = add_scene_note(simulation, scenes, i, line, length, err);
            }
            line += length + (line[length] == '\n');
        }
        low = scenes[i]->cpu_low < low ? scenes[i]->cpu_low : low;
        high = scenes[i]->cpu_high > high ? scenes[i]->cpu_high : high;
    }
    if (code == LS_OK && simulation->replications > 1 &&
        (high - low) * 1000 >= 1) { /* below it is no news */
        char text[256];

        (void)snprintf(
            text, sizeof text,
            "every morning but the first draws what a handshake costs, as far as that is "
            "not known (95 %% within %.0f %% to %.0f %% of the profile's figure%s): it is "
            "in what is said of the mornings",
            low * 100, high * 100, count > 1 ? ", where least is known" : "");
        code = host_add_note(simulation->result, text, err);
    }
    return code;
}
