/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_LIMIT_H
#define LOGINSTORM_LIMIT_H

/* What the machine lets one process have: found out before a start, since a storm that hits our own limit measures nothing. */

#include <stdbool.h>
#include <stdint.h>

#include "loginstorm/error.h"

/*
 * Sees to it that this process, and those that it starts, may have so many connections open beside what every process has
 * open: raises the limit of open files where that is needed and allowed. who is the sentence's beginning: "this storm".
 * LS_ELIMIT says what to do.
 */
LS_MUST_CHECK
enum ls_code ls_limit_open_files(int64_t connections, const char *who, struct ls_error *err);

/*
 * Keeps this process, and those that it starts, on one core (0, 1, ...); negative: wherever the system likes. LS_EINPUT when
 * there is no such core, or this process may not use it; where is the sentence's beginning, where the core was asked for.
 */
LS_MUST_CHECK
enum ls_code ls_limit_to_core(int64_t core, const char *where, struct ls_error *err);

/* How many connections this process could be let have open, by the two rules above: without raising anything. */
int64_t ls_limit_open_files_most(void);

/*
 * Local ports that the kernel gives to connections of one source address to one target address: net.ipv4.ip_local_port_range
 * (for IPv6, too) without net.ipv4.ip_local_reserved_ports. Where /proc says nothing they are as usual. root is where /proc lies
 * in: "" is this system.
 */
int64_t ls_limit_ports(const char *root);

/* How long a port is taken after its connection was closed by this side: 60 s (a constant of Linux), or a second where the
 * kernel may give it out again (net.ipv4.tcp_tw_reuse), as it does for loopback as it is installed. */
int64_t ls_limit_time_wait_ns(const char *root, bool loopback);

#endif
