/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LS_TEST_SAMPLE_H
#define LS_TEST_SAMPLE_H

/* A result worked out of synthetic rows, and what the report makes of it. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loginstorm/report.h"

#include "unit/record/synthetic.h"

struct sample {
    struct ls_result result;
    struct ls_run runs[3];
    char *notes[2];
};

enum { NOTE, CREATED, NAME, SHA256, TIMEZONE, CPU, KERNEL, LIBRARY, BUILD, PLACEMENT };

static char sample_words[][72] = {
    [NOTE] = "the scenario's events are left out",
    [CREATED] = "2026-11-30T07:55:00Z",
    [NAME] = "Monday morning, 6,000 users",
    [SHA256] = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    [TIMEZONE] = "Europe/Paris",
    [CPU] = "AMD EPYC",
    [KERNEL] = "6.1.0",
    [LIBRARY] = "wolfSSL 5.9.2",
    [BUILD] = "own build",
    [PLACEMENT] = "1 worker on core 0 · 1 injector on core 1",
};

static inline void sample_run(struct ls_run *run, const struct synthetic *what,
                              struct ls_measurement measurement)
{
    struct ls_record *record = synthetic_record(what);

    measurement.record = record;
    assert_int_equal(ls_run_build(run, &measurement, NULL), LS_OK);
    ls_record_free(record);
}

/* RSA 4096 whole and valid; P-256 with a dozen refused; P-384 with a stalled loop. */
static inline void sample_init(struct sample *sample)
{
    const struct synthetic rsa = {.users = 6000, .handshake_ns = 3400000};
    const struct synthetic p256 = {
        .users = 6000, .handshake_ns = 400123, .flight_bytes = 700, .failed = 12};
    const struct synthetic p384 = {.users = 6000, .handshake_ns = 600000, .flight_bytes = 801};
    struct ls_measurement measurement = synthetic_measurement(NULL, INT64_C(40512000000));

    *sample = (struct sample){.notes = {sample_words[NOTE], NULL}};
    measurement.gateway.server_flights = 12000;
    sample_run(&sample->runs[0], &rsa, measurement);
    measurement = synthetic_measurement(NULL, 1690000000);
    measurement.gateway.server_flights = 11979;
    measurement.certificate = "ECDSA P-256";
    measurement.key = "ecdsa-p256";
    sample_run(&sample->runs[1], &p256, measurement);
    measurement = synthetic_measurement(NULL, 2310000000);
    measurement.gateway.server_flights = 12000;
    measurement.certificate = "ECDSA P-384";
    measurement.key = "ecdsa-p384";
    measurement.worst_stall_ns = 62 * LS_NS_PER_MS;
    sample_run(&sample->runs[2], &p384, measurement);
    sample->result = (struct ls_result){
        .created = sample_words[CREATED],
        .name = sample_words[NAME],
        .sha256 = sample_words[SHA256],
        .timezone = sample_words[TIMEZONE],
        .seed = 20261130,
        .users = 6000,
        .from_ns = 8 * LS_NS_PER_H,
        .window_ns = LS_NS_PER_H,
        .speedup = 60,
        .host_cpu = sample_words[CPU],
        .host_kernel = sample_words[KERNEL],
        .tls_library = sample_words[LIBRARY],
        .tls_build = sample_words[BUILD],
        .host_cores = 2,
        .injectors = 1,
        .placement = sample_words[PLACEMENT],
        .notes = sample->notes,
        .runs = sample->runs,
        .runs_count = 3,
    };
    assert_int_equal(ls_result_add_target(&sample->result, "login_p99", LS_NS_PER_S, NULL), LS_OK);
    assert_int_equal(ls_result_add_target(&sample->result, "failed", 1000, NULL), LS_OK);
    assert_int_equal(ls_result_add_target(&sample->result, "gateway_cpu_peak", 700000, NULL),
                     LS_OK);
}

static inline void sample_clear(struct sample *sample)
{
    for (size_t i = 0; i < 3; i++) {
        ls_run_clear(&sample->runs[i]);
    }
    free(sample->result.targets);
}

/* What a writer makes of a result. */
static inline char *sample_written(const struct ls_result *result,
                                   enum ls_code (*write)(const struct ls_result *result,
                                                         FILE *stream, struct ls_error *err))
{
    size_t size;
    char *text;
    FILE *stream = open_memstream(&text, &size);

    assert_int_equal(write(result, stream, NULL), LS_OK);
    assert_int_equal(fclose(stream), 0);
    return text;
}

/* The same onto a full disk; what: as its error calls it. */
static inline void assert_full_disk(const char *what,
                                    enum ls_code (*write)(const struct ls_result *result,
                                                          FILE *stream, struct ls_error *err))
{
    struct sample sample;
    struct ls_error err;
    FILE *full = fopen("/dev/full", "w");
    char expected[128];

    assert_non_null(full);
    sample_init(&sample);
    assert_int_equal(write(&sample.result, full, &err), LS_EWRITE);
    (void)snprintf(expected, sizeof expected, "cannot write %s: No space left on device", what);
    assert_string_equal(err.text, expected);
    (void)fclose(full);
    sample_clear(&sample);
}

static inline void must_say(const char *text, const char *part)
{
    if (strstr(text, part) == NULL) {
        fail_msg("\"%s\" is not in:\n%s", part, text);
    }
}

/* Heading and text, as `run` shows them. */
static inline char *sample_text(const struct ls_result *result, const struct ls_report_look *look)
{
    size_t size;
    char *text;
    FILE *stream = open_memstream(&text, &size);

    assert_int_equal(ls_report_heading(result, look, stream, NULL), LS_OK);
    assert_int_equal(ls_report_text(result, look, stream, NULL), LS_OK);
    assert_int_equal(fclose(stream), 0);
    return text;
}

/* Holds text against tests/golden/NAME; LS_GOLDEN=write in the environment makes the file anew. */
static inline void assert_golden(const char *name, const char *text)
{
    const char *mode = getenv("LS_GOLDEN");
    char path[512], golden[200000];
    FILE *file;
    size_t size;

    (void)snprintf(path, sizeof path, "%s/tests/golden/%s", LS_SOURCE_DIR, name);
    if (mode != NULL && strcmp(mode, "write") == 0) {
        file = fopen(path, "w");
        assert_non_null(file);
        assert_true(fputs(text, file) >= 0);
        assert_int_equal(fclose(file), 0);
    }
    file = fopen(path, "r");
    assert_non_null(file);
    size = fread(golden, 1, sizeof golden - 1, file);
    (void)fclose(file);
    golden[size] = '\0';
    assert_string_equal(text, golden);
}

#endif
