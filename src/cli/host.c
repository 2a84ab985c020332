/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/host.h"

#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "loginstorm/storm.h"
#include "loginstorm/tls.h"

#define NOTES_MAX 4

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

static enum ls_code digest(const struct ls_scenario *scenario, char hex[65], struct ls_error *err)
{
    char *text;
    size_t size;
    enum ls_code code = ls_scenario_text(scenario, &text, &size, err);

    if (code == LS_OK) {
        code = ls_tls_sha256(text, size, hex, err);
        free(text);
    }
    return code;
}

/* What the scenario asks for and a live run does not carry out must stand in its result: silence
 * would be a wrong figure. */
static bool add_notes(struct ls_result *result, const struct ls_scenario *scenario)
{
    const char *notes[NOTES_MAX] = {NULL};
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    char crowded[128];
    size_t count = 0;
    bool network = false;

    for (size_t i = 0; i < scenario->populations_count; i++) {
        network = network || scenario->populations[i].rtt_ns > 0 ||
                  scenario->populations[i].jitter_ns > 0;
    }
    if (network) {
        notes[count++] = "left out: populations.network (a live run has loopback's own round "
                         "trips, 0.1 ms or less)";
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
    result->notes = calloc(NOTES_MAX + 1, sizeof *result->notes);
    for (size_t i = 0; result->notes != NULL && i < count; i++) {
        result->notes[i] = strdup(notes[i]);
        if (result->notes[i] == NULL) {
            return false;
        }
    }
    return result->notes != NULL;
}

static bool add_host(struct ls_result *result, const struct ls_scenario *scenario, int injectors)
{
    struct utsname system;
    char created[32] = "";
    char placement[600];
    char kernel[256];
    const time_t now = time(NULL);
    struct tm utc;

    if (gmtime_r(&now, &utc) != NULL) {
        (void)strftime(created, sizeof created, "%Y-%m-%dT%H:%M:%SZ", &utc);
    }
    (void)uname(&system);
    (void)snprintf(kernel, sizeof kernel, "%.60s %.120s", system.sysname, system.release);
    ls_storm_placement(scenario, injectors, placement, sizeof placement);
    result->created = strdup(created);
    result->host_cpu = cpu_name(system.machine);
    result->host_kernel = strdup(kernel);
    result->host_cores = (int)sysconf(_SC_NPROCESSORS_ONLN);
    result->tls_library = strdup(ls_tls_library());
    result->tls_build = strdup(ls_tls_build());
    result->placement = strdup(placement);
    return result->created != NULL && result->host_cpu != NULL && result->host_kernel != NULL &&
           result->tls_library != NULL && result->tls_build != NULL && result->placement != NULL;
}

enum ls_code host_result_new(struct ls_result **out, const struct ls_scenario *scenario,
                             int injectors, struct ls_error *err)
{
    struct ls_result *result = calloc(1, sizeof *result);
    char hex[65];
    enum ls_code code = digest(scenario, hex, err);

    *out = result;
    if (code != LS_OK) {
        return code;
    }
    if (result != NULL) {
        result->seed = scenario->seed;
        result->users = scenario->users;
        result->from_ns = scenario->from_ns;
        result->window_ns = scenario->window_ns;
        result->speedup = scenario->speedup;
        result->injectors = injectors;
        result->partial = true;
        result->name = strdup(scenario->name);
        result->sha256 = strdup(hex);
        result->timezone = scenario->timezone == NULL ? NULL : strdup(scenario->timezone);
        result->runs = calloc(scenario->certificates_count, sizeof *result->runs);
    }
    if (result == NULL || result->name == NULL || result->sha256 == NULL || result->runs == NULL ||
        !add_host(result, scenario, injectors) || !add_notes(result, scenario)) {
        return ls_error_set(err, LS_ENOMEM, "no memory for the result");
    }
    return LS_OK;
}
