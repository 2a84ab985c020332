/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LS_RECORD_COSTS_H
#define LS_RECORD_COSTS_H

/* What the files of a cost profile share: private to this room. */

#include "loginstorm/costs.h"

#define COSTS_FORMAT "loginstorm-costs"
#define COSTS_VERSION 1

/* More rows than anybody measures; a wrong file is refused before it is held. */
#define COSTS_ROWS_MAX 10000

void cost_clear(struct ls_cost *cost);

/* "resumed with ecdsa-p256, X25519, TLS 1.3": for messages. */
void cost_words(const struct ls_cost *cost, char *out, size_t size);

/* A NULL text is not copied and no failure. */
bool text_copy(char **out, const char *text);

#endif
