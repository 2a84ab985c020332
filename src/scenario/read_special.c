/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenario/field.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>

#include "loginstorm/name.h"
#include "loginstorm/units.h"
#include "loginstorm/zone.h"
#include "scenario/presets.h"
#include "scenario/scalar.h"

const struct ls_preset ls_presets[LS_PRESETS] = {
    {"ras-gateway", 2}, {"ras-direct", 1}, {"ras-html5", 4}, {"horizon", 3},
    {"citrix-ica", 3},  {"rdg", 2},        {"vpn", 1},
};

static void read_version(struct ls_reading *reading, const struct ls_node *node)
{
    char shown[LS_SHOWN_MAX];

    if (ls_read_scalar(reading, node, "the format's version, which is 1") &&
        strcmp(node->text, "1") != 0) {
        ls_complain(reading, node->place,
                    "format %s is not known to this loginstorm; it reads format 1, so write "
                    "`loginstorm: 1` (or take a newer loginstorm)",
                    ls_show(node->text, shown));
    }
}

static void read_window_end(struct ls_reading *reading, const struct ls_field *field,
                            const struct ls_node *node, struct ls_scenario *s)
{
    const size_t errors = reading->errors.count;
    int64_t to = 0;

    if (!ls_read_amount(reading, node, field, &to) || reading->errors.count > errors) {
        return;
    }
    s->window_ns = to - s->from_ns;
    if (s->window_ns <= 0) {
        s->window_ns += LS_NS_PER_DAY;
    }
}

static void read_zone(struct ls_reading *reading, const struct ls_node *node, char **out)
{
    struct ls_zone *zone = NULL;
    struct ls_error err;

    *out = ls_read_text(reading, node);
    if (*out == NULL) {
        return;
    }
    switch (ls_zone_new(&zone, *out, &err)) {
    case LS_OK:
    case LS_ENOINPUT: /* a machine without zone data cannot tell */
        break;
    case LS_ENOMEM:
        reading->no_memory = true;
        break;
    default:
        ls_complain(reading, node->place, "%s", err.text);
        break;
    }
    ls_zone_free(zone);
}

static bool is_one_of(const char *text, const char *const *words)
{
    while (words != NULL && *words != NULL) {
        if (strcmp(text, *words++) == 0) {
            return true;
        }
    }
    return false;
}

static void read_date(struct ls_reading *reading, const struct ls_field *field,
                      const struct ls_node *node, char **out)
{
    char shown[LS_SHOWN_MAX];

    *out = ls_read_text(reading, node);
    if (*out != NULL && !ls_scalar_is_date(*out) && !is_one_of(*out, field->words)) {
        ls_complain(reading, node->place, "\"%s\" is not %s%s", ls_show(*out, shown),
                    ls_kind_form(LS_KIND_DATE),
                    field->words != NULL ? ", nor worst or average" : "");
    }
}

static void read_addresses(struct ls_reading *reading, const struct ls_node *node, char ***out)
{
    char shown[LS_SHOWN_MAX];
    char **list;
    size_t n = 0;

    if (node->kind != LS_NODE_LIST || node->count == 0) {
        ls_complain(reading, node->place, "wants a list of IP addresses, like [192.0.2.10]");
        return;
    }
    list = ls_reading_alloc(reading, node->count + 1, sizeof *list);
    for (const struct ls_node *item = node->first; item != NULL && list != NULL;
         item = item->next) {
        list[n] = ls_read_text(reading, item);
        if (list[n] != NULL && !ls_name_is_address(list[n])) {
            ls_complain(reading, item->place, "\"%s\" is not an IP address, like 192.0.2.10%s",
                        ls_show(list[n], shown),
                        strchr(list[n], '/') != NULL ? " (a whole network is permitted to nobody)"
                                                     : "");
        }
        n += list[n] != NULL;
    }
    *out = list;
}

static void read_connections(struct ls_reading *reading, const struct ls_field *field,
                             const struct ls_node *node, int *out)
{
    const char *words[LS_PRESETS + 1] = {NULL};
    int64_t value = 0;
    int index;

    if (!ls_read_scalar(reading, node, "a number or a preset")) {
        return;
    }
    if (strchr("+-0123456789", node->text[0]) != NULL) {
        if (ls_read_integer(reading, node, field->low, field->high, &value)) {
            *out = (int)value;
        }
        return;
    }
    for (size_t i = 0; i < LS_PRESETS; i++) {
        words[i] = ls_presets[i].word;
    }
    index = ls_read_word(reading, node, words);
    if (index >= 0) {
        *out = ls_presets[index].connections;
    }
}

static void read_versions(struct ls_reading *reading, const struct ls_node *node,
                          struct ls_tls_wish *tls)
{
    static const char *const words[] = {"1.2", "1.3", NULL};
    bool given[2] = {false, false};

    if (node->kind != LS_NODE_LIST || node->count == 0) {
        ls_complain(reading, node->place, "wants a list: [1.3], [1.2] or [1.2, 1.3]");
        return;
    }
    for (const struct ls_node *item = node->first; item != NULL; item = item->next) {
        const int index = ls_read_word(reading, item, words);

        if (index >= 0 && given[index]) {
            ls_complain(reading, item->place, "\"%s\" stands in the list twice", words[index]);
        } else if (index >= 0) {
            given[index] = true;
        }
    }
    tls->min = given[0] ? LS_TLS_1_2 : LS_TLS_1_3;
    tls->max = given[1] ? LS_TLS_1_3 : LS_TLS_1_2;
}

static void read_hold(struct ls_reading *reading, const struct ls_node *node,
                      struct ls_login_wish *login)
{
    const char *form = "a duration like 20m, until_end or none";
    char shown[LS_SHOWN_MAX];
    int64_t value = 0;

    if (!ls_read_scalar(reading, node, form)) {
        return;
    }
    if (strcmp(node->text, "none") == 0) {
        login->hold = LS_HOLD_NONE;
    } else if (strcmp(node->text, "until_end") == 0) {
        login->hold = LS_HOLD_UNTIL_END;
    } else if (ls_scalar_duration(node->text, &value) && value <= LS_NS_PER_DAY) {
        login->hold = LS_HOLD_DURATION;
        login->hold_ns = value;
    } else {
        ls_complain(reading, node->place, "\"%s\" is not %s (at most 24h)",
                    ls_show(node->text, shown), form);
    }
}

/* "127.0.0.1:8443", "ras.example.lan:443", "[2001:db8::1]:443". */
static bool is_host_and_port(const char *text)
{
    const char *colon = strrchr(text, ':');
    const size_t length = colon != NULL ? (size_t)(colon - text) : 0;
    int64_t port = 0;

    if (length == 0 || length > 253 || colon[1] == '+' || colon[1] == '-' ||
        !ls_scalar_integer(colon + 1, &port) || port < 1 || port > 65535) {
        return false;
    }
    if (text[0] == '[') {
        unsigned char bytes[16];
        char address[INET6_ADDRSTRLEN];

        if (length < 3 || length - 2 >= sizeof address || text[length - 1] != ']') {
            return false;
        }
        memcpy(address, text + 1, length - 2);
        address[length - 2] = '\0';
        return inet_pton(AF_INET6, address, bytes) == 1;
    }
    return strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-") ==
           length;
}

static void read_target(struct ls_reading *reading, const struct ls_node *node,
                        struct ls_gateway_wish *gateway)
{
    char shown[LS_SHOWN_MAX];

    gateway->target = ls_read_text(reading, node);
    if (gateway->target == NULL) {
        return;
    }
    gateway->embedded = strcmp(gateway->target, "embedded") == 0;
    if (!gateway->embedded && !is_host_and_port(gateway->target)) {
        ls_complain(reading, node->place,
                    "\"%s\" is neither embedded nor HOST:PORT, like 127.0.0.1:8443",
                    ls_show(gateway->target, shown));
    }
}

static void read_cores(struct ls_reading *reading, const struct ls_node *node,
                       struct ls_gateway_wish *gateway)
{
    if (node->kind != LS_NODE_LIST || node->count == 0 || node->count > LS_CORES_MAX) {
        ls_complain(reading, node->place, "wants a list of 1 to %d cores, like [0]", LS_CORES_MAX);
        return;
    }
    for (const struct ls_node *item = node->first; item != NULL; item = item->next) {
        int64_t core = 0;

        if (!ls_read_integer(reading, item, 0, 1023, &core)) {
            continue;
        }
        for (int i = 0; i < gateway->cores_count; i++) {
            if (gateway->cores[i] == (int)core) {
                ls_complain(reading, item->place, "core %d stands in the list twice", (int)core);
            }
        }
        gateway->cores[gateway->cores_count++] = (int)core;
    }
}

static void read_cpu(struct ls_reading *reading, const struct ls_field *field,
                     const struct ls_node *node, struct ls_gateway_wish *gateway)
{
    static const char *const words[] = {"none", "embedded", NULL};

    if (node->kind == LS_NODE_SCALAR) {
        const int index = ls_read_word(reading, node, words);

        if (index >= 0) {
            gateway->cpu_from = index == 0 ? LS_CPU_NONE : LS_CPU_EMBEDDED;
        }
    } else {
        ls_read_map(reading, field->map, node, gateway);
    }
}

static void read_point(struct ls_reading *reading, const struct ls_node *item, struct ls_wave *wave)
{
    static const struct ls_field moment = {.kind = LS_KIND_MOMENT};
    const int64_t window = reading->scenario->window_ns;
    struct ls_rate_point *point = &wave->points[wave->points_count];
    char shown[LS_SHOWN_MAX];

    if (item->kind != LS_NODE_LIST || item->count != 2) {
        ls_complain(reading, item->place, "wants a time and a rate, like [08:25, 250/min]");
        return;
    }
    if (!ls_read_amount(reading, item->first, &moment, &point->at_ns) ||
        !ls_read_number(reading, item->last, LS_KIND_RATE, 0, 1e9, &point->per_s)) {
        return;
    }
    if (wave->points_count > 0 && point->at_ns == 0 && window == LS_NS_PER_DAY) {
        point->at_ns = window; /* a window of a whole day ends at the time at which it began */
    }
    if (wave->points_count > 0 && point->at_ns <= point[-1].at_ns) {
        ls_complain(reading, item->place, "%s does not come after the point before it",
                    ls_show(item->first->text, shown));
        return;
    }
    wave->points_count++;
}

static void read_points(struct ls_reading *reading, const struct ls_field *field,
                        const struct ls_node *node, struct ls_wave *wave)
{
    size_t i = 0;

    if (node->kind != LS_NODE_LIST || node->count < 2 || node->count > (size_t)field->high) {
        ls_complain(reading, node->place,
                    "wants a list of 2 to %d points, like [[08:00, 20/min], [09:00, 5/min]]",
                    (int)field->high);
        return;
    }
    wave->points = ls_reading_alloc(reading, node->count, sizeof *wave->points);
    if (wave->points == NULL) {
        return;
    }
    for (const struct ls_node *item = node->first; item != NULL; item = item->next) {
        const size_t length = ls_path_enter_item(reading, i++);

        read_point(reading, item, wave);
        ls_path_leave(reading, length);
    }
}

/* "700 in 10m". */
static void read_capacity(struct ls_reading *reading, const struct ls_node *node,
                          struct ls_farm *farm)
{
    const char *form = "a count in a time, like 700 in 10m";
    char shown[LS_SHOWN_MAX];
    const char *in;
    char count[20];
    size_t length;

    if (!ls_read_scalar(reading, node, form)) {
        return;
    }
    in = strstr(node->text, " in ");
    length = in != NULL ? (size_t)(in - node->text) : 0;
    if (in != NULL && length < sizeof count) {
        memcpy(count, node->text, length);
        count[length] = '\0';
        if (ls_scalar_integer(count, &farm->capacity_logins) && farm->capacity_logins > 0 &&
            farm->capacity_logins <= 1000000000 &&
            ls_scalar_duration(in + 4, &farm->capacity_in_ns) &&
            farm->capacity_in_ns >= LS_NS_PER_MS && farm->capacity_in_ns <= LS_NS_PER_DAY) {
            return;
        }
    }
    ls_complain(reading, node->place, "\"%s\" is not %s", ls_show(node->text, shown), form);
}

void ls_read_special(struct ls_reading *reading, const struct ls_field *field,
                     const struct ls_node *node, void *record)
{
    struct ls_wave *wave = record;

    switch (field->kind) {
    case LS_KIND_VERSION:
        read_version(reading, node);
        break;
    case LS_KIND_ZONE:
        read_zone(reading, node, ls_field_at(field, record));
        break;
    case LS_KIND_DATE:
        read_date(reading, field, node, ls_field_at(field, record));
        break;
    case LS_KIND_ADDRESSES:
        read_addresses(reading, node, ls_field_at(field, record));
        break;
    case LS_KIND_WINDOW_END:
        read_window_end(reading, field, node, record);
        break;
    case LS_KIND_SPREAD:
        (void)ls_read_amount(reading, node, field, &wave->spread_ns);
        break;
    case LS_KIND_POINTS:
        read_points(reading, field, node, wave);
        break;
    case LS_KIND_CONNECTIONS:
        read_connections(reading, field, node, ls_field_at(field, record));
        break;
    case LS_KIND_VERSIONS:
        read_versions(reading, node, record);
        break;
    case LS_KIND_HOLD:
        read_hold(reading, node, record);
        break;
    case LS_KIND_TARGET:
        read_target(reading, node, record);
        break;
    case LS_KIND_CORES:
        read_cores(reading, node, record);
        break;
    case LS_KIND_CPU:
        read_cpu(reading, field, node, record);
        break;
    case LS_KIND_COSTS:
        ls_read_costs(reading, node, record);
        break;
    case LS_KIND_CAPACITY:
        read_capacity(reading, node, record);
        break;
    default:
        break;
    }
}
