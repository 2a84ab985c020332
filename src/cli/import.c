/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "loginstorm/import.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/imported.h"
#include "cli/print.h"
#include "cli/teller.h"
#include "loginstorm/file.h"
#include "loginstorm/units.h"

static void show(int64_t bytes, int64_t total, int64_t logins, void *data)
{
    char count[32], of[32] = "";

    ls_format_count(logins, count, sizeof count);
    if (total > 0) {
        (void)snprintf(of, sizeof of, " of %.0f", (double)total / 1e6);
    }
    teller_say(data, "%.0f%s MB, %s logins", (double)bytes / 1e6, of, count);
}

/* The place of word among words, which are as the enum has them; -1 for another. */
static int place_of(const char *word, const char *const words[3])
{
    for (int i = 0; i < 3; i++) {
        if (words[i] != NULL && strcmp(word, words[i]) == 0) {
            return i;
        }
    }
    return -1;
}

static enum ls_code make_wish(struct ls_import_wish *wish, const struct options *options,
                              struct ls_error *err)
{
    static const char *const orders[3] = {NULL, "dmy", "mdy"};
    static const char *const twices[3] = {"order", "first", "second"};
    const int order = options->date_order == NULL ? 0 : place_of(options->date_order, orders);
    const int twice = options->twice == NULL ? 0 : place_of(options->twice, twices);

    if (order < 0) {
        return ls_error_set(err, LS_EUSAGE, "--date-order: \"%.40s\" is none of dmy, mdy",
                            options->date_order);
    }
    if (twice < 0) {
        return ls_error_set(err, LS_EUSAGE, "--twice: \"%.40s\" is none of order, first, second",
                            options->twice);
    }
    if (options->year != 0 && (options->year < 1980 || options->year > 2099)) {
        return ls_error_set(err, LS_EUSAGE, "--year: %d is not between 1980 and 2099",
                            options->year);
    }
    *wish = (struct ls_import_wish){
        .paths = (const char *const *)options->operands,
        .paths_count = options->operands_count,
        .format = options->log_kind,
        .log_format = options->log_format,
        .timezone = options->timezone,
        .day = options->day,
        .date_order = (enum ls_import_order)order,
        .twice = (enum ls_import_twice)twice,
        .year = options->year,
        .count = options->count,
        .url = options->url,
        .time_key = options->time_key,
        .user_key = options->user_key,
        .count_key = options->count_key,
        .progress = show,
    };
    return LS_OK;
}

/* Opened before anything is read: hours of reading must not end in a folder that is not there. */
static enum ls_code write_curve(const struct ls_curve *curve, struct ls_file *file,
                                struct ls_error *err)
{
    enum ls_code code = ls_curve_write(curve, file->stream == NULL ? stdout : file->stream, err);

    return code == LS_OK && file->stream != NULL ? ls_file_commit(file, err) : code;
}

static int import_into(struct ls_file *file, const struct options *options)
{
    struct teller teller;
    struct ls_import_summary summary;
    struct ls_import_wish wish;
    struct ls_curve *curve = NULL;
    struct ls_error err, broken = {0};
    enum ls_code code = make_wish(&wish, options, &err);

    if (code == LS_OK) {
        wish.data = &teller;
        teller_begin(&teller, options);
        teller_say(&teller, "reading %zu log%s", options->operands_count,
                   options->operands_count == 1 ? "" : "s");
        code = ls_import_run(&curve, &summary, &broken, &wish, &err);
        if (code == LS_OK) {
            teller_say(&teller, "writing the curve");
            code = write_curve(curve, file, &err);
            ls_curve_free(curve);
        }
        teller_end(&teller);
    }
    if (code != LS_OK) {
        const int status = print_error(&err);

        if (status != 0) {
            return status;
        }
    }
    if (!options->quiet) {
        imported_print(&summary);
    }
    if (broken.code != LS_OK) {
        const int status = print_error(&broken);

        (void)fprintf(stderr, "loginstorm: the curve holds what stood before that\n");
        return status;
    }
    return 0;
}

static enum ls_code create(struct ls_file *file, const struct options *options,
                           struct ls_error *err)
{
    for (size_t i = 0; i < options->operands_count; i++) {
        if (ls_file_is_same(options->out, options->operands[i])) {
            return ls_error_set(err, LS_EUSAGE,
                                "--out: %s is one of the logs, and the curve would take its place: "
                                "give the curve another name",
                                options->out);
        }
    }
    return ls_file_create(file, options->out, err);
}

int command_import(const struct options *options)
{
    struct ls_file file = {0};
    struct ls_error err;
    int status;

    if (options->out != NULL && strcmp(options->out, "-") != 0 &&
        create(&file, options, &err) != LS_OK) {
        return print_error(&err);
    }
    status = import_into(&file, options);
    ls_file_abort(&file);
    return status;
}

void help_import(FILE *out)
{
    struct ls_import_format format;

    (void)fprintf(out, "\nLogs are read as they are, or packed (gz, xz, zst, bz2); - is standard "
                       "input. No name and no address gets into\nthe curve: a number stands for "
                       "each. Formats, and what is counted where nothing else is said:\n");
    for (size_t i = 0; ls_import_format(&format, i); i++) {
        (void)fprintf(out, "  %-12s %s: %s\n", format.word, format.text, format.counts);
        if (format.words != NULL) {
            (void)fprintf(out, "  %-12s --count %s\n", "", format.words);
        }
    }
}
