/* SPDX-License-Identifier: GPL-3.0-or-later */
/* When a storm starts, and each of its further acts: machines that do not talk to each other agree on it by their
 * clocks and by what they all know. */
#include <inttypes.h>
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

    const int64_t first_ns = wish->told != NULL ? act->start.at_ns : wish->start_at_ns;

    if (first_ns <= 0 || (before > 0 && slot_ns == 0)) {
        return 0;
    }
    return first_ns + before * slot_ns;
}

enum ls_code start_ask(struct act *act, bool *said, struct ls_error *err)
{
    enum ls_code code = LS_OK;

    if (act->wish->told != NULL && act->start.at_ns <= 0) {
        code = act->wish->told(&act->start, act->wish->data, err);
    }
    *said = code == LS_OK && (act->wish->told == NULL || act->start.at_ns > 0);
    return code;
}

/* The clock that the start is agreed on by. That of others was read once, beside the monotonic one, so that it goes on
 * though the clock on this wall is set. */
static int64_t clock_ns(const struct act *act)
{
    return act->start.at_ns > 0 ? act->start.clock_ns + (ls_now_ns() - act->start.same_ns)
                                : ls_wall_ns();
}

/* What has to be done between the wait for a start and the start. */
static int64_t needs_ns(const struct act *act)
{
    return outside_baseline_ns(act->wish->scenario) + LS_NS_PER_S;
}

int64_t start_wait_ns(const struct act *act)
{
    const int64_t agreed_ns = start_agreed_ns(act);

    return agreed_ns == 0 ? 0 : agreed_ns - clock_ns(act) - needs_ns(act);
}

void start_tell(const struct act *act)
{
    const int64_t agreed_ns = start_agreed_ns(act);
    char at[36], left[32], text[400];

    ls_moment_write(agreed_ns, at, sizeof at);
    if (act->wish->told != NULL && act->start.at_ns <= 0) {
        (void)snprintf(text, sizeof text,
                       "ready; standard input is to say when it starts, at least %" PRId64
                       " s ahead",
                       (needs_ns(act) + LS_NS_PER_S - 1) / LS_NS_PER_S);
    } else {
        ls_format_duration((agreed_ns - clock_ns(act)) / LS_NS_PER_S * LS_NS_PER_S, left,
                           sizeof left);
        (void)snprintf(text, sizeof text, "ready; %.300s starts at %s, in %s",
                       act->wish->scenario->certificates[act->certificate].name, at, left);
    }
    act->wish->step(text, act->wish->data);
}

void start_set(struct act *act)
{
    const int64_t agreed_ns = start_agreed_ns(act);
    const int64_t now_ns = ls_now_ns(), theirs_ns = clock_ns(act);
    const bool in_time = agreed_ns > 0 && agreed_ns - theirs_ns >= LEAD_NS;

    act->start_ns = now_ns + (in_time ? agreed_ns - theirs_ns : LEAD_NS);
    act->shard.start_at_ns = agreed_ns > 0 ? agreed_ns : LS_NEVER_NS;
    act->shard.started_ns = theirs_ns + (act->start_ns - now_ns);
    act->late_ns = agreed_ns > 0 ? act->shard.started_ns - agreed_ns : LS_NEVER_NS;
}
