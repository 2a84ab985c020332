/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "meter/counters.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "loginstorm/units.h"
#include "meter/advance.h"
#include "meter/exposition.h"

#define LABEL_MAX 256
#define KEY_MAX (2 * LABEL_MAX + 2)
#define NAMES_MAX 160

/* Which metrics tell CPU time, of what, and by which labels a counter is known. */
static const struct family {
    const char *name;
    bool of_process;
    const char *who;   /* the label that is held to the process's name */
    const char *key;   /* the label that tells one counter from another beside its mode */
    const char *modes; /* those that count, or with ! in front those that do not */
    const char *system;
} families[] = {
    {"namedprocess_namegroup_cpu_seconds_total", true, "groupname", "groupname", " user system ",
     " system "},
    {"windows_process_cpu_time_total", true, "process", "process_id", " user privileged ",
     " privileged "},
    {"node_cpu_seconds_total", false, NULL, "cpu", "! idle iowait steal ", " system irq softirq "},
    {"windows_cpu_time_total", false, NULL, "core", " user privileged ", " privileged "},
};
#define FAMILIES (sizeof families / sizeof families[0])

static bool is_among(const char *words, const char *word)
{
    char wanted[LABEL_MAX + 2];

    (void)snprintf(wanted, sizeof wanted, " %s ", word);
    return word[0] != '\0' && strchr(word, ' ') == NULL && strstr(words, wanted) != NULL;
}

static bool counts(const struct family *family, const char *mode)
{
    return family->modes[0] == '!' ? !is_among(family->modes + 1, mode)
                                   : is_among(family->modes, mode);
}

/* windows_exporter says w3wp_DefaultAppPool where a worker of IIS has an application pool, and
 * Windows itself numbers those of one name. ".exe" is in no label. */
static bool is_process(const struct family *family, const char *label, const char *process)
{
    size_t length;

    if (process == NULL) {
        return false;
    }
    length = strlen(process);
    if (strcmp(family->who, "process") != 0) {
        return strcmp(label, process) == 0;
    }
    if (length > 4 && strcasecmp(process + length - 4, ".exe") == 0) {
        length -= 4;
    }
    if (strncasecmp(label, process, length) != 0) {
        return false;
    }
    return label[length] == '\0' || label[length] == '#' ||
           (label[length] == '_' && length == 4 && strncasecmp(process, "w3wp", 4) == 0);
}

static uint64_t hash_of(const char *key)
{
    uint64_t hash = UINT64_C(14695981039346656037);

    while (*key != '\0') {
        hash = (hash ^ (unsigned char)*key++) * UINT64_C(1099511628211);
    }
    return hash;
}

static struct counter *slot_of(struct counter *slots, size_t capacity, const char *key)
{
    size_t at = (size_t)hash_of(key) & (capacity - 1);

    while (slots[at].key != NULL && strcmp(slots[at].key, key) != 0) {
        at = (at + 1) & (capacity - 1);
    }
    return &slots[at];
}

static enum ls_code grow(struct counters *counters, struct ls_error *err)
{
    const size_t capacity = counters->capacity == 0 ? 64 : counters->capacity * 2;
    struct counter *slots = calloc(capacity, sizeof *slots);

    if (slots == NULL) {
        return ls_error_set(err, LS_ENOMEM, "no memory for %zu counters of the exporter", capacity);
    }
    for (size_t i = 0; i < counters->capacity; i++) {
        if (counters->slots[i].key != NULL) {
            *slot_of(slots, capacity, counters->slots[i].key) = counters->slots[i];
        }
    }
    free(counters->slots);
    counters->slots = slots;
    counters->capacity = capacity;
    return LS_OK;
}

static enum ls_code put(struct counters *counters, const char *key, int64_t value_ns,
                        bool is_system, struct ls_error *err)
{
    struct counter *slot;

    if (counters->count * 2 >= counters->capacity && grow(counters, err) != LS_OK) {
        return LS_ENOMEM;
    }
    slot = slot_of(counters->slots, counters->capacity, key);
    if (slot->key == NULL) {
        if (counters->count == COUNTERS_MAX) {
            return ls_error_set(err, LS_EINPUT, "the exporter has more than %d counters of CPU",
                                COUNTERS_MAX);
        }
        slot->key = strdup(key);
        if (slot->key == NULL) {
            return ls_error_set(err, LS_ENOMEM, "no memory for a counter of the exporter");
        }
        slot->last_ns = -1;
        slot->is_system = is_system;
        counters->count++;
    }
    if (slot->seen != counters->texts) {
        slot->seen = counters->texts;
        slot->now_ns = 0;
    }
    if (__builtin_add_overflow(slot->now_ns, value_ns, &slot->now_ns)) {
        return ls_error_set(err, LS_EINPUT, "the exporter tells more CPU time than there can be");
    }
    return LS_OK;
}

/* Seconds of a counter: what is not from 0 to 285 years is none. */
static bool seconds_ns(double seconds, int64_t *ns)
{
    if (!(seconds >= 0 && seconds < 9e9)) {
        return false;
    }
    *ns = (int64_t)(seconds * 1e9);
    return true;
}

/* What is found in a text on the way. */
struct found {
    const struct family *family; /* of those that we may read: the first of the table */
    size_t matches;              /* of its counters */
    char names[NAMES_MAX];       /* the processes that are there, some of them */
    double started_s, clock_s, booted_s;
};

static void note_name(struct found *found, const char *name)
{
    const size_t used = strlen(found->names), length = strlen(name);

    if (used + length + 3 < sizeof found->names && strstr(found->names, name) == NULL) {
        (void)snprintf(found->names + used, sizeof found->names - used, "%s%s",
                       used > 0 ? ", " : "", name);
    }
}

static void note_facts(struct found *found, const struct exposition_sample *sample)
{
    const struct {
        const char *name;
        double *value;
    } facts[] = {
        {"process_start_time_seconds", &found->started_s},
        {"node_time_seconds", &found->clock_s},
        {"node_boot_time_seconds", &found->booted_s},
    };

    for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++) {
        if (exposition_is(sample, facts[i].name) && sample->value > 0 && sample->value < 1e11) {
            *facts[i].value = sample->value;
        }
    }
}

static const struct family *family_of(const struct exposition_sample *sample, bool of_process)
{
    for (size_t i = 0; i < FAMILIES; i++) {
        if (families[i].of_process == of_process && exposition_is(sample, families[i].name)) {
            return &families[i];
        }
    }
    return NULL;
}

/* A first way through the text: whether it is one, and which metric is to be read. */
static enum ls_code survey(const struct counters *counters, const char *text, size_t size,
                           struct found *found, struct ls_error *err)
{
    struct exposition at = {.at = text, .end = text + size};
    struct exposition_sample sample;
    enum exposition_step step;

    while ((step = exposition_next(&at, &sample)) == EXPOSITION_SAMPLE) {
        const struct family *family = family_of(&sample, counters->process != NULL);
        char name[LABEL_MAX];

        note_facts(found, &sample);
        if (family == NULL) {
            continue;
        }
        if (family->who != NULL) {
            if (!exposition_label(&sample, family->who, name, sizeof name)) {
                continue;
            }
            note_name(found, name);
            if (!is_process(family, name, counters->process)) {
                continue;
            }
        }
        if (found->family == NULL || family < found->family) {
            found->family = family;
            found->matches = 0;
        }
        found->matches += family == found->family;
    }
    if (step == EXPOSITION_BROKEN) {
        return ls_error_set(err, LS_EINPUT,
                            "line %d of the exporter's answer is no metric: is that the address of "
                            "its metrics?",
                            at.line);
    }
    return LS_OK;
}

static enum ls_code refuse(const struct counters *counters, const struct found *found,
                           struct ls_error *err)
{
    if (counters->process == NULL) {
        return ls_error_set(err, LS_EINPUT,
                            "the exporter tells no CPU time: neither node_cpu_seconds_total nor "
                            "windows_cpu_time_total is in its answer");
    }
    if (found->names[0] != '\0') {
        return ls_error_set(err, LS_EINPUT,
                            "the exporter knows no process \"%.100s\"; it knows %s and so on",
                            counters->process, found->names);
    }
    return ls_error_set(
        err, LS_EINPUT,
        "the exporter tells no CPU time of processes: neither "
        "namedprocess_namegroup_cpu_seconds_total nor windows_process_cpu_time_total "
        "is in its answer (leave process out to take the whole machine)");
}

static enum ls_code take_counters(struct counters *counters, const struct family *family,
                                  const char *text, size_t size, struct ls_error *err)
{
    struct exposition at = {.at = text, .end = text + size};
    struct exposition_sample sample;
    enum ls_code code = LS_OK;

    counters->texts++;
    while (code == LS_OK && exposition_next(&at, &sample) == EXPOSITION_SAMPLE) {
        char name[LABEL_MAX] = "", mode[LABEL_MAX] = "", id[LABEL_MAX], key[KEY_MAX];
        int64_t value_ns;

        if (!exposition_is(&sample, family->name) ||
            !exposition_label(&sample, "mode", mode, sizeof mode) || !counts(family, mode)) {
            continue;
        }
        if (family->who != NULL && (!exposition_label(&sample, family->who, name, sizeof name) ||
                                    !is_process(family, name, counters->process))) {
            continue;
        }
        if (!exposition_label(&sample, family->key, id, sizeof id)) {
            (void)snprintf(id, sizeof id, "%s", name);
        }
        if (strstr(id, "_Total") != NULL) {
            continue; /* Windows' own sum */
        }
        if (!seconds_ns(sample.value, &value_ns)) {
            return ls_error_set(err, LS_EINPUT,
                                "line %d of the exporter's answer: %s (%s %.60s, %.30s) is %g, "
                                "which is no CPU time",
                                at.line, family->name, family->key, id, mode, sample.value);
        }
        (void)snprintf(key, sizeof key, "%s\n%s", id, mode);
        code = put(counters, key, value_ns, is_among(family->system, mode), err);
    }
    return code;
}

static enum ls_code spoil(struct counters *counters, const struct counter *counter,
                          const struct family *family, int64_t elapsed_ns, struct ls_error *err)
{
    const char *mode = strchr(counter->key, '\n');

    (void)ls_error_set(
        &counters->spoilt, LS_EINPUT,
        "the exporter's %s (%s %.*s, %.30s) went from %.3f to %.3f s in %.3g s, which no CPU can: "
        "it "
        "is "
        "not to be trusted",
        family->name, family->key, (int)(mode - counter->key > 60 ? 60 : mode - counter->key),
        counter->key, mode + 1, (double)(counter->last_ns < 0 ? 0 : counter->last_ns) / LS_NS_PER_S,
        (double)counter->now_ns / LS_NS_PER_S, (double)elapsed_ns / LS_NS_PER_S);
    *err = counters->spoilt;
    return LS_EINPUT;
}

/* What a counter went on by. One of a process that is new began at 0 when the process did; a core that
 * comes did not. */
static enum ls_code go_on(struct counters *counters, struct counter *counter,
                          const struct family *family, bool anew, int64_t answered_ns,
                          int64_t *step_ns, struct ls_error *err)
{
    const bool is_new = counter->last_ns < 0;
    const int64_t elapsed_ns = answered_ns - (is_new ? counters->asked_ns : counter->asked_ns);
    const int64_t cores = family->of_process ? ADVANCE_CORES_UNKNOWN : 1;

    enum advance advance;

    *step_ns = 0;
    if (counters->family == NULL || (is_new && !family->of_process)) {
        counter->last_ns = counter->now_ns;
        return LS_OK;
    }
    advance = advance_of(is_new || anew ? 0 : counter->last_ns, counter->now_ns, elapsed_ns, cores,
                         step_ns);
    if (advance == ADVANCE_CANNOT_BE) {
        return spoil(counters, counter, family, elapsed_ns, err);
    }
    if (advance == ADVANCE_ANEW || (anew && !is_new)) {
        counters->restarts++;
    } else if (!is_new && counter->now_ns < counter->shown_ns) {
        counters->back_ns += counter->shown_ns - counter->now_ns;
    }
    counter->last_ns = advance == ADVANCE_BACK ? counter->last_ns : counter->now_ns;
    return LS_OK;
}

static enum ls_code add_up(struct counters *counters, const struct family *family, bool anew,
                           const struct counters_when *when, struct ls_error *err)
{
    for (size_t i = 0; i < counters->capacity; i++) {
        struct counter *counter = &counters->slots[i];
        int64_t step_ns;

        if (counter->key == NULL || counter->seen != counters->texts) {
            continue;
        }
        if (go_on(counters, counter, family, anew, when->answered_ns, &step_ns, err) != LS_OK) {
            return LS_EINPUT;
        }
        counter->asked_ns = when->asked_ns;
        counter->shown_ns = counter->now_ns;
        if (__builtin_add_overflow(counters->total.cpu_ns, step_ns, &counters->total.cpu_ns)) {
            counters->total.cpu_ns = INT64_MAX;
            continue;
        }
        *(counter->is_system ? &counters->total.system_ns : &counters->total.user_ns) += step_ns;
    }
    return LS_OK;
}

enum ls_code counters_take(struct counters *counters, const char *text, size_t size,
                           const struct counters_when *when, struct ls_error *err)
{
    const struct spent before = counters->total;
    struct found found = {0};
    const struct family *family;
    bool anew;
    enum ls_code code;

    if (counters->spoilt.code != LS_OK) {
        *err = counters->spoilt;
        return err->code;
    }
    code = survey(counters, text, size, &found, err);
    if (code != LS_OK) {
        return code;
    }
    /* A process may be away for a while, but not all of them. */
    if (found.family == NULL && (counters->family == NULL || found.names[0] == '\0')) {
        return refuse(counters, &found, err);
    }
    family = found.family;
    for (size_t i = 0; counters->family != NULL && i < FAMILIES; i++) {
        family = families[i].name == counters->family ? &families[i] : family;
    }
    code = take_counters(counters, family, text, size, err);
    if (code != LS_OK) {
        return code;
    }
    /* Processes are counted by process-exporter itself, from when it began. */
    anew = strcmp(family->key, "groupname") == 0 && counters->exporter_started_s > 0 &&
           found.started_s > counters->exporter_started_s + 0.5;
    code = add_up(counters, family, anew, when, err);
    if (code != LS_OK) {
        counters->total = before;
        return code;
    }
    counters->family = family->name;
    counters->asked_ns = when->asked_ns;
    counters->exporter_started_s = found.started_s;
    counters->clock_s = found.clock_s;
    counters->booted_s = found.booted_s;
    return LS_OK;
}

void counters_free(struct counters *counters)
{
    for (size_t i = 0; i < counters->capacity; i++) {
        free(counters->slots[i].key);
    }
    free(counters->slots);
    *counters = (struct counters){.process = counters->process};
}
