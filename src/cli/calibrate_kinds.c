/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a calibration measures: certificates, and the ways in which a scenario's users meet them. */
#include "cli/calibrate.h"

#include <stdlib.h>
#include <string.h>

#include "cli/print.h"

/* Without a scenario: the three certificates that people choose between. */
static const char default_scenario[] =
    "loginstorm: 1\n"
    "name: This host\n"
    "users: 1\n"
    "seed: 20261130\n"
    "window: {from: 08:00, to: 09:00}\n"
    "certificates: [{name: RSA 4096, key: rsa-4096}, {name: ECDSA P-256, key: ecdsa-p256}, "
    "{name: ECDSA P-384, key: ecdsa-p384}]\n";

static const double shares[LOADS] = {0, 0.3, 0.6, 0.9};

/* Long enough, over three rounds, for two hundred handshakes when idle and for a second of CPU at
 * each of the others; short enough for a coffee. */
#define IDLE_S 3.4
#define BUSY_S 1.2
#define QUICK_IDLE_S 1.0
#define QUICK_BUSY_S 0.4

int calibrate_load(struct calibration *calibration)
{
    const struct options *options = calibration->options;
    struct ls_errors errors = {0};

    if (options->operand != NULL) {
        return load_scenario(&calibration->scenario, options);
    }
    if (ls_scenario_parse(&calibration->scenario, "calibrate's own scenario", default_scenario,
                          sizeof default_scenario - 1, options->changes.list,
                          options->changes.count, &errors) != LS_OK) {
        return print_errors(&errors);
    }
    return 0;
}

static bool same_words(char *const *a, char *const *b)
{
    size_t i = 0;

    while (a[i] != NULL && b[i] != NULL && strcmp(a[i], b[i]) == 0) {
        i++;
    }
    return a[i] == NULL && b[i] == NULL;
}

/* Whether a gateway has the same work with both. */
static bool same_tls(const struct ls_tls_wish *a, const struct ls_tls_wish *b)
{
    return a->min == b->min && a->max == b->max && same_words(a->groups, b->groups) &&
           same_words(a->key_shares, b->key_shares) && same_words(a->ciphers, b->ciphers);
}

/* Whether an earlier population has the same, and so a kind. */
static bool seen(const struct ls_scenario *scenario, size_t population)
{
    for (size_t i = 0; i < population; i++) {
        if (same_tls(&scenario->populations[i].tls, &scenario->populations[population].tls)) {
            return true;
        }
    }
    return false;
}

/* Whether some population with that TLS comes with tickets, or without. */
static bool comes(const struct ls_scenario *scenario, size_t population, bool resumed)
{
    for (size_t i = population; i < scenario->populations_count; i++) {
        const struct ls_tls_wish *tls = &scenario->populations[i].tls;

        if (same_tls(tls, &scenario->populations[population].tls) &&
            (resumed ? tls->resume_share > 0 : tls->resume_share < 1)) {
            return true;
        }
    }
    return false;
}

/* Each ticket that was fetched before a storm, by a full handshake, serves for so many resumed ones. */
#define RESUMED_EACH 4

static void add_kind(struct calibration *calibration, size_t certificate, size_t population,
                     bool resumed, bool alone)
{
    const struct ls_scenario *scenario = calibration->scenario;
    const bool quick = calibration->options->quick;
    struct kind *kind = &calibration->kinds[calibration->kinds_count++];
    struct ls_tls_wish *tls = &kind->population.tls;
    char how[64] = "";

    *kind =
        (struct kind){.certificate = certificate, .population = scenario->populations[population]};
    kind->population.share = 1;
    if (scenario->gateway.embedded) {
        kind->population.connections = resumed ? RESUMED_EACH : 1;
    }
    tls->resume_share = resumed;
    if (!alone) {
        (void)snprintf(how, sizeof how, ", %.30s, TLS %s", ls_tls_wish_group(tls),
                       ls_tls_wish_version(tls));
    }
    (void)snprintf(kind->name, sizeof kind->name, "%.60s%s%s",
                   scenario->certificates[certificate].name, how, resumed ? ", resumed" : "");
    for (size_t i = 0; i < LOADS; i++) {
        kind->loads[i].share = shares[i];
        kind->loads[i].seconds = shares[i] > 0 ? (quick ? QUICK_BUSY_S : BUSY_S)
                                 : quick       ? QUICK_IDLE_S
                                               : IDLE_S;
    }
}

enum ls_code calibrate_kinds(struct calibration *calibration, struct ls_error *err)
{
    const struct ls_scenario *scenario = calibration->scenario;
    size_t ways = 0;

    for (size_t p = 0; p < scenario->populations_count; p++) {
        ways += !seen(scenario, p);
    }
    calibration->kinds =
        calloc(2 * ways * scenario->certificates_count + 1, sizeof *calibration->kinds);
    if (calibration->kinds == NULL) {
        return ls_error_set(err, LS_ENOMEM, "no memory for a calibration");
    }
    for (size_t c = 0; c < scenario->certificates_count; c++) {
        for (size_t p = 0; p < scenario->populations_count; p++) {
            for (int resumed = 0; resumed < 2 && !seen(scenario, p); resumed++) {
                if (comes(scenario, p, resumed != 0)) {
                    add_kind(calibration, c, p, resumed != 0, ways == 1);
                }
            }
        }
    }
    return LS_OK;
}

/* A storm takes so long beside its arrivals: processes start, and end. */
#define AROUND_S 0.4

double calibrate_seconds(const struct calibration *calibration)
{
    double seconds = 0;

    for (size_t k = 0; k < calibration->kinds_count; k++) {
        seconds += 2 * (QUICK_BUSY_S + AROUND_S);
        for (size_t i = 0; i < LOADS; i++) {
            seconds += calibration->rounds * (calibration->kinds[k].loads[i].seconds + AROUND_S);
        }
    }
    return seconds;
}

static void pile_clear(struct pile *pile)
{
    free(pile->values);
}

void calibrate_clear(struct calibration *calibration)
{
    for (size_t k = 0; calibration->kinds != NULL && k < calibration->kinds_count; k++) {
        for (size_t i = 0; i < LOADS; i++) {
            struct load *load = &calibration->kinds[k].loads[i];

            for (size_t r = 0; r < load->rounds_count; r++) {
                ls_run_clear(&load->rounds[r]);
            }
            free(load->rounds);
            pile_clear(&load->hello);
            pile_clear(&load->finish);
            pile_clear(&load->connect);
            pile_clear(&load->handshake);
            pile_clear(&load->login);
        }
    }
    free(calibration->kinds);
    for (size_t i = 0; calibration->identities != NULL && calibration->scenario != NULL &&
                       i < calibration->scenario->certificates_count;
         i++) {
        ls_identity_free(calibration->identities[i]);
    }
    free(calibration->identities);
    ls_openssl_speed_clear(&calibration->openssl);
    ls_scenario_free(calibration->scenario);
}
