/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Closed loops, each by itself: logins of one are under another load than those of the next. */
#include <stdlib.h>

#include "record/build.h"

/* One latency of every login of a wave that got in. */
static void measure(const struct ls_login *rows, const struct ls_played_wave *played,
                    int64_t (*latency)(const struct ls_login *row), int64_t *scratch,
                    struct ls_quantiles *out)
{
    size_t count = 0;

    for (size_t i = played->first; i < played->first + played->count; i++) {
        if (rows[i].outcome == LS_OUTCOME_LOGGED_IN) {
            scratch[count++] = latency(&rows[i]);
        }
    }
    ls_quantiles_of(scratch, count, out);
}

static int64_t secured(const struct ls_login *row)
{
    return row->secured_ns - row->started_ns;
}

static int64_t handshake(const struct ls_login *row)
{
    return row->secured_ns - row->connected_ns;
}

static int64_t login(const struct ls_login *row)
{
    return row->done_ns - row->started_ns;
}

static void count(const struct ls_login *rows, const struct ls_played_wave *played,
                  struct ls_wave_figures *wave)
{
    int64_t begin_ns = INT64_MAX, end_ns = 0;

    for (size_t i = played->first; i < played->first + played->count; i++) {
        const struct ls_login *row = &rows[i];

        wave->logged_in += row->outcome == LS_OUTCOME_LOGGED_IN;
        wave->failed += row->outcome == LS_OUTCOME_FAILED;
        wave->cut_off += row->outcome == LS_OUTCOME_CUT_OFF;
        if (row->started_ns >= 0 && row->done_ns >= row->started_ns) {
            begin_ns = row->started_ns < begin_ns ? row->started_ns : begin_ns;
            end_ns = row->done_ns > end_ns ? row->done_ns : end_ns;
        }
    }
    wave->duration_ns = begin_ns < INT64_MAX ? end_ns - begin_ns : LS_NEVER_NS;
    wave->logins_per_s = wave->duration_ns > 0
                             ? rounded((double)wave->logged_in * 1e9 / (double)wave->duration_ns, 3)
                             : -1;
}

static enum ls_code build(const struct ls_login *rows, const struct ls_played_wave *played,
                          int64_t *scratch, struct ls_wave_figures *wave, struct ls_error *err)
{
    wave->sequence = played->sequence;
    wave->logins = (int64_t)played->count;
    wave->concurrency = played->concurrency;
    count(rows, played, wave);
    measure(rows, played, secured, scratch, &wave->secured);
    measure(rows, played, handshake, scratch, &wave->handshake);
    measure(rows, played, login, scratch, &wave->login);
    if (!played->sequence || played->count > LS_EACH_MAX) {
        return LS_OK;
    }
    wave->each_ns = calloc(played->count, sizeof *wave->each_ns);
    if (wave->each_ns == NULL) {
        return ls_error_set(err, LS_ENOMEM, "no memory for %zu handshakes", played->count);
    }
    wave->each_count = played->count;
    for (size_t i = 0; i < played->count; i++) {
        const struct ls_login *row = &rows[played->first + i];

        wave->each_ns[i] = row->outcome == LS_OUTCOME_LOGGED_IN ? handshake(row) : LS_NEVER_NS;
    }
    return LS_OK;
}

enum ls_code waves_build(struct ls_run *run, const struct ls_measurement *measurement,
                         struct ls_error *err)
{
    size_t count, next = 0;
    const struct ls_login *rows = ls_record_logins(measurement->record, &count);
    int64_t *scratch;
    enum ls_code code = LS_OK;

    if (measurement->waves_count == 0) {
        return LS_OK;
    }
    for (size_t i = 0; i < measurement->waves_count; i++) {
        const struct ls_played_wave *played = &measurement->waves[i];

        if (played->first != next || played->count == 0 || played->count > count - next) {
            return ls_error_set(err, LS_EBROKEN, "the closed loops are not those of the record");
        }
        next += played->count;
    }
    if (next != count) {
        return ls_error_set(err, LS_EBROKEN, "the closed loops leave users of the record out");
    }
    run->waves = calloc(measurement->waves_count, sizeof *run->waves);
    scratch = calloc(count + 1, sizeof *scratch);
    if (run->waves == NULL || scratch == NULL) {
        code = ls_error_set(err, LS_ENOMEM, "no memory for %zu waves", measurement->waves_count);
    } else {
        run->waves_count = measurement->waves_count;
    }
    for (size_t i = 0; code == LS_OK && i < measurement->waves_count; i++) {
        code = build(rows, &measurement->waves[i], scratch, &run->waves[i], err);
    }
    free(scratch);
    return code;
}
