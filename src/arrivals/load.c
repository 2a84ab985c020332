/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "loginstorm/schedule.h"
#include "loginstorm/units.h"

/* The fullest of the pieces of piece_ns that the clock is cut into (not the window, which may open
 * at 08:00:30); the earliest of equals. */
static int64_t fullest(const struct ls_schedule *schedule, int64_t from_ns, int64_t piece_ns,
                       int64_t *logins)
{
    int64_t best = from_ns / piece_ns, piece = best, count = 0;

    *logins = 0;
    for (size_t i = 0; i < schedule->count; i++) {
        const int64_t now = (from_ns + schedule->rows[i].at_ns) / piece_ns;

        count = now == piece ? count + 1 : 1;
        piece = now;
        if (count > *logins) {
            *logins = count;
            best = piece;
        }
    }
    return best * piece_ns % LS_NS_PER_DAY;
}

void ls_schedule_load(const struct ls_schedule *schedule, const struct ls_scenario *scenario,
                      struct ls_load *load)
{
    if (schedule->waves_count > 0) {
        *load = (struct ls_load){-1, -1, -1, -1};
        return;
    }
    load->peak_minute_at_ns =
        fullest(schedule, scenario->from_ns, LS_NS_PER_MIN, &load->peak_minute_logins);
    load->peak_second_at_ns =
        fullest(schedule, scenario->from_ns, LS_NS_PER_S, &load->peak_second_logins);
}

int64_t ls_schedule_densest(const struct ls_schedule *schedule, const struct ls_scenario *scenario,
                            size_t shard, size_t shards)
{
    int64_t now = 0, most = 0;
    size_t first = shard;

    for (size_t i = shard; schedule->waves_count == 0 && i < schedule->count; i += shards) {
        now += scenario->populations[schedule->rows[i].population].connections;
        while (schedule->rows[i].due_ns - schedule->rows[first].due_ns >= LS_NS_PER_S) {
            now -= scenario->populations[schedule->rows[first].population].connections;
            first += shards;
        }
        most = now > most ? now : most;
    }
    return most;
}

void ls_schedule_histogram(const struct ls_schedule *schedule, const struct ls_scenario *scenario,
                           int64_t *logins, size_t count)
{
    const int64_t slices = (int64_t)count;
    const int64_t last_ns = schedule->count > 0 ? schedule->rows[schedule->count - 1].at_ns : 0;
    const int64_t window_ns = last_ns < scenario->window_ns ? scenario->window_ns : last_ns + 1;
    size_t row = 0;

    for (int64_t i = 0; i < slices; i++) {
        /* (i + 1) window / slices, rounded up, without the overflow of the product. */
        const int64_t whole = window_ns / slices, rest = window_ns % slices;
        const int64_t end_ns = (i + 1) * whole + ((i + 1) * rest + slices - 1) / slices;
        const size_t first = row;

        while (row < schedule->count && schedule->rows[row].at_ns < end_ns) {
            row++;
        }
        logins[i] = (int64_t)(row - first);
    }
}
