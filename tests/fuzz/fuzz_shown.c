/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A certificate that a gateway of others shows: any bytes. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tls/key.h"
#include "tls/shown.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool holds)
{
    if (!holds) {
        abort();
    }
}

static void check_text(const char *text, size_t size)
{
    check(strlen(text) < size);
    for (; *text != '\0'; text++) {
        check(*text >= ' ' && *text < 0x7f);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ls_tls_shown shown;
    struct ls_error err;
    char *pem;

    if (size == 0 || pem_of_der(&pem, data, (int)size, CERT_TYPE, &err) != LS_OK) {
        return 0;
    }
    if (shown_describe(&shown, pem, &err) == LS_OK) {
        check(shown.chain_length == 1);
        check_text(shown.key, sizeof shown.key);
        check_text(shown.names, sizeof shown.names);
        check_text(shown.issuer, sizeof shown.issuer);
    }
    free(pem);
    return 0;
}
