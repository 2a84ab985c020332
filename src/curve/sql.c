/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * A dump of a RADIUS server's accounting table, as mysqldump, phpMyAdmin or pg_dump write it:
 *
 *     INSERT INTO `radacct` VALUES (1,'12','ab3f','alice',...,'2026-11-30 08:27:47',...),(2,...);
 *     COPY public.radacct (radacctid, ..., acctstarttime, ...) FROM stdin;
 *
 * The columns are those of the INSERT or COPY, else of the CREATE TABLE before it. Other tables of
 * the dump are passed over.
 */
#include <stdlib.h>
#include <string.h>

#include "curve/formats.h"
#include "curve/slice.h"

#define NO_PLACE (-1)
#define ANOTHER_TABLE "another table, or one without acctstarttime"

enum mode { MODE_NONE, MODE_CREATE, MODE_VALUES, MODE_COPY };

struct places {
    int count; /* columns seen so far */
    int time, user;
};

struct sql {
    struct sink *sink;
    enum mode mode;
    struct places created; /* of the last CREATE TABLE */
    struct places places;  /* of the rows that come */
};

static void begin_places(struct places *places)
{
    *places = (struct places){.time = NO_PLACE, .user = NO_PLACE};
}

static void add_column(struct places *places, struct slice name)
{
    while (name.size > 0 && strchr("`\"[ \t", name.at[0]) != NULL) {
        name.at++;
        name.size--;
    }
    while (name.size > 0 && strchr("`\"] \t,", name.at[name.size - 1]) != NULL) {
        name.size--;
    }
    if (slice_is_like(name, "acctstarttime")) {
        places->time = places->count;
    } else if (slice_is_like(name, "username")) {
        places->user = places->count;
    }
    places->count++;
}

/* "(a, `b`, c)": the columns between the brackets; false where there are none. */
static bool take_list(struct places *places, struct slice text)
{
    const char *open = text.size == 0 ? NULL : memchr(text.at, '(', text.size);
    const char *close =
        open == NULL ? NULL : memchr(open, ')', (size_t)(text.at + text.size - open));
    struct slice rest;

    if (close == NULL) {
        return false;
    }
    begin_places(places);
    rest = (struct slice){open + 1, (size_t)(close - open - 1)};
    while (rest.at != NULL) {
        add_column(places, slice_cut(&rest, ','));
    }
    return true;
}

/* A line of CREATE TABLE: a column's name and its type, or a key. */
static void take_created(struct sql *sql, struct slice line)
{
    static const char *const keys[] = {"PRIMARY", "UNIQUE", "KEY", "INDEX", "CONSTRAINT", "CHECK"};
    struct slice rest = slice_trim(line);
    struct slice name;

    if (slice_begins(rest, ")")) {
        sql->mode = MODE_NONE;
        return;
    }
    name = slice_cut(&rest, ' ');
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        if (slice_is_like(name, keys[i])) {
            return;
        }
    }
    if (name.size > 0) {
        add_column(&sql->created, name);
    }
}

/* One value of a row, NULL as {NULL, 0}; where it ends. */
static const char *take_value(const char *at, const char *end, struct slice *value)
{
    const char *from;

    while (at < end && (*at == ' ' || *at == '\t')) {
        at++;
    }
    if (at < end && *at == '\'') {
        from = ++at;
        while (at < end && (*at != '\'' || (at + 1 < end && at[1] == '\''))) {
            at += (*at == '\\' || *at == '\'') && at + 1 < end ? 2 : 1;
        }
        *value = (struct slice){from, (size_t)((at < end ? at : end) - from)};
        return at < end ? at + 1 : end;
    }
    from = at;
    while (at < end && *at != ',' && *at != ')') {
        at++;
    }
    *value = slice_trim((struct slice){from, (size_t)(at - from)});
    if (slice_is_like(*value, "NULL")) {
        *value = (struct slice){NULL, 0};
    }
    return at;
}

static enum ls_code give(const struct sql *sql, struct slice time, struct slice user,
                         struct slice row, struct ls_error *err)
{
    struct sink *sink = sql->sink;
    struct event event = {.count = 1, .who = user.at, .who_size = user.size};
    const char *why = NULL;

    if (time.size == 0 || slice_begins(time, "0000-00-00")) {
        why = "no acctstarttime";
    } else {
        (void)stamp_read(&event.stamp, time.at, time.size, sink->order, &why);
    }
    if (why != NULL) {
        sink->skip(sink, why, row.at, row.size);
        return LS_OK;
    }
    return sink->event(sink, &event, err);
}

/* The rows of an INSERT in this line: "(...),(...);"; the statement ends with the semicolon. */
static enum ls_code take_tuples(struct sql *sql, const char *at, const char *end,
                                struct ls_error *err)
{
    enum ls_code code = LS_OK;

    while (at < end && code == LS_OK) {
        struct slice time = {NULL, 0}, user = {NULL, 0};
        const char *from = at;
        int place = 0;

        if (*at != '(') {
            sql->mode = *at == ';' ? MODE_NONE : sql->mode;
            at++;
            continue;
        }
        do {
            struct slice value;

            at = take_value(at + 1, end, &value);
            time = place == sql->places.time ? value : time;
            user = place == sql->places.user ? value : user;
            place++;
            while (at < end && *at != ',' && *at != ')') {
                at++;
            }
        } while (at < end && *at == ',');
        if (at == end) {
            sql->sink->skip(sql->sink, "a row that is not whole", from, (size_t)(end - from));
            return LS_OK;
        }
        at++;
        code = give(sql, time, user, (struct slice){from, (size_t)(at - from)}, err);
    }
    return code;
}

static enum ls_code take_copied(struct sql *sql, struct slice line, struct ls_error *err)
{
    struct slice rest = line;
    struct slice time = {NULL, 0}, user = {NULL, 0};

    if (slice_is(line, "\\.")) {
        sql->mode = MODE_NONE;
        return LS_OK;
    }
    if (sql->places.time == NO_PLACE) {
        sql->sink->skip(sql->sink, ANOTHER_TABLE, line.at, line.size);
        return LS_OK;
    }
    for (int place = 0; rest.at != NULL; place++) {
        struct slice value = slice_cut(&rest, '\t');

        if (slice_is(value, "\\N")) {
            value = (struct slice){NULL, 0};
        }
        time = place == sql->places.time ? value : time;
        user = place == sql->places.user ? value : user;
    }
    return give(sql, time, user, line, err);
}

static enum ls_code take_insert(struct sql *sql, struct slice line, struct ls_error *err)
{
    const char *values = memmem(line.at, line.size, "VALUES", 6);
    const char *end = line.at + line.size;

    values = values != NULL ? values : memmem(line.at, line.size, "values", 6);
    if (!take_list(&sql->places,
                   (struct slice){line.at, (size_t)((values == NULL ? end : values) - line.at)})) {
        sql->places = sql->created;
    }
    if (sql->places.time == NO_PLACE) {
        sql->sink->skip(sql->sink, ANOTHER_TABLE, line.at, line.size);
        return LS_OK;
    }
    sql->mode = MODE_VALUES;
    return values == NULL ? LS_OK : take_tuples(sql, values + 6, end, err);
}

static bool begins_like(struct slice line, const char *words)
{
    return line.size >= strlen(words) && strncasecmp(line.at, words, strlen(words)) == 0;
}

static enum ls_code take_line(void *state, const char *line, size_t size, struct ls_error *err)
{
    struct sql *sql = state;
    const struct slice text = {line, size};

    if (sql->mode == MODE_COPY) {
        return take_copied(sql, text, err);
    }
    if (sql->mode == MODE_CREATE) {
        take_created(sql, text);
    } else if (begins_like(text, "INSERT INTO ")) {
        return take_insert(sql, text, err);
    } else if (sql->mode == MODE_VALUES) {
        return take_tuples(sql, line, line + size, err);
    } else if (begins_like(text, "CREATE TABLE ")) {
        begin_places(&sql->created);
        sql->mode = MODE_CREATE;
    } else if (begins_like(text, "COPY ")) {
        sql->mode = MODE_COPY;
        if (!take_list(&sql->places, text)) {
            sql->places = sql->created;
        }
    }
    return LS_OK;
}

static enum ls_code begin(void **state, struct sink *sink, struct ls_error *err)
{
    struct sql *sql = calloc(1, sizeof *sql);

    if (sql == NULL) {
        return ls_error_set(err, LS_ENOMEM, "no memory to read a dump");
    }
    sql->sink = sink;
    begin_places(&sql->created);
    begin_places(&sql->places);
    *state = sql;
    return LS_OK;
}

/* Statements of a dump, and the column among them. */
static int sniff(const char *head, size_t size)
{
    struct slice rest = {head, size};
    bool rows = false;
    bool column = false;

    while (rest.at != NULL && !(rows && column)) {
        const struct slice line = slice_cut(&rest, '\n');

        rows = rows || begins_like(line, "INSERT INTO ") || begins_like(line, "COPY ");
        column = column || (line.size > 0 && memmem(line.at, line.size, "acctstarttime",
                                                    strlen("acctstarttime")) != NULL);
    }
    return rows && column ? 90 : 0;
}

const struct format format_sql = {
    .word = "radius-sql",
    .text = "SQL dump of a RADIUS accounting table (mysqldump, phpMyAdmin, pg_dump)",
    .counts = "rows with an acctstarttime; a user is a username",
    .sniff = sniff,
    .begin = begin,
    .line = take_line,
    .free = free,
};
