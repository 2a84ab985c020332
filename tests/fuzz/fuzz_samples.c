/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Any bytes for the tables of a shard, samples.csv and handshakes.csv in turn. What is refused says why; what is taken is
 * a record that is written as the very same rows, of which a run can be worked out or which is refused as impossible.
 */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loginstorm/result.h"
#include "loginstorm/rows.h"
#include "record/tables.h"

#define USERS 8

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const populations[] = {"a", "b, \"c\""};

static void must(bool good, const char *what)
{
    if (!good) {
        (void)fprintf(stderr, "%s\n", what);
        abort();
    }
}

/* The rows of a table of that kind, which begins with its header in any case; false where they were refused. */
static bool take(struct ls_record *record, enum ls_rows_kind kind, const char *text, size_t size)
{
    const struct ls_share share = {0};
    const struct ls_rows_wish wish = {.certificate = "P",
                                      .repeat = 1,
                                      .populations = populations,
                                      .populations_count = 2,
                                      .share = &share};
    const char *header = kind == LS_ROWS_SAMPLES ? SAMPLES_HEADER : HANDSHAKES_HEADER;
    char *whole = malloc(strlen(header) + size + 1);
    struct ls_rows *rows;
    struct ls_error err = {0};
    size_t count = 0;
    FILE *stream;
    enum ls_code code;

    must(whole != NULL, "memory");
    memcpy(whole, header, strlen(header));
    memcpy(whole + strlen(header), text, size);
    stream = fmemopen(whole, strlen(header) + size, "r");
    must(stream != NULL, "a stream");
    code = ls_rows_new(&rows, stream, "fuzz.csv", kind, &err);
    must(code == LS_OK, "the header is ours");
    code = ls_rows_take(rows, &wish, record, &count, &err);
    if (code == LS_OK) {
        code = ls_rows_end(rows, &err);
    }
    must(code == LS_OK || (err.code == code && err.line > 1 && err.text[0] != '\0'),
         "a refusal says why and where");
    ls_rows_close(rows);
    if (code == LS_OK && kind == LS_ROWS_HANDSHAKES) {
        char *again = NULL;
        size_t again_size = 0;

        stream = open_memstream(&again, &again_size);
        must(ls_handshakes_write(stream, "P", 1, record, &share, true, &err) == LS_OK, "written");
        must(fclose(stream) == 0, "closed");
        must(again_size == strlen(header) + size && memcmp(again, whole, again_size) == 0,
             "the same again");
        free(again);
    }
    free(whole);
    return code == LS_OK;
}

static void work_out(struct ls_record *record)
{
    const struct ls_measurement measurement = {.certificate = "P",
                                               .key = "ecdsa-p256",
                                               .live = true,
                                               .partial = true,
                                               .record = record,
                                               .speedup = 60,
                                               .window_ns = 3600 * LS_NS_PER_S};
    struct ls_run run;
    struct ls_error err = {0};
    const enum ls_code code = ls_run_build(&run, &measurement, &err);

    must(code == LS_OK || code == LS_EBROKEN, "worked out, or impossible");
    if (code == LS_OK) {
        must(run.total == run.logged_in + run.failed + run.cut_off, "users are conserved");
        ls_run_clear(&run);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data;
    const char *cut = memchr(data, '#', size); /* what is behind it are handshakes */
    const size_t first = cut == NULL ? size : (size_t)(cut - text);
    struct ls_record *record;
    struct ls_error err;

    must(ls_record_new(&record, USERS, 2 * USERS, &err) == LS_OK, "a record");
    if (take(record, LS_ROWS_SAMPLES, text, first) &&
        (cut == NULL || take(record, LS_ROWS_HANDSHAKES, cut + 1, size - first - 1))) {
        for (size_t user = 0; user < USERS; user++) {
            const struct ls_login row = {.outcome = LS_OUTCOME_CUT_OFF,
                                         .started_ns = LS_NEVER_NS,
                                         .connected_ns = LS_NEVER_NS,
                                         .secured_ns = LS_NEVER_NS,
                                         .done_ns = LS_NEVER_NS};

            must(ls_record_outcome(record, user) != LS_OUTCOME_PENDING ||
                     ls_record_login(record, user, &row) == LS_OK,
                 "a row");
        }
        work_out(record);
    }
    ls_record_free(record);
    return 0;
}
