/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LS_RECORD_FIELDS_H
#define LS_RECORD_FIELDS_H

/* The keys of result.json as tables that are both written and read by: private to this room. */

#include "loginstorm/costs.h"
#include "loginstorm/result.h"

enum kind {
    TEXT,         /* char *, NULL is null */
    NAME,         /* char *, never null: what reports show and compare without asking */
    SEED,         /* uint64_t; beyond what a JSON integer holds: as text */
    COUNT,        /* int64_t */
    KNOWN_COUNT,  /* int64_t, negative is null */
    COUNT_SINCE,  /* the same, which older files lack: not known there */
    SMALL,        /* int */
    REAL,         /* double */
    KNOWN_REAL,   /* double, negative is null */
    SIGNED_REAL,  /* double */
    US,           /* int64_t ns, as µs; negative is null */
    US_SINCE,     /* the same, which older files lack: not known there */
    US_REAL,      /* double ns, as µs to the picosecond; negative is null */
    SPREAD,       /* struct ls_spread */
    FLAG,         /* bool */
    ENGINE,       /* bool live */
    LOOP,         /* bool closed */
    WAVE_SHAPE,   /* bool sequence */
    CLOCK,        /* int64_t ns since midnight, "08:30" with as much after it as is not zero;
                    negative is null */
    WINDOW_BEGIN, /* the same, null where the window at the second offset has no length */
    WINDOW_END,   /* int64_t length of a window whose begin was read just before */
    VERDICT,      /* enum ls_verdict */
    SENTENCES,    /* struct ls_validity: its reasons */
    QUANTILES,    /* struct ls_quantiles */
    METHOD,       /* enum ls_method */
    FINDING,      /* enum ls_finding */
    SHOWN,        /* struct ls_shown, null where nobody looked; older files lack it */
    BY_REASON,    /* int64_t [LS_REASON_COUNT]: those that are not zero */
    MOMENT,       /* int64_t ns since 1970, UTC, as RFC 3339; negative is null */
    PLACED,       /* char [other_offset], never null */
};

struct field {
    const char *path; /* "gateway.cpu_us_per_handshake.user": objects within objects */
    enum kind kind;
    size_t offset;
    size_t
        other_offset; /* WINDOW_BEGIN: of the length; WINDOW_END: of the begin; PLACED: the size */
    const char *doc;  /* for the schema */
};

#define FORMAT "loginstorm-result"
#define VERSION 1

/* Longer than any run; below it a time as µs keeps its last digit, a nanosecond or picosecond. */
#define SPREAD_MOST_NS (INT64_C(1000000) * LS_NS_PER_S)
#define US_REAL_MOST_NS (1000.0 * (double)LS_NS_PER_S)

extern const struct field result_fields[], run_fields[], wave_fields[], moment_fields[];
extern const size_t result_fields_count, run_fields_count, wave_fields_count, moment_fields_count;

/* Of a comparison (comparison_fields.c). */
extern const struct field comparison_fields[], side_fields[], pair_fields[], compared_fields[],
    own_fields[], advice_fields[];
extern const size_t comparison_fields_count, side_fields_count, pair_fields_count,
    compared_fields_count, own_fields_count, advice_fields_count;

/* Of a cost profile, of its rows and of their loads (costs_fields.c). */
extern const struct field costs_fields[], cost_fields[], at_fields[], cost_line_fields[],
    cost_point_fields[];
extern const size_t costs_fields_count, cost_fields_count, at_fields_count, cost_line_fields_count,
    cost_point_fields_count;

/* Sets the fields of base in root, objects within objects. -1 when there is no memory. */
int put_fields(json_t *root, const struct field *fields, size_t count, const void *base);
/* The value where a field's path says; NULL: there is none. */
json_t *get_at(const json_t *object, const char *path);
json_t *us_real_json(double ns);
json_t *spread_json(const struct ls_spread *spread);
/* As a list under "notes". */
int put_note_list(json_t *root, char *const *notes);

/* Where we are, for messages: the file, and the object in it ("runs[1]."). */
struct spot {
    const char *path, *prefix;
};

/* A run's distributions; a run without the key has none. */
int put_distributions(json_t *to, const struct ls_run *run);
LS_MUST_CHECK
enum ls_code get_distributions(const json_t *root, struct ls_run *run, struct spot spot,
                               struct ls_error *err);

/* A run's mornings, where it has some; a run without the key has none. */
int put_mornings(json_t *run, const struct ls_run_mornings *mornings);
LS_MUST_CHECK
enum ls_code get_mornings(const json_t *run, struct ls_run_mornings *mornings, struct spot spot,
                          struct ls_error *err);

/* What there is of a storm in shards: of a result, and of a run; nothing of others, which do not have these keys. */
int put_shards(json_t *root, const struct ls_result *result);
int put_shard_run(json_t *run, const struct ls_shard_run *shard);
LS_MUST_CHECK
enum ls_code get_shards(const json_t *root, struct ls_result *result, const char *path,
                        struct ls_error *err);
LS_MUST_CHECK
enum ls_code get_shard_run(const json_t *run, struct ls_shard_run *shard, struct spot spot,
                           struct ls_error *err);

/* "where: missing", or that it is no value of ours. */
enum ls_code wrong(const char *path, const json_t *value, const char *where, struct ls_error *err);
LS_MUST_CHECK
enum ls_code get_fields(const json_t *root, const struct field *fields, size_t count, void *base,
                        struct spot spot, struct ls_error *err);
LS_MUST_CHECK
enum ls_code get_note_list(const json_t *root, char ***notes, const char *path,
                           struct ls_error *err);

/* One JSON value into its place; false when it is not what is written there. Text goes to the heap.
 */
bool read_value(const struct field *field, json_t *value, void *base);
bool read_text(const json_t *value, char **out);
bool read_us(const json_t *value, int64_t *ns);
bool read_us_real(const json_t *value, double *ns);
bool read_spread(const json_t *value, struct ls_spread *spread);
bool read_real(const json_t *value, bool null_allowed, double *out);
bool read_word(const json_t *value, const char *yes, const char *no, bool *out);

/* What fields allow and want, as the schema of the object that they stand in, objects within objects; what a key
 * of them may be beside (put, required). NULL, and false, when there is no memory. */
json_t *schema_of_fields(const struct field *fields, size_t count);
bool schema_put(json_t *schema, const char *key, json_t *value, bool required, const char *doc);
/* A list of items, which it takes. */
json_t *schema_list(json_t *items);
/* The other parts of a result. */
json_t *schema_of_distributions(void);
json_t *schema_of_mornings(void);
json_t *schema_of_shard(void);
json_t *schema_of_shard_run(void);
json_t *schema_of_merged(void);
json_t *schema_of_comparison(void);

/* The words of ENGINE, LOOP and WAVE_SHAPE. */
const char *choice_word(enum kind kind, bool yes);

/* The word of an outcome; NULL where there is none. */
const char *outcome_word(enum ls_outcome outcome);

/* Writes and reads "08:30", "08:30:05", "08:30:05.25", exactly. size >= 20. */
void clock_write(int64_t since_midnight_ns, char *out, size_t size);
bool clock_read(const char *text, int64_t *since_midnight_ns);

/* The beginning of a timeline slice as a clock: no finer than the slice. size >= 20. */
void slice_clock(int64_t from_ns, const struct ls_run *run, const struct ls_moment *moment,
                 char *out, size_t size);

#endif
