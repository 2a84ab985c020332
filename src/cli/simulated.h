/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_CLI_SIMULATED_H
#define LOGINSTORM_CLI_SIMULATED_H

/* One morning of a simulation in full, as a live run's measurement would be. */

#include <stddef.h>
#include <stdint.h>

#include "loginstorm/error.h"
#include "loginstorm/result.h"
#include "loginstorm/scenario.h"
#include "loginstorm/scene.h"
#include "loginstorm/schedule.h"

struct simulated {
    struct ls_measurement measurement; /* leans on what stands below */
    int64_t returned, returned_users;  /* as in struct ls_run_mornings */
    struct ls_record *record;
    struct ls_cpu_sample *samples;
    struct ls_played_wave waves[LS_WAVES_MAX];
};

/* Plays the schedule by the scene. What is named must outlive *out, which the caller clears, after a failure too. */
LS_MUST_CHECK
enum ls_code simulated_play(struct simulated *out, const struct ls_scene *scene,
                            const struct ls_scenario *scenario, size_t certificate,
                            const struct ls_schedule *schedule, struct ls_error *err);
/* Bytes that it takes at the most for so many users, until the run is built of it (with ls_run_build). */
int64_t simulated_memory(const struct ls_scenario *scenario, int64_t users);
void simulated_clear(struct simulated *simulated);

#endif
