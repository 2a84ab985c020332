/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_LIVE_POINT_H
#define LOGINSTORM_LIVE_POINT_H

#include "loginstorm/json.h"
#include "loginstorm/live.h"

/*
 * A point as the page reads it, units in the keys: certificate, name, repeat, run_ms, at_s (null in a closed loop), due (null
 * there, too), started, logged_in, failed, in_flight, by_reason{}, p50_us, p99_us, p100_us, gateway_cores, start_lag_p99_us
 * (null where not known). NULL without memory.
 */
json_t *point_json(const struct ls_live_point *point);

#endif
