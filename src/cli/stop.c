/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/stop.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/print.h"

static volatile sig_atomic_t wished; /* the signal; 0: none */

static const int signals[] = {SIGINT, SIGTERM};
#define SIGNALS (sizeof signals / sizeof signals[0])

/* What the handler says, ready to write, and what it removes. Written with the signals blocked. */
static struct {
    char line[2][4352]; /* by the order of `signals` */
    char folder[4096];
} last;

static void block(sigset_t *before)
{
    sigset_t set;

    (void)sigemptyset(&set);
    for (size_t i = 0; i < SIGNALS; i++) {
        (void)sigaddset(&set, signals[i]);
    }
    (void)sigprocmask(SIG_BLOCK, &set, before);
}

/* Only what a handler may call. */
static void end(int number)
{
    const char *line = last.line[number == SIGTERM];

    if (last.folder[0] != '\0') {
        (void)rmdir(last.folder);
    }
    (void)!write(STDERR_FILENO, line, strlen(line));
    _exit(128 + number);
}

static void listen_by(void (*handler)(int number))
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};

    (void)sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < SIGNALS; i++) {
        (void)sigaddset(&action.sa_mask, signals[i]);
    }
    for (size_t i = 0; i < SIGNALS; i++) {
        (void)sigaction(signals[i], &action, NULL);
    }
}

void stop_at_once(const char *words)
{
    const char *clean = redraws(stderr) ? "\r\033[K" : "";
    sigset_t before;

    block(&before);
    for (size_t i = 0; i < SIGNALS; i++) {
        const enum ls_code code = signals[i] == SIGTERM ? LS_ETERMINATED : LS_EINTERRUPTED;
        char said[sizeof last.line[i]];

        (void)snprintf(said, sizeof said, "%s", words);
        for (char *c = said; *c != '\0'; c++) {
            *c = (unsigned char)*c < ' ' || *c == 127 ? '?'
                                                      : *c; /* a path may have anything in it */
        }
        (void)snprintf(last.line[i], sizeof last.line[i],
                       "%sloginstorm: error: stopped by %s; %.*s\n", clean, stop_name(code),
                       (int)sizeof said - 100, said);
    }
    listen_by(end);
    (void)sigprocmask(SIG_SETMASK, &before, NULL);
}

void stop_removes(const char *folder)
{
    sigset_t before;

    block(&before);
    (void)snprintf(last.folder, sizeof last.folder, "%s", folder == NULL ? "" : folder);
    (void)sigprocmask(SIG_SETMASK, &before, NULL);
}

/* The next one, of either kind, finds nobody who listens. */
static void take(int number)
{
    wished = number;
    for (size_t i = 0; i < SIGNALS; i++) {
        (void)signal(signals[i], SIG_DFL);
    }
}

void stop_listen(void)
{
    listen_by(take);
}

enum ls_code stop_wished(void)
{
    return wished == 0 ? LS_OK : wished == SIGTERM ? LS_ETERMINATED : LS_EINTERRUPTED;
}

const char *stop_name(enum ls_code code)
{
    return code == LS_ETERMINATED ? "SIGTERM" : "SIGINT";
}
