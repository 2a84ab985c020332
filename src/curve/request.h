/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_CURVE_REQUEST_H
#define LOGINSTORM_CURVE_REQUEST_H

/* Which requests of a web server's or a proxy's log are logins: --url and --count, as all those
 * formats take them. */

#include "curve/format.h"
#include "curve/slice.h"

enum request_count { REQUEST_OK, REQUEST_ALL, REQUEST_FULL };

struct request_wish {
    enum request_count count;
    struct slice method; /* of --url "POST /login"; NULL: any */
    struct slice url;    /* NULL: any */
};

/* As the log has it: the line "POST /login HTTP/1.1", or method and path apart. */
struct request {
    struct slice line, method, path, status;
};

LS_MUST_CHECK
enum ls_code request_wish_init(struct request_wish *wish, const struct sink *sink,
                               struct ls_error *err);

/* Writes sink->counted; who says what a user is. */
void request_counted(const struct request_wish *wish, struct sink *sink, const char *who);

/* What follows from no URL being wished, for logs that have one. */
void request_note(const struct request_wish *wish, struct sink *sink);

/* NULL for a login; else why it is none, static. */
const char *request_refuse(const struct request_wish *wish, const struct request *request);

#endif
