/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "record/build.h"

/* What is looked at, and the yardstick that makes a limit relative. */
enum figure {
    UNDECIDED_ONLY, /* 1 when no login came to an end of its own */
    NEVER_SENT,
    OWN_LIMITS,
    SENT_EARLY,
    START_SKEW,
    UNASKED,
    CLOCK_GAP,
    START_LAG,
    LAG_IN_TAIL,
    INJECTOR_CPU,
    GATEWAY_WAITED,
    BESIDE,
    UNEVEN,
    READINGS,
    CLOCK_ANEW,
    CLOCK_BACK,
    LOOP_STALL,
    RETRANSMITTED,
    NOBODY_IN,
    ENDED_EARLY,
};
enum unit { NS, SHARE, COUNT, FACT };
enum yardstick { NONE, HANDSHAKE_P50, LOGIN_P99 };

/*
 * The limits of the house, all of them: a figure above its limit (for a relative one: above both
 * the limit and that part of the yardstick) gives the verdict. For each figure the graver row
 * stands first and silences the other.
 *
 * Why these: latency counts from the moment a user was due, so a late injector never flatters a
 * gateway; it makes it look slower. Under 1 ms nobody who logs in could notice, and CPU per
 * handshake does not change at all, so a lag under 1 ms never condemns a run, however fast its
 * handshakes are. But with logins of 1 ms in all, half a millisecond of lag would be half of the
 * p99 that is reported: hence the row against the login's own p99, with a floor of 100 µs, about
 * what a timer and a wake-up cost on a busy host. A loop that stands still for 50 ms sees a burst
 * where users came one by one; so does an injector that was stopped or starved for as long while it waited
 * for its next event, which no turn of its loop shows: the p99 of the lag passes over it when it hit
 * fewer than one user in a hundred, and the p100 is then ours. An injector above 80 % of its core begins to queue of its own
 * accord, above 95 % it was the bottleneck. A gateway that has to wait for its core while a
 * neighbour runs there has a smaller machine than the one that is reported: a tenth less begins to
 * show in a queue, a third less is another gateway. Where an exporter counts the whole machine of a gateway, what
 * other programs take is known before the storm alone: from a tenth on they may as well have made the difference between
 * two certificates. A counter of CPU that began anew, or went back, has lost or doubled something: any of it is told. All shards read the CPU of one gateway; who is done first misses what the last users cost, and that is
 * less than a fifth where each has its part of the same morning. The finest that a load is told by is its fullest second: shards that begin a tenth of one apart blur it,
 * and a whole one apart they play another. A lost SYN waits a second or more that no
 * gateway's CPU accounts for.
 *
 * In a closed loop nobody is due before he is sent, so there is no start lag to judge; the other
 * limits hold, for what a standstill or a full core does to those who are under way (see why_of).
 */
static const struct rule {
    enum figure figure;
    enum ls_verdict verdict;
    enum unit unit;
    int64_t limit; /* ns, millionths, or a count */
    enum yardstick of;
    int percent; /* of the yardstick */
    const char *subject, *why;
} rules[] = {
    {UNDECIDED_ONLY, LS_INVALID, FACT, 0, NONE, 0, "no login came to an end",
     "nothing was measured"},
    {NEVER_SENT, LS_INVALID, COUNT, 0, NONE, 0, "logins due but never sent",
     "the gateway met a smaller storm than the scenario's"},
    {OWN_LIMITS, LS_INVALID, COUNT, 0, NONE, 0, "logins and handshakes lost to our own limits",
     "descriptors, ports or memory of the injector, not the gateway"},
    {SENT_EARLY, LS_INVALID, COUNT, 0, NONE, 0, "logins sent before they were due",
     "their latency is too short"},
    {START_SKEW, LS_INVALID, NS, SKEW_INVALID_NS, NONE, 0, "shards' starts apart by",
     "the gateway met another storm than the scenario's"},
    {START_SKEW, LS_SUSPECT, NS, SKEW_SUSPECT_NS, NONE, 0, "shards' starts apart by",
     "that blurs the fullest second"},
    {UNASKED, LS_INVALID, COUNT, 0, NONE, 0, "handshakes resumed without a ticket",
     "a fault of ours: who was to make a full one is not known"},
    {CLOCK_GAP, LS_INVALID, NS, LS_NS_PER_S, NONE, 0, "gap of the clock",
     "the host stood still, and the users came all at once after it"},
    {CLOCK_GAP, LS_SUSPECT, NS, 50 * LS_NS_PER_MS, NONE, 0, "gap of the clock",
     "the injector stood still, and users came all at once after it"},
    {START_LAG, LS_INVALID, NS, LS_NS_PER_MS, HANDSHAKE_P50, 20, "start lag p99",
     "users were sent late, and that is in their latency"},
    {START_LAG, LS_SUSPECT, NS, LS_NS_PER_MS, HANDSHAKE_P50, 5, "start lag p99",
     "users were sent late, and that is in their latency"},
    {LAG_IN_TAIL, LS_SUSPECT, NS, 100 * LS_NS_PER_US, LOGIN_P99, 20, "start lag p99",
     "that much of the login p99 is the injector's"},
    {INJECTOR_CPU, LS_INVALID, SHARE, 950000, NONE, 0, "injector's share of its core",
     "the injector was the bottleneck"},
    {INJECTOR_CPU, LS_SUSPECT, SHARE, LS_INJECTOR_SUSPECT, NONE, 0, "injector's share of its core",
     "users queue in the injector too: take more injectors"},
    {GATEWAY_WAITED, LS_INVALID, SHARE, 300000, NONE, 0, "gateway's wait for its own core",
     "something else ran there, and that is in every latency"},
    {GATEWAY_WAITED, LS_SUSPECT, SHARE, 100000, NONE, 0, "gateway's wait for its own core",
     "something else ran there, and that is in the latencies"},
    {BESIDE, LS_SUSPECT, SHARE, 100000, NONE, 0, "other programs' CPU on the gateway's machine",
     "what they took during the storm is not told apart"},
    {UNEVEN, LS_SUSPECT, SHARE, 100000, NONE, 0, "uncertainty of the gateway's CPU",
     "it did not idle evenly before the storm"},
    {READINGS, LS_SUSPECT, SHARE, 200000, NONE, 0, "shards' readings of the gateway's CPU apart by",
     "they read the same gateway, so one of them is wrong"},
    {CLOCK_ANEW, LS_SUSPECT, COUNT, 0, NONE, 0, "counters of the gateway's CPU that began anew",
     "what it took just before that is not counted"},
    {CLOCK_BACK, LS_SUSPECT, NS, 0, NONE, 0, "the gateway's CPU counters stepped back by",
     "its CPU may be off by as much"},
    {LOOP_STALL, LS_SUSPECT, NS, 50 * LS_NS_PER_MS, NONE, 0, "stall of an injector's loop",
     "users who were due meanwhile came all at once"},
    {RETRANSMITTED, LS_SUSPECT, COUNT, 0, NONE, 0, "connections with a TCP segment sent again",
     "a lost SYN waits a second without any CPU"},
    {NOBODY_IN, LS_SUSPECT, FACT, 0, NONE, 0, "nobody was logged in",
     "there is no latency and no cost to go by"},
    {ENDED_EARLY, LS_SUSPECT, FACT, 0, NONE, 0, "the run ended early",
     "the users who were left out did not load the gateway"},
};

/* In millionths. Less than 50 ms in all is what the conductor and the kernel take anywhere, and a large part of nothing where the
 * gateway itself had next to nothing to do. */
static int64_t waited(const struct ls_run *run)
{
    const double share = run->validity.gateway_waited_share;

    if (share <= 0 || share >= 1 ||
        share / (1 - share) * (double)run->gateway_cpu_ns < 50.0 * (double)LS_NS_PER_MS) {
        return share >= 1 ? 1000000 : 0;
    }
    return (int64_t)round(share * 1e6);
}

/* In the unit of the figure's rules; 0 where it was not measured. */
static int64_t figure_of(enum figure figure, const struct ls_run *run,
                         const struct verdict_facts *facts)
{
    switch (figure) {
    case UNDECIDED_ONLY:
        return run->logged_in + run->failed == 0;
    case NEVER_SENT:
        return facts->never_sent;
    case OWN_LIMITS:
        return facts->ours;
    case SENT_EARLY:
        return facts->early;
    case START_SKEW:
        return run->validity.start_skew_ns;
    case UNASKED:
        return facts->unasked;
    case CLOCK_GAP:
        return run->validity.clock_gap_ns;
    case START_LAG:
    case LAG_IN_TAIL:
        return run->validity.start_lag.p99;
    case INJECTOR_CPU:
        return (int64_t)round(run->validity.injector_cpu_share * 1e6);
    case GATEWAY_WAITED:
        return waited(run);
    case BESIDE:
        return facts->beside;
    case UNEVEN:
        return facts->uneven;
    case READINGS:
        return facts->apart;
    case CLOCK_ANEW:
        return facts->restarts;
    case CLOCK_BACK:
        return facts->back_ns;
    case LOOP_STALL:
        return run->validity.worst_stall_ns;
    case RETRANSMITTED:
        return run->validity.retransmitted;
    case NOBODY_IN:
        return run->logged_in == 0 && run->failed > 0;
    case ENDED_EARLY:
        return run->partial;
    }
    return 0;
}

/* A run without the yardstick is held to the absolute limit alone. */
static int64_t limit_of(const struct rule *rule, const struct ls_run *run)
{
    int64_t base = 0, relative;

    if (rule->of == HANDSHAKE_P50) {
        base = run->handshake.p50;
    } else if (rule->of == LOGIN_P99) {
        base = run->login.p99;
    }
    relative = base > 0 ? base / 100 * rule->percent + base % 100 * rule->percent / 100 : 0;
    return relative > rule->limit ? relative : rule->limit;
}

static void put_value(enum unit unit, int64_t value, char *out, size_t size)
{
    if (unit == NS) {
        ls_format_ns(value, out, size);
    } else if (unit == SHARE) {
        (void)snprintf(out, size, "%" PRId64 ".%" PRId64 " %%", value / 10000,
                       value % 10000 / 1000);
    } else {
        ls_format_count(value, out, size);
    }
}

/* A sentence cut to its place must not end inside a character: the result file is UTF-8. */
void trim_utf8(char *text)
{
    size_t length = strlen(text), back = 0;

    while (back < length && back < 4 && ((unsigned char)text[length - 1 - back] & 0xc0) == 0x80) {
        back++;
    }
    if (back < length) {
        const unsigned char lead = (unsigned char)text[length - 1 - back];
        const size_t follow = lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : lead >= 0xc0 ? 1 : 0;

        if (follow > back) {
            text[length - 1 - back] = '\0';
        }
    }
}

/* Nobody comes all at once in a closed loop, and it has no second injector. */
static const char *why_of(const struct rule *rule, const struct ls_run *run)
{
    if (run->waves_count == 0) {
        return rule->why;
    }
    switch (rule->figure) {
    case CLOCK_GAP:
        return rule->verdict == LS_INVALID
                   ? "the host stood still, and whoever was under way waited"
                   : "the injector stood still, and whoever was under way waited";
    case LOOP_STALL:
        return "whoever was under way waited";
    case INJECTOR_CPU:
        return rule->verdict == LS_INVALID
                   ? rule->why
                   : "users queue in the injector too, and come less often for it";
    default:
        return rule->why;
    }
}

static void tell(const struct rule *rule, int64_t value, int64_t limit, const struct ls_run *run,
                 char *out, size_t size)
{
    const char *of = limit == rule->limit    ? ""
                     : rule->of == LOGIN_P99 ? "login p99"
                                             : "handshake p50";
    const char *why = why_of(rule, run);
    const char *verdict = rule->verdict == LS_INVALID ? "invalid" : "suspect";
    char shown[32], allowed[32], part[48] = "", rest[64] = "";

    put_value(rule->unit, value, shown, sizeof shown);
    put_value(rule->unit, limit, allowed, sizeof allowed);
    if (of[0] != '\0') {
        (void)snprintf(part, sizeof part, " (%d %% of the %s)", rule->percent, of);
    }
    if (rule->figure == RETRANSMITTED && run->validity.login_without_retransmits.count > 0) {
        char p100[32];

        ls_format_ns(run->validity.login_without_retransmits.p100, p100, sizeof p100);
        (void)snprintf(rest, sizeof rest, "; login p100 without them %s", p100);
    }
    if (rule->figure == ENDED_EARLY && run->partial_why != NULL) {
        (void)snprintf(out, size, "%s (%s), so %s: %s", rule->subject, run->partial_why, verdict,
                       why);
    } else if (rule->unit == FACT) {
        (void)snprintf(out, size, "%s, so %s: %s", rule->subject, verdict, why);
    } else {
        (void)snprintf(out, size, "%s %s, %s above %s%s: %s%s", rule->subject, shown, verdict,
                       allowed, part, why, rest);
    }
    trim_utf8(out);
}

/* In virtual time nothing of ours can get in the way. */
static bool is_for(const struct rule *rule, const struct ls_run *run)
{
    return run->live || rule->figure == UNDECIDED_ONLY || rule->figure == ENDED_EARLY;
}

void verdict_reach(struct ls_run *run, const struct verdict_facts *facts)
{
    struct ls_validity *validity = &run->validity;
    unsigned told = 0; /* a bit a figure */

    _Static_assert(ENDED_EARLY < LS_REASONS_MAX, "room for every reason");
    validity->verdict = LS_VALID;
    validity->reasons_count = 0;
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        const struct rule *rule = &rules[i];
        const int64_t value = figure_of(rule->figure, run, facts);
        const int64_t limit = limit_of(rule, run);

        if (!is_for(rule, run) || value <= limit || (told >> rule->figure & 1U) != 0) {
            continue;
        }
        if (rule->figure == LAG_IN_TAIL && (told >> START_LAG & 1U) != 0) {
            continue; /* the same lag, said already */
        }
        told |= 1U << rule->figure;
        if (rule->verdict > validity->verdict) {
            validity->verdict = rule->verdict;
        }
        tell(rule, value, limit, run, validity->reasons[validity->reasons_count],
             sizeof validity->reasons[0]);
        validity->reasons_count++;
    }
}
