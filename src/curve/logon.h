/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_CURVE_LOGON_H
#define LOGINSTORM_CURVE_LOGON_H

/* What of Windows's logons (events 4624) is a person's login: by type and account, for every format
 * that has them. */

#include <stdbool.h>
#include <stdint.h>

#include "curve/slice.h"
#include "loginstorm/error.h"

#define LOGON_TYPES_DEFAULT "10"
#define LOGON_TYPES_WORDS "logon types, like 10 or 10,7; all interactive: 2,7,10,11,12,13"
#define LOGON_COUNTS "events 4624 of logon type 10, elevated twins once; a user is "

/* A set of types, 1 << type. */
struct logon_types {
    uint32_t set;
    char words[64]; /* "type 10", "types 7, 10", for the summary */
};

/* As --count says; NULL: the default. LS_EUSAGE. */
LS_MUST_CHECK
enum ls_code logon_types_read(struct logon_types *types, const char *words, struct ls_error *err);

struct logon {
    struct slice type, user;
    bool is_virtual; /* an account that Windows made for itself */
};

/* Why it is nobody's login, static; NULL: it is one. */
const char *logon_refuse(const struct logon *logon, const struct logon_types *types);

#endif
