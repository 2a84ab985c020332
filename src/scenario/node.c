/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenario/node.h"

#include <string.h>

#include <yaml.h>

#include "scenario/text.h"

/* Far above what a scenario needs, far below what would take long. */
#define DEPTH_MAX 16
#define KEYS_MAX 64
#define NODES_MAX 20000

struct build {
    struct ls_reading *reading;
    yaml_parser_t parser;
    const char *text;
    size_t size;
    const char *origin;
    size_t nodes;
};

struct ls_node *ls_node_get(const struct ls_node *map, const char *key)
{
    struct ls_node *child = map != NULL && map->kind == LS_NODE_MAP ? map->first : NULL;

    while (child != NULL && strcmp(child->key, key) != 0) {
        child = child->next;
    }
    return child;
}

struct ls_node *ls_node_at(const struct ls_node *list, size_t index)
{
    struct ls_node *child = list->first;

    while (child != NULL && index > 0) {
        child = child->next;
        index--;
    }
    return child;
}

void ls_node_append(struct ls_node *parent, struct ls_node *child)
{
    if (parent->last == NULL) {
        parent->first = child;
    } else {
        parent->last->next = child;
    }
    parent->last = child;
    parent->count++;
}

struct ls_node *ls_node_new(struct ls_reading *reading, enum ls_node_kind kind,
                            struct ls_place place)
{
    struct ls_node *node = ls_arena_alloc(reading->scratch, 1, sizeof *node);

    if (node == NULL) {
        reading->no_memory = true;
        return NULL;
    }
    node->kind = kind;
    node->place = place;
    node->text = "";
    return node;
}

static struct ls_place place_of(const struct build *b, const yaml_mark_t *mark)
{
    if (b->origin != NULL) {
        return (struct ls_place){.origin = b->origin};
    }
    return (struct ls_place){NULL, (int)mark->line + 1, (int)mark->column + 1};
}

static void complain_syntax(struct build *b)
{
    const yaml_parser_t *p = &b->parser;
    const size_t at = p->problem_mark.index;

    if (p->error == YAML_MEMORY_ERROR) {
        b->reading->no_memory = true;
    } else if (at < b->size && b->text[at] == '\t') {
        ls_complain(b->reading, place_of(b, &p->problem_mark),
                    "a tab stands here; YAML is indented with spaces");
    } else {
        ls_complain(b->reading, place_of(b, &p->problem_mark), "not readable as YAML: %s%s%s",
                    p->problem != NULL ? p->problem : "unknown reason",
                    p->context != NULL ? ", " : "", p->context != NULL ? p->context : "");
    }
}

static bool next(struct build *b, yaml_event_t *event)
{
    if (yaml_parser_parse(&b->parser, event) == 0) {
        complain_syntax(b);
        return false;
    }
    return true;
}

static bool refuse(struct build *b, const yaml_event_t *event, const char *what)
{
    ls_complain(b->reading, place_of(b, &event->start_mark), "%s", what);
    return false;
}

/* Anchors, tags and aliases make a file say something else than it shows. */
static bool acceptable(struct build *b, const yaml_event_t *event, int depth)
{
    const yaml_char_t *anchor = NULL;
    const yaml_char_t *tag = NULL;

    switch (event->type) {
    case YAML_SCALAR_EVENT:
        anchor = event->data.scalar.anchor;
        tag = event->data.scalar.tag;
        break;
    case YAML_SEQUENCE_START_EVENT:
        anchor = event->data.sequence_start.anchor;
        tag = event->data.sequence_start.tag;
        break;
    case YAML_MAPPING_START_EVENT:
        anchor = event->data.mapping_start.anchor;
        tag = event->data.mapping_start.tag;
        break;
    case YAML_ALIAS_EVENT:
        return refuse(b, event, "aliases (*name) are not taken; write the value out");
    default:
        return refuse(b, event, "a value is missing here");
    }
    if (anchor != NULL) {
        return refuse(b, event, "anchors (&name) are not taken; write the value out");
    }
    if (tag != NULL) {
        return refuse(b, event, "tags (!name) are not taken; take the tag out");
    }
    if (depth > DEPTH_MAX) {
        return refuse(b, event, "too deeply nested for a scenario");
    }
    if (++b->nodes > NODES_MAX) {
        return refuse(b, event, "more than 20,000 values; no scenario needs so many");
    }
    return true;
}

static struct ls_node *build(struct build *b, const yaml_event_t *event, int depth);

static struct ls_node *build_scalar(struct build *b, const yaml_event_t *event)
{
    struct ls_node *node = ls_node_new(b->reading, LS_NODE_SCALAR, place_of(b, &event->start_mark));

    if (node == NULL) {
        return NULL;
    }
    node->plain = event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
    node->length = event->data.scalar.length;
    node->text = ls_arena_text(b->reading->scratch, (const char *)event->data.scalar.value,
                               event->data.scalar.length);
    if (node->text == NULL) {
        b->reading->no_memory = true;
        return NULL;
    }
    return node;
}

/* Reads the next event and the value that it begins. *end: the container ended instead. */
static struct ls_node *build_next(struct build *b, int depth, yaml_event_type_t end_type, bool *end)
{
    yaml_event_t event;
    struct ls_node *node = NULL;

    if (!next(b, &event)) {
        return NULL;
    }
    *end = event.type == end_type;
    if (!*end) {
        node = build(b, &event, depth);
    }
    yaml_event_delete(&event);
    return node;
}

static bool build_list(struct build *b, struct ls_node *list, int depth)
{
    for (;;) {
        bool end = false;
        struct ls_node *item = build_next(b, depth + 1, YAML_SEQUENCE_END_EVENT, &end);

        if (item == NULL) {
            return end;
        }
        ls_node_append(list, item);
    }
}

/* A key that may be used; NULL with a complaint otherwise. */
static bool check_key(struct build *b, const struct ls_node *map, const struct ls_node *key)
{
    const struct ls_node *twin;
    char shown[LS_SHOWN_MAX];

    if (key->kind != LS_NODE_SCALAR || strlen(key->text) != key->length) {
        ls_complain(b->reading, key->place, "a key must be a word");
        return false;
    }
    if (strcmp(key->text, "<<") == 0) {
        ls_complain(b->reading, key->place, "merge keys (<<) are not taken; write the keys out");
        return false;
    }
    if (map->count >= KEYS_MAX) {
        ls_complain(b->reading, key->place, "more than %d keys in one place", KEYS_MAX);
        return false;
    }
    twin = ls_node_get(map, key->text);
    if (twin != NULL && twin->key_place.line > 0) {
        ls_complain(b->reading, key->place,
                    "duplicate key \"%s\", given before in line %d; take one out",
                    ls_show(key->text, shown), twin->key_place.line);
    } else if (twin != NULL) {
        ls_complain(b->reading, key->place, "duplicate key \"%s\"; take one out",
                    ls_show(key->text, shown));
    }
    return true;
}

static bool build_map(struct build *b, struct ls_node *map, int depth)
{
    for (;;) {
        bool end = false;
        struct ls_node *key = build_next(b, depth + 1, YAML_MAPPING_END_EVENT, &end);
        struct ls_node *value;

        if (key == NULL) {
            return end;
        }
        if (!check_key(b, map, key)) {
            return false;
        }
        value = build_next(b, depth + 1, YAML_NO_EVENT, &end);
        if (value == NULL) {
            return false;
        }
        value->key = key->text;
        value->key_place = key->place;
        if (ls_node_get(map, key->text) == NULL) {
            ls_node_append(map, value);
        }
    }
}

static struct ls_node *build(struct build *b, const yaml_event_t *event, int depth)
{
    struct ls_node *node;
    bool whole;

    if (!acceptable(b, event, depth)) {
        return NULL;
    }
    if (event->type == YAML_SCALAR_EVENT) {
        return build_scalar(b, event);
    }
    node = ls_node_new(b->reading,
                       event->type == YAML_SEQUENCE_START_EVENT ? LS_NODE_LIST : LS_NODE_MAP,
                       place_of(b, &event->start_mark));
    if (node == NULL) {
        return NULL;
    }
    whole = node->kind == LS_NODE_LIST ? build_list(b, node, depth) : build_map(b, node, depth);
    return whole ? node : NULL;
}

/* Steps over one event that must be of a type; otherwise complains with what (when that is not
 * NULL). */
static bool expect(struct build *b, yaml_event_type_t type, const char *what)
{
    yaml_event_t event;
    bool good;

    if (!next(b, &event)) {
        return false;
    }
    good = event.type == type || refuse(b, &event, what);
    yaml_event_delete(&event);
    return good;
}

static struct ls_node *build_document(struct build *b)
{
    bool end = false;
    struct ls_node *root;

    if (!expect(b, YAML_STREAM_START_EVENT, "a value is missing here") ||
        !expect(b, YAML_DOCUMENT_START_EVENT,
                b->origin != NULL ? "a value is missing after the ="
                                  : "nothing here; a scenario begins with `loginstorm: 1`")) {
        return NULL;
    }
    root = build_next(b, 1, YAML_NO_EVENT, &end);
    if (root == NULL || !expect(b, YAML_DOCUMENT_END_EVENT, "the document should end here") ||
        !expect(b, YAML_STREAM_END_EVENT,
                "a second document begins here; a scenario is one document")) {
        return NULL;
    }
    return root;
}

struct ls_node *ls_node_parse(struct ls_reading *reading, const char *text, size_t size,
                              const char *origin)
{
    struct build b = {.reading = reading, .origin = origin};
    struct ls_node *root;
    size_t skip = 0;

    if (!ls_text_check(reading, text, size, origin, &skip)) {
        return NULL;
    }
    b.text = text + skip;
    b.size = size - skip;
    if (yaml_parser_initialize(&b.parser) == 0) {
        reading->no_memory = true;
        return NULL;
    }
    yaml_parser_set_encoding(&b.parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&b.parser, (const unsigned char *)b.text, b.size);
    root = build_document(&b);
    yaml_parser_delete(&b.parser);
    return root;
}
