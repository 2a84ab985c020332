/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenario/node.h"

#include <stdio.h>
#include <string.h>

#define STEP_MAX 64

/* Cuts the first step off a path: "populations.0.share" -> "populations". */
static bool cut(const char **path, char step[STEP_MAX])
{
    const size_t length = strcspn(*path, ".");

    if (length == 0 || length >= STEP_MAX) {
        return false;
    }
    memcpy(step, *path, length);
    step[length] = '\0';
    *path += length;
    if (**path == '.') {
        (*path)++;
        return **path != '\0';
    }
    return true;
}

static bool is_path(const char *path)
{
    char step[STEP_MAX];

    if (*path == '\0') {
        return false;
    }
    while (*path != '\0') {
        if (!cut(&path, step)) {
            return false;
        }
    }
    return true;
}

static bool is_index(const char *step, size_t *index)
{
    const size_t length = strlen(step);

    if (length == 0 || length > 6 || strspn(step, "0123456789") != length) {
        return false;
    }
    *index = 0;
    for (size_t i = 0; i < length; i++) {
        *index = *index * 10 + (size_t)(step[i] - '0');
    }
    return true;
}

static struct ls_node *child_of(const struct ls_node *parent, const char *step)
{
    size_t index = 0;

    if (parent->kind == LS_NODE_MAP) {
        return ls_node_get(parent, step);
    }
    return is_index(step, &index) ? ls_node_at(parent, index) : NULL;
}

/* Makes room for a step that the tree lacks: a new key, or the next item of a list. */
static struct ls_node *grow(struct ls_reading *reading, struct ls_node *parent, const char *step,
                            enum ls_node_kind kind, struct ls_place place)
{
    struct ls_node *node;
    size_t index = 0;

    if (parent->kind == LS_NODE_LIST && (!is_index(step, &index) || index != parent->count)) {
        ls_complain(reading, place,
                    "\"%s\" is not in the list, which has %zu entries (0 is the "
                    "first)",
                    step, parent->count);
        return NULL;
    }
    node = ls_node_new(reading, kind, place);
    if (node == NULL) {
        return NULL;
    }
    if (parent->kind == LS_NODE_MAP) {
        node->key = ls_arena_text(reading->scratch, step, strlen(step));
        node->key_place = place;
        if (node->key == NULL) {
            reading->no_memory = true;
            return NULL;
        }
    }
    ls_node_append(parent, node);
    return node;
}

/* Takes over what was parsed, in the place of what stood there. */
static void replace(struct ls_node *node, const struct ls_node *value)
{
    const struct ls_node old = *node;

    *node = *value;
    node->key = old.key;
    node->key_place = value->place;
    node->next = old.next;
}

static void put(struct ls_reading *reading, struct ls_node *root, const char *path,
                const struct ls_node *value)
{
    struct ls_node *at = root;
    char step[STEP_MAX];

    while (*path != '\0') {
        struct ls_node *child;

        if (!cut(&path, step)) {
            return;
        }
        if (at->kind == LS_NODE_SCALAR) {
            ls_complain(reading, value->place,
                        "there is no \"%s\" to set: what stands before it is a single value", step);
            return;
        }
        child = child_of(at, step);
        if (child == NULL) {
            enum ls_node_kind kind = LS_NODE_SCALAR;

            if (*path != '\0') {
                kind = *path >= '0' && *path <= '9' ? LS_NODE_LIST : LS_NODE_MAP;
            }
            child = grow(reading, at, step, kind, value->place);
        }
        if (child == NULL) {
            return;
        }
        at = child;
    }
    replace(at, value);
}

void ls_node_change(struct ls_reading *reading, struct ls_node *root, const char *path,
                    const char *value)
{
    const size_t length = strlen("--set =") + strlen(path) + strlen(value);
    char *origin = ls_arena_alloc(reading->scratch, length + 1, 1);
    const struct ls_node *node;

    if (origin == NULL) {
        reading->no_memory = true;
        return;
    }
    (void)snprintf(origin, length + 1, "--set %s=%s", path, value);
    if (!is_path(path)) {
        ls_complain(reading, (struct ls_place){.origin = origin},
                    "not a path; write it like users=600 or populations.0.share=50%%");
        return;
    }
    node = ls_node_parse(reading, value, strlen(value), origin);
    if (node != NULL) {
        put(reading, root, path, node);
    }
}
