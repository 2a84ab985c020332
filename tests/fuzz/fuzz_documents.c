/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as JSON documents: the first says of which format and what is wished, the rest is the
 * log. What comes out is refused with a reason, or a curve that can be written and read again. */
#include "fuzz/import.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct {
        const char *format, *count;
    } choices[8] = {
        {"citrix", NULL},           {"citrix", "BrokeringDate"},
        {"prometheus", NULL},       {"prometheus", "counter"},
        {"prometheus", "increase"}, {"prometheus", "rate"},
        {"prometheus", "gauge"},    {NULL, NULL},
    };
    const unsigned choice = size > 0 ? data[0] : 0;
    const struct ls_import_wish wish = {
        .format = choices[choice % 8].format,
        .count = choices[choice % 8].count,
        .timezone = choice & 16 ? "Europe/Paris" : NULL,
    };

    fuzz_import_bytes(&wish, data + (size > 0), size - (size > 0));
    return 0;
}
