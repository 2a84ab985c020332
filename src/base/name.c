/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "loginstorm/name.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <stddef.h>
#include <string.h>

#define NAME_MAX_BYTES 253
#define LABEL_MAX_BYTES 63

bool ls_name_is_address(const char *name)
{
    unsigned char address[16];

    return inet_pton(AF_INET, name, address) == 1 || inet_pton(AF_INET6, name, address) == 1;
}

static const char *refuse_letters(const char *name)
{
    for (const char *c = name; *c != '\0'; c++) {
        if ((unsigned char)*c >= 0x80) {
            return "has letters beyond ASCII; write the form that begins with xn--, which `idn2 "
                   "NAME` prints";
        }
    }
    for (const char *c = name; *c != '\0'; c++) {
        if (strchr(":/@[]", *c) != NULL) {
            return "is neither a host name nor an address; write it alone, without brackets, "
                   "scheme, "
                   "port or path";
        }
        if (*c == '*') {
            return "has a star, which belongs at the front of a certificate's name, like "
                   "*.corp.example; nobody can ask for it";
        }
        if (!isalnum((unsigned char)*c) && *c != '-' && *c != '_' && *c != '.') {
            return "has a character that no host name has; letters, digits, dashes, underscores "
                   "and dots are possible";
        }
    }
    return NULL;
}

static const char *refuse_labels(const char *name)
{
    const char *label = name;

    for (;;) {
        const size_t size = strcspn(label, ".");
        const bool last = label[size] == '\0';

        if (size == 0) {
            return "has a dot at its front or end, or two in a row; write a name like "
                   "gw.corp.example";
        }
        if (size > LABEL_MAX_BYTES) {
            return "has more than 63 characters between two dots, which no host name has";
        }
        if (label[0] == '-' || label[size - 1] == '-') {
            return "has a dash at an end of one of its parts, which no host name has";
        }
        if (last) {
            return strspn(label, "0123456789") == size
                       ? "ends in a number without being an address; write all four numbers of the "
                         "address, each up to 255, or a name like gw.corp.example"
                       : NULL;
        }
        label += size + 1;
    }
}

/* The TLS library checks no certificate against others. */
static const char *refuse_check(const char *name)
{
    const char *dot = strrchr(name, '.');

    if (dot == NULL && strcmp(name, "localhost") != 0) {
        return "has no dot, so no certificate is checked against it; write the whole name, like "
               "gw.corp.example, or `verify: leaf`";
    }
    if (dot != NULL &&
        (strchr(dot, '_') != NULL || strpbrk(dot, "abcdefghijklmnopqrstuvwxyz"
                                                  "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == NULL)) {
        return "has a last part with an underscore or without a letter, so no certificate is "
               "checked against it; correct it, or write `verify: leaf`";
    }
    return NULL;
}

const char *ls_name_refusal(const char *name, enum ls_name_use use)
{
    const char *refusal;

    if (name[0] == '\0') {
        return "is empty; write a name like gw.corp.example";
    }
    if (strlen(name) > NAME_MAX_BYTES) {
        return "is longer than 253 characters, which no host name is";
    }
    if (ls_name_is_address(name)) {
        return NULL;
    }
    if (use == LS_NAME_SHOWN && strncmp(name, "*.", 2) == 0) {
        name += 2;
    }
    refusal = refuse_letters(name);
    if (refusal == NULL) {
        refusal = refuse_labels(name);
    }
    if (refusal == NULL && use == LS_NAME_CHECKED) {
        refusal = refuse_check(name);
    }
    return refusal;
}
