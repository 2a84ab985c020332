/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Any bytes for a scenario. What is refused says where; what is taken is written, read again, and
 * must come out the same to the byte.
 */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loginstorm/scenario.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool good, const char *what)
{
    if (!good) {
        (void)fprintf(stderr, "%s\n", what);
        abort();
    }
}

static struct ls_scenario *parse(const char *text, size_t size)
{
    struct ls_errors errors = {0};
    struct ls_scenario *s = NULL;
    const enum ls_code code = ls_scenario_parse(&s, "f", text, size, NULL, 0, &errors);

    must((code == LS_OK) == (s != NULL), "a scenario comes with LS_OK and nothing else");
    must((code == LS_OK) == (errors.count == 0), "a complaint comes with every refusal");
    for (size_t i = 0; i < errors.count && i < LS_ERRORS_MAX; i++) {
        must(errors.item[i].code == LS_EINPUT || errors.item[i].code == LS_ENOMEM, "a code");
        must(errors.item[i].line > 0 || size > (1 << 20), "a line");
        must(errors.item[i].text[0] != '\0', "a text");
    }
    return s;
}

static char *write(const struct ls_scenario *s, size_t *size)
{
    struct ls_error err = {0};
    char *text = NULL;
    FILE *stream = open_memstream(&text, size);

    must(stream != NULL, "a stream");
    must(ls_scenario_write(s, false, stream, &err) == LS_OK, "written");
    must(fclose(stream) == 0, "closed");
    return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ls_scenario *s = parse((const char *)data, size);
    struct ls_scenario *again;
    size_t once_size = 0;
    size_t twice_size = 0;
    char *once;
    char *twice;

    if (s == NULL) {
        return 0;
    }
    once = write(s, &once_size);
    again = parse(once, once_size);
    must(again != NULL, "what was written is taken");
    twice = write(again, &twice_size);
    must(once_size == twice_size && memcmp(once, twice, once_size) == 0, "the same again");
    free(once);
    free(twice);
    ls_scenario_free(s);
    ls_scenario_free(again);
    return 0;
}
