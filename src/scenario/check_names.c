/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether what users ask for can be a server's name: the library takes no other, and the gateway's certificate gets it. */
#include "loginstorm/name.h"
#include "scenario/field.h"

static void check_name(struct ls_reading *reading, const struct ls_node *node, const char *name,
                       enum ls_name_use use)
{
    const struct ls_node *text = ls_node_get(node, "server_name");
    const char *refusal = name == NULL ? NULL : ls_name_refusal(name, use);
    char shown[LS_SHOWN_MAX];
    size_t length;

    if (refusal == NULL || text == NULL) {
        return;
    }
    length = ls_path_enter(reading, "server_name");
    ls_complain(reading, text->place, "\"%s\" %s", ls_show(name, shown), refusal);
    ls_path_leave(reading, length);
}

static enum ls_name_use use_of(const struct ls_population *population)
{
    return population->tls.verify == LS_VERIFY_CHAIN ? LS_NAME_CHECKED : LS_NAME_ASKED;
}

void ls_check_names(struct ls_reading *reading, const struct ls_node *node,
                    const struct ls_scenario *s)
{
    const struct ls_node *list = ls_node_get(node, "populations");
    enum ls_name_use all = LS_NAME_ASKED;
    size_t length = ls_path_enter(reading, "populations");

    for (size_t i = 0; i < s->populations_count; i++) {
        const size_t outer = ls_path_enter_item(reading, i);

        (void)ls_path_enter(reading, "tls");
        check_name(reading, list != NULL ? ls_node_get(ls_node_at(list, i), "tls") : NULL,
                   s->populations[i].tls.server_name, use_of(&s->populations[i]));
        ls_path_leave(reading, outer);
        all = use_of(&s->populations[i]) == LS_NAME_CHECKED ? LS_NAME_CHECKED : all;
    }
    ls_path_leave(reading, length);
    list = ls_node_get(node, "certificates");
    length = ls_path_enter(reading, "certificates");
    for (size_t i = 0; i < s->certificates_count; i++) {
        const size_t outer = ls_path_enter_item(reading, i);

        check_name(reading, list != NULL ? ls_node_at(list, i) : NULL,
                   s->certificates[i].server_name, all);
        ls_path_leave(reading, outer);
    }
    ls_path_leave(reading, length);
}
