/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "curve/month.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void english_months_are_known_short_and_whole(void **state)
{
    static const char *const months[] = {"January",   "February", "March",    "April",
                                         "May",       "June",     "July",     "August",
                                         "September", "October",  "November", "December"};

    (void)state;
    for (int m = 0; m < 12; m++) {
        const size_t whole = strlen(months[m]);

        for (size_t size = 1; size <= whole; size++) {
            const int is = size == 3 || size == whole || (m == 8 && size == 4) ? m + 1 : 0;

            if (month_of(months[m], size) != is) {
                fail_msg("%.*s", (int)size, months[m]);
            }
        }
    }
    assert_int_equal(month_of("nOV", 3), 11);
    assert_int_equal(month_of("NOVEMBER", 8), 11);
    assert_int_equal(month_of("Marc", 4), 0);
    assert_int_equal(month_of("Mayo", 4), 0);
    assert_int_equal(month_of("Decembers", 9), 0);
}

/* Each list as a system writes it, short and whole: those that English shares are months. */
static void months_of_other_languages_are_known_as_such(void **state)
{
    static const struct {
        const char *language;
        const char *names[24];
    } rows[] = {
        {"French",
         {"janv",    "f\303\251vr",    "mars",      "avr",     "mai",      "juin",
          "juil",    "ao\303\273t",    "sept",      "oct",     "nov",      "d\303\251c",
          "janvier", "f\303\251vrier", "mars",      "avril",   "mai",      "juin",
          "juillet", "AO\303\233T",    "septembre", "octobre", "novembre", "d\303\251cembre"}},
        {"German",
         {"Jan", "Feb",  "Mrz",  "Apr",    "Mai",       "Jun",     "Jul",         "Aug",
          "Sep", "Okt",  "Nov",  "Dez",    "Januar",    "Februar", "M\303\244rz", "April",
          "Mai", "Juni", "Juli", "August", "September", "Oktober", "November",    "Dezember"}},
        {"Spanish",
         {"ene",  "feb",   "mar",   "abr",    "may",        "jun",     "jul",       "ago",
          "sept", "oct",   "nov",   "dic",    "enero",      "febrero", "marzo",     "abril",
          "mayo", "junio", "julio", "agosto", "septiembre", "octubre", "noviembre", "diciembre"}},
        {"Italian",
         {"gen",    "feb",    "mar",    "apr",    "mag",       "giu",      "lug",      "ago",
          "sep",    "ott",    "nov",    "dic",    "gennaio",   "febbraio", "marzo",    "aprile",
          "maggio", "giugno", "luglio", "agosto", "settembre", "ottobre",  "novembre", "dicembre"}},
        {"Dutch",
         {"jan", "feb",  "mrt",  "apr",      "mei",       "jun",      "jul",      "aug",
          "sep", "okt",  "nov",  "dec",      "januari",   "februari", "maart",    "april",
          "mei", "juni", "juli", "augustus", "september", "oktober",  "november", "december"}},
        {"Portuguese",
         {"jan",  "fev",   "mar",   "abr",    "mai",      "jun",       "jul",          "ago",
          "sep",  "oct",   "nov",   "dez",    "janeiro",  "fevereiro", "mar\303\247o", "abril",
          "maio", "junho", "julho", "agosto", "setembro", "outubro",   "novembro",     "dezembro"}},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        for (int n = 0; n < 24; n++) {
            const char *name = rows[i].names[n];
            const int month = month_of(name, strlen(name));
            const char *why = month_elsewhere(name, strlen(name));

            if (month != 0 ? month != n % 12 + 1
                           : why == NULL || strstr(why, rows[i].language) == NULL) {
                fail_msg("%s: month %d, %s", name, month, why == NULL ? "nothing" : why);
            }
        }
    }
}

static void other_words_are_of_no_language(void **state)
{
    static const char *const words[] = {
        "", "in", "time", "GET", "October", "\303\251t\303\251", "extraordinarily-long-word"};

    (void)state;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        assert_null(month_elsewhere(words[i], strlen(words[i])));
    }
    assert_int_equal(word_size("ao\303\273t/2026", 10), 5);
    assert_int_equal(word_size("ao\303\273t/2026", 3), 3);
    assert_int_equal(word_size("7", 1), 0);
    assert_int_equal(word_size("", 0), 0);
}

static void a_month_of_another_language_is_found_where_a_date_is(void **state)
{
    static const struct {
        const char *text;
        int where; /* -1: there is none */
        const char *why;
    } rows[] = {
        {"13. M\303\244rz 2026 15:09", 4, "Windows's long date"},
        {"a - - [10/ene/2026:08:25:43 +0100]", 10, "an access log"},
        {"x,7 janv. 2026 08:25", 4, "a dot behind it"},
        {"13 de mar\303\247o de 2026", 6, "words between"},
        {"Mai  7 08:59:45 host", 0, "syslog"},
        {"dic 7, 2026", 0, "month, day, year"},
        {"10/Nov/2026:08:25:43", -1, "English"},
        {"he saw mars 3 times", -1, "a word and a number"},
        {"12 ago", -1, "no year"},
        {"30 mei 20", -1, "half a year, where the text ends"},
        {"mei 30 20", -1, "the same behind a day"},
        {"123 mei 2026", -1, "no day"},
        {"", -1, "nothing"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        size_t where = 0;
        const bool met = month_met(rows[i].text, strlen(rows[i].text), &where) != NULL;

        if (met != (rows[i].where >= 0) || (met && where != (size_t)rows[i].where)) {
            fail_msg("%s: %d at %zu (%s)", rows[i].text, met, where, rows[i].why);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(english_months_are_known_short_and_whole),
        cmocka_unit_test(months_of_other_languages_are_known_as_such),
        cmocka_unit_test(other_words_are_of_no_language),
        cmocka_unit_test(a_month_of_another_language_is_found_where_a_date_is),
    };

    return cmocka_run_group_tests_name("curve/month", tests, NULL, NULL);
}
