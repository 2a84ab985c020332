/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <inttypes.h>
#include <string.h>
#include <strings.h>

#include "loginstorm/units.h"
#include "scenario/scalar.h"
#include "scenario/writing.h"

#define LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
#define DIGITS "0123456789"

void ls_put(struct ls_writing *w, const char *text)
{
    (void)fputs(text, w->stream);
    w->column += (int)strlen(text);
}

/* What other readers of YAML take for something else than a text. */
static bool is_plain(const char *text)
{
    static const char *const others[] = {"null", "true", "false", "yes", "no",
                                         "on",   "off",  "y",     "n"};
    const size_t length = strlen(text);

    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        if (strcasecmp(text, others[i]) == 0) {
            return false;
        }
    }
    return length > 0 && strspn(text, LETTERS DIGITS "._/-") == length &&
           strspn(text, LETTERS "/") > 0;
}

void ls_put_text(struct ls_writing *w, const char *text)
{
    if (is_plain(text)) {
        ls_put(w, text);
        return;
    }
    ls_put(w, "\"");
    for (; *text != '\0'; text++) {
        const char one[] = {*text, '\0'};

        if (*text == '"' || *text == '\\') {
            ls_put(w, "\\");
        }
        ls_put(w, one);
    }
    ls_put(w, "\"");
}

void ls_write_moment(struct ls_writing *w, int64_t at_ns)
{
    const struct ls_scenario *s = w->scenario;
    int64_t clock = s->from_ns + at_ns;
    char text[LS_SCALAR_MAX];

    /* Only a window from midnight to midnight needs 24:00: its end is not its start. */
    if (clock > LS_NS_PER_DAY || (clock == LS_NS_PER_DAY && s->from_ns != 0)) {
        clock -= LS_NS_PER_DAY;
    }
    ls_scalar_write_clock(clock, text);
    ls_put(w, text);
}

static void put_duration(struct ls_writing *w, int64_t ns)
{
    char text[LS_SCALAR_MAX];

    ls_format_duration(ns, text, sizeof text);
    ls_put(w, text);
}

static void put_integer(struct ls_writing *w, int64_t value)
{
    char text[LS_SCALAR_MAX];

    (void)snprintf(text, sizeof text, "%" PRId64, value);
    ls_put(w, text);
}

bool ls_special_has_value(const struct ls_field *field, const void *record)
{
    const struct ls_wave *wave = record;
    const struct ls_gateway_wish *gateway = record;
    const struct ls_farm *farm = record;

    switch (field->kind) {
    case LS_KIND_SPREAD:
        return !(wave->share_in_middle_sixth > 0);
    case LS_KIND_CORES:
        return gateway->cores_count > 0;
    case LS_KIND_COSTS:
        return farm->cost_kind != LS_COST_PROFILE || farm->costs != NULL;
    case LS_KIND_CAPACITY:
        return farm->capacity_logins > 0;
    default:
        return true;
    }
}

static void write_points(struct ls_writing *w, const struct ls_wave *wave)
{
    char text[LS_SCALAR_MAX];

    for (size_t i = 0; i < wave->points_count; i++) {
        ls_put(w, i == 0 ? "[[" : ", [");
        ls_write_moment(w, wave->points[i].at_ns);
        ls_scalar_write_rate(wave->points[i].per_s, text);
        ls_put(w, ", ");
        ls_put(w, text);
        ls_put(w, "]");
    }
    ls_put(w, "]");
}

static void write_cpu(struct ls_writing *w, const struct ls_gateway_wish *gateway)
{
    switch (gateway->cpu_from) {
    case LS_CPU_PROCESS:
        ls_put(w, "{from: process, ");
        if (gateway->cpu_process != NULL) {
            ls_put(w, "process: ");
            ls_put_text(w, gateway->cpu_process);
        } else {
            ls_put(w, "pid: ");
            put_integer(w, gateway->cpu_pid);
        }
        ls_put(w, "}");
        break;
    case LS_CPU_EXPORTER:
        ls_put(w, "{from: exporter, url: ");
        ls_put_text(w, gateway->cpu_url);
        if (gateway->cpu_process != NULL) {
            ls_put(w, ", process: ");
            ls_put_text(w, gateway->cpu_process);
        }
        ls_put(w, "}");
        break;
    case LS_CPU_CGROUP:
        ls_put(w, "{from: cgroup, path: ");
        ls_put_text(w, gateway->cpu_path);
        ls_put(w, "}");
        break;
    default:
        ls_put(w, gateway->cpu_from == LS_CPU_EMBEDDED ? "embedded" : "none");
        break;
    }
}

static void write_costs(struct ls_writing *w, const struct ls_farm *farm)
{
    char text[LS_SCALAR_MAX];

    switch (farm->cost_kind) {
    case LS_COST_PROFILE:
        ls_put_text(w, farm->costs);
        return;
    case LS_COST_FIXED:
        ls_put(w, "{fixed: ");
        put_duration(w, farm->cost_ns);
        break;
    case LS_COST_EXPONENTIAL:
        ls_put(w, "{exponential: ");
        put_duration(w, farm->cost_ns);
        break;
    case LS_COST_LOGNORMAL:
        ls_put(w, "{lognormal: {mean: ");
        put_duration(w, farm->cost_ns);
        ls_scalar_write_number(farm->cost_scv, text);
        ls_put(w, ", scv: ");
        ls_put(w, text);
        ls_put(w, "}");
        break;
    }
    ls_put(w, "}");
}

static void write_cores(struct ls_writing *w, const struct ls_gateway_wish *gateway)
{
    for (int i = 0; i < gateway->cores_count; i++) {
        ls_put(w, i == 0 ? "[" : ", ");
        put_integer(w, gateway->cores[i]);
    }
    ls_put(w, "]");
}

static void write_versions(struct ls_writing *w, const struct ls_tls_wish *tls)
{
    ls_put(w, tls->max == LS_TLS_1_2 ? "[1.2]" : tls->min == LS_TLS_1_2 ? "[1.2, 1.3]" : "[1.3]");
}

static void write_hold(struct ls_writing *w, const struct ls_login_wish *login)
{
    if (login->hold == LS_HOLD_DURATION) {
        put_duration(w, login->hold_ns);
    } else {
        ls_put(w, login->hold == LS_HOLD_NONE ? "none" : "until_end");
    }
}

void ls_write_special(struct ls_writing *w, const struct ls_field *field, const void *record)
{
    const struct ls_population *population = record;
    const struct ls_scenario *s = w->scenario;
    const struct ls_gateway_wish *gateway = record;
    const struct ls_wave *wave = record;
    const struct ls_farm *farm = record;

    switch (field->kind) {
    case LS_KIND_VERSION:
        ls_put(w, "1");
        break;
    case LS_KIND_WINDOW_END:
        ls_write_moment(w, s->window_ns);
        break;
    case LS_KIND_SPREAD:
        put_duration(w, wave->spread_ns);
        break;
    case LS_KIND_POINTS:
        write_points(w, wave);
        break;
    case LS_KIND_CONNECTIONS:
        put_integer(w, population->connections);
        break;
    case LS_KIND_VERSIONS:
        write_versions(w, record);
        break;
    case LS_KIND_HOLD:
        write_hold(w, record);
        break;
    case LS_KIND_TARGET:
        ls_put_text(w, gateway->target);
        break;
    case LS_KIND_CORES:
        write_cores(w, gateway);
        break;
    case LS_KIND_CPU:
        write_cpu(w, gateway);
        break;
    case LS_KIND_COSTS:
        write_costs(w, farm);
        break;
    case LS_KIND_CAPACITY:
        put_integer(w, farm->capacity_logins);
        ls_put(w, " in ");
        put_duration(w, farm->capacity_in_ns);
        break;
    default:
        break;
    }
}
