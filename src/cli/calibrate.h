/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_CLI_CALIBRATE_H
#define LOGINSTORM_CLI_CALIBRATE_H

/*
 * One `calibrate`: kinds of handshake, each at some loads, each load in some rounds. A round of a load is a storm of its
 * own with steady arrivals.
 *
 *     scenario -> kinds -> storms -> loads (figures and single samples) -> cost profile, table
 */

#include "cli/options.h"
#include "cli/progress.h"
#include "loginstorm/costs.h"
#include "loginstorm/scenario.h"
#include "loginstorm/storm.h"
#include "loginstorm/tls.h"

#define LOADS 4 /* idle, and three parts of a full core */

/* Values of single handshakes or logins, over all rounds that count. */
struct pile {
    int64_t *values;
    size_t count, room;
};

struct load {
    double share; /* of a core that is aimed at; 0: idle */
    double per_s; /* handshakes, so that it is met; 0: not known yet */
    double seconds;
    struct ls_run *rounds;
    size_t rounds_count, rounds_room;
    struct pile hello, finish, connect, handshake, login;
    double handshakes, cpu_ns, span_ns; /* of the rounds that count */
};

/* One kind of handshake. */
struct kind {
    size_t certificate;              /* of the scenario */
    struct ls_population population; /* all of it; its pointers are the scenario's */
    char name[160];                  /* "RSA 4096, resumed" */
    double cpu_ns, client_ns;        /* each, as the probe saw it */
    bool limited;                    /* the injectors cannot give more than the last load's share */
    struct load loads[LOADS];
};

struct calibration {
    const struct options *options;
    struct ls_scenario *scenario;
    struct ls_identity **identities; /* one a certificate */
    struct kind *kinds;
    size_t kinds_count;
    int rounds, injectors;
    struct progress progress;
    bool failed; /* some load has no round that counts */
    struct ls_openssl_speed openssl;
    struct ls_spread pauses; /* of a core of this host; count 0: none, or not known */
    double pauses_per_s;     /* negative: not known */
};

/* The scenario, or that of a calibration without one; errors are printed. The exit status. */
int calibrate_load(struct calibration *calibration);

/* What of it is to be measured. */
LS_MUST_CHECK
enum ls_code calibrate_kinds(struct calibration *calibration, struct ls_error *err);

/* A short storm or two, after which the loads' rates are known. */
LS_MUST_CHECK
enum ls_code calibrate_probe(struct calibration *calibration, struct kind *kind,
                             struct ls_error *err);

/* An hour of steady arrivals, played in so many seconds; all else is the scenario's. wave and users must stay. */
void calibrate_steady(struct ls_scenario *one, struct ls_wave *wave, struct ls_population *users,
                      const struct ls_scenario *from, size_t certificate, double per_s,
                      double seconds);

/* Draws the schedule of wish->scenario, and storms by it. */
LS_MUST_CHECK
enum ls_code calibrate_play(struct ls_storm_wish *wish, struct ls_error *err);

/* One round of one load. */
LS_MUST_CHECK
enum ls_code calibrate_round(struct calibration *calibration, struct kind *kind, struct load *load,
                             struct ls_error *err);

/* How often this host's cores stand still, and for how long. Takes four seconds. */
LS_MUST_CHECK
enum ls_code calibrate_pauses(struct calibration *calibration, struct ls_error *err);

/* What is being done, on standard error. */
void calibrate_tell(struct calibration *calibration, const char *text);

/* Between two storms nobody listens to signals: they wait for the next one, and behind the last one for nothing, since
 * everything is measured then and has only to be written. */
void calibrate_hold_signals(void);

/* Whether the profile can be written where it is to go, and takes the place of nothing that is read. */
LS_MUST_CHECK
enum ls_code calibrate_must_be_writable(const struct calibration *calibration,
                                        struct ls_error *err);
LS_MUST_CHECK
enum ls_code calibrate_save(const struct ls_costs *costs, const char *path, struct ls_error *err);

/* All of it for a gateway that is not ours; the exit status. */
int calibrate_outside(struct calibration *calibration);

/* About how long all of it takes. */
double calibrate_seconds(const struct calibration *calibration);

/* Whether a round is one that a cost is made of. */
bool calibrate_counts(const struct ls_run *run);
bool calibrate_has(const struct load *load);

/* What was measured; LS_EINVALID where that is nothing. */
LS_MUST_CHECK
enum ls_code calibrate_costs(struct ls_costs **out, struct calibration *calibration,
                             struct ls_error *err);

void calibrate_table(const struct calibration *calibration, const struct ls_costs *costs,
                     FILE *out);

/* What was not as it should be with a kind, a sentence a line. */
void calibrate_reasons(const struct kind *kind, FILE *out);
void calibrate_clear(struct calibration *calibration);

#endif
