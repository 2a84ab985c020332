/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LS_TEST_COSTS_SAMPLE_H
#define LS_TEST_COSTS_SAMPLE_H

/* A cost profile with something in every corner, and its text. */

#include <stdlib.h>
#include <string.h>

#include "loginstorm/costs.h"

static inline void sample_load(struct ls_cost_at *at, double core_share, double cpu_ns)
{
    int64_t values[250];

    for (int64_t i = 0; i < 250; i++) {
        values[i] = 60001 + i * 1000;
    }
    *at = (struct ls_cost_at){.per_s = core_share / cpu_ns * 1e9,
                              .core_share = core_share,
                              .handshakes = 250,
                              .cpu_ns = cpu_ns,
                              .user_ns = cpu_ns * 0.75,
                              .system_ns = -1,
                              .tls_ns = cpu_ns / 3,
                              .cpu_low_ns = cpu_ns * 0.9,
                              .cpu_high_ns = cpu_ns * 1.1,
                              .client_ns = 105000.5,
                              .rounds = 3,
                              .verdict = LS_SUSPECT};
    ls_spread_of(&at->hello, values, 250);
    ls_spread_of(&at->finish, values, 3);
    ls_spread_of(&at->connect, NULL, 0);
    at->connect.mean_ns = 30000;
    ls_spread_of(&at->handshake, values, 1);
    ls_spread_of(&at->login, NULL, 0);
}

static inline struct ls_costs *sample_costs(void)
{
    struct ls_costs *costs = calloc(1, sizeof *costs);

    *costs = (struct ls_costs){.source = strdup("calibrate"),
                               .created = strdup("2026-11-30T07:55:00Z"),
                               .host_cpu = strdup("AMD EPYC"),
                               .host_kernel = strdup("Linux 6.18"),
                               .tls_library = strdup("wolfSSL 5.9.2"),
                               .host_cores = 2,
                               .factor = 1,
                               .low = 1,
                               .high = 1,
                               .left_out = strdup("ECDSA P-384 (invalid)"),
                               .count = 3};
    costs->openssl.version = strdup("3.0.19");
    for (size_t i = 0; i < LS_SPEED_KEYS; i++) {
        costs->openssl.sign_per_s[i] = i == 1 ? -1 : 1000.25 * (double)(i + 1);
    }
    costs->rows = calloc(3, sizeof *costs->rows);
    costs->rows[0] = (struct ls_cost){.certificate = strdup("RSA 4096"),
                                      .key = strdup("rsa-4096"),
                                      .group = strdup("X25519"),
                                      .version = strdup("1.3"),
                                      .send_bytes = 600,
                                      .receive_bytes = 6000,
                                      .at_count = 2};
    sample_load(&costs->rows[0].at[0], 0.05, 3400123.456);
    sample_load(&costs->rows[0].at[1], 0.9, 3300000);
    costs->rows[1] = (struct ls_cost){.certificate = strdup("RSA 4096"),
                                      .key = strdup("rsa-4096"),
                                      .resumed = true,
                                      .resumed_share = 1,
                                      .send_bytes = -1,
                                      .receive_bytes = -1,
                                      .at_count = 1};
    sample_load(&costs->rows[1].at[0], 0.3, 40000);
    costs->rows[2] = (struct ls_cost){.certificate = strdup("ECDSA P-256"),
                                      .key = strdup("ecdsa-p256"),
                                      .resumed_share = 0.25,
                                      .at_count = 1};
    sample_load(&costs->rows[2].at[0], 0.3, 60000);
    costs->rows[2].line = (struct ls_cost_line){.gateway = strdup("gw.example:443"),
                                                .clock = strdup("exporter"),
                                                .counted = strdup("process 4711"),
                                                .idle_cores = 0.0625,
                                                .idle_low = -0.125,
                                                .idle_high = 0.25,
                                                .r2 = 0.9375,
                                                .points = calloc(4, sizeof(struct ls_cost_point)),
                                                .points_count = 4};
    for (size_t i = 0; i < 4; i++) {
        costs->rows[2].line.points[i] =
            (struct ls_cost_point){.offered_per_s = 50.5 * (double)(i + 1),
                                   .per_s = 48.25 * (double)(i + 1),
                                   .cores = 0.125 * (double)(i + 1),
                                   .residual_cores = i % 2 == 0 ? 0.03125 : -0.03125};
    }
    return costs;
}

static inline char *costs_text(const struct ls_costs *costs)
{
    json_t *root;
    size_t size;
    char *text;
    FILE *stream = open_memstream(&text, &size);

    assert_int_equal(ls_costs_to_json(costs, &root, NULL), LS_OK);
    assert_int_equal(ls_json_write(root, stream, NULL), LS_OK);
    assert_int_equal(fclose(stream), 0);
    json_decref(root);
    return text;
}

#endif
