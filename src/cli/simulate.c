/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/host.h"
#include "cli/print.h"
#include "cli/show.h"
#include "cli/simulated.h"
#include "cli/simulation.h"
#include "cli/stop.h"
#include "loginstorm/tls.h"

#define REPLICATIONS 200
#define NOTHING "nothing was played"

/* Not 0 after a signal. */
static int show_done(double done, void *data)
{
    struct simulation *simulation = data;
    const bool whole = simulation->users < MANY_USERS;

    if (simulation->replications == 1) {
        teller_say(&simulation->teller, "%s: %.0f %% of the morning", simulation->playing,
                   floor(100 * done));
    } else {
        teller_say(&simulation->teller, "%s: %.*f of %d mornings", simulation->playing,
                   whole ? 0 : 1, whole ? floor(done) : floor(10 * done) / 10,
                   simulation->replications);
    }
    return stop_wished() != LS_OK;
}

/* `pace` is for live runs; who names a pace here, or wants a live run foretold, gets it. */
static bool wants_pace(const struct options *options)
{
    for (size_t i = 0; i < options->changes.count; i++) {
        if (strcmp(options->changes.list[i].path, "pace.speedup") == 0 ||
            strcmp(options->changes.list[i].path, "pace") == 0) {
            return true;
        }
    }
    return options->virtual_injectors > 0;
}

/* The first morning in full, into the folder. */
static enum ls_code write_down(struct simulation *simulation, const struct ls_scene *scene,
                               size_t certificate, struct ls_error *err)
{
    struct ls_result *result = simulation->result;
    struct ls_run *run = &result->runs[result->runs_count];
    struct simulated simulated;
    enum ls_code code = simulated_play(&simulated, scene, &simulation->played, certificate,
                                       ls_mornings_schedule(simulation->mornings, 0), err);

    if (simulation->mornings_played < simulation->replications) {
        simulated.measurement.partial = true;
        simulated.measurement.partial_why = stop_name(stop_wished());
    }
    if (code == LS_OK) {
        code = ls_run_build(run, &simulated.measurement, err);
    }
    if (code == LS_OK) {
        result->runs_count++;
        run->mornings.returned = simulated.returned;
        run->mornings.returned_users = simulated.returned_users;
        code = ls_mornings_sum(&run->mornings, simulation->out, simulation->mornings_played, err);
    }
    if (code == LS_OK) {
        result->partial =
            run->partial || result->runs_count < simulation->scenario.certificates_count;
        code = folder_add_run(&simulation->folder, &simulation->scenario, &simulated.measurement,
                              run, certificate == 0, err);
    }
    simulated_clear(&simulated);
    return code;
}

/* Those that were played come first; returns how many. */
static int gather_played(struct ls_morning *mornings, int count)
{
    int played = 0;

    for (int i = 0; i < count; i++) {
        if (mornings[i].played) {
            mornings[played++] = mornings[i];
        }
    }
    return played;
}

static enum ls_code play_one(struct simulation *simulation, const struct ls_scene *scene,
                             size_t certificate, struct ls_error *err)
{
    const struct ls_cpu_doubt doubt = {scene->cpu_low, scene->cpu_high};
    enum ls_code code;

    simulation->playing = simulation->scenario.certificates[certificate].name;
    code = ls_mornings_play(simulation->mornings, &scene->wish, &doubt, simulation->out, show_done,
                            simulation, err);
    if (code == LS_OK || code == LS_EINTERRUPTED) {
        simulation->mornings_played = gather_played(simulation->out, simulation->replications);
        teller_say(&simulation->teller, "%s: writing the first morning down", simulation->playing);
        code = write_down(simulation, scene, certificate, err);
    }
    return code == LS_OK ? folder_save_result(&simulation->folder, simulation->result, err) : code;
}

/* What is known when all were played, or as many as a signal left time for. */
static enum ls_code close_result(struct simulation *simulation, struct ls_error *err)
{
    struct ls_result *result = simulation->result;
    const size_t count = simulation->scenario.certificates_count;
    char text[1024];
    size_t used;
    enum ls_code code = LS_OK;

    if (result->runs_count == 0) {
        return LS_OK;
    }
    if (result->runs_count < count) {
        used =
            (size_t)snprintf(text, sizeof text, "not played, since the simulation was stopped: ");
        for (size_t i = result->runs_count; i < count && used < sizeof text; i++) {
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%.100s",
                                     i > result->runs_count ? ", " : "",
                                     simulation->scenario.certificates[i].name);
        }
        code = host_add_note(result, text, err);
    }
    if (code == LS_OK) {
        code = host_add_targets(result, &simulation->scenario.targets, err);
    }
    if (code == LS_OK) {
        code = folder_save_result(&simulation->folder, result, err);
    }
    if (code == LS_OK && !result->partial) {
        code = folder_finish(&simulation->folder, err);
    }
    return code == LS_OK ? show_metrics(result, simulation->options, err) : code;
}

/* Every certificate's scene first: what cannot be played is refused before a folder is made. */
static enum ls_code play_all(struct simulation *simulation, struct ls_scene **scenes,
                             struct ls_error *err)
{
    const size_t count = simulation->scenario.certificates_count;
    enum ls_code code = LS_OK;

    for (size_t i = 0; code == LS_OK && i < count; i++) {
        const struct ls_scene_wish wish = {
            .scenario = &simulation->played,
            .certificate = &simulation->played.certificates[i],
            .costs = simulation->costs,
            .injectors = simulation_as_run(simulation) ? simulation->options->virtual_injectors : 0,
        };

        code = ls_scene_new(&scenes[i], &wish, err);
    }
    stop_listen();
    if (code == LS_OK) {
        code = folder_create(&simulation->folder, simulation->options->out, CLAIM_SIMULATION, NULL,
                             &simulation->scenario, err);
    }
    if (code == LS_OK) {
        code = simulation_scene_notes(simulation, scenes, err);
    }
    for (size_t i = 0; code == LS_OK && i < count && stop_wished() == LS_OK; i++) {
        code = play_one(simulation, scenes[i], i, err);
    }
    return code == LS_OK ? close_result(simulation, err) : code;
}

/* After a signal: what became of it. The exit status. */
static int tell_stop(const struct simulation *simulation)
{
    const size_t count = simulation->scenario.certificates_count;
    const size_t played = simulation->result->runs_count;
    const enum ls_code why = stop_wished();
    const bool older = simulation->folder.whole[0] != '\0';
    char missing[96] = "";
    struct ls_error err;

    if (played < count) {
        (void)snprintf(missing, sizeof missing, "; %zu of %zu certificates %s not played",
                       count - played, count, count - played == 1 ? "was" : "were");
    }
    if (played == 0) {
        (void)ls_error_set(&err, why, "stopped by %s; " NOTHING, stop_name(why));
    } else {
        (void)ls_error_set(
            &err, why, "stopped by %s; what was played until then is in %.150s%s%s%.150s",
            stop_name(why), simulation->folder.path, missing,
            older ? "; the earlier result stays in " : "", older ? simulation->folder.whole : "");
    }
    return print_error(&err);
}

static int show(struct simulation *simulation)
{
    int status = 0;

    if (simulation->result->runs_count > 0) {
        status = show_heading(simulation->result, simulation->options);
        if (status == 0) {
            status =
                simulation->options->format == FORMAT_HGRM
                    ? show_curves(simulation->folder.path, simulation->result, simulation->options)
                    : show_result(simulation->result, simulation->options);
        }
        folder_tell(&simulation->folder, simulation->options);
    }
    if (simulation->result->partial ||
        simulation->result->runs_count < simulation->scenario.certificates_count) {
        return tell_stop(simulation);
    }
    return status == 0 ? status_of_result(simulation->result) : status;
}

static int simulate(struct simulation *simulation)
{
    const size_t count = simulation->scenario.certificates_count;
    struct ls_scene **scenes = calloc(count + 1, sizeof *scenes);
    struct ls_error err;
    enum ls_code code = LS_OK;

    if (scenes == NULL) {
        code = ls_error_set(&err, LS_ENOMEM, "no memory for a simulation");
    }
    teller_begin(&simulation->teller, simulation->options);
    teller_say(&simulation->teller, "drawing %d mornings", simulation->replications);
    if (code == LS_OK) {
        code = simulation_prepare(simulation, &err);
    }
    if (code == LS_OK) {
        code = play_all(simulation, scenes, &err);
    }
    for (size_t i = 0; scenes != NULL && i < count; i++) {
        ls_scene_free(scenes[i]);
    }
    free(scenes);
    teller_end(&simulation->teller);
    return code == LS_OK ? show(simulation) : print_error(&err);
}

int command_simulate(const struct options *options)
{
    struct simulation simulation = {
        .options = options,
        .replications = options->replications < 0 ? REPLICATIONS : options->replications};
    struct ls_scenario *scenario;
    int status;

    stop_at_once(NOTHING);
    status = load_scenario(&scenario, options);
    if (status != 0) {
        return status;
    }
    simulation.scenario = *scenario;
    if (!wants_pace(options)) {
        simulation.scenario.speedup = 1;
    }
    status = simulate(&simulation);
    folder_leave(&simulation.folder);
    ls_result_free(simulation.result);
    ls_mornings_free(simulation.mornings);
    ls_costs_free(simulation.costs);
    free(simulation.certificates);
    free(simulation.out);
    ls_scenario_free(scenario);
    ls_tls_stop();
    return status;
}
