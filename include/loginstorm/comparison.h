/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_COMPARISON_H
#define LOGINSTORM_COMPARISON_H

/*
 * A comparison: what certificates cost beside each other, how sure that is, and what to make of it.
 * Open rows, filled by the room compare, kept in result.json, shown by report.
 *
 *     results -> compare -> [comparison] -> result.json, report
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "loginstorm/error.h"
#include "loginstorm/json.h"
#include "loginstorm/result.h"

/* What is compared: name in files, unit, words for people, whether it comes out of the gateway's
 * CPU. Login latencies are over all who were decided, a failed one counting as longer than any. */
#define LS_FIGURES(X)                                                                              \
    X(LOGIN_P50, "login_p50", "us", "login p50, all", false)                                       \
    X(LOGIN_P99, "login_p99", "us", "login p99, all", false)                                       \
    X(LOGIN_P100, "login_p100", "us", "login p100, all", false)                                    \
    X(CPU_HANDSHAKE, "cpu_per_handshake", "us", "CPU a handshake", true)                           \
    X(CPU_LOGIN, "cpu_per_login", "us", "CPU a login", true)                                       \
    X(CAPACITY, "handshakes_per_s_per_core", "per_s", "one core carries", true)                    \
    X(CORES, "cores_at_peak_minute", "cores", "cores at peak", true)                               \
    X(BYTES, "bytes_per_handshake", "bytes", "bytes, both ways", false)                            \
    X(FAILED, "failed_share", "share", "failed users", false)

enum ls_figure {
#define LS_FIGURE_NAME(name, word, unit, text, cpu) LS_FIGURE_##name,
    LS_FIGURES(LS_FIGURE_NAME)
#undef LS_FIGURE_NAME
        LS_FIGURE_COUNT
};
const char *ls_figure_word(enum ls_figure figure);
const char *ls_figure_unit(enum ls_figure figure);
const char *ls_figure_text(enum ls_figure figure);
bool ls_figure_is_cpu(enum ls_figure figure);

enum ls_finding {
    LS_NOT_KNOWN,    /* a side does not have it */
    LS_NOT_COMPARED, /* both may have it, but side by side it would mislead: see why */
    LS_NOT_JUDGED,   /* side by side, but with no interval to go by: see why */
    LS_NOT_SHOWN,    /* the interval holds 1; they may differ all the same */
    LS_LESS,         /* than the baseline's */
    LS_MORE,
};
/* "not_known", "not_compared", "not_judged", "not_shown", "less", "more"; NULL for what is none. */
const char *ls_finding_word(enum ls_finding finding);

/* Where an interval comes from. */
enum ls_method {
    LS_METHOD_NONE,   /* nothing was judged */
    LS_METHOD_PAIRED, /* rounds of one storm, side by side */
    LS_METHOD_WELCH,  /* repeats of two storms */
    LS_METHOD_SINGLE, /* single runs: how much runs differ is assumed */
};
/* "none", "paired", "welch", "single"; NULL for what is none. */
const char *ls_method_word(enum ls_method method);

/* One certificate of one result. */
struct ls_side {
    char *certificate, *key;
    char *file;              /* whose result; NULL when there is one only */
    int number;              /* of that result among those compared, from 1; 0 with file NULL */
    int rounds;              /* runs that count */
    char *left_out;          /* which do not, and why; NULL when all do */
    enum ls_verdict verdict; /* the worst of those that count; LS_INVALID when none does */
    int64_t peak_minute_at_ns;
    double speedup;
    double value
        [LS_FIGURE_COUNT]; /* geometric mean (of a share the mean) over the rounds; negative when not known */
};

struct ls_compared {
    enum ls_finding finding;
    double ratio;       /* to the baseline's; negative: none */
    double low, high;   /* interval of the ratio; negative: none */
    char *why;          /* of a finding that needs a word; NULL */
    double value, base; /* the side's and the baseline's, over the rounds that both have */
};

struct ls_pair {
    int side, against; /* indices of sides; against is the baseline */
    enum ls_method method;
    int rounds; /* pairs, or runs of the side that has fewer */
    struct ls_compared figure[LS_FIGURE_COUNT];
    char **notes; /* NULL-ended or NULL */
};

/* A sentence of the recommendation. */
struct ls_advice {
    char *about; /* "hardware", "users", "bytes", "policy", "key_exchange", "choice", "doubt" */
    char *text;
};

struct ls_comparison {
    double confidence; /* that all intervals hold together: 0.95 */
    int judged;        /* figures that this was shared among, those between candidates included */
    bool forced;       /* unlike storms, machines or builds were compared since it was asked for */
    struct ls_side *sides;
    size_t sides_count;
    struct ls_pair *pairs;
    size_t pairs_count;
    struct ls_advice *advice;
    size_t advice_count;
};

void ls_comparison_free(struct ls_comparison *comparison);

LS_MUST_CHECK
enum ls_code ls_comparison_to_json(const struct ls_comparison *comparison, json_t **root,
                                   struct ls_error *err);
LS_MUST_CHECK
enum ls_code ls_comparison_from_json(struct ls_comparison **out, const json_t *root,
                                     const char *path, struct ls_error *err);

#endif
