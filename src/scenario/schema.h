/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_SCENARIO_SCHEMA_H
#define LOGINSTORM_SCENARIO_SCHEMA_H

#include "loginstorm/json.h"
#include "scenario/field.h"

/* The schema of one field's value, new; NULL when there is no memory. */
json_t *ls_schema_of_value(const struct ls_field *field);

/* The schema of a map's keys, new. */
json_t *ls_schema_of_map(const struct ls_map *map);

#endif
