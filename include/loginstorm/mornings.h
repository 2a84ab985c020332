/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_MORNINGS_H
#define LOGINSTORM_MORNINGS_H

/*
 * Many mornings: the same scenario under other seeds, so that a farm is judged by more than one draw of
 * the dice.
 *
 *     scenario -> [mornings] -> model, once each -> a summary each -> simulate / plan
 *
 * Morning 0 has the scenario's own seed: the users that a live storm meets. Every farm that is played meets the same mornings.
 * Their schedules are made once and kept while all together have up to 10 million logins (24 bytes each); of more only the
 * first is kept, and a playing thread makes each of the others again, so that memory grows by the threads and not by the mornings.
 * Threads take mornings by number; the result is the same for any number of them.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "loginstorm/error.h"
#include "loginstorm/model.h"
#include "loginstorm/result.h"
#include "loginstorm/scenario.h"
#include "loginstorm/scene.h"
#include "loginstorm/schedule.h"

/* One morning. Latencies as in result.h, ns; LS_NEVER_NS where so many failed. */
struct ls_morning {
    bool played; /* false: the play was ended before, and the rest of this is nothing */
    double cpu;  /* its costs, in multiples of the farm's */
    struct ls_model_facts facts;
    int64_t p50_ns, p90_ns, p95_ns, p99_ns, p99_9_ns, p100_ns; /* of the logged in */
    /* Over all, a failed login counting as longer than any. */
    int64_t of_all_p50_ns, of_all_p95_ns, of_all_p99_ns, of_all_p100_ns;
    int64_t by_reason[LS_REASON_COUNT]; /* of failed logins */
    int64_t peak_minute_logins;         /* due, once or again, in the fullest clock minute */
};

/* A 95 % interval of a gateway's CPU, in multiples of its costs: low <= 1 <= high. */
struct ls_cpu_doubt {
    double low, high;
};

struct ls_mornings;

/* threads: 0: one for each core that there is. LS_EINPUT, and the codes of ls_schedule_build. */
LS_MUST_CHECK
enum ls_code ls_mornings_new(struct ls_mornings **out, const struct ls_scenario *scenario,
                             int count, int threads, struct ls_error *err);
void ls_mornings_free(struct ls_mornings *mornings);

/* How many threads play count mornings where so many are wished for (0: one for each core), and the bytes that the whole of
 * it takes at the most, as ls_model_memory has it. */
int ls_mornings_threads(int wished, int count);
int64_t ls_mornings_memory(const struct ls_scenario *scenario, int64_t users, int count,
                           int threads);

uint64_t ls_mornings_seed(const struct ls_mornings *mornings, int morning);
/* NULL: it is not kept; the first always is. */
const struct ls_schedule *ls_mornings_schedule(const struct ls_mornings *mornings, int morning);

/*
 * Plays them all on one farm; out has a row for each. With a doubt (NULL: none) every morning but the first draws what its
 * handshakes cost from a normal distribution with that interval, so that what is not known of the costs is in the mornings'
 * intervals, and their median stays. progress (may be NULL) is called on this thread, within or after
 * its first morning and then about ten times a second, with how many are done, parts of them too; not 0 from it ends the play with LS_EINTERRUPTED, when each
 * thread is through with the morning that it has begun: the first one of all is `played` then, and some of the others.
 */
LS_MUST_CHECK
enum ls_code ls_mornings_play(const struct ls_mornings *mornings, const struct ls_model_wish *farm,
                              const struct ls_cpu_doubt *doubt, struct ls_morning *out,
                              int (*progress)(double done, void *data), void *data,
                              struct ls_error *err);

/* What they came to, as a run keeps it; what is of the first alone stays as it is in *out. */
LS_MUST_CHECK
enum ls_code ls_mornings_sum(struct ls_run_mornings *out, const struct ls_morning *mornings,
                             int count, struct ls_error *err);

#endif
