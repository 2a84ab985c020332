/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which certificate to take: by what was shown between all of them, and by what clients accept. The
 * order in which they were played does not enter. */
#include "compare/advice.h"

#include <stdlib.h>
#include <string.h>

/* How many clients take it: what every current browser and old clients' successors take comes first.
 * A public gateway has clients that it does not know. */
static const struct {
    const char *key;
    int rank;
    bool public; /* taken by every browser and signed by public authorities */
} accepted[] = {
    {"ecdsa-p256", 1, true},
    {"rsa-", 2, true},
    {"ecdsa-p384", 3, true},
    {"", 4, false},
};

static size_t accepted_row(const struct work *work, size_t side)
{
    size_t row = 0;

    while (strncmp(work->comparison->sides[side].key, accepted[row].key,
                   strlen(accepted[row].key)) != 0) {
        row++;
    }
    return row;
}

static bool is_public(const struct work *work, size_t side)
{
    return accepted[accepted_row(work, side)].public;
}

/* Of the users; whether the difference was shown does not matter here: who has fewer stays in the
 * choice. */
static double failed_share(const struct work *work, size_t side)
{
    return work->comparison->sides[side].value[LS_FIGURE_FAILED];
}

/* Less CPU was shown, and no more users who failed, and no longer wait of the user in the middle or
 * of the last in a hundred. */
static bool beats(const struct work *work, size_t one, size_t other)
{
    return failed_share(work, one) <= failed_share(work, other) &&
           finding_between(work, one, other, LS_FIGURE_CPU_HANDSHAKE) == LS_LESS &&
           finding_between(work, one, other, LS_FIGURE_LOGIN_P50) != LS_MORE &&
           finding_between(work, one, other, LS_FIGURE_LOGIN_P99) != LS_MORE;
}

/* Marks which of the candidates that clients of the kind take are beaten by no other of them. */
static size_t mark_unbeaten(const struct work *work, bool only_public, bool *unbeaten)
{
    const size_t sides = work->comparison->sides_count;
    size_t count = 0;

    for (size_t i = 0; i < sides; i++) {
        unbeaten[i] = work->origins[i].candidate && (!only_public || is_public(work, i));
        for (size_t j = 0; unbeaten[i] && j < sides; j++) {
            unbeaten[i] = !(work->origins[j].candidate && (!only_public || is_public(work, j)) &&
                            beats(work, j, i));
        }
        count += unbeaten[i];
    }
    return count;
}

/* The one that most clients take of those with the fewest users who failed; none when two are as
 * good. */
static bool best_accepted(const struct work *work, const bool *among, size_t *best)
{
    int least = 100;
    bool single = false;
    double fewest = 1;

    for (size_t i = 0; i < work->comparison->sides_count; i++) {
        fewest = among[i] && failed_share(work, i) < fewest ? failed_share(work, i) : fewest;
    }

    for (size_t i = 0; i < work->comparison->sides_count; i++) {
        const int rank = accepted[accepted_row(work, i)].rank;

        if (among[i] && failed_share(work, i) <= fewest && rank <= least) {
            single = rank < least;
            least = rank;
            *best = i;
        }
    }
    return single;
}

/* "A, B and C" of the sides that are marked; "" when none is. NULL when there is no memory. */
static char *listed(const struct work *work, const bool *marked)
{
    char *text = sentence("%s", "");
    size_t left = 0;

    for (size_t i = 0; i < work->comparison->sides_count; i++) {
        left += marked[i];
    }
    for (size_t i = 0, told = 0; text != NULL && i < work->comparison->sides_count; i++) {
        char name[128], *before = text;

        if (!marked[i]) {
            continue;
        }
        left--;
        side_name(work, i, name, sizeof name);
        text = sentence("%s%s%s", before, told == 0 ? "" : left == 0 ? " and " : ", ", name);
        free(before);
        told++;
    }
    return text;
}

/* Marks the candidates that side beats. */
static bool mark_beaten(const struct work *work, size_t side, bool *beaten)
{
    bool some = false;

    for (size_t i = 0; i < work->comparison->sides_count; i++) {
        beaten[i] = i != side && work->origins[i].candidate && beats(work, side, i);
        some = some || beaten[i];
    }
    return some;
}

static bool was_judged(const struct work *work, size_t one, size_t other, enum ls_figure figure)
{
    return finding_between(work, one, other, figure) >= LS_NOT_SHOWN;
}

/* What may be said of the waits beside those that are marked. */
static const char *waits_words(const struct work *work, size_t side, const bool *marked)
{
    bool judged = true;

    for (size_t i = 0; i < work->comparison->sides_count; i++) {
        judged = judged && (!marked[i] || (was_judged(work, side, i, LS_FIGURE_LOGIN_P50) &&
                                           was_judged(work, side, i, LS_FIGURE_LOGIN_P99)));
    }
    return judged ? "neither the user in the middle nor the last in a hundred was shown to wait "
                    "longer"
                  : "not all of the users' waits were judged";
}

/* Were they really not told apart, or is one cheaper and slower? */
static bool are_alike(const struct work *work, const bool *among)
{
    for (size_t i = 0; i < work->comparison->sides_count; i++) {
        for (size_t j = 0; among[i] && j < i; j++) {
            if (among[j] && finding_between(work, i, j, LS_FIGURE_CPU_HANDSHAKE) > LS_NOT_SHOWN) {
                return false;
            }
        }
    }
    return true;
}

struct choice {
    bool *unbeaten, *marked;
    size_t best;
    bool any_public, has_best;
};

/* One that is beaten by none of those that a public gateway can have. */
static bool say_winner(struct desk *desk, const struct choice *choice, const char *given)
{
    const bool beats_some = mark_beaten(desk->work, choice->best, choice->marked);
    char *others = listed(desk->work, choice->marked), name[128];
    bool good = others != NULL;

    side_name(desk->work, choice->best, name, sizeof name);
    if (good && beats_some) {
        good = say(desk, "choice",
                   sentence("%s%s %s%s unless a rule or old clients ask for another: its handshake "
                            "had less CPU than that of %s, which was shown; no more users failed, "
                            "and %s.",
                            given, given[0] != '\0' ? "take" : "Take", name,
                            choice->any_public ? "" : ", if all clients are your own,", others,
                            waits_words(desk->work, choice->best, choice->marked)));
    } else if (good) {
        good = say(desk, "choice",
                   sentence("Of these a public gateway can have %s only, which the clients that "
                            "you do not know take.",
                            name));
    }
    free(others);
    return good;
}

static bool say_not_told_apart(struct desk *desk, const struct choice *choice, const char *given)
{
    char *names = listed(desk->work, choice->unbeaten), name[128], kept[400];
    bool good = names != NULL;

    side_name(desk->work, choice->best, name, sizeof name);
    if (!choice->any_public) {
        (void)snprintf(kept, sizeof kept, " None of them is for a public gateway.");
    } else if (choice->has_best) {
        (void)snprintf(kept, sizeof kept,
                       " %s%s %.100s for a public gateway: of those it is the "
                       "one that most clients take.",
                       given, given[0] != '\0' ? "take" : "Take", name);
    } else {
        kept[0] = '\0';
    }
    if (good) {
        good = say(desk, "choice",
                   sentence("%s %s: let clients and rules decide.%s", names,
                            are_alike(desk->work, choice->unbeaten)
                                ? "were not told apart by their CPU"
                                : "each cost less, keep users waiting less or have fewer of them "
                                  "fail than the others, and none does all of it",
                            kept));
    }
    free(names);
    return good;
}

/* What only one's own clients take, where it stands beside the choice. */
static bool say_private(struct desk *desk, const struct choice *choice)
{
    const struct work *work = desk->work;
    const size_t sides = work->comparison->sides_count;

    for (int cheaper = 1; cheaper >= 0; cheaper--) {
        bool some = false, good = true;
        char *names, name[128];

        for (size_t i = 0; i < sides; i++) {
            choice->marked[i] = work->origins[i].candidate && !is_public(work, i) &&
                                (cheaper == 1) == beats(work, i, choice->best) &&
                                !beats(work, choice->best, i);
            some = some || choice->marked[i];
        }
        if (!some) {
            continue;
        }
        names = listed(work, choice->marked);
        side_name(work, choice->best, name, sizeof name);
        good = names != NULL &&
               say(desk, "choice",
                   cheaper == 1
                       ? sentence("Only if all clients are your own: %s had less CPU a handshake "
                                  "than %s, which was shown.",
                                  names, name)
                       : sentence("Only if all clients are your own is there a choice of %s, too, "
                                  "and none that less CPU than that of %s was shown for.",
                                  names, name));
        free(names);
        if (!good) {
            return false;
        }
    }
    return true;
}

static bool choose(struct desk *desk, struct choice *choice, const char *given)
{
    const struct work *work = desk->work;
    size_t count;

    for (size_t i = 0; i < work->comparison->sides_count; i++) {
        choice->any_public =
            choice->any_public || (work->origins[i].candidate && is_public(work, i));
    }
    count = mark_unbeaten(work, choice->any_public, choice->unbeaten);
    choice->has_best = best_accepted(work, choice->unbeaten, &choice->best);
    if (count == 1 ? !say_winner(desk, choice, given) : !say_not_told_apart(desk, choice, given)) {
        return false;
    }
    return !choice->any_public || !choice->has_best || say_private(desk, choice);
}

bool say_choice(struct desk *desk, bool doubt)
{
    const struct work *work = desk->work;
    const size_t sides = work->comparison->sides_count;
    bool *unbeaten = calloc(sides + 1, sizeof *unbeaten);
    bool *marked = calloc(sides + 1, sizeof *marked);
    struct choice choice = {.unbeaten = unbeaten, .marked = marked};
    bool good = unbeaten != NULL && marked != NULL;

    if (good && !work->origins[0].candidate) {
        good =
            say(desk, "choice",
                sentence("No recommendation: the CPU of these certificates does not stand side "
                         "by side%s.",
                         work->comparison->forced ? " under the same load and on the same machine"
                                                  : ""));
    } else if (good) {
        good = choose(desk, &choice, doubt ? "If a repeat bears it out, " : "");
    }
    free(unbeaten);
    free(marked);
    return good;
}
