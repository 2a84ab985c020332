/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A line between the processes of a storm. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "storm/control.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool holds)
{
    if (!holds) {
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    struct control_line line;

    if (text == NULL) {
        return 0;
    }
    memcpy(text, data, size);
    text[size] = '\0';
    if (control_parse(text, &line)) {
        const size_t verb = strlen(line.verb);

        check(verb > 0 && verb < sizeof line.verb && strncmp(text, line.verb, verb) == 0);
        check(line.count >= 0 && line.count <= CONTROL_NUMBERS);
        check(line.text >= text + verb && line.text <= text + strlen(text));
        check(strcmp(line.verb, "error") != 0 || line.count <= 1);
    }
    free(text);
    return 0;
}
