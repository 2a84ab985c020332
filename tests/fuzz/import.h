/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_TESTS_FUZZ_IMPORT_H
#define LOGINSTORM_TESTS_FUZZ_IMPORT_H

/* An import of any bytes, and what holds of it whatever they are. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "loginstorm/import.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline void fuzz_expect(bool holds)
{
    if (!holds) {
        abort();
    }
}

/* It can be written, and read again. */
static inline void fuzz_expect_curve(const struct ls_curve *curve,
                                     const struct ls_import_summary *summary)
{
    struct ls_error err = {0};
    struct ls_curve *again = NULL;
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);

    fuzz_expect(stream != NULL);
    fuzz_expect(summary->logins == ls_curve_total(curve));
    fuzz_expect(summary->exact == curve->exact);
    fuzz_expect(ls_curve_write(curve, stream, &err) == LS_OK);
    fuzz_expect(fclose(stream) == 0);
    stream = fmemopen(text, length, "r");
    fuzz_expect(stream != NULL);
    fuzz_expect(ls_curve_read(&again, stream, "fuzz.csv", &err) == LS_OK);
    (void)fclose(stream);
    fuzz_expect(ls_curve_total(again) == ls_curve_total(curve));
    ls_curve_free(again);
    free(text);
}

/* The paths of the wish are set here. */
static inline void fuzz_import_bytes(const struct ls_import_wish *wish, const uint8_t *bytes,
                                     size_t size)
{
    struct ls_import_wish whole = *wish;
    struct ls_import_summary summary;
    struct ls_error err = {0}, broken = {0};
    struct ls_curve *curve = NULL;
    char path[64];
    const char *const paths[] = {path};
    const int fd = memfd_create("log", 0);

    fuzz_expect(fd >= 0);
    fuzz_expect(size == 0 || write(fd, bytes, size) == (ssize_t)size);
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    whole.paths = paths;
    whole.paths_count = 1;
    if (ls_import_run(&curve, &summary, &broken, &whole, &err) == LS_OK) {
        fuzz_expect_curve(curve, &summary);
    } else {
        fuzz_expect(curve == NULL && err.code != LS_OK && err.text[0] != '\0');
    }
    ls_curve_free(curve);
    (void)close(fd);
}

#endif
