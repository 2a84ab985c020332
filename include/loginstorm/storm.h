/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_STORM_H
#define LOGINSTORM_STORM_H

/*
 * The storm: the conductor of a live run. It starts a fresh gateway and fresh injectors for each
 * certificate of the scenario (and for each round of a repeated storm), gives them one start signal, gathers what they saw, and never drives
 * load itself.
 *
 *     scenario, schedule -> [storm] -> injectors, gateway workers (processes)
 *                              `-----> one measurement a certificate
 *
 * The processes are this same program (`program`, by ls_storm_injector_main and
 * ls_storm_worker_main). They talk over two pipes in versioned lines; a record lies in memory that
 * injector and conductor share, so that a killed injector's logins are not lost.
 */

#include <stdint.h>

#include "loginstorm/engine.h"
#include "loginstorm/error.h"
#include "loginstorm/result.h"
#include "loginstorm/scenario.h"
#include "loginstorm/schedule.h"

/* Hidden commands of the program that the conductor starts itself by. */
#define LS_STORM_INJECTOR_COMMAND "injector-process"
#define LS_STORM_WORKER_COMMAND "gateway-process"

struct ls_identity;

/* How a running storm looks, ten times a second. */
struct ls_storm_view {
    size_t certificate; /* index in the scenario */
    int repeat;         /* the round, from 1 */
    int64_t run_ns;     /* since its start; negative before it */
    int64_t started, logged_in, failed, in_flight;
    int64_t gateway_cpu_ns; /* of all workers, since the start; negative: it is not ours */
    const struct ls_record *const *records; /* one an injector; rows appear as logins end */
    size_t records_count;
    struct ls_share share; /* whose rows those are: record r has those of first + r */
};

/* A start that somebody names, by a clock that all machines go by: this machine's own may be another one. */
struct ls_storm_start {
    int64_t at_ns;             /* on that clock, since 1970, UTC; 0: nobody has said so yet */
    int64_t clock_ns, same_ns; /* what that clock said when the monotonic one here said same_ns */
};

struct ls_storm_wish {
    const struct ls_scenario *scenario;
    const struct ls_schedule *schedule;
    const struct ls_target *target; /* by ls_storm_target; NULL for the embedded gateway */
    const struct ls_shown *shown;   /* by ls_storm_look, one a certificate; NULL: nobody looked */
    const char *program;
    int injectors;
    /* Of a storm that several machines play: this one is shard `shard`, from 0, of `shards`; its injectors are
     * number shard * injectors and on of all shards' shards * injectors. 0 of 0: the whole storm. */
    int shard, shards;
    /* When it starts, on the clock on the wall (ns since 1970, UTC), and each further certificate and round
     * ls_storm_slot_ns after the one before. 0: each when it is ready. Who is not ready by then starts late, which
     * its measurement says. */
    int64_t start_at_ns;
    /* Instead of that, a start that is named once this machine is ready: asked from then on until it is said, and the
     * same for each further certificate. An error ends the storm. NULL: start_at_ns. */
    enum ls_code (*told)(struct ls_storm_start *start, void *data, struct ls_error *err);
    /* What the gateway shows, one a certificate, made before (ls_storm_identities); NULL: made now. */
    struct ls_identity *const *identities;
    /* Rounds, each with every certificate once: A B C A B C, so that what drifts meets all of them
     * alike. 0 is 1. */
    int repeat;
    /* How often an outside gateway's CPU is read before the storm: 0 as often as tells what is to be subtracted, else
     * so often (at least 2, at most 16) that it has come to rest. */
    int outside_readings;
    /* What is being done that takes a moment: "making a key: RSA 4096". */
    void (*step)(const char *text, void *data);
    void (*view)(const struct ls_storm_view *view, void *data);
    /* After each certificate; what measurement points to lives until it returns. An error ends the
     * storm. */
    enum ls_code (*measured)(const struct ls_measurement *measurement, void *data,
                             struct ls_error *err);
    void *data;
};

/*
 * Checks what can be checked before anything is started: the cores exist, what a live run cannot do
 * is not asked for. LS_EINPUT.
 */
LS_MUST_CHECK
enum ls_code ls_storm_check(const struct ls_scenario *scenario, int injectors,
                            struct ls_error *err);

/* The same of its shards: each injector has users of its own, and one gateway meets them all. LS_EUSAGE, LS_EINPUT. */
LS_MUST_CHECK
enum ls_code ls_storm_check_shards(const struct ls_scenario *scenario,
                                   const struct ls_schedule *schedule, int injectors, int shards,
                                   struct ls_error *err);

/* Raises this process's limit of open files, which the storm's processes inherit, to what it takes; shards 0: no shard.
 * LS_ELIMIT where that may not be. */
LS_MUST_CHECK
enum ls_code ls_storm_check_files(const struct ls_scenario *scenario,
                                  const struct ls_schedule *schedule, int injectors, int shard,
                                  int shards, struct ls_error *err);

/*
 * From one start of a storm to the next, whole seconds that every machine finds alike: the last login due, its
 * time-out, and what is done before and after. 0 for a closed loop, whose end nobody knows.
 */
int64_t ls_storm_slot_ns(const struct ls_scenario *scenario, const struct ls_schedule *schedule);

/*
 * Where an outside gateway is, and whether this storm may go there: loopback always; another machine
 * when the scenario's gateway.allow names each of its addresses, its day is not over, the caps hold
 * and allow_outside says so once more. LS_EINPUT and LS_EUSAGE with what is missing, LS_EUNREACHABLE
 * when the name has no address. For the embedded gateway count is 0. The caps are those of the whole storm, by
 * so many injectors in all (of all shards), each of which holds its even part of them.
 */
LS_MUST_CHECK
enum ls_code ls_storm_target(struct ls_target *out, const struct ls_scenario *scenario,
                             const struct ls_schedule *schedule, int injectors, bool allow_outside,
                             struct ls_error *err);

/* The same as a sentence for every report: target, addresses, who authorised it, caps. size >= 1024 */
void ls_storm_target_text(const struct ls_target *target, const struct ls_scenario *scenario,
                          char *out, size_t size);

/*
 * A first look at an outside gateway, in no count: a handshake for each certificate and population (and one
 * at each further address), and a second one where they verify the chain. What it shows goes into shown, one
 * a certificate, zeroed by the caller; chain_length stays 0 where the scenario wants no look, and for the
 * embedded gateway. LS_EUNREACHABLE where nobody is there, or no TLS; LS_EINPUT where users could not log
 * in, or the scenario's key is another one, with what to do. The TLS room has been started. shards: as many
 * machines look at the same time (0 is 1).
 */
LS_MUST_CHECK
enum ls_code ls_storm_look(struct ls_shown *shown, const struct ls_scenario *scenario,
                           const struct ls_target *target, int shards, struct ls_error *err);

/* Below so many days until a certificate expires people are warned. */
#define LS_LOOK_DAYS_FEW 14

/* The same as a sentence for every report, with the certificate's name in the scenario. size >= 300 */
void ls_storm_look_text(const struct ls_shown *shown, const char *certificate, char *out,
                        size_t size);

/*
 * Makes or loads what the gateway shows, for several storms of one scenario: one a certificate into identities, NULL
 * until then; the caller frees them, after a failure too. Of wish scenario, step and data are looked at.
 */
LS_MUST_CHECK
enum ls_code ls_storm_identities(const struct ls_storm_wish *wish, struct ls_identity **identities,
                                 struct ls_error *err);

/* A certificate's own chain and key, by the files that the scenario names; the caller frees it. The codes of
 * ls_identity_load. The TLS room has been started. */
LS_MUST_CHECK
enum ls_code ls_storm_load_identity(struct ls_identity **out, const struct ls_scenario *scenario,
                                    size_t certificate, struct ls_error *err);

/* "1 worker on core 0 · 1 injector on core 1". */
void ls_storm_placement(const struct ls_scenario *scenario, int injectors, char *out, size_t size);

/* What a measurement of a certificate has of its scenario, whoever measured: names, pace, and how dense its fullest
 * minute and second are. Points into the scenario. */
void ls_storm_describe(struct ls_measurement *measurement, const struct ls_scenario *scenario,
                       const struct ls_schedule *schedule, size_t certificate);

/*
 * Runs it all. A storm that ended early has given its partial measurement to `measured` all the
 * same, and returns why: LS_EINTERRUPTED or LS_ETERMINATED (signals; a second one quits the process
 * at once), LS_EUNREACHABLE (the gateway died), LS_EPARTIAL (an injector died), or the code of what
 * failed.
 */
LS_MUST_CHECK
enum ls_code ls_storm_run(const struct ls_storm_wish *wish, struct ls_error *err);

/* The mains of the processes that a conductor starts; they return an exit status. */
int ls_storm_injector_main(void);
int ls_storm_worker_main(void);

#endif
