/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plan/work.h"

static int larger(int a, int b)
{
    return a > b ? a : b;
}

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

/* Between one that does not and one that does. */
static enum ls_code halve(const struct search *search, bool thorough, int not, int does, int *found,
                          struct ls_error *err)
{
    enum ls_code code = LS_OK;

    while (code == LS_OK && does - not > 1) {
        const int middle = not +(does - not ) / 2;
        bool yes = false;

        code = search->does(middle, thorough, &yes, search->data, err);
        *(yes ? &does : &not ) = middle;
    }
    *found = does;
    return code;
}

static enum ls_code even_most_fails(const struct search *search, bool thorough, bool *fails,
                                    struct ls_error *err)
{
    bool yes = true;
    const enum ls_code code = search->does(search->most, thorough, &yes, search->data, err);

    *fails = !yes;
    return code;
}

/* From where the answer may be, in steps that double, then by halves. */
static enum ls_code search_from(const struct search *search, bool thorough, int guess, int *found,
                                struct ls_error *err)
{
    int x = smaller(larger(guess, search->least), search->most), before, step = 1;
    bool yes = false, first, hopeless = false;
    enum ls_code code = search->does(x, thorough, &yes, search->data, err);

    *found = 0;
    first = yes;
    while (code == LS_OK && yes == first) {
        before = x;
        if (x == (first ? search->least : search->most)) {
            *found = first ? x : 0;
            return LS_OK;
        }
        if (step == 2 && !first && search->most_tells) {
            code = even_most_fails(search, thorough, &hopeless, err);
        }
        if (code != LS_OK || hopeless) {
            return code;
        }
        x = first ? larger(x - step, search->least) : smaller(x + step, search->most);
        step *= 2;
        code = search->does(x, thorough, &yes, search->data, err);
        if (code == LS_OK && yes != first) {
            return halve(search, thorough, first ? x : before, first ? before : x, found, err);
        }
    }
    return code;
}

enum ls_code search_smallest(const struct search *search, int *found, struct ls_error *err)
{
    int roughly = 0;
    enum ls_code code = search_from(search, false, search->guess, &roughly, err);

    *found = roughly;
    return code == LS_OK && !search->roughly
               ? search_from(search, true, roughly > 0 ? roughly : search->most, found, err)
               : code;
}
