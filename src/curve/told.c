/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "curve/told.h"

#include <stdio.h>
#include <string.h>

#include "curve/gather.h"

#define OTHERS "other reasons"

/* Letters and digits say who; what lies between them says what kind of line it is. */
static void put_shape(char *out, size_t room, const char *text, size_t size)
{
    size_t i = 0;

    for (; i + 1 < room && i < size; i++) {
        const unsigned char c = (unsigned char)text[i];

        out[i] = c >= '0' && c <= '9'   ? '9'
                 : c >= 'A' && c <= 'Z' ? 'X'
                 : c >= 'a' && c <= 'z' ? 'x'
                 : c >= 128             ? 'x'
                 : c < 0x20 || c == 127 ? '?'
                                        : (char)c;
    }
    out[i] = '\0';
}

static struct ls_import_skip *skip_of(struct gather *gather, const char *reason)
{
    struct ls_import_summary *summary = gather->summary;
    size_t i;

    if (gather->last_skip < summary->skips_count &&
        strcmp(summary->skips[gather->last_skip].reason, reason) == 0) {
        return &summary->skips[gather->last_skip];
    }
    for (i = 0; i < summary->skips_count; i++) {
        if (strcmp(summary->skips[i].reason, reason) == 0) {
            gather->last_skip = i;
            return &summary->skips[i];
        }
    }
    if (summary->skips_count == LS_SKIPS_MAX) {
        return &summary->skips[LS_SKIPS_MAX - 1];
    }
    if (summary->skips_count == LS_SKIPS_MAX - 1) {
        reason = OTHERS;
    }
    summary->skips_count++;
    gather->last_skip = i;
    (void)snprintf(summary->skips[i].reason, sizeof summary->skips[i].reason, "%s", reason);
    return &summary->skips[i];
}

void told_skip(struct sink *sink, const char *reason, const char *text, size_t size)
{
    struct ls_import_skip *skipped = skip_of((struct gather *)sink, reason);

    if (skipped->lines++ == 0) {
        (void)snprintf(skipped->first_path, sizeof skipped->first_path, "%s", sink->path);
        skipped->first_line = sink->line;
        skipped->first_record = sink->record;
        put_shape(skipped->first_text, sizeof skipped->first_text, text, size);
    }
}

void told_note(struct sink *sink, const char *text)
{
    struct ls_import_summary *summary = ((struct gather *)sink)->summary;

    for (size_t i = 0; i < summary->notes_count; i++) {
        if (strncmp(summary->notes[i], text, sizeof summary->notes[i] - 1) == 0) {
            return;
        }
    }
    if (summary->notes_count < LS_NOTES_MAX) {
        (void)snprintf(summary->notes[summary->notes_count++], sizeof summary->notes[0], "%s",
                       text);
    }
}
