/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A model before its first morning. */
#include <math.h>
#include <stdlib.h>

#include "model/work.h"

static bool service_is_good(const struct ls_service *service)
{
    return isfinite(service->mean_ns) && service->mean_ns >= 0 && service->mean_ns < 86400e9 &&
           (service->law != LS_LAW_LOGNORMAL || (service->scv >= 0 && service->scv <= 1000)) &&
           (service->law != LS_LAW_SPREAD || (service->spread != NULL && service->stretch >= 0));
}

static bool handshake_is_good(const struct ls_model_handshake *kind)
{
    bool good = kind->steps_count >= 1 && kind->steps_count <= LS_MODEL_STEPS_MAX &&
                kind->flight >= 0 && kind->flight <= kind->secured &&
                kind->secured <= kind->through && kind->through < kind->steps_count &&
                kind->steps_count - kind->through <= 2 && kind->last_client_ns >= 0;

    for (int i = 0; good && i < kind->steps_count; i++) {
        const struct ls_model_step *step = &kind->steps[i];

        good = service_is_good(&step->burst) && step->wake_ns >= 0 && step->wake_ns < 86400e9 &&
               step->warm_ns >= 0 && step->beside_ns >= 0 && step->beside_ns < 86400e9 &&
               step->client_ns >= 0 && step->delay_ns >= 0;
    }
    return good;
}

static bool population_is_good(const struct ls_model_population *population)
{
    return population->connections >= 1 && population->connections < UINT8_MAX &&
           population->rtt_ns >= 0 && population->jitter_ns >= 0 &&
           population->connect_client_ns >= 0 && population->connect_delay_ns >= 0 &&
           handshake_is_good(&population->full) &&
           (population->resume_share <= 0 || handshake_is_good(&population->resumed));
}

static enum ls_code check(const struct ls_model_wish *wish, struct ls_error *err)
{
    const struct ls_login_wish *login = &wish->login;

    if (wish->farm.gateways < 1 || wish->farm.cores < 1) {
        return ls_error_set(err, LS_EINPUT,
                            "a farm of %d gateways with %d cores each serves nobody: at least one "
                            "of each",
                            wish->farm.gateways, wish->farm.cores);
    }
    if (login->connect_timeout_ns <= 0 || login->handshake_timeout_ns <= 0 ||
        login->login_timeout_ns <= 0 || login->attempts < 1 || login->attempts >= UINT8_MAX ||
        login->retry_wait_ns < 0 || wish->speedup <= 0 || wish->client_cores < 0 ||
        (wish->pauses != NULL && (!(wish->pauses_per_s > 0) || !service_is_good(wish->pauses)))) {
        return ls_error_set(err, LS_EBROKEN,
                            "the simulation was asked for time-outs that are none");
    }
    for (size_t i = 0; i < wish->populations_count; i++) {
        if (!population_is_good(&wish->populations[i])) {
            return ls_error_set(err, LS_EBROKEN,
                                "the simulation was asked for a handshake that is none");
        }
    }
    return LS_OK;
}

/* Which gateways die is known beforehand: of those that are up the first, as many as the event says. */
static int by_gateway(const void *left, const void *right)
{
    const struct outage *a = left;
    const struct outage *b = right;

    if (a->gateway != b->gateway) {
        return a->gateway < b->gateway ? -1 : 1;
    }
    return (a->from_ns > b->from_ns) - (a->from_ns < b->from_ns);
}

static bool is_down(const struct ls_model *model, uint32_t gateway, int64_t at_ns)
{
    for (size_t i = 0; i < model->outages_count; i++) {
        const struct outage *outage = &model->outages[i];

        if (outage->gateway == gateway && outage->from_ns <= at_ns && at_ns <= outage->to_ns) {
            return true;
        }
    }
    return false;
}

static void add_outages(struct ls_model *model, const struct ls_event *event)
{
    const double speedup = model->wish->speedup;
    const int64_t at_ns = (int64_t)((double)event->at_ns / speedup);
    const int64_t to_ns = event->duration_ns > 0
                              ? at_ns + (int64_t)((double)event->duration_ns / speedup)
                              : INT64_MAX;
    int64_t left = event->gateways;

    for (uint32_t i = 0; i < (uint32_t)model->wish->farm.gateways && left > 0; i++) {
        if (!is_down(model, i, at_ns)) {
            left--;
            model->outages[model->outages_count++] = (struct outage){i, at_ns, to_ns};
        }
    }
}

static int by_time(const void *left, const void *right)
{
    const struct ls_event *const *a = left;
    const struct ls_event *const *b = right;

    return ((*a)->at_ns > (*b)->at_ns) - ((*a)->at_ns < (*b)->at_ns);
}

static bool outages_init(struct ls_model *model)
{
    const struct ls_model_wish *wish = model->wish;
    const struct ls_event **downs = calloc(wish->events_count + 1, sizeof *downs);
    size_t count = 0, most = 0;
    bool whole;

    for (size_t i = 0; downs != NULL && i < wish->events_count; i++) {
        if (wish->events[i].kind == LS_EVENT_GATEWAY_DOWN) {
            downs[count++] = &wish->events[i];
            most +=
                (size_t)(wish->events[i].gateways < wish->farm.gateways ? wish->events[i].gateways
                                                                        : wish->farm.gateways);
        }
    }
    model->outages = calloc(most + 1, sizeof *model->outages);
    whole = downs != NULL && model->outages != NULL;
    if (whole) {
        qsort(downs, count, sizeof *downs, by_time);
        for (size_t i = 0; i < count; i++) {
            add_outages(model, downs[i]);
        }
        qsort(model->outages, model->outages_count, sizeof *model->outages, by_gateway);
    }
    free(downs);
    return whole;
}

static bool stations_init(struct ls_model *model)
{
    const struct ls_model_wish *wish = model->wish;
    bool whole = true;

    model->gateways = calloc((size_t)wish->farm.gateways, sizeof *model->gateways);
    model->injectors = calloc((size_t)wish->client_cores + 1, sizeof *model->injectors);
    if (model->gateways == NULL || model->injectors == NULL) {
        return false;
    }
    for (int i = 0; i < wish->farm.gateways; i++) {
        model->gateways[i].cores = wish->farm.cores;
        model->gateways[i].number = (uint32_t)i;
        model->gateways[i].free_ns = calloc((size_t)wish->farm.cores, sizeof(int64_t));
        whole = whole && model->gateways[i].free_ns != NULL;
    }
    for (int i = 0; i < wish->client_cores; i++) {
        model->injectors[i].cores = 1;
        model->injectors[i].number = UINT32_MAX - (uint32_t)i;
        model->injectors[i].free_ns = calloc(1, sizeof(int64_t));
        whole = whole && model->injectors[i].free_ns != NULL;
    }
    return whole;
}

static bool balance_init(struct ls_model *model)
{
    const struct ls_model_farm *farm = &model->wish->farm;

    model->counts_places = farm->balancing == LS_LEAST_CONNECTIONS && farm->gateways > 1;
    if (!model->counts_places) {
        return true;
    }
    for (model->leaves = 2; model->leaves < (size_t)farm->gateways;) {
        model->leaves *= 2;
    }
    model->fewest = calloc(2 * model->leaves, sizeof *model->fewest);
    return model->fewest != NULL;
}

enum ls_code ls_model_new(struct ls_model **out, const struct ls_model_wish *wish,
                          struct ls_error *err)
{
    struct ls_model *model;
    enum ls_code code = check(wish, err);

    *out = NULL;
    if (code != LS_OK) {
        return code;
    }
    model = calloc(1, sizeof *model);
    if (model != NULL) {
        model->wish = wish;
        model->cpu = 1;
    }
    if (model == NULL || !stations_init(model) || !outages_init(model)) {
        ls_model_free(model);
        return ls_error_set(err, LS_ENOMEM, "no memory for a simulation");
    }
    model->slice_ns =
        wish->slice_ns > 0 ? wish->slice_ns : (int64_t)((double)LS_NS_PER_MIN / wish->speedup);
    drawer_init(&model->drawer);
    if (!balance_init(model)) {
        ls_model_free(model);
        return ls_error_set(err, LS_ENOMEM, "no memory for a balancer of %d gateways",
                            wish->farm.gateways);
    }
    *out = model;
    return LS_OK;
}

static void stations_free(struct station *stations, int count)
{
    for (int i = 0; stations != NULL && i < count; i++) {
        free(stations[i].free_ns);
        free(stations[i].start_ns);
        free(stations[i].slices);
    }
    free(stations);
}

void ls_model_free(struct ls_model *model)
{
    if (model == NULL) {
        return;
    }
    stations_free(model->gateways, model->wish->farm.gateways);
    stations_free(model->injectors, model->wish->client_cores);
    queue_free(&model->queue);
    free(model->outages);
    free(model->places);
    free(model->fewest);
    free(model->bursts);
    free(model->rows);
    free(model->states);
    free(model->handshakes);
    free(model->slices);
    free(model);
}
