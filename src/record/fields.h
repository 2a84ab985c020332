/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LS_RECORD_FIELDS_H
#define LS_RECORD_FIELDS_H

/* The keys of result.json as tables that are both written and read by: private to this room. */

#include "loginstorm/result.h"

enum kind {
    TEXT,        /* char *, NULL is null */
    NAME,        /* char *, never null: what reports show and compare without asking */
    SEED,        /* uint64_t; beyond what a JSON integer holds: as text */
    COUNT,       /* int64_t */
    KNOWN_COUNT, /* int64_t, negative is null */
    SMALL,       /* int */
    REAL,        /* double */
    KNOWN_REAL,  /* double, negative is null */
    US,          /* int64_t ns, as µs; negative is null */
    FLAG,        /* bool */
    ENGINE,      /* bool live */
    CLOCK,       /* int64_t ns since midnight, "08:30" with as much after it as is not zero */
    WINDOW_END,  /* int64_t length of a window whose begin was read just before */
    VERDICT,     /* enum ls_verdict */
    SENTENCES,   /* struct ls_validity: its reasons */
    QUANTILES,   /* struct ls_quantiles */
    BY_REASON,   /* int64_t [LS_REASON_COUNT]: those that are not zero */
};

struct field {
    const char *path; /* "gateway.cpu_us_per_handshake.user": objects within objects */
    enum kind kind;
    size_t offset;
    size_t begin_offset; /* WINDOW_END: of the begin */
};

#define FORMAT "loginstorm-result"
#define VERSION 1

extern const struct field result_fields[], run_fields[], moment_fields[];
extern const size_t result_fields_count, run_fields_count, moment_fields_count;

/* One JSON value into its place; false when it is not what is written there. Text goes to the heap.
 */
bool read_value(const struct field *field, json_t *value, void *base);
bool read_text(const json_t *value, char **out);
bool read_us(const json_t *value, int64_t *ns);
bool read_real(const json_t *value, bool null_allowed, double *out);
bool read_word(const json_t *value, const char *yes, const char *no, bool *out);

/* The word of an outcome; NULL where there is none. */
const char *outcome_word(enum ls_outcome outcome);

/* Writes and reads "08:30", "08:30:05", "08:30:05.25", exactly. size >= 20. */
void clock_write(int64_t since_midnight_ns, char *out, size_t size);
bool clock_read(const char *text, int64_t *since_midnight_ns);

/* The beginning of a timeline slice as a clock: no finer than the slice. size >= 20. */
void slice_clock(int64_t from_ns, const struct ls_run *run, const struct ls_moment *moment,
                 char *out, size_t size);

#endif
