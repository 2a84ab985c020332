/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tls/names.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "loginstorm/name.h"
#include "loginstorm/tls.h"
#include "tls/chain.h"
#include "tls/text.h"

static char *text_of(const DNS_entry *entry)
{
    char address[INET6_ADDRSTRLEN];

    if (entry->type != ASN_IP_TYPE) {
        return text_copy(entry->name, (size_t)entry->len);
    }
    if (inet_ntop(entry->len == 4 ? AF_INET : AF_INET6, entry->name, address, sizeof address) ==
        NULL) {
        return NULL;
    }
    return text_copy(address, strlen(address));
}

static bool counts(const DNS_entry *entry)
{
    return entry->type == ASN_DNS_TYPE ||
           (entry->type == ASN_IP_TYPE && (entry->len == 4 || entry->len == 16));
}

static enum ls_code gather(char ***out, const DecodedCert *cert, struct ls_error *err)
{
    size_t count = 1, used = 0;
    char **names;
    bool complete = true;

    for (const DNS_entry *entry = cert->altNames; entry != NULL; entry = entry->next) {
        count += counts(entry);
    }
    names = calloc(count + 1, sizeof *names);
    if (names == NULL) {
        return ls_error_set(err, LS_ENOMEM, "certificate's names: out of memory");
    }
    for (const DNS_entry *entry = cert->altNames; entry != NULL; entry = entry->next) {
        if (counts(entry)) {
            names[used] = text_of(entry);
            complete = complete && names[used++] != NULL;
        }
    }
    if (used == 0 && cert->subjectCN != NULL) {
        names[used] = text_copy(cert->subjectCN, (size_t)cert->subjectCNLen);
        complete = names[used] != NULL;
    }
    if (!complete) {
        for (size_t i = 0; i < count; i++) {
            free(names[i]);
        }
        free(names);
        return ls_error_set(err, LS_ENOMEM, "certificate's names: out of memory");
    }
    *out = names;
    return LS_OK;
}

enum ls_code names_of(char ***out, const char *chain, struct ls_error *err)
{
    struct chain certificates;
    enum ls_code code = chain_parse(&certificates, "certificate chain", chain, err);

    if (code != LS_OK) {
        return code;
    }
    code = gather(out, certificates.links[0].cert, err);
    chain_free(&certificates);
    return code;
}

void names_free(char **names)
{
    for (char **name = names; name != NULL && *name != NULL; name++) {
        free(*name);
    }
    free(names);
}

bool names_hold(char *const *names, const char *asked)
{
    char text[INET6_ADDRSTRLEN];
    unsigned char address[16];

    /* There are many ways to write one and the same. */
    if (inet_pton(AF_INET6, asked, address) == 1 &&
        inet_ntop(AF_INET6, address, text, sizeof text) != NULL) {
        asked = text;
    }
    while (*names != NULL && strcasecmp(*names, asked) != 0) {
        names++;
    }
    return *names != NULL;
}

bool names_fit(char *const *names, const char *asked)
{
    const char *dot = strchr(asked, '.');

    if (names_hold(names, asked)) {
        return true;
    }
    if (dot == NULL || dot == asked || ls_name_is_address(asked)) {
        return false;
    }
    while (*names != NULL && (strncmp(*names, "*.", 2) != 0 || strcasecmp(*names + 1, dot) != 0)) {
        names++;
    }
    return *names != NULL;
}

enum ls_code ls_identity_fits(const struct ls_identity *identity, const char *name, bool *fits,
                              struct ls_error *err)
{
    char **names;
    const enum ls_code code = names_of(&names, identity->chain, err);

    if (code == LS_OK) {
        *fits = names_fit(names, name);
        names_free(names);
    }
    return code;
}
