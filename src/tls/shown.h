/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TLS_SHOWN_H
#define TLS_SHOWN_H

/* What a server shows to a client that only looks: kept as PEM in end->shown, told by ls_tls_end_shown. */

#include "loginstorm/error.h"
#include "tls/end.h"

/* From now on the endpoint keeps what the server shows, and accepts it. */
void shown_listen(struct ls_tls_end *end);

/* Of a chain in PEM; in any case nothing in it is to be obeyed by a terminal. LS_EINPUT, LS_ENOMEM. */
LS_MUST_CHECK
enum ls_code shown_describe(struct ls_tls_shown *out, const char *pem, struct ls_error *err);

#endif
