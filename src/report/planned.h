/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LS_REPORT_PLANNED_H
#define LS_REPORT_PLANNED_H

/* What the reports of a plan share: private to this room. */

#include <stddef.h>

#include "loginstorm/plan.h"

#include "report/page.h"

/* Its name, or that it is any. */
const char *planned_certificate(const struct ls_plan_row *row);

/* "login_p99, failed": what is missed. size: 128 is enough */
void planned_missed(const struct ls_plan_farm *farm, char *out, size_t size);

/* The parts of a plan for people. */
void planned_head(struct page *page, const struct ls_plan *plan);
void planned_farms(struct page *page, const struct ls_plan *plan);
void planned_cliffs(struct page *page, const struct ls_plan *plan);
void planned_fewer(struct page *page, const struct ls_plan *plan);
void planned_notes(struct page *page, const struct ls_plan *plan);

#endif
