/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "loginstorm/record.h"

#include <string.h>

static const struct {
    const char *word;
    bool ours;
    const char *text;
} reasons[LS_REASON_COUNT] = {
#define LS_REASON_ROW(name, word, ours, text) {word, ours, text},
    LS_REASONS(LS_REASON_ROW)
#undef LS_REASON_ROW
};

/* A reason may come out of another process's memory: a number that is none names itself so, and
 * counts as ours, since no gateway can have caused it. */
static bool known(enum ls_reason reason)
{
    return (unsigned)reason < LS_REASON_COUNT;
}

const char *ls_reason_word(enum ls_reason reason)
{
    return known(reason) ? reasons[reason].word : "unknown";
}

const char *ls_reason_text(enum ls_reason reason)
{
    return known(reason) ? reasons[reason].text : "a reason that loginstorm does not know";
}

bool ls_reason_ours(enum ls_reason reason)
{
    return known(reason) ? reasons[reason].ours : true;
}

bool ls_reason_find(const char *word, enum ls_reason *reason)
{
    for (unsigned i = 0; i < LS_REASON_COUNT; i++) {
        if (strcmp(reasons[i].word, word) == 0) {
            *reason = (enum ls_reason)i;
            return true;
        }
    }
    return false;
}
