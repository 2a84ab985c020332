/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/print.h"

#include <errno.h>
#include <langinfo.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

void print_tame(const char *text, FILE *out)
{
    for (const char *c = text; *c != '\0'; c++) {
        (void)fputc((unsigned char)*c < 0x20 || *c == 0x7f ? '?' : *c, out);
    }
}

/* `| head` has what it wanted: that is no error, and no news to whoever typed it. The files that we write are no pipes, and
 * their errors say other things. */
static bool is_reader_gone(const struct ls_error *err)
{
    const char *gone = strerror(EPIPE);
    const size_t length = strlen(err->text), end = strlen(gone);

    return err->code == LS_EWRITE && err->path[0] == '\0' && length >= end &&
           strcmp(err->text + length - end, gone) == 0;
}

int print_error(const struct ls_error *err)
{
    char text[sizeof err->path + sizeof err->text + 64];

    if (is_reader_gone(err)) {
        return 0;
    }
    ls_error_format(err, text, sizeof text);
    if (err->path[0] == '\0') {
        (void)fputs("loginstorm: ", stderr);
    }
    print_tame(text, stderr);
    (void)fputc('\n', stderr);
    return ls_code_status(err->code);
}

int print_errors(const struct ls_errors *errors)
{
    int status = 0;

    for (size_t i = 0; i < errors->count && i < LS_ERRORS_MAX; i++) {
        const int one = print_error(&errors->item[i]);

        status = status == 0 ? one : status;
    }
    if (errors->count > LS_ERRORS_MAX) {
        (void)fprintf(stderr, "loginstorm: and %zu more\n", errors->count - LS_ERRORS_MAX);
    }
    return status;
}

static int columns_of(FILE *stream)
{
    const char *said = getenv("COLUMNS");
    struct winsize size = {0};
    long columns;

    if (ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
        return size.ws_col;
    }
    columns = said == NULL ? 0 : strtol(said, NULL, 10);
    return columns >= 40 && columns <= 1000 ? (int)columns : 80;
}

bool redraws(FILE *stream)
{
    const char *term = getenv("TERM");

    return isatty(fileno(stream)) == 1 && term != NULL && strcmp(term, "dumb") != 0;
}

void look_of(struct ls_report_look *look, FILE *stream, const struct options *options)
{
    const char *no_color = getenv("NO_COLOR");

    *look = (struct ls_report_look){
        .columns = columns_of(stream),
        .colour =
            redraws(stream) && !options->no_color && (no_color == NULL || no_color[0] == '\0'),
        .utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0,
        .quiet = options->quiet,
    };
}

enum ls_code output_open(struct output *output, const struct options *options, struct ls_error *err)
{
    *output = (struct output){.stream = stdout};
    if (options->out == NULL || strcmp(options->out, "-") == 0) {
        return LS_OK;
    }
    output->is_file = true;
    if (ls_file_create(&output->file, options->out, err) != LS_OK) {
        return err->code;
    }
    output->stream = output->file.stream;
    return LS_OK;
}

enum ls_code output_close(struct output *output, enum ls_code code, struct ls_error *err)
{
    if (!output->is_file) {
        return code;
    }
    if (code != LS_OK) {
        if (code == LS_EWRITE) {
            (void)snprintf(err->path, sizeof err->path, "%.*s", (int)sizeof err->path - 1,
                           output->file.path);
        }
        ls_file_abort(&output->file);
        return code;
    }
    return ls_file_commit(&output->file, err);
}

int load_scenario(struct ls_scenario **scenario, const struct options *options)
{
    struct ls_errors errors = {0};

    if (ls_scenario_load(scenario, options->operand, options->changes.list, options->changes.count,
                         &errors) != LS_OK) {
        return print_errors(&errors);
    }
    return 0;
}
