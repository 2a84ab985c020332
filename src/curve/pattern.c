/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "curve/pattern.h"

#include <string.h>

static const struct {
    const char *name;
    enum variable variable;
} known[] = {
    {"remote_addr", VAR_ADDRESS},
    {"remote_user", VAR_USER},
    {"time_local", VAR_TIME},
    {"time_iso8601", VAR_TIME},
    {"msec", VAR_TIME},
    {"request", VAR_REQUEST},
    {"request_method", VAR_METHOD},
    {"request_uri", VAR_URI},
    {"uri", VAR_URI},
    {"status", VAR_STATUS},
    {"ssl_session_reused", VAR_REUSED},
};

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* What stands between the quotes of a directive, one behind the other; text without any is taken
 * as it is. False where it does not fit. */
static bool unquote(const char *words, char out[PATTERN_BYTES])
{
    static const char directive[] = "log_format";
    const size_t size = strlen(words);
    size_t count = 0;

    while (is_blank(*words)) {
        words++;
    }
    if (*words != '\'' && strncmp(words, directive, sizeof directive - 1) != 0) {
        if (size >= PATTERN_BYTES) {
            return false;
        }
        memcpy(out, words, strlen(words) + 1);
        return true;
    }
    while ((words = strpbrk(words, "'\"")) != NULL) {
        const char quote = *words++;

        for (; *words != '\0' && *words != quote; words++) {
            if (*words == '\\' && words[1] != '\0') {
                words++;
            }
            if (count + 1 >= PATTERN_BYTES) {
                return false;
            }
            out[count++] = *words;
        }
        if (*words == quote) {
            words++;
        }
    }
    out[count] = '\0';
    return true;
}

static bool is_of_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* $name or ${name}, at its dollar; where it ends. */
static const char *take_variable(const char *at, struct slice *name)
{
    const bool braced = at[1] == '{';
    const char *from = at + (braced ? 2 : 1);
    const char *to = from;

    while (is_of_name(*to)) {
        to++;
    }
    *name = (struct slice){from, (size_t)(to - from)};
    if (braced && *to == '}') {
        to++;
    }
    return to;
}

static enum variable variable_of(struct slice name)
{
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (slice_is(name, known[i].name)) {
            return known[i].variable;
        }
    }
    return VAR_OTHER;
}

static enum ls_code add(struct pattern *pattern, size_t *items, struct slice name,
                        struct slice behind, struct ls_error *err)
{
    const enum variable variable = variable_of(name);

    if (*items == PATTERN_ITEMS) {
        return ls_error_set(err, LS_EUSAGE, "--log-format: more than %d variables", PATTERN_ITEMS);
    }
    if (*items > 0 && pattern->items[*items - 1].behind.size == 0) {
        return ls_error_set(err, LS_EUSAGE,
                            "--log-format: nothing tells where what stands before $%.*s ends",
                            (int)name.size, name.at);
    }
    pattern->items[*items].variable = variable;
    pattern->items[*items].behind = behind;
    (*items)++;
    if (variable != VAR_OTHER && !pattern->has[variable]) {
        pattern->has[variable] = true;
        pattern->count = *items;
    }
    return LS_OK;
}

enum ls_code pattern_compile(struct pattern *pattern, const char *words, struct ls_error *err)
{
    const char *at = pattern->text;
    size_t items = 0;
    enum ls_code code = LS_OK;

    memset(pattern, 0, sizeof *pattern);
    if (!unquote(words, pattern->text)) {
        return ls_error_set(err, LS_EUSAGE, "--log-format: longer than %d bytes", PATTERN_BYTES);
    }
    if (strchr(at, '$') == NULL) {
        return ls_error_set(err, LS_EUSAGE,
                            "--log-format: \"%.60s\" has no $variables; it is written as nginx's "
                            "log_format, like '$remote_addr [$time_local] \"$request\" $status'",
                            at);
    }
    pattern->lead = (struct slice){at, strcspn(at, "$")};
    at += pattern->lead.size;
    while (*at == '$' && code == LS_OK) {
        struct slice name, behind;

        at = take_variable(at, &name);
        behind = (struct slice){at, strcspn(at, "$")};
        at += behind.size;
        code = add(pattern, &items, name, behind, err);
    }
    if (code == LS_OK && !pattern->has[VAR_TIME]) {
        return ls_error_set(err, LS_EUSAGE,
                            "--log-format: no time in it ($time_local, $time_iso8601 or $msec)");
    }
    return code;
}

/* A quote that ends a text is none that was escaped within it. */
static bool is_escaped(const char *from, const char *at)
{
    size_t count = 0;

    while (at > from && at[-1] == '\\') {
        at--;
        count++;
    }
    return count % 2 == 1;
}

static const char *find(const char *from, const char *end, struct slice mark)
{
    const char *at = from;

    while ((size_t)(end - at) >= mark.size) {
        at = memchr(at, mark.at[0], (size_t)(end - at) - mark.size + 1);
        if (at == NULL) {
            return NULL;
        }
        /* Nearly always the second character tells. */
        if ((mark.size == 1 || (at[1] == mark.at[1] && memcmp(at, mark.at, mark.size) == 0)) &&
            !(*at == '"' && is_escaped(from, at))) {
            return at;
        }
        at++;
    }
    return NULL;
}

bool pattern_match(const struct pattern *pattern, const char *line, size_t size,
                   struct slice values[VAR_COUNT])
{
    const char *end = line + size;
    const char *at = line;

    memset(values, 0, VAR_COUNT * sizeof values[0]);
    if (size < pattern->lead.size || memcmp(at, pattern->lead.at, pattern->lead.size) != 0) {
        return false;
    }
    at += pattern->lead.size;
    for (size_t i = 0; i < pattern->count; i++) {
        const struct slice behind = pattern->items[i].behind;
        const enum variable variable = pattern->items[i].variable;
        const char *to = behind.size == 0 ? end : find(at, end, behind);

        if (to == NULL) {
            return false;
        }
        if (values[variable].at == NULL) {
            values[variable] = (struct slice){at, (size_t)(to - at)};
        }
        at = to + behind.size;
    }
    return true;
}
