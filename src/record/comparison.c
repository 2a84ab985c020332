/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "loginstorm/comparison.h"

#include <stdlib.h>

static const struct {
    const char *word, *unit, *text;
    bool cpu;
} figures[] = {
#define FIGURE_ROW(name, word, unit, text, cpu) {word, unit, text, cpu},
    LS_FIGURES(FIGURE_ROW)
#undef FIGURE_ROW
};

const char *ls_figure_word(enum ls_figure figure)
{
    return figures[figure].word;
}

const char *ls_figure_unit(enum ls_figure figure)
{
    return figures[figure].unit;
}

const char *ls_figure_text(enum ls_figure figure)
{
    return figures[figure].text;
}

bool ls_figure_is_cpu(enum ls_figure figure)
{
    return figures[figure].cpu;
}

const char *ls_finding_word(enum ls_finding finding)
{
    static const char *const words[] = {"not_known", "not_compared", "not_judged",
                                        "not_shown", "less",         "more"};

    return (unsigned)finding < sizeof words / sizeof words[0] ? words[finding] : NULL;
}

const char *ls_method_word(enum ls_method method)
{
    static const char *const words[] = {"none", "paired", "welch", "single"};

    return (unsigned)method < sizeof words / sizeof words[0] ? words[method] : NULL;
}

static void clear_pair(struct ls_pair *pair)
{
    for (int f = 0; f < LS_FIGURE_COUNT; f++) {
        free(pair->figure[f].why);
    }
    for (char **note = pair->notes; note != NULL && *note != NULL; note++) {
        free(*note);
    }
    free(pair->notes);
}

void ls_comparison_free(struct ls_comparison *comparison)
{
    if (comparison == NULL) {
        return;
    }
    for (size_t i = 0; comparison->sides != NULL && i < comparison->sides_count; i++) {
        free(comparison->sides[i].certificate);
        free(comparison->sides[i].key);
        free(comparison->sides[i].file);
        free(comparison->sides[i].left_out);
    }
    for (size_t i = 0; comparison->pairs != NULL && i < comparison->pairs_count; i++) {
        clear_pair(&comparison->pairs[i]);
    }
    for (size_t i = 0; comparison->advice != NULL && i < comparison->advice_count; i++) {
        free(comparison->advice[i].about);
        free(comparison->advice[i].text);
    }
    free(comparison->sides);
    free(comparison->pairs);
    free(comparison->advice);
    free(comparison);
}
