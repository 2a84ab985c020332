/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What users want of a gateway that the embedded one does not do: whether those who come with a ticket of an earlier session
 * can have got one, and whether anybody asks for their certificates. */
#include "scenario/field.h"

static void complain_of(struct ls_reading *reading, const struct ls_node *tls, size_t population,
                        const char *key, const char *text)
{
    const size_t length = ls_path_enter(reading, "populations");

    (void)ls_path_enter_item(reading, population);
    (void)ls_path_enter(reading, "tls");
    (void)ls_path_enter(reading, key);
    ls_complain(reading, ls_node_get(tls, key)->place, "%s", text);
    ls_path_leave(reading, length);
}

void ls_check_resume(struct ls_reading *reading, const struct ls_node *node,
                     const struct ls_scenario *s)
{
    const struct ls_node *list = ls_node_get(node, "populations");

    for (size_t i = 0; s->gateway.embedded && i < s->populations_count; i++) {
        const struct ls_node *item = list != NULL ? ls_node_at(list, i) : NULL;
        const struct ls_node *tls = ls_node_get(item, "tls");

        if (!s->gateway.tickets && s->populations[i].tls.resume_share > 0 &&
            ls_node_get(tls, "resume") != NULL) {
            complain_of(reading, tls, i, "resume",
                        "the embedded gateway gives out no session tickets to resume with; write "
                        "tickets: on under gateway, or take this out");
        }
        if (ls_node_get(tls, "client") != NULL) {
            complain_of(reading, tls, i, "client",
                        "the embedded gateway asks nobody for a certificate; take this out");
        }
    }
}
