/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_SCENARIO_FIELD_H
#define LOGINSTORM_SCENARIO_FIELD_H

/*
 * The format as one table. The reader, the defaults, the canonical writer and the JSON Schema all
 * walk it, so none of them can know a key that another does not.
 */

#include "scenario/node.h"

enum ls_kind {
    LS_KIND_VERSION,     /* the format's version; not stored */
    LS_KIND_TEXT,        /* one line -> char * */
    LS_KIND_DATE,        /* -> char * */
    LS_KIND_ZONE,        /* an IANA timezone -> char * */
    LS_KIND_ADDRESSES,   /* IP addresses or networks -> char ** */
    LS_KIND_WORD,        /* one of the field's words -> enum, bool or nothing, by size */
    LS_KIND_WORDS,       /* several of them -> char ** */
    LS_KIND_SWITCH,      /* -> bool */
    LS_KIND_INTEGER,     /* -> int, int64_t or uint64_t, by size */
    LS_KIND_NUMBER,      /* -> double */
    LS_KIND_SHARE,       /* -> double */
    LS_KIND_DURATION,    /* -> int64_t */
    LS_KIND_SIZE,        /* -> int64_t */
    LS_KIND_RATE,        /* -> double */
    LS_KIND_CLOCK,       /* a time of day -> int64_t since midnight */
    LS_KIND_MOMENT,      /* a time of day in the window -> int64_t since its start */
    LS_KIND_MAP,         /* keys of their own, stored inside of the same record */
    LS_KIND_LIST,        /* items of their own -> array and count */
    LS_KIND_ONE_OR_MORE, /* the same, where a single item needs no list */
    /* What has a form of its own; each knows its record. */
    LS_KIND_WINDOW_END,
    LS_KIND_SPREAD,
    LS_KIND_POINTS,
    LS_KIND_CONNECTIONS,
    LS_KIND_VERSIONS,
    LS_KIND_HOLD,
    LS_KIND_TARGET,
    LS_KIND_CORES,
    LS_KIND_CPU,
    LS_KIND_COSTS,
    LS_KIND_CAPACITY,
    LS_KINDS,
};

enum ls_field_flags {
    LS_REQUIRED = 1,     /* must be given */
    LS_WORKED_OUT = 2,   /* left out: the map's check finds the value */
    LS_NEGATIVE = 4,     /* left out: negative */
    LS_DECIDES = 8,      /* tells which case of the map this is */
    LS_DEFAULT_ONE = 16, /* a list left out: one item, all defaults */
};

struct ls_map;

struct ls_field {
    const char *key;
    enum ls_kind kind;
    unsigned flags;
    unsigned cases;  /* bits: the cases of the map that have this field; 0: all */
    size_t at, size; /* where it lies in the map's record */
    size_t count_at; /* lists: the count */
    size_t item_size;
    int64_t low, high;        /* integers, durations, sizes; the most items of a list in high */
    double least, most;       /* numbers, shares, rates */
    const char *const *words; /* NULL-ended */
    const struct ls_map *map;
    const char *fallback; /* the default, as it would be written; of words, separated by ", " */
    const char *doc;
    /* Over all items of a list, with which of them gave a share. */
    void (*check_list)(struct ls_reading *reading, const struct ls_node *node, void *items,
                       size_t count);
};

struct ls_map {
    const struct ls_field *fields;
    size_t count;
    const char *doc;
    /* Which case a record is, and their names for messages. */
    unsigned (*which)(const void *record);
    const char *const *cases;
    /* NULL: always written; otherwise whether there is anything to write. */
    bool (*given)(const void *record);
    /* After the fields, when they are all good; node is NULL when the map was left out. */
    void (*check)(struct ls_reading *reading, const struct ls_node *node, void *record);
};

extern const struct ls_map ls_scenario_map;

/* The words of an enum, NULL-ended, in its order. */
extern const char *const ls_words_key[];

/* Whether a record has this field at all. */
bool ls_field_applies(const struct ls_map *map, const struct ls_field *field, const void *record);

/* Member access by the table's offsets. */
void *ls_field_at(const struct ls_field *field, void *record);
const void *ls_field_in(const struct ls_field *field, const void *record);
size_t ls_field_count(const struct ls_field *field, const void *record);

/* What the kind's scalars look like, for a message: "a duration like 5s or 1m30s". */
const char *ls_kind_form(enum ls_kind kind);

/* Reads a map's keys into its record; node NULL: all defaults. */
void ls_read_map(struct ls_reading *reading, const struct ls_map *map, const struct ls_node *node,
                 void *record);
/* Kinds with a form of their own. */
void ls_read_special(struct ls_reading *reading, const struct ls_field *field,
                     const struct ls_node *node, void *record);

void ls_read_costs(struct ls_reading *reading, const struct ls_node *node, struct ls_farm *farm);

/* Scalars, with a complaint when node is not of the kind. */
bool ls_read_scalar(struct ls_reading *reading, const struct ls_node *node, const char *form);
bool ls_read_integer(struct ls_reading *reading, const struct ls_node *node, int64_t low,
                     int64_t high, int64_t *out);
bool ls_read_switch(struct ls_reading *reading, const struct ls_node *node, bool *out);
/* Durations, sizes, times of day. */
bool ls_read_amount(struct ls_reading *reading, const struct ls_node *node,
                    const struct ls_field *field, int64_t *out);
bool ls_read_number(struct ls_reading *reading, const struct ls_node *node, enum ls_kind kind,
                    double least, double most, double *out);
char *ls_read_text(struct ls_reading *reading, const struct ls_node *node);
/* The index of the word, or -1. */
int ls_read_word(struct ls_reading *reading, const struct ls_node *node, const char *const *words);

/* The keys without which there is nothing to run. */
void ls_check_missing(struct ls_reading *reading, const struct ls_node *root);

/* Checks over whole records, named in the table. */
void ls_check_window(struct ls_reading *reading, const struct ls_node *node, void *record);
void ls_check_wave(struct ls_reading *reading, const struct ls_node *node, void *record);
void ls_check_waves(struct ls_reading *reading, const struct ls_node *node, void *items,
                    size_t count);
void ls_check_client(struct ls_reading *reading, const struct ls_node *node, void *record);
void ls_check_tls(struct ls_reading *reading, const struct ls_node *node, void *record);
void ls_check_population(struct ls_reading *reading, const struct ls_node *node, void *record);
void ls_check_populations(struct ls_reading *reading, const struct ls_node *node, void *items,
                          size_t count);
void ls_check_gateway(struct ls_reading *reading, const struct ls_node *node, void *record);
void ls_check_cpu(struct ls_reading *reading, const struct ls_node *node, void *record);
void ls_check_certificate(struct ls_reading *reading, const struct ls_node *node, void *record);
void ls_check_certificates(struct ls_reading *reading, const struct ls_node *node, void *items,
                           size_t count);
void ls_check_farm_cpu(struct ls_reading *reading, const struct ls_node *node, void *record);
void ls_check_farm(struct ls_reading *reading, const struct ls_node *node, void *record);
void ls_check_event(struct ls_reading *reading, const struct ls_node *node, void *record);
void ls_check_keys(struct ls_reading *reading, const struct ls_node *node,
                   const struct ls_scenario *s);
/* The names that users ask for. */
void ls_check_names(struct ls_reading *reading, const struct ls_node *node,
                    const struct ls_scenario *s);
void ls_check_published(struct ls_reading *reading, const struct ls_node *node, void *record);
/* Of arrivals: true when there are closed loops among them, with what is wrong about that said. */
bool ls_check_loops(struct ls_reading *reading, const struct ls_node *node,
                    const struct ls_wave *waves, size_t count);
/* Of a scenario whose arrivals are closed loops: what they leave no meaning to, and what they decide.
 */
void ls_check_closed(struct ls_reading *reading, const struct ls_node *root,
                     struct ls_scenario *scenario);
void ls_check_resume(struct ls_reading *reading, const struct ls_node *node,
                     const struct ls_scenario *s);
void ls_check_scenario(struct ls_reading *reading, const struct ls_node *node, void *record);

#endif
