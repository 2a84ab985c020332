/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "mpi/play.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "loginstorm/units.h"

/* Its end is looked for so often, where nothing that it says tells it. */
#define LOOK_MS 200
#define CANNOT_RUN 127

static const char ready_words[] = "ready; standard input is to say when it starts, at least ";

static volatile sig_atomic_t signalled; /* which signal there was, until it has gone on */

static void on_signal(int number)
{
    signalled = number;
}

static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};

static void handle(void (*by)(int))
{
    struct sigaction action = {.sa_handler = by};

    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        (void)sigaction(numbers[i], &action, NULL);
    }
}

void play_catch_signals(void)
{
    handle(on_signal);
    (void)signal(SIGPIPE, SIG_IGN);
}

/* In the process that is to be loginstorm. */
static void become(const char *const argv[], bool quiet, int in_fd, int err_fd, pid_t parent)
{
    const int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
    char *const *words;
    sigset_t none;

    memcpy(&words, &argv,
           sizeof words); /* the standard changes none of them, and does not say so */
    /* One that came before now is for that program, not for this one's handler. */
    handle(SIG_DFL);
    (void)sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
    (void)setsid();
    (void)prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent) {
        _exit(CANNOT_RUN);
    }
    (void)dup2(in_fd >= 0 ? in_fd : nowhere, STDIN_FILENO);
    (void)dup2(err_fd, STDERR_FILENO);
    if (quiet) {
        (void)dup2(nowhere, STDOUT_FILENO);
    }
    (void)execv(argv[0], words);
    (void)dprintf(STDERR_FILENO, "loginstorm-mpi: error: cannot run %s: %s\n", argv[0],
                  strerror(errno));
    _exit(CANNOT_RUN);
}

static void close_end(int *fd)
{
    if (*fd >= 0) {
        (void)close(*fd);
        *fd = -1;
    }
}

enum ls_code play_start(struct play *play, const char *const argv[], bool quiet, bool asks,
                        struct ls_error *err)
{
    const pid_t parent = getpid();
    int in[2] = {-1, -1}, errors[2] = {-1, -1};
    enum ls_code code = LS_OK;

    play->in_fd = play->err_fd = -1;
    if ((asks && pipe2(in, O_CLOEXEC) != 0) || pipe2(errors, O_CLOEXEC) != 0) {
        code = ls_error_set_errno(err, LS_ESYSTEM, "no pipe to loginstorm");
    } else {
        sigset_t all, before;

        (void)sigfillset(&all);
        (void)sigprocmask(SIG_BLOCK, &all, &before);
        play->pid = fork();
        if (play->pid == 0) {
            become(argv, quiet, in[0], errors[1], parent);
        }
        (void)sigprocmask(SIG_SETMASK, &before, NULL);
        if (play->pid < 0) {
            code = ls_error_set_errno(err, LS_ESYSTEM, "cannot start a process for loginstorm");
        }
    }
    close_end(&in[0]);
    close_end(&errors[1]);
    play->in_fd = in[1];
    play->err_fd = errors[0];
    if (code != LS_OK) {
        close_end(&play->in_fd);
        close_end(&play->err_fd);
        play->over = true;
        play->status = ls_code_status(code);
    }
    return code;
}

static void take_line(struct play *play)
{
    const char *error = strstr(play->line, "error: ");

    if (strncmp(play->line, ready_words, sizeof ready_words - 1) == 0) {
        play->ready = true;
        play->needs_ns = strtoll(play->line + sizeof ready_words - 1, NULL, 10) * LS_NS_PER_S;
    }
    if (error != NULL) {
        (void)snprintf(play->said, sizeof play->said, "%.390s", error + strlen("error: "));
    }
    play->tell(play->line, play->data);
}

static void read_lines(struct play *play)
{
    const ssize_t got =
        read(play->err_fd, play->line + play->used, sizeof play->line - 1 - play->used);
    char *end;

    if (got <= 0) {
        if (got == 0 || (errno != EINTR && errno != EAGAIN)) {
            close_end(&play->err_fd);
        }
        return;
    }
    play->used += (size_t)got;
    play->line[play->used] = '\0';
    while ((end = memchr(play->line, '\n', play->used)) != NULL ||
           play->used == sizeof play->line - 1) {
        const size_t length = end == NULL ? play->used : (size_t)(end - play->line) + 1;
        char rest[sizeof play->line];

        (void)snprintf(rest, sizeof rest, "%s", play->line + length);
        play->line[end == NULL ? length : length - 1] = '\0';
        take_line(play);
        play->used = strlen(rest);
        memcpy(play->line, rest, play->used + 1);
    }
}

static void pass_signal_on(const struct play *play)
{
    if (signalled != 0 && !play->over) {
        (void)kill(play->pid, SIGTERM);
        signalled = 0;
    }
}

static void look_for_end(struct play *play)
{
    int status;

    if (play->over || waitpid(play->pid, &status, WNOHANG) != play->pid) {
        return;
    }
    play->over = true;
    play->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    close_end(&play->in_fd);
    /* What it said last may still be in the pipe, which a process of its own may hold open. */
    while (play->err_fd >= 0 &&
           poll(&(struct pollfd){.fd = play->err_fd, .events = POLLIN}, 1, 0) > 0) {
        read_lines(play);
    }
    close_end(&play->err_fd);
}

void play_look(struct play *play, int wait_ms)
{
    struct pollfd there = {.fd = play->err_fd, .events = POLLIN};

    if (!play->over && poll(&there, 1, wait_ms < LOOK_MS ? wait_ms : LOOK_MS) > 0) {
        read_lines(play);
    }
    pass_signal_on(play);
    look_for_end(play);
}

void play_await_end(struct play *play)
{
    while (!play->over) {
        play_look(play, LOOK_MS);
    }
}

void play_tell(struct play *play, const char *line)
{
    if (play->in_fd >= 0) {
        (void)!write(play->in_fd, line, strlen(line));
        close_end(&play->in_fd);
    }
}

void play_stop(struct play *play)
{
    if (!play->over) {
        (void)kill(play->pid, SIGTERM);
    }
    play_await_end(play);
}
