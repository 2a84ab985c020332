/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "loginstorm/meter.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loginstorm/address.h"
#include "loginstorm/units.h"
#include "meter/cgroup.h"
#include "meter/counters.h"
#include "meter/scrape.h"
#include "meter/tree.h"

struct ls_watch {
    struct ls_watch_wish wish;
    struct ls_watch_facts facts;
    struct tree *tree;
    struct cgroup cgroup;
    struct scrape *scrape;
    struct counters counters;
};

static int64_t realtime_ns(void)
{
    struct timespec now = {0};

    (void)clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * LS_NS_PER_S + now.tv_nsec;
}

static void give(struct ls_watch *watch, const struct spent *spent, int64_t at_ns)
{
    const struct ls_watch_reading reading = {
        .at_ns = at_ns,
        .cpu_ns = spent->cpu_ns,
        .user_ns = spent->user_ns,
        .system_ns = spent->system_ns,
    };

    watch->wish.read(&reading, watch->wish.data);
}

/* When this machine was started, by the clock on the wall; 0 where it does not say. */
static double booted_s(void)
{
    FILE *file = fopen("/proc/stat", "re");
    char line[256];
    double found = 0;

    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        if (strncmp(line, "btime ", 6) == 0) {
            found = strtod(line + 6, NULL);
        }
    }
    if (file != NULL) {
        (void)fclose(file);
    }
    return found;
}

/* A tunnel's end is on loopback, too: where the exporter says when its machine was started, it must be
 * ours. */
static bool is_here(const struct scrape_answer *answer, double exporter_booted_s)
{
    struct sockaddr_storage address;

    return ls_address_parse(&address, answer->address) && ls_address_is_loopback(&address) &&
           (exporter_booted_s <= 0 || fabs(exporter_booted_s - booted_s()) < 2);
}

/* The clock of node_exporter is told with all digits, a Date in whole seconds that are cut. */
static void note_clock(struct ls_watch *watch, const struct scrape_answer *answer)
{
    const int64_t here_ns = realtime_ns() - (ls_now_ns() - answer->at_ns);

    if (watch->counters.clock_s > 0 && watch->counters.clock_s < 9e9) {
        watch->facts.offset_from = "node_time_seconds";
        watch->facts.offset_ns = (int64_t)(watch->counters.clock_s * 1e9) - here_ns;
    } else if (answer->date_s > 0 && answer->date_s < INT64_C(9000000000)) {
        watch->facts.offset_from = "its Date, in whole seconds";
        watch->facts.offset_ns = answer->date_s * LS_NS_PER_S + LS_NS_PER_S / 2 - here_ns;
    }
}

static void on_answer(const struct scrape_answer *answer, const struct ls_error *why, void *data)
{
    struct ls_watch *watch = data;
    struct ls_error err;

    if (answer != NULL) {
        const struct counters_when when = {.asked_ns = answer->begun_ns,
                                           .answered_ns = ls_now_ns()};

        if (counters_take(&watch->counters, answer->text, answer->size, &when, &err) != LS_OK) {
            why = &err;
        }
    }
    if (answer == NULL || why != NULL) {
        watch->wish.failed(why, watch->wish.data);
        return;
    }
    note_clock(watch, answer);
    watch->facts.restarts = watch->counters.restarts;
    watch->facts.back_ns = watch->counters.back_ns;
    watch->facts.this_machine = is_here(answer, watch->counters.booted_s);
    (void)snprintf(watch->facts.counted, sizeof watch->facts.counted, "%s%s%.100s%s of %.100s",
                   watch->counters.family, watch->wish.process != NULL ? " of " : "",
                   watch->wish.process != NULL ? watch->wish.process : "",
                   watch->wish.process != NULL ? "" : ", the whole machine", watch->wish.url);
    give(watch, &watch->counters.total, answer->at_ns);
}

static enum ls_code open_tree(struct ls_watch *watch, struct ls_error *err)
{
    char *counted = watch->facts.counted;
    const size_t size = sizeof watch->facts.counted;

    if (watch->wish.pid != 0) {
        (void)snprintf(counted, size, "process %d and its children", (int)watch->wish.pid);
    } else {
        (void)snprintf(counted, size, "all processes of the name %.100s and their children",
                       watch->wish.process);
    }
    watch->facts.this_machine = true;
    return tree_new(&watch->tree, watch->wish.pid, watch->wish.process, err);
}

static enum ls_code open_source(struct ls_watch *watch, uv_loop_t *loop, struct ls_error *err)
{
    switch (watch->wish.from) {
    case LS_WATCH_PROCESS:
        return open_tree(watch, err);
    case LS_WATCH_CGROUP:
        (void)snprintf(watch->facts.counted, sizeof watch->facts.counted, "cgroup %.200s",
                       watch->wish.path);
        watch->facts.this_machine = true;
        return cgroup_open(&watch->cgroup, watch->wish.path, err);
    case LS_WATCH_EXPORTER:
        watch->counters.process = watch->wish.process;
        watch->facts.whole_machine = watch->wish.process == NULL;
        return scrape_new(&watch->scrape, loop, watch->wish.url, on_answer, watch, err);
    }
    return ls_error_set(err, LS_EBROKEN, "a gateway's CPU of no source");
}

enum ls_code ls_watch_new(struct ls_watch **out, uv_loop_t *loop, const struct ls_watch_wish *wish,
                          struct ls_error *err)
{
    struct ls_watch *watch = calloc(1, sizeof *watch);
    enum ls_code code;

    *out = NULL;
    if (watch == NULL) {
        return ls_error_set(err, LS_ENOMEM, "no memory to watch a gateway's CPU");
    }
    watch->wish = *wish;
    code = open_source(watch, loop, err);
    if (code != LS_OK) {
        free(watch);
        return code;
    }
    *out = watch;
    return LS_OK;
}

void ls_watch_ask(struct ls_watch *watch)
{
    struct spent spent = {0};
    struct ls_error err;
    enum ls_code code;

    if (watch->scrape != NULL) {
        scrape_begin(watch->scrape);
        return;
    }
    if (watch->tree != NULL) {
        code = tree_read(watch->tree, &spent, &err);
        watch->facts.most = (int64_t)tree_count(watch->tree) > watch->facts.most
                                ? (int64_t)tree_count(watch->tree)
                                : watch->facts.most;
    } else {
        code = cgroup_read(&watch->cgroup, &spent, &err);
        watch->facts.restarts = watch->cgroup.restarts;
        watch->facts.back_ns = watch->cgroup.back_ns;
    }
    if (code == LS_OK) {
        give(watch, &spent, ls_now_ns());
    } else {
        watch->wish.failed(&err, watch->wish.data);
    }
}

bool ls_watch_is_asking(const struct ls_watch *watch)
{
    return watch->scrape != NULL && scrape_is_under_way(watch->scrape);
}

const struct ls_watch_facts *ls_watch_facts(const struct ls_watch *watch)
{
    return &watch->facts;
}

void ls_watch_close(struct ls_watch *watch)
{
    if (watch->scrape != NULL) {
        scrape_close(watch->scrape);
    }
}

void ls_watch_free(struct ls_watch *watch)
{
    if (watch == NULL) {
        return;
    }
    if (watch->scrape != NULL) {
        scrape_free(watch->scrape);
    }
    counters_free(&watch->counters);
    tree_free(watch->tree);
    free(watch);
}
