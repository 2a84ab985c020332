/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LS_TEST_STORMS_H
#define LS_TEST_STORMS_H

/* Results that nobody measured: runs of known figures, all else alike. */

#include <stdlib.h>
#include <string.h>

#include "loginstorm/compare.h"

#define STORM_RUNS 16

static char storm_rsa[] = "RSA 4096", storm_p256[] = "ECDSA P-256", storm_rsa_key[] = "rsa-4096",
            storm_p256_key[] = "ecdsa-p256", storm_source[] = "embedded", storm_cpu[] = "a CPU",
            storm_kernel[] = "Linux 6.1", storm_library[] = "wolfSSL 5.9.2",
            storm_build[] = "own build", storm_place[] = "1 worker", storm_sha[] = "ab";

struct storm {
    struct ls_result result;
    struct ls_run runs[STORM_RUNS];
    struct ls_moment moments[3];
};

static inline void storm_init(struct storm *storm)
{
    *storm = (struct storm){0};
    storm->moments[0].due = 400;
    storm->moments[1].due = 600;
    storm->result = (struct ls_result){.users = 1000,
                                       .sha256 = storm_sha,
                                       .from_ns = 8 * LS_NS_PER_H,
                                       .window_ns = LS_NS_PER_H,
                                       .speedup = 60,
                                       .host_cpu = storm_cpu,
                                       .host_cores = 2,
                                       .host_kernel = storm_kernel,
                                       .tls_library = storm_library,
                                       .tls_build = storm_build,
                                       .placement = storm_place,
                                       .runs = storm->runs};
}

/* Latencies in us, p100 ten times the p99. */
static inline struct ls_run *storm_add(struct storm *storm, bool rsa, int repeat, double p50_us,
                                       double p99_us, double cpu_us)
{
    struct ls_run *run = &storm->runs[storm->result.runs_count++];
    const int64_t p50_ns = (int64_t)(p50_us * 1000), p99_ns = (int64_t)(p99_us * 1000);

    *run = (struct ls_run){
        .certificate = rsa ? storm_rsa : storm_p256,
        .key = rsa ? storm_rsa_key : storm_p256_key,
        .repeat = repeat,
        .live = true,
        .total = 1000,
        .logged_in = 1000,
        .handshakes_total = 1000,
        .handshakes_full = 1000,
        .login = {.count = 1000,
                  .p50 = p50_ns,
                  .p90 = 2 * p50_ns,
                  .p99 = p99_ns,
                  .p99_9 = p99_ns * 5,
                  .p100 = p99_ns * 10},
        .of_all_p50 = p50_ns,
        .of_all_p99 = p99_ns,
        .of_all_p100 = p99_ns * 10,
        .client_hello_bytes = 300,
        .server_flight_bytes = rsa ? 1800 : 900,
        .to_gateway_bytes = 400,
        .from_gateway_bytes = rsa ? 1800 : 900,
        .gateway_source = storm_source,
        .gateway_workers = 1,
        .cpu_us_per_login = cpu_us,
        .cpu_us_per_handshake = cpu_us,
        .capacity_per_s_per_core = 1e6 / cpu_us,
        .cores_at_peak_minute = 300 * cpu_us / 60e6,
        .peak_minute_at_ns = 8 * LS_NS_PER_H + 30 * LS_NS_PER_MIN,
        .peak_minute_logins = 300,
        .timeline = storm->moments,
        .timeline_count = 2,
        .slice_ns = 30 * LS_NS_PER_MIN,
    };
    return run;
}

static inline struct ls_comparison *compared(const struct ls_result *one,
                                             const struct ls_result *other, bool force)
{
    static const char *const names[] = {"results/one", "results/other"};
    const struct ls_result *const results[] = {one, other};
    const struct ls_compare_wish wish = {
        .results = results, .names = names, .count = other == NULL ? 1 : 2, .force = force};
    struct ls_comparison *comparison;

    assert_int_equal(ls_compare(&comparison, &wish, NULL), LS_OK);
    return comparison;
}

static inline bool advised(const struct ls_comparison *comparison, const char *about,
                           const char *part)
{
    for (size_t i = 0; i < comparison->advice_count; i++) {
        if (strcmp(comparison->advice[i].about, about) == 0 &&
            strstr(comparison->advice[i].text, part) != NULL) {
            return true;
        }
    }
    return false;
}

#endif
