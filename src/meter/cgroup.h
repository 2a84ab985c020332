/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_METER_CGROUP_H
#define LOGINSTORM_METER_CGROUP_H

/* A cgroup v2's cpu.stat: all that runs in it and ever did, in µs. One that is made anew (a service
 * that was restarted) begins at 0 again. */

#include "loginstorm/error.h"
#include "meter/spent.h"

struct cgroup {
    char path[4096]; /* of cpu.stat */
    struct spent last, total;
    int64_t restarts;
    int64_t shown_ns;       /* usage as last read, which `last` is beyond after a step back */
    int64_t back_ns;        /* by which it stepped back, in all */
    int64_t read_ns;        /* when it was last read */
    struct ls_error spoilt; /* it showed what cannot be: LS_OK otherwise */
};

/* path is the folder's, absolute or from where cgroup v2 is mounted. LS_EINPUT: there is none. */
LS_MUST_CHECK
enum ls_code cgroup_open(struct cgroup *cgroup, const char *path, struct ls_error *err);

/* LS_EUNREACHABLE: it is gone, or once went on by more than the machine's cores can burn. */
LS_MUST_CHECK
enum ls_code cgroup_read(struct cgroup *cgroup, struct spent *out, struct ls_error *err);

#endif
