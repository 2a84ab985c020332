/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Closed loops: what does not go with them, and figures that others published. */
#include <inttypes.h>
#include <stdio.h>

#include "loginstorm/units.h"
#include "scenario/field.h"

#define USERS_MAX INT64_C(10000000)

bool ls_shape_is_closed(enum ls_shape shape)
{
    return shape == LS_SHAPE_SEQUENCE || shape == LS_SHAPE_CLOSED;
}

bool ls_scenario_is_closed(const struct ls_scenario *scenario)
{
    return scenario->waves_count > 0 && ls_shape_is_closed(scenario->waves[0].shape);
}

/* At the key itself: it is the one that has to go, not its value. */
static void complain_key(struct ls_reading *reading, const struct ls_node *map, const char *key,
                         const char *text)
{
    const struct ls_node *child = ls_node_get(map, key);
    const size_t length = ls_path_enter(reading, key);

    if (child != NULL) {
        ls_complain(reading, child->key_place, "%s", text);
    }
    ls_path_leave(reading, length);
}

bool ls_check_loops(struct ls_reading *reading, const struct ls_node *node,
                    const struct ls_wave *waves, size_t count)
{
    size_t closed = 0;

    for (size_t i = 0; i < count; i++) {
        closed += ls_shape_is_closed(waves[i].shape);
    }
    for (size_t i = 1; i < count && closed > 0 && closed < count; i++) {
        if (ls_shape_is_closed(waves[i].shape) != ls_shape_is_closed(waves[0].shape)) {
            const struct ls_node *item = ls_node_at(node, i);
            const size_t length = ls_path_enter_item(reading, i);

            ls_complain(reading, item->place,
                        "open shapes and closed loops do not mix: users of the ones come when they "
                        "are due, of the others when one before them is done; make two scenarios");
            ls_path_leave(reading, length);
            break;
        }
    }
    return closed > 0;
}

static void check_users(struct ls_reading *reading, const struct ls_node *root,
                        struct ls_scenario *s)
{
    char text[200];
    int64_t sum = 0;

    for (size_t i = 0; i < s->waves_count; i++) {
        sum += s->waves[i].requests;
    }
    if (sum > USERS_MAX) {
        complain_key(reading, root, "arrivals", "more than 10 million logins in all");
    }
    if (ls_node_get(root, "users") != NULL && s->users != sum) {
        (void)snprintf(text, sizeof text,
                       "closed loops say themselves how many log in: %" PRId64
                       " in all; take users out, and change their runs or requests instead",
                       sum);
        complain_key(reading, root, "users", text);
    }
    s->users = sum;
}

/* What was given and would mean nothing: silence would make a figure look like another one. */
static void check_given(struct ls_reading *reading, const struct ls_node *root,
                        const struct ls_scenario *s)
{
    const struct ls_node *pace = ls_node_get(root, "pace");

    complain_key(reading, root, "window",
                 "a closed loop has no window: each login begins when one before it is done; take "
                 "it out");
    complain_key(reading, root, "events", "a closed loop has no moment for them; take them out");
    if (s->speedup < 1 || s->speedup > 1) {
        const size_t length = ls_path_enter(reading, "pace");

        complain_key(reading, pace, "speedup",
                     "a closed loop has no pace to change: it is as fast as the gateway; take it "
                     "out");
        ls_path_leave(reading, length);
    }
    if (s->targets.gateway_cpu_peak_share >= 0) {
        const size_t length = ls_path_enter(reading, "targets");

        complain_key(reading, ls_node_get(root, "targets"), "gateway_cpu_peak",
                     "a closed loop has no peak: it takes all of the gateway that it gets; take it "
                     "out");
        ls_path_leave(reading, length);
    }
}

void ls_check_closed(struct ls_reading *reading, const struct ls_node *root, struct ls_scenario *s)
{
    const struct ls_node *login = ls_node_get(root, "login");

    check_users(reading, root, s);
    check_given(reading, root, s);
    if (ls_node_get(login, "hold") == NULL) {
        s->login.hold = LS_HOLD_NONE;
    } else if (s->login.hold == LS_HOLD_UNTIL_END) {
        const size_t length = ls_path_enter(reading, "login");

        complain_key(reading, login, "hold",
                     "until_end never lets the next login of a closed loop begin; write none, or a "
                     "duration");
        ls_path_leave(reading, length);
    }
    s->from_ns = 0;
    s->window_ns = 0;
}

void ls_check_published(struct ls_reading *reading, const struct ls_node *node, void *record)
{
    const struct ls_published *p = record;

    if (p->handshake_mean_ns < 0 && p->rate_per_s < 0 && p->secured_p50_ns < 0 &&
        p->login_p50_ns < 0 && p->login_p100_ns < 0 && p->client_hello_bytes < 0 &&
        p->server_flight_bytes < 0) {
        ls_complain(reading, node->place, "has no figure; give one, or take it out");
    }
}
