/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/proof.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/host.h"
#include "cli/own.h"
#include "loginstorm/schedule.h"

#define POPULATION_CHANGES 3
#define PATH_SIZE 64

/* Ten users within five seconds, who come once and leave; whatever else the scenario has stays. */
static const struct ls_scenario_change always[] = {
    {"users", "10"},
    {"window", "{from: 08:00, to: 09:00}"},
    {"arrivals", "{shape: uniform, placement: even}"},
    {"pace", "{speedup: 720}"},
    {"login.hold", "none"},
    {"login.retry", "{attempts: 1}"},
};
#define ALWAYS (sizeof always / sizeof always[0])

/* And for each population. */
static const struct ls_scenario_change each[POPULATION_CHANGES] = {
    {"groups", "[X25519, P-256, P-384, P-521]"},
    {"key_shares", "[X25519]"},
    {"resume", "0%"},
};

struct proof {
    void (*step)(const char *text, void *data);
    void *data;
    int64_t secured, failed; /* handshakes; those that failed by our own limits are in neither */
};

static void on_step(const char *text, void *data)
{
    const struct proof *proof = data;

    proof->step(text, proof->data);
}

static void on_view(const struct ls_storm_view *view, void *data)
{
    (void)view;
    (void)data;
}

static enum ls_code on_measured(const struct ls_measurement *measurement, void *data,
                                struct ls_error *err)
{
    struct proof *proof = data;
    struct ls_run run;
    enum ls_code code = ls_run_build(&run, measurement, err);

    if (code != LS_OK) {
        return code;
    }
    proof->secured += run.handshakes_full + run.handshakes_resumed;
    for (unsigned i = 0; i < LS_REASON_COUNT; i++) {
        proof->failed += ls_reason_ours((enum ls_reason)i) ? 0 : run.handshakes_by_reason[i];
    }
    ls_run_clear(&run);
    return LS_OK;
}

static enum ls_code without_key_share(struct ls_scenario **out, const struct ls_scenario *scenario,
                                      struct ls_error *err)
{
    const size_t most = ALWAYS + scenario->populations_count * POPULATION_CHANGES;
    struct ls_scenario_change *changes = calloc(most, sizeof *changes + PATH_SIZE);
    struct ls_errors errors = {0};
    char *text = NULL, *path;
    size_t size = 0, count = 0;
    enum ls_code code;

    *out = NULL;
    if (changes == NULL) {
        return ls_error_set(err, LS_ENOMEM, "no memory for the counter-proof");
    }
    path = (char *)(changes + most);
    while (count < ALWAYS) {
        changes[count] = always[count];
        count++;
    }
    for (size_t i = 0; i < scenario->populations_count; i++) {
        for (size_t k = 0; k < POPULATION_CHANGES; k++, path += PATH_SIZE) {
            (void)snprintf(path, PATH_SIZE, "populations.%zu.tls.%s", i, each[k].path);
            changes[count++] = (struct ls_scenario_change){path, each[k].value};
        }
    }
    code = own_text(scenario, &text, &size, err);
    if (code == LS_OK) {
        code = ls_scenario_parse(out, "counter-proof", text, size, changes, count, &errors);
        if (code != LS_OK && err != NULL) {
            *err = errors.item[0];
        }
    }
    free(text);
    free(changes);
    return code;
}

static enum ls_code tell(struct ls_result *result, const struct proof *proof, struct ls_error *err)
{
    const int64_t all = proof->secured + proof->failed;
    char text[400];

    (void)snprintf(text, sizeof text,
                   "counter-proof: right after the storm %" PRId64 " of %" PRId64
                   " handshakes without a post-quantum key share came through%s",
                   proof->secured, all,
                   all == 0              ? ", since our own limits kept all of them here"
                   : proof->secured == 0 ? ", so it is not the length of the Client Hello"
                   : proof->failed == 0
                       ? ": something on the way, or the gateway, cannot take a Client Hello with "
                         "one"
                       : ": there is more amiss than the length of a Client Hello");
    return host_add_note(result, text, err);
}

enum ls_code proof_play(struct ls_result *result, const struct ls_scenario *scenario,
                        const struct ls_target *target, void (*step)(const char *text, void *data),
                        void *data, struct ls_error *err)
{
    struct proof proof = {.step = step, .data = data};
    struct ls_storm_wish wish = {
        .target = target,
        .program = "/proc/self/exe",
        .injectors = 1,
        .step = on_step,
        .view = on_view,
        .measured = on_measured,
        .data = &proof,
    };
    struct ls_scenario *changed = NULL;
    struct ls_schedule *schedule = NULL;
    int64_t cause = 0;
    enum ls_code code;

    for (size_t i = 0; i < result->runs_count; i++) {
        cause += result->runs[i].long_hellos_unanswered > 0;
    }
    if (cause == 0) {
        return LS_OK;
    }
    step("counter-proof: ten users without a post-quantum key share", data);
    code = without_key_share(&changed, scenario, err);
    if (code == LS_OK) {
        code = ls_schedule_build(&schedule, changed, err);
    }
    if (code == LS_OK) {
        wish.scenario = changed;
        wish.schedule = schedule;
        code = ls_storm_run(&wish, err);
    }
    if (code == LS_OK) {
        code = tell(result, &proof, err);
    }
    ls_schedule_free(schedule);
    ls_scenario_free(changed);
    return code;
}
