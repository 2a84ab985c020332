/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "record/fields.h"
#include "record/tables.h"

/*
 * A million rows are written in about a second: numbers are put by hand into lines gathered here,
 * since printf would take most of that time.
 */
struct sheet {
    FILE *stream;
    size_t used;
    char line[1 << 16];
};

#define NUMBER_MAX 21 /* digits, sign, comma */

static bool flush(struct sheet *sheet)
{
    const size_t used = sheet->used;

    sheet->used = 0;
    return fwrite(sheet->line, 1, used, sheet->stream) == used;
}

static bool put_text(struct sheet *sheet, const char *text)
{
    const size_t length = strlen(text);

    if (length > sizeof sheet->line - sheet->used && !flush(sheet)) {
        return false;
    }
    if (length > sizeof sheet->line) {
        return fwrite(text, 1, length, sheet->stream) == length;
    }
    memcpy(sheet->line + sheet->used, text, length);
    sheet->used += length;
    return true;
}

/* A comma, then the number; empty for a time that was not reached. */
static bool put_number(struct sheet *sheet, int64_t value)
{
    char digits[NUMBER_MAX];
    size_t begin = sizeof digits;

    if (sheet->used + NUMBER_MAX > sizeof sheet->line && !flush(sheet)) {
        return false;
    }
    sheet->line[sheet->used++] = ',';
    if (value < 0) {
        return true;
    }
    do {
        digits[--begin] = (char)('0' + value % 10);
        value /= 10;
    } while (value > 0);
    memcpy(sheet->line + sheet->used, digits + begin, sizeof digits - begin);
    sheet->used += sizeof digits - begin;
    return true;
}

static bool put_word(struct sheet *sheet, const char *word)
{
    return put_text(sheet, ",") && put_text(sheet, word);
}

static enum ls_code finish(struct sheet *sheet, bool whole, const char *what, struct ls_error *err)
{
    if (!whole || !flush(sheet) || fflush(sheet->stream) != 0) {
        return ls_error_set_errno(err, LS_EWRITE, "cannot write the %s", what);
    }
    return LS_OK;
}

static bool put_population(struct sheet *sheet, const char *const *populations, unsigned index)
{
    char *field;
    bool whole;

    if (populations == NULL) {
        return put_number(sheet, index);
    }
    field = ls_csv_field(populations[index]);
    whole = field != NULL && put_word(sheet, field);
    free(field);
    return whole;
}

static bool put_login(struct sheet *sheet, size_t user, const struct ls_login *row,
                      const char *const *populations, int repeat)
{
    const char *outcome = outcome_word((enum ls_outcome)row->outcome);

    return put_number(sheet, (int64_t)user) &&
           put_population(sheet, populations, row->population) && put_number(sheet, row->due_ns) &&
           put_number(sheet, row->started_ns) && put_number(sheet, row->connected_ns) &&
           put_number(sheet, row->secured_ns) && put_number(sheet, row->done_ns) &&
           put_number(sheet, row->attempts) &&
           put_word(sheet, outcome != NULL ? outcome : "unknown") &&
           put_word(sheet, ls_reason_word((enum ls_reason)row->reason)) &&
           put_number(sheet, repeat) && put_text(sheet, "\n");
}

static size_t user_of(const struct ls_share *share, size_t row)
{
    return share == NULL ? row : ls_share_user(share, row);
}

enum ls_code ls_samples_write(FILE *stream, const char *certificate, int repeat,
                              const struct ls_record *record, const struct ls_share *share,
                              const char *const *populations, bool with_header,
                              struct ls_error *err)
{
    struct sheet sheet = {.stream = stream};
    char *name = ls_csv_field(certificate);
    bool whole = name != NULL;
    size_t count;
    const struct ls_login *rows = ls_record_logins(record, &count);

    if (whole && with_header) {
        whole = put_text(&sheet, SAMPLES_HEADER);
    }
    for (size_t i = 0; whole && i < count; i++) {
        whole = put_text(&sheet, name) &&
                put_login(&sheet, user_of(share, i), &rows[i], populations, repeat);
    }
    free(name);
    return finish(&sheet, whole, "samples", err);
}

static bool put_bytes(struct sheet *sheet, const struct ls_handshake *row, uint32_t bytes)
{
    return put_number(sheet, row->no_bytes != 0 ? -1 : (int64_t)bytes);
}

static bool put_handshake(struct sheet *sheet, size_t user, const struct ls_handshake *row,
                          int repeat)
{
    const char *outcome = outcome_word((enum ls_outcome)row->outcome);

    if (row->outcome == LS_OUTCOME_LOGGED_IN) {
        outcome = "secured";
    }
    return put_number(sheet, (int64_t)user) && put_number(sheet, row->connection) &&
           put_number(sheet, row->attempt) && put_number(sheet, row->started_ns) &&
           put_number(sheet, row->connected_ns) && put_number(sheet, row->ended_ns) &&
           put_word(sheet, outcome != NULL ? outcome : "unknown") &&
           put_word(sheet, ls_reason_word((enum ls_reason)row->reason)) &&
           put_number(sheet, row->tls13 != 0) && put_number(sheet, row->offered != 0) &&
           put_number(sheet, row->resumed != 0) && put_number(sheet, row->hello_retry != 0) &&
           put_number(sheet, row->retransmits) && put_bytes(sheet, row, row->client_hello_bytes) &&
           put_bytes(sheet, row, row->server_flight_bytes) &&
           put_bytes(sheet, row, row->sent_bytes) && put_bytes(sheet, row, row->received_bytes) &&
           put_number(sheet, row->ticket_bytes) && put_number(sheet, repeat) &&
           put_text(sheet, "\n");
}

enum ls_code ls_handshakes_write(FILE *stream, const char *certificate, int repeat,
                                 const struct ls_record *record, const struct ls_share *share,
                                 bool with_header, struct ls_error *err)
{
    struct sheet sheet = {.stream = stream};
    char *name = ls_csv_field(certificate);
    bool whole = name != NULL;
    size_t count;
    const struct ls_handshake *rows = ls_record_handshakes(record, &count);

    if (whole && with_header) {
        whole = put_text(&sheet, HANDSHAKES_HEADER);
    }
    for (size_t i = 0; whole && i < count; i++) {
        whole = put_text(&sheet, name) &&
                put_handshake(&sheet, user_of(share, rows[i].user), &rows[i], repeat);
    }
    free(name);
    return finish(&sheet, whole, "handshakes", err);
}

/* ns as µs with what decimals it has, exact; empty for never. */
static bool put_us(struct sheet *sheet, int64_t ns)
{
    char text[32];

    if (ns < 0) {
        return put_text(sheet, ",");
    }
    if (ns % 1000 == 0) {
        return put_number(sheet, ns / 1000);
    }
    (void)snprintf(text, sizeof text, "%" PRId64 ".%03d", ns / 1000, (int)(ns % 1000));
    return put_word(sheet, text);
}

enum ls_code ls_timeline_write(FILE *stream, const struct ls_run *run, int64_t from_ns,
                               bool with_header, struct ls_error *err)
{
    struct sheet sheet = {.stream = stream};
    char *name = ls_csv_field(run->certificate);
    bool whole = name != NULL;

    if (whole && with_header) {
        whole = put_text(
            &sheet,
            "certificate,at,due,logged_in,failed,in_flight,peak_in_flight,p50_us,p99_us,p100_us,"
            "gateway_cpu_share,repeat\n");
    }
    for (size_t i = 0; whole && i < run->timeline_count; i++) {
        const struct ls_moment *moment = &run->timeline[i];
        char at[32], share[32] = "";

        slice_clock(from_ns, run, moment, at, sizeof at);
        if (moment->gateway_cpu_share >= 0) {
            (void)snprintf(share, sizeof share, "%.6f", moment->gateway_cpu_share);
        }
        whole = put_text(&sheet, name) && put_word(&sheet, at) && put_number(&sheet, moment->due) &&
                put_number(&sheet, moment->logged_in) && put_number(&sheet, moment->failed) &&
                put_number(&sheet, moment->in_flight) &&
                put_number(&sheet, moment->peak_in_flight) && put_us(&sheet, moment->p50_ns) &&
                put_us(&sheet, moment->p99_ns) && put_us(&sheet, moment->p100_ns) &&
                put_word(&sheet, share) && put_number(&sheet, run->repeat) &&
                put_text(&sheet, "\n");
    }
    free(name);
    return finish(&sheet, whole, "timeline", err);
}
