/* SPDX-License-Identifier: GPL-3.0-or-later */
/* When a storm starts, and each of its further acts: machines that do not talk to each other agree on it by their
 * clocks and by what they all know. */
#include <stdio.h>

#include "loginstorm/engine.h"
#include "loginstorm/units.h"
#include "loginstorm/zone.h"
#include "storm/act.h"

/* From the signal to the first moment of the storm: time for every injector to hear it. */
#define LEAD_NS (100 * LS_NS_PER_MS)
/* Processes start, a gateway gives its account, the rest of a second is waited for: no more than a few seconds of it all, on
 * any machine that is not ill. */
#define MARGIN_NS (10 * LS_NS_PER_S)
/* Closing, working out and writing a login's rows, at a pace that a slow disk keeps. */
#define LOGIN_NS (50 * LS_NS_PER_US)
/* The ticket of one who resumes, before the storm: 500 a second, which one core of a gateway with RSA 4096 gives. */
#define TICKET_NS (2 * LS_NS_PER_MS)

int64_t ls_storm_slot_ns(const struct ls_scenario *scenario, const struct ls_schedule *schedule)
{
    const int64_t users = (int64_t)schedule->count;
    int64_t slot_ns = MARGIN_NS + scenario->login.login_timeout_ns + outside_baseline_ns(scenario);

    if (schedule->waves_count > 0 || users == 0) {
        return 0;
    }
    slot_ns += schedule->rows[users - 1].due_ns + users * LOGIN_NS +
               ls_engine_resuming(scenario, schedule) * TICKET_NS;
    return (slot_ns + LS_NS_PER_S - 1) / LS_NS_PER_S * LS_NS_PER_S;
}

int64_t start_agreed_ns(const struct act *act)
{
    const struct ls_storm_wish *wish = act->wish;
    const int64_t before =
        (int64_t)wish->scenario->certificates_count * (act->repeat - 1) + (int64_t)act->certificate;
    const int64_t slot_ns = ls_storm_slot_ns(wish->scenario, wish->schedule);

    if (wish->start_at_ns <= 0 || (before > 0 && slot_ns == 0)) {
        return 0;
    }
    return wish->start_at_ns + before * slot_ns;
}

int64_t start_wait_ns(const struct act *act)
{
    const int64_t agreed_ns = start_agreed_ns(act);

    return agreed_ns == 0
               ? 0
               : agreed_ns - ls_wall_ns() - outside_baseline_ns(act->wish->scenario) - LS_NS_PER_S;
}

void start_tell(const struct act *act)
{
    const int64_t agreed_ns = start_agreed_ns(act);
    char at[36], left[32], text[400];

    ls_moment_write(agreed_ns, at, sizeof at);
    ls_format_duration((agreed_ns - ls_wall_ns()) / LS_NS_PER_S * LS_NS_PER_S, left, sizeof left);
    (void)snprintf(text, sizeof text, "ready; %.300s starts at %s, in %s",
                   act->wish->scenario->certificates[act->certificate].name, at, left);
    act->wish->step(text, act->wish->data);
}

void start_set(struct act *act)
{
    const int64_t agreed_ns = start_agreed_ns(act);
    const int64_t now_ns = ls_now_ns(), wall_ns = ls_wall_ns();
    const bool in_time = agreed_ns > 0 && agreed_ns - wall_ns >= LEAD_NS;

    act->start_ns = now_ns + (in_time ? agreed_ns - wall_ns : LEAD_NS);
    act->shard.start_at_ns = agreed_ns > 0 ? agreed_ns : LS_NEVER_NS;
    act->shard.started_ns = wall_ns + (act->start_ns - now_ns);
    act->late_ns = agreed_ns > 0 ? act->shard.started_ns - agreed_ns : LS_NEVER_NS;
}
