/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/request.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loginstorm/name.h"

#define COMMON_NAME_MAX 64

/* What certreq calls them; a kind that is not here cannot be had of ADCS. */
static const struct {
    const char *algorithm, *hash;
    const char *usage; /* digitalSignature, with RSA keyEncipherment too */
    enum ls_key key;
    int bits;
} kinds[] = {
    {"RSA", "SHA256", "0xa0", LS_KEY_RSA_2048, 2048},
    {"RSA", "SHA256", "0xa0", LS_KEY_RSA_3072, 3072},
    {"RSA", "SHA256", "0xa0", LS_KEY_RSA_4096, 4096},
    {"ECDSA_P256", "SHA256", "0x80", LS_KEY_ECDSA_P256, 256},
    {"ECDSA_P384", "SHA384", "0x80", LS_KEY_ECDSA_P384, 384},
    {"ECDSA_P521", "SHA512", "0x80", LS_KEY_ECDSA_P521, 521},
};

/* Quotes, separators and variables (%name%) of the file itself. */
static enum ls_code check_name(const char *name, struct ls_error *err)
{
    return name[strcspn(name, "\"&%=;,")] == '\0'
               ? LS_OK
               : ls_error_set(err, LS_EINPUT,
                              "server_name: \"%s\" has a character that no .inf file can carry",
                              name);
}

static void put(FILE *stream, size_t kind, const char *first, const char *const *names)
{
    (void)fprintf(stream, "; certreq -new THIS.inf REQUEST.csr, then certreq -submit REQUEST.csr "
                          "CERTIFICATE.cer, then certreq "
                          "-accept CERTIFICATE.cer\r\n"
                          "[Version]\r\nSignature = \"$Windows NT$\"\r\n\r\n[NewRequest]\r\n");
    if (strlen(first) <= COMMON_NAME_MAX) {
        (void)fprintf(stream, "Subject = \"CN=%s\"\r\n", first);
    } else {
        (void)fprintf(stream, "Subject = \"O=loginstorm\"\r\n");
    }
    (void)fprintf(stream,
                  "RequestType = PKCS10\r\nKeyAlgorithm = %s\r\nKeyLength = %d\r\nKeyUsage = %s\r\n"
                  "HashAlgorithm = %s\r\nExportable = TRUE\r\nMachineKeySet = TRUE\r\n"
                  "ProviderName = \"Microsoft Software Key Storage Provider\"\r\n\r\n"
                  "[EnhancedKeyUsageExtension]\r\nOID = 1.3.6.1.5.5.7.3.1 ; server "
                  "authentication\r\n\r\n[Extensions]\r\n2.5.29.17 = \"{text}\"\r\n",
                  kinds[kind].algorithm, kinds[kind].bits, kinds[kind].usage, kinds[kind].hash);
    for (; *names != NULL; names++) {
        (void)fprintf(stream, "_continue_ = \"%s=%s%s\"\r\n",
                      ls_name_is_address(*names) ? "ipaddress" : "dns", *names,
                      names[1] != NULL ? "&" : "");
    }
    (void)fprintf(stream, "\r\n[RequestAttributes]\r\nCertificateTemplate = WebServer\r\n");
}

enum ls_code request_inf(char **out, enum ls_key key, const char *const *names,
                         struct ls_error *err)
{
    const char *first = names[0];
    size_t kind = 0, size;
    FILE *stream;
    bool whole;

    *out = NULL;
    while (kind < sizeof kinds / sizeof kinds[0] && kinds[kind].key != key) {
        kind++;
    }
    if (kind == sizeof kinds / sizeof kinds[0] || first == NULL) {
        return LS_OK;
    }
    for (size_t i = 0; names[i] != NULL; i++) {
        const enum ls_code code = check_name(names[i], err);

        if (code != LS_OK) {
            return code;
        }
    }
    stream = open_memstream(out, &size);
    if (stream != NULL) {
        put(stream, kind, first, names);
        whole = ferror(stream) == 0;
        if (fclose(stream) == 0 && whole) {
            return LS_OK;
        }
        free(*out);
    }
    *out = NULL;
    return ls_error_set(err, LS_ENOMEM, "no memory for the .inf file");
}
