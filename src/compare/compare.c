/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "loginstorm/compare.h"

#include <stdlib.h>

#include "compare/work.h"

void pair_clear(struct ls_pair *pair)
{
    for (int f = 0; f < LS_FIGURE_COUNT; f++) {
        free(pair->figure[f].why);
    }
    for (char **note = pair->notes; note != NULL && *note != NULL; note++) {
        free(*note);
    }
    free(pair->notes);
}

enum ls_code ls_compare(struct ls_comparison **out, const struct ls_compare_wish *wish,
                        struct ls_error *err)
{
    struct work work = {.wish = wish, .comparison = calloc(1, sizeof *work.comparison)};
    bool good = work.comparison != NULL && sides_gather(&work);
    const bool some = good && work.comparison->sides_count > 1;

    if (some) {
        good = pairs_judge(&work) && advice_give(&work);
    }
    for (size_t i = 0; work.origins != NULL && i < work.comparison->sides_count; i++) {
        free(work.origins[i].runs);
        free(work.origins[i].whole);
    }
    for (size_t i = 0; i < work.rivals_count; i++) {
        pair_clear(&work.rivals[i]);
    }
    free(work.rivals);
    free(work.origins);
    *out = good && some ? work.comparison : NULL;
    if (*out == NULL) {
        ls_comparison_free(work.comparison);
    }
    return good ? LS_OK : ls_error_set(err, LS_ENOMEM, "no memory to compare the results");
}
