/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenario/field.h"

#include <string.h>

#include "loginstorm/near.h"
#include "loginstorm/units.h"
#include "scenario/text.h"

bool ls_field_applies(const struct ls_map *map, const struct ls_field *field, const void *record)
{
    return field->cases == 0 || (field->cases & 1U << map->which(record)) != 0;
}

void *ls_field_at(const struct ls_field *field, void *record)
{
    return (unsigned char *)record + field->at;
}

const void *ls_field_in(const struct ls_field *field, const void *record)
{
    return (const unsigned char *)record + field->at;
}

size_t ls_field_count(const struct ls_field *field, const void *record)
{
    size_t count;

    memcpy(&count, (const unsigned char *)record + field->count_at, sizeof count);
    return count;
}

/* The table's types differ in size; a copy is right for each of them. */
static void store(const struct ls_field *field, void *record, const void *value)
{
    memcpy(ls_field_at(field, record), value, field->size);
}

static void store_integer(const struct ls_field *field, void *record, int64_t value)
{
    const int narrow = (int)value;
    const bool truth = value != 0;

    if (field->size == sizeof value) {
        store(field, record, &value);
    } else if (field->size == sizeof narrow) {
        store(field, record, &narrow);
    } else if (field->size == sizeof truth) {
        store(field, record, &truth);
    }
}

static void complain_key(struct ls_reading *reading, const struct ls_map *map,
                         const struct ls_node *child)
{
    const char *keys[32];
    char shown[LS_SHOWN_MAX];
    const char *nearest;

    for (size_t i = 0; i < map->count; i++) {
        keys[i] = map->fields[i].key;
    }
    nearest = reading->errors.count < 1000 ? ls_nearest(child->key, keys, map->count) : NULL;
    (void)ls_show(child->key, shown);
    if (nearest != NULL) {
        ls_complain(reading, child->key_place, "unknown key \"%s\", did you mean \"%s\"?", shown,
                    nearest);
    } else {
        ls_complain(reading, child->key_place, "unknown key \"%s\"; take it out", shown);
    }
}

static void check_keys(struct ls_reading *reading, const struct ls_map *map,
                       const struct ls_node *node)
{
    for (const struct ls_node *child = node->first; child != NULL; child = child->next) {
        size_t i = 0;

        while (i < map->count && strcmp(map->fields[i].key, child->key) != 0) {
            i++;
        }
        if (i == map->count) {
            complain_key(reading, map, child);
        }
    }
}

/* A key of another case: `over` belongs to bursts, say. */
static void complain_case(struct ls_reading *reading, const struct ls_map *map,
                          const struct ls_field *field, const struct ls_node *child,
                          const void *record)
{
    unsigned wanted = 0;

    while ((field->cases & 1U << wanted) == 0) {
        wanted++;
    }
    ls_complain(reading, child->key_place, "belongs to %s, but this is %s; take one of them out",
                map->cases[wanted], map->cases[map->which(record)]);
}

/* A list in the table's own text: "X25519, P-256". */
static struct ls_node *fallback_of(struct ls_reading *reading, const struct ls_field *field)
{
    const struct ls_place nowhere = {0};
    const bool many = field->kind == LS_KIND_WORDS || field->kind == LS_KIND_VERSIONS;
    struct ls_node *list = ls_node_new(reading, many ? LS_NODE_LIST : LS_NODE_SCALAR, nowhere);
    const char *text = field->fallback;

    if (list == NULL || !many) {
        if (list != NULL) {
            list->text = text;
            list->length = strlen(text);
        }
        return list;
    }
    while (*text != '\0') {
        const size_t length = strcspn(text, ",");
        struct ls_node *item = ls_node_new(reading, LS_NODE_SCALAR, nowhere);

        if (item == NULL) {
            return NULL;
        }
        item->text = ls_arena_text(reading->scratch, text, length);
        item->length = length;
        if (item->text == NULL) {
            reading->no_memory = true;
            return NULL;
        }
        ls_node_append(list, item);
        text += length;
        text += strspn(text, ", ");
    }
    return list;
}

static void read_word(struct ls_reading *reading, const struct ls_field *field,
                      const struct ls_node *node, void *record)
{
    const int index = ls_read_word(reading, node, field->words);

    if (index >= 0 && field->size > 0) {
        store_integer(field, record, index);
    }
}

static bool is_twice(char *const *list, size_t index)
{
    for (size_t i = 0; i < index; i++) {
        if (strcmp(list[i], list[index]) == 0) {
            return true;
        }
    }
    return false;
}

static void read_words(struct ls_reading *reading, const struct ls_field *field,
                       const struct ls_node *node, void *record)
{
    const struct ls_node *item;
    char **list;
    size_t n = 0;

    if (node->kind != LS_NODE_LIST || node->count == 0) {
        ls_complain(reading, node->place, "wants a list with at least one word, like [%s]",
                    field->words[0]);
        return;
    }
    list = ls_reading_alloc(reading, node->count + 1, sizeof *list);
    for (item = node->first; item != NULL && !reading->no_memory; item = item->next) {
        const int index = ls_read_word(reading, item, field->words);

        if (index < 0) {
            continue;
        }
        list[n] = ls_reading_text(reading, field->words[index]);
        if (list[n] != NULL && is_twice(list, n)) {
            ls_complain(reading, item->place, "\"%s\" stands in the list twice", list[n]);
        }
        n++;
    }
    store(field, record, &list);
}

static void read_text(struct ls_reading *reading, const struct ls_field *field,
                      const struct ls_node *node, void *record)
{
    char *text = ls_read_text(reading, node);

    if (text != NULL && field->high > 0 && strlen(text) > (size_t)field->high) {
        ls_complain(reading, node->place, "too long: %zu bytes, at most %d", strlen(text),
                    (int)field->high);
    }
    store(field, record, &text);
}

static void read_plain(struct ls_reading *reading, const struct ls_field *field,
                       const struct ls_node *node, void *record)
{
    int64_t whole = 0;
    double number = 0;
    bool truth = false;

    switch (field->kind) {
    case LS_KIND_TEXT:
        read_text(reading, field, node, record);
        break;
    case LS_KIND_WORD:
        read_word(reading, field, node, record);
        break;
    case LS_KIND_WORDS:
        read_words(reading, field, node, record);
        break;
    case LS_KIND_SWITCH:
        if (ls_read_switch(reading, node, &truth)) {
            store(field, record, &truth);
        }
        break;
    case LS_KIND_INTEGER:
        if (ls_read_integer(reading, node, field->low, field->high, &whole)) {
            store_integer(field, record, whole);
        }
        break;
    case LS_KIND_DURATION:
    case LS_KIND_SIZE:
    case LS_KIND_CLOCK:
    case LS_KIND_MOMENT:
        if (ls_read_amount(reading, node, field, &whole)) {
            store(field, record, &whole);
        }
        break;
    case LS_KIND_NUMBER:
    case LS_KIND_SHARE:
    case LS_KIND_RATE:
        if (ls_read_number(reading, node, field->kind, field->least, field->most, &number)) {
            store(field, record, &number);
        }
        break;
    default:
        ls_read_special(reading, field, node, record);
        break;
    }
}

static void read_items(struct ls_reading *reading, const struct ls_field *field,
                       const struct ls_node *node, const struct ls_node *list, void *record)
{
    const size_t count = list != NULL ? list->count : 1;
    const size_t errors = reading->errors.count;
    const struct ls_node *item = list != NULL ? list->first : node;
    unsigned char *items;

    if (list != NULL && count > (size_t)field->high) {
        ls_complain(reading, list->place, "has %zu entries, at most %d are taken", count,
                    (int)field->high);
        return;
    }
    items = ls_reading_alloc(reading, count, field->item_size);
    if (items == NULL) {
        return;
    }
    for (size_t i = 0; i < count; i++) {
        const size_t length = list != NULL ? ls_path_enter_item(reading, i) : reading->path_length;

        ls_read_map(reading, field->map, item, items + i * field->item_size);
        ls_path_leave(reading, length);
        item = item != NULL ? item->next : NULL;
    }
    store(field, record, &items);
    memcpy((unsigned char *)record + field->count_at, &count, sizeof count);
    if (field->check_list != NULL && reading->errors.count == errors && !reading->no_memory) {
        field->check_list(reading, node, items, count);
    }
}

static void read_list(struct ls_reading *reading, const struct ls_field *field,
                      const struct ls_node *node, void *record)
{
    if (node == NULL) {
        if ((field->flags & LS_DEFAULT_ONE) != 0) {
            read_items(reading, field, NULL, NULL, record);
        }
    } else if (node->kind == LS_NODE_LIST && node->count > 0) {
        read_items(reading, field, node, node, record);
    } else if (node->kind == LS_NODE_MAP && field->kind == LS_KIND_ONE_OR_MORE) {
        read_items(reading, field, node, NULL, record);
    } else if (node->kind == LS_NODE_LIST) {
        ls_complain(reading, node->place, "is an empty list; give an entry, or take the key out");
    } else {
        ls_complain(reading, node->place,
                    "wants a list: each entry on a line of its own that begins with \"- \"");
    }
}

static void read_absent(struct ls_reading *reading, const struct ls_map *map,
                        const struct ls_field *field, const struct ls_node *node, void *record)
{
    const double number = -1;
    const struct ls_place top = {NULL, 1, 1};

    if ((field->flags & LS_NEGATIVE) != 0 &&
        (field->kind == LS_KIND_SHARE || field->kind == LS_KIND_NUMBER ||
         field->kind == LS_KIND_RATE)) {
        store(field, record, &number);
    } else if ((field->flags & LS_NEGATIVE) != 0) {
        store_integer(field, record, -1);
    } else if (field->kind == LS_KIND_LIST || field->kind == LS_KIND_ONE_OR_MORE) {
        read_list(reading, field, NULL, record);
    } else if (field->kind == LS_KIND_MAP) {
        ls_read_map(reading, field->map, NULL, ls_field_at(field, record));
    } else if (field->fallback != NULL) {
        const struct ls_node *fallback = fallback_of(reading, field);

        if (fallback != NULL) {
            read_plain(reading, field, fallback, record);
        }
    } else if ((field->flags & LS_REQUIRED) != 0) {
        const bool by_case = field->cases != 0 && map->which != NULL;

        ls_complain(reading, node != NULL ? node->place : top, "is missing%s%s: %s",
                    by_case ? " for " : "", by_case ? map->cases[map->which(record)] : "",
                    field->doc);
    }
}

static void read_field(struct ls_reading *reading, const struct ls_map *map,
                       const struct ls_field *field, const struct ls_node *node, void *record)
{
    const struct ls_node *child = ls_node_get(node, field->key);

    if (child == NULL) {
        read_absent(reading, map, field, node, record);
    } else if (child->kind == LS_NODE_SCALAR && child->plain && child->length == 0) {
        ls_complain(reading, child->key_place, "has no value; give one, or take the key out");
    } else if (field->kind == LS_KIND_MAP) {
        ls_read_map(reading, field->map, child, ls_field_at(field, record));
    } else if (field->kind == LS_KIND_LIST || field->kind == LS_KIND_ONE_OR_MORE) {
        read_list(reading, field, child, record);
    } else {
        read_plain(reading, field, child, record);
    }
}

void ls_read_map(struct ls_reading *reading, const struct ls_map *map, const struct ls_node *node,
                 void *record)
{
    bool decided = true; /* whether we know which case this is */
    size_t errors;

    if (node != NULL && node->kind != LS_NODE_MAP) {
        ls_complain(reading, node->place, "wants keys with values, like {%s: ...}",
                    map->fields[0].key);
        return;
    }
    if (node != NULL) {
        check_keys(reading, map, node);
    }
    errors = reading->errors.count;
    for (size_t i = 0; i < map->count && !reading->no_memory; i++) {
        const struct ls_field *field = &map->fields[i];
        const struct ls_node *child = ls_node_get(node, field->key);
        const size_t before = reading->errors.count;
        const size_t length = ls_path_enter(reading, field->key);

        if (node == NULL && map->given != NULL && (field->flags & LS_NEGATIVE) == 0) {
            /* the whole map is optional, and was left out */
        } else if (decided && !ls_field_applies(map, field, record)) {
            if (child != NULL) {
                complain_case(reading, map, field, child, record);
            }
        } else if (decided || field->cases == 0 || child != NULL) {
            read_field(reading, map, field, node, record);
        }
        if ((field->flags & LS_DECIDES) != 0 && reading->errors.count > before) {
            decided = false;
        }
        ls_path_leave(reading, length);
    }
    if (map->check != NULL && reading->errors.count == errors && !reading->no_memory &&
        (node != NULL || map->given == NULL)) {
        map->check(reading, node, record);
    }
}
