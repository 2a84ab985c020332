/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/answer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/lines.h"

#define NAMES_MAX 4 /* in one list; of more it is told how many */

const char *answer_word(enum answer_tone tone)
{
    static const char *const words[] = {"yes", "mixed", "no", "unknown"};

    return words[tone];
}

void answer_clear(struct answer *answer)
{
    free(answer->stands);
    free(answer->room);
    *answer = (struct answer){0};
}

/* What is known of one certificate over all of its rounds. */
enum state { STANDS, FALLS, NOT_TOLD, NOT_VALID };

/* The worst round counts, as it does for a target. */
static enum state state_of(const struct ls_result *all, const char *name)
{
    enum state state = STANDS;

    for (size_t i = 0; i < all->runs_count; i++) {
        const struct ls_run *run = &all->runs[i];

        if (strcmp(run->certificate, name) != 0) {
            continue;
        }
        if (run->validity.verdict == LS_INVALID) {
            return NOT_VALID;
        }
        for (size_t t = 0; t < all->targets_count; t++) {
            struct ls_target_outcome target = all->targets[t];

            ls_run_target(run, &target);
            if (target.never || target.value > target.limit) {
                state = FALLS;
            } else if (!target.met && state == STANDS) {
                state = NOT_TOLD;
            }
        }
    }
    return state;
}

/* "RSA 4096, ECDSA P-256 and ECDSA P-384" of those in that state. Returns how many they are. */
static size_t put_names(FILE *out, const struct rounds *rounds, const struct ls_result *all,
                        enum state state)
{
    size_t count = 0, told = 0;

    for (size_t i = 0; i < rounds->medians.runs_count; i++) {
        count += state_of(all, rounds->medians.runs[i].certificate) == state;
    }
    for (size_t i = 0; out != NULL && i < rounds->medians.runs_count && told < count; i++) {
        const char *name = rounds->medians.runs[i].certificate;

        if (state_of(all, name) != state) {
            continue;
        }
        if (told == NAMES_MAX) {
            (void)fprintf(out, " and %zu more", count - told);
            break;
        }
        (void)fprintf(out, "%s%s",
                      told == 0                                 ? ""
                      : told + 1 == count && count <= NAMES_MAX ? " and "
                                                                : ", ",
                      name);
        told++;
    }
    return count;
}

static void limit_words(const struct ls_target_outcome *target, int64_t value, char *out,
                        size_t size)
{
    if (target->is_share) {
        (void)snprintf(out, size, "%.4g %%", (double)value / 1e4);
    } else {
        ls_format_ns(value, out, size);
    }
}

/* "login_p99 takes 1.52 s where 1.00 s is the limit" of the first certificate that misses something. */
static void put_misses(FILE *out, const struct rounds *rounds, const struct ls_result *all)
{
    for (size_t i = 0; i < all->runs_count; i++) {
        size_t told = 0;

        if (all->runs[i].validity.verdict == LS_INVALID ||
            state_of(all, all->runs[i].certificate) != FALLS) {
            continue;
        }
        for (size_t t = 0; t < all->targets_count; t++) {
            struct ls_target_outcome target = all->targets[t];
            char limit[32], value[32] = "has no end, so many failed";

            ls_run_target(&all->runs[i], &target);
            if (target.met || (target.value < 0 && !target.never)) {
                continue;
            }
            limit_words(&target, target.limit, limit, sizeof limit);
            if (!target.never) {
                char number[32];

                limit_words(&target, target.value, number, sizeof number);
                (void)snprintf(value, sizeof value, "is %s", number);
            }
            (void)fprintf(out, "%s%s %s, at most %s", told++ == 0 ? " (" : "; ", target.name, value,
                          limit);
        }
        if (told > 0) {
            if (put_names(NULL, rounds, all, FALLS) > 1) {
                (void)fprintf(out, " with %s)", all->runs[i].certificate);
            } else {
                (void)fputc(')', out);
            }
            return;
        }
    }
}

static bool is_suspect(const struct ls_result *all)
{
    for (size_t i = 0; i < all->runs_count; i++) {
        if (all->runs[i].validity.verdict == LS_SUSPECT) {
            return true;
        }
    }
    return false;
}

/* What stands or falls, and under which conditions that was seen. */
static void put_what(FILE *out, const struct ls_result *all)
{
    const char *source = all->runs[0].gateway_source;
    char times[32];

    if (is_simulated(all)) {
        (void)fputs(all->runs[0].mornings.count > 1 ? "in 95 % of simulated mornings the farm"
                                                    : "in a simulated morning the farm",
                    out);
    } else {
        if (!own_pace(all)) {
            speedup_words(all->speedup, times, sizeof times);
            (void)fprintf(out, "played %s as dense, ", times);
        }
        if (all->target != NULL && strcmp(all->target, "embedded") != 0) {
            (void)fprintf(out, "the gateway %s", all->target);
        } else {
            (void)fprintf(out, "the %sgateway",
                          source != NULL && strcmp(source, "embedded") == 0 ? "embedded " : "");
        }
    }
}

/* "the 3 targets" */
static void put_targets_words(FILE *out, const struct ls_result *all)
{
    if (all->targets_count == 1) {
        (void)fprintf(out, "its target (%s)", all->targets[0].name);
    } else {
        (void)fprintf(out, all->targets_count == 2 ? "both targets" : "all %zu targets",
                      all->targets_count);
    }
}

static enum answer_tone put_judged(FILE *out, const struct rounds *rounds,
                                   const struct ls_result *all)
{
    const size_t stand = put_names(NULL, rounds, all, STANDS);
    const size_t fall = put_names(NULL, rounds, all, FALLS);
    const size_t open = put_names(NULL, rounds, all, NOT_TOLD);

    (void)fputs(is_suspect(all) ? "As far as a suspect measurement can tell: " : "", out);
    if (stand > 0) {
        (void)fputs("Yes with ", out);
        (void)put_names(out, rounds, all, STANDS);
        (void)fputs(": ", out);
        put_what(out, all);
        (void)fputs(" meets ", out);
        put_targets_words(out, all);
        (void)fputs(fall > 0 ? "; no with " : "", out);
    } else if (fall > 0) {
        (void)fputs("No with ", out);
    }
    if (fall > 0) {
        (void)put_names(out, rounds, all, FALLS);
        if (stand == 0) {
            (void)fputs(": ", out);
            put_what(out, all);
            (void)fputs(" misses a target", out);
        }
        put_misses(out, rounds, all);
    }
    if (open > 0) {
        (void)fputs(stand + fall > 0 ? "; it cannot be told of " : "It cannot be told of ", out);
        (void)put_names(out, rounds, all, NOT_TOLD);
    }
    (void)fputc('.', out);
    return fall == 0 && open == 0 ? ANSWER_YES
           : stand > 0            ? ANSWER_MIXED
           : fall > 0             ? ANSWER_NO
                                  : ANSWER_UNKNOWN;
}

/* Without targets: who came in. */
static enum answer_tone put_unjudged(FILE *out, const struct rounds *rounds,
                                     const struct ls_result *all)
{
    int64_t failed = 0;
    char users[32], slowest[32];
    const struct ls_run *worst = NULL;

    for (size_t i = 0; i < rounds->medians.runs_count; i++) {
        const struct ls_run *run = &rounds->medians.runs[i];

        if (run->validity.verdict == LS_INVALID) {
            continue;
        }
        failed += run->failed > 0;
        worst = worst == NULL || run->login.p100 > worst->login.p100 ? run : worst;
    }
    (void)fputs("The scenario sets no targets, so what is good enough is yours to say: ", out);
    put_what(out, all);
    ls_format_count(all->users, users, sizeof users);
    if (failed > 0) {
        (void)fprintf(out, " left users outside with %lld of %zu certificates.", (long long)failed,
                      rounds->medians.runs_count);
    } else if (worst != NULL && worst->login.p100 >= 0) {
        ls_format_ns(worst->login.p100, slowest, sizeof slowest);
        (void)fprintf(out, " let all %s users in, the slowest after %s (%s).", users, slowest,
                      worst->certificate);
    } else {
        (void)fputs(" let nobody in.", out);
        return ANSWER_NO;
    }
    return failed > 0 ? ANSWER_MIXED : ANSWER_UNKNOWN;
}

/* The cores that a certificate takes of those that are there; negative when not known. */
static double peak_share(const struct ls_run *run)
{
    if (run->mornings.count > 0) {
        return run->mornings.gateway_peak_share.in_95 >= 0
                   ? (double)run->mornings.gateway_peak_share.in_95 / 1e6
                   : -1;
    }
    return run->cores_at_peak_minute >= 0 && run->gateway_workers > 0
               ? run->cores_at_peak_minute / run->gateway_workers
               : -1;
}

static void share_words(double share, char *out, size_t size)
{
    (void)snprintf(out, size,
                   share <= 0      ? "nothing"
                   : share < 0.001 ? "less than 0.1 %%"
                   : share < 0.1   ? "%.1f %%"
                                   : "%.0f %%",
                   share * 100);
}

static void put_each_share(FILE *out, const struct rounds *rounds, const struct ls_result *all)
{
    size_t told = 0, more = 0;

    for (size_t i = 0; i < rounds->medians.runs_count; i++) {
        const struct ls_run *run = &rounds->medians.runs[i];
        const double share = peak_share(run);
        char words[32], cores[32];

        if (share < 0 || state_of(all, run->certificate) == NOT_VALID) {
            continue;
        }
        if (told == NAMES_MAX) {
            more++;
            continue;
        }
        share_words(share, words, sizeof words);
        (void)fprintf(out, "%s%s with %s", told++ == 0 ? "" : ", ", words, run->certificate);
        if (run->mornings.count == 0) {
            ls_format_cores(run->cores_at_peak_minute, cores, sizeof cores);
            (void)fprintf(out, " (%s of %d core%s)", cores, run->gateway_workers,
                          run->gateway_workers == 1 ? "" : "s");
        }
    }
    if (more > 0) {
        (void)fprintf(out, ", and so on for %zu more", more);
    }
}

static bool knows_room(const struct rounds *rounds, const struct ls_result *all)
{
    for (size_t i = 0; i < rounds->medians.runs_count; i++) {
        if (peak_share(&rounds->medians.runs[i]) >= 0 &&
            state_of(all, rounds->medians.runs[i].certificate) != NOT_VALID) {
            return true;
        }
    }
    return false;
}

static void put_room(FILE *out, const struct rounds *rounds, const struct ls_result *all)
{
    const bool many = is_simulated(all) && all->runs[0].mornings.count > 0;
    char clock[16] = "";
    const char *at = peak_clock(&rounds->medians, clock, sizeof clock);

    if (!knows_room(rounds, all)) {
        (void)fputs(all->shard.count > 1 && all->runs_count > 0 && all->runs[0].gateway_cpu_ns >= 0
                        ? "`loginstorm merge` of all shards tells how much room there is."
                        : "How much room there is cannot be told: the gateway's CPU is not known.",
                    out);
        return;
    }
    if (many) {
        (void)fputs("A gateway's fullest minute takes, in 95 % of mornings at most, this much of "
                    "its cores: ",
                    out);
    } else {
        (void)fprintf(out,
                      "At its own pace the fullest minute%s%s%s takes this much of the "
                      "gateway's CPU: ",
                      at != NULL ? " (" : "", at != NULL ? at : "", at != NULL ? ")" : "");
    }
    put_each_share(out, rounds, all);
    (void)fputs("; over a minute the rest is room, though bursts within it queue.", out);
}

/* What comes before all else: that there is nothing to go by. */
static bool put_nothing(FILE *out, const struct rounds *rounds, const struct ls_result *all,
                        FILE *room)
{
    const size_t invalid = put_names(NULL, rounds, all, NOT_VALID);

    if (all->runs_count == 0) {
        (void)fputs("Nothing was measured, so whether the gateway stands is not known.", out);
        (void)fputs("How much room there is is not known either.", room);
        return true;
    }
    if (invalid == rounds->medians.runs_count) {
        (void)fputs("Do not decide by this: the measurement is invalid, so whether the gateway "
                    "stands is not known.",
                    out);
        (void)fputs("The figures below are what was seen; the reasons say what got in the way, and "
                    "another run is needed.",
                    room);
        return true;
    }
    if (all->partial) {
        (void)fputs("The storm ended early, so whether the gateway stands the whole morning is not "
                    "known.",
                    out);
        (void)fputs("The figures below are of what was played until then.", room);
        return true;
    }
    if (invalid > 0) {
        (void)fputs("The measurement of ", out);
        (void)put_names(out, rounds, all, NOT_VALID);
        (void)fputs(" is invalid and says nothing. ", out);
    }
    return false;
}

static void put_closed(FILE *out, FILE *room, const struct ls_result *medians)
{
    (void)fputs("These were closed loops: they say what a certificate costs, not whether the "
                "gateway stands a morning.",
                out);
    for (size_t i = 0; i < medians->runs_count && i < NAMES_MAX; i++) {
        const double us = medians->runs[i].cpu_us_per_handshake;
        char cost[32] = "a cost that is not known";

        if (us >= 0) {
            ls_format_ns((int64_t)llround(fmin(us, 9e12) * 1000), cost, sizeof cost);
        }
        (void)fprintf(room, "%s%s with %s", i == 0 ? "A handshake took the gateway " : ", ", cost,
                      medians->runs[i].certificate);
    }
    (void)fputs(medians->runs_count > NAMES_MAX ? ", and so on." : ".", room);
}

static bool close_both(FILE *stands, FILE *room)
{
    bool whole = stands != NULL && room != NULL && ferror(stands) == 0 && ferror(room) == 0;

    if (stands != NULL) {
        whole = fclose(stands) == 0 && whole;
    }
    if (room != NULL) {
        whole = fclose(room) == 0 && whole;
    }
    return whole;
}

bool answer_of(struct answer *answer, const struct rounds *rounds)
{
    size_t stands_size = 0, room_size = 0;
    FILE *stands, *room;

    *answer = (struct answer){.tone = ANSWER_UNKNOWN};
    stands = open_memstream(&answer->stands, &stands_size);
    room = open_memstream(&answer->room, &room_size);
    if (stands != NULL && room != NULL) {
        const struct ls_result *all = rounds->whole;

        if (put_nothing(stands, rounds, all, room)) {
            answer->tone = ANSWER_UNKNOWN;
        } else if (all->closed) {
            put_closed(stands, room, &rounds->medians);
        } else {
            answer->tone = all->targets_count > 0 ? put_judged(stands, rounds, all)
                                                  : put_unjudged(stands, rounds, all);
            put_room(room, rounds, all);
        }
    }
    return close_both(stands, room);
}
