/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "loginstorm/scene.h"

#include <stdlib.h>
#include <string.h>

#include "loginstorm/units.h"
#include "model/cost.h"

static double at_least_0(double x)
{
    return x > 0 ? x : 0;
}

/* How the CPU of a user is spread over what he sends: the SYN, the hello, what follows the flight, and
 * the answer. Shares of an injector's time, by perf; where a user has a machine of his own, a small part
 * of a login. */
enum { FOR_SYN, FOR_HELLO, FOR_FLIGHT, FOR_ANSWER };
static const double client_shares[] = {0.2, 0.15, 0.5, 0.15};

static int64_t client_ns(const struct cost *cost, int what)
{
    return (int64_t)(client_shares[what] * cost->client_ns);
}

/* TLS 1.2 has a round trip more, unless it resumes. Behind the last one there is the client's Finished
 * (of TLS 1.2, when it does not resume, that is in the second trip) and the request with it. */
static void shape_steps(struct ls_model_handshake *kind, const struct cost *cost, bool tls13,
                        bool request, bool resumed)
{
    const bool two_trips = !tls13 && !resumed;
    const int trips = two_trips ? 2 : 1;

    kind->tls13 = tls13;
    kind->steps_count = two_trips && !request ? 2 : trips + 1;
    kind->flight = 0;
    kind->secured = trips - 1;
    kind->through = request ? kind->steps_count - 1 : trips - 1;
    kind->steps[0].burst = cost->hello;
    kind->steps[1].burst = cost->finish;
    for (int i = 0; i < kind->steps_count; i++) {
        kind->steps[i].beside_ns = cost->beside_ns / kind->steps_count;
        kind->steps[i].wake_ns = cost->wake_ns;
        kind->steps[i].warm_ns = cost->warm_ns;
    }
    kind->steps[0].client_ns = client_ns(cost, FOR_HELLO);
    kind->steps[1].client_ns = client_ns(cost, FOR_FLIGHT);
    kind->last_client_ns = client_ns(cost, FOR_ANSWER);
}

/* Waits that an idle host has beside all CPU, for wake-ups and the loopback, by what was measured there: as
 * much shorter on a busy one as TCP connects are. */
static void add_waits(struct ls_model_population *population, struct ls_model_handshake *kind,
                      const struct cost *cost)
{
    const int trips = kind->secured + 1;
    const double c_ns = cost->calm_client_ns;
    double securing_ns = (client_shares[FOR_HELLO] + client_shares[FOR_FLIGHT]) * c_ns;
    double after_ns = client_shares[FOR_ANSWER] * c_ns;

    for (int i = 0; i < kind->steps_count; i++) {
        const double gap_ns = i == 0 ? cost->calm_gap_ns : client_shares[FOR_FLIGHT] * c_ns;

        *(i < trips ? &securing_ns : &after_ns) +=
            kind->steps[i].burst.mean_ns + kind->steps[i].beside_ns + cost_wake_ns(cost, gap_ns);
    }
    if (cost->connect_ns >= 0) {
        population->connect_delay_ns =
            (int64_t)(cost->waits * at_least_0(cost->connect_ns - client_shares[FOR_SYN] * c_ns));
    }
    for (int i = 0; cost->handshake_ns >= 0 && i < trips; i++) {
        kind->steps[i].delay_ns =
            (int64_t)(cost->waits * at_least_0(cost->handshake_ns - securing_ns) / trips);
    }
    if (cost->after_ns >= 0 && kind->through >= trips) {
        kind->steps[trips].delay_ns =
            (int64_t)(cost->waits * at_least_0(cost->after_ns - after_ns));
    }
}

static enum ls_code note(struct ls_scene *scene, const char *text, struct ls_error *err)
{
    const size_t before = scene->notes == NULL ? 0 : strlen(scene->notes);
    const size_t size = before + strlen(text) + 2;
    char *notes;

    if (scene->notes != NULL && strstr(scene->notes, text) != NULL) {
        return LS_OK;
    }
    notes = realloc(scene->notes, size);
    if (notes == NULL) {
        return ls_error_set(err, LS_ENOMEM, "no memory for a simulation's notes");
    }
    (void)snprintf(notes + before, size - before, "%s%s", before > 0 ? "\n" : "", text);
    scene->notes = notes;
    return LS_OK;
}

/* Connections a second of a live storm, over its window; 0: it is none. */
static double rate_of(const struct ls_scene_wish *wish)
{
    const struct ls_scenario *scenario = wish->scenario;
    double connections = 0;

    if (wish->injectors == 0 || scenario->window_ns <= 0) {
        return 0;
    }
    for (size_t i = 0; i < scenario->populations_count; i++) {
        connections +=
            scenario->populations[i].share * (double)scenario->populations[i].connections;
    }
    return connections * (double)scenario->users * scenario->speedup * 1e9 /
           (double)scenario->window_ns;
}

/* By how much its CPU may be off: over the rounds that the row is made of, and by a translation. */
static void widen(struct ls_scene *scene, const struct ls_cost *row, const struct ls_costs *costs)
{
    double low = costs->low > 0 ? costs->low : 1, high = costs->high > 0 ? costs->high : 1;

    for (size_t i = row->at_count; i-- > 0;) {
        const struct ls_cost_at *at = &row->at[i];

        if (at->cpu_ns > 0 && at->cpu_low_ns >= 0 && at->cpu_high_ns >= 0) {
            low *= at->cpu_low_ns / at->cpu_ns;
            high *= at->cpu_high_ns / at->cpu_ns;
            break; /* the busiest load that knows it */
        }
    }
    scene->cpu_low = low < scene->cpu_low ? low : scene->cpu_low;
    scene->cpu_high = high > scene->cpu_high ? high : scene->cpu_high;
}

/* Where a host's pauses are played, what was measured of it holds those that fell into it. */
static bool knows_pauses(const struct ls_scene_wish *wish)
{
    return wish->injectors > 0 && wish->costs != NULL && wish->costs->pauses.count > 0 &&
           wish->costs->pauses_per_s > 0 && wish->scenario->farm.cost_kind == LS_COST_PROFILE;
}

static double running_share(const struct ls_scene_wish *wish)
{
    const double paused =
        knows_pauses(wish) ? wish->costs->pauses_per_s * wish->costs->pauses.mean_ns / 1e9 : 0;

    return paused < 0.9 ? 1 - paused : 0.1;
}

static enum ls_code find_cost(struct cost *out, struct ls_scene *scene,
                              const struct ls_scene_wish *wish,
                              const struct ls_population *population, bool resumed,
                              struct ls_error *err)
{
    const double factor = wish->cpu > 0 ? wish->cpu : 1;
    const char *version = ls_tls_wish_version(&population->tls);
    const char *group = ls_tls_wish_group(&population->tls);
    const char *key = ls_key_name(wish->certificate->key);
    const struct ls_cost *row;
    bool exact = true;

    if (wish->costs == NULL || wish->scenario->farm.cost_kind != LS_COST_PROFILE) {
        cost_of_law(out, &wish->scenario->farm, factor);
        return LS_OK;
    }
    row = ls_costs_find(wish->costs, key, group, version, resumed, &exact, err);
    if (row == NULL && resumed) {
        row = ls_costs_find(wish->costs, key, group, version, false, &exact, err);
        if (row != NULL && note(scene,
                                "the costs have no resumed handshake; it is taken to cost as much "
                                "as a full one, which is too much",
                                err) != LS_OK) {
            return LS_ENOMEM;
        }
    }
    if (row == NULL) {
        return LS_EINPUT;
    }
    if (!exact && note(scene,
                       "the costs do not tell the key exchange and the TLS version that they were "
                       "measured with; they are taken to be this scenario's",
                       err) != LS_OK) {
        return LS_ENOMEM;
    }
    cost_of_row(out, row, factor * wish->costs->factor * running_share(wish), rate_of(wish));
    out->client_ns *= running_share(wish);
    out->calm_client_ns *= running_share(wish);
    widen(scene, row, wish->costs);
    return LS_OK;
}

static enum ls_code add_kind(struct ls_model_population *out, struct ls_scene *scene,
                             const struct ls_scene_wish *wish,
                             const struct ls_population *population, bool resumed,
                             struct ls_error *err)
{
    const struct ls_login_wish *login = &wish->scenario->login;
    const bool request = login->send_bytes > 0 || login->receive_bytes > 0;
    struct ls_model_handshake *kind = resumed ? &out->resumed : &out->full;
    struct cost cost = {0};
    enum ls_code code = find_cost(&cost, scene, wish, population, resumed, err);

    if (code == LS_OK) {
        shape_steps(kind, &cost, population->tls.max == LS_TLS_1_3, request, resumed);
        if (!resumed) {
            out->connect_client_ns = client_ns(&cost, FOR_SYN);
        }
        if (wish->injectors > 0) {
            add_waits(out, kind, &cost);
        }
    }
    return code;
}

static enum ls_code add_populations(struct ls_scene *scene, const struct ls_scene_wish *wish,
                                    struct ls_error *err)
{
    const struct ls_scenario *scenario = wish->scenario;
    enum ls_code code = LS_OK;

    for (size_t i = 0; code == LS_OK && i < scenario->populations_count; i++) {
        const struct ls_population *from = &scenario->populations[i];
        struct ls_model_population *to = &scene->populations[i];

        to->connections = from->connections;
        to->resume_share = from->tls.resume_share;
        if (wish->injectors == 0) {
            to->rtt_ns = from->rtt_ns;
            to->jitter_ns = from->jitter_ns;
        }
        code = add_kind(to, scene, wish, from, false, err);
        if (code == LS_OK && to->resume_share > 0) {
            code = add_kind(to, scene, wish, from, true, err);
        }
    }
    return code;
}

enum ls_code ls_scene_new(struct ls_scene **out, const struct ls_scene_wish *wish,
                          struct ls_error *err)
{
    const struct ls_scenario *scenario = wish->scenario;
    const struct ls_farm *farm = &scenario->farm;
    struct ls_scene *scene = calloc(1, sizeof *scene);
    enum ls_code code;

    *out = NULL;
    if (scene != NULL) {
        scene->populations = calloc(scenario->populations_count, sizeof *scene->populations);
    }
    if (scene == NULL || scene->populations == NULL) {
        ls_scene_free(scene);
        return ls_error_set(err, LS_ENOMEM, "no memory for a simulation");
    }
    scene->wish = (struct ls_model_wish){
        .populations = scene->populations,
        .populations_count = scenario->populations_count,
        .login = scenario->login,
        .farm = {.gateways = wish->gateways > 0 ? wish->gateways : farm->gateways,
                 .cores = wish->cores > 0 ? wish->cores : farm->cores,
                 .balancing = farm->balancing,
                 .backlog = farm->backlog,
                 .drops_closed = farm->drops_closed,
                 .classic_syn_retries = farm->classic_syn_retries,
                 .login_cpu_ns = farm->login_cpu_ns},
        .events = scenario->events,
        .events_count = scenario->events_count,
        .speedup = scenario->speedup,
        .client_cores = wish->injectors,
    };
    if (knows_pauses(wish)) {
        scene->pauses = ls_service_of_spread(&wish->costs->pauses, wish->costs->pauses.mean_ns);
        scene->wish.pauses = &scene->pauses;
        scene->wish.pauses_per_s = wish->costs->pauses_per_s;
    }
    scene->cpu_low = scene->cpu_high = 1;
    code = add_populations(scene, wish, err);
    if (code != LS_OK) {
        ls_scene_free(scene);
        return code;
    }
    *out = scene;
    return LS_OK;
}

void ls_scene_free(struct ls_scene *scene)
{
    if (scene != NULL) {
        free(scene->populations);
        free(scene->notes);
        free(scene);
    }
}

static double handshake_cpu_ns(const struct ls_model_handshake *kind, bool idle)
{
    double ns = 0;

    for (int i = 0; i < kind->steps_count; i++) {
        const struct ls_model_step *step = &kind->steps[i];

        ns += step->burst.mean_ns + step->beside_ns + (idle ? step->wake_ns : 0);
    }
    return ns;
}

double ls_scene_login_cpu_ns(const struct ls_scene *scene, const struct ls_scenario *scenario,
                             bool idle)
{
    double sum_ns = (double)scene->wish.farm.login_cpu_ns;

    for (size_t i = 0; i < scenario->populations_count; i++) {
        const struct ls_model_population *population = &scene->populations[i];
        const double share = population->resume_share;
        double each_ns = (1 - share) * handshake_cpu_ns(&population->full, idle);

        if (share > 0) {
            each_ns += share * handshake_cpu_ns(&population->resumed, idle);
        }
        sum_ns += scenario->populations[i].share * population->connections * each_ns;
    }
    return sum_ns;
}
