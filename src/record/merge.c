/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "loginstorm/merge.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record/build.h"

struct ls_share ls_merge_share(const struct ls_result *shard)
{
    const size_t injectors = (size_t)shard->injectors;

    return (struct ls_share){
        .first = (size_t)(shard->shard.index - 1) * injectors,
        .count = injectors,
        .of = (size_t)shard->shard.count * injectors,
    };
}

const struct ls_run *ls_merge_find(const struct ls_result *shard, const char *certificate,
                                   int repeat)
{
    for (size_t i = 0; shard != NULL && i < shard->runs_count; i++) {
        if (shard->runs[i].repeat == repeat &&
            strcmp(shard->runs[i].certificate, certificate) == 0) {
            return &shard->runs[i];
        }
    }
    return NULL;
}

void ls_merge_name(const struct ls_result *shard, char *out, size_t size)
{
    (void)snprintf(out, size, "shard %d of %d (%s)", shard->shard.index, shard->shard.count,
                   shard->shard.host);
}

void ls_merge_missing(const struct ls_result *const *shards, size_t count, char *out, size_t size)
{
    size_t missing = 0, told = 0, used = 0;

    for (size_t i = 0; i < count; i++) {
        missing += shards[i] == NULL;
    }
    out[0] = '\0';
    for (size_t i = 0; i < count && used + 40 < size; i++) {
        if (shards[i] == NULL) {
            used += (size_t)snprintf(out + used, size - used, "%s%zu",
                                     told > 0       ? ", "
                                     : missing == 1 ? "shard "
                                                    : "shards ",
                                     i + 1);
            told++;
        }
    }
    if (missing > 0) {
        (void)snprintf(out + used, size - used, "%s of %zu %s missing",
                       told < missing ? " and more" : "", count, missing == 1 ? "is" : "are");
    }
}

/* One shard's run, and when its last user was done, on the clock on the wall. */
struct part {
    const struct ls_result *shard;
    const struct ls_run *run;
    int64_t end_ns;
};

static int64_t last_done(const struct ls_record *record, const struct ls_share *share)
{
    size_t users;
    const struct ls_login *logins = ls_record_logins(record, &users);
    int64_t last_ns = 0;

    for (size_t user = 0; user < users; user++) {
        if (ls_share_has(share, user) && logins[user].done_ns > last_ns) {
            last_ns = logins[user].done_ns;
        }
    }
    return last_ns;
}

static size_t find_parts(struct part *parts, const struct ls_measurement *measurement,
                         const struct ls_merging *merging)
{
    size_t found = 0;

    for (size_t i = 0; i < merging->count; i++) {
        const struct ls_run *run =
            ls_merge_find(merging->shards[i], measurement->certificate, measurement->repeat);

        if (run != NULL) {
            const struct ls_share share = ls_merge_share(merging->shards[i]);

            parts[found++] = (struct part){
                .shard = merging->shards[i],
                .run = run,
                .end_ns = run->shard.started_ns + last_done(measurement->record, &share),
            };
        }
    }
    return found;
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* A sum of what is known; not known where a part is not. */
static int64_t plus(int64_t a, int64_t b)
{
    int64_t sum;

    return a < 0 || b < 0 || __builtin_add_overflow(a, b, &sum) ? -1 : sum;
}

static void add_injectors(struct ls_measurement *to, const struct part *parts, size_t count)
{
    to->injectors_cpu_ns = to->worst_stall_ns = to->clock_gap_ns = to->sessions_lost = 0;
    for (size_t i = 0; i < count; i++) {
        const struct ls_run *run = parts[i].run;
        /* The share is told to a millionth. */
        const int64_t busy_ns = (int64_t)llround(run->validity.injector_cpu_share * 1e9);

        to->worst_stall_ns = larger(to->worst_stall_ns, run->validity.worst_stall_ns);
        to->clock_gap_ns = larger(to->clock_gap_ns, run->validity.clock_gap_ns);
        to->sessions_lost = plus(to->sessions_lost, run->sessions_lost);
        to->injectors_cpu_ns = plus(to->injectors_cpu_ns, run->injectors_cpu_ns);
        if (busy_ns >= 0) {
            to->injector_cpu_ns = larger(to->injector_cpu_ns, busy_ns);
            to->injector_wall_ns = LS_NS_PER_S;
        }
    }
    to->sessions_lost = larger(to->sessions_lost, 0);
    to->injectors_cpu_ns = larger(to->injectors_cpu_ns, 0); /* 0: not known */
}

static bool is_first_of_host(const struct part *parts, size_t which)
{
    for (size_t i = 0; i < which; i++) {
        if (strcmp(parts[i].shard->shard.host, parts[which].shard->shard.host) == 0) {
            return false;
        }
    }
    return true;
}

/* The most that a shard of the same host saw; -1 where one of them does not know. */
static int64_t of_host(const struct part *parts, size_t count, size_t which,
                       int64_t (*figure)(const struct ls_run *))
{
    int64_t most = 0;

    for (size_t i = 0; i < count; i++) {
        if (strcmp(parts[i].shard->shard.host, parts[which].shard->shard.host) == 0) {
            const int64_t value = figure(parts[i].run);

            most = value < 0 || most < 0 ? -1 : larger(most, value);
        }
    }
    return most;
}

static int64_t overflows(const struct ls_run *run)
{
    return run->kernel.listen_overflows;
}

static int64_t drops(const struct ls_run *run)
{
    return run->kernel.listen_drops;
}

static int64_t syns(const struct ls_run *run)
{
    return run->kernel.syn_retransmits;
}

static void add_kernel(struct ls_measurement *to, const struct part *parts, size_t count)
{
    to->kernel = (struct ls_kernel_counts){0};
    for (size_t i = 0; i < count; i++) {
        if (is_first_of_host(parts, i)) {
            to->kernel.listen_overflows =
                plus(to->kernel.listen_overflows, of_host(parts, count, i, overflows));
            to->kernel.listen_drops =
                plus(to->kernel.listen_drops, of_host(parts, count, i, drops));
            to->kernel.syn_retransmits =
                plus(to->kernel.syn_retransmits, of_host(parts, count, i, syns));
        }
    }
}

void ls_merge_place(struct ls_merged *place, const struct ls_result *shard)
{
    *place = (struct ls_merged){
        .missing = shard == NULL,
        .clock_error_ns = LS_NEVER_NS,
        .clock_ahead_ns = LS_NEVER_NS,
        .clock_behind_ns = LS_NEVER_NS,
        .start_skew_ns = LS_NEVER_NS,
        .start_lag_p99_ns = LS_NEVER_NS,
    };
    if (shard == NULL) {
        return;
    }
    (void)snprintf(place->host, sizeof place->host, "%s", shard->shard.host);
    place->clock_error_ns = shard->shard.clock_error_ns;
    place->clock_ahead_ns = shard->shard.clock_ahead_ns;
    place->clock_behind_ns = shard->shard.clock_behind_ns;
    for (size_t i = 0; i < shard->runs_count; i++) {
        const struct ls_validity *validity = &shard->runs[i].validity;

        place->start_skew_ns = larger(place->start_skew_ns, validity->start_skew_ns);
        place->start_lag_p99_ns = larger(place->start_lag_p99_ns, validity->start_lag.p99);
    }
}

static void add_start(struct ls_measurement *to, const struct part *parts, size_t count)
{
    int64_t first_ns = parts[0].run->shard.started_ns, last_ns = first_ns;

    to->shard = (struct ls_shard_run){
        .start_at_ns = parts[0].run->shard.start_at_ns,
        .gateway_user_ns = -1,
        .gateway_system_ns = -1,
        .gateway_baseline_ns = -1,
        .gateway_baseline_error_ns = -1,
    };
    for (size_t i = 1; i < count; i++) {
        const struct ls_shard_run *run = &parts[i].run->shard;

        first_ns = run->started_ns < first_ns ? run->started_ns : first_ns;
        last_ns = larger(last_ns, run->started_ns);
        if (run->start_at_ns != to->shard.start_at_ns) {
            to->shard.start_at_ns = LS_NEVER_NS;
        }
    }
    to->shard.started_ns = first_ns;
    to->start_skew_ns = last_ns - first_ns;
}

/* Beyond any run, and a number of 64 bits. */
#define SAMPLE_MOST_NS 4e18

/* A gateway's clock at the ends of the timeline's slices, of which each has its share. */
static enum ls_code samples_of(struct ls_merging *merging, const struct ls_run *run, double speedup,
                               struct ls_gateway_account *account, struct ls_error *err)
{
    const double slice_ns = (double)run->slice_ns / speedup;
    double cpu_ns = 0;
    size_t count = 0;

    merging->samples = calloc(run->timeline_count + 1, sizeof *merging->samples);
    if (merging->samples == NULL) {
        return ls_error_set(err, LS_ENOMEM, "no memory for a timeline of %zu slices",
                            run->timeline_count);
    }
    for (size_t i = 0; i < run->timeline_count; i++) {
        const double share = run->timeline[i].gateway_cpu_share;

        if (share < 0) {
            continue;
        }
        if (count == 0) {
            merging->samples[count++].at_ns = llround(fmin((double)i * slice_ns, SAMPLE_MOST_NS));
        }
        cpu_ns += share * slice_ns;
        merging->samples[count++] = (struct ls_cpu_sample){
            .at_ns = llround(fmin((double)(i + 1) * slice_ns, SAMPLE_MOST_NS)),
            .cpu_ns = llround(fmin(cpu_ns, SAMPLE_MOST_NS))};
        if (count == run->timeline_count + 1) {
            break;
        }
    }
    account->samples = merging->samples;
    account->samples_count = count;
    return LS_OK;
}

/* Below that two readings of the same CPU may differ by their own steps (a tick, a scrape). */
#define READING_STEP_NS (50 * LS_NS_PER_MS)

/* In millionths of the most that was read. */
static int64_t readings_apart(const struct part *parts, size_t count)
{
    int64_t low = INT64_MAX, high = 0;

    for (size_t i = 0; i < count; i++) {
        const int64_t cpu_ns = parts[i].run->gateway_cpu_ns;

        if (cpu_ns >= 0) {
            low = cpu_ns < low ? cpu_ns : low;
            high = larger(high, cpu_ns);
        }
    }
    return high - READING_STEP_NS <= low
               ? 0
               : (int64_t)llround((double)(high - low) / (double)high * 1e6);
}

/* Shards that did not play one storm did not read one either. */
static void note_no_reading(struct ls_merging *merging, int64_t skew_ns)
{
    char skew[32];

    ls_format_ns(skew_ns, skew, sizeof skew);
    (void)snprintf(
        merging->texts[0], sizeof merging->texts[0],
        "the gateway's CPU is not known: the shards began %s apart, so that none of them "
        "read it for a storm of all users",
        skew);
    merging->notes[0] = merging->texts[0];
}

static void note_gateway(struct ls_merging *merging, const struct part *parts, size_t count,
                         const struct part *told)
{
    int64_t low = INT64_MAX, high = -1;
    char name[160], one[32], other[32], rest[160] = "";
    bool is_last = true;
    size_t next = 0;

    for (size_t i = 0; i < count; i++) {
        const int64_t cpu_ns = parts[i].run->gateway_cpu_ns;

        is_last = is_last && parts[i].end_ns <= told->end_ns;
        if (&parts[i] != told && cpu_ns >= 0) {
            low = cpu_ns < low ? cpu_ns : low;
            high = larger(high, cpu_ns);
        }
    }
    if (high >= 0) {
        ls_format_ns(low, one, sizeof one);
        ls_format_ns(high, other, sizeof other);
        (void)snprintf(rest, sizeof rest, "; the others read from %s to %s", one, other);
    }
    ls_format_ns(told->run->gateway_cpu_ns, one, sizeof one);
    ls_merge_name(told->shard, name, sizeof name);
    (void)snprintf(
        merging->texts[next], sizeof merging->texts[next],
        "the gateway's CPU, %s, is as %s read it, whose users were done last%s%s", one, name,
        is_last ? "" : " of those that know it, but not of all: it may be too little", rest);
    merging->notes[next] = merging->texts[next];
    if (count < merging->count) {
        next++;
        (void)snprintf(merging->texts[next], sizeof merging->texts[next],
                       "it is for users of missing shards as well, and so is divided by no number "
                       "of handshakes");
        merging->notes[next] = merging->texts[next];
    }
}

static enum ls_code add_gateway(struct ls_measurement *to, struct ls_merging *merging,
                                const struct part *parts, size_t count, struct ls_error *err)
{
    struct ls_gateway_account *account = &to->gateway;
    const bool one_storm = to->start_skew_ns <= SKEW_INVALID_NS;
    const struct part *told = NULL;

    for (size_t i = 0; one_storm && i < count; i++) {
        if (parts[i].run->gateway_cpu_ns >= 0 && (told == NULL || parts[i].end_ns > told->end_ns)) {
            told = &parts[i];
        }
    }
    *account = (struct ls_gateway_account){
        .source = told == NULL ? "none" : told->run->gateway_source,
        .workers = parts[0].run->gateway_workers,
        .cpu_ns = -1,
        .user_ns = -1,
        .system_ns = -1,
        .tls_ns = -1,
        .waited_ns = -1,
        .accepted = -1,
        .server_flights = -1,
        .secured = -1,
        .failed = -1,
    };
    to->gateway_shared = count < merging->count;
    if (!one_storm) {
        note_no_reading(merging, to->start_skew_ns);
    }
    if (told == NULL) {
        return LS_OK;
    }
    to->gateway_apart = readings_apart(parts, count);
    account->cpu_ns = told->run->gateway_cpu_ns;
    account->user_ns = told->run->shard.gateway_user_ns;
    account->system_ns = told->run->shard.gateway_system_ns;
    account->baseline_ns = larger(told->run->shard.gateway_baseline_ns, 0);
    account->baseline_error_ns = larger(told->run->shard.gateway_baseline_error_ns, 0);
    account->whole_machine = told->run->shard.gateway_whole_machine;
    note_gateway(merging, parts, count, told);
    return samples_of(merging, told->run, to->speedup, account, err);
}

static void add_end(struct ls_measurement *to, struct ls_merging *merging, const struct part *parts,
                    size_t count)
{
    for (size_t i = count; i-- > 0;) {
        if (parts[i].run->partial) {
            char name[160];

            to->partial = true;
            ls_merge_name(parts[i].shard, name, sizeof name);
            (void)snprintf(merging->partial_why, sizeof merging->partial_why, "%s: %.200s", name,
                           parts[i].run->partial_why == NULL ? "ended early"
                                                             : parts[i].run->partial_why);
        }
    }
    if (count < merging->count) {
        to->partial = true;
        ls_merge_missing(merging->shards, merging->count, merging->partial_why,
                         sizeof merging->partial_why);
        if (merging->partial_why[0] == '\0') {
            (void)snprintf(merging->partial_why, sizeof merging->partial_why,
                           "not every shard played it");
        }
    }
    to->partial_why = to->partial ? merging->partial_why : NULL;
}

enum ls_code ls_merge_measure(struct ls_measurement *measurement, struct ls_merging *merging,
                              struct ls_error *err)
{
    struct part *parts = calloc(merging->count, sizeof *parts);
    size_t count;
    enum ls_code code;

    if (parts == NULL) {
        return ls_error_set(err, LS_ENOMEM, "no memory for %zu shards", merging->count);
    }
    count = find_parts(parts, measurement, merging);
    if (count == 0) {
        free(parts);
        return ls_error_set(err, LS_EBROKEN, "no shard has that run");
    }
    measurement->key = parts[0].run->key;
    measurement->live = true;
    measurement->shown = parts[0].run->shown.chain_length > 0 ? &parts[0].run->shown : NULL;
    add_injectors(measurement, parts, count);
    add_kernel(measurement, parts, count);
    add_start(measurement, parts, count);
    add_end(measurement, merging, parts, count);
    code = add_gateway(measurement, merging, parts, count, err);
    measurement->notes = merging->notes;
    free(parts);
    return code;
}

void ls_merging_clear(struct ls_merging *merging)
{
    free(merging->samples);
    *merging = (struct ls_merging){.shards = merging->shards, .count = merging->count};
}

static void add_reason(struct ls_validity *to, const char *name, const char *text)
{
    if (to->reasons_count < LS_REASONS_MAX) {
        char *out = to->reasons[to->reasons_count++];

        (void)snprintf(out, sizeof to->reasons[0], "%s%s%s", name, name[0] == '\0' ? "" : ": ",
                       text);
        trim_utf8(out);
    }
}

/* Said already of a shard. */
static bool is_told(const struct ls_validity *validity, const char *text)
{
    const size_t length = strlen(text);

    for (size_t i = 0; i < validity->reasons_count; i++) {
        const size_t told = strlen(validity->reasons[i]);

        if (told >= length && strcmp(validity->reasons[i] + told - length, text) == 0) {
            return true;
        }
    }
    return false;
}

/* Of a clock that nobody keeps, or that may be off by too much, there is no telling how far apart two machines begin; one
 * machine has one clock. */
static void judge_clock(struct ls_validity *to, const struct ls_result *shard)
{
    const int64_t error_ns = shard->shard.clock_error_ns;
    char name[160], error[32], text[200];

    if (error_ns >= 0 && error_ns <= SKEW_SUSPECT_NS) {
        return;
    }
    ls_format_ns(error_ns, error, sizeof error);
    (void)snprintf(text, sizeof text,
                   "%s%s, so suspect: how far apart the shards began is not known",
                   error_ns < 0 ? "nobody keeps its clock (NTP)" : "its clock may be off by ",
                   error_ns < 0 ? "" : error);
    ls_merge_name(shard, name, sizeof name);
    add_reason(to, name, text);
    to->verdict = to->verdict == LS_VALID ? LS_SUSPECT : to->verdict;
}

static void judge_clocks(struct ls_validity *to, const struct ls_result *const *shards,
                         size_t count)
{
    const struct ls_result *first = NULL;
    bool several = false;

    for (size_t i = 0; i < count; i++) {
        if (shards[i] != NULL) {
            first = first == NULL ? shards[i] : first;
            several = several || strcmp(shards[i]->shard.host, first->shard.host) != 0;
        }
    }
    for (size_t i = 0; several && i < count; i++) {
        if (shards[i] != NULL) {
            judge_clock(to, shards[i]);
        }
    }
}

void ls_merge_verdict(struct ls_run *run, const struct ls_result *const *shards, size_t count)
{
    struct ls_validity *to = &run->validity;
    const struct ls_validity own = *to;
    enum ls_verdict worst = LS_VALID;

    for (size_t i = 0; i < count; i++) {
        const struct ls_run *part = ls_merge_find(shards[i], run->certificate, run->repeat);

        if (part != NULL && part->validity.verdict > worst) {
            worst = part->validity.verdict;
        }
    }
    to->reasons_count = 0;
    for (size_t i = 0; worst > LS_VALID && i < count; i++) {
        const struct ls_run *part = ls_merge_find(shards[i], run->certificate, run->repeat);
        char name[160];

        if (part == NULL || part->validity.verdict != worst) {
            continue;
        }
        ls_merge_name(shards[i], name, sizeof name);
        for (size_t r = 0; r < part->validity.reasons_count; r++) {
            add_reason(to, name, part->validity.reasons[r]);
        }
    }
    for (size_t r = 0; r < own.reasons_count; r++) {
        if (!is_told(to, own.reasons[r])) {
            add_reason(to, "", own.reasons[r]);
        }
    }
    to->verdict = worst > own.verdict ? worst : own.verdict;
    judge_clocks(to, shards, count);
}
