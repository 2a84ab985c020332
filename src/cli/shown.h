/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_CLI_SHOWN_H
#define LOGINSTORM_CLI_SHOWN_H

/* The certificates of `loginstorm gateway`, made or from files, as its options say. */

#include <stdio.h>

#include "cli/options.h"
#include "loginstorm/error.h"
#include "loginstorm/tls.h"

struct shown_list {
    struct ls_identity *identities[SHOWN_MAX];
    size_t count;
};

/* The caller clears the list, after a failure too. LS_EUSAGE for what the options say. */
LS_MUST_CHECK
enum ls_code shown_make(struct shown_list *list, const struct options *options,
                        struct ls_error *err);
void shown_clear(struct shown_list *list);

/* All issuers that a client has to trust, as one PEM file. */
LS_MUST_CHECK
enum ls_code shown_write_trust(const struct shown_list *list, const char *path,
                               struct ls_error *err);

/* "ecdsa-p256", or of several "rsa-4096 for a.example, ecdsa-p256 for b.example". */
void shown_say(const struct shown_list *list, const struct options *options, FILE *out);

#endif
