/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/teller.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "cli/print.h"
#include "loginstorm/units.h"

#define SILENT_MS 2000
#define REDRAW_MS 100
#define LINE_MS 10000

/* Whether the end came within that time. */
static bool ended_within(const struct teller *teller, int ms)
{
    struct pollfd wake = {.fd = teller->wake, .events = POLLIN};
    int got;

    do {
        got = poll(&wake, 1, ms);
    } while (got < 0 && errno == EINTR);
    return got != 0;
}

/* "what · 12 s", cut to the terminal, since a line that wraps cannot be redrawn. */
static void write_line(const struct teller *teller, const char *what, char *line, size_t size)
{
    const int64_t took_s = (ls_now_ns() - teller->began_ns) / LS_NS_PER_S;
    char count[32], text[400];
    size_t columns = 300;

    ls_format_count(took_s, count, sizeof count);
    if (teller->redraws && teller->columns < columns) {
        columns = teller->columns;
    }
    ls_report_line(what, columns - (strlen(count) + 6), teller->utf8, text, sizeof text);
    (void)snprintf(line, size, "%s%s%s s", text, teller->utf8 ? " · " : " | ", count);
}

static void *show(void *data)
{
    struct teller *teller = data;
    char line[512] = "", shown[512] = "";
    char *what = NULL;
    bool ended = ended_within(teller, SILENT_MS);

    while (!ended) {
        char *fresh = atomic_exchange(&teller->said, NULL);

        if (fresh != NULL) {
            free(what);
            what = fresh;
        }
        if (what != NULL) {
            write_line(teller, what, line, sizeof line);
        }
        if (strcmp(line, shown) != 0) {
            (void)fprintf(stderr, "%s%s%s", teller->redraws ? "\r\033[K" : "", line,
                          teller->redraws ? "" : "\n");
            (void)fflush(stderr);
            memcpy(shown, line, sizeof shown);
        }
        ended = ended_within(teller, teller->redraws || what == NULL ? REDRAW_MS : LINE_MS);
    }
    if (teller->redraws && shown[0] != '\0') {
        (void)fputs("\r\033[K", stderr);
        (void)fflush(stderr);
    }
    free(what);
    return NULL;
}

void teller_begin(struct teller *teller, const struct options *options)
{
    struct ls_report_look look;
    sigset_t all, before;

    look_of(&look, stderr, options);
    *teller = (struct teller){.redraws = redraws(stderr),
                              .utf8 = look.utf8,
                              .columns = (size_t)look.columns,
                              .began_ns = ls_now_ns(),
                              .wake = -1};
    if (options->quiet) {
        return;
    }
    teller->wake = eventfd(0, EFD_CLOEXEC);
    if (teller->wake < 0) {
        return; /* it is a courtesy */
    }
    (void)sigfillset(&all); /* signals are for the thread that works */
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    teller->started = pthread_create(&teller->thread, NULL, show, teller) == 0;
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void teller_say(struct teller *teller, const char *fmt, ...)
{
    char *text = NULL;
    va_list args;
    int length;

    if (!teller->started) {
        return;
    }
    va_start(args, fmt);
    length = vasprintf(&text, fmt, args);
    va_end(args);
    if (length < 0) {
        return;
    }
    free(atomic_exchange(&teller->said, text));
}

void teller_end(struct teller *teller)
{
    const uint64_t one = 1;

    if (teller->started) {
        while (write(teller->wake, &one, sizeof one) < 0 && errno == EINTR) {
        }
        (void)pthread_join(teller->thread, NULL);
        teller->started = false;
    }
    if (teller->wake >= 0) {
        (void)close(teller->wake);
        teller->wake = -1;
    }
    free(atomic_exchange(&teller->said, NULL));
}
