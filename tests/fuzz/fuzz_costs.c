/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Any bytes for a cost profile, and for what `openssl speed` printed. What is refused says why; a
 * profile that is taken is written, read again and must come out the same to the byte, and may be carried to
 * another CPU.
 */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loginstorm/costs.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool good, const char *what)
{
    if (!good) {
        (void)fprintf(stderr, "%s\n", what);
        abort();
    }
}

static struct ls_costs *take(const char *text, size_t size)
{
    struct ls_error err = {0};
    struct ls_costs *costs = NULL;
    json_t *root = NULL;
    enum ls_code code = ls_json_parse(&root, "fuzz.json", text, size, &err);

    if (code == LS_OK) {
        code = ls_costs_from_json(&costs, root, "fuzz.json", &err);
        json_decref(root);
    }
    must((code == LS_OK) == (costs != NULL), "a profile comes with LS_OK and nothing else");
    must(code == LS_OK || (err.code == code && err.text[0] != '\0'), "a refusal says why");
    return costs;
}

static char *put(const struct ls_costs *costs, size_t *size)
{
    struct ls_error err = {0};
    json_t *root = NULL;
    char *text = NULL;
    FILE *stream = open_memstream(&text, size);

    must(stream != NULL, "a stream");
    must(ls_costs_to_json(costs, &root, &err) == LS_OK, "as JSON");
    must(ls_json_write(root, stream, &err) == LS_OK && fclose(stream) == 0, "written");
    json_decref(root);
    return text;
}

static void must_come_back(const struct ls_costs *costs)
{
    struct ls_costs *again;
    size_t once_size, twice_size;
    char *once = put(costs, &once_size), *twice;

    again = take(once, once_size);
    must(again != NULL, "what was written is taken");
    twice = put(again, &twice_size);
    must(once_size == twice_size && memcmp(once, twice, once_size) == 0, "the same again");
    free(once);
    free(twice);
    ls_costs_free(again);
}

static void must_find_and_carry(struct ls_costs *costs)
{
    const struct ls_cost *row = &costs->rows[costs->count - 1];
    struct ls_openssl_speed there = {.version = costs->openssl.version};
    struct ls_error err = {0};
    bool exact = false, mixed = row->resumed_share > 0 && row->resumed_share < 1;
    const struct ls_cost *found =
        ls_costs_find(costs, row->key, row->group, row->version, row->resumed, &exact, &err);

    must(mixed || found != NULL, "a row finds itself, or one like it");
    must(found != NULL || err.text[0] != '\0', "or hears why not");
    for (size_t i = 0; i < LS_SPEED_KEYS; i++) {
        there.sign_per_s[i] = i == 1 ? -1 : 1000;
    }
    err = (struct ls_error){0};
    must(ls_costs_translate(costs, NULL, &there, "there.txt", &err) == LS_OK || err.text[0] != '\0',
         "carried over, or why not");
    must(ls_costs_scale(costs, 0.5, &err) == LS_OK, "scaled");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ls_costs *costs = take((const char *)data, size);
    struct ls_openssl_speed speed;
    struct ls_error err = {0};

    if (costs != NULL) {
        must_come_back(costs);
        must_find_and_carry(costs);
        ls_costs_free(costs);
    }
    if (ls_openssl_speed_parse(&speed, "fuzz.txt", (const char *)data, size, &err) == LS_OK) {
        bool any = false;

        for (size_t i = 0; i < LS_SPEED_KEYS; i++) {
            any = any || speed.sign_per_s[i] > 0;
        }
        must(any, "what is taken has a figure");
        ls_openssl_speed_clear(&speed);
    } else {
        must(err.text[0] != '\0', "a refusal says why");
    }
    return 0;
}
