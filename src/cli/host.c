/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/host.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "cli/own.h"
#include "loginstorm/compare.h"
#include "loginstorm/storm.h"
#include "loginstorm/tls.h"

#define NOTES_MAX 5

/* The value behind "model name" in /proc/cpuinfo, or the machine's architecture. */
static char *cpu_name(const char *machine)
{
    FILE *info = fopen("/proc/cpuinfo", "re");
    char line[512];
    char *name = NULL;

    while (info != NULL && name == NULL && fgets(line, sizeof line, info) != NULL) {
        char *colon = strchr(line, ':');

        if (strncmp(line, "model name", 10) == 0 && colon != NULL) {
            colon += 1 + strspn(colon + 1, " ");
            colon[strcspn(colon, "\n")] = '\0';
            name = strdup(colon);
        }
    }
    if (info != NULL) {
        (void)fclose(info);
    }
    return name != NULL ? name : strdup(machine);
}

/* Of the text that the run's folder keeps, so that a storm that is played again from there is the same one. A recorded curve is a part of what was played that the text only names: the
 * schedule's rows follow it. */
enum ls_code host_digest(const struct ls_scenario *scenario, const struct ls_schedule *schedule,
                         char hex[65], struct ls_error *err)
{
    const size_t rows = schedule->notes != NULL ? schedule->count * sizeof schedule->rows[0] : 0;
    char *text, *whole;
    size_t size;
    enum ls_code code = own_text(scenario, &text, &size, err);

    if (code != LS_OK) {
        return code;
    }
    whole = realloc(text, size + rows + 1);
    if (whole == NULL) {
        free(text);
        return ls_error_set(err, LS_ENOMEM, "no memory for the scenario");
    }
    memcpy(whole + size, schedule->rows, rows);
    code = ls_tls_sha256(whole, size + rows, hex, err);
    free(whole);
    return code;
}

/* What was done with recorded curves, a sentence a note. */
static bool add_schedule_notes(struct ls_result *result, const struct ls_schedule *schedule)
{
    const char *text = schedule->notes == NULL ? "" : schedule->notes;
    size_t count = 0, more = 0;

    while (result->notes[count] != NULL) {
        count++;
    }
    for (const char *c = text; *c != '\0'; c++) {
        more += *c == '\n';
    }
    if (more > 0) {
        char **notes = realloc(result->notes, (count + more + 1) * sizeof *notes);

        if (notes == NULL) {
            return false;
        }
        result->notes = notes;
        memset(notes + count, 0, (more + 1) * sizeof *notes);
    }
    for (size_t i = 0; i < more; i++) {
        const size_t length = strcspn(text, "\n");

        result->notes[count + i] = strndup(text, length);
        if (result->notes[count + i] == NULL) {
            return false;
        }
        text += length + 1;
    }
    return true;
}

/* What the scenario asks for and a live run does not carry out must stand in its result: silence
 * would be a wrong figure. */
static bool add_notes(struct ls_result *result, const struct ls_scenario *scenario)
{
    const char *notes[NOTES_MAX] = {NULL};
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    char crowded[128];
    size_t count = 0;
    bool network = false, published = false;

    for (size_t i = 0; i < scenario->populations_count; i++) {
        network = network || scenario->populations[i].rtt_ns > 0 ||
                  scenario->populations[i].jitter_ns > 0;
    }
    if (network) {
        notes[count++] = "left out: populations.network (a live run has loopback's own round "
                         "trips, 0.1 ms or less)";
    }
    for (size_t i = 0; i < scenario->certificates_count; i++) {
        published = published || scenario->certificates[i].published.source != NULL;
    }
    if (published && !ls_scenario_is_closed(scenario)) {
        notes[count++] = "left out: published figures (they stand beside closed loops alone; a "
                         "morning's latencies are others)";
    }
    if (scenario->events_count > 0) {
        notes[count++] = "left out: events (a live run plays the arrivals alone)";
    }
    if (scenario->farm.given) {
        notes[count++] = "left out: farm (a live run has the gateway under `gateway` alone)";
    }
    if (scenario->gateway.workers + result->injectors > cores) {
        (void)snprintf(crowded, sizeof crowded,
                       "%d gateway workers and %d injectors share %ld cores: they take each "
                       "other's time",
                       scenario->gateway.workers, result->injectors, cores);
        notes[count++] = crowded;
    }
    for (size_t i = 0; i < count; i++) {
        result->notes[i] = strdup(notes[i]);
        if (result->notes[i] == NULL) {
            return false;
        }
    }
    return true;
}

/* All of them on the heap, or NULL. */
struct facts {
    char *created, *cpu, *kernel, *tls_library, *tls_build;
};

static bool find_facts(struct facts *facts)
{
    struct utsname system;
    char created[32] = "", kernel[256];
    const time_t now = time(NULL);
    struct tm utc;

    if (gmtime_r(&now, &utc) != NULL) {
        (void)strftime(created, sizeof created, "%Y-%m-%dT%H:%M:%SZ", &utc);
    }
    (void)uname(&system);
    (void)snprintf(kernel, sizeof kernel, "%.60s %.120s", system.sysname, system.release);
    facts->created = strdup(created);
    facts->cpu = cpu_name(system.machine);
    facts->kernel = strdup(kernel);
    facts->tls_library = strdup(ls_tls_library());
    facts->tls_build = strdup(ls_tls_build());
    return facts->created != NULL && facts->cpu != NULL && facts->kernel != NULL &&
           facts->tls_library != NULL && facts->tls_build != NULL;
}

static bool add_host(struct ls_result *result, const struct ls_scenario *scenario, int injectors)
{
    struct facts facts;
    const bool found = find_facts(&facts);
    char placement[600];

    ls_storm_placement(scenario, injectors, placement, sizeof placement);
    result->created = facts.created;
    result->host_cpu = facts.cpu;
    result->host_kernel = facts.kernel;
    result->tls_library = facts.tls_library;
    result->tls_build = facts.tls_build;
    result->host_cores = (int)sysconf(_SC_NPROCESSORS_ONLN);
    result->placement = strdup(placement);
    return found && result->placement != NULL;
}

enum ls_code host_of_costs(struct ls_costs *costs, struct ls_error *err)
{
    struct facts facts;
    const bool found = find_facts(&facts);

    costs->created = facts.created;
    costs->host_cpu = facts.cpu;
    costs->host_kernel = facts.kernel;
    costs->tls_library = facts.tls_library;
    costs->tls_build = facts.tls_build;
    costs->host_cores = (int)sysconf(_SC_NPROCESSORS_ONLN);
    return found ? LS_OK : ls_error_set(err, LS_ENOMEM, "no memory for the cost profile");
}

/* The mean over the users, whose populations may ask for different shares. */
static double resume_share(const struct ls_scenario *scenario, const struct ls_schedule *schedule)
{
    double sum = 0;

    for (size_t i = 0; i < schedule->count; i++) {
        sum += scenario->populations[schedule->rows[i].population].tls.resume_share;
    }
    return schedule->count > 0 ? round(sum / (double)schedule->count * 1e6) / 1e6 : 0;
}

static bool replace(char **place, const char *text)
{
    free(*place);
    *place = text == NULL ? NULL : strdup(text);
    return text == NULL || *place != NULL;
}

/* A head without notes. */
static enum ls_code new_result(struct ls_result **out, const struct ls_scenario *scenario,
                               const struct ls_schedule *schedule, int injectors, int repeat,
                               struct ls_error *err)
{
    struct ls_result *result = calloc(1, sizeof *result);
    char hex[65];
    enum ls_code code = host_digest(scenario, schedule, hex, err);

    *out = result;
    if (code != LS_OK) {
        return code;
    }
    if (result != NULL) {
        result->seed = scenario->seed;
        result->users = (int64_t)schedule->count;
        result->closed = ls_scenario_is_closed(scenario);
        result->from_ns = scenario->from_ns;
        result->window_ns = scenario->window_ns;
        result->speedup = scenario->speedup;
        result->resume_share = resume_share(scenario, schedule);
        result->injectors = injectors;
        result->partial = true;
        result->name = strdup(scenario->name);
        result->sha256 = strdup(hex);
        result->timezone = scenario->timezone == NULL ? NULL : strdup(scenario->timezone);
        result->runs = calloc(scenario->certificates_count * (size_t)repeat, sizeof *result->runs);
        result->notes = calloc(NOTES_MAX + 1, sizeof *result->notes);
    }
    if (result == NULL || result->name == NULL || result->sha256 == NULL || result->runs == NULL ||
        result->notes == NULL || !add_host(result, scenario, injectors)) {
        return ls_error_set(err, LS_ENOMEM, "no memory for the result");
    }
    return LS_OK;
}

enum ls_code host_result_new(struct ls_result **out, const struct ls_scenario *scenario,
                             const struct ls_schedule *schedule, int injectors, int repeat,
                             struct ls_error *err)
{
    enum ls_code code = new_result(out, scenario, schedule, injectors, repeat, err);

    if (code == LS_OK && (!replace(&(*out)->target, scenario->gateway.target) ||
                          !add_notes(*out, scenario) || !add_schedule_notes(*out, schedule))) {
        code = ls_error_set(err, LS_ENOMEM, "no memory for the result");
    }
    return code;
}

enum ls_code host_model_new(struct ls_result **out, const struct ls_scenario *scenario,
                            const struct ls_schedule *schedule, const struct ls_costs *costs,
                            const char *placement, struct ls_error *err)
{
    enum ls_code code = new_result(out, scenario, schedule, 0, 1, err);
    struct ls_result *result = *out;

    if (code == LS_OK &&
        (!add_schedule_notes(result, schedule) || !replace(&result->placement, placement) ||
         (costs != NULL && (!replace(&result->host_cpu, costs->host_cpu) ||
                            !replace(&result->tls_library, costs->tls_library) ||
                            !replace(&result->tls_build, costs->tls_build))))) {
        code = ls_error_set(err, LS_ENOMEM, "no memory for the result");
    }
    return code;
}

enum ls_code host_merged_new(struct ls_result **out, const struct ls_scenario *scenario,
                             const struct ls_schedule *schedule, const struct ls_result *first,
                             int rounds, struct ls_error *err)
{
    const int injectors = first->injectors * first->shard.count;
    enum ls_code code = new_result(out, scenario, schedule, injectors, rounds, err);
    struct ls_result *result = *out;
    char placement[400];

    (void)snprintf(placement, sizeof placement, "%.280s · %d shards of %d injector%s",
                   scenario->gateway.target, first->shard.count, first->injectors,
                   first->injectors == 1 ? "" : "s");
    if (code == LS_OK &&
        (!replace(&result->target, scenario->gateway.target) ||
         !replace(&result->placement, placement) || !replace(&result->created, first->created) ||
         !replace(&result->host_cpu, first->host_cpu) ||
         !replace(&result->host_kernel, first->host_kernel) ||
         !replace(&result->tls_library, first->tls_library) ||
         !replace(&result->tls_build, first->tls_build))) {
        code = ls_error_set(err, LS_ENOMEM, "no memory for the result");
    }
    if (code == LS_OK) {
        result->host_cores = first->host_cores;
        result->merged_count = (size_t)first->shard.count;
        result->merged = calloc(result->merged_count, sizeof *result->merged);
        code = result->merged != NULL ? LS_OK
                                      : ls_error_set(err, LS_ENOMEM, "no memory for the result");
    }
    return code;
}

enum ls_code host_add_note(struct ls_result *result, const char *text, struct ls_error *err)
{
    size_t count = 0;
    char **notes;

    while (result->notes != NULL && result->notes[count] != NULL) {
        count++;
    }
    notes = realloc(result->notes, (count + 2) * sizeof *notes);
    if (notes == NULL) {
        return ls_error_set(err, LS_ENOMEM, "no memory for the notes");
    }
    result->notes = notes;
    notes[count] = strdup(text);
    notes[count + 1] = NULL;
    return notes[count] != NULL ? LS_OK : ls_error_set(err, LS_ENOMEM, "no memory for the notes");
}

enum ls_code host_add_notes(struct ls_result *result, const struct ls_measurement *measurement,
                            bool certificates, bool rounds, struct ls_error *err)
{
    enum ls_code code = LS_OK;

    for (size_t i = 0; code == LS_OK && measurement->notes != NULL && measurement->notes[i] != NULL;
         i++) {
        char text[1024], round[32] = "";

        if (rounds) {
            (void)snprintf(round, sizeof round, ", round %d", measurement->repeat);
        }
        (void)snprintf(text, sizeof text, "%.160s%s%s%.780s",
                       certificates ? measurement->certificate : "", certificates ? round : "",
                       certificates ? ": " : "", measurement->notes[i]);
        code = host_add_note(result, text, err);
    }
    return code;
}

enum ls_code host_compare(struct ls_result *result, struct ls_error *err)
{
    const struct ls_result *const results[] = {result};
    const struct ls_compare_wish wish = {.results = results, .count = 1};

    return ls_compare(&result->comparison, &wish, err);
}

enum ls_code host_add_targets(struct ls_result *result, const struct ls_targets *targets,
                              struct ls_error *err)
{
    const struct {
        const char *name;
        int64_t limit; /* ns, or millionths */
    } rows[] = {
        {"login_p50", targets->login_p50_ns},
        {"login_p95", targets->login_p95_ns},
        {"login_p99", targets->login_p99_ns},
        {"login_p100", targets->login_p100_ns},
        {"failed", targets->failed_share < 0 ? -1 : (int64_t)(targets->failed_share * 1e6 + 0.5)},
        {"gateway_cpu_peak", targets->gateway_cpu_peak_share < 0
                                 ? -1
                                 : (int64_t)(targets->gateway_cpu_peak_share * 1e6 + 0.5)},
    };
    enum ls_code code = LS_OK;

    for (size_t i = 0; code == LS_OK && i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].limit >= 0) {
            code = ls_result_add_target(result, rows[i].name, rows[i].limit, err);
        }
    }
    return code;
}
