/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How often, and for how long, a core of this host does nothing for a program that wants all of it: a
 * hypervisor that gives the core to somebody else, and the kernel's own work. Two cores look at the clock at
 * once, as gateway and injector would use them. */
#include "cli/calibrate.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loginstorm/units.h"

#define WATCHERS 2
#define WATCH_NS (4 * LS_NS_PER_S)
/* Shorter ones are the timer's interrupts and the like, which a handshake's CPU holds already. */
#define PAUSE_NS (50 * LS_NS_PER_US)
#define PAUSES_MOST 20000

struct watcher {
    pthread_t thread;
    int core;
    bool started;
    int64_t *pauses;
    size_t count;
    int64_t wall_ns, paused_ns;
    int64_t waited_ns; /* of that, for other programs of this host */
};

/* The second figure: ready to run while something else of this host ran on the core. */
static int64_t waited_ns(void)
{
    FILE *file = fopen("/proc/thread-self/schedstat", "re");
    char line[128] = "", *second = NULL;

    if (file != NULL) {
        second = fgets(line, sizeof line, file) != NULL ? strchr(line, ' ') : NULL;
        (void)fclose(file);
    }
    return second != NULL ? strtoll(second, NULL, 10) : 0;
}

static void *watch(void *data)
{
    struct watcher *watcher = data;
    cpu_set_t set;
    int64_t begun_ns, last_ns, now_ns;

    CPU_ZERO(&set);
    CPU_SET((size_t)watcher->core, &set);
    (void)sched_setaffinity(0, sizeof set, &set);
    watcher->waited_ns = -waited_ns();
    begun_ns = last_ns = ls_now_ns();
    do {
        now_ns = ls_now_ns();
        if (now_ns - last_ns >= PAUSE_NS && watcher->count < PAUSES_MOST) {
            watcher->pauses[watcher->count++] = now_ns - last_ns;
            watcher->paused_ns += now_ns - last_ns;
        }
        last_ns = now_ns;
    } while (now_ns - begun_ns < WATCH_NS);
    watcher->wall_ns = now_ns - begun_ns;
    watcher->waited_ns += waited_ns();
    return NULL;
}

static int choose_cores(struct watcher *watchers)
{
    cpu_set_t usable;
    int count = 0;

    CPU_ZERO(&usable);
    if (sched_getaffinity(0, sizeof usable, &usable) != 0) {
        return 0;
    }
    for (int core = 0; core < CPU_SETSIZE && count < WATCHERS; core++) {
        if (CPU_ISSET((size_t)core, &usable)) {
            watchers[count++].core = core;
        }
    }
    return count;
}

/* What other programs of this host took is no pause of the host, and they may be gone in the next minute. */
#define WAITED_SHARE_MOST 0.01
static bool is_calm(const struct watcher *watchers, int count)
{
    for (int i = 0; i < count; i++) {
        if (watchers[i].started &&
            (double)watchers[i].waited_ns > WAITED_SHARE_MOST * (double)watchers[i].wall_ns) {
            return false;
        }
    }
    return count > 0;
}

static void sum_up(struct calibration *calibration, const struct watcher *watchers, int count,
                   int64_t *all)
{
    int64_t running_ns = 0;
    size_t pauses = 0;

    for (int i = 0; i < count; i++) {
        for (size_t p = 0; watchers[i].started && p < watchers[i].count; p++) {
            all[pauses++] = watchers[i].pauses[p];
        }
        running_ns += watchers[i].started ? watchers[i].wall_ns - watchers[i].paused_ns : 0;
    }
    if (!is_calm(watchers, count)) {
        running_ns = 0;
        pauses = 0;
    }
    ls_spread_of(&calibration->pauses, all, pauses);
    calibration->pauses_per_s =
        running_ns > 0 ? (double)pauses * (double)LS_NS_PER_S / (double)running_ns : -1;
}

enum ls_code calibrate_pauses(struct calibration *calibration, struct ls_error *err)
{
    struct watcher watchers[WATCHERS] = {0};
    const int count = choose_cores(watchers);
    int64_t *memory = calloc((size_t)2 * WATCHERS * PAUSES_MOST, sizeof *memory);

    if (memory == NULL) {
        return ls_error_set(err, LS_ENOMEM, "no memory for the pauses of this host");
    }
    for (int i = 0; i < count; i++) {
        watchers[i].pauses = memory + (size_t)i * PAUSES_MOST;
        watchers[i].started = pthread_create(&watchers[i].thread, NULL, watch, &watchers[i]) == 0;
    }
    for (int i = 0; i < count; i++) {
        if (watchers[i].started) {
            (void)pthread_join(watchers[i].thread, NULL);
        }
    }
    sum_up(calibration, watchers, count, memory + (size_t)WATCHERS * PAUSES_MOST);
    free(memory);
    return LS_OK;
}
