/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "curve/picker.h"

#include <stdio.h>

/* The usual names, the surest first. */
static const char *const times[] = {"@timestamp",
                                    "timestamp",
                                    "time",
                                    "datetime",
                                    "date_time",
                                    "date/time",
                                    "date and time",
                                    "date time",
                                    "timecreated",
                                    "time_local",
                                    "login_time",
                                    "logintime",
                                    "logontime",
                                    "logon time",
                                    "logon_time",
                                    "login time",
                                    "logon date",
                                    "starttime",
                                    "start_time",
                                    "start time",
                                    "acctstarttime",
                                    "from",
                                    "start",
                                    "begin",
                                    "ts",
                                    "eventtime",
                                    "event_time",
                                    "created",
                                    "created_at",
                                    "createdatetime",
                                    "createddatetime",
                                    "date",
                                    "__realtime_timestamp",
                                    NULL};
static const char *const untils[] = {"to", "until", "end", "endtime", "end_time", "end time", NULL};
static const char *const users[] = {"user",
                                    "user.name",
                                    "username",
                                    "user_name",
                                    "user name",
                                    "userid",
                                    "user_id",
                                    "account",
                                    "account name",
                                    "accountname",
                                    "login",
                                    "targetusername",
                                    "userprincipalname",
                                    "upn",
                                    "samaccountname",
                                    "remote_user",
                                    "email",
                                    "client_ip",
                                    "clientip",
                                    "remote_addr",
                                    "benutzer",
                                    "benutzername",
                                    "utilisateur",
                                    "usuario",
                                    "utente",
                                    "gebruiker",
                                    "ip",
                                    "ipaddress",
                                    "ip address",
                                    "client",
                                    "address",
                                    NULL};
static const char *const counts[] = {"count", "logins", "logons", "sessions", NULL};

void picker_init(struct picker *picker, struct sink *sink, const char *what)
{
    *picker = (struct picker){.sink = sink, .what = what};
}

static size_t field_of(const struct field *fields, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++) {
        if (slice_is_like(slice_trim(fields[i].name), name)) {
            return i;
        }
    }
    return WHEN_NONE;
}

static size_t named_time(const struct field *fields, size_t count, const char *const *names)
{
    for (; *names != NULL; names++) {
        const size_t at = field_of(fields, count, *names);

        if (at != WHEN_NONE && when_seems(fields[at].value)) {
            return at;
        }
    }
    return WHEN_NONE;
}

static size_t any_time(const struct field *fields, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (when_seems(fields[i].value)) {
            return i;
        }
    }
    return WHEN_NONE;
}

int picker_sees_time(const struct field *fields, size_t count)
{
    size_t day, clock;

    if (named_time(fields, count, times) != WHEN_NONE) {
        return 2;
    }
    return any_time(fields, count) != WHEN_NONE ||
                   when_find_apart(fields, count, WHEN_NONE, &day, &clock)
               ? 1
               : 0;
}

static void set(struct pick *pick, const struct field *fields, size_t at)
{
    const struct slice name = fields[at].name;

    pick->is_there = true;
    pick->at = at;
    (void)snprintf(pick->name, sizeof pick->name, "%.*s", (int)name.size, name.at);
}

/* A field that an option names must be there. */
static enum ls_code set_told(const struct picker *picker, struct pick *pick,
                             const struct field *fields, size_t count, const char *name,
                             const char *option, struct ls_error *err)
{
    const size_t at = field_of(fields, count, name);
    char names[256];
    size_t size = 0;

    if (at != WHEN_NONE) {
        set(pick, fields, at);
        return LS_OK;
    }
    names[0] = '\0';
    for (size_t i = 0; i < count && size < sizeof names - 1; i++) {
        const int more =
            snprintf(names + size, sizeof names - size, "%s%.*s", i == 0 ? "" : ", ",
                     fields[i].name.size < 40 ? (int)fields[i].name.size : 40, fields[i].name.at);

        size += more > 0 ? (size_t)more : 0;
    }
    return ls_error_set_at(err, picker->sink->path, (int)picker->sink->line, 0,
                           "%s: there is no \"%.60s\"; there are: %s", option, name, names);
}

static void set_found(struct pick *pick, const struct field *fields, size_t count,
                      const char *const *names)
{
    for (; *names != NULL && !pick->is_there; names++) {
        const size_t at = field_of(fields, count, *names);

        if (at != WHEN_NONE) {
            set(pick, fields, at);
        }
    }
}

static void say_counted(const struct picker *picker)
{
    struct sink *sink = picker->sink;
    char text[200];

    if (picker->keys_are_data && picker->by_look) {
        (void)snprintf(sink->counted, sizeof sink->counted, "%s by a key with a time%s%.30s%s",
                       picker->what, picker->user.is_there ? ", a user is \"" : "",
                       picker->user.is_there ? picker->user.name : "",
                       picker->user.is_there ? "\"" : "");
        (void)snprintf(text, sizeof text,
                       "that key is \"%.100s\", found by its look; --time-key names another",
                       picker->time.name);
        sink->note(sink, text);
        return;
    }
    (void)snprintf(
        sink->counted, sizeof sink->counted, "%s by \"%.40s%s%.40s\"%s%.30s%s%s%.30s%s",
        picker->what, picker->day.is_there ? picker->day.name : "",
        picker->day.is_there ? "\" and \"" : "", picker->time.name,
        picker->count.is_there ? ", as many as \"" : "",
        picker->count.is_there ? picker->count.name : "", picker->count.is_there ? "\"" : "",
        picker->user.is_there ? ", a user is \"" : "",
        picker->user.is_there ? picker->user.name : "", picker->user.is_there ? "\"" : "");
}

/* Leaves it out where this row has none. */
static enum ls_code choose_time(struct picker *picker, const struct field *fields, size_t count,
                                struct ls_error *err)
{
    const char *told = picker->sink->wish->time_key;
    enum ls_code code = LS_OK;
    size_t at = WHEN_NONE;
    size_t day, clock;

    if (told != NULL) {
        code = set_told(picker, &picker->time, fields, count, told, "--time-key", err);
        at = picker->time.at;
    } else {
        at = named_time(fields, count, times);
        picker->by_look = at == WHEN_NONE;
        at = at == WHEN_NONE ? any_time(fields, count) : at;
        if (at != WHEN_NONE) {
            set(&picker->time, fields, at);
            return LS_OK;
        }
    }
    if (code == LS_OK && when_find_apart(fields, count, at, &day, &clock)) {
        set(&picker->day, fields, day);
        set(&picker->time, fields, clock);
    }
    return code;
}

/* Leaves *chosen false where this row has no time. */
static enum ls_code choose(struct picker *picker, const struct field *fields, size_t count,
                           struct ls_error *err)
{
    const struct ls_import_wish *wish = picker->sink->wish;
    enum ls_code code = choose_time(picker, fields, count, err);
    size_t at;

    if (code != LS_OK || !picker->time.is_there) {
        return code;
    }
    if (wish->count_key != NULL) {
        code = set_told(picker, &picker->count, fields, count, wish->count_key, "--count-key", err);
    } else {
        set_found(&picker->count, fields, count, counts);
    }
    if (code == LS_OK && wish->user_key != NULL) {
        code = set_told(picker, &picker->user, fields, count, wish->user_key, "--user-key", err);
    } else if (!picker->count.is_there) {
        set_found(&picker->user, fields, count, users);
    }
    if (code == LS_OK && picker->count.is_there) {
        at = named_time(fields, count, untils);
        if (at != WHEN_NONE) {
            set(&picker->until, fields, at);
        }
    }
    picker->chosen = code == LS_OK;
    if (picker->chosen) {
        say_counted(picker);
        if (!picker->count.is_there && !picker->user.is_there && count > 1) {
            picker->sink->note(picker->sink, "nothing is named as users usually are: --user-key "
                                             "says where they stand, if they do");
        }
    }
    return code;
}

/* The value in this row; rows of JSON have their keys in any order. */
static struct slice value_of(struct pick *pick, const struct field *fields, size_t count)
{
    if (!pick->is_there) {
        return (struct slice){NULL, 0};
    }
    if (pick->at >= count || !slice_is(fields[pick->at].name, pick->name)) {
        size_t at = 0;

        while (at < count && !slice_is(fields[at].name, pick->name)) {
            at++;
        }
        if (at == count) {
            return (struct slice){NULL, 0};
        }
        pick->at = at;
    }
    return fields[pick->at].value;
}

static bool read_row_time(struct picker *picker, struct stamp *stamp, const struct field *fields,
                          size_t count, const char **why)
{
    const struct slice time = value_of(&picker->time, fields, count);
    const enum ls_import_order order = picker->sink->order;

    return picker->day.is_there
               ? when_read_apart(stamp, value_of(&picker->day, fields, count), time, order, why)
               : when_read(stamp, time, order, why);
}

/* "12", " 3 ", "4.0"; a count is a whole number. */
static bool read_count(struct slice value, int64_t *count)
{
    struct slice text = slice_trim(value);
    size_t i = 0;

    *count = 0;
    for (; i < text.size && text.at[i] >= '0' && text.at[i] <= '9'; i++) {
        if (i > 15) {
            return false;
        }
        *count = *count * 10 + (text.at[i] - '0');
    }
    if (i == 0) {
        return false;
    }
    if (i < text.size && text.at[i] == '.') {
        for (i++; i < text.size && text.at[i] == '0'; i++) {
        }
    }
    return i == text.size;
}

enum ls_code picker_row(struct picker *picker, const struct field *fields, size_t count,
                        const char *text, size_t size, struct ls_error *err)
{
    struct sink *sink = picker->sink;
    struct event event = {.count = 1};
    const char *why = NULL;
    enum ls_code code = LS_OK;

    if (!picker->chosen) {
        code = choose(picker, fields, count, err);
        if (code == LS_OK && !picker->chosen) {
            sink->skip(sink, "no time stamp", text, size);
        }
        if (!picker->chosen) {
            return code;
        }
    }
    if (read_row_time(picker, &event.stamp, fields, count, &why) && picker->count.is_there) {
        event.is_count = true;
        event.has_until = picker->until.is_there;
        if (!read_count(value_of(&picker->count, fields, count), &event.count)) {
            why = "no whole number as its count";
        } else if (event.has_until) {
            (void)when_read(&event.until, value_of(&picker->until, fields, count), sink->order,
                            &why);
        }
    }
    if (why != NULL) {
        sink->skip(sink, why, text, size);
        return LS_OK;
    }
    if (picker->user.is_there) {
        const struct slice user = slice_trim(value_of(&picker->user, fields, count));

        event.who = user.at;
        event.who_size = user.size;
    }
    return sink->event(sink, &event, err);
}
