/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_SCENARIO_FIELDS_H
#define LOGINSTORM_SCENARIO_FIELDS_H

/* How the rows of the table are written, and its parts. */

#include "scenario/field.h"

#define IN(type, member)                                                                           \
    .at = offsetof(struct type, member), .size = sizeof(((struct type *)0)->member)
#define LIST(type, member) .at = offsetof(struct type, member), .size = sizeof(void *)
#define COUNT(type, member) .count_at = offsetof(struct type, member)
#define FIELDS(array) .fields = (array), .count = sizeof(array) / sizeof(array)[0]

extern const struct ls_map ls_wave_map, ls_population_map, ls_login_map, ls_gateway_map,
    ls_certificate_map, ls_published_map, ls_issuer_map, ls_farm_map;

#endif
