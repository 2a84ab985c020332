/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "loginstorm/import.h"

#include <inttypes.h>
#include <string.h>

#include "curve/choose.h"
#include "curve/gather.h"
#include "curve/lines.h"
#include "curve/source.h"
#include "curve/tally.h"
#include "curve/twins.h"
#include "loginstorm/units.h"

#define HEAD ((size_t)64 * 1024)
#define PROGRESS_NS (100 * LS_NS_PER_MS)

struct import {
    const struct ls_import_wish *wish;
    struct ls_import_summary *summary;
    struct ls_error *broken;
    struct gather gather;
    const struct format *format; /* of the first log, and so of all */
    struct twins twins;
    int64_t done_bytes; /* of the logs before */
    int64_t shown_ns;
};

static void show(struct import *import, const struct source *source)
{
    const struct ls_import_wish *wish = import->wish;
    const int64_t now_ns = ls_now_ns();

    if (wish->progress == NULL || now_ns - import->shown_ns < PROGRESS_NS) {
        return;
    }
    import->shown_ns = now_ns;
    wish->progress(import->done_bytes + source_taken(source),
                   wish->paths_count == 1 ? source_total(source) : 0, import->summary->logins,
                   wish->data);
}

/* One log's bytes on their way into its format. */
struct feeding {
    const struct format *format;
    void *state;
    struct lines lines;
};

static enum ls_code feed(struct feeding *feeding, const char *bytes, size_t size,
                         struct ls_error *err)
{
    return feeding->format->line != NULL ? lines_feed(&feeding->lines, bytes, size, err)
                                         : feeding->format->feed(feeding->state, bytes, size, err);
}

static enum ls_code feed_end(struct feeding *feeding, struct ls_error *err)
{
    enum ls_code code = LS_OK;

    if (feeding->format->line != NULL) {
        code = lines_end(&feeding->lines, err);
    }
    return code == LS_OK && feeding->format->end != NULL ? feeding->format->end(feeding->state, err)
                                                         : code;
}

/* Whether the log makes no sense from here on; what it has before that counts. */
static bool is_broken(struct import *import, const struct ls_error *broken)
{
    if (broken->code != LS_OK && import->broken->code == LS_OK) {
        *import->broken = *broken;
    }
    return broken->code != LS_OK;
}

/* *size is 0 at the end, and where the log breaks off. */
static enum ls_code next_piece(struct import *import, struct source *source, const char **bytes,
                               size_t *size, struct ls_error *err)
{
    struct ls_error broken = {0};
    enum ls_code code;

    show(import, source);
    code = source_read(source, bytes, size, &broken);
    if (code == LS_EINPUT) {
        broken.line = (int)import->gather.sink.line;
        (void)is_broken(import, &broken);
        *size = 0;
        return LS_OK;
    }
    if (code != LS_OK) {
        *err = broken;
    }
    import->summary->bytes += code == LS_OK ? (int64_t)*size : 0;
    return code;
}

/* What a format fetches: the piece that was read to find it, and those behind. */
struct pulling {
    struct import *import;
    struct source *source;
    const char *bytes;
    size_t size;
};

static enum ls_code more(void *data, const char **bytes, size_t *size, struct ls_error *err)
{
    struct pulling *pulling = data;

    if (pulling->size == 0) {
        return next_piece(pulling->import, pulling->source, bytes, size, err);
    }
    *bytes = pulling->bytes;
    *size = pulling->size;
    pulling->size = 0;
    return LS_OK;
}

/* From the first piece to the last. */
static enum ls_code feed_all(struct import *import, struct source *source, struct feeding *feeding,
                             const char *bytes, size_t size, struct ls_error *err)
{
    const struct sink *sink = &import->gather.sink;
    enum ls_code code = LS_OK;

    import->summary->bytes += (int64_t)size;
    if (feeding->format->pull != NULL) {
        struct pulling pulling = {import, source, bytes, size};

        code = feeding->format->pull(feeding->state, more, &pulling, err);
    }
    while (feeding->format->pull == NULL && size > 0 && code == LS_OK) {
        code = feed(feeding, bytes, size, err);
        if (code != LS_OK || is_broken(import, &sink->broken)) {
            break;
        }
        code = next_piece(import, source, &bytes, &size, err);
    }
    if (code == LS_OK) {
        code = feed_end(feeding, err);
        (void)is_broken(import, &sink->broken);
    }
    return code;
}

static enum ls_code feed_log(struct import *import, struct source *source, const char *bytes,
                             size_t size, struct ls_error *err)
{
    struct feeding feeding = {.format = import->format};
    enum ls_code code = choose_check(import->format, import->wish, err);

    if (code == LS_OK) {
        code = import->format->begin(&feeding.state, &import->gather.sink, err);
    }
    if (code != LS_OK) {
        return code;
    }
    lines_init(&feeding.lines, &import->gather.sink, import->format->line, feeding.state);
    if (size >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0) {
        bytes += 3;
        size -= 3;
    }
    code = feed_all(import, source, &feeding, bytes, size, err);
    lines_free(&feeding.lines);
    import->format->free(feeding.state);
    return code == LS_OK ? gather_end(&import->gather, err) : code;
}

/* A log that has something in it. */
static enum ls_code begin_log(struct import *import, struct source *source, const char *name,
                              const char *bytes, size_t size, struct ls_error *err)
{
    const struct ls_import_wish *wish = import->wish;
    const int64_t before = import->summary->logins;
    enum ls_code code = twins_look(&import->twins, name, bytes, size, err);

    if (code == LS_OK && wish->format == NULL && wish->log_format == NULL) {
        const bool marked = size >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0;
        const size_t from = marked ? 3 : 0;

        code = choose_found(&import->format, import->summary, wish, name, bytes + from,
                            (size < HEAD ? size : HEAD) - from, err);
    }
    if (code == LS_OK) {
        code = feed_log(import, source, bytes, size, err);
    }
    if (code == LS_OK && import->summary->logins > before) {
        twins_keep(&import->twins);
    }
    return code;
}

static enum ls_code read_log(struct import *import, const char *path, struct ls_error *err)
{
    const char *name = strcmp(path, "-") == 0 ? "standard input" : path;
    const char *bytes;
    struct source *source;
    size_t size;
    enum ls_code code = source_open(&source, path, err);

    if (code != LS_OK) {
        return code;
    }
    gather_begin(&import->gather, name, source_written_ns(source));
    code = source_read(source, &bytes, &size, err);
    if (code == LS_EINPUT) {
        if (import->broken->code == LS_OK) {
            *import->broken = *err;
        }
        code = LS_OK;
    } else if (code == LS_OK && size == 0) {
        import->summary->files_empty++;
    } else if (code == LS_OK) {
        code = begin_log(import, source, name, bytes, size, err);
    }
    import->done_bytes += source_taken(source);
    import->summary->files++;
    source_close(source);
    return code;
}

static const char *unit_of(const struct import *import)
{
    return import->format == NULL || import->format->unit == NULL ? "line" : import->format->unit;
}

/* What most lines were, where none was a login. */
static enum ls_code no_login(const struct import *import, struct ls_error *err)
{
    const struct ls_import_summary *summary = import->summary;
    const struct ls_import_skip *most = NULL;
    const char *unit = unit_of(import);
    const char *many = summary->lines == 1 ? "" : "s";
    char lines[32];

    if (import->broken->code != LS_OK) {
        *err = *import->broken;
        return LS_EINPUT;
    }
    ls_format_count(summary->lines, lines, sizeof lines);
    if (summary->lines == 0 && summary->bytes == 0) {
        return ls_error_set_at(err, import->wish->paths[0], 0, 0, "no login: the log is empty");
    }
    for (size_t i = 0; i < summary->skips_count; i++) {
        if (most == NULL || summary->skips[i].lines > most->lines) {
            most = &summary->skips[i];
        }
    }
    if (most == NULL) {
        return ls_error_set_at(err, import->wish->paths[0], 0, 0, "no login in %s %s%s, read as %s",
                               lines, unit, many, import->format->word);
    }
    return ls_error_set_at(err, most->first_path, (int)most->first_line, 0,
                           "no login in %s %s%s, read as %s; most often (%" PRId64
                           ", the first one here): %s",
                           lines, unit, many, import->format->word, most->lines, most->reason);
}

static enum ls_code finish(struct ls_curve **out, struct import *import, struct ls_error *err)
{
    struct ls_import_summary *summary = import->summary;
    struct gather *gather = &import->gather;
    char source[160];

    if (summary->logins == 0) { /* counts of nothing but zero, too */
        return no_login(import, err);
    }
    if (gather->sink.pages > 0 && gather->sink.pages == gather->sink.pages_followed) {
        gather->sink.note(&gather->sink, "every page says that another follows (nextLink), so the "
                                         "last was not given: fetch it, and import all together");
    }
    summary->users = gather->knows_people ? (int64_t)gather->people.count : -1;
    summary->twice = gather->stamper.twice_count;
    summary->left_out = gather->stamper.left_out_count;
    summary->timezone_assumed = !gather->zone_told;
    (void)snprintf(summary->unit, sizeof summary->unit, "%s", unit_of(import));
    (void)snprintf(summary->timezone, sizeof summary->timezone, "%s", ls_zone_name(gather->zone));
    (void)snprintf(summary->format, sizeof summary->format, "%s", import->format->text);
    (void)snprintf(summary->counted, sizeof summary->counted, "%s",
                   gather->sink.counted[0] != '\0' ? gather->sink.counted : import->format->counts);
    (void)snprintf(source, sizeof source, "%s, %" PRId64 " %s%s", import->format->text,
                   summary->files, summary->files == 1 ? "log" : "logs",
                   import->broken->code == LS_OK ? "" : ", one of which breaks off");
    return tally_curve(out, gather, source, err);
}

enum ls_code ls_import_run(struct ls_curve **out, struct ls_import_summary *summary,
                           struct ls_error *broken, const struct ls_import_wish *wish,
                           struct ls_error *err)
{
    struct import import = {.wish = wish, .summary = summary, .broken = broken};
    enum ls_code code;

    *summary = (struct ls_import_summary){.users = -1};
    *broken = (struct ls_error){0};
    code = gather_init(&import.gather, wish, summary, err);
    if (code != LS_OK) {
        return code;
    }
    import.shown_ns = ls_now_ns();
    code = twins_init(&import.twins, wish->paths_count, err);
    if (code == LS_OK) {
        code = choose_told(&import.format, wish, err);
    }
    for (size_t i = 0; i < wish->paths_count && code == LS_OK; i++) {
        code = read_log(&import, wish->paths[i], err);
    }
    if (code == LS_OK) {
        code = finish(out, &import, err);
    }
    twins_free(&import.twins);
    gather_free(&import.gather);
    return code;
}
