/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenario/scalar.h"

#include <stdlib.h>
#include <string.h>

#include "loginstorm/units.h"

#define DIGITS "0123456789"

struct unit {
    const char *word;
    int64_t factor;
};

bool ls_scalar_integer(const char *text, int64_t *out)
{
    const bool negative = *text == '-';
    int64_t value = 0;

    text += *text == '-' || *text == '+';
    if (*text == '\0' || strspn(text, DIGITS) != strlen(text)) {
        return false;
    }
    for (; *text != '\0'; text++) {
        if (__builtin_mul_overflow(value, 10, &value) ||
            __builtin_add_overflow(value, *text - '0', &value)) {
            return false;
        }
    }
    *out = negative ? -value : value;
    return true;
}

/* The length of "12" or "12.5" at text; 0 when there is none. */
static size_t decimal_length(const char *text)
{
    const size_t whole = strspn(text, DIGITS);
    size_t fraction;

    if (whole == 0 || text[whole] != '.') {
        return whole;
    }
    fraction = strspn(text + whole + 1, DIGITS);
    return fraction == 0 ? 0 : whole + 1 + fraction;
}

/* Numbers longer than this hold nothing that a double could keep. */
#define DECIMAL_MAX 40

bool ls_scalar_number(const char *text, double *out)
{
    const bool negative = *text == '-';
    size_t length;
    double value;

    text += *text == '-' || *text == '+';
    length = decimal_length(text);
    if (length == 0 || length > DECIMAL_MAX || text[length] != '\0') {
        return false;
    }
    value = strtod(text, NULL);
    *out = negative ? -value : value;
    return true;
}

bool ls_scalar_share(const char *text, double *out)
{
    const size_t length = strlen(text);
    char number[DECIMAL_MAX + 2];

    if (length == 0 || text[length - 1] != '%') {
        return ls_scalar_number(text, out);
    }
    if (length > sizeof number) {
        return false;
    }
    memcpy(number, text, length - 1);
    number[length - 1] = '\0';
    if (!ls_scalar_number(number, out)) {
        return false;
    }
    *out /= 100;
    return true;
}

/* "12.5" times the factor, exactly; false when that is not whole or does not fit. */
static bool scale(const char *text, size_t length, int64_t factor, int64_t *out)
{
    int64_t whole = 0;
    int64_t fraction = 0;
    int64_t divisor = 1;
    bool after_point = false;

    for (size_t i = 0; i < length; i++) {
        int64_t *part = after_point ? &fraction : &whole;

        if (text[i] == '.') {
            after_point = true;
            continue;
        }
        if (__builtin_mul_overflow(*part, 10, part) ||
            __builtin_add_overflow(*part, text[i] - '0', part) ||
            (after_point && __builtin_mul_overflow(divisor, 10, &divisor))) {
            return false;
        }
    }
    if (__builtin_mul_overflow(whole, factor, &whole) ||
        __builtin_mul_overflow(fraction, factor, &fraction) || fraction % divisor != 0) {
        return false;
    }
    return !__builtin_add_overflow(whole, fraction / divisor, out);
}

static const struct unit *unit_of(const struct unit *units, const char *word, size_t length)
{
    for (; units->word != NULL; units++) {
        if (strlen(units->word) == length && memcmp(units->word, word, length) == 0) {
            return units;
        }
    }
    return NULL;
}

bool ls_scalar_duration(const char *text, int64_t *out_ns)
{
    static const struct unit units[] = {
        {"ns", 1},          {"us", LS_NS_PER_US}, {"µs", LS_NS_PER_US},   {"ms", LS_NS_PER_MS},
        {"s", LS_NS_PER_S}, {"m", LS_NS_PER_MIN}, {"min", LS_NS_PER_MIN}, {"h", LS_NS_PER_H},
        {NULL, 0},
    };
    int64_t last = INT64_MAX; /* the units go down: 1m30s, not 30s1m */
    int64_t sum = 0;

    if (strcmp(text, "0") == 0) {
        *out_ns = 0;
        return true;
    }
    if (*text == '\0') {
        return false;
    }
    while (*text != '\0') {
        const size_t digits = decimal_length(text);
        const size_t letters = strcspn(text + digits, DIGITS);
        const struct unit *unit = unit_of(units, text + digits, letters);
        int64_t part;

        if (digits == 0 || unit == NULL || unit->factor >= last ||
            !scale(text, digits, unit->factor, &part) || __builtin_add_overflow(sum, part, &sum)) {
            return false;
        }
        last = unit->factor;
        text += digits + letters;
    }
    *out_ns = sum;
    return true;
}

static const struct unit size_units[] = {
    {"GiB", INT64_C(1) << 30},
    {"GB", 1000000000},
    {"MiB", 1 << 20},
    {"MB", 1000000},
    {"KiB", 1024},
    {"kB", 1000},
    {"B", 1},
    {NULL, 0},
};

bool ls_scalar_size(const char *text, int64_t *out_bytes)
{
    const size_t digits = decimal_length(text);
    const struct unit *unit = unit_of(size_units, text + digits, strlen(text + digits));

    if (strcmp(text, "0") == 0) {
        *out_bytes = 0;
        return true;
    }
    return digits > 0 && unit != NULL && scale(text, digits, unit->factor, out_bytes);
}

bool ls_scalar_rate(const char *text, double *out_per_s)
{
    static const struct unit units[] = {{"/s", 1}, {"/min", 60}, {"/h", 3600}, {NULL, 0}};
    const size_t digits = decimal_length(text);
    const struct unit *unit = unit_of(units, text + digits, strlen(text + digits));
    char number[DECIMAL_MAX + 1];
    double value;

    if (digits == 0 || digits > DECIMAL_MAX || unit == NULL) {
        return false;
    }
    memcpy(number, text, digits);
    number[digits] = '\0';
    if (!ls_scalar_number(number, &value)) {
        return false;
    }
    *out_per_s = value / (double)unit->factor;
    return true;
}

/* One or two digits below limit, and moves past them. */
static bool take_part(const char **text, int64_t limit, size_t least, int64_t *out)
{
    const size_t length = strspn(*text, DIGITS);

    if (length < least || length > 2) {
        return false;
    }
    *out = 0;
    for (size_t i = 0; i < length; i++) {
        *out = *out * 10 + ((*text)[i] - '0');
    }
    *text += length;
    return *out < limit;
}

bool ls_scalar_clock(const char *text, int64_t *out_ns)
{
    int64_t hour;
    int64_t minute;
    int64_t second = 0;
    int64_t rest = 0;

    if (!take_part(&text, 25, 1, &hour) || *text++ != ':' || !take_part(&text, 60, 2, &minute)) {
        return false;
    }
    if (*text == ':') {
        text++;
        if (!take_part(&text, 60, 2, &second)) {
            return false;
        }
        if (*text == '.') {
            const char fraction[] = "0.";
            char number[16];
            const size_t length = strspn(text + 1, DIGITS);

            if (length == 0 || length > 9) {
                return false;
            }
            memcpy(number, fraction, 1);
            memcpy(number + 1, text, length + 1);
            if (!scale(number, length + 2, LS_NS_PER_S, &rest)) {
                return false;
            }
            text += length + 1;
        }
    }
    rest += hour * LS_NS_PER_H + minute * LS_NS_PER_MIN + second * LS_NS_PER_S;
    if (*text != '\0' || rest > LS_NS_PER_DAY) {
        return false;
    }
    *out_ns = rest;
    return true;
}

bool ls_scalar_switch(const char *text, bool *out)
{
    static const char *const words[] = {"no", "yes", "false", "true", "off", "on"};

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strcmp(text, words[i]) == 0) {
            *out = i % 2 == 1;
            return true;
        }
    }
    return false;
}

bool ls_scalar_is_date(const char *text)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    int part[3] = {0, 0, 0};
    int leap;

    if (strlen(text) != 10) {
        return false;
    }
    for (size_t i = 0; i < 10; i++) {
        if (i == 4 || i == 7) {
            if (text[i] != '-') {
                return false;
            }
        } else if (text[i] < '0' || text[i] > '9') {
            return false;
        } else {
            int *p = &part[i < 4 ? 0 : i < 7 ? 1 : 2];

            *p = *p * 10 + (text[i] - '0');
        }
    }
    if (part[0] < 1970 || part[1] < 1 || part[1] > 12 || part[2] < 1) {
        return false;
    }
    leap = (part[0] % 4 == 0 && part[0] % 100 != 0) || part[0] % 400 == 0;
    return part[2] <= days[part[1] - 1] + (part[1] == 2 ? leap : 0);
}
