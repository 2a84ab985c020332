/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_MODEL_H
#define LOGINSTORM_MODEL_H

/*
 * The model: the same users meet gateways that exist on paper, in virtual time.
 *
 *     schedule, costs -> [model] -> record -> result / plan
 *
 * A discrete-event simulation. A login is a number of TCP connections, one after another. A
 * connection is a SYN that finds a place in a gateway's backlog or comes again, then some steps: a
 * message on its way to the gateway, a burst of CPU there, an answer on its way back. Bursts wait
 * for a core of their gateway, first come first served. A user who gives up leaves behind what he
 * has in the queue.
 *
 * What happens at the same ns happens in the order in which it was caused; every draw is a hash of
 * (seed, user, draw). So one seed gives one morning, to the ns, and two farms meet the same users
 * with the same patience and the same handshakes.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "loginstorm/costs.h"
#include "loginstorm/error.h"
#include "loginstorm/record.h"
#include "loginstorm/scenario.h"
#include "loginstorm/schedule.h"

/* How long a burst takes. */
enum ls_law { LS_LAW_FIXED, LS_LAW_EXPONENTIAL, LS_LAW_LOGNORMAL, LS_LAW_SPREAD };
struct ls_service {
    enum ls_law law;
    double mean_ns;
    double scv;                     /* lognormal: squared coefficient of variation */
    const struct ls_spread *spread; /* its shape; must outlive the model */
    double stretch;                 /* of that shape, so that its mean is mean_ns */
};

/* The law of a spread (count > 0), drawn out or in to a mean; straight between its points. */
struct ls_service ls_service_of_spread(const struct ls_spread *spread, double mean_ns);

/*
 *     user ...client_ns.. --(rtt/2 + delay_ns)-> gateway: queue, burst --(rtt/2)-> user
 */
struct ls_model_step {
    struct ls_service burst;
    double beside_ns; /* more of it that does not vary */
    /* More of it on a core that was idle, for cold caches and a process to wake: g / (g + warm_ns) of
     * wake_ns after a gap of g. warm_ns 0: all of it after any gap. */
    double wake_ns, warm_ns;
    int64_t client_ns; /* CPU of the user before he sends this: the answer before it, too */
    int64_t delay_ns;  /* what else it waits on its way, on no CPU of either */
};

/* A kind of handshake and what follows it on its connection. */
#define LS_MODEL_STEPS_MAX 5
struct ls_model_handshake {
    struct ls_model_step steps[LS_MODEL_STEPS_MAX];
    int steps_count;
    int flight; /* the step whose end is the server's flight: what a full handshake costs most for */
    /* With what the user makes of the answer to this step (client_ns of the next, or of the last the
     * CPU below) he has TLS ... */
    int secured;
    int through; /* ... and with this one the connection has done what the login wants of it */
    int64_t last_client_ns;
    bool tls13, hello_retry;
};

struct ls_model_population {
    int connections;
    int64_t rtt_ns, jitter_ns; /* of each connection: anywhere from rtt - jitter to rtt + jitter */
    int64_t connect_client_ns, connect_delay_ns; /* before and beside a SYN */
    double resume_share;
    struct ls_model_handshake full, resumed;
};

struct ls_model_farm {
    int gateways, cores; /* of each */
    enum ls_balancing balancing;
    int64_t
        backlog; /* connections that may wait for their first burst at a gateway; a SYN beyond is
                        dropped. Negative: any number */
    bool drops_closed; /* what its user has left is not begun */
    bool classic_syn_retries;
    int64_t login_cpu_ns; /* in the last burst that a login waits for */
};

struct ls_model_wish {
    const struct ls_model_population *populations; /* by the schedule's index */
    size_t populations_count;
    struct ls_login_wish login; /* time-outs, retries, hold */
    struct ls_model_farm farm;
    const struct ls_event *events;
    size_t events_count;
    double speedup;   /* of the schedule: events come so much sooner; time-outs stay */
    int client_cores; /* where all users' CPU comes from: so many injectors of a core each, a user
                           at one of them by his number. 0: each has a machine of his own */
    /* Every core, of gateways and of injectors, stands still so often for so long, at random: as the
     * cores of a host that others share. Only where each has one core; NULL: none does. In the CPU of
     * whose burst it falls into. Must outlive the model. */
    const struct ls_service *pauses;
    double pauses_per_s;
    int64_t slice_ns;     /* of real time, in which CPU is added up; 0: a minute of scenario time */
    bool keep_handshakes; /* a row for each, in the record */
};

struct ls_model;

/* What a morning came to, beside its logins. Counts over all gateways. */
struct ls_model_facts {
    int64_t logins;   /* rows: the schedule's, then those of users who had to come again */
    int64_t returned; /* of them: who lost his session to an event */
    int64_t logged_in, failed;
    int64_t attempts;
    int64_t connections; /* that a gateway took */
    int64_t syn_dropped; /* SYNs that found no place; each may come again */
    int64_t flights, secured;
    int64_t wasted;  /* flights that nobody was secured by */
    int64_t dropped; /* connections that a gateway did not begin, since their users had left */
    int64_t cpu_ns;
    int64_t last_ns; /* the end of the last burst */
    /* Connections that waited for their first burst at one gateway; 0 where any number may. */
    int64_t worst_waiting;
    int64_t peak_slice; /* index of the fullest slice, and the share of the farm's cores in it */
    double peak_share;  /* (of all, whether up or down) */
    double peak_gateway_share; /* of one gateway's cores, in its own fullest slice */
    int64_t events; /* steps of the simulation: arrivals, messages, ends of bursts, time-outs */
};

/* For one thread; many may lean on one wish, which must outlive them all (and what it points to).
 * LS_EINPUT for what is no farm. */
LS_MUST_CHECK
enum ls_code ls_model_new(struct ls_model **out, const struct ls_model_wish *wish,
                          struct ls_error *err);
void ls_model_free(struct ls_model *model);

/* From the next morning on every handshake costs so many times what the wish says, the user's part too where injectors of the
 * same host play him; 1 before. login_cpu_ns and pauses stay. */
void ls_model_set_cpu(struct ls_model *model, double cpu);

/* From now on look is called within a morning, each time that so many users more have come, with their number. */
void ls_model_watch(struct ls_model *model, size_t users, void (*look)(size_t users, void *data),
                    void *data);

/* One morning, and the one before it forgotten. The schedule must not change until the next. */
LS_MUST_CHECK
enum ls_code ls_model_run(struct ls_model *model, const struct ls_schedule *schedule, uint64_t seed,
                          struct ls_error *err);

/* Of the last morning; they stay until the next. */
const struct ls_model_facts *ls_model_facts(const struct ls_model *model);
const struct ls_login *ls_model_logins(const struct ls_model *model, size_t *count);
/* Which user of the schedule a row is: below the schedule's count the row itself. */
size_t ls_model_user(const struct ls_model *model, size_t row);
/* The fullest minute and second of the last morning's logins, those who came again among them; schedule and
 * scenario are those that it was played with. Not of closed loops, as ls_schedule_load. LS_ENOMEM. */
LS_MUST_CHECK
enum ls_code ls_model_load(struct ls_load *out, const struct ls_model *model,
                           const struct ls_schedule *schedule, const struct ls_scenario *scenario,
                           struct ls_error *err);
/* CPU of the whole farm in each slice, ns. */
const int64_t *ls_model_slices(const struct ls_model *model, size_t *count, int64_t *slice_ns);

/* Gives back what only a play needs: from here to the next one the logins, handshakes and slices are there, and no users. */
void ls_model_lighten(struct ls_model *model);

/* The last morning as a live engine would have put it down: its logins, and its handshakes where
 * they were kept. The caller frees it. */
LS_MUST_CHECK
enum ls_code ls_model_record(struct ls_record **out, const struct ls_model *model,
                             struct ls_error *err);

/* Bytes that a model takes while it plays so many users of a scenario, and the rows that its record then has: at the most, where
 * everybody needs all of his attempts. */
int64_t ls_model_memory(const struct ls_scenario *scenario, int64_t users, bool keep_handshakes);
void ls_model_rows(const struct ls_scenario *scenario, int64_t users, size_t *logins,
                   size_t *handshakes);

#endif
