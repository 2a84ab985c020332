/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LS_TEST_COMPARISON_SAMPLE_H
#define LS_TEST_COMPARISON_SAMPLE_H

/* A comparison that nobody made, on the heap, with one of everything: two results, an interval, a
 * figure that is not known, one that was refused, notes and advice. */

#include <stdlib.h>
#include <string.h>

#include "loginstorm/comparison.h"

static inline void comparison_pair(struct ls_pair *pair, int side, int against)
{
    static const struct ls_compared figures[LS_FIGURE_COUNT] = {
        [LS_FIGURE_LOGIN_P50] = {LS_LESS, 0.0894, 0.0812, 0.0984, NULL, 0, 0},
        [LS_FIGURE_LOGIN_P99] = {LS_NOT_SHOWN, 0.93, 0.41, 2.12, NULL, 0, 0},
        [LS_FIGURE_LOGIN_P100] = {LS_NOT_KNOWN, -1, -1, -1, NULL, 0, 0},
        [LS_FIGURE_CPU_HANDSHAKE] = {LS_LESS, 0.00125, 0.001, 0.0016, NULL, 0, 0},
        [LS_FIGURE_CPU_LOGIN] = {LS_LESS, 0.0711, 0.0698, 0.0725, NULL, 0, 0},
        [LS_FIGURE_CAPACITY] = {LS_MORE, 14.06, 13.79, 14.33, NULL, 0, 0},
        [LS_FIGURE_CORES] = {LS_NOT_COMPARED, -1, -1, -1, NULL, 0, 0},
        [LS_FIGURE_BYTES] = {LS_LESS, 0.5871, -1, -1, NULL, 0, 0},
        [LS_FIGURE_FAILED] = {LS_MORE, -1, -1, -1, NULL, 0, 0},
    };

    *pair =
        (struct ls_pair){.side = side, .against = against, .method = LS_METHOD_PAIRED, .rounds = 5};
    memcpy(pair->figure, figures, sizeof figures);
    pair->figure[LS_FIGURE_CORES].why = strdup("of different storms, \"so to say\"");
    pair->notes = calloc(2, sizeof *pair->notes);
    pair->notes[0] = strdup("the scenarios are not the same file");
}

static inline struct ls_comparison *comparison_sample(void)
{
    static const double rsa[LS_FIGURE_COUNT] = {6150,  31000, 42000, 3600, 3600,
                                                277.7, 0.016, 2180,  0};
    static const double p256[LS_FIGURE_COUNT] = {550,  28830.5, -1,   4.5, 256,
                                                 3906, 0.0011,  1280, 0.03};
    struct ls_comparison *comparison = calloc(1, sizeof *comparison);

    comparison->confidence = 0.95;
    comparison->judged = 3;
    comparison->forced = true;
    comparison->sides = calloc(2, sizeof *comparison->sides);
    comparison->sides_count = 2;
    comparison->sides[0] = (struct ls_side){.certificate = strdup("RSA 4096"),
                                            .key = strdup("rsa-4096"),
                                            .file = strdup("results/before"),
                                            .number = 1,
                                            .rounds = 5,
                                            .verdict = LS_VALID,
                                            .peak_minute_at_ns = 30300 * LS_NS_PER_S,
                                            .speedup = 60};
    memcpy(comparison->sides[0].value, rsa, sizeof rsa);
    comparison->sides[1] = (struct ls_side){.certificate = strdup("ECDSA P-256"),
                                            .key = strdup("ecdsa-p256"),
                                            .file = strdup("results/after"),
                                            .number = 2,
                                            .rounds = 5,
                                            .left_out = strdup("1 of 6 runs: round 3 is invalid"),
                                            .verdict = LS_SUSPECT,
                                            .peak_minute_at_ns = 30300 * LS_NS_PER_S,
                                            .speedup = 60};
    memcpy(comparison->sides[1].value, p256, sizeof p256);
    comparison->pairs = calloc(1, sizeof *comparison->pairs);
    comparison->pairs_count = 1;
    comparison_pair(&comparison->pairs[0], 1, 0);
    for (int f = 0; f < LS_FIGURE_COUNT; f++) {
        comparison->pairs[0].figure[f].value = p256[f];
        comparison->pairs[0].figure[f].base = rsa[f];
    }
    /* Not all rounds of the sides are in the pair. */
    comparison->pairs[0].figure[LS_FIGURE_LOGIN_P50].value = 549.5;
    comparison->advice = calloc(4, sizeof *comparison->advice);
    comparison->advice_count = 4;
    comparison->advice[0] =
        (struct ls_advice){strdup("doubt"), strdup("The measurement of ECDSA P-256 is suspect.")};
    comparison->advice[1] = (struct ls_advice){strdup("policy"), strdup("RSA is for old clients.")};
    comparison->advice[2] = (struct ls_advice){strdup("policy"), strdup("P-256 is for new ones.")};
    comparison->advice[3] =
        (struct ls_advice){strdup("choice"), strdup("If a repeat bears it out, take it.")};
    return comparison;
}

#endif
