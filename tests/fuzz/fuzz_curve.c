/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes are either refused with a place and a reason, or a curve that is written and read back
 * as the same curve. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loginstorm/curve.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void expect(bool holds)
{
    if (!holds) {
        abort();
    }
}

static enum ls_code read_bytes(struct ls_curve **curve, const void *data, size_t size,
                               struct ls_error *err)
{
    FILE *stream = fmemopen((void *)(uintptr_t)data, size, "r");
    enum ls_code code;

    expect(stream != NULL);
    code = ls_curve_read(curve, stream, "fuzz.csv", err);
    (void)fclose(stream);
    return code;
}

static void expect_same(const struct ls_curve *a, const struct ls_curve *b)
{
    expect(a->exact == b->exact && a->logins_count == b->logins_count &&
           a->intervals_count == b->intervals_count && strcmp(a->timezone, b->timezone) == 0);
    for (size_t i = 0; i < a->logins_count; i++) {
        expect(a->logins[i].utc_ns == b->logins[i].utc_ns);
        expect(a->logins[i].user == b->logins[i].user);
    }
    for (size_t i = 0; i < a->intervals_count; i++) {
        expect(a->intervals[i].from_ns == b->intervals[i].from_ns);
        expect(a->intervals[i].to_ns == b->intervals[i].to_ns);
        expect(a->intervals[i].count == b->intervals[i].count);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ls_error err = {0};
    struct ls_curve *curve = NULL, *again = NULL;
    char *text = NULL;
    size_t length = 0;
    FILE *stream;

    if (size == 0) {
        return 0; /* no stream can be opened on nothing */
    }
    if (read_bytes(&curve, data, size, &err) != LS_OK) {
        expect(curve == NULL && err.code != LS_OK && err.text[0] != '\0');
        expect(err.line > 0 && err.column > 0);
        return 0;
    }
    stream = open_memstream(&text, &length);
    expect(stream != NULL);
    /* The zone may be one that nobody knows: only who cuts days asks. */
    if (ls_curve_write(curve, stream, &err) == LS_OK) {
        expect(fclose(stream) == 0);
        expect(read_bytes(&again, text, length, &err) == LS_OK);
        expect_same(curve, again);
    } else {
        (void)fclose(stream);
    }
    free(text);
    ls_curve_free(again);
    ls_curve_free(curve);
    return 0;
}
