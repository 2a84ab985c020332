/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/own.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CERTIFICATE_PATHS 4
#define CLIENT_PATHS 3
#define OTHER_PATHS 3 /* the farm's speed and costs, the gateway's CAs */

/* A copy that shares with its scenario what is the same in both. */
struct own {
    const struct ls_scenario *from;
    struct ls_scenario scenario;
    struct ls_wave *waves;
    struct ls_certificate *certificates;
    struct ls_population *populations;
    char **texts; /* what its own pointers lead to */
    size_t count;
};

void own_curve_name(const struct ls_scenario *scenario, size_t wave, char name[OWN_CURVE_NAME])
{
    size_t recorded = 0, number = 0;

    for (size_t i = 0; i < scenario->waves_count; i++) {
        recorded += scenario->waves[i].shape == LS_SHAPE_RECORDED;
        number = i == wave ? recorded : number;
    }
    (void)snprintf(name, OWN_CURVE_NAME, recorded > 1 ? "curve-%zu.csv" : "curve.csv", number);
}

static enum ls_code keep(struct own *own, char **place, const char *text, struct ls_error *err)
{
    char *copy = strdup(text);

    if (copy == NULL) {
        return ls_error_set(err, LS_ENOMEM, "no memory for the scenario");
    }
    own->texts[own->count++] = copy;
    *place = copy;
    return LS_OK;
}

/*
 * The file's own name stays as it is written, for it may be a link whose end changes when a certificate is renewed.
 * What is measured must not be lost to a folder that went away meanwhile: then the path stays as it was.
 */
static enum ls_code make_absolute(struct own *own, char **path, struct ls_error *err)
{
    char found[PATH_MAX], folder[PATH_MAX], whole[2 * PATH_MAX];
    char *slash;
    enum ls_code code;

    if (*path == NULL || **path == '/') {
        return LS_OK;
    }
    code = ls_scenario_path(own->from, *path, found, sizeof found, err);
    if (code != LS_OK) {
        return code;
    }
    slash = strrchr(found, '/');
    if (slash != NULL) {
        *slash = '\0';
    }
    if (realpath(slash == NULL ? "." : slash == found ? "/" : found, folder) == NULL) {
        return LS_OK;
    }
    (void)snprintf(whole, sizeof whole, "%s/%s", strcmp(folder, "/") == 0 ? "" : folder,
                   slash == NULL ? found : slash + 1);
    return keep(own, path, whole, err);
}

static enum ls_code name_curves(struct own *own, struct ls_error *err)
{
    enum ls_code code = LS_OK;

    for (size_t i = 0; code == LS_OK && i < own->from->waves_count; i++) {
        char name[OWN_CURVE_NAME];

        own->waves[i] = own->from->waves[i];
        if (own->waves[i].shape == LS_SHAPE_RECORDED) {
            own_curve_name(own->from, i, name);
            code = keep(own, &own->waves[i].curve, name, err);
        }
    }
    return code;
}

static enum ls_code name_clients(struct own *own, struct ls_error *err)
{
    enum ls_code code = LS_OK;

    for (size_t i = 0; code == LS_OK && i < own->from->populations_count; i++) {
        struct ls_client_wish *client = &own->populations[i].tls.client;
        char **const paths[CLIENT_PATHS] = {&client->chain, &client->private_key,
                                            &client->password_file};

        own->populations[i] = own->from->populations[i];
        for (size_t n = 0; code == LS_OK && n < CLIENT_PATHS; n++) {
            code = make_absolute(own, paths[n], err);
        }
    }
    return code;
}

static enum ls_code name_files(struct own *own, struct ls_error *err)
{
    enum ls_code code = make_absolute(own, &own->scenario.farm.openssl_speed, err);

    if (code == LS_OK) {
        code = make_absolute(own, &own->scenario.farm.costs, err);
    }
    if (code == LS_OK) {
        code = make_absolute(own, &own->scenario.gateway.trust, err);
    }
    for (size_t i = 0; code == LS_OK && i < own->from->certificates_count; i++) {
        struct ls_certificate *certificate = &own->certificates[i];
        char **const paths[CERTIFICATE_PATHS] = {&certificate->chain, &certificate->private_key,
                                                 &certificate->password_file, &certificate->trust};

        *certificate = own->from->certificates[i];
        for (size_t n = 0; code == LS_OK && n < CERTIFICATE_PATHS; n++) {
            code = make_absolute(own, paths[n], err);
        }
    }
    return code;
}

enum ls_code own_text(const struct ls_scenario *scenario, char **text, size_t *size,
                      struct ls_error *err)
{
    const size_t most = scenario->waves_count + scenario->certificates_count * CERTIFICATE_PATHS +
                        scenario->populations_count * CLIENT_PATHS + OTHER_PATHS;
    struct own own = {
        .from = scenario,
        .scenario = *scenario,
        .waves = calloc(scenario->waves_count + 1, sizeof *own.waves),
        .certificates = calloc(scenario->certificates_count + 1, sizeof *own.certificates),
        .populations = calloc(scenario->populations_count + 1, sizeof *own.populations),
        .texts = calloc(most, sizeof *own.texts),
    };
    enum ls_code code = LS_OK;

    *text = NULL;
    if (own.waves == NULL || own.certificates == NULL || own.populations == NULL ||
        own.texts == NULL) {
        code = ls_error_set(err, LS_ENOMEM, "no memory for the scenario");
    }
    if (code == LS_OK) {
        code = name_curves(&own, err);
    }
    if (code == LS_OK) {
        code = name_files(&own, err);
    }
    if (code == LS_OK) {
        code = name_clients(&own, err);
    }
    if (code == LS_OK) {
        own.scenario.populations = own.populations;
        own.scenario.waves = own.waves;
        own.scenario.certificates = own.certificates;
        code = ls_scenario_text(&own.scenario, text, size, err);
    }
    for (size_t i = 0; i < own.count; i++) {
        free(own.texts[i]);
    }
    free(own.texts);
    free(own.certificates);
    free(own.populations);
    free(own.waves);
    return code;
}
