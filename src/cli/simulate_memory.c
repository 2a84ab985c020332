/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a simulation takes, held against what there is, before anything is made: what does not fit is refused, or played by
 * fewer threads. */
#include <stdio.h>

#include "cli/print.h"
#include "cli/simulated.h"
#include "cli/simulation.h"
#include "loginstorm/memory.h"
#include "loginstorm/units.h"

#define MB 1000000
#define OWN_BYTES                                                                                  \
    ((int64_t)40 * MB) /* the program itself, its report, what is cut up by being freed */

/* Of what is free, unless it is said how much: others want some, too. */
#define SHARE 0.8

/* Of what may be taken: tables grow by more than the row that they need. Beyond it an allocation fails, with a sentence, where
 * the system would kill. */
#define MARGIN 1.25

static enum ls_code count_users(struct simulation *simulation, struct ls_error *err)
{
    struct ls_schedule_maker *maker;
    enum ls_code code;

    simulation->users = simulation->played.users;
    if (simulation->users > 0) {
        return LS_OK;
    }
    code = ls_schedule_maker_new(&maker, &simulation->played, err); /* the curves say it */
    if (code == LS_OK) {
        simulation->users = ls_schedule_maker_users(maker);
        ls_schedule_maker_free(maker);
    }
    return code;
}

static int64_t need(const struct simulation *simulation, int threads)
{
    const struct ls_scenario *scenario = &simulation->played;
    const int64_t kept =
        ls_mornings_memory(scenario, simulation->users, simulation->replications, 0);
    const int64_t play =
        ls_mornings_memory(scenario, simulation->users, simulation->replications, threads);
    const int64_t written = kept + simulated_memory(scenario, simulation->users);

    return (play > written ? play : written) + OWN_BYTES;
}

static void in_mb(int64_t bytes, char *out, size_t size)
{
    ls_format_count((bytes + MB - 1) / MB, out, size);
}

static enum ls_code refuse(const struct simulation *simulation, int64_t there, struct ls_error *err)
{
    char users[32], wanted[32], free_mb[32];

    ls_format_count(simulation->users, users, sizeof users);
    in_mb(need(simulation, 1), wanted, sizeof wanted);
    in_mb(there, free_mb, sizeof free_mb);
    return ls_error_set(
        err, LS_ERANGE,
        "%s users take about %s MB of memory (%lld bytes each), and %s MB %s: ask for a tenth of "
        "the users on a tenth of the gateways",
        users, wanted, (long long)(need(simulation, 1) / simulation->users), free_mb,
        simulation->options->memory_mb == 0 ? "can be had here (80 % of what is free)"
        : simulation->options->memory_mb * (int64_t)MB <= there ? "are allowed by --memory"
                                                                : "are free here");
}

static void tell(const struct simulation *simulation, int wished)
{
    char all[32], one[32];

    if (simulation->threads == wished || simulation->options->quiet) {
        return;
    }
    in_mb(need(simulation, wished), all, sizeof all);
    in_mb(need(simulation, simulation->threads), one, sizeof one);
    (void)fprintf(stderr,
                  "loginstorm: note: %d thread%s instead of %d: by so many it would take about %s "
                  "MB of memory, so it takes %s\n",
                  simulation->threads, simulation->threads == 1 ? "" : "s", wished, all, one);
}

static int64_t free_here(void)
{
    const int64_t free_bytes = ls_memory_free();

    return free_bytes >= 0 ? free_bytes : INT64_MAX / 2;
}

/* Nobody can allow more than there is. */
static int64_t may_take(const struct simulation *simulation, int64_t free_bytes)
{
    const int64_t allowed = simulation->options->memory_mb * (int64_t)MB;

    if (allowed == 0) {
        return (int64_t)((double)free_bytes * SHARE);
    }
    return allowed < free_bytes ? allowed : free_bytes;
}

enum ls_code simulation_memory(struct simulation *simulation, struct ls_error *err)
{
    const int wished = ls_mornings_threads(simulation->options->threads, simulation->replications);
    const int64_t free_bytes = free_here();
    const int64_t there = may_take(simulation, free_bytes);
    char bytes[32];
    enum ls_code code = count_users(simulation, err);

    if (code != LS_OK || simulation->users < 1) {
        simulation->threads = wished;
        return code;
    }
    simulation->threads = wished;
    while (simulation->threads > 1 && need(simulation, simulation->threads) > there) {
        simulation->threads--;
    }
    if (need(simulation, simulation->threads) > there) {
        return refuse(simulation, there, err);
    }
    tell(simulation, wished);
    ls_memory_bound((double)there * MARGIN < (double)free_bytes ? (int64_t)((double)there * MARGIN)
                                                                : free_bytes);
    if (simulation->users >= MANY_USERS) {
        in_mb(need(simulation, simulation->threads), bytes, sizeof bytes);
        teller_say(&simulation->teller,
                   "drawing %d mornings, up to %s MB of memory, %lld bytes a user",
                   simulation->replications, bytes,
                   (long long)(need(simulation, simulation->threads) / simulation->users));
    }
    return LS_OK;
}
