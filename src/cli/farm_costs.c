/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/farm_costs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/costs_here.h"
#include "cli/host.h"
#include "loginstorm/storm.h"
#include "loginstorm/tls.h"
#include "loginstorm/units.h"

#define PATH_SIZE 4096

static bool is_one(double x)
{
    return fabs(x - 1) < 1e-12;
}

static enum ls_code to_farm(struct ls_costs *costs, const struct ls_scenario *scenario,
                            struct ls_error *err)
{
    const struct ls_farm *farm = &scenario->farm;
    struct ls_openssl_speed there;
    char path[PATH_SIZE];
    enum ls_code code;

    if (farm->openssl_speed == NULL) {
        return is_one(farm->cpu_factor) || farm->cpu_factor <= 0
                   ? LS_OK
                   : ls_costs_scale(costs, farm->cpu_factor, err);
    }
    code = ls_scenario_path(scenario, farm->openssl_speed, path, sizeof path, err);
    if (code == LS_OK) {
        code = ls_openssl_speed_load(&there, path, err);
    }
    if (code == LS_OK) {
        code = ls_costs_translate(costs, NULL, &there, path, err);
        ls_openssl_speed_clear(&there);
    }
    return code;
}

enum ls_code farm_costs_load(struct ls_costs **out, const struct ls_scenario *scenario,
                             const char *option, bool this_host, struct ls_error *err)
{
    const struct ls_farm *farm = &scenario->farm;
    char path[PATH_SIZE];
    enum ls_code code = LS_OK;

    *out = NULL;
    if (option != NULL) {
        code = ls_costs_load(out, option, err);
    } else if (farm->cost_kind != LS_COST_PROFILE) {
        return LS_OK;
    } else if (farm->costs != NULL) {
        code = ls_scenario_path(scenario, farm->costs, path, sizeof path, err);
        if (code == LS_OK) {
            code = ls_costs_load(out, path, err);
        }
    } else {
        code = ls_costs_of_this_host(out, err);
    }
    if (code == LS_OK && !this_host) {
        code = to_farm(*out, scenario, err);
    }
    if (code != LS_OK) {
        ls_costs_free(*out);
        *out = NULL;
    }
    return code;
}

void farm_fill(struct ls_farm *farm)
{
    if (!farm->given) {
        *farm = (struct ls_farm){.gateways = 1, .cores = 2, .cpu_factor = 1, .backlog = 511};
    }
}

static void law_words(const struct ls_farm *farm, char *out, size_t size)
{
    static const char *const words[] = {[LS_COST_FIXED] = "always",
                                        [LS_COST_EXPONENTIAL] = "exponential, mean",
                                        [LS_COST_LOGNORMAL] = "lognormal, mean"};
    char each[32];

    ls_format_duration(farm->cost_ns, each, sizeof each);
    (void)snprintf(out, size, "the scenario's own law, the same for each certificate (%s %s)",
                   words[farm->cost_kind], each);
}

void farm_costs_words(const struct ls_costs *costs, const struct ls_scenario *scenario, char *out,
                      size_t size)
{
    int day = 0;

    if (costs == NULL) {
        law_words(&scenario->farm, out, size);
        return;
    }
    if (costs->created != NULL) {
        day = (int)strcspn(costs->created, "T");
    }
    (void)snprintf(
        out, size, "%.300s (%.100s%s%.*s)%s%.200s", costs->path == NULL ? "a profile" : costs->path,
        costs->host_cpu == NULL ? "an unknown CPU" : costs->host_cpu, day > 0 ? ", " : "", day,
        costs->created == NULL ? "" : costs->created, costs->translation == NULL ? "" : ", ",
        costs->translation == NULL ? "" : costs->translation);
}

static bool differ(const char *a, const char *b)
{
    return a != NULL && b != NULL && strcmp(a, b) != 0;
}

/* Said where it is another one: a profile of the gateway's own machine is just that, and fine. */
static enum ls_code note_machine(const struct ls_costs *costs, struct ls_result *result,
                                 struct ls_error *err)
{
    struct ls_costs *here = calloc(1, sizeof *here);
    char text[600] = "";
    enum ls_code code;

    if (here == NULL) {
        return ls_error_set(err, LS_ENOMEM, "no memory for the cost profile");
    }
    code = host_of_costs(here, err);
    if (code == LS_OK && differ(costs->host_cpu, here->host_cpu)) {
        (void)snprintf(text, sizeof text,
                       "the costs are those of another CPU (%.120s) than this host's (%.120s)",
                       costs->host_cpu, here->host_cpu);
    } else if (code == LS_OK && (differ(costs->tls_library, here->tls_library) ||
                                 differ(costs->tls_build, here->tls_build))) {
        (void)snprintf(text, sizeof text,
                       "the costs are those of another TLS library (%.80s, %.80s) than the one in "
                       "this loginstorm (%.80s, %.80s)",
                       costs->tls_library == NULL ? "unknown" : costs->tls_library,
                       costs->tls_build == NULL ? "unknown build" : costs->tls_build,
                       here->tls_library, here->tls_build);
    }
    ls_costs_free(here);
    return code == LS_OK && text[0] != '\0' ? host_add_note(result, text, err) : code;
}

static enum ls_verdict worst_verdict(const struct ls_costs *costs, const char *key)
{
    enum ls_verdict worst = LS_VALID;

    for (size_t i = 0; i < costs->count; i++) {
        for (size_t k = 0; strcmp(costs->rows[i].key, key) == 0 && k < costs->rows[i].at_count;
             k++) {
            worst = costs->rows[i].at[k].verdict > worst ? costs->rows[i].at[k].verdict : worst;
        }
    }
    return worst;
}

static enum ls_code note_doubts(const struct ls_costs *costs, const struct ls_scenario *scenario,
                                struct ls_result *result, struct ls_error *err)
{
    enum ls_code code = LS_OK;
    char text[300];

    for (size_t i = 0; code == LS_OK && i < scenario->certificates_count; i++) {
        const enum ls_verdict worst =
            worst_verdict(costs, ls_key_name(scenario->certificates[i].key));

        if (worst != LS_VALID) {
            (void)snprintf(text, sizeof text, "%.100s: its costs are of a measurement that is %s",
                           scenario->certificates[i].name, ls_verdict_word(worst));
            code = host_add_note(result, text, err);
        }
    }
    if (code == LS_OK && strcmp(costs->source, "published") == 0) {
        char more[700];

        (void)snprintf(
            more, sizeof more, "the costs are put together from published figures%s%.600s",
            costs->left_out == NULL ? "" : "; ", costs->left_out == NULL ? "" : costs->left_out);
        code = host_add_note(result, more, err);
    }
    if (code == LS_OK && (!is_one(costs->low) || !is_one(costs->high))) {
        (void)snprintf(text, sizeof text,
                       "the gateway's CPU may be anything from %.0f %% to %.0f %% of what is taken "
                       "here, since its costs were carried over from another CPU",
                       costs->low * 100, costs->high * 100);
        code = host_add_note(result, text, err);
    }
    return code;
}

enum ls_code farm_costs_notes(const struct ls_costs *costs, const struct ls_scenario *scenario,
                              bool this_host, struct ls_result *result, struct ls_error *err)
{
    const struct ls_farm *farm = &scenario->farm;
    enum ls_code code = LS_OK;
    char text[200];

    if (costs != NULL) {
        code = note_machine(costs, result, err);
        if (code == LS_OK && ls_costs_idle_text(costs, text, sizeof text)) {
            code = host_add_note(result, text, err);
        }
        return code == LS_OK ? note_doubts(costs, scenario, result, err) : code;
    }
    if (!this_host && (farm->openssl_speed != NULL || !is_one(farm->cpu_factor))) {
        code = host_add_note(result,
                             "left out: farm.cpu (farm.costs says outright what a handshake costs "
                             "at a gateway)",
                             err);
    }
    return code;
}

static enum ls_code find_kind(const char *word, enum ls_key *out)
{
    for (int key = LS_KEY_RSA_2048; key < LS_KEY_FILE; key++) {
        if (strcmp(ls_key_name((enum ls_key)key), word) == 0) {
            *out = (enum ls_key)key;
            return LS_OK;
        }
    }
    return LS_EINPUT;
}

enum ls_code farm_certificate(struct ls_certificate *out, const struct ls_scenario *scenario,
                              size_t certificate, struct ls_error *err)
{
    const struct ls_certificate *from = &scenario->certificates[certificate];
    struct ls_identity *identity = NULL;
    enum ls_code code;

    *out = *from;
    if (from->key != LS_KEY_FILE ||
        (from->chain == NULL && scenario->farm.cost_kind != LS_COST_PROFILE)) {
        return LS_OK; /* by a law all keys cost the same */
    }
    if (from->chain == NULL) {
        return ls_error_set(err, LS_EINPUT,
                            "certificates: what a handshake costs depends on the key, and that of "
                            "an outside gateway is not known here; say its kind, like "
                            "[{name: ours, key: rsa-2048}]");
    }
    code = ls_storm_load_identity(&identity, scenario, certificate, err);
    if (code == LS_OK && find_kind(identity->key, &out->key) != LS_OK) {
        code =
            ls_error_set(err, LS_EINPUT, "%.200s: nobody knows what a handshake with %.60s costs",
                         from->chain, identity->key);
    }
    ls_identity_free(identity);
    return code;
}
