/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TLS_FAULT_H
#define TLS_FAULT_H

/*
 * The TLS library's numbers as errors of ours. It often calls a refused allocation something else
 * (a bad value, a missing extension), and what is our own lack of memory must not be booked as a
 * peer's failure. malloc leaves ENOMEM in errno, so every call into the room begins with
 * fault_forget.
 */

#include <stdbool.h>

#include "loginstorm/error.h"

void fault_forget(void);
bool fault_is_memory(int number);

/* LS_ENOMEM or code: "what: the library's text (number)". */
enum ls_code fault(struct ls_error *err, enum ls_code code, int number, const char *what);

#endif
