/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_METER_COUNTERS_H
#define LOGINSTORM_METER_COUNTERS_H

/*
 * From one text of an exporter after the other to what was spent: each counter by itself, so that one
 * that begins anew, comes or goes does not spoil the others.
 *
 *     node_cpu_seconds_total{cpu, mode}                        all modes but idle, iowait and steal
 *     windows_cpu_time_total{core, mode}                       user and privileged (which has interrupts)
 *     namedprocess_namegroup_cpu_seconds_total{groupname, mode}
 *     windows_process_cpu_time_total{process, process_id, mode}
 *
 * A process of Windows is known by its number: the rest of its labels change when it is given an
 * application pool, or a neighbour of the same name ends.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "loginstorm/error.h"
#include "meter/spent.h"

struct counter {
    char *key;
    int64_t last_ns;  /* the most that it was at; negative: it was not there before */
    int64_t shown_ns; /* what it said last */
    int64_t asked_ns; /* when that was asked for */
    int64_t now_ns;
    unsigned seen; /* the text that it was last in */
    bool is_system;
};

/* So many an exporter may have that concern us: 64 modes of a thousand cores. */
#define COUNTERS_MAX 65536

struct counters {
    const char *process;   /* NULL: the whole machine */
    const char *family;    /* the metric that is read, once the first text was; static text */
    struct counter *slots; /* a table by hash; free where key is NULL */
    size_t count, capacity;
    unsigned texts;
    struct spent total;
    int64_t restarts;          /* began anew */
    int64_t back_ns;           /* by which they stepped back, in all */
    int64_t asked_ns;          /* when the last text was asked for */
    struct ls_error spoilt;    /* one of them showed what cannot be: LS_OK otherwise */
    double exporter_started_s; /* process_start_time_seconds; 0 where it is not told */
    double clock_s;            /* node_time_seconds; 0 likewise */
    double booted_s;           /* node_boot_time_seconds; 0 likewise */
};

/* Between these, on the monotonic clock, the exporter read its counters. */
struct counters_when {
    int64_t asked_ns, answered_ns;
};

/*
 * Takes a text; the first one is where `total` begins. LS_EINPUT: it is none, has nothing of what is
 * asked for (with what it has instead) or a value that is no time; the counters are then as before. So
 * it ends, and from then on for ever, where a counter goes on by more than its cores can burn.
 */
LS_MUST_CHECK
enum ls_code counters_take(struct counters *counters, const char *text, size_t size,
                           const struct counters_when *when, struct ls_error *err);

void counters_free(struct counters *counters);

#endif
