/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One storm of a calibration: so many handshakes of one kind a second, for some seconds. */
#include "cli/calibrate.h"

#include <math.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "loginstorm/schedule.h"
#include "loginstorm/units.h"

#define IDLE_PER_S 20.0
#define IDLE_SHARE_MOST 0.1 /* a slow core is not idle at 20 a second */
#define PROBE_S 0.4
#define PROBE_SHARE 0.5

/* An injector above 80 % of its core makes a measurement suspect. */
#define INJECTOR_SHARE 0.7

/* More samples than these tell no distribution better, and the ports of a source address are 28,000. */
#define HANDSHAKES_MOST 12000.0

struct play {
    struct calibration *calibration;
    struct kind *kind;
    struct load *load; /* NULL: a probe */
    double seconds;
};

static void on_step(const char *text, void *data)
{
    (void)text;
    (void)data;
}

static void on_view(const struct ls_storm_view *view, void *data)
{
    (void)view;
    (void)data;
}

bool calibrate_counts(const struct ls_run *run)
{
    return !run->partial && run->validity.verdict != LS_INVALID && run->cpu_us_per_handshake > 0 &&
           run->handshakes_full + run->handshakes_resumed > 0;
}

bool calibrate_has(const struct load *load)
{
    for (size_t i = 0; i < load->rounds_count; i++) {
        if (calibrate_counts(&load->rounds[i])) {
            return true;
        }
    }
    return false;
}

/* Room for so many more. */
static bool pile_grow(struct pile *pile, size_t more)
{
    int64_t *grown;

    if (pile->room - pile->count >= more) {
        return true;
    }
    grown = realloc(pile->values, (pile->count + more) * sizeof *grown);
    if (grown != NULL) {
        pile->values = grown;
        pile->room = pile->count + more;
    }
    return grown != NULL;
}

static void pile_add(struct pile *pile, int64_t value)
{
    pile->values[pile->count++] = value;
}

static bool add_samples(struct load *load, const struct ls_measurement *measurement)
{
    const struct ls_gateway_account *gateway = &measurement->gateway;
    size_t logins, handshakes;
    const struct ls_login *login = ls_record_logins(measurement->record, &logins);
    const struct ls_handshake *row = ls_record_handshakes(measurement->record, &handshakes);

    if (!pile_grow(&load->hello, gateway->bursts_count) ||
        !pile_grow(&load->finish, gateway->bursts_count) ||
        !pile_grow(&load->connect, handshakes) || !pile_grow(&load->handshake, handshakes) ||
        !pile_grow(&load->login, logins)) {
        return false;
    }
    for (size_t i = 0; i < gateway->bursts_count; i++) {
        pile_add(&load->hello, gateway->bursts[i].hello_ns);
        pile_add(&load->finish, gateway->bursts[i].finish_ns);
    }
    for (size_t i = 0; i < handshakes; i++) {
        if (row[i].outcome == LS_OUTCOME_LOGGED_IN) {
            pile_add(&load->connect, row[i].connected_ns - row[i].started_ns);
            pile_add(&load->handshake, row[i].ended_ns - row[i].connected_ns);
        }
    }
    for (size_t i = 0; i < logins; i++) {
        if (login[i].outcome == LS_OUTCOME_LOGGED_IN) {
            pile_add(&load->login, login[i].done_ns - login[i].due_ns);
        }
    }
    return true;
}

/* How long the gateway had for it: the arrivals, or longer where it fell behind. */
static double span_of(const struct ls_gateway_account *gateway, double seconds)
{
    const double last_ns =
        gateway->samples_count > 0 ? (double)gateway->samples[gateway->samples_count - 1].at_ns : 0;

    return fmax(seconds * 1e9, last_ns);
}

static enum ls_code keep(struct play *play, struct ls_run *run,
                         const struct ls_measurement *measurement, struct ls_error *err)
{
    struct load *load = play->load;

    if (load->rounds_count == load->rounds_room) {
        struct ls_run *grown =
            realloc(load->rounds, (load->rounds_room + 4) * sizeof *load->rounds);

        if (grown == NULL) {
            return ls_error_set(err, LS_ENOMEM, "no memory for a round of a calibration");
        }
        load->rounds = grown;
        load->rounds_room += 4;
    }
    load->rounds[load->rounds_count++] = *run;
    if (!calibrate_counts(run)) {
        *run = (struct ls_run){0}; /* it is the load's now */
        return LS_OK;
    }
    load->handshakes += (double)(run->handshakes_full + run->handshakes_resumed);
    load->cpu_ns += (double)measurement->gateway.cpu_ns;
    load->span_ns += span_of(&measurement->gateway, play->seconds);
    *run = (struct ls_run){0};
    return add_samples(load, measurement)
               ? LS_OK
               : ls_error_set(err, LS_ENOMEM, "no memory for the samples of a calibration");
}

static enum ls_code on_measured(const struct ls_measurement *measurement, void *data,
                                struct ls_error *err)
{
    struct play *play = data;
    struct ls_run run;
    enum ls_code code = ls_run_build(&run, measurement, err);

    if (code != LS_OK) {
        return code;
    }
    if (play->load != NULL) {
        code = keep(play, &run, measurement, err);
    } else if (run.cpu_us_per_handshake > 0) {
        play->kind->cpu_ns = run.cpu_us_per_handshake * 1000;
        play->kind->client_ns = run.injector_us_per_handshake * 1000;
    }
    ls_run_clear(&run);
    return code;
}

/* The first core that may be used: a gateway that moves about is not measured. */
static int first_core(void)
{
    cpu_set_t usable;

    CPU_ZERO(&usable);
    if (sched_getaffinity(0, sizeof usable, &usable) == 0) {
        for (int core = 0; core < CPU_SETSIZE; core++) {
            if (CPU_ISSET((size_t)core, &usable)) {
                return core;
            }
        }
    }
    return 0;
}

void calibrate_steady(struct ls_scenario *one, struct ls_wave *wave, struct ls_population *users,
                      const struct ls_scenario *from, size_t certificate, double per_s,
                      double seconds)
{
    const double logins = per_s * seconds / users->connections;

    *wave = (struct ls_wave){.shape = LS_SHAPE_UNIFORM, .share = 1, .scale = -1};
    *one = *from;
    one->users = logins < 2 ? 2 : llround(logins);
    one->from_ns = 8 * LS_NS_PER_H;
    one->window_ns = LS_NS_PER_H;
    one->timezone = NULL;
    one->speedup = 3600 / seconds;
    one->waves = wave;
    one->waves_count = 1;
    one->populations = users;
    one->populations_count = 1;
    one->certificates = &from->certificates[certificate];
    one->certificates_count = 1;
    one->login.hold = LS_HOLD_NONE;
    one->farm = (struct ls_farm){0};
    one->events_count = 0;
    one->targets = (struct ls_targets){-1, -1, -1, -1, -1, -1};
}

enum ls_code calibrate_play(struct ls_storm_wish *wish, struct ls_error *err)
{
    struct ls_schedule *schedule;
    enum ls_code code = ls_schedule_build(&schedule, wish->scenario, err);

    if (code == LS_OK) {
        wish->schedule = schedule;
        code = ls_storm_run(wish, err);
        wish->schedule = NULL;
        ls_schedule_free(schedule);
    }
    return code;
}

static void steady(struct ls_scenario *one, struct ls_wave *wave, struct ls_population *users,
                   const struct play *play, double per_s)
{
    const struct ls_scenario *from = play->calibration->scenario;

    *users = play->kind->population;
    if (play->load != NULL && play->load->share <= 0) {
        users->connections = 1; /* the second of a user's would not find the gateway idle */
    }
    calibrate_steady(one, wave, users, from, play->kind->certificate, per_s, play->seconds);
    one->gateway.workers = 1;
    one->gateway.cores[0] = from->gateway.cores_count > 0 ? from->gateway.cores[0] : first_core();
    one->gateway.cores_count = 1;
}

static enum ls_code storm(struct play *play, double per_s, struct ls_error *err)
{
    struct calibration *calibration = play->calibration;
    struct ls_scenario one;
    struct ls_wave wave;
    struct ls_population users;
    struct ls_storm_wish wish = {
        .scenario = &one,
        .program = "/proc/self/exe",
        .injectors = calibration->injectors,
        .identities = &calibration->identities[play->kind->certificate],
        .step = on_step,
        .view = on_view,
        .measured = on_measured,
        .data = play,
    };

    steady(&one, &wave, &users, play, per_s);
    return calibrate_play(&wish, err);
}

/* A load's rate by what one handshake takes on either side. */
static void rate(struct kind *kind, struct load *load, int injectors)
{
    const double most =
        kind->client_ns > 0 ? INJECTOR_SHARE * injectors * 1e9 / kind->client_ns : HUGE_VAL;
    const double wanted = load->share * 1e9 / kind->cpu_ns;

    if (load->share <= 0) {
        load->per_s = fmin(IDLE_PER_S, IDLE_SHARE_MOST * 1e9 / kind->cpu_ns);
        return;
    }
    kind->limited = kind->limited || wanted > most;
    load->per_s = fmin(wanted, most);
    load->seconds = fmin(load->seconds, HANDSHAKES_MOST / load->per_s);
}

enum ls_code calibrate_probe(struct calibration *calibration, struct kind *kind,
                             struct ls_error *err)
{
    struct play play = {.calibration = calibration, .kind = kind, .seconds = PROBE_S};
    double highest = 0;
    enum ls_code code = storm(&play, IDLE_PER_S, err);

    /* What is cheap when idle is cheaper still when busy: a second look from there. */
    if (code == LS_OK && kind->cpu_ns > 0) {
        code = storm(&play, PROBE_SHARE * 1e9 / kind->cpu_ns, err);
    }
    if (code == LS_OK && !(kind->cpu_ns > 0)) {
        code = ls_error_set(err, LS_EINVALID, "%s: no handshake came through, so there is no cost",
                            kind->name);
    }
    for (size_t i = 0; code == LS_OK && i < LOADS; i++) {
        rate(kind, &kind->loads[i], calibration->injectors);
        /* Loads that the injectors' limit made one are measured once. */
        if (kind->loads[i].per_s < 1.1 * highest) {
            kind->loads[i].per_s = 0;
        } else {
            highest = kind->loads[i].per_s;
        }
    }
    return code;
}

enum ls_code calibrate_round(struct calibration *calibration, struct kind *kind, struct load *load,
                             struct ls_error *err)
{
    struct play play = {
        .calibration = calibration, .kind = kind, .load = load, .seconds = load->seconds};

    return storm(&play, load->per_s, err);
}
