/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_PUBLISHED_H
#define LOGINSTORM_PUBLISHED_H

/*
 * What somebody else measured with a certificate of the same kind, to be shown beside what is
 * measured here. It comes in with the scenario, goes through the result, and is only ever printed:
 * nothing is worked out of it but its own gains and ratios.
 *
 *     scenario -> result -> report
 */

#include <stdint.h>

/* A figure that was not published is negative. source is NULL when nothing was. */
struct ls_published {
    char *source;              /* who, when, with what; owned by whoever owns the struct */
    int64_t handshake_mean_ns; /* TCP to TLS, one login after another (curl) */
    double rate_per_s;         /* logins (ab's requests) a second of a closed loop */
    int64_t secured_p50_ns;    /* there, from the start to the TLS handshake's end (ab's Connect) */
    int64_t login_p50_ns, login_p100_ns; /* there, from the start to the answer (ab's Total) */
    int64_t client_hello_bytes, server_flight_bytes;
};

#endif
