/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/told.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "loginstorm/units.h"

static enum ls_code take_line(struct told *told, struct ls_error *err)
{
    enum ls_code code = shard_read_told(&told->said, told->line, err);
    int64_t here_ns, clock_ns;

    if (code != LS_OK) {
        return code;
    }
    here_ns = ls_wall_ns();
    clock_ns = here_ns - told->said.ahead_ns;
    code = shard_check_ahead(told->said.start_at_ns, told->line, clock_ns, err);
    if (code == LS_OK) {
        told->start = (struct ls_storm_start){
            .at_ns = told->said.start_at_ns, .clock_ns = clock_ns, .same_ns = ls_now_ns()};
    }
    return code;
}

enum ls_code told_read(struct told *told, int fd, struct ls_error *err)
{
    struct pollfd there = {.fd = fd, .events = POLLIN};

    while (told->start.at_ns == 0 && poll(&there, 1, 0) > 0) {
        char *to = told->line + told->used;
        const ssize_t got = read(fd, to, 1);

        if (got < 0 && (errno == EINTR || errno == EAGAIN)) {
            break;
        }
        if (got <= 0) {
            return ls_error_set(err, LS_EUSAGE,
                                "--start-at -: standard input ended before it said when");
        }
        if (*to == '\n') {
            *to = '\0';
            return take_line(told, err);
        }
        told->used++;
        if (told->used == sizeof told->line || *to == '\0') {
            return ls_error_set(err, LS_EUSAGE,
                                "--start-at -: standard input says something else than when");
        }
    }
    return LS_OK;
}
