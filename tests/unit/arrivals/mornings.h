/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TESTS_ARRIVALS_MORNINGS_H
#define TESTS_ARRIVALS_MORNINGS_H

/* Scenarios by hand: one of each shape over an hour from 08:00, two populations. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "loginstorm/schedule.h"
#include "loginstorm/units.h"

#define MINUTES(n) ((n)*LS_NS_PER_MIN)
#define SECONDS(n) ((n)*LS_NS_PER_S)

/* 10 minutes in the middle of an hour hold 40 % of a bell of this standard deviation. */
#define SPREAD_40_NS INT64_C(572081820536)

static struct ls_rate_point office_points[] = {
    {MINUTES(0), 20.0 / 60},  {MINUTES(25), 250.0 / 60}, {MINUTES(35), 250.0 / 60},
    {MINUTES(35), 90.0 / 60}, {MINUTES(60), 5.0 / 60},
};

static struct ls_population two_populations[] = {
    {.name = (char *)(uintptr_t) "office", .share = 0.8, .connections = 2},
    {.name = (char *)(uintptr_t) "home", .share = 0.2, .connections = 2},
};

struct named_wave {
    const char *name;
    struct ls_wave wave;
};

static const struct named_wave hour_waves[] = {
    {"uniform", {.shape = LS_SHAPE_UNIFORM, .share = 1}},
    {"poisson", {.shape = LS_SHAPE_POISSON, .share = 1}},
    {"normal",
     {.shape = LS_SHAPE_NORMAL,
      .share = 1,
      .middle_at_ns = MINUTES(30),
      .spread_ns = SPREAD_40_NS,
      .share_in_middle_sixth = 0.4}},
    {"normal at the window's edge",
     {.shape = LS_SHAPE_NORMAL, .share = 1, .middle_at_ns = MINUTES(60), .spread_ns = MINUTES(10)}},
    {"normal, middle after the window",
     {.shape = LS_SHAPE_NORMAL, .share = 1, .middle_at_ns = MINUTES(90), .spread_ns = MINUTES(5)}},
    {"normal, middle before the window",
     {.shape = LS_SHAPE_NORMAL, .share = 1, .middle_at_ns = -MINUTES(30), .spread_ns = MINUTES(5)}},
    {"ramp", {.shape = LS_SHAPE_RAMP, .share = 1, .from_per_s = 10.0 / 60, .to_per_s = 200.0 / 60}},
    {"ramp down to nothing", {.shape = LS_SHAPE_RAMP, .share = 1, .from_per_s = 3, .to_per_s = 0}},
    {"burst",
     {.shape = LS_SHAPE_BURST,
      .share = 1,
      .burst_at_ns = MINUTES(30),
      .burst_over_ns = SECONDS(60)}},
    {"burst past the window's end",
     {.shape = LS_SHAPE_BURST,
      .share = 1,
      .burst_at_ns = MINUTES(55),
      .burst_over_ns = MINUTES(10)}},
    {"points",
     {.shape = LS_SHAPE_POINTS,
      .share = 1,
      .points = office_points,
      .points_count = sizeof office_points / sizeof office_points[0]}},
};
#define HOUR_WAVES (sizeof hour_waves / sizeof hour_waves[0])

static inline struct ls_scenario morning(int64_t users, uint64_t seed, struct ls_wave *waves,
                                         size_t count)
{
    return (struct ls_scenario){
        .users = users,
        .seed = seed,
        .from_ns = 8 * LS_NS_PER_H,
        .window_ns = LS_NS_PER_H,
        .waves = waves,
        .waves_count = count,
        .populations = two_populations,
        .populations_count = 2,
        .speedup = 60,
    };
}

static inline struct ls_schedule *built(const struct ls_scenario *scenario)
{
    struct ls_schedule *schedule;
    struct ls_error err = {0};

    if (ls_schedule_build(&schedule, scenario, &err) != LS_OK) {
        fail_msg("%s", err.text);
    }
    return schedule;
}

static inline struct ls_schedule *built_of(const struct ls_wave *wave, enum ls_placement placement,
                                           int64_t users, uint64_t seed)
{
    struct ls_wave own = *wave;
    const struct ls_scenario scenario = morning(users, seed, &own, 1);

    own.placement = placement;
    return built(&scenario);
}

#endif
