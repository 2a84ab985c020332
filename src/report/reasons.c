/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reasons of many rounds: what is the same but for its figures is said once, with their range. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/lines.h"

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Of "5,988.5" at the text's beginning; 0 where there is none. */
static size_t number_length(const char *text)
{
    size_t n = 0;

    while (is_digit(text[n]) ||
           (n > 0 && (text[n] == '.' || text[n] == ',') && is_digit(text[n + 1]))) {
        n++;
    }
    return n;
}

static double number_value(const char *text, size_t length)
{
    char digits[64];
    size_t used = 0;

    for (size_t i = 0; i < length && used + 1 < sizeof digits; i++) {
        if (text[i] != ',') {
            digits[used++] = text[i];
        }
    }
    digits[used] = '\0';
    return strtod(digits, NULL);
}

/* The same words, whatever their numbers. */
static bool is_alike(const char *a, const char *b)
{
    while (*a != '\0' && *b != '\0') {
        const size_t one = number_length(a), other = number_length(b);

        if ((one > 0) != (other > 0) || (one == 0 && *a != *b)) {
            return false;
        }
        a += one > 0 ? one : 1;
        b += one > 0 ? other : 1;
    }
    return *a == *b;
}

static const char *number_at(const char *text, size_t which)
{
    while (*text != '\0') {
        const size_t length = number_length(text);

        if (length > 0 && which-- == 0) {
            break;
        }
        text += length > 0 ? length : 1;
    }
    return text;
}

/* "RSA 4096" of "RSA 4096, round 3". */
static size_t base_length(const char *name)
{
    const char *end = NULL;

    for (const char *at = strstr(name, ", round "); at != NULL; at = strstr(at + 1, ", round ")) {
        end = at;
    }
    return end != NULL ? (size_t)(end - name) : strlen(name);
}

static bool same_base(const struct ls_run *a, const struct ls_run *b)
{
    const size_t length = base_length(a->certificate);

    return base_length(b->certificate) == length &&
           memcmp(a->certificate, b->certificate, length) == 0;
}

/* The run's reason that is like the text; NULL when it has none. */
static const char *like(const struct ls_run *run, const char *text)
{
    for (size_t i = 0; i < run->validity.reasons_count; i++) {
        if (is_alike(run->validity.reasons[i], text)) {
            return run->validity.reasons[i];
        }
    }
    return NULL;
}

/* The text with the range of each of its numbers over one certificate's runs, or over all (of is
 * NULL). */
static void range_words(const struct ls_result *result, const struct ls_run *of, const char *text,
                        char *out, size_t size)
{
    const char *at = text;
    size_t used = 0, which = 0;

    while (*at != '\0' && used + 1 < size) {
        const size_t length = number_length(at);
        const char *least = at, *most = at;

        if (length == 0) {
            out[used++] = *at++;
            continue;
        }
        for (size_t i = 0; i < result->runs_count; i++) {
            const struct ls_run *run = &result->runs[i];
            const char *other = of == NULL || same_base(of, run) ? like(run, text) : NULL;
            const char *number = other == NULL ? at : number_at(other, which);
            const double value = number_value(number, number_length(number));

            least = value < number_value(least, number_length(least)) ? number : least;
            most = value > number_value(most, number_length(most)) ? number : most;
        }
        used += (size_t)snprintf(out + used, size - used, "%.*s%s%.*s", (int)number_length(least),
                                 least, least == most ? "" : " to ",
                                 least == most ? 0 : (int)number_length(most), most);
        which++;
        at += length;
    }
    out[used < size ? used : size - 1] = '\0';
}

/* Runs of the certificate, or of all, that have the reason; *all is how many there are. */
static size_t count_like(const struct ls_result *result, const struct ls_run *of, const char *text,
                         size_t *all)
{
    size_t count = 0;

    *all = 0;
    for (size_t i = 0; i < result->runs_count; i++) {
        if (of == NULL || same_base(of, &result->runs[i])) {
            *all += 1;
            count += like(&result->runs[i], text) != NULL;
        }
    }
    return count;
}

static bool was_told(const struct ls_result *result, size_t run, const struct ls_run *of,
                     const char *text)
{
    for (size_t i = 0; i < run; i++) {
        if ((of == NULL || same_base(of, &result->runs[i])) &&
            like(&result->runs[i], text) != NULL) {
            return true;
        }
    }
    return false;
}

static void put_reason(struct page *page, const struct ls_result *result, size_t run,
                       const char *text)
{
    const struct ls_run *of = &result->runs[run];
    const enum colour colour = of->validity.verdict == LS_INVALID ? RED : YELLOW;
    char words[512];
    size_t all, count = count_like(result, NULL, text, &all);

    if (count == all && count > 2) {
        if (!was_told(result, run, NULL, text)) {
            range_words(result, NULL, text, words, sizeof words);
            page_put(page, colour, 4, "  in %zu of %zu runs: %s", count, all, words);
        }
        return;
    }
    count = count_like(result, of, text, &all);
    if (count <= 2) {
        page_put(page, colour, 4, "  %s: %s", of->certificate, text);
    } else if (!was_told(result, run, of, text)) {
        range_words(result, of, text, words, sizeof words);
        page_put(page, colour, 4, "  %.*s, in %zu of %zu rounds: %s",
                 (int)base_length(of->certificate), of->certificate, count, all, words);
    }
}

void put_reasons(struct page *page, const struct ls_result *result)
{
    for (size_t i = 0; i < result->runs_count; i++) {
        for (size_t r = 0; r < result->runs[i].validity.reasons_count; r++) {
            put_reason(page, result, i, result->runs[i].validity.reasons[r]);
        }
    }
}
