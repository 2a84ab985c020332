/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the figures of a comparison carry, in sentences. */
#include "compare/advice.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loginstorm/units.h"

/* Less of one core than this, for each gateway process that had a core, changes no order of
 * hardware: a gateway is bought in whole cores and is not run so full that a twentieth of one
 * decides. */
#define CORES_THAT_MATTER 0.05

/* A login takes seconds, of which nobody notices a hundredth of one; from a tenth on a wait is felt
 * (R. B. Miller, Response time in man-computer conversational transactions, AFIPS 33, 1968). */
#define NOTICED_US 10e3
#define FELT_US 100e3

/* TCP sends ten segments before it waits for an answer (RFC 6928); a server flight beyond them costs
 * every handshake a round trip, which loopback does not show. */
#define FIRST_FLIGHT_BYTES (10 * 1460)

/* From here on a core has a queue before it (an M/D/1 one waits two service times on average). */
#define FULL 0.8

static void us_words(double us, char *out, size_t size)
{
    ls_format_ns((int64_t)llround(fmin(us, 9e15) * 1000), out, size);
}

/* "0.016 with RSA 4096, 0.0011 with ECDSA P-256 and ..." of the sides that have a CPU figure beside
 * the first one's; the span between the least and the most of
 * the certificates that were shown to differ from it, or of all where none was. NULL when there is no memory. */
static char *cores_listed(const struct work *work, double *span)
{
    const struct ls_comparison *comparison = work->comparison;
    char *text = NULL, name[128], cores[32];
    double least = comparison->sides[0].value[LS_FIGURE_CORES], most = least;
    const bool shown = any_shown(work, LS_FIGURE_CPU_HANDSHAKE);

    side_name(work, 0, name, sizeof name);
    ls_format_cores(least, cores, sizeof cores);
    text = sentence("%s with %s", cores, name);
    for (size_t i = 0; text != NULL && i < comparison->pairs_count; i++) {
        const struct ls_pair *pair = &comparison->pairs[i];
        const double value = comparison->sides[pair->side].value[LS_FIGURE_CORES];
        char *before = text;

        if (pair->against != 0 || !concludes(work, pair) || !was_compared(pair, LS_FIGURE_CORES)) {
            continue;
        }
        side_name(work, (size_t)pair->side, name, sizeof name);
        ls_format_cores(value, cores, sizeof cores);
        text = sentence("%s, %s with %s", before, cores, name);
        free(before);
        if (!shown || (pair->figure[LS_FIGURE_CPU_HANDSHAKE].finding > LS_NOT_SHOWN &&
                       strcmp(comparison->sides[pair->side].certificate,
                              comparison->sides[0].certificate) != 0)) {
            least = fmin(least, value);
            most = fmax(most, value);
        }
    }
    *span = most - least;
    return text;
}

/* A minute's mean hides the second in which everybody comes. */
static bool say_fullest_second(struct desk *desk)
{
    bool good = true;

    for (size_t i = 0; good && i < desk->work->comparison->sides_count; i++) {
        const struct origin *origin = &desk->work->origins[i];
        double most = 0;
        char name[128];

        for (size_t r = 0; r < origin->runs_count; r++) {
            most = fmax(most, origin->runs[r]->cores_at_peak_second);
        }
        if (origin->runs_count > 0 && origin->runs[0]->gateway_workers > 0 &&
            most >= FULL * origin->runs[0]->gateway_workers) {
            side_name(desk->work, i, name, sizeof name);
            good =
                say(desk, "hardware",
                    sentence("In the fullest second %s wants %.2g cores where the gateway has %d: "
                             "users queue in it.",
                             name, most, origin->runs[0]->gateway_workers));
        }
    }
    return good;
}

bool say_hardware(struct desk *desk)
{
    const struct work *work = desk->work;
    const struct origin *base = &work->origins[0];
    char at[16], span_words[32], *listed;
    const char *verdict;
    double span, matters;
    bool good;

    if (!any_compared(work, LS_FIGURE_CORES)) {
        return true;
    }
    matters = CORES_THAT_MATTER * fmax(1, base->runs[0]->gateway_workers);
    listed = cores_listed(work, &span);
    ls_format_clock(work->comparison->sides[0].peak_minute_at_ns, 0, at, sizeof at);
    ls_format_cores(span, span_words, sizeof span_words);
    verdict = !any_shown(work, LS_FIGURE_CPU_HANDSHAKE) ? "a difference between them was not shown"
              : span < matters ? "that is below 5 % of a core for each gateway process, so the "
                                 "certificate does not decide the hardware at this scale"
                               : "that is 5 % of a core for each gateway process or more, so the "
                                 "certificate is worth hardware at this scale";
    good =
        listed != NULL &&
        say(desk, "hardware",
            sentence("At %s, the fullest minute, the logins take this many cores: %s. The span is "
                     "%s: %s.",
                     at, listed, span_words, verdict));
    free(listed);
    if (good && strcmp(base->runs[0]->gateway_source, "embedded") == 0) {
        good =
            say(desk, "hardware",
                sentence("That is a bare TLS server at this storm's load, on this machine; a real "
                         "gateway does more for each login, of which the certificate is a smaller "
                         "part."));
    }
    return good && say_fullest_second(desk);
}

/* What the fullest minute wants when it is played so dense, where the gateway has less; else 0. */
static double overrun(const struct origin *origin)
{
    double most = 0;

    for (size_t i = 0; i < origin->runs_count; i++) {
        most = fmax(most, ls_run_overrun(origin->runs[i], origin->result->speedup));
    }
    return most;
}

static bool queued(const struct work *work, const struct ls_pair *pair)
{
    return overrun(&work->origins[pair->side]) > 0 || overrun(&work->origins[pair->against]) > 0;
}

/* A user who failed is in no latency of those who got in; beside gains he must not be forgotten. */
static bool say_failed(struct desk *desk, size_t side)
{
    const struct origin *origin = &desk->work->origins[side];
    int64_t most = 0, all = 0;
    char name[128], count[32], total[32];

    for (size_t i = 0; i < origin->runs_count; i++) {
        if (origin->runs[i]->failed > most) {
            most = origin->runs[i]->failed;
            all = origin->runs[i]->total;
        }
    }
    if (most == 0) {
        return true;
    }
    side_name(desk->work, side, name, sizeof name);
    ls_format_count(most, count, sizeof count);
    ls_format_count(all, total, sizeof total);
    return say(desk, "users",
               sentence("With %s %s of %s users failed%s; login figures here are over all users, "
                        "and one who failed counts as longer than any.",
                        name, count, total, origin->runs_count > 1 ? " in the worst round" : ""));
}

static bool say_queue(struct desk *desk, size_t side)
{
    const struct origin *origin = &desk->work->origins[side];
    const double wants = overrun(origin);
    char name[128];

    if (!(wants > 0)) {
        return true;
    }
    side_name(desk->work, side, name, sizeof name);
    return say(desk, "users",
               sentence("%.6g times as dense, the fullest minute wants %.*f cores with %s and the "
                        "gateway has %d: that queue is the speed-up's, not the morning's; try a "
                        "lower --speedup.",
                        origin->result->speedup, wants < 10 ? 1 : 0, wants, name,
                        origin->runs[0]->gateway_workers));
}

static bool say_latency(struct desk *desk, const struct ls_pair *pair, enum ls_figure figure,
                        const char *who)
{
    const struct ls_compared *compared = &pair->figure[figure];
    const double apart = fabs(compared->base - compared->value);
    char name[128], other[128], time[32];

    side_name(desk->work, (size_t)pair->side, name, sizeof name);
    side_name(desk->work, (size_t)pair->against, other, sizeof other);
    us_words(apart, time, sizeof time);
    if (compared->finding <= LS_NOT_SHOWN || !concludes(desk->work, pair)) {
        return true;
    }
    if (compared->value < 0 || compared->base < 0) {
        return say(desk, "users",
                   sentence("%s with %s and not with %s, where so many failed.", who,
                            compared->finding == LS_LESS ? name : other,
                            compared->finding == LS_LESS ? other : name));
    }
    return say(desk, "users",
               sentence("%s %s %s with %s than with %s: %s.", who, time,
                        compared->finding == LS_LESS ? "sooner" : "later", name, other,
                        queued(desk->work, pair)
                            ? "a wait of the queue that the speed-up made, and not of the morning"
                        : apart < NOTICED_US ? "less than 10 ms, which nobody notices"
                        : apart < FELT_US    ? "less than the 100 ms from which a wait is felt"
                                             : "long enough to be felt"));
}

bool say_users(struct desk *desk)
{
    const struct ls_comparison *comparison = desk->work->comparison;
    const size_t before = comparison->advice_count;
    bool good = true;

    if (desk->work->origins[0].result->closed) {
        return true; /* nobody waits in a closed loop as he would at a peak */
    }

    for (size_t i = 0; good && i < comparison->pairs_count; i++) {
        good = say_latency(desk, &comparison->pairs[i], LS_FIGURE_LOGIN_P50,
                           "The user in the middle is in") &&
               say_latency(desk, &comparison->pairs[i], LS_FIGURE_LOGIN_P99,
                           "The last in a hundred is in");
    }
    if (good && comparison->advice_count == before &&
        any_compared(desk->work, LS_FIGURE_LOGIN_P50)) {
        good = say(desk, "users", sentence("No difference in the users' waiting was shown."));
    } else if (good && comparison->advice_count > before &&
               fabs(comparison->sides[0].speedup - 1) > 1e-9) {
        good =
            say(desk, "users",
                sentence("Those are waits of a morning %.6g times as dense; the real one's queues "
                         "are shorter, and were not measured.",
                         comparison->sides[0].speedup));
    }
    for (size_t i = 0; good && i < comparison->sides_count; i++) {
        good = say_queue(desk, i) && say_failed(desk, i);
    }
    return good;
}

static bool is_mix(const struct work *work, const struct ls_pair *pair)
{
    int64_t resumed = 0;
    const struct origin *const origins[] = {&work->origins[pair->side],
                                            &work->origins[pair->against]};

    for (int side = 0; side < 2; side++) {
        for (size_t i = 0; i < origins[side]->whole_count; i++) {
            resumed += origins[side]->whole[i]->handshakes_resumed;
        }
    }
    return resumed > 0;
}

bool say_bytes(struct desk *desk)
{
    const struct ls_comparison *comparison = desk->work->comparison;
    bool good = true;

    for (size_t i = 0; good && i < comparison->pairs_count; i++) {
        const struct ls_pair *pair = &comparison->pairs[i];
        const double value = comparison->sides[pair->side].value[LS_FIGURE_BYTES];
        const double base = comparison->sides[pair->against].value[LS_FIGURE_BYTES];
        char name[128], other[128], count[32];

        if (pair->figure[LS_FIGURE_BYTES].finding <= LS_NOT_SHOWN) {
            continue;
        }
        side_name(desk->work, (size_t)pair->side, name, sizeof name);
        side_name(desk->work, (size_t)pair->against, other, sizeof other);
        ls_format_count((int64_t)llround(fmin(fabs(value - base), 1e15)), count, sizeof count);
        good = say(desk, "bytes",
                   sentence("A handshake%s with %s is %s bytes %s than with %s, both ways "
                            "together.",
                            is_mix(desk->work, pair) ? " of this mix of full and resumed ones" : "",
                            name, count, value < base ? "shorter" : "longer", other));
    }
    for (size_t i = 0; good && i < comparison->sides_count; i++) {
        const struct origin *origin = &desk->work->origins[i];
        char name[128];

        if (origin->runs_count > 0 && origin->runs[0]->server_flight_bytes > FIRST_FLIGHT_BYTES) {
            side_name(desk->work, i, name, sizeof name);
            good =
                say(desk, "bytes",
                    sentence("The gateway's first flight with %s is longer than the ten segments "
                             "that TCP sends at once: over a real network every handshake waits a "
                             "round trip more.",
                             name));
        }
    }
    return good;
}
