/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "arrivals/recorded.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arrivals/cut.h"
#include "arrivals/pick.h"
#include "loginstorm/random.h"
#include "loginstorm/units.h"

/* What a draw is for. A further login that meets a recorded one is drawn again. */
enum purpose { PLACE, CHOICE, FURTHER, PURPOSES = FURTHER + 64 };

static uint64_t draw_of(const struct recorded *recorded, int purpose)
{
    return recorded->wave * PURPOSES + (uint64_t)purpose;
}

static double unit(const struct recorded *recorded, uint64_t seed, int64_t number, int purpose)
{
    return ls_random_unit(seed, LS_STREAM_RECORDED, (uint64_t)number, draw_of(recorded, purpose));
}

void recorded_free(struct recorded *recorded)
{
    free(recorded->at_ns);
    free(recorded->pieces);
    *recorded = (struct recorded){0};
}

double recorded_users(const struct recorded *recorded, double scale)
{
    const double users = floor((double)recorded->count * scale / (double)recorded->days + 0.5);

    return users < 1 ? 1 : users;
}

static int ascending(const void *left, const void *right)
{
    int64_t a, b;

    memcpy(&a, left, sizeof a);
    memcpy(&b, right, sizeof b);
    return (a > b) - (a < b);
}

/* From the window's start: of one day the time that had passed, which is what a replay needs; of
 * several what the clock showed, so that eight o'clock meets eight o'clock. */
static int64_t place(const struct cut_window *window, const struct cut_day *day, bool average,
                     int64_t utc_ns)
{
    return average ? cut_clock_ns(window, day, utc_ns) : utc_ns - day->start_ns;
}

static void take_logins(struct recorded *recorded, const struct ls_curve *curve,
                        const struct cut_window *window, const struct cut_day *days, size_t count)
{
    for (size_t d = 0; d < count; d++) {
        for (size_t i = days[d].first; i < days[d].first + days[d].count; i++) {
            const int64_t at_ns = place(window, &days[d], count > 1, curve->logins[i].utc_ns);

            if (at_ns >= 0 && at_ns < recorded->span_ns) {
                recorded->at_ns[recorded->count++] = at_ns;
            }
        }
    }
    if (count > 1) {
        qsort(recorded->at_ns, (size_t)recorded->count, sizeof *recorded->at_ns, ascending);
    }
}

static int64_t share_of(int64_t logins, int64_t part_ns, int64_t whole_ns)
{
    return part_ns == whole_ns
               ? logins
               : (int64_t)floor((double)logins * (double)part_ns / (double)whole_ns + 0.5);
}

/* Logins of [from, from + length) from the window's start, as far as that lies in the window. */
static void add_piece(struct recorded *recorded, int64_t from_ns, int64_t length_ns, int64_t logins)
{
    const int64_t to_ns = from_ns + length_ns;
    struct recorded_piece piece = {
        .from_ns = from_ns < 0 ? 0 : from_ns,
        .to_ns = to_ns > recorded->span_ns ? recorded->span_ns : to_ns,
        .before = recorded->count,
    };

    if (piece.to_ns <= piece.from_ns) {
        return;
    }
    piece.logins = share_of(logins, piece.to_ns - piece.from_ns, length_ns);
    if (piece.logins > 0) {
        recorded->pieces[recorded->pieces_count++] = piece;
        recorded->count += piece.logins;
    }
}

/* By the clock, a change of it parts an interval: what comes behind it stands an hour on, or back. */
static void take_interval(struct recorded *recorded, const struct ls_curve_interval *interval,
                          const struct cut_window *window, const struct cut_day *day, bool average,
                          double *carry)
{
    const int64_t from_ns = interval->from_ns > day->start_ns ? interval->from_ns : day->start_ns;
    const int64_t to_ns = interval->to_ns < day->end_ns ? interval->to_ns : day->end_ns;
    const int64_t change_ns = average ? cut_change_ns(window, from_ns, to_ns) : to_ns;
    const int64_t logins = cut_logins(interval, day->start_ns, day->end_ns, carry);
    const int64_t before = share_of(logins, change_ns - from_ns, to_ns - from_ns);

    add_piece(recorded, place(window, day, average, from_ns), change_ns - from_ns, before);
    if (change_ns < to_ns) {
        add_piece(recorded, place(window, day, average, change_ns), to_ns - change_ns,
                  logins - before);
    }
}

static void take_intervals(struct recorded *recorded, const struct ls_curve *curve,
                           const struct cut_window *window, const struct cut_day *days,
                           size_t count)
{
    for (size_t d = 0; d < count; d++) {
        double carry = 0;

        for (size_t i = days[d].first; i < days[d].first + days[d].count; i++) {
            take_interval(recorded, &curve->intervals[i], window, &days[d], count > 1, &carry);
        }
    }
}

/* Pieces of constant rate that each hold some neighbouring logins; logins of one stamp stay
 * together, and are taken to have come by the next one, as the stamps of a clock that knows seconds
 * alone mean it. */
static void cut_pieces(struct recorded *recorded)
{
    const int64_t *at_ns = recorded->at_ns;
    const int64_t least =
        recorded->count < 32 * PIECE_LOGINS ? recorded->count / 32 + 1 : PIECE_LOGINS;
    const int64_t usual_ns =
        (at_ns[recorded->count - 1] - at_ns[0]) / recorded->count + LS_NS_PER_MS;
    int64_t begin = 0;

    for (int64_t i = 1; i <= recorded->count; i++) {
        const bool last = i == recorded->count;
        struct recorded_piece *piece;

        if (!last && (i - begin < least || at_ns[i] == at_ns[i - 1])) {
            continue;
        }
        piece = &recorded->pieces[recorded->pieces_count++];
        *piece = (struct recorded_piece){
            .from_ns = at_ns[begin],
            .to_ns = last ? at_ns[i - 1] + usual_ns : at_ns[i],
            .before = begin,
            .logins = i - begin,
        };
        if (piece->to_ns > recorded->span_ns) {
            piece->to_ns = recorded->span_ns;
        }
        begin = i;
    }
}

static enum ls_code take_days(struct recorded *recorded, const struct ls_curve *curve,
                              const struct cut_window *window, const struct cut_day *days,
                              size_t count, struct ls_error *err)
{
    size_t rows = 0;

    for (size_t d = 0; d < count; d++) {
        rows += days[d].count;
    }
    recorded->exact = curve->exact;
    recorded->days = (int64_t)count;
    recorded->span_ns = count > 1 ? window->window_ns : days[0].end_ns - days[0].start_ns;
    recorded->at_ns = curve->exact ? calloc(rows + 1, sizeof *recorded->at_ns) : NULL;
    /* A change of the clocks makes two of one. */
    recorded->pieces = calloc(rows + 1, 2 * sizeof *recorded->pieces);
    if (recorded->pieces == NULL || (curve->exact && recorded->at_ns == NULL)) {
        return ls_error_set(err, LS_ENOMEM, "no memory for %zu recorded logins", rows);
    }
    if (curve->exact) {
        take_logins(recorded, curve, window, days, count);
    } else {
        take_intervals(recorded, curve, window, days, count);
    }
    if (recorded->count == 0) {
        return ls_error_set(err, LS_EINPUT, "no login of the curve lies in the window");
    }
    if (curve->exact) {
        cut_pieces(recorded);
    }
    return LS_OK;
}

enum ls_code recorded_init(struct recorded *recorded, const struct ls_scenario *scenario,
                           size_t wave, const char *name, FILE *notes, struct ls_error *err)
{
    struct pick pick = {0};
    enum ls_code code = pick_days(&pick, scenario, &scenario->waves[wave], name, notes, err);

    *recorded = (struct recorded){.wave = wave};
    if (code == LS_OK) {
        code = take_days(recorded, pick.curve, &pick.window, pick.days, pick.count, err);
    }
    if (code == LS_OK && !recorded->exact) {
        (void)fprintf(notes,
                      "its counts are spread at random within their intervals, by the seed\n");
    }
    pick_free(&pick);
    if (code != LS_OK) {
        recorded_free(recorded);
    }
    return code;
}

static bool is_recorded(const struct recorded *recorded, int64_t at_ns)
{
    int64_t low = 0, high = recorded->exact ? recorded->count : 0;

    while (low < high) {
        const int64_t middle = low + (high - low) / 2;

        if (recorded->at_ns[middle] < at_ns) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return recorded->exact && low < recorded->count && recorded->at_ns[low] == at_ns;
}

static int64_t within(const struct recorded_piece *piece, double share)
{
    const int64_t at_ns =
        piece->from_ns + (int64_t)((double)(piece->to_ns - piece->from_ns) * share);

    return at_ns < piece->to_ns || piece->to_ns == piece->from_ns ? at_ns : piece->to_ns - 1;
}

/* One draw gives the piece, by its logins, and the place in it. */
static int64_t further(const struct recorded *recorded, uint64_t seed, int64_t number)
{
    int64_t at_ns = 0;

    for (int purpose = FURTHER; purpose < PURPOSES; purpose++) {
        const double rank = unit(recorded, seed, number, purpose) * (double)recorded->count;
        size_t low = 0, high = recorded->pieces_count;

        while (high - low > 1) {
            const size_t middle = low + (high - low) / 2;

            if ((double)recorded->pieces[middle].before <= rank) {
                low = middle;
            } else {
                high = middle;
            }
        }
        at_ns = within(&recorded->pieces[low], (rank - (double)recorded->pieces[low].before) /
                                                   (double)recorded->pieces[low].logins);
        if (!is_recorded(recorded, at_ns)) {
            break;
        }
    }
    return at_ns;
}

struct choice {
    uint64_t rank;
    int64_t number;
};

static int by_rank(const void *left, const void *right)
{
    const struct choice *a = left, *b = right;

    if (a->rank != b->rank) {
        return a->rank < b->rank ? -1 : 1;
    }
    return (a->number > b->number) - (a->number < b->number);
}

/* The moments of all recorded logins; those of counts are drawn. */
static int64_t *moments(const struct recorded *recorded, uint64_t seed)
{
    int64_t *at_ns = calloc((size_t)recorded->count, sizeof *at_ns);

    if (at_ns == NULL) {
        return NULL;
    }
    if (recorded->exact) {
        memcpy(at_ns, recorded->at_ns, (size_t)recorded->count * sizeof *at_ns);
        return at_ns;
    }
    for (size_t p = 0; p < recorded->pieces_count; p++) {
        const struct recorded_piece *piece = &recorded->pieces[p];

        for (int64_t i = piece->before; i < piece->before + piece->logins; i++) {
            at_ns[i] = within(piece, unit(recorded, seed, i, PLACE));
        }
    }
    return at_ns;
}

static enum ls_code draw_some(const struct recorded *recorded, uint64_t seed, int64_t users,
                              int64_t first, const int64_t *at_ns, struct ls_arrival *rows,
                              struct ls_error *err)
{
    struct choice *choices = calloc((size_t)recorded->count, sizeof *choices);

    if (choices == NULL) {
        return ls_error_set(err, LS_ENOMEM, "no memory to choose among %" PRId64 " logins",
                            recorded->count);
    }
    for (int64_t i = 0; i < recorded->count; i++) {
        choices[i] = (struct choice){
            .rank = ls_random_u64(seed, LS_STREAM_RECORDED, (uint64_t)i, draw_of(recorded, CHOICE)),
            .number = i,
        };
    }
    qsort(choices, (size_t)recorded->count, sizeof *choices, by_rank);
    for (int64_t i = 0; i < users; i++) {
        rows[i].at_ns = at_ns[choices[i].number];
        rows[i].due_ns = first + choices[i].number;
    }
    free(choices);
    return LS_OK;
}

static void note_scale(const struct recorded *recorded, int64_t users, FILE *notes)
{
    const char *plural;
    char some[32], all[32];

    ls_format_count(users > recorded->count ? users - recorded->count : users, some, sizeof some);
    ls_format_count(recorded->count, all, sizeof all);
    plural = recorded->count == 1 ? "" : "s";
    if (users < recorded->count) {
        (void)fprintf(notes, "%s of its %s login%s, a random choice by the seed\n", some, all,
                      plural);
    } else if (users > recorded->count && recorded->exact) {
        (void)fprintf(notes,
                      "its %s login%s at their moments, and %s further ones drawn from the local "
                      "rate (over %" PRId64 " neighbouring logins)\n",
                      all, plural, some, PIECE_LOGINS);
    } else if (users > recorded->count) {
        (void)fprintf(notes, "its %s login%s, and %s further ones drawn from the same intervals\n",
                      all, plural, some);
    }
}

enum ls_code recorded_draw(const struct recorded *recorded, uint64_t seed, int64_t users,
                           int64_t first, struct ls_arrival *rows, FILE *notes,
                           struct ls_error *err)
{
    int64_t *at_ns = moments(recorded, seed);
    enum ls_code code = LS_OK;

    if (at_ns == NULL) {
        return ls_error_set(err, LS_ENOMEM, "no memory for %" PRId64 " recorded logins",
                            recorded->count);
    }
    note_scale(recorded, users, notes);
    if (users < recorded->count) {
        code = draw_some(recorded, seed, users, first, at_ns, rows, err);
    } else {
        for (int64_t i = 0; i < users; i++) {
            rows[i].at_ns = i < recorded->count ? at_ns[i] : further(recorded, seed, i);
            rows[i].due_ns = first + i;
        }
    }
    free(at_ns);
    return code;
}
