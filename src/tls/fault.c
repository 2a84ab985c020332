/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tls/fault.h"

#include <errno.h>
#include <wolfssl/error-ssl.h>
#include <wolfssl/ssl.h>
#include <wolfssl/wolfcrypt/error-crypt.h>

void fault_forget(void)
{
    errno = 0;
}

bool fault_is_memory(int number)
{
    return number == MEMORY_E || number == MEMORY_ERROR || errno == ENOMEM;
}

void fault_write(struct ls_error *err, enum ls_code code, int number, const char *what)
{
    if (code == LS_ENOMEM) {
        (void)ls_error_set(err, code, "%s: out of memory", what);
    } else {
        (void)ls_error_set(err, code, "%s: %s (%d)", what,
                           wolfSSL_ERR_reason_error_string((unsigned long)number), number);
    }
}
