/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "curve/strange.h"

#include <string.h>

#include "curve/events.h"
#include "curve/month.h"

static bool is_blank(const char *head, size_t size)
{
    size_t i = 0;

    while (i < size && head[i] != '\0' && strchr(" \t\r\n", head[i]) != NULL) {
        i++;
    }
    return i == size;
}

/* Why no format knows it, as far as its first bytes tell. */
static const char *what_it_is(const char *head, size_t size)
{
    if (events_are_there(head, size)) {
        return "it is events of Windows as XML, but none of its Security log or of an RD Gateway "
               "is among the first: say --format windows-xml or rd-gateway if they come later";
    }
    if (size >= 2 && (memcmp(head, "\xff\xfe", 2) == 0 || memcmp(head, "\xfe\xff", 2) == 0)) {
        return "it is UTF-16: convert it (iconv -f UTF-16 -t UTF-8 LOG | loginstorm import -)";
    }
    if (size > 262 && memcmp(head + 257, "ustar", 5) == 0) {
        return "it is a tar archive: unpack it first (tar -xOf LOG | loginstorm import -)";
    }
    if (size >= 4 && memcmp(head, "PK\x03\x04", 4) == 0) {
        return "it is a zip archive (or an Excel sheet): unpack it, or save it as CSV";
    }
    if (memchr(head, '\0', size) != NULL) {
        return "it is binary, no log of text";
    }
    if (is_blank(head, size)) {
        return "it has nothing but blanks and ends of lines";
    }
    return "it begins like no log that is known here: say --format (`loginstorm import --help` "
           "lists them), --log-format for nginx's own, or --time-key for a CSV";
}

/* Months in another language keep every format from seeing its time stamps. */
enum ls_code strange_log(const char *path, const char *head, size_t size, struct ls_error *err)
{
    size_t where = 0;
    const char *why = memchr(head, '\0', size) != NULL ? NULL : month_met(head, size, &where);
    int line = 0;

    if (why == NULL) {
        return ls_error_set_at(err, path, 0, 0, "%s", what_it_is(head, size));
    }
    for (size_t i = 0; i < where; i++) {
        line += head[i] == '\n';
    }
    return ls_error_set_at(err, path, line + 1, 0, "%s", why);
}
