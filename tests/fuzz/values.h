/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LS_FUZZ_VALUES_H
#define LS_FUZZ_VALUES_H

/* Blind changes of a JSON document are hardly ever taken, so most are made to its values. One file of a target includes this. */

#include <stdint.h>

#include "loginstorm/json.h"

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

static unsigned draw(unsigned *state, size_t sides)
{
    *state = *state * 1664525U + 1013904223U;
    return (unsigned)((*state >> 8) % sides);
}

/* What a value may become: mostly an edge of its own kind, else it would be refused at once. */
static json_t *another(const json_t *value, unsigned *state)
{
    static const json_int_t whole[] = {0,
                                       1,
                                       59,
                                       1000,
                                       86400,
                                       INT32_MAX,
                                       (json_int_t)1 << 32,
                                       INT64_MAX / 1000,
                                       INT64_MAX / 1000 + 1,
                                       INT64_MAX,
                                       -1,
                                       INT64_MIN};
    static const double real[] = {0.0, 0.0004, 0.0005, 0.999, 1.5, -0.0, 1e9, 8.99e15, 1e300};
    static const char *const texts[] = {
        "",
        "live",
        "model",
        "share",
        "us",
        "valid",
        "suspect",
        "invalid",
        "08:00",
        "24:00",
        "23:59:59.5",
        "18446744073709551615",
        "a,\"b\"\n",
        "\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac",
        "\x1b[31m",
        "a name that is so long that it fits no column of any table on any terminal that there is"};
    const bool number = json_is_number(value);

    switch (draw(state, 8)) {
    case 0:
        return json_null();
    case 1:
    case 2:
        return number || json_is_boolean(value) ? json_integer(draw(state, 100))
                                                : json_boolean(draw(state, 2));
    case 3:
    case 4:
        return number ? json_real(real[draw(state, sizeof real / sizeof real[0])])
                      : json_string(texts[draw(state, sizeof texts / sizeof texts[0])]);
    default:
        return number ? json_integer(whole[draw(state, sizeof whole / sizeof whole[0])])
               : json_is_boolean(value)
                   ? json_boolean(draw(state, 2))
                   : json_string(texts[draw(state, sizeof texts / sizeof texts[0])]);
    }
}

static void change_list(json_t *list, unsigned *state)
{
    const size_t count = json_array_size(list);
    size_t left = draw(state, 4) == 0 ? 0 : draw(state, count + 1);

    if (left == count) {
        (void)json_array_append_new(list, json_deep_copy(json_array_get(list, count - 1)));
    }
    while (json_array_size(list) > left && left < count) {
        (void)json_array_remove(list, json_array_size(list) - 1);
    }
}

/* Goes down by chance, and changes what it comes to. */
static void change(json_t *at, unsigned *state)
{
    for (;;) {
        const bool list = json_is_array(at);
        const size_t count = list ? json_array_size(at) : json_object_size(at);
        void *entry = json_object_iter(at);
        size_t which;
        json_t *child;

        if (count == 0) {
            return;
        }
        if (list && draw(state, 8) == 0) {
            change_list(at, state);
            return;
        }
        which = draw(state, count);
        for (size_t i = 0; !list && i < which; i++) {
            entry = json_object_iter_next(at, entry);
        }
        child = list ? json_array_get(at, which) : json_object_iter_value(entry);
        if (json_is_array(child) || json_is_object(child)) {
            at = child;
        } else if (list) {
            (void)json_array_set_new(at, which, another(child, state));
            return;
        } else {
            (void)json_object_iter_set_new(at, entry, another(child, state));
            return;
        }
    }
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    json_t *root = json_loadb((const char *)data, size, JSON_ALLOW_NUL, NULL);
    unsigned state = seed;
    size_t made = 0;

    if (root != NULL && draw(&state, 16) != 0) {
        for (unsigned n = draw(&state, 3) + 1; n > 0; n--) {
            change(root, &state);
        }
        made = json_dumpb(root, (char *)data, max_size, JSON_COMPACT);
    }
    json_decref(root);
    return made > 0 && made <= max_size ? made : LLVMFuzzerMutate(data, size, max_size);
}

#endif
