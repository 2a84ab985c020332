/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "curve/month.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

#define WORD_MAX 16
#define KEY(a, b, c) ((uint32_t)(a) << 16 | (uint32_t)(b) << 8 | (uint32_t)(c))

static bool is_letter(unsigned char c)
{
    return ((c | 32) >= 'a' && (c | 32) <= 'z') || c >= 128;
}

size_t word_size(const char *text, size_t size)
{
    size_t n = 0;

    while (n < size && is_letter((unsigned char)text[n])) {
        n++;
    }
    return n;
}

static int month_of_three(const char *word)
{
    switch (KEY(word[0] | 32, word[1] | 32, word[2] | 32)) {
    case KEY('j', 'a', 'n'):
        return 1;
    case KEY('f', 'e', 'b'):
        return 2;
    case KEY('m', 'a', 'r'):
        return 3;
    case KEY('a', 'p', 'r'):
        return 4;
    case KEY('m', 'a', 'y'):
        return 5;
    case KEY('j', 'u', 'n'):
        return 6;
    case KEY('j', 'u', 'l'):
        return 7;
    case KEY('a', 'u', 'g'):
        return 8;
    case KEY('s', 'e', 'p'):
        return 9;
    case KEY('o', 'c', 't'):
        return 10;
    case KEY('n', 'o', 'v'):
        return 11;
    case KEY('d', 'e', 'c'):
        return 12;
    default:
        return 0;
    }
}

int month_of(const char *word, size_t size)
{
    static const char *const rests[] = {"uary", "ruary", "ch",     "il",   "",      "e",
                                        "y",    "ust",   "tember", "ober", "ember", "ember"};
    int month;

    if (size < 3) {
        return 0;
    }
    month = month_of_three(word);
    if (month == 0 || size == 3) {
        return month;
    }
    if (strncasecmp(rests[month - 1], word + 3, size - 3) == 0 &&
        rests[month - 1][size - 3] == '\0') {
        return month;
    }
    return month == 9 && size == 4 && (word[3] | 32) == 't' ? 9 : 0; /* Britain's "Sept" */
}

#define SAYS(name, language)                                                                       \
    "\"" name "\" is " language                                                                    \
    ", not English: export the log with English month names, or with dates like 2026-11-30"

/* In small letters; '?' for what ASCII does not have. Short ones that are English words (Portuguese
 * "out" and "set") are left out. */
static const struct {
    const char *pattern, *why;
} elsewhere[] = {
    {"abr", SAYS("abr", "Spanish or Portuguese")},
    {"abril", SAYS("abril", "Spanish or Portuguese")},
    {"ago", SAYS("ago", "Spanish, Italian or Portuguese")},
    {"agosto", SAYS("agosto", "Spanish, Italian or Portuguese")},
    {"ao?t", SAYS("ao\303\273t", "French")},
    {"aout", SAYS("aout", "French")},
    {"aprile", SAYS("aprile", "Italian")},
    {"augustus", SAYS("augustus", "Dutch")},
    {"avr", SAYS("avr", "French")},
    {"avril", SAYS("avril", "French")},
    {"d?c", SAYS("d\303\251c", "French")},
    {"d?cembre", SAYS("d\303\251cembre", "French")},
    {"decembre", SAYS("decembre", "French")},
    {"dez", SAYS("dez", "German or Portuguese")},
    {"dezember", SAYS("Dezember", "German")},
    {"dezembro", SAYS("dezembro", "Portuguese")},
    {"dic", SAYS("dic", "Spanish or Italian")},
    {"dicembre", SAYS("dicembre", "Italian")},
    {"diciembre", SAYS("diciembre", "Spanish")},
    {"ene", SAYS("ene", "Spanish")},
    {"enero", SAYS("enero", "Spanish")},
    {"f?v", SAYS("f\303\251v", "French")},
    {"f?vr", SAYS("f\303\251vr", "French")},
    {"f?vrier", SAYS("f\303\251vrier", "French")},
    {"febbraio", SAYS("febbraio", "Italian")},
    {"febrero", SAYS("febrero", "Spanish")},
    {"februar", SAYS("Februar", "German")},
    {"februari", SAYS("februari", "Dutch")},
    {"fev", SAYS("fev", "Portuguese")},
    {"fevereiro", SAYS("fevereiro", "Portuguese")},
    {"fevr", SAYS("fevr", "French")},
    {"fevrier", SAYS("fevrier", "French")},
    {"gen", SAYS("gen", "Italian")},
    {"gennaio", SAYS("gennaio", "Italian")},
    {"giu", SAYS("giu", "Italian")},
    {"giugno", SAYS("giugno", "Italian")},
    {"j?n", SAYS("J\303\244n", "German")},
    {"j?nner", SAYS("J\303\244nner", "German")},
    {"janeiro", SAYS("janeiro", "Portuguese")},
    {"januar", SAYS("Januar", "German")},
    {"januari", SAYS("januari", "Dutch")},
    {"janv", SAYS("janv", "French")},
    {"janvier", SAYS("janvier", "French")},
    {"juil", SAYS("juil", "French")},
    {"juillet", SAYS("juillet", "French")},
    {"juin", SAYS("juin", "French")},
    {"julho", SAYS("julho", "Portuguese")},
    {"juli", SAYS("juli", "German or Dutch")},
    {"julio", SAYS("julio", "Spanish")},
    {"junho", SAYS("junho", "Portuguese")},
    {"juni", SAYS("juni", "German or Dutch")},
    {"junio", SAYS("junio", "Spanish")},
    {"lug", SAYS("lug", "Italian")},
    {"luglio", SAYS("luglio", "Italian")},
    {"m?r", SAYS("M\303\244r", "German")},
    {"m?rz", SAYS("M\303\244rz", "German")},
    {"maart", SAYS("maart", "Dutch")},
    {"maerz", SAYS("Maerz", "German")},
    {"mag", SAYS("mag", "Italian")},
    {"maggio", SAYS("maggio", "Italian")},
    {"mai", SAYS("mai", "French, German or Portuguese")},
    {"maio", SAYS("maio", "Portuguese")},
    {"mar?o", SAYS("mar\303\247o", "Portuguese")},
    {"mars", SAYS("mars", "French")},
    {"marzo", SAYS("marzo", "Spanish or Italian")},
    {"mayo", SAYS("mayo", "Spanish")},
    {"mei", SAYS("mei", "Dutch")},
    {"mrt", SAYS("mrt", "Dutch")},
    {"mrz", SAYS("Mrz", "German")},
    {"novembre", SAYS("novembre", "French or Italian")},
    {"novembro", SAYS("novembro", "Portuguese")},
    {"noviembre", SAYS("noviembre", "Spanish")},
    {"octobre", SAYS("octobre", "French")},
    {"octubre", SAYS("octubre", "Spanish")},
    {"okt", SAYS("okt", "German or Dutch")},
    {"oktober", SAYS("oktober", "German or Dutch")},
    {"ott", SAYS("ott", "Italian")},
    {"ottobre", SAYS("ottobre", "Italian")},
    {"outubro", SAYS("outubro", "Portuguese")},
    {"septembre", SAYS("septembre", "French")},
    {"septiembre", SAYS("septiembre", "Spanish")},
    {"setembro", SAYS("setembro", "Portuguese")},
    {"setiembre", SAYS("setiembre", "Spanish")},
    {"settembre", SAYS("settembre", "Italian")},
};

/* In small letters, with '?' for a letter beyond ASCII: one byte of Latin-1, or two of UTF-8. */
static size_t fold(char out[WORD_MAX + 1], const char *word, size_t size)
{
    size_t n = 0;

    for (size_t i = 0; i < size && n < WORD_MAX; i++) {
        const unsigned char c = (unsigned char)word[i];
        const bool is_lead = c >= 0xc3 && c <= 0xc5;

        if (c < 128) {
            out[n++] = (char)(c | 32);
        } else {
            out[n++] = '?';
            i += is_lead && i + 1 < size && ((unsigned char)word[i + 1] & 0xc0) == 0x80 ? 1 : 0;
        }
    }
    out[n] = '\0';
    return n;
}

const char *month_elsewhere(const char *word, size_t size)
{
    char folded[WORD_MAX + 1];

    if (size < 3 || size > WORD_MAX) {
        return NULL;
    }
    (void)fold(folded, word, size);
    for (size_t i = 0; i < sizeof elsewhere / sizeof elsewhere[0]; i++) {
        if (strcasecmp(elsewhere[i].pattern, folded) == 0) {
            return elsewhere[i].why;
        }
    }
    return NULL;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_mark(char c)
{
    return c == ' ' || c == '.' || c == ',' || c == '/' || c == '-';
}

/* What stands between a date's parts, from at on: marks, and Spain's "de". */
static size_t gap_size(const char *text, size_t size, size_t at)
{
    const size_t from = at;

    while (at < size && is_mark(text[at])) {
        at++;
    }
    if (at > from && at + 3 < size && memcmp(text + at, "de ", 3) == 0) {
        at += 3;
    }
    return at - from;
}

static size_t digits_size(const char *text, size_t size, size_t at)
{
    const size_t from = at;

    while (at < size && is_digit(text[at])) {
        at++;
    }
    return at - from;
}

/* "Mär 7 08:59", "mars 7, 2026": what stands behind a month that comes first. */
static bool has_day_behind(const char *text, size_t size, size_t at)
{
    const size_t gap = gap_size(text, size, at);
    const size_t day = digits_size(text, size, at + gap);
    const size_t behind = at + gap + day;
    const size_t next = gap_size(text, size, behind);
    const size_t digits = digits_size(text, size, behind + next);
    const size_t end = behind + next + digits;

    return gap > 0 && day >= 1 && day <= 2 && next > 0 &&
           (digits == 4 || ((digits == 1 || digits == 2) && end < size && text[end] == ':'));
}

const char *month_met(const char *text, size_t size, size_t *where)
{
    bool has_day = false; /* a day of the month stands right before */
    size_t at = 0;

    while (at < size) {
        const size_t word = word_size(text + at, size - at);
        const size_t digits = word > 0 ? 0 : digits_size(text, size, at);

        if (word > 0) {
            const size_t behind = at + word;
            const size_t gap = gap_size(text, size, behind);
            const char *why = month_elsewhere(text + at, word);

            if (why != NULL &&
                ((has_day && gap > 0 && digits_size(text, size, behind + gap) == 4) ||
                 has_day_behind(text, size, behind))) {
                *where = at;
                return why;
            }
            has_day = false;
            at = behind;
        } else if (digits > 0) {
            const size_t gap = gap_size(text, size, at + digits);

            has_day = digits <= 2 && gap > 0;
            at += digits + gap;
        } else {
            has_day = false;
            at++;
        }
    }
    return NULL;
}
