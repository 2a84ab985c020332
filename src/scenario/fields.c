/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenario/fields.h"

#include "loginstorm/units.h"

static const struct ls_field window_fields[] = {
    {.key = "from",
     .kind = LS_KIND_CLOCK,
     IN(ls_scenario, from_ns),
     .fallback = "08:00",
     .doc = "time of day at which the window opens"},
    {.key = "to",
     .kind = LS_KIND_WINDOW_END,
     IN(ls_scenario, window_ns),
     .fallback = "09:00",
     .doc = "time of day at which it closes; at or before `from`: on the next day"},
    {.key = "timezone",
     .kind = LS_KIND_ZONE,
     IN(ls_scenario, timezone),
     .doc = "IANA timezone, like Europe/Paris; left out: that of a recorded curve"},
};
static const struct ls_map window_map = {FIELDS(window_fields), .check = ls_check_window};

static const struct ls_field pace_fields[] = {
    {.key = "speedup",
     .kind = LS_KIND_NUMBER,
     IN(ls_scenario, speedup),
     .least = 0.001,
     .most = 100000,
     .fallback = "1",
     .doc = "60: one hour in one minute; 1 is real time"},
};
static const struct ls_map pace_map = {FIELDS(pace_fields)};

#define DOWN 1U
#define RECONNECT 2U
static const struct ls_field event_fields[] = {
    {.key = "at",
     .kind = LS_KIND_MOMENT,
     .flags = LS_REQUIRED,
     IN(ls_event, at_ns),
     .doc = "when it happens"},
    {.key = "gateway_down",
     .kind = LS_KIND_INTEGER,
     .flags = LS_DECIDES,
     IN(ls_event, gateways),
     .low = 1,
     .high = 10000,
     .doc = "how many gateways go down; their users reconnect"},
    {.key = "reconnect",
     .kind = LS_KIND_SHARE,
     .flags = LS_DECIDES,
     IN(ls_event, share),
     .least = 0.0001,
     .most = 1,
     .doc = "share of the users in session who come again"},
    {.key = "for",
     .kind = LS_KIND_DURATION,
     .flags = LS_REQUIRED,
     .cases = DOWN,
     IN(ls_event, duration_ns),
     .doc = "how long they stay down"},
    {.key = "over",
     .kind = LS_KIND_DURATION,
     .cases = RECONNECT,
     IN(ls_event, duration_ns),
     .fallback = "0s",
     .doc = "the time over which they come"},
};
static unsigned event_which(const void *record)
{
    const struct ls_event *event = record;

    return event->gateways > 0 ? 0 : 1;
}
static const char *const event_cases[] = {"gateway_down", "reconnect"};
static const struct ls_map event_map = {FIELDS(event_fields), .which = event_which,
                                        .cases = event_cases, .check = ls_check_event};

static const struct ls_field target_fields[] = {
    {.key = "login_p50",
     .kind = LS_KIND_DURATION,
     .flags = LS_NEGATIVE,
     IN(ls_targets, login_p50_ns),
     .doc = "the most that the median login may take"},
    {.key = "login_p95",
     .kind = LS_KIND_DURATION,
     .flags = LS_NEGATIVE,
     IN(ls_targets, login_p95_ns),
     .doc = "of 100 logins, 95 are at least this fast"},
    {.key = "login_p99",
     .kind = LS_KIND_DURATION,
     .flags = LS_NEGATIVE,
     IN(ls_targets, login_p99_ns),
     .doc = "of 100 logins, 99 are at least this fast"},
    {.key = "login_p100",
     .kind = LS_KIND_DURATION,
     .flags = LS_NEGATIVE,
     IN(ls_targets, login_p100_ns),
     .doc = "the most that any login may take"},
    {.key = "failed",
     .kind = LS_KIND_SHARE,
     .flags = LS_NEGATIVE,
     IN(ls_targets, failed_share),
     .most = 1,
     .doc = "share of the logins that may fail"},
    {.key = "gateway_cpu_peak",
     .kind = LS_KIND_SHARE,
     .flags = LS_NEGATIVE,
     IN(ls_targets, gateway_cpu_peak_share),
     .most = 1,
     .doc = "the most that the gateway's cores may be busy"},
};
static bool targets_given(const void *record)
{
    const struct ls_targets *t = record;

    return t->login_p50_ns >= 0 || t->login_p95_ns >= 0 || t->login_p99_ns >= 0 ||
           t->login_p100_ns >= 0 || t->failed_share >= 0 || t->gateway_cpu_peak_share >= 0;
}
static const struct ls_map targets_map = {FIELDS(target_fields), .given = targets_given};

/* A closed loop has no window. Which of the two it is shows behind the window only, so that a window
 * given is refused by the scenario's check. */
#define OPEN 1U
static unsigned scenario_which(const void *record)
{
    return ls_scenario_is_closed(record) ? 1 : 0;
}
static const char *const scenario_cases[] = {"open arrivals", "closed loops"};

static const struct ls_field scenario_fields[] = {
    {.key = "loginstorm",
     .kind = LS_KIND_VERSION,
     .flags = LS_REQUIRED,
     .doc = "version of this format: 1"},
    {.key = "name",
     .kind = LS_KIND_TEXT,
     .flags = LS_WORKED_OUT,
     IN(ls_scenario, name),
     .high = 200,
     .doc = "title of the reports; left out: the file's name"},
    {.key = "users",
     .kind = LS_KIND_INTEGER,
     .flags = LS_WORKED_OUT,
     IN(ls_scenario, users),
     .low = 1,
     .high = 10000000,
     .doc = "how many users log in"},
    {.key = "seed",
     .kind = LS_KIND_INTEGER,
     .flags = LS_WORKED_OUT,
     IN(ls_scenario, seed),
     .high = INT64_MAX,
     .doc = "same seed, same morning; left out: drawn, and shown"},
    {.key = "window",
     .kind = LS_KIND_MAP,
     .cases = OPEN,
     .map = &window_map,
     .doc = "the part of the day in which users log in"},
    {.key = "arrivals",
     .kind = LS_KIND_ONE_OR_MORE,
     .flags = LS_DEFAULT_ONE,
     LIST(ls_scenario, waves),
     COUNT(ls_scenario, waves_count),
     .item_size = sizeof(struct ls_wave),
     .high = 64,
     .map = &ls_wave_map,
     .check_list = ls_check_waves,
     .doc = "how users come: one shape, a list of shapes with shares, or closed loops one after "
            "another"},
    {.key = "populations",
     .kind = LS_KIND_LIST,
     .flags = LS_DEFAULT_ONE,
     LIST(ls_scenario, populations),
     COUNT(ls_scenario, populations_count),
     .item_size = sizeof(struct ls_population),
     .high = 256,
     .map = &ls_population_map,
     .check_list = ls_check_populations,
     .doc = "who logs in"},
    {.key = "login",
     .kind = LS_KIND_MAP,
     .at = offsetof(struct ls_scenario, login),
     .map = &ls_login_map,
     .doc = "what a login is"},
    {.key = "gateway",
     .kind = LS_KIND_MAP,
     .at = offsetof(struct ls_scenario, gateway),
     .map = &ls_gateway_map,
     .doc = "what is logged in to"},
    {.key = "certificates",
     .kind = LS_KIND_LIST,
     LIST(ls_scenario, certificates),
     COUNT(ls_scenario, certificates_count),
     .item_size = sizeof(struct ls_certificate),
     .high = 64,
     .map = &ls_certificate_map,
     .check_list = ls_check_certificates,
     .doc = "each gets the same storm in turn; the first is the baseline"},
    {.key = "issuer",
     .kind = LS_KIND_MAP,
     .at = offsetof(struct ls_scenario, issuer),
     .map = &ls_issuer_map,
     .doc = "who signs the certificates"},
    {.key = "pace", .kind = LS_KIND_MAP, .map = &pace_map, .doc = "how fast the clock runs"},
    {.key = "farm",
     .kind = LS_KIND_MAP,
     .at = offsetof(struct ls_scenario, farm),
     .map = &ls_farm_map,
     .doc = "the farm to plan, in virtual time"},
    {.key = "events",
     .kind = LS_KIND_LIST,
     LIST(ls_scenario, events),
     COUNT(ls_scenario, events_count),
     .item_size = sizeof(struct ls_event),
     .high = 256,
     .map = &event_map,
     .doc = "what goes wrong meanwhile"},
    {.key = "targets",
     .kind = LS_KIND_MAP,
     .at = offsetof(struct ls_scenario, targets),
     .map = &targets_map,
     .doc = "what must be kept; missed: exit status 99"},
};
const struct ls_map ls_scenario_map = {FIELDS(scenario_fields), .which = scenario_which,
                                       .cases = scenario_cases, .check = ls_check_scenario};
