/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <string.h>

#include "loginstorm/random.h"
#include "loginstorm/units.h"
#include "scenario/field.h"
#include "scenario/scalar.h"

#define SHARES_TOLERANCE 1e-6

/* Of several hundred users, 40 % in the middle sixth of the window is what login studies find. */
#define SHARE_IN_MIDDLE_SIXTH 0.4

static struct ls_place place_of(const struct ls_node *node, const char *key)
{
    const struct ls_node *child = ls_node_get(node, key);

    if (child != NULL) {
        return child->key_place;
    }
    return node != NULL ? node->place : (struct ls_place){NULL, 1, 1};
}

static void complain_at(struct ls_reading *reading, const struct ls_node *node, const char *key,
                        const char *text)
{
    const size_t length = ls_path_enter(reading, key);

    ls_complain(reading, place_of(node, key), "%s", text);
    ls_path_leave(reading, length);
}

void ls_check_window(struct ls_reading *reading, const struct ls_node *node, void *record)
{
    (void)node;
    (void)record;
    reading->window_known = true;
}

/* P(|Z| < z) of a standard normal Z, by the series of the error function: exact to the last digits
 * for the z below 4 that are asked for here. */
static double share_within(double z)
{
    const double two_over_sqrt_2pi = 0.79788456080286535588;
    double term = z;
    double sum = z;

    for (int n = 1; n < 100; n++) {
        term *= -z * z / (2.0 * n);
        sum += term / (2.0 * n + 1);
    }
    return two_over_sqrt_2pi * sum;
}

/* The standard deviation that puts a share of the whole bell into the middle sixth of the window.
 */
static int64_t spread_for(double share, int64_t window_ns)
{
    double low = 0;
    double high = 4;

    for (int i = 0; i < 100; i++) {
        const double z = (low + high) / 2;

        if (share_within(z) < share) {
            low = z;
        } else {
            high = z;
        }
    }
    return (int64_t)((double)window_ns / 12 / high + 0.5);
}

static void check_normal(struct ls_reading *reading, const struct ls_node *node,
                         struct ls_wave *wave)
{
    const struct ls_node *share = ls_node_get(node, "share_in_middle_sixth");
    const bool spread = ls_node_get(node, "spread") != NULL;

    if (share != NULL && spread) {
        complain_at(reading, node, "spread",
                    "share_in_middle_sixth says the same; take one of them out");
        return;
    }
    if (ls_node_get(node, "middle") == NULL) {
        wave->middle_at_ns = reading->scenario->window_ns / 2;
    }
    if (!spread) {
        wave->share_in_middle_sixth =
            share != NULL ? wave->share_in_middle_sixth : SHARE_IN_MIDDLE_SIXTH;
        wave->spread_ns = spread_for(wave->share_in_middle_sixth, reading->scenario->window_ns);
    }
}

static void check_points(struct ls_reading *reading, const struct ls_node *node,
                         const struct ls_wave *wave)
{
    double sum = 0;

    for (size_t i = 0; i < wave->points_count; i++) {
        sum += wave->points[i].per_s;
    }
    if (!(sum > 0)) {
        complain_at(reading, node, "points", "all rates are 0, so nobody would come");
    }
}

void ls_check_wave(struct ls_reading *reading, const struct ls_node *node, void *record)
{
    struct ls_wave *wave = record;

    if (ls_node_get(node, "share") == NULL) {
        wave->share = -1; /* the list decides */
    }
    if (!reading->window_known) {
        return;
    }
    switch (wave->shape) {
    case LS_SHAPE_NORMAL:
        check_normal(reading, node, wave);
        break;
    case LS_SHAPE_POISSON:
        if (wave->placement == LS_PLACEMENT_EVEN) {
            complain_at(reading, node, "placement",
                        "a Poisson process is random; for even arrivals write shape: uniform");
        }
        break;
    case LS_SHAPE_RAMP:
        if (!(wave->from_per_s + wave->to_per_s > 0)) {
            complain_at(reading, node, "to_rate", "both rates are 0, so nobody would come");
        }
        break;
    case LS_SHAPE_BURST:
        if (wave->burst_at_ns + wave->burst_over_ns > reading->scenario->window_ns) {
            complain_at(reading, node, "over",
                        "the burst would end after the window; shorten it, or let it begin "
                        "earlier");
        }
        break;
    case LS_SHAPE_POINTS:
        check_points(reading, node, wave);
        break;
    case LS_SHAPE_SEQUENCE:
        wave->share = 0;
        wave->concurrency = 1;
        break;
    case LS_SHAPE_CLOSED:
        wave->share = 0;
        if (wave->concurrency > wave->requests) {
            complain_at(reading, node, "concurrency",
                        "is more than all requests, so that many are never there at a time");
        }
        break;
    default:
        break;
    }
}

/* Shares of a list: a lone entry takes everything, several must each say theirs. */
static void check_shares(struct ls_reading *reading, const struct ls_node *node, double *shares[],
                         size_t count)
{
    const struct ls_node *item = node != NULL ? node->first : NULL;
    char shown[LS_SCALAR_MAX];
    double sum = 0;

    for (size_t i = 0; i < count; i++) {
        if (*shares[i] < 0 && count == 1) {
            *shares[i] = 1;
        } else if (*shares[i] < 0) {
            const size_t length = ls_path_enter_item(reading, i);

            complain_at(reading, item, "share", "is missing: each of several entries needs one");
            ls_path_leave(reading, length);
            return;
        }
        sum += *shares[i];
        item = item != NULL ? item->next : NULL;
    }
    if (sum < 1 - SHARES_TOLERANCE || sum > 1 + SHARES_TOLERANCE) {
        (void)snprintf(shown, sizeof shown, "%.9g (%.9g%%)", sum, sum * 100);
        ls_complain(reading, node != NULL ? node->place : (struct ls_place){NULL, 1, 1},
                    "the shares add up to %s, but must add up to 1 (100%%)", shown);
    }
}

/* How many come by recorded curves: either all are recorded and say it themselves, each with its
 * scale, and then true is returned where there are no shares to add up; or `users` and the shares
 * say it, and a scale would say it again. */
static bool check_recorded(struct ls_reading *reading, const struct ls_node *node,
                           const struct ls_wave *waves, size_t count)
{
    const bool is_list = node != NULL && node->kind == LS_NODE_LIST;
    const bool counted = reading->scenario->users > 0;
    size_t recorded = 0;

    for (size_t i = 0; i < count; i++) {
        recorded += waves[i].shape == LS_SHAPE_RECORDED;
    }
    for (size_t i = 0; i < count; i++) {
        const struct ls_node *item = is_list ? ls_node_at(node, i) : node;
        const size_t length = is_list ? ls_path_enter_item(reading, i) : reading->path_length;

        if (waves[i].shape == LS_SHAPE_RECORDED && counted && waves[i].scale > 0) {
            complain_at(reading, item, "scale",
                        "`users` says how many log in; take one of them out");
        } else if (recorded == count && count > 1 && !counted && waves[i].share >= 0) {
            complain_at(reading, item, "share",
                        "without `users` each curve brings its own, times its scale; take share "
                        "out, or give users");
        }
        ls_path_leave(reading, length);
    }
    return recorded == count && count > 1 && !counted;
}

void ls_check_waves(struct ls_reading *reading, const struct ls_node *node, void *items,
                    size_t count)
{
    struct ls_wave *waves = items;
    double **shares;

    if (ls_check_loops(reading, node, waves, count)) {
        return;
    }
    if (check_recorded(reading, node, waves, count)) {
        return;
    }
    shares = ls_arena_alloc(reading->scratch, count, sizeof *shares);
    if (shares == NULL) {
        reading->no_memory = true;
        return;
    }
    for (size_t i = 0; i < count; i++) {
        shares[i] = &waves[i].share;
    }
    check_shares(reading, node, shares, count);
}

void ls_check_population(struct ls_reading *reading, const struct ls_node *node, void *record)
{
    struct ls_population *population = record;

    (void)reading;
    if (ls_node_get(node, "share") == NULL) {
        population->share = -1; /* the list decides */
    }
}

/* The second of two entries of the same name, which a report could not tell apart. */
static void check_name(struct ls_reading *reading, const struct ls_node *list, size_t index,
                       const char *name)
{
    const size_t length = ls_path_enter_item(reading, index);
    char shown[LS_SHOWN_MAX];
    char text[LS_SHOWN_MAX + 64];

    (void)snprintf(text, sizeof text, "\"%s\" is taken by an entry before; give each its own",
                   ls_show(name, shown));
    complain_at(reading, ls_node_at(list, index), "name", text);
    ls_path_leave(reading, length);
}

void ls_check_populations(struct ls_reading *reading, const struct ls_node *node, void *items,
                          size_t count)
{
    struct ls_population *populations = items;
    double **shares = ls_arena_alloc(reading->scratch, count, sizeof *shares);

    if (shares == NULL) {
        reading->no_memory = true;
        return;
    }
    for (size_t i = 0; i < count; i++) {
        shares[i] = &populations[i].share;
        for (size_t j = 0; j < i; j++) {
            if (strcmp(populations[i].name, populations[j].name) == 0) {
                check_name(reading, node, i, populations[i].name);
                break;
            }
        }
    }
    check_shares(reading, node, shares, count);
}

void ls_check_certificates(struct ls_reading *reading, const struct ls_node *node, void *items,
                           size_t count)
{
    const struct ls_certificate *certificates = items;

    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < i; j++) {
            if (strcmp(certificates[i].name, certificates[j].name) == 0) {
                check_name(reading, node, i, certificates[i].name);
                break;
            }
        }
    }
}

void ls_check_event(struct ls_reading *reading, const struct ls_node *node, void *record)
{
    struct ls_event *event = record;
    const bool reconnect = ls_node_get(node, "reconnect") != NULL;

    if (event->gateways > 0 && reconnect) {
        complain_at(reading, node, "reconnect",
                    "belongs to an event of its own, not to gateway_down");
    } else if (event->gateways == 0 && !reconnect) {
        ls_complain(reading, place_of(node, "at"),
                    "says nothing that happens; give gateway_down: 1 or reconnect: 100%%");
    }
    event->kind = event->gateways > 0 ? LS_EVENT_GATEWAY_DOWN : LS_EVENT_RECONNECT;
}

void ls_check_farm_cpu(struct ls_reading *reading, const struct ls_node *node, void *record)
{
    struct ls_farm *farm = record;

    (void)reading;
    (void)node;
    if (farm->openssl_speed != NULL) {
        farm->cpu_factor = 1;
    }
}

void ls_check_farm(struct ls_reading *reading, const struct ls_node *node, void *record)
{
    struct ls_farm *farm = record;

    farm->given = true;
    if (farm->spare >= farm->gateways) {
        complain_at(reading, node, "spare",
                    "leaves no gateway to log in to; it must be below gateways");
    }
}

static bool is_one_of(const struct ls_node *scalar, const char *one, const char *other)
{
    return scalar != NULL && scalar->kind == LS_NODE_SCALAR &&
           (strcmp(scalar->text, one) == 0 || strcmp(scalar->text, other) == 0);
}

/* Whether the arrivals say how many users there are: all come from recorded curves, or there are
 * closed loops. */
static bool says_users(const struct ls_node *arrivals)
{
    const struct ls_node *wave = arrivals;
    bool recorded = arrivals != NULL;

    if (arrivals != NULL && arrivals->kind == LS_NODE_LIST) {
        wave = arrivals->first;
    }
    for (; wave != NULL; wave = wave == arrivals ? NULL : wave->next) {
        const struct ls_node *shape = ls_node_get(wave, "shape");

        if (is_one_of(shape, "sequence", "closed")) {
            return true;
        }
        recorded = recorded && is_one_of(shape, "recorded", "recorded");
    }
    return recorded;
}

void ls_check_missing(struct ls_reading *reading, const struct ls_node *root)
{
    const struct ls_node *target = ls_node_get(ls_node_get(root, "gateway"), "target");
    const bool embedded = target == NULL || strcmp(target->text, "embedded") == 0;

    if (ls_node_get(root, "users") == NULL && !says_users(ls_node_get(root, "arrivals"))) {
        complain_at(reading, root, "users", "is missing: how many users log in, like users: 6000");
    }
    if (ls_node_get(root, "certificates") == NULL && embedded) {
        complain_at(reading, root, "certificates",
                    "is missing: what the embedded gateway shows, like [{key: rsa-4096}, {key: "
                    "ecdsa-p256}]");
    }
}

static void check_events(struct ls_reading *reading, const struct ls_node *node,
                         const struct ls_scenario *s)
{
    for (size_t i = 0; i < s->events_count; i++) {
        if (s->farm.given && s->events[i].gateways > s->farm.gateways) {
            const struct ls_node *item = ls_node_at(ls_node_get(node, "events"), i);
            const size_t events = ls_path_enter(reading, "events");

            (void)ls_path_enter_item(reading, i);
            complain_at(reading, item, "gateway_down", "is more than the farm has");
            ls_path_leave(reading, events);
        }
    }
}

/* "scenarios/morning-peak.yaml" -> "morning-peak". */
static void name_by_file(struct ls_reading *reading, struct ls_scenario *s)
{
    const char *slash = strrchr(reading->file, '/');
    const char *base = slash != NULL ? slash + 1 : reading->file;
    const char *dot = strrchr(base, '.');
    size_t length = dot != NULL && dot != base ? (size_t)(dot - base) : strlen(base);

    if (length == 0) {
        base = "scenario";
        length = strlen(base);
    }
    s->name = ls_arena_text(reading->memory, base, length);
    reading->no_memory = reading->no_memory || s->name == NULL;
}

/* "scenarios/morning-peak.yaml" -> "scenarios". */
static void note_folder(struct ls_reading *reading, struct ls_scenario *s)
{
    const char *slash = strrchr(reading->file, '/');

    if (slash != NULL) {
        /* That of "/monday.yaml" is empty, and its files begin with the slash behind it. */
        s->folder = ls_arena_text(reading->memory, reading->file, (size_t)(slash - reading->file));
        reading->no_memory = reading->no_memory || s->folder == NULL;
    }
}

/* What an outside gateway shows when it is asked for the populations' names. */
static void add_outside(struct ls_reading *reading, struct ls_scenario *s)
{
    struct ls_certificate *certificate = ls_arena_alloc(reading->memory, 1, sizeof *certificate);

    if (certificate == NULL) {
        reading->no_memory = true;
        return;
    }
    *certificate = (struct ls_certificate){.name = s->gateway.target, .key = LS_KEY_FILE};
    s->certificates = certificate;
    s->certificates_count = 1;
}

void ls_check_scenario(struct ls_reading *reading, const struct ls_node *node, void *record)
{
    struct ls_scenario *s = record;
    struct ls_error err = {0};

    check_events(reading, node, s);
    note_folder(reading, s);
    if (!s->gateway.embedded && s->certificates_count == 0) {
        add_outside(reading, s);
    }
    ls_check_keys(reading, node, s);
    ls_check_names(reading, node, s);
    if (ls_scenario_is_closed(s)) {
        ls_check_closed(reading, node, s);
    }
    ls_check_resume(reading, node, s);
    if (s->name == NULL) {
        name_by_file(reading, s);
    }
    if (ls_node_get(node, "seed") == NULL) {
        s->seed_drawn = true;
        if (ls_random_seed(&s->seed, &err) != LS_OK) {
            complain_at(reading, node, "seed", err.text);
        }
    }
}
