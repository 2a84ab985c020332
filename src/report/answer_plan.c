/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A plan in two sentences. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/answer.h"
#include "report/planned.h"

#define NAMES_MAX 4

static void put_wanted(FILE *out, const struct ls_plan *plan)
{
    char users[32];
    size_t told = 0;

    ls_format_count(plan->users, users, sizeof users);
    (void)fprintf(out, "For %s users in 95 %% of mornings: ", users);
    for (size_t i = 0; i < plan->rows_count && told < NAMES_MAX; i++, told++) {
        const struct ls_plan_row *row = &plan->rows[i];

        (void)fputs(told > 0 ? "; " : "", out);
        if (row->gateways == 0) {
            (void)fprintf(out, "no number of gateways is enough with %s", planned_certificate(row));
            continue;
        }
        (void)fprintf(out, "%d gateway%s", row->gateways, row->gateways == 1 ? "" : "s");
        if (row->gateways_high == 0) {
            (void)fprintf(out, " (%d or more)", row->gateways_low);
        } else if (row->gateways_low != row->gateways_high) {
            (void)fprintf(out, " (%d to %d, as far as the costs are known)", row->gateways_low,
                          row->gateways_high);
        }
        (void)fprintf(out, " with %s", planned_certificate(row));
    }
    if (plan->rows_count > told) {
        (void)fprintf(out, "; and %zu more certificates", plan->rows_count - told);
    }
    if (plan->spare > 0) {
        (void)fprintf(out, ", %d of them spare", plan->spare);
    }
    (void)fputc('.', out);
}

/* Misses a target as it is: all of its gateways up, or as many as are not spare. */
static bool stands_today(const struct ls_plan_row *row)
{
    return row->today.users > 0 && row->today.missed == 0;
}

static void put_today(FILE *out, const struct ls_plan *plan)
{
    size_t told = 0;

    if (plan->spare > 0) {
        (void)fprintf(out, "With %d of them down, %s", plan->spare,
                      plan->farm_given ? "today's" : "a farm of");
    } else {
        (void)fputs(plan->farm_given ? "Today's" : "A farm of", out);
    }
    (void)fprintf(out, " %d gateway%s carr%s ", plan->gateways, plan->gateways == 1 ? "" : "s",
                  plan->gateways == 1 ? "ies" : "y");
    for (size_t i = 0; i < plan->rows_count && told < NAMES_MAX; i++, told++) {
        const struct ls_plan_row *row = &plan->rows[i];
        char users[32];

        ls_format_count(row->today_carries.users, users, sizeof users);
        (void)fprintf(out, "%s%s%s users with %s%s", told > 0 ? ", " : "",
                      row->today_carries.over ? "more than " : "",
                      row->today_carries.users < 0    ? "an unknown number of"
                      : row->today_carries.users == 0 ? "hardly any"
                                                      : users,
                      planned_certificate(row), stands_today(row) ? "" : " (too few)");
    }
    (void)fputc('.', out);
}

bool answer_of_plan(struct answer *answer, const struct ls_plan *plan)
{
    size_t stands_size = 0, room_size = 0, stand = 0;
    FILE *stands, *room;
    bool whole;

    for (size_t i = 0; i < plan->rows_count; i++) {
        stand += stands_today(&plan->rows[i]);
    }
    *answer = (struct answer){.tone = plan->rows_count == 0       ? ANSWER_UNKNOWN
                                      : stand == plan->rows_count ? ANSWER_YES
                                      : stand > 0                 ? ANSWER_MIXED
                                                                  : ANSWER_NO};
    stands = open_memstream(&answer->stands, &stands_size);
    room = open_memstream(&answer->room, &room_size);
    whole = stands != NULL && room != NULL;
    if (whole) {
        put_wanted(stands, plan);
        put_today(room, plan);
        whole = ferror(stands) == 0 && ferror(room) == 0;
    }
    if (stands != NULL) {
        whole = fclose(stands) == 0 && whole;
    }
    if (room != NULL) {
        whole = fclose(room) == 0 && whole;
    }
    return whole;
}
