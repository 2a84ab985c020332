/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TLS_FAULT_H
#define TLS_FAULT_H

/* The TLS library's numbers as errors of ours. */

#include "loginstorm/error.h"

/* LS_ENOMEM or LS_ETLS: "what: the library's text (number)". */
enum ls_code fault(struct ls_error *err, int number, const char *what);

#endif
