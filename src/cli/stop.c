/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/stop.h"

#include <signal.h>

static volatile sig_atomic_t wished; /* the signal; 0: none */

static const int signals[] = {SIGINT, SIGTERM};
#define SIGNALS (sizeof signals / sizeof signals[0])

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
    struct sigaction action = {.sa_handler = take, .sa_flags = SA_RESTART};

    (void)sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < SIGNALS; i++) {
        (void)sigaddset(&action.sa_mask, signals[i]);
    }
    for (size_t i = 0; i < SIGNALS; i++) {
        (void)sigaction(signals[i], &action, NULL);
    }
}

enum ls_code stop_wished(void)
{
    return wished == 0 ? LS_OK : wished == SIGTERM ? LS_ETERMINATED : LS_EINTERRUPTED;
}

const char *stop_name(enum ls_code code)
{
    return code == LS_ETERMINATED ? "SIGTERM" : "SIGINT";
}
