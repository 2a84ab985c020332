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

/* "what: the library's text (number)"; that it is no memory when code is LS_ENOMEM. */
void fault_write(struct ls_error *err, enum ls_code code, int number, const char *what);

/* LS_ENOMEM or code. Here, so that an analyser of one file sees that it is never LS_OK. */
static inline enum ls_code fault(struct ls_error *err, enum ls_code code, int number,
                                 const char *what)
{
    if (fault_is_memory(number)) {
        code = LS_ENOMEM;
    }
    fault_write(err, code, number, what);
    return code;
}

#endif
