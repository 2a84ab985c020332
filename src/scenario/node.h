/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_SCENARIO_NODE_H
#define LOGINSTORM_SCENARIO_NODE_H

/*
 * A scenario's YAML as a tree that knows where each key and value stood. Scalars are text: what
 * 08:00 or `no` means is up to the field that takes it.
 */

#include <stdbool.h>
#include <stddef.h>

#include "scenario/reading.h"

enum ls_node_kind { LS_NODE_SCALAR, LS_NODE_LIST, LS_NODE_MAP };

struct ls_node {
    enum ls_node_kind kind;
    bool plain; /* a scalar without quotes */
    struct ls_place place, key_place;
    const char *key; /* in a map; NULL in a list */
    const char *text;
    size_t length;
    struct ls_node *first, *last, *next;
    size_t count;
};

/* NULL when map is NULL or has no such key. */
struct ls_node *ls_node_get(const struct ls_node *map, const char *key);
struct ls_node *ls_node_at(const struct ls_node *list, size_t index);
void ls_node_append(struct ls_node *parent, struct ls_node *child);

/* A new node of the reading's tree; NULL is noted in the reading. */
struct ls_node *ls_node_new(struct ls_reading *reading, enum ls_node_kind kind,
                            struct ls_place place);

/* Parses one YAML document; NULL when it cannot be read, with the reason in the reading. origin is
 * NULL for the file itself. */
struct ls_node *ls_node_parse(struct ls_reading *reading, const char *text, size_t size,
                              const char *origin);

/* Puts a change of the command line into the tree. */
void ls_node_change(struct ls_reading *reading, struct ls_node *root, const char *path,
                    const char *value);

#endif
