/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_SCENARIO_LIMITS_H
#define LOGINSTORM_SCENARIO_LIMITS_H

#include "loginstorm/scenario.h"

/* Bytes that a scenario, and its YAML tree, may each take. */
#define LS_SCENARIO_MEMORY_MAX ((size_t)64 << 20)

struct ls_scenario_text {
    const char *path; /* for messages */
    const char *bytes;
    size_t size;
};

/* ls_scenario_parse with a limit of the caller's: LS_ENOMEM beyond it. */
LS_MUST_CHECK
enum ls_code ls_scenario_parse_within(size_t limit, struct ls_scenario **out,
                                      const struct ls_scenario_text *text,
                                      const struct ls_scenario_change *changes,
                                      size_t changes_count, struct ls_errors *errors);

#endif
