/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_PLAN_H
#define LOGINSTORM_PLAN_H

/*
 * The plan: how many gateways, and how many cores, a morning needs.
 *
 *     scenario, costs -> mornings on farms of many sizes -> [plan] -> report
 *
 * A farm meets a target when it does so in 95 % of mornings: the same scenario under other seeds. All
 * of it is judged with the farm's spare gateways away for the whole morning and through the scenario's
 * events, whose own gateway_down comes on top. Where the farm has a published capacity instead of costs,
 * logins are counted and nothing is simulated.
 *
 * Times are double ns, since they are quantiles of quantiles; INFINITY: so many never got in. What is
 * not known is negative.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "loginstorm/costs.h"
#include "loginstorm/error.h"
#include "loginstorm/json.h"
#include "loginstorm/scenario.h"

/* In the order of the scenario's keys; its words are ls_plan_target_word. */
enum ls_plan_target {
    LS_TARGET_LOGIN_P50,
    LS_TARGET_LOGIN_P95,
    LS_TARGET_LOGIN_P99,
    LS_TARGET_LOGIN_P100,
    LS_TARGET_FAILED,
    LS_TARGET_CPU_PEAK,
    LS_PLAN_TARGETS
};
const char *ls_plan_target_word(enum ls_plan_target target);
bool ls_plan_target_is_share(enum ls_plan_target target);

/* What gives way first where a target is missed. */
enum ls_plan_break {
    LS_BREAK_NONE,
    LS_BREAK_CPU,      /* cores are full, or fuller than they may be: logins wait for them */
    LS_BREAK_BACKLOG,  /* SYNs find no place and come again a second later */
    LS_BREAK_TIMEOUTS, /* users give up */
    LS_BREAK_RETRIES,  /* they come again, and make more work than there was */
    LS_BREAK_CAPACITY, /* more logins than a published capacity */
    LS_BREAK_COUNT
};
/* "cpu", "backlog", "timeouts", "retries", "capacity"; "none". */
const char *ls_plan_break_word(enum ls_plan_break what);

/* Of a figure that each morning has: its median, and what 95 % of mornings stay within. */
struct ls_plan_spread {
    double median, most;
};

/* One farm under so many users, over all mornings. */
struct ls_plan_farm {
    int64_t users; /* 0: it was not played */
    int gateways;  /* that are up: without the spare ones */
    int cores;     /* of each */
    int mornings;
    struct ls_plan_spread p50_ns, p95_ns, p99_ns, p100_ns; /* who failed waited longer than any */
    struct ls_plan_spread failed_share;
    struct ls_plan_spread cpu_peak_share; /* of a gateway's cores in its own fullest minute */
    struct ls_plan_spread syn_dropped;    /* SYNs that found no place in a backlog */
    struct ls_plan_spread timed_out;      /* logins that ended so */
    struct ls_plan_spread attempts;       /* a login */
    /* By a published capacity: fullest stretch of that length against what the gateways take; all above
     * is not known then. */
    struct ls_plan_spread capacity_share;
    double capacity_met;         /* share of mornings that stay within it */
    double met[LS_PLAN_TARGETS]; /* share of mornings that meet it; negative: nobody asked */
    unsigned missed; /* a bit each: in fewer than 95 % of them; bit LS_PLAN_TARGETS: the capacity */
    enum ls_plan_break why;
};

/* Users that a farm carries, to 1 %. */
struct ls_plan_carried {
    int64_t users; /* negative: not known; 0: not even one in a hundred of the scenario's */
    bool over;     /* that many were tried, and they are not the limit */
};

#define LS_PLAN_CLIFF 4
extern const double ls_plan_cliff_factors[LS_PLAN_CLIFF]; /* 1, 1.1, 1.25, 1.5 */

/* A certificate. By a published capacity there is one row, of any certificate. */
struct ls_plan_row {
    char *certificate, *key;                   /* NULL: any */
    double login_cpu_ns;                       /* of a login on a busy core; negative: not known */
    double cpu_low, cpu_high;                  /* the true cost lies within so many times that */
    int gateways, gateways_low, gateways_high; /* spare ones included; 0: no number does */
    char *why_not;                             /* gateways 0: why */
    int single_cores; /* of one gateway alone, none spare; 0: no number does; negative: not known */
    int farm_cores;   /* of each of today's gateways, its spare ones away; likewise */
    struct ls_plan_farm today;            /* today's farm */
    struct ls_plan_carried today_carries; /* with its spare gateways away */
    struct ls_plan_carried
        today_all_carries;          /* with all of them; the same where there are no spare ones */
    struct ls_plan_carried carries; /* the planned farm */
    struct ls_plan_farm cliff[LS_PLAN_CLIFF]; /* the planned farm under more users */
    struct ls_plan_farm edge;                 /* the planned farm just beyond what it carries */
    struct ls_plan_farm one_less; /* a gateway fewer than planned; users 0: there is none */
    char *notes;                  /* what was taken for want of better, a sentence a line; NULL */
};

struct ls_plan_limit {
    double limit; /* ns or a share; negative: none */
    bool assumed; /* the scenario has no targets: ours */
};

/* What a gateway takes, and logins in the fullest stretch of that length: of the mean curve, and over
 * mornings. */
struct ls_plan_capacity {
    int64_t logins, in_ns; /* 0: costs were used instead */
    double mean;           /* negative: there is no such curve (recorded logins, reconnects) */
    double low, median, high,
        most; /* low to high: the middle 95 % of mornings; most: 95 % are below */
};

struct ls_plan {
    char *name;
    uint64_t seed;
    int64_t users;
    int64_t from_ns, window_ns;
    int mornings; /* the final answers are made of */
    int searched; /* and what leads up to them */
    bool farm_given;
    int gateways, cores, spare; /* today's */
    size_t events;              /* that it went through */
    bool partial; /* it was stopped: rows are those certificates that were answered until then */
    struct ls_plan_limit limits[LS_PLAN_TARGETS];
    struct ls_plan_capacity capacity;
    char *costs; /* where they come from, for people */
    struct ls_plan_row *rows;
    size_t rows_count;
    char *notes; /* doubts about the costs, a sentence a line; NULL: none */
    char *words; /* one paragraph for a mail */
};

/* More gateways than anybody has, more cores than a gateway has. */
#define LS_PLAN_GATEWAYS_MAX 10000
#define LS_PLAN_CORES_MAX 1024
#define LS_PLAN_MORNINGS 100

struct ls_plan_wish {
    const struct ls_scenario *scenario;
    const struct ls_costs
        *costs;   /* NULL: as its farm's law or published capacity says; else in their place */
    int mornings; /* 0: LS_PLAN_MORNINGS */
    int threads;  /* 0: one for each core that there is */
    /* Called on this thread, about ten times a second, with what is being found out; may be NULL. Not 0
     * ends the plan with LS_EINTERRUPTED: *out then has the certificates that were answered, as a partial
     * plan, or is NULL when there is none. */
    int (*progress)(const char *what, void *data);
    void *data;
};

/* LS_EINPUT: what cannot be planned (a closed loop, no costs, more users than fit), which is told before
 * anything is played. */
LS_MUST_CHECK
enum ls_code ls_plan_build(struct ls_plan **out, const struct ls_plan_wish *wish,
                           struct ls_error *err);
void ls_plan_free(struct ls_plan *plan);

/* Format "loginstorm-plan", version 1; units in the keys, null for never and for not known. */
LS_MUST_CHECK
enum ls_code ls_plan_to_json(const struct ls_plan *plan, json_t **root, struct ls_error *err);

/* The other way: LS_EINPUT with the place of what is not as it is written. */
LS_MUST_CHECK
enum ls_code ls_plan_from_json(struct ls_plan **out, const json_t *root, const char *path,
                               struct ls_error *err);

/* Whether no farm meets the targets for some certificate, or today's, as the scenario gives it, does
 * not. */
bool ls_plan_misses(const struct ls_plan *plan);

#endif
