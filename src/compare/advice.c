/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What to make of a comparison, in sentences that claim no more than its figures carry. */
#include "compare/advice.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool say(struct desk *desk, const char *about, char *text)
{
    struct ls_comparison *comparison = desk->work->comparison;

    if (text == NULL) {
        return false;
    }
    if (comparison->advice_count == desk->room) {
        const size_t room = desk->room == 0 ? 16 : 2 * desk->room;
        struct ls_advice *more = realloc(comparison->advice, room * sizeof *more);

        if (more == NULL) {
            free(text);
            return false;
        }
        comparison->advice = more;
        desk->room = room;
    }
    comparison->advice[comparison->advice_count] =
        (struct ls_advice){.about = strdup(about), .text = text};
    comparison->advice_count++;
    return comparison->advice[comparison->advice_count - 1].about != NULL;
}

bool concludes(const struct work *work, const struct ls_pair *pair)
{
    return !work->origins[pair->side].unlike;
}

bool was_compared(const struct ls_pair *pair, enum ls_figure figure)
{
    return pair->figure[figure].finding >= LS_NOT_JUDGED;
}

/* Two different certificates side by side, and not the same one before and after. */
static bool is_of_two(const struct work *work, const struct ls_pair *pair)
{
    const struct ls_side *sides = work->comparison->sides;

    return strcmp(sides[pair->side].key, sides[pair->against].key) != 0 ||
           strcmp(sides[pair->side].certificate, sides[pair->against].certificate) != 0;
}

bool any_compared(const struct work *work, enum ls_figure figure)
{
    const struct ls_comparison *comparison = work->comparison;

    for (size_t i = 0; i < comparison->pairs_count; i++) {
        if (comparison->pairs[i].against == 0 && concludes(work, &comparison->pairs[i]) &&
            was_compared(&comparison->pairs[i], figure)) {
            return true;
        }
    }
    return false;
}

bool any_shown(const struct work *work, enum ls_figure figure)
{
    const struct ls_comparison *comparison = work->comparison;

    for (size_t i = 0; i < comparison->pairs_count; i++) {
        const struct ls_pair *pair = &comparison->pairs[i];

        if (pair->against == 0 && concludes(work, pair) &&
            pair->figure[figure].finding > LS_NOT_SHOWN) {
            return true;
        }
    }
    return false;
}

static bool say_forced(struct desk *desk)
{
    const struct ls_comparison *comparison = desk->work->comparison;
    bool good = true;

    for (size_t i = 0; good && i < comparison->pairs_count; i++) {
        const struct ls_pair *pair = &comparison->pairs[i];
        char name[128], other[128];

        if (!concludes(desk->work, pair)) {
            side_name(desk->work, (size_t)pair->side, name, sizeof name);
            side_name(desk->work, (size_t)pair->against, other, sizeof other);
            good = say(desk, "doubt",
                       sentence("%s and %s are not alike in more than the certificate: nothing is "
                                "concluded from their CPU and latencies.",
                                name, other));
        }
    }
    return good;
}

static bool say_doubt(struct desk *desk, bool *doubt)
{
    const struct ls_comparison *comparison = desk->work->comparison;
    bool single = false, good = true;
    size_t unjudged = 0;

    for (size_t i = 0; good && i < comparison->sides_count; i++) {
        const struct ls_side *side = &comparison->sides[i];
        char name[128];

        side_name(desk->work, i, name, sizeof name);
        if (side->rounds == 0) {
            *doubt = true;
            unjudged++;
        } else if (side->verdict != LS_VALID) {
            *doubt = true;
            good = say(desk, "doubt",
                       sentence("The measurement of %s is suspect: repeat it before money hangs on "
                                "it.",
                                name));
        }
        if (good && side->rounds > 0 && side->left_out != NULL) {
            *doubt = true;
            good = say(desk, "doubt",
                       sentence("Not all runs of %s count, and those that do may be the better "
                                "ones.",
                                name));
        }
    }
    for (size_t i = 0; i < comparison->pairs_count; i++) {
        const struct ls_pair *pair = &comparison->pairs[i];
        const bool judged =
            was_compared(pair, LS_FIGURE_CPU_HANDSHAKE) || was_compared(pair, LS_FIGURE_LOGIN_P50);

        single = single || (judged && (pair->method == LS_METHOD_SINGLE ||
                                       (pair->method == LS_METHOD_PAIRED && pair->rounds == 2)));
    }
    if (good && unjudged > 0) {
        good = say(desk, "doubt",
                   sentence("%zu of %zu certificates were not judged, for want of a valid run: "
                            "repeat the storm on a machine that does nothing else, with a core for "
                            "the gateway and one for each injector.",
                            unjudged, comparison->sides_count));
    }
    if (good && single) {
        *doubt = true;
        good = say(desk, "doubt",
                   sentence("How much single runs, or two rounds, differ from one to the next is "
                            "assumed here, not measured: --repeat 5 measures it."));
    }
    return good && (!comparison->forced || say_forced(desk));
}

bool advice_give(struct work *work)
{
    struct desk desk = {.work = work};
    bool doubt = false, two = false;

    for (size_t i = 0; i < work->comparison->pairs_count; i++) {
        const struct ls_pair *pair = &work->comparison->pairs[i];

        two = two || (is_of_two(work, pair) && was_compared(pair, LS_FIGURE_BYTES));
    }
    if (!say_doubt(&desk, &doubt) || !say_hardware(&desk) || !say_users(&desk) ||
        !say_bytes(&desk)) {
        return false;
    }
    return !two || (say_policy(&desk) && say_key_exchange(&desk) && say_choice(&desk, doubt));
}
