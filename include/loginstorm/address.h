/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_ADDRESS_H
#define LOGINSTORM_ADDRESS_H

/*
 * IP addresses, of version 4 and 6: those of gateways, exporters and of what listens here. Whether a name is
 * one is name.h's.
 */

#include <stdbool.h>
#include <stddef.h>
#include <sys/socket.h>

/* "192.0.2.1" or "2001:db8::1", with port 0; false when text is no address. */
bool ls_address_parse(struct sockaddr_storage *out, const char *text);

/* Of this machine itself: 127.0.0.0/8, or ::1. */
bool ls_address_is_loopback(const struct sockaddr_storage *address);

/* The same machine, whatever the port. */
bool ls_address_is_same(const struct sockaddr_storage *a, const struct sockaddr_storage *b);

/* "192.0.2.1" or "2001:db8::1". */
#define LS_ADDRESS_SIZE 46
void ls_address_text(const struct sockaddr_storage *address, char out[LS_ADDRESS_SIZE]);

/* "192.0.2.1:443" or "[2001:db8::1]:443". */
#define LS_ADDRESS_PORT_SIZE (LS_ADDRESS_SIZE + 8)
void ls_address_port_text(const struct sockaddr_storage *address, char out[LS_ADDRESS_PORT_SIZE]);

#endif
