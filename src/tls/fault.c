/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tls/fault.h"

#include <wolfssl/ssl.h>
#include <wolfssl/wolfcrypt/error-crypt.h>

enum ls_code fault(struct ls_error *err, int number, const char *what)
{
    if (number == MEMORY_E || number == MEMORY_ERROR) {
        return ls_error_set(err, LS_ENOMEM, "%s: out of memory", what);
    }
    return ls_error_set(err, LS_ETLS, "%s: %s (%d)", what,
                        wolfSSL_ERR_reason_error_string((unsigned long)number), number);
}
