/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "curve/logon.h"

#include <stdio.h>

#define TYPES_MAX 13
#define SYSTEM ((1U << 0) | (1U << 5))
#define INTERACTIVE ((1U << 2) | (1U << 7) | (1U << 10) | (1U << 11) | (1U << 12) | (1U << 13))

/* 0 to 13; -1: no type. */
static int type_of(struct slice text)
{
    int type = 0;

    if (text.size < 1 || text.size > 2) {
        return -1;
    }
    for (size_t i = 0; i < text.size; i++) {
        if (text.at[i] < '0' || text.at[i] > '9') {
            return -1;
        }
        type = type * 10 + (text.at[i] - '0');
    }
    return type <= TYPES_MAX ? type : -1;
}

static void say(struct logon_types *types)
{
    const bool is_one = (types->set & (types->set - 1)) == 0;
    size_t size = 0;
    const char *before = is_one ? "type " : "types ";

    for (int type = 0; type <= TYPES_MAX; type++) {
        if ((types->set & 1U << type) != 0 && size < sizeof types->words) {
            size += (size_t)snprintf(types->words + size, sizeof types->words - size, "%s%d",
                                     before, type);
            before = ", ";
        }
    }
}

enum ls_code logon_types_read(struct logon_types *types, const char *words, struct ls_error *err)
{
    const char *told = words == NULL ? LOGON_TYPES_DEFAULT : words;
    struct slice rest = {told, strlen(told)};

    *types = (struct logon_types){0};
    if (strcmp(told, "all interactive") == 0 || strcmp(told, "interactive") == 0) {
        types->set = INTERACTIVE;
    }
    while (types->set != INTERACTIVE && rest.at != NULL) {
        const int type = type_of(slice_trim(slice_cut(&rest, ',')));

        if (type < 0) {
            return ls_error_set(err, LS_EUSAGE,
                                "--count: \"%.40s\" is no list of logon types, like 10 or 10,7, "
                                "nor \"all interactive\"",
                                told);
        }
        if ((SYSTEM & 1U << type) != 0) {
            return ls_error_set(err, LS_EUSAGE,
                                "--count: logons of type %d are the system's own, nobody's logins",
                                type);
        }
        types->set |= 1U << type;
    }
    say(types);
    return LS_OK;
}

const char *logon_refuse(const struct logon *logon, const struct logon_types *types)
{
    const int type = type_of(logon->type);

    if (type >= 0 && (SYSTEM & 1U << type) != 0) {
        return "a logon of the system itself (type 0 or 5)";
    }
    if (type < 0 || (types->set & 1U << type) == 0) {
        return "another logon type";
    }
    if (logon->user.size > 0 && logon->user.at[logon->user.size - 1] == '$') {
        return "a machine's account";
    }
    if (slice_is_like(logon->user, "ANONYMOUS LOGON")) {
        return "an anonymous logon";
    }
    return logon->is_virtual ? "an account that Windows made for itself (DWM, UMFD)" : NULL;
}
