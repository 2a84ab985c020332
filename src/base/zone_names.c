/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/zone_names.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "loginstorm/file.h"
#include "loginstorm/near.h"

#define NAMES_FILE_MAX ((size_t)4 * 1024 * 1024)
#define EXAMPLES "like Europe/Paris or UTC"

struct meant {
    const char *written, *place;
};

/* Windows's names, by the places that CLDR's windowsZones.xml gives for "001". */
static const struct meant windows[] = {
    {"AUS Eastern Standard Time", "Australia/Sydney"},
    {"Central Europe Standard Time", "Europe/Budapest"},
    {"Central European Standard Time", "Europe/Warsaw"},
    {"Central Standard Time", "America/Chicago"},
    {"China Standard Time", "Asia/Shanghai"},
    {"E. South America Standard Time", "America/Sao_Paulo"},
    {"Eastern Standard Time", "America/New_York"},
    {"FLE Standard Time", "Europe/Kyiv"},
    {"GMT Standard Time", "Europe/London"},
    {"GTB Standard Time", "Europe/Bucharest"},
    {"Greenwich Standard Time", "Atlantic/Reykjavik"},
    {"India Standard Time", "Asia/Kolkata"},
    {"Mountain Standard Time", "America/Denver"},
    {"Pacific Standard Time", "America/Los_Angeles"},
    {"Romance Standard Time", "Europe/Paris"},
    {"Russian Standard Time", "Europe/Moscow"},
    {"Tokyo Standard Time", "Asia/Tokyo"},
    {"W. Europe Standard Time", "Europe/Berlin"},
};

/* Only where one place is by far the likeliest. */
static const struct meant abbreviations[] = {
    {"AEDT", "Australia/Sydney"},   {"AEST", "Australia/Sydney"}, {"BST", "Europe/London"},
    {"CDT", "America/Chicago"},     {"CEST", "Europe/Paris"},     {"EDT", "America/New_York"},
    {"EEST", "Europe/Helsinki"},    {"JST", "Asia/Tokyo"},        {"MDT", "America/Denver"},
    {"MESZ", "Europe/Berlin"},      {"MEZ", "Europe/Berlin"},     {"PDT", "America/Los_Angeles"},
    {"PST", "America/Los_Angeles"},
};

const char *zone_folder(void)
{
    const char *folder = getenv("TZDIR");

    return folder != NULL && folder[0] != '\0' ? folder : "/usr/share/zoneinfo";
}

static const char *find_meant(const struct meant *rows, size_t count, const char *written)
{
    for (size_t i = 0; i < count; i++) {
        if (strcasecmp(rows[i].written, written) == 0) {
            return rows[i].place;
        }
    }
    return NULL;
}

/* "UTC+1", "+01:00", "GMT-5": whole hours ahead of UTC. */
static bool is_offset(const char *name, int *hours)
{
    int sign;

    if (strncasecmp(name, "UTC", 3) == 0 || strncasecmp(name, "GMT", 3) == 0) {
        name += 3;
    }
    if (*name != '+' && *name != '-') {
        return false;
    }
    sign = *name++ == '+' ? 1 : -1;
    for (*hours = 0; isdigit((unsigned char)*name) && *hours < 2; name++) {
        *hours = *hours * 10 + (*name - '0');
    }
    *hours *= sign;
    return *hours != 0 && (*name == '\0' || strcmp(name, "00") == 0 || strcmp(name, ":00") == 0);
}

/* The names of the tz database: pointers into one text, each ended there. */
struct names {
    char *text;
    const char **word;
    size_t count;      /* and a NULL behind them */
    const char **city; /* room for as many */
};

static void names_free(struct names *names)
{
    free(names->text);
    free(names->word);
}

/* "Z Europe/Paris 0:9:21 ...", "L Europe/Paris Europe/Monaco"; in the tables "FR<tab>place<tab>name". */
static char *name_of_line(char *line, bool is_table)
{
    int skip = 2;
    char *name = line;

    if (!is_table) {
        if ((line[0] != 'Z' && line[0] != 'L') || line[1] != ' ') {
            return NULL;
        }
        skip = line[0] == 'Z' ? 1 : 2;
    } else if (line[0] == '#') {
        return NULL;
    }
    for (int i = 0; i < skip && name != NULL; i++) {
        name = strpbrk(name, " \t");
        name = name == NULL ? NULL : name + 1;
    }
    if (name != NULL) {
        name[strcspn(name, " \t\r")] = '\0';
    }
    return name;
}

/* None where the database came without its list: then there is nobody to guess at. */
static enum ls_code names_load(struct names *names, struct ls_error *err)
{
    static const char *const files[] = {"tzdata.zi", "zone1970.tab", "zone.tab"};
    enum ls_code code = LS_ENOINPUT;
    size_t lines = 1;
    size_t size = 0;
    size_t file;

    *names = (struct names){0};
    for (file = 0; file < 3 && code != LS_OK; file++) {
        char path[4096];

        if (snprintf(path, sizeof path, "%s/%s", zone_folder(), files[file]) < (int)sizeof path) {
            code = ls_file_read(path, NAMES_FILE_MAX, &names->text, &size, err);
        }
        if (code == LS_ENOMEM) {
            return code;
        }
    }
    if (code != LS_OK) {
        return LS_OK;
    }
    for (size_t i = 0; i < size; i++) {
        lines += names->text[i] == '\n' ? 1 : 0;
    }
    names->word = calloc(2 * lines + 1, sizeof *names->word);
    if (names->word == NULL) {
        names_free(names);
        return ls_error_set(err, LS_ENOMEM, "no memory for the names of time zones");
    }
    names->city = names->word + lines + 1;
    for (char *line = names->text, *next; line != NULL; line = next) {
        char *name;

        next = strchr(line, '\n');
        if (next != NULL) {
            *next++ = '\0';
        }
        name = name_of_line(line, file > 1);
        if (name != NULL && name[0] != '\0') {
            names->word[names->count++] = name;
        }
    }
    return LS_OK;
}

/* As typed into a search field: case does not count, nor a blank for an underscore. */
static bool same(const char *name, const char *typed)
{
    for (; *name != '\0' && *typed != '\0'; name++, typed++) {
        const char c = *typed == ' ' ? '_' : *typed;

        if (tolower((unsigned char)*name) != tolower((unsigned char)c)) {
            return false;
        }
    }
    return *name == *typed;
}

/* "Europe": nearer to many names than anybody would want. */
static bool is_folder(const struct names *names, const char *typed)
{
    const size_t size = strlen(typed);

    for (size_t i = 0; names->count > 0 && names->word[i] != NULL; i++) {
        if (strncasecmp(names->word[i], typed, size) == 0 && names->word[i][size] == '/') {
            return true;
        }
    }
    return false;
}

/* A city tells the rest: "Paris", "New York", "Pariss", "Europe/Kolkata". */
static const char *names_nearest(const struct names *names, const char *typed)
{
    const char *last = strrchr(typed, '/');
    const char *city = last == NULL ? typed : last + 1;
    const char *nearest;
    size_t cities = 0;

    for (size_t i = 0; names->count > 0 && names->word[i] != NULL; i++) {
        if (same(names->word[i], typed)) {
            return names->word[i];
        }
    }
    for (size_t i = 0; names->count > 0 && names->word[i] != NULL; i++) {
        const char *slash = strrchr(names->word[i], '/');

        if (slash != NULL && same(slash + 1, city)) {
            return names->word[i];
        }
        if (slash != NULL) {
            names->city[cities++] = slash + 1;
        }
    }
    /* Among so many cities something is near to any word: Rothera to Nowhere, by three letters. And
     * every short word is near to some other: PST to EST, which is three hours from it. A dot is in
     * no name, but in paths. */
    nearest =
        strlen(city) < 5 || typed[0] == '/' || strchr(typed, '.') != NULL || is_folder(names, typed)
            ? NULL
            : ls_nearest_within(city, names->city, cities, strlen(city) / 4 + 1);
    for (size_t i = 0; nearest != NULL && names->word[i] != NULL; i++) {
        if (nearest > names->word[i] && nearest < names->word[i] + strlen(names->word[i])) {
            return names->word[i];
        }
    }
    return NULL;
}

/* Up to five capitals, and no name of a place. */
static bool is_abbreviation(const char *name)
{
    const size_t size = strlen(name);

    return size >= 3 && size <= 5 && strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == size;
}

static enum ls_code say(const char *name, const char *nearest, struct ls_error *err)
{
    const char *place = find_meant(windows, sizeof windows / sizeof windows[0], name);
    const size_t size = strlen(name);
    int hours;

    if (place != NULL) {
        return ls_error_set(err, LS_EINPUT,
                            "unknown timezone \"%s\": that is its name under Windows; write %s",
                            name, place);
    }
    if (is_offset(name, &hours)) {
        return ls_error_set(err, LS_EINPUT,
                            "unknown timezone \"%s\": write a place, " EXAMPLES
                            ", or Etc/GMT%+d (its sign is the other way round) for a clock that is "
                            "never changed",
                            name, -hours);
    }
    if (nearest != NULL) {
        return ls_error_set(err, LS_EINPUT, "unknown timezone \"%s\", did you mean %s?", name,
                            nearest);
    }
    if (is_abbreviation(name)) {
        place = find_meant(abbreviations, sizeof abbreviations / sizeof abbreviations[0], name);
        return ls_error_set(err, LS_EINPUT,
                            "unknown timezone \"%s\": an abbreviation tells only half a year, or "
                            "several places; write a place, like %s",
                            name, place != NULL ? place : "Europe/Paris or America/New_York");
    }
    if (size > 14 && strcasecmp(name + size - 14, " Standard Time") == 0) {
        return ls_error_set(err, LS_EINPUT,
                            "unknown timezone \"%s\": that looks like a name under Windows; write "
                            "an IANA name, " EXAMPLES,
                            name);
    }
    return ls_error_set(err, LS_EINPUT, "unknown timezone \"%s\"; write an IANA name, " EXAMPLES,
                        name);
}

enum ls_code zone_unknown(const char *name, struct ls_error *err)
{
    struct names names;
    char shown[ZONE_NAME_MAX];
    enum ls_code code;

    if (access(zone_folder(), R_OK | X_OK) != 0) {
        return ls_error_set(err, LS_ENOINPUT,
                            "the time zone database is not in %.200s: install the package tzdata",
                            zone_folder());
    }
    (void)snprintf(shown, sizeof shown, "%s", name);
    for (char *c = shown; *c != '\0'; c++) {
        *c = isprint((unsigned char)*c) ? *c : '?';
    }
    code = names_load(&names, err);
    if (code != LS_OK) {
        return code;
    }
    code = say(shown, names_nearest(&names, shown), err);
    names_free(&names);
    return code;
}
