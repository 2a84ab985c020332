/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LS_COMPARE_ADVICE_H
#define LS_COMPARE_ADVICE_H

/* The pieces of a recommendation: private to this room. Each says what it has to say, which may be
 * nothing, and returns false when there is no memory. */

#include "compare/work.h"

struct desk {
    struct work *work;
    size_t room;
};

/* Appends a sentence, which it takes. */
LS_MUST_CHECK
bool say(struct desk *desk, const char *about, char *text);

/* Is the pair alike in all but the certificate? One that was forced is not. */
bool concludes(const struct work *work, const struct ls_pair *pair);

bool was_compared(const struct ls_pair *pair, enum ls_figure figure);

/* With the first side: compared at all, and shown to differ. */
bool any_compared(const struct work *work, enum ls_figure figure);
bool any_shown(const struct work *work, enum ls_figure figure);

/* What the figures carry: cores, waits, bytes. */
LS_MUST_CHECK
bool say_hardware(struct desk *desk);
LS_MUST_CHECK
bool say_users(struct desk *desk);
LS_MUST_CHECK
bool say_bytes(struct desk *desk);

/* What no figure here carries: rules and old clients, and the key exchange. */
LS_MUST_CHECK
bool say_policy(struct desk *desk);
LS_MUST_CHECK
bool say_key_exchange(struct desk *desk);

/* Which to take; with a grain of salt when there is doubt. */
LS_MUST_CHECK
bool say_choice(struct desk *desk, bool doubt);

#endif
