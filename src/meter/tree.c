/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "meter/tree.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "loginstorm/meter.h"
#include "loginstorm/units.h"
#include "meter/stat.h"

/* Who was looked at and is not ours is not looked at again for so many readings: the machine may have
 * thousands of processes. A process that takes a name of ours by exec is found then. */
#define OTHERS_FOR 10
/* A busy machine has new ones at any time. */
#define WAYS_MAX 4
#define PIDS 4194304 /* the kernel's highest number of a process */

struct member {
    pid_t pid, parent;
    int64_t started_ns;
    struct ls_meter clock;
    int64_t cpu_ns, base_ns; /* by its clock */
    struct stat_line stat, base;
    int64_t reaped_base_ns; /* of the children in its account that is not the storm's */
    int64_t ended_ns;       /* of its children that ended, as last read */
    bool gone;
};

struct tree {
    pid_t pid;
    const char *name;
    int64_t begun_ns; /* since the machine's start */
    bool begun;
    struct member *members; /* alive */
    size_t count, capacity;
    unsigned char *others; /* a bit a process */
    int readings;
    int64_t gone_ns;                      /* of those that ended and have no parent here */
    int64_t gone_user_ns, gone_system_ns; /* of all that ended */
};

static int64_t boot_ns(void)
{
    struct timespec now = {0};

    (void)clock_gettime(CLOCK_BOOTTIME, &now);
    return (int64_t)now.tv_sec * LS_NS_PER_S + now.tv_nsec;
}

static struct member *find(const struct tree *tree, pid_t pid)
{
    for (size_t i = 0; i < tree->count; i++) {
        if (tree->members[i].pid == pid) {
            return &tree->members[i];
        }
    }
    return NULL;
}

static int64_t children_ns(const struct stat_line *stat)
{
    return stat->children_user_ns + stat->children_system_ns;
}

static int64_t ended(const struct member *member)
{
    const int64_t reaped_ns = children_ns(&member->stat) - member->reaped_base_ns;

    return reaped_ns > member->ended_ns ? reaped_ns : member->ended_ns;
}

static int64_t share(const struct member *member)
{
    return member->cpu_ns - member->base_ns + ended(member);
}

static enum ls_code add(struct tree *tree, pid_t pid, const struct stat_line *stat,
                        struct ls_error *err)
{
    struct member member = {
        .pid = pid, .parent = stat->parent, .started_ns = stat->started_ns, .stat = *stat};

    if (ls_meter_process(&member.clock, pid, NULL) != LS_OK ||
        ls_meter_cpu_ns(&member.clock, &member.cpu_ns) != LS_OK) {
        return LS_OK; /* gone meanwhile */
    }
    if (tree->count == tree->capacity) {
        const size_t capacity = tree->capacity == 0 ? 16 : tree->capacity * 2;
        struct member *members = realloc(tree->members, capacity * sizeof *members);

        if (members == NULL) {
            return ls_error_set(err, LS_ENOMEM, "no memory for the clocks of %zu processes",
                                capacity);
        }
        tree->members = members;
        tree->capacity = capacity;
    }
    /* What it had spent before it was ours is not the storm's; one that is younger than the watch was
     * ours from its beginning. */
    if (!tree->begun || stat->started_ns < tree->begun_ns - 2 * LS_NS_PER_S / 100) {
        member.base_ns = member.cpu_ns;
        member.base = *stat;
        member.reaped_base_ns = children_ns(stat);
    }
    tree->members[tree->count++] = member;
    return LS_OK;
}

static bool is_ours(const struct tree *tree, pid_t pid, const struct stat_line *stat)
{
    const pid_t self = getpid();

    if (pid == self || stat->parent == self) {
        return false;
    }
    if (find(tree, stat->parent) != NULL) {
        return true;
    }
    if (tree->pid != 0) {
        return pid == tree->pid && !tree->begun;
    }
    return strncmp(stat->name, tree->name, STAT_NAME_MAX) == 0;
}

static bool is_other(const struct tree *tree, pid_t pid)
{
    return pid < PIDS && (tree->others[pid / 8] >> (pid % 8) & 1) != 0;
}

static void set_other(struct tree *tree, pid_t pid)
{
    if (pid < PIDS) {
        tree->others[pid / 8] |= (unsigned char)(1U << (pid % 8));
    }
}

/* One way through all processes. A child may stand before its parent, so it is done again as long as
 * one was found. */
static enum ls_code scan(struct tree *tree, bool *found, struct ls_error *err)
{
    DIR *folder = opendir("/proc");
    enum ls_code code = LS_OK;
    const struct dirent *entry;

    *found = false;
    if (folder == NULL) {
        return ls_error_set_errno(err, LS_ESYSTEM, "/proc");
    }
    while (code == LS_OK && (entry = readdir(folder)) != NULL) {
        const long pid = strtol(entry->d_name, NULL, 10);
        struct stat_line stat;

        if (pid <= 0 || is_other(tree, (pid_t)pid) || find(tree, (pid_t)pid) != NULL ||
            !stat_read((pid_t)pid, &stat)) {
            continue;
        }
        if (is_ours(tree, (pid_t)pid, &stat)) {
            const size_t before = tree->count;

            code = add(tree, (pid_t)pid, &stat, err);
            *found = *found || tree->count > before;
        } else if (tree->begun) {
            set_other(tree, (pid_t)pid);
        }
    }
    (void)closedir(folder);
    return code;
}

/* Its account goes to its parent, whose own account of children has it soon, or has it already. */
static void fold(struct tree *tree, const struct member *member)
{
    struct member *parent = find(tree, member->parent);

    tree->gone_user_ns += member->stat.user_ns - member->base.user_ns;
    tree->gone_system_ns += member->stat.system_ns - member->base.system_ns;
    if (parent == NULL || parent->gone) {
        tree->gone_ns += share(member);
        return;
    }
    parent->ended_ns += share(member);
    parent->reaped_base_ns += member->base_ns + member->reaped_base_ns;
}

/* First the accounts of children, then the clocks: one that is waited for in between is in neither
 * rather than in both. */
static void read_members(struct tree *tree)
{
    size_t left = 0;

    for (size_t i = 0; i < tree->count; i++) {
        struct member *member = &tree->members[i];
        struct stat_line stat;

        if (!stat_read(member->pid, &stat) || stat.started_ns != member->started_ns) {
            member->gone = true;
        } else {
            member->stat = stat;
            member->parent = stat.parent;
        }
    }
    for (size_t i = 0; i < tree->count; i++) {
        struct member *member = &tree->members[i];
        int64_t cpu_ns;

        if (!member->gone && ls_meter_cpu_ns(&member->clock, &cpu_ns) == LS_OK) {
            member->cpu_ns = cpu_ns > member->cpu_ns ? cpu_ns : member->cpu_ns;
        } else {
            member->gone = true;
        }
    }
    /* Children before parents: what stands later was found later. */
    for (size_t i = tree->count; i-- > 0;) {
        if (tree->members[i].gone) {
            fold(tree, &tree->members[i]);
        }
    }
    for (size_t i = 0; i < tree->count; i++) {
        if (!tree->members[i].gone) {
            tree->members[left++] = tree->members[i];
        }
    }
    tree->count = left;
}

static enum ls_code look(struct tree *tree, struct ls_error *err)
{
    enum ls_code code = LS_OK;
    bool found = true;

    if (tree->readings++ % OTHERS_FOR == 0) {
        memset(tree->others, 0, PIDS / 8);
    }
    for (int i = 0; code == LS_OK && found && i < WAYS_MAX; i++) {
        code = scan(tree, &found, err);
    }
    return code;
}

enum ls_code tree_new(struct tree **out, pid_t pid, const char *name, struct ls_error *err)
{
    struct tree *tree = calloc(1, sizeof *tree);
    enum ls_code code;

    *out = NULL;
    if (tree == NULL || (tree->others = calloc(1, PIDS / 8)) == NULL) {
        free(tree);
        return ls_error_set(err, LS_ENOMEM, "no memory for the clocks of processes");
    }
    tree->pid = pid;
    tree->name = name;
    code = look(tree, err);
    if (code == LS_OK && tree->count == 0) {
        code = pid != 0
                   ? ls_error_set(err, LS_EINPUT, "no process %d runs on this machine", (int)pid)
                   : ls_error_set(err, LS_EINPUT,
                                  "no process of the name \"%s\" runs on this machine (see ps "
                                  "-eo comm)",
                                  name);
    }
    if (code != LS_OK) {
        tree_free(tree);
        return code;
    }
    tree->begun = true;
    tree->begun_ns = boot_ns();
    *out = tree;
    return LS_OK;
}

void tree_free(struct tree *tree)
{
    if (tree != NULL) {
        free(tree->members);
        free(tree->others);
        free(tree);
    }
}

enum ls_code tree_read(struct tree *tree, struct spent *out, struct ls_error *err)
{
    int64_t user_ns, system_ns;
    const enum ls_code code = look(tree, err);

    if (code != LS_OK) {
        return code;
    }
    read_members(tree);
    user_ns = tree->gone_user_ns;
    system_ns = tree->gone_system_ns;
    out->cpu_ns = tree->gone_ns;
    for (size_t i = 0; i < tree->count; i++) {
        const struct member *member = &tree->members[i];

        out->cpu_ns += share(member);
        user_ns += member->stat.user_ns - member->base.user_ns;
        system_ns += member->stat.system_ns - member->base.system_ns;
    }
    /* Ticks tell the two apart, the clocks say how much there is. */
    out->user_ns = out->system_ns = -1;
    if (user_ns + system_ns > 0) {
        out->user_ns =
            (int64_t)((double)out->cpu_ns * (double)user_ns / (double)(user_ns + system_ns));
        out->system_ns = out->cpu_ns - out->user_ns;
    }
    return LS_OK;
}

size_t tree_count(const struct tree *tree)
{
    return tree->count;
}
