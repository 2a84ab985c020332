/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_CLI_REQUEST_H
#define LOGINSTORM_CLI_REQUEST_H

#include "loginstorm/scenario.h"

/*
 * The .inf file by which certreq makes a key on a Windows machine and the request for it: text with
 * CRLF on the heap. *out is NULL for a key kind that a Windows CA does not sign. names is NULL-ended
 * with at least one; LS_EINPUT for a name that such a file cannot carry.
 */
LS_MUST_CHECK
enum ls_code request_inf(char **out, enum ls_key key, const char *const *names,
                         struct ls_error *err);

#endif
