/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "loginstorm/rows.h"

#include <stdlib.h>
#include <string.h>

#include "loginstorm/result.h"
#include "loginstorm/units.h"
#include "record/fields.h"
#include "record/tables.h"

#define LINE_MAX_BYTES 8192
/* No storm is that long; what is longer would overflow in sums. */
#define TIME_MAX_NS (366 * LS_NS_PER_DAY)

struct ls_rows {
    FILE *stream;
    const char *path;
    enum ls_rows_kind kind;
    int line_at; /* of the row that is held */
    int lines;   /* read so far */
    bool held;   /* line has a row that nobody took yet */
    bool over;
    size_t length;
    char line[LINE_MAX_BYTES];
};

static enum ls_code refuse(const struct ls_rows *rows, const char *why, struct ls_error *err)
{
    return ls_error_set_at(err, rows->path, rows->line_at, 0, "%s", why);
}

/* A row with its end; a quoted field may have ends of lines in it. */
static enum ls_code hold(struct ls_rows *rows, struct ls_error *err)
{
    bool quoted = false;
    int c;

    if (rows->held || rows->over) {
        return LS_OK;
    }
    rows->length = 0;
    rows->line_at = rows->lines + 1;
    while ((c = getc(rows->stream)) != EOF) {
        if (rows->length + 1 == sizeof rows->line) {
            return refuse(rows, "this line is longer than any of ours", err);
        }
        rows->line[rows->length++] = (char)c;
        quoted = quoted != (c == '"');
        rows->lines += c == '\n';
        if (c == '\n' && !quoted) {
            break;
        }
    }
    rows->line[rows->length] = '\0';
    if (ferror(rows->stream)) {
        return ls_error_set_errno(err, LS_ENOINPUT, "cannot read %s", rows->path);
    }
    rows->over = rows->length == 0;
    rows->held = !rows->over;
    if (rows->held && (c == EOF || strlen(rows->line) != rows->length)) {
        return refuse(rows, c == EOF ? "the file ends within this line" : "no text", err);
    }
    return LS_OK;
}

enum ls_code ls_rows_new(struct ls_rows **out, FILE *stream, const char *path,
                         enum ls_rows_kind kind, struct ls_error *err)
{
    struct ls_rows *rows = calloc(1, sizeof *rows);
    enum ls_code code;

    *out = NULL;
    if (rows == NULL) {
        (void)fclose(stream);
        return ls_error_set(err, LS_ENOMEM, "no memory to read %s", path);
    }
    *rows = (struct ls_rows){.stream = stream, .path = path, .kind = kind};
    code = hold(rows, err);
    if (code == LS_OK &&
        (!rows->held ||
         strcmp(rows->line, kind == LS_ROWS_SAMPLES ? SAMPLES_HEADER : HANDSHAKES_HEADER) != 0)) {
        rows->line_at = 1;
        code = refuse(rows,
                      kind == LS_ROWS_SAMPLES ? "this is no samples.csv of this loginstorm"
                                              : "this is no handshakes.csv of this loginstorm",
                      err);
    }
    if (code != LS_OK) {
        ls_rows_close(rows);
        return code;
    }
    rows->held = false;
    *out = rows;
    return LS_OK;
}

void ls_rows_close(struct ls_rows *rows)
{
    if (rows != NULL) {
        (void)fclose(rows->stream);
        free(rows);
    }
}

enum ls_code ls_rows_end(struct ls_rows *rows, struct ls_error *err)
{
    const enum ls_code code = hold(rows, err);

    return code == LS_OK && rows->held
               ? refuse(rows, "a row of no run that result.json beside it has, or out of order",
                        err)
               : code;
}

/* Takes text, and what stands behind it; false where it does not stand there. */
static bool take_text(const char **at, const char *text, char behind)
{
    const size_t length = strlen(text);

    if (strncmp(*at, text, length) != 0 || (*at)[length] != behind) {
        return false;
    }
    *at += length + 1;
    return true;
}

/* Digits without a sign and without more zeros than it takes, up to most; nothing is -1 where that may be. */
static bool take_number(const char **at, int64_t most, bool may_lack, int64_t *out)
{
    const char *c = *at;
    int64_t value = 0;

    for (; *c >= '0' && *c <= '9'; c++) {
        if (value > most / 10 || value * 10 > most - (*c - '0')) {
            return false;
        }
        value = value * 10 + (*c - '0');
    }
    if (*c != ',' || (c == *at && !may_lack) || (**at == '0' && c > *at + 1)) {
        return false;
    }
    *out = c == *at ? -1 : value;
    *at = c + 1;
    return true;
}

static bool take_outcome(const char **at, const char *came_through, uint8_t *out)
{
    static const enum ls_outcome outcomes[] = {LS_OUTCOME_LOGGED_IN, LS_OUTCOME_FAILED,
                                               LS_OUTCOME_CUT_OFF};

    for (size_t i = 0; i < sizeof outcomes / sizeof outcomes[0]; i++) {
        const char *word =
            outcomes[i] == LS_OUTCOME_LOGGED_IN ? came_through : outcome_word(outcomes[i]);

        if (take_text(at, word, ',')) {
            *out = (uint8_t)outcomes[i];
            return true;
        }
    }
    return false;
}

static bool take_reason(const char **at, uint8_t *out)
{
    for (unsigned i = 0; i < LS_REASON_COUNT; i++) {
        if (take_text(at, ls_reason_word((enum ls_reason)i), ',')) {
            *out = (uint8_t)i;
            return true;
        }
    }
    return false;
}

/* Names and round as they stand in the file. */
struct marks {
    char *certificate;
    char **populations;
    char repeat[16];
    const struct ls_rows_wish *wish;
};

static void free_marks(struct marks *marks)
{
    for (size_t i = 0; marks->populations != NULL && i < marks->wish->populations_count; i++) {
        free(marks->populations[i]);
    }
    free(marks->populations);
    free(marks->certificate);
}

static enum ls_code make_marks(struct marks *marks, const struct ls_rows_wish *wish,
                               struct ls_error *err)
{
    bool whole = true;

    *marks = (struct marks){.wish = wish};
    (void)snprintf(marks->repeat, sizeof marks->repeat, "%d", wish->repeat);
    marks->certificate = ls_csv_field(wish->certificate);
    marks->populations = calloc(wish->populations_count + 1, sizeof *marks->populations);
    for (size_t i = 0; marks->populations != NULL && i < wish->populations_count; i++) {
        marks->populations[i] = ls_csv_field(wish->populations[i]);
        whole = whole && marks->populations[i] != NULL;
    }
    if (marks->certificate == NULL || marks->populations == NULL || !whole) {
        free_marks(marks);
        return ls_error_set(err, LS_ENOMEM, "no memory for a run's names");
    }
    return LS_OK;
}

static bool take_population(const char **at, const struct marks *marks, uint16_t *out)
{
    for (size_t i = 0; i < marks->wish->populations_count; i++) {
        if (marks->populations[i] != NULL && take_text(at, marks->populations[i], ',')) {
            *out = (uint16_t)i;
            return true;
        }
    }
    return false;
}

static bool take_round(const char *at, const struct marks *marks)
{
    return take_text(&at, marks->repeat, '\n') && *at == '\0';
}

static const char *take_login(const char *at, const struct marks *marks, struct ls_record *record)
{
    struct ls_login row = {.outcome = LS_OUTCOME_PENDING};
    int64_t user, attempts;

    if (!take_number(&at, UINT32_MAX, false, &user) ||
        !take_population(&at, marks, &row.population) ||
        !take_number(&at, TIME_MAX_NS, false, &row.due_ns) ||
        !take_number(&at, TIME_MAX_NS, true, &row.started_ns) ||
        !take_number(&at, TIME_MAX_NS, true, &row.connected_ns) ||
        !take_number(&at, TIME_MAX_NS, true, &row.secured_ns) ||
        !take_number(&at, TIME_MAX_NS, true, &row.done_ns) ||
        !take_number(&at, UINT8_MAX, false, &attempts) ||
        !take_outcome(&at, outcome_word(LS_OUTCOME_LOGGED_IN), &row.outcome) ||
        !take_reason(&at, &row.reason) || !take_round(at, marks)) {
        return "this is no row of a login as loginstorm writes them";
    }
    row.attempts = (uint8_t)attempts;
    if (row.outcome == LS_OUTCOME_LOGGED_IN && row.reason != LS_REASON_NONE && attempts < 2) {
        return "a login that came through at once has no reason of a failure";
    }
    if (row.outcome == LS_OUTCOME_FAILED && row.reason == LS_REASON_NONE) {
        return "a login that failed has a reason";
    }
    if (row.outcome == LS_OUTCOME_LOGGED_IN &&
        (row.started_ns < 0 || row.done_ns < row.started_ns || row.done_ns < row.due_ns)) {
        return "this user was logged in before he came";
    }
    if (!ls_share_has(marks->wish->share, (size_t)user)) {
        return "this user is another shard's";
    }
    return ls_record_login(record, (size_t)user, &row) == LS_OK
               ? NULL
               : "this user has a row already, or is none of the storm's";
}

/* A number of a handshake that is 0 or 1. */
static bool take_flag(const char **at, uint8_t *out)
{
    int64_t value;
    const bool good = take_number(at, 1, false, &value);

    *out = good ? (uint8_t)value : 0;
    return good;
}

/* The five that nobody counts of a simulated one; only the last may be missing by itself. */
static bool take_bytes(const char **at, struct ls_handshake *row)
{
    int64_t hello, flight, sent, received, tickets;

    if (!take_number(at, UINT16_MAX, true, &hello) || !take_number(at, UINT32_MAX, true, &flight) ||
        !take_number(at, UINT32_MAX, true, &sent) ||
        !take_number(at, UINT32_MAX, true, &received) ||
        !take_number(at, INT32_MAX, true, &tickets)) {
        return false;
    }
    row->no_bytes = hello < 0;
    if ((flight < 0) != (hello < 0) || (sent < 0) != (hello < 0) || (received < 0) != (hello < 0)) {
        return false;
    }
    if (hello >= 0) {
        row->client_hello_bytes = (uint16_t)hello;
        row->server_flight_bytes = (uint32_t)flight;
        row->sent_bytes = (uint32_t)sent;
        row->received_bytes = (uint32_t)received;
    }
    row->ticket_bytes = (int32_t)tickets;
    return true;
}

static const char *take_handshake(const char *at, const struct marks *marks,
                                  struct ls_record *record)
{
    struct ls_handshake row = {.outcome = LS_OUTCOME_PENDING};
    int64_t user, connection, attempt, retransmits;

    if (!take_number(&at, UINT32_MAX, false, &user) ||
        !take_number(&at, UINT8_MAX, false, &connection) ||
        !take_number(&at, UINT8_MAX, false, &attempt) ||
        !take_number(&at, TIME_MAX_NS, false, &row.started_ns) ||
        !take_number(&at, TIME_MAX_NS, true, &row.connected_ns) ||
        !take_number(&at, TIME_MAX_NS, false, &row.ended_ns) ||
        !take_outcome(&at, "secured", &row.outcome) || !take_reason(&at, &row.reason) ||
        !take_flag(&at, &row.tls13) || !take_flag(&at, &row.offered) ||
        !take_flag(&at, &row.resumed) || !take_flag(&at, &row.hello_retry) ||
        !take_number(&at, UINT16_MAX, false, &retransmits) || !take_bytes(&at, &row) ||
        !take_round(at, marks)) {
        return "this is no row of a handshake as loginstorm writes them";
    }
    row.user = (uint32_t)user;
    row.connection = (uint8_t)connection;
    row.attempt = (uint8_t)attempt;
    row.retransmits = (uint16_t)retransmits;
    if (!ls_share_has(marks->wish->share, row.user)) {
        return "this user is another shard's";
    }
    return ls_record_handshake(record, &row) == LS_OK
               ? NULL
               : "more handshakes than result.json has, or of a user who is none of the storm's";
}

/* Whether a row's round, its last field, is another one: the same certificate comes once in each. */
static bool is_other_round(const struct ls_rows *rows, const struct marks *marks)
{
    const char *last = strrchr(rows->line, ',');

    return last == NULL || strncmp(last + 1, marks->repeat, strlen(marks->repeat)) != 0 ||
           strcmp(last + 1 + strlen(marks->repeat), "\n") != 0;
}

static enum ls_code take_all(struct ls_rows *rows, const struct marks *marks,
                             struct ls_record *record, size_t *count, struct ls_error *err)
{
    enum ls_code code = hold(rows, err);

    while (code == LS_OK && rows->held) {
        const char *at = rows->line, *why;

        if (!take_text(&at, marks->certificate, ',') || is_other_round(rows, marks)) {
            return LS_OK;
        }
        why = rows->kind == LS_ROWS_SAMPLES ? take_login(at, marks, record)
                                            : take_handshake(at, marks, record);
        if (why != NULL) {
            return refuse(rows, why, err);
        }
        (*count)++;
        rows->held = false;
        code = hold(rows, err);
    }
    return code;
}

enum ls_code ls_rows_take(struct ls_rows *rows, const struct ls_rows_wish *wish,
                          struct ls_record *record, size_t *count, struct ls_error *err)
{
    struct marks marks;
    enum ls_code code = make_marks(&marks, wish, err);

    *count = 0;
    if (code == LS_OK) {
        code = take_all(rows, &marks, record, count, err);
        free_marks(&marks);
    }
    return code;
}
