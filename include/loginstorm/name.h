/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_NAME_H
#define LOGINSTORM_NAME_H

/*
 * What can be the name of a server: one rule for scenarios, certificates and the command line.
 *
 * An IPv4 or IPv6 address, or a host name of at most 253 characters (RFC 1035, RFC 1123, and RFC 3696 for its last part): parts
 * of 1 to 63 letters, digits, dashes and underscores between dots, no dash at an end of a part, the last part not of digits alone.
 */

#include <stdbool.h>

enum ls_name_use {
    LS_NAME_SHOWN,   /* in a certificate: "*." may stand in front */
    LS_NAME_ASKED,   /* what a client asks for */
    LS_NAME_CHECKED, /* what a client holds against a certificate: it has a dot, or is localhost */
};

/* What is wrong with it and what to do, as the rest of a sentence that begins with the name; static. NULL: nothing. */
const char *ls_name_refusal(const char *name, enum ls_name_use use);

/* Whether it is an IPv4 or IPv6 address as text, without a port or brackets. */
bool ls_name_is_address(const char *name);

#endif
