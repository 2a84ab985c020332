/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LS_RECORD_COSTS_H
#define LS_RECORD_COSTS_H

/* What the files of a cost profile share: private to this room. */

#include "loginstorm/costs.h"
#include "record/fields.h"

#define COSTS_FORMAT "loginstorm-costs"
#define COSTS_VERSION 1

/* More rows than anybody measures; a wrong file is refused before it is held. */
#define COSTS_ROWS_MAX 10000

void cost_clear(struct ls_cost *cost);
void cost_line_clear(struct ls_cost_line *line);

/* A row's line, under "regression"; a row without the key has none. */
int put_cost_line(json_t *row, const struct ls_cost_line *line);
LS_MUST_CHECK
enum ls_code get_cost_line(const json_t *row, struct ls_cost_line *line, struct spot spot,
                           struct ls_error *err);
json_t *schema_of_cost_line(void);

/* What may stand in an object of a profile, as paths within objects. */
struct known {
    const struct field *fields;
    size_t count;
    const char *others[3]; /* beside the fields, on top */
};

/* All of an object's fields, and no other. */
LS_MUST_CHECK
enum ls_code cost_take(json_t *object, const struct known *known, void *base, struct spot spot,
                       struct ls_error *err);
enum ls_code cost_bad(struct spot spot, struct ls_error *err, const char *what);

/* "resumed with ecdsa-p256, X25519, TLS 1.3": for messages. */
void cost_words(const struct ls_cost *cost, char *out, size_t size);

/* A NULL text is not copied and no failure. */
bool text_copy(char **out, const char *text);

#endif
