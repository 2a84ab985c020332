/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as a log: the first says which format, the second what is wished, the rest is the log, in
 * a file. What comes out is refused with a reason, or a curve that can be written and read again. */
#include <string.h>

#include "fuzz/import.h"

/* What the bytes mean must stay, or the corpus loses its sense; so it hangs on no order elsewhere.
 * Any other letter (the corpus has '?'): the format is found. */
static const struct choice {
    char letter;
    const char *word;
    const char *counts[3];
} choices[] = {
    {'w', "web", {"all", "ok", "full"}},
    {'h', "haproxy", {"all", "ok", "full"}},
    {'i', "iis", {"all", "ok", NULL}},
    {'n', "netscaler", {"all", "ok", NULL}},
    {'f', "freeradius", {"start", "request", "accept"}},
    {'v', "windows-csv", {"10,7", "all interactive", "3"}},
    {'x', "windows-xml", {"10,7", "all interactive", "3"}},
    {'g', "rd-gateway", {"200", "300", "302"}},
    {'s', "radius-sql", {NULL, NULL, NULL}},
    {'j', "json", {NULL, NULL, NULL}},
    {'c', "csv", {NULL, NULL, NULL}},
    {'o', "citrix", {"LogOnEndDate", "BrokeringDate", "EstablishmentDate"}},
    {'p', "prometheus", {"increase", "rate", "gauge"}},
    {'k', "pcap", {"clienthello", "syn", NULL}},
};
#define CHOICES (sizeof choices / sizeof choices[0])

/* Of the second byte, so that a digit is readable in the corpus: 1 a zone, 2 day before month,
 * 4, 8 and 12 the counts, 64 a URL. */
enum { ZONE = 1, DAY_FIRST = 2, COUNT = 12, URL = 64 };

int LLVMFuzzerInitialize(int *argc, char ***argv);

/* A format that is new in the table is new here, too. */
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    struct ls_import_format format;
    size_t count = 0;

    (void)argc;
    (void)argv;
    for (; ls_import_format(&format, count); count++) {
        size_t at = 0;

        while (at < CHOICES && strcmp(choices[at].word, format.word) != 0) {
            at++;
        }
        if (at == CHOICES) {
            (void)fprintf(stderr, "fuzz_import.c: give the format %s a letter\n", format.word);
            abort();
        }
    }
    fuzz_expect(count == CHOICES);
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct choice *choice = NULL;
    struct ls_import_wish wish = {0};

    if (size < 2) {
        return 0;
    }
    for (size_t i = 0; i < CHOICES; i++) {
        choice = (uint8_t)choices[i].letter == data[0] ? &choices[i] : choice;
    }
    wish.timezone = (data[1] & ZONE) != 0 ? "Europe/Paris" : NULL;
    wish.date_order = (data[1] & DAY_FIRST) != 0 ? LS_DATE_DAY_MONTH : LS_DATE_UNKNOWN;
    if (choice != NULL) {
        const unsigned count = (data[1] & COUNT) / 4;

        wish.format = choice->word;
        wish.count = count > 0 ? choice->counts[count - 1] : NULL;
        wish.url = (data[1] & URL) != 0 && strchr("whi", choice->letter) != NULL ? "login" : NULL;
    }
    fuzz_import_bytes(&wish, data + 2, size - 2);
    return 0;
}
