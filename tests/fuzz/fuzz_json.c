/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes are either refused with a reason, or a document that is written and read back as the
 * same document. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "loginstorm/json.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void expect(bool holds)
{
    if (!holds) {
        abort();
    }
}

static void written_and_read_back(const json_t *root)
{
    struct ls_error err;
    json_t *again = NULL;
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);

    expect(stream != NULL);
    expect(ls_json_write(root, stream, &err) == LS_OK);
    expect(fclose(stream) == 0);
    expect(ls_json_parse(&again, "again", text, size, &err) == LS_OK);
    expect(json_object_size(root) == json_object_size(again));
    expect(json_array_size(root) == json_array_size(again));
    json_decref(again);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ls_error err = {0};
    json_t *root = NULL;

    if (ls_json_parse(&root, "fuzz.json", (const char *)data, size, &err) != LS_OK) {
        expect(root == NULL && err.code != LS_OK && err.text[0] != '\0');
        return 0;
    }
    written_and_read_back(root);
    json_decref(root);
    return 0;
}
