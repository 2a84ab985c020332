/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_LIVE_ADDRESS_H
#define LOGINSTORM_LIVE_ADDRESS_H

/* Where the live page listens, and by which names it may be asked for. */

#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

#include "loginstorm/error.h"

/* An address as ls_live_wish has it. LS_EUSAGE. */
LS_MUST_CHECK
enum ls_code address_parse(struct sockaddr_storage *address, const char *text,
                           struct ls_error *err);

/* Listens there, without blocking; *address has the real port then. LS_ECREATE, LS_ESYSTEM. */
LS_MUST_CHECK
enum ls_code address_listen(int *fd, struct sockaddr_storage *address, struct ls_error *err);

/* "http://127.0.0.1:8090/"; of an address that means all of them, by the loopback one. size >= 80. */
void address_url(const struct sockaddr_storage *address, char *out, size_t size);

/*
 * Whether a request's Host is this host as a browser on it says it: a name of somebody else's domain that was made to lead to
 * 127.0.0.1 would let that somebody's page read ours (DNS rebinding). host may be NULL: no browser.
 */
bool address_is_own_host(const char *host);

#endif
