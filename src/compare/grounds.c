/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What must be alike before two figures may stand side by side. */
#include "compare/work.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loginstorm/units.h"

/* Shares of resumed handshakes that may differ: above it the one side was spared so much of its
 * certificate's work that the figure is no longer the certificate's. */
#define RESUMED_APART 0.02

static bool same_text(const char *a, const char *b)
{
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

static double secured(const struct ls_run *run)
{
    return (double)(run->handshakes_full + run->handshakes_resumed);
}

static double resumed_share(const struct origin *origin)
{
    double resumed = 0, all = 0;

    for (size_t i = 0; i < origin->whole_count; i++) {
        resumed += (double)origin->whole[i]->handshakes_resumed;
        all += secured(origin->whole[i]);
    }
    return all > 0 ? resumed / all : 0;
}

static bool unasked(const struct origin *origin)
{
    return resumed_share(origin) > 0 && !(origin->result->resume_share > 0);
}

/* 0 where some did not get in: their handshakes are among all, and no login is. */
static double connections_a_login(const struct origin *origin)
{
    double logins = 0, all = 0;

    for (size_t i = 0; i < origin->runs_count; i++) {
        if (origin->runs[i]->logged_in < origin->runs[i]->total || origin->runs[i]->retried > 0) {
            return 0;
        }
        logins += (double)origin->runs[i]->logged_in;
        all += secured(origin->runs[i]);
    }
    return logins > 0 ? all / logins : 0;
}

/* When a closed loop's users come is the gateway's doing; how many, and how many at a time, is not. */
static bool same_loops(const struct ls_run *a, const struct ls_run *b)
{
    bool same = a->waves_count == b->waves_count;

    for (size_t i = 0; same && i < a->waves_count; i++) {
        same = a->waves[i].sequence == b->waves[i].sequence &&
               a->waves[i].logins == b->waves[i].logins &&
               a->waves[i].concurrency == b->waves[i].concurrency;
    }
    return same;
}

/* The users due in slice i of so many ns; a timeline ends when its last login does. */
static int64_t due_in(const struct ls_run *run, size_t i, int64_t slice_ns)
{
    const size_t each = (size_t)(slice_ns / run->slice_ns);
    int64_t due = 0;

    for (size_t at = i * each; at < (i + 1) * each && at < run->timeline_count; at++) {
        due += run->timeline[at].due;
    }
    return due;
}

/* In slices of the coarser timeline: a storm that took longer has longer slices, and more of them. */
static bool same_arrivals(const struct ls_run *a, const struct ls_run *b)
{
    const int64_t slice_ns = a->slice_ns > b->slice_ns ? a->slice_ns : b->slice_ns;
    const size_t most =
        a->timeline_count > b->timeline_count ? a->timeline_count : b->timeline_count;

    if (a->slice_ns <= 0 || b->slice_ns <= 0 || slice_ns % a->slice_ns != 0 ||
        slice_ns % b->slice_ns != 0) {
        return a->timeline_count == 0 && b->timeline_count == 0;
    }
    for (size_t i = 0; i < most; i++) {
        if (due_in(a, i, slice_ns) != due_in(b, i, slice_ns)) {
            return false;
        }
    }
    return true;
}

/* The users of each slice of the scenario: two schedules that agree in all of them are the same
 * storm for a gateway, whatever their files say besides. */
static bool same_schedule(const struct origin *a, const struct origin *b)
{
    const struct ls_run *one = a->runs[0], *other = b->runs[0];

    if (a->result->closed) {
        return same_loops(one, other);
    }
    return a->result->users == b->result->users && a->result->from_ns == b->result->from_ns &&
           a->result->window_ns == b->result->window_ns &&
           fabs(a->result->speedup - b->result->speedup) <= 1e-9 && same_arrivals(one, other);
}

static void unlike_machine(const struct ls_result *a, const struct ls_result *b, char *out,
                           size_t size)
{
    if (!same_text(a->host_cpu, b->host_cpu) || a->host_cores != b->host_cores) {
        (void)snprintf(out, size, "made on different machines (%.60s with %d cores, %.60s with %d)",
                       b->host_cpu == NULL ? "?" : b->host_cpu, b->host_cores,
                       a->host_cpu == NULL ? "?" : a->host_cpu, a->host_cores);
    } else if (!same_text(a->host_kernel, b->host_kernel)) {
        (void)snprintf(out, size, "made under different kernels (%.60s, %.60s)",
                       b->host_kernel == NULL ? "?" : b->host_kernel,
                       a->host_kernel == NULL ? "?" : a->host_kernel);
    } else if (!same_text(a->tls_library, b->tls_library) ||
               !same_text(a->tls_build, b->tls_build)) {
        (void)snprintf(out, size, "made with different TLS libraries (%.40s, %.40s; %.40s, %.40s)",
                       b->tls_library == NULL ? "?" : b->tls_library,
                       b->tls_build == NULL ? "?" : b->tls_build,
                       a->tls_library == NULL ? "?" : a->tls_library,
                       a->tls_build == NULL ? "?" : a->tls_build);
    } else if (a->runs[0].gateway_workers != b->runs[0].gateway_workers ||
               !same_text(a->placement, b->placement)) {
        (void)snprintf(out, size, "made with different gateways (%.80s; %.80s)",
                       b->placement == NULL ? "?" : b->placement,
                       a->placement == NULL ? "?" : a->placement);
    }
}

/* A cheap handshake costs less where there are many of them, and a queue is the storm's as much as
 * the certificate's: another load is another figure. */
static void unlike_storm(const struct origin *a, const struct origin *b, char *out, size_t size)
{
    const bool same_file =
        a->result->sha256 != NULL && same_text(a->result->sha256, b->result->sha256);
    const double one = connections_a_login(b), other = connections_a_login(a);

    if (a->result->closed != b->result->closed) {
        (void)snprintf(
            out, size,
            "of an open and a closed loop: in the closed one a slow gateway is asked less "
            "often");
    } else if (!same_schedule(a, b)) {
        (void)snprintf(
            out, size,
            "of different storms: other users, window, pace or arrivals, so another load");
    } else if (!same_file && one > 0 && other > 0 && fabs(one - other) > 0.01 * one) {
        (void)snprintf(out, size, "of different logins: %.3g connections a login against %.3g",
                       other, one);
    }
}

/* Says of bytes, too, why they cannot stand side by side. */
static void refuse_all(const struct work *work, const struct ls_pair *pair, char *out, size_t size)
{
    const struct origin *a = &work->origins[pair->side], *b = &work->origins[pair->against];
    const double one = resumed_share(b), other = resumed_share(a);
    char name[128];

    if (b->whole_count == 0 || a->whole_count == 0) {
        side_name(work, (size_t)(b->whole_count == 0 ? pair->against : pair->side), name,
                  sizeof name);
        (void)snprintf(out, size, "%s has no whole run", name);
    } else if (a->whole[0]->live != b->whole[0]->live) {
        (void)snprintf(out, size, "one was measured, the other computed in virtual time");
    } else if (unasked(a) || unasked(b)) {
        (void)snprintf(
            out, size,
            "%.1f %% of the handshakes were resumed here and %.1f %% there, though the "
            "scenario asked for none, and a resumed handshake does without the certificate",
            other * 100, one * 100);
    } else if (fabs(one - other) > RESUMED_APART + 1e-9) {
        (void)snprintf(
            out, size,
            "%.1f %% of the handshakes were resumed here and %.1f %% there, and a resumed "
            "handshake does without the certificate",
            other * 100, one * 100);
    }
}

/* Bytes are counted, so that noise in the measurement leaves them as they are. */
static bool refuse_invalid(const struct work *work, struct ls_pair *pair, char *out, size_t size)
{
    const bool a = work->origins[pair->side].runs_count == 0;
    const bool b = work->origins[pair->against].runs_count == 0;
    char name[128], other[128];

    if (!a && !b) {
        return true;
    }
    side_name(work, (size_t)(b ? pair->against : pair->side), name, sizeof name);
    side_name(work, (size_t)pair->side, other, sizeof other);
    (void)snprintf(out, size, "the measurement of %s%s%s is invalid", name,
                   a && b ? " and of " : "", a && b ? other : "");
    return note_add(pair, sentence("bytes are compared all the same: they are counted, and noise "
                                   "does not change them"));
}

/* The house compares what it was asked to, and says so. */
static bool excuse(const struct work *work, struct ls_pair *pair, char *why, bool *unlike)
{
    if (why[0] == '\0' || !work->wish->force) {
        return true;
    }
    if (!note_add(pair, sentence("compared by --force all the same, though %s", why))) {
        return false;
    }
    why[0] = '\0';
    *unlike = true;
    work->comparison->forced = true;
    return true;
}

static bool note_mix(struct ls_pair *pair, const struct origin *origin)
{
    int64_t resumed = 0, all = 0;
    char count[32], total[32];

    for (size_t i = 0; i < origin->whole_count; i++) {
        resumed += origin->whole[i]->handshakes_resumed;
        all += origin->whole[i]->handshakes_full + origin->whole[i]->handshakes_resumed;
    }
    if (resumed == 0) {
        return true;
    }
    ls_format_count(resumed, count, sizeof count);
    ls_format_count(all, total, sizeof total);
    return note_add(pair, sentence("%s of %s handshakes were resumed (%.4g %% of the users asked "
                                   "for, each drawn) and did without the certificate: the figures "
                                   "are of this mix",
                                   count, total, origin->result->resume_share * 100));
}

static bool judge_storms(const struct work *work, struct ls_pair *pair, struct grounds *grounds)
{
    const struct origin *a = &work->origins[pair->side], *b = &work->origins[pair->against];
    char machine[240] = "", storm[240] = "";

    unlike_machine(a->result, b->result, machine, sizeof machine);
    unlike_storm(a, b, storm, sizeof storm);
    if (!excuse(work, pair, machine, &grounds->unlike) ||
        !excuse(work, pair, storm, &grounds->unlike)) {
        return false;
    }
    (void)snprintf(grounds->cpu, sizeof grounds->cpu, "%s", machine[0] != '\0' ? machine : storm);
    (void)snprintf(grounds->latency, sizeof grounds->latency, "%s", grounds->cpu);
    if (grounds->cpu[0] != '\0') {
        return true;
    }
    if (a->result->created != NULL && same_text(a->result->created, b->result->created) &&
        !note_add(pair, sentence("both were made at %s: if that is one result twice, they are no "
                                 "two storms",
                                 a->result->created))) {
        return false;
    }
    if (!same_text(a->result->sha256, b->result->sha256) &&
        !note_add(pair,
                  sentence("the scenarios are not the same file; users and arrivals are alike, "
                           "so see that logins and clients are too"))) {
        return false;
    }
    return note_add(pair, sentence("two storms, each with what else the machine did then; "
                                   "certificates of one storm with --repeat are surer"));
}

bool grounds_of(const struct work *work, struct ls_pair *pair, struct grounds *grounds)
{
    const struct origin *a = &work->origins[pair->side], *b = &work->origins[pair->against];
    bool good;

    *grounds = (struct grounds){{0}, {0}, {0}, false};
    refuse_all(work, pair, grounds->bytes, sizeof grounds->bytes);
    if (grounds->bytes[0] != '\0') {
        (void)snprintf(grounds->cpu, sizeof grounds->cpu, "%s", grounds->bytes);
    } else if (!note_mix(pair, a) ||
               !refuse_invalid(work, pair, grounds->cpu, sizeof grounds->cpu)) {
        return false;
    }
    (void)snprintf(grounds->latency, sizeof grounds->latency, "%s", grounds->cpu);
    good = !a->result->closed || !b->result->closed ||
           note_add(pair, sentence("closed loops: latencies are over all of them together, and say "
                                   "nothing of a peak"));
    if (!good || grounds->cpu[0] != '\0' || a->file == b->file) {
        return good;
    }
    return judge_storms(work, pair, grounds);
}
