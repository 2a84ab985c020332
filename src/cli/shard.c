/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/shard.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timex.h>
#include <unistd.h>

#include "loginstorm/units.h"
#include "loginstorm/zone.h"

/*
 * Who may say which of how many, the first one who says anything counts. What somebody wrote down himself goes before any
 * launcher. Open MPI goes before all others, since its mpirun may run within a job of theirs, whose variables then count
 * its daemons; PMI (MPICH, Intel MPI, srun --mpi=pmi2) before Slurm for the same reason. An array of jobs goes before the
 * tasks of a job, which in a script of such an array are one, task 0 of 1; an array whose jobs have several tasks each is
 * two numberings, and nobody but the user can say which is meant. Kubernetes knows no count, so that goes by hand.
 */
static const struct source {
    const char *index, *count; /* count NULL: the index is I/N */
    const char *first, *step;  /* what the lowest index is, and from one to the next; NULL: 0, 1 */
    const char *one;           /* must be 1, or not set */
    const char *who;
} sources[] = {
    {"LOGINSTORM_SHARD", NULL, NULL, NULL, NULL, "by hand"},
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", NULL, NULL, NULL, "Open MPI"},
    {"PMI_RANK", "PMI_SIZE", NULL, NULL, NULL, "MPICH and its kin"},
    {"SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_COUNT", "SLURM_ARRAY_TASK_MIN",
     "SLURM_ARRAY_TASK_STEP", "SLURM_NTASKS", "an array of Slurm"},
    {"SLURM_PROCID", "SLURM_NTASKS", NULL, NULL, NULL, "Slurm"},
    {"JOB_COMPLETION_INDEX", "LOGINSTORM_SHARDS", NULL, NULL, NULL, "an indexed job of Kubernetes"},
};
#define SOURCES (sizeof sources / sizeof sources[0])

/* Digits alone, up to the character `end`. */
static bool read_number(const char *text, char end, int *out)
{
    char *rest;
    long value;

    if (*text < '0' || *text > '9') {
        return false;
    }
    errno = 0;
    value = strtol(text, &rest, 10);
    *out = value > INT32_MAX || errno != 0 ? INT32_MAX : (int)value;
    return *rest == end;
}

static enum ls_code check_range(const struct ls_shard *shard, const char *what,
                                struct ls_error *err)
{
    if (shard->count < 1 || shard->count > SHARDS_MOST) {
        return ls_error_set(err, LS_EUSAGE, "%s: %d shards are out of range (1 to %d)", what,
                            shard->count, SHARDS_MOST);
    }
    if (shard->index < 1 || shard->index > shard->count) {
        return ls_error_set(err, LS_EUSAGE,
                            "%s: there is no shard %d of %d: they are counted from 1 to %d", what,
                            shard->index, shard->count, shard->count);
    }
    return LS_OK;
}

static enum ls_code parse_pair(struct ls_shard *shard, const char *text, const char *what,
                               struct ls_error *err)
{
    const char *slash = strchr(text, '/');

    if (slash == NULL || !read_number(text, '/', &shard->index) ||
        !read_number(slash + 1, '\0', &shard->count)) {
        return ls_error_set(err, LS_EUSAGE, "%s: \"%.60s\" is no shard like 1/4, the first of four",
                            what, text);
    }
    return check_range(shard, what, err);
}

static const char *said(const char *(*get)(const char *), const char *name)
{
    const char *value = name == NULL ? NULL : get(name);

    return value == NULL || value[0] == '\0' ? NULL : value;
}

/* A number of the environment, or `otherwise` where that is not set. */
static enum ls_code take(int *out, const char *name, const char *(*get)(const char *),
                         int otherwise, struct ls_error *err)
{
    const char *text = said(get, name);

    *out = otherwise;
    if (text != NULL && !read_number(text, '\0', out)) {
        return ls_error_set(err, LS_EUSAGE, "--shard auto: %s is \"%.60s\", and no number", name,
                            text);
    }
    return LS_OK;
}

static enum ls_code number_of(struct ls_shard *shard, const struct source *source, int index,
                              int first, int step, struct ls_error *err)
{
    char what[128];

    if (step < 1 || index < first || (index - first) % step != 0) {
        return ls_error_set(err, LS_EUSAGE,
                            "--shard auto: %s is %d, which is none of %s's from %d in steps of %d",
                            source->index, index, source->who, first, step);
    }
    index = (index - first) / step;
    if (index >= shard->count) {
        return ls_error_set(err, LS_EUSAGE,
                            "--shard auto: %s is beyond the %d that %s has by %s: say --shard I/N",
                            source->index, shard->count, source->who, source->count);
    }
    shard->index = index + 1;
    (void)snprintf(what, sizeof what, "--shard auto: %s", source->count);
    return check_range(shard, what, err);
}

static enum ls_code take_source(struct ls_shard *shard, const struct source *source,
                                const char *text, const char *(*get)(const char *),
                                struct ls_error *err)
{
    int index, first, step, one;
    enum ls_code code;

    if (source->count == NULL) {
        return parse_pair(shard, text, source->index, err);
    }
    if (said(get, source->count) == NULL) {
        return ls_error_set(err, LS_EUSAGE,
                            "--shard auto: %s is set, but not %s, which says how many there are",
                            source->index, source->count);
    }
    code = take(&index, source->index, get, 0, err);
    if (code == LS_OK) {
        code = take(&shard->count, source->count, get, 0, err);
    }
    if (code == LS_OK) {
        code = take(&first, source->first, get, 0, err);
    }
    if (code == LS_OK) {
        code = take(&step, source->step, get, 1, err);
    }
    if (code == LS_OK) {
        code = take(&one, source->one, get, 1, err);
    }
    if (code == LS_OK && one != 1) {
        code = ls_error_set(err, LS_EUSAGE,
                            "--shard auto: each job of the array has %d tasks by %s, so that it is "
                            "not clear what is counted: say --shard I/N",
                            one, source->one);
    }
    return code == LS_OK ? number_of(shard, source, index, first, step, err) : code;
}

static enum ls_code refuse_auto(struct ls_error *err)
{
    char names[256];
    size_t used = 0;

    for (size_t i = 0; i < SOURCES && used < sizeof names; i++) {
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s",
                                 i == 0             ? ""
                                 : i + 1 == SOURCES ? " or "
                                                    : ", ",
                                 sources[i].index);
    }
    return ls_error_set(err, LS_EUSAGE,
                        "--shard auto: no launcher says which shard this is: none of %s is set; "
                        "say --shard I/N",
                        names);
}

enum ls_code shard_parse(struct ls_shard *shard, const char *text, const char *(*get)(const char *),
                         struct ls_error *err)
{
    *shard = (struct ls_shard){.count = 0};
    if (strcmp(text, "auto") != 0) {
        return parse_pair(shard, text, "--shard", err);
    }
    for (size_t i = 0; i < SOURCES; i++) {
        const char *index = said(get, sources[i].index);

        if (index != NULL) {
            return take_source(shard, &sources[i], index, get, err);
        }
    }
    return refuse_auto(err);
}

/* Seconds with up to nine decimals, up to the character `end`. */
static bool read_seconds(const char *text, char end, int64_t *ns)
{
    int64_t worth = LS_NS_PER_S / 10;
    char *rest;
    long long seconds;

    if (text[0] < '0' || text[0] > '9') {
        return false;
    }
    seconds = strtoll(text, &rest, 10);
    if (seconds > INT64_MAX / LS_NS_PER_S - 1) {
        return false;
    }
    *ns = seconds * LS_NS_PER_S;
    if (*rest == '.') {
        for (rest++; *rest >= '0' && *rest <= '9' && worth > 0; rest++, worth /= 10) {
            *ns += (*rest - '0') * worth;
        }
    }
    return *rest == end && rest[-1] != '.';
}

static enum ls_code read_moment(int64_t *start_at_ns, const char *text, struct ls_error *err)
{
    if ((text[0] == '@' && read_seconds(text + 1, '\0', start_at_ns)) ||
        ls_moment_read(text, start_at_ns)) {
        return LS_OK;
    }
    return ls_error_set(err, LS_EUSAGE,
                        "--start-at: \"%.60s\" is no moment with its zone, like "
                        "2026-11-30T08:00:00+01:00, and no @SECONDS since 1970, like those of "
                        "`date -d '+2 minutes' +@%%s`",
                        text);
}

enum ls_code shard_check_ahead(int64_t start_at_ns, const char *text, int64_t now_ns,
                               struct ls_error *err)
{
    char late[32];

    if (start_at_ns <= now_ns) {
        ls_format_duration((now_ns - start_at_ns) / LS_NS_PER_S * LS_NS_PER_S, late, sizeof late);
        return ls_error_set(err, LS_EUSAGE, "--start-at: %.60s is past, by %s on this clock", text,
                            late);
    }
    return LS_OK;
}

enum ls_code shard_start(int64_t *start_at_ns, const char *text, int64_t now_ns,
                         struct ls_error *err)
{
    const enum ls_code code = read_moment(start_at_ns, text, err);

    return code == LS_OK ? shard_check_ahead(*start_at_ns, text, now_ns, err) : code;
}

/* The second and third word of a line. */
static bool read_measured(struct shard_told *told, const char *words)
{
    const bool behind = words[0] == '-';
    const char *error = strchr(words, ' ');

    if ((words[0] != '+' && !behind) || error == NULL ||
        !read_seconds(words + 1, ' ', &told->ahead_ns) ||
        !read_seconds(error + 1, '\0', &told->error_ns)) {
        return false;
    }
    told->ahead_ns = behind ? -told->ahead_ns : told->ahead_ns;
    told->is_measured = true;
    return true;
}

enum ls_code shard_read_told(struct shard_told *told, const char *line, struct ls_error *err)
{
    char moment[64];
    const size_t length = strcspn(line, " ");

    *told = (struct shard_told){.start_at_ns = 0};
    (void)snprintf(moment, sizeof moment, "%.*s", (int)length, line);
    if (line[length] == ' ' && !read_measured(told, line + length + 1)) {
        return ls_error_set(err, LS_EUSAGE,
                            "--start-at -: behind the moment of \"%.80s\" there is not how far the "
                            "clock here is ahead and how far that may be off, in seconds, like "
                            "+3.000012 0.000040",
                            line);
    }
    return read_moment(&told->start_at_ns, moment, err);
}

void shard_of_host(struct ls_shard *shard)
{
    struct timex clock = {.modes = 0};

    (void)snprintf(shard->version, sizeof shard->version, "%s", LS_VERSION);
    if (gethostname(shard->host, sizeof shard->host) != 0 || shard->host[0] == '\0') {
        (void)snprintf(shard->host, sizeof shard->host, "unknown");
    }
    shard->host[sizeof shard->host - 1] = '\0';
    shard->clock_error_ns = adjtimex(&clock) == TIME_ERROR || (clock.status & STA_UNSYNC) != 0
                                ? LS_NEVER_NS
                                : (int64_t)clock.maxerror * LS_NS_PER_US;
    shard->clock_ahead_ns = shard->clock_behind_ns = LS_NEVER_NS;
}

void shard_name(const struct ls_shard *shard, char *out, size_t size)
{
    (void)snprintf(out, size, "shard-%d-of-%d", shard->index, shard->count);
}
