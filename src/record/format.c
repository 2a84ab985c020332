/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loginstorm/result.h"

void ls_format_ns(int64_t ns, char *out, size_t size)
{
    static const struct {
        int64_t ns;
        const char *word;
    } units[] = {{1, "ns"}, {LS_NS_PER_US, "µs"}, {LS_NS_PER_MS, "ms"}, {LS_NS_PER_S, "s"}};

    if (ns < 0) {
        (void)snprintf(out, size, "-");
        return;
    }
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        const int64_t unit = units[i].ns;
        int decimals = unit == 1 ? 0 : 2;
        int64_t step = unit == 1 ? 1 : unit / 100; /* what the last digit is worth */
        int64_t steps;

        if (i + 1 < sizeof units / sizeof units[0] && ns >= units[i + 1].ns) {
            continue;
        }
        while (decimals > 0 && ns / step + (ns % step >= (step + 1) / 2) >= 1000) {
            decimals--;
            step *= 10;
        }
        steps = ns / step + (step > 1 && ns % step >= step / 2);
        if (steps >= 1000 && i + 1 < sizeof units / sizeof units[0]) {
            (void)snprintf(out, size, "1.00 %s", units[i + 1].word); /* 999.6 rounds up */
        } else if (decimals == 0) {
            (void)snprintf(out, size, "%" PRId64 " %s", steps, units[i].word);
        } else {
            const int64_t whole = decimals == 2 ? 100 : 10;

            (void)snprintf(out, size, "%" PRId64 ".%0*" PRId64 " %s", steps / whole, decimals,
                           steps % whole, units[i].word);
        }
        return;
    }
}

char *ls_csv_field(const char *text)
{
    size_t quotes = 0, used = 0;
    char *field;

    if (strpbrk(text, ",\"\r\n") == NULL) {
        return strdup(text);
    }
    for (const char *c = text; *c != '\0'; c++) {
        quotes += *c == '"';
    }
    field = malloc(strlen(text) + quotes + 3);
    if (field == NULL) {
        return NULL;
    }
    field[used++] = '"';
    for (const char *c = text; *c != '\0'; c++) {
        if (*c == '"') {
            field[used++] = '"';
        }
        field[used++] = *c;
    }
    field[used++] = '"';
    field[used] = '\0';
    return field;
}
