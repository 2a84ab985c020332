/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "curve/choose.h"

#include <stdio.h>
#include <string.h>

#include "curve/strange.h"
#include "loginstorm/near.h"

#define FORMATS_MAX 32

bool ls_import_format(struct ls_import_format *out, size_t index)
{
    size_t i = 0;

    while (i < index && formats[i] != NULL) {
        i++;
    }
    if (formats[i] == NULL) {
        return false;
    }
    *out = (struct ls_import_format){formats[i]->word, formats[i]->text, formats[i]->counts,
                                     formats[i]->words};
    return true;
}

static enum ls_code by_word(const struct format **out, const char *word, struct ls_error *err)
{
    const char *words[FORMATS_MAX];
    size_t count = 0;
    const char *nearest;

    for (; formats[count] != NULL && count < FORMATS_MAX; count++) {
        words[count] = formats[count]->word;
        if (strcmp(word, words[count]) == 0) {
            *out = formats[count];
            return LS_OK;
        }
    }
    nearest = ls_nearest(word, words, count);
    return ls_error_set(err, LS_EUSAGE, "--format: there is no \"%.40s\"%s%s%s", word,
                        nearest == NULL ? ": see `loginstorm import --help`" : "; did you mean \"",
                        nearest == NULL ? "" : nearest, nearest == NULL ? "" : "\"?");
}

enum ls_code choose_told(const struct format **out, const struct ls_import_wish *wish,
                         struct ls_error *err)
{
    if (wish->format != NULL) {
        return by_word(out, wish->format, err);
    }
    return wish->log_format != NULL ? by_word(out, "web", err) : LS_OK;
}

enum ls_code choose_found(const struct format **format, struct ls_import_summary *summary,
                          const struct ls_import_wish *wish, const char *path, const char *head,
                          size_t size, struct ls_error *err)
{
    const struct format *best = NULL;
    const struct format *tie = NULL;
    int sure = 0;
    size_t nuls = 0;

    while (nuls < size && head[nuls] == '\0') {
        nuls++;
    }
    for (size_t i = 0; formats[i] != NULL; i++) {
        const int how = formats[i]->sniff(head + nuls, size - nuls);

        if (how > sure) {
            sure = how;
            best = formats[i];
            tie = NULL;
        } else if (how == sure && sure > 0 && tie == NULL) {
            tie = formats[i];
        }
    }
    if (best == NULL && wish->time_key != NULL && memchr(head, '\0', size) == NULL) {
        return by_word(format, head[0] == '{' ? "json" : "csv", err);
    }
    if (best == NULL) {
        return strange_log(path, head, size, err);
    }
    if (*format != NULL && best != *format) {
        return ls_error_set_at(err, path, 0, 0,
                               "it is in another format (%s) than the log before it (%s): import "
                               "them apart, or say --format",
                               best->word, (*format)->word);
    }
    *format = best;
    if (tie != NULL) {
        (void)snprintf(summary->tie, sizeof summary->tie, "%s", tie->word);
    }
    return LS_OK;
}

/* An option that the format does not know would be passed over, and nobody told. */
enum ls_code choose_check(const struct format *format, const struct ls_import_wish *wish,
                          struct ls_error *err)
{
    const char *option = NULL;

    if (wish->count != NULL && format->words == NULL) {
        option = "--count";
    } else if (wish->url != NULL && !format->takes_url) {
        option = "--url";
    } else if ((wish->time_key != NULL || wish->user_key != NULL || wish->count_key != NULL) &&
               !format->takes_keys) {
        option = "--time-key, --user-key or --count-key";
    } else if (wish->log_format != NULL && strcmp(format->word, "web") != 0) {
        option = "--log-format";
    }
    return option == NULL ? LS_OK
                          : ls_error_set(err, LS_EUSAGE,
                                         "%s: that says nothing of a log of the "
                                         "format %s",
                                         option, format->word);
}
