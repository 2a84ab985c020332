/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_CURVE_FORMAT_H
#define LOGINSTORM_CURVE_FORMAT_H

/*
 * One log format as a table entry. A format is given a log's lines (or its bytes, in whatever pieces
 * they come), and gives events back; it knows nothing of files, days or curves.
 *
 * A new text format: a file NAME.c with a sniff and a line function, its entry in formats.c, and a
 * log of its true shape in tests/data/logs/ with what it holds in tests/unit/curve/test_formats.c.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "curve/stamp.h"
#include "loginstorm/import.h"

/* One login as the log tells it. */
struct event {
    struct stamp stamp;
    const char *who; /* whatever tells people apart; hashed with a key of the run, never kept */
    size_t who_size; /* 0: not known */
    bool is_count;   /* count logins of the interval [stamp, until), rather than one */
    int64_t count;
    bool has_until; /* else the interval ends with the next, or after the shortest one */
    struct stamp until;
};

/* What a format tells. Its functions may be called any number of times a piece. */
struct sink {
    enum ls_code (*event)(struct sink *sink, const struct event *event, struct ls_error *err);
    /* A line or record that is no login, and why, in a few static words: "status 500", "no time". */
    void (*skip)(struct sink *sink, const char *reason, const char *text, size_t size);
    /* What else the user has to know, a sentence without a full stop; the same text is told once. */
    void (*note)(struct sink *sink, const char *text);
    const struct ls_import_wish *wish;
    enum ls_import_order order; /* for stamp_read; changes when a stamp has told it */
    char counted[160];          /* what this log's logins are, where format.counts is not all */
    const char *path;           /* of the log being read, for messages */
    /* Set by begin: a line without that is no login, told as must_reason and never given. Worth half
     * of the time that a web log takes. */
    const char *must;
    size_t must_size; /* 0: none */
    const char *must_reason;
    int64_t
        line; /* where the reader stands, from 1; kept by who splits it into lines; 0: bytes have
                     none */
    int64_t record; /* likewise, of a format that has a unit; kept by the format */
    /* Set by a format that makes no sense of its log from here on: what it gave before counts, it is
     * given no more, and its end is called. */
    struct ls_error broken;
    bool adds_up; /* counts of intervals that overlap are those of several gateways, and add up */
    int64_t pages, pages_followed; /* of all logs, where they come in pages: those read, and those
                                      that say that another follows */
};

/* Gives a log's next bytes; *size is 0 at the end. They stay until the next call. */
typedef enum ls_code format_more(void *data, const char **bytes, size_t *size,
                                 struct ls_error *err);

struct format {
    const char *word;   /* as --format takes it */
    const char *text;   /* one line for --help */
    const char *counts; /* what is counted by default, for the summary and the curve file */
    const char *words;  /* what --count takes, for --help; NULL: nothing */
    const char *unit;   /* one of what it reads: "event", "packet"; NULL: lines */
    bool takes_url;     /* --url means something to it */
    bool takes_keys;    /* --time-key, --user-key and --count-key do */
    /* How sure it is that a log that begins so is of this format: 0 no, 100 certain. head may end
     * amid a line. */
    int (*sniff)(const char *head, size_t size);
    /* A state for one log on the heap. */
    enum ls_code (*begin)(void **state, struct sink *sink, struct ls_error *err);
    /* One of three: each line without its end, an empty one too; bytes as they come; or all of them,
     * fetched by the format. */
    enum ls_code (*line)(void *state, const char *line, size_t size, struct ls_error *err);
    enum ls_code (*feed)(void *state, const char *bytes, size_t size, struct ls_error *err);
    enum ls_code (*pull)(void *state, format_more *more, void *data, struct ls_error *err);
    /* After the last byte; NULL where nothing is left to do. */
    enum ls_code (*end)(void *state, struct ls_error *err);
    /* Whatever was returned before. */
    void (*free)(void *state);
};

/* In the order in which equally sure ones are taken; ended by NULL. */
extern const struct format *const formats[];

#endif
