/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as events of Windows in XML, by either format: the same comes out whatever pieces they come in. The first
 * byte says what is counted and how large the pieces are. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "curve/formats.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What came out. */
struct outcome {
    struct sink sink; /* the first, so that a sink is its outcome */
    uint64_t hash;
    int64_t told; /* events and skips */
};

static void expect(bool holds)
{
    if (!holds) {
        abort();
    }
}

static void mix(struct outcome *outcome, const void *bytes, size_t size)
{
    const unsigned char *at = bytes;

    for (size_t i = 0; i < size; i++) {
        outcome->hash = (outcome->hash ^ at[i]) * UINT64_C(0x100000001b3);
    }
}

static enum ls_code take_event(struct sink *sink, const struct event *event, struct ls_error *err)
{
    struct outcome *outcome = (struct outcome *)sink;

    (void)err;
    expect(event->count == 1 && !event->is_count);
    expect(event->stamp.is_utc_ns || event->stamp.has_offset);
    mix(outcome, &event->stamp.civil.ns, sizeof event->stamp.civil.ns);
    mix(outcome, &event->stamp.civil.second, sizeof event->stamp.civil.second);
    mix(outcome, event->who, event->who_size);
    mix(outcome, &sink->line, sizeof sink->line);
    outcome->told++;
    return LS_OK;
}

static void skip(struct sink *sink, const char *reason, const char *text, size_t size)
{
    struct outcome *outcome = (struct outcome *)sink;

    mix(outcome, reason, strlen(reason));
    mix(outcome, text, size);
    mix(outcome, &sink->line, sizeof sink->line);
    outcome->told++;
}

static enum ls_code run(struct outcome *outcome, const struct format *format, const char *count,
                        const char *bytes, size_t size, size_t piece)
{
    const struct ls_import_wish wish = {.count = count};
    struct ls_error err = {0};
    void *state = NULL;
    enum ls_code code;

    *outcome = (struct outcome){
        .sink = {.event = take_event, .skip = skip, .wish = &wish, .path = "log.xml"}};
    code = format->begin(&state, &outcome->sink, &err);
    expect(code == LS_OK);
    for (size_t at = 0; at < size && code == LS_OK && outcome->sink.broken.code == LS_OK;
         at += piece) {
        code = format->feed(state, bytes + at, size - at < piece ? size - at : piece, &err);
    }
    if (code == LS_OK) {
        code = format->end(state, &err);
    }
    format->free(state);
    expect(code == LS_OK || (code == LS_EINPUT && err.text[0] != '\0'));
    expect(outcome->told == outcome->sink.record);
    return code;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const types[] = {NULL, "3", "all interactive", "2,7,10"};
    static const char *const events[] = {NULL, "302", "200", "300"};
    const unsigned choice = size > 0 ? data[0] : 0;
    const struct format *format = choice & 1 ? &format_rd_gateway : &format_windows_xml;
    const char *count = choice & 1 ? events[choice >> 1 & 3] : types[choice >> 1 & 3];
    const char *bytes = (const char *)data + (size > 0);
    const size_t piece = 1 + (choice >> 3);
    struct outcome *whole = malloc(sizeof *whole);
    struct outcome *cut = malloc(sizeof *cut);

    size -= size > 0;
    expect(whole != NULL && cut != NULL);
    expect(format->sniff(bytes, size) <= 100);
    expect(run(whole, format, count, bytes, size, SIZE_MAX / 2) ==
           run(cut, format, count, bytes, size, piece));
    expect(whole->hash == cut->hash && whole->told == cut->told);
    expect(whole->sink.broken.code == cut->sink.broken.code);
    free(whole);
    free(cut);
    return 0;
}
