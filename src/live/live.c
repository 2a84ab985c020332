/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The conductor's side: the server started, fed and waited for. */
#include "loginstorm/live.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "live/address.h"
#include "live/point.h"
#include "live/serve.h"
#include "loginstorm/address.h"
#include "loginstorm/units.h"

#define START_PATIENCE_MS 10000
#define LINGER_S 10
#define END_PATIENCE_MS ((LINGER_S + 5) * 1000)

static const struct http_patience patience = {
    .ask_s = 10, .read_s = 30, .take_s = 120, .beat_s = 15, .back_s = 2};

struct ls_live {
    pid_t pid;
    int feed;
    bool is_public;
    char url[96];
};

/* Standard output is somebody's pipe, whose end he waits for. */
static void let_go_of_streams(void)
{
    const int null = open("/dev/null", O_RDWR | O_CLOEXEC);

    if (null >= 0) {
        (void)dup2(null, STDIN_FILENO);
        (void)dup2(null, STDOUT_FILENO);
    }
}

/* In the server's process, which it ends. */
_Noreturn static void be_server(const struct serve_wish *wish)
{
    const struct sched_param any = {0};
    struct ls_error err;

    (void)prctl(PR_SET_NAME, "storm-live");
    /* Only what nobody else wants of a core: neither the gateway's nor an injector's. */
    (void)sched_setscheduler(0, SCHED_IDLE, &any);
    /* A terminal's Ctrl-C is for the conductor, which ends the feed when it is through. */
    (void)signal(SIGINT, SIG_IGN);
    (void)signal(SIGTERM, SIG_IGN);
    (void)signal(SIGPIPE, SIG_IGN);
    let_go_of_streams();
    _exit(serve(wish, &err) == LS_OK ? 0 : ls_code_status(err.code));
}

static enum ls_code await_ready(struct ls_live *live, struct ls_error *err)
{
    struct pollfd fd = {.fd = live->feed, .events = POLLIN};
    char text[sizeof err->text + 32] = "";
    ssize_t size = -1;
    char *end;
    long code;

    if (poll(&fd, 1, START_PATIENCE_MS) == 1) {
        size = recv(live->feed, text, sizeof text - 1, MSG_DONTWAIT);
    }
    if (size > 0 && strncmp(text, "ready", strlen("ready")) == 0) {
        return LS_OK;
    }
    if (size > 0 && strncmp(text, "error ", strlen("error ")) == 0) {
        code = strtol(text + strlen("error "), &end, 10);
        return ls_error_set(err, code == LS_ENOMEM ? LS_ENOMEM : LS_ESYSTEM, "%s",
                            *end == ' ' ? end + 1 : end);
    }
    return ls_error_set(err, LS_ESYSTEM, "--live: the page's server does not start");
}

static enum ls_code start(struct ls_live *live, int listen_fd, const struct ls_live_wish *wish,
                          struct ls_error *err)
{
    int ends[2];
    struct serve_wish serve_wish;

    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
        return ls_error_set_errno(err, LS_ESYSTEM, "--live: no way to feed the page's server");
    }
    live->feed = ends[0];
    live->pid = fork();
    if (live->pid == 0) {
        (void)close(ends[0]);
        serve_wish = (struct serve_wish){
            .feed_fd = ends[1],
            .http = {.listen_fd = listen_fd,
                     .page = wish->page,
                     .page_bytes = wish->page_bytes,
                     .policy = wish->policy,
                     .own_host_only = !live->is_public,
                     .patience = patience},
            .linger_s = LINGER_S,
        };
        be_server(&serve_wish);
    }
    (void)close(ends[1]);
    if (live->pid < 0) {
        return ls_error_set_errno(err, LS_ESYSTEM, "--live: no process for the page's server");
    }
    return await_ready(live, err);
}

/* Waits for the server's end, and makes it where it does not come. */
static int reap(struct ls_live *live, int patience_ms)
{
    struct pollfd fd = {.fd = live->feed, .events = POLLIN};
    int status = 0;

    if (live->feed >= 0) {
        (void)shutdown(live->feed, SHUT_WR);
        if (poll(&fd, 1, patience_ms) != 1 && live->pid > 0) {
            (void)kill(live->pid, SIGKILL);
        }
        (void)close(live->feed);
    }
    while (live->pid > 0 && waitpid(live->pid, &status, 0) < 0 && errno == EINTR) {
    }
    return status;
}

enum ls_code ls_live_open(struct ls_live **out, const struct ls_live_wish *wish,
                          struct ls_error *err)
{
    struct ls_live *live = calloc(1, sizeof *live);
    struct sockaddr_storage address;
    int listen_fd;
    enum ls_code code;

    *out = NULL;
    if (live == NULL) {
        return ls_error_set(err, LS_ENOMEM, "no memory for the live page");
    }
    live->feed = -1;
    code = address_parse(&address, wish->address, err);
    if (code == LS_OK) {
        code = address_listen(&listen_fd, &address, err);
    }
    if (code == LS_OK) {
        live->is_public = !ls_address_is_loopback(&address);
        address_url(&address, live->url, sizeof live->url);
        code = start(live, listen_fd, wish, err);
        (void)close(listen_fd);
    }
    if (code != LS_OK) {
        (void)reap(live, 0);
        free(live);
        return code;
    }
    *out = live;
    return LS_OK;
}

const char *ls_live_url(const struct ls_live *live)
{
    return live->url;
}

bool ls_live_is_public(const struct ls_live *live)
{
    return live->is_public;
}

/* Takes data, which may be NULL. What does not fit into the feed at once is dropped. */
static void tell(struct ls_live *live, const char *name, json_t *data, int flags)
{
    char message[FEED_MESSAGE_MAX];
    const size_t word = (size_t)snprintf(message, sizeof message, "%s ", name);
    const size_t size = data == NULL ? 0
                                     : json_dumpb(data, message + word, sizeof message - word,
                                                  JSON_COMPACT | JSON_REAL_PRECISION(9));

    if (size > 0 && size <= sizeof message - word) {
        (void)send(live->feed, message, word + size, MSG_NOSIGNAL | flags);
    }
    json_decref(data);
}

void ls_live_point(struct ls_live *live, const struct ls_live_point *point)
{
    tell(live, "point", point_json(point), MSG_DONTWAIT);
}

void ls_live_step(struct ls_live *live, const char *text)
{
    tell(live, "step", json_pack("{s:s}", "text", text), MSG_DONTWAIT);
}

static void tell_end(struct ls_live *live, const char *report, const char *text)
{
    char message[FEED_MESSAGE_MAX];
    const struct timeval patience_of_end = {.tv_sec = LINGER_S};
    int size;

    /* There is no storm any more that waiting could touch. */
    (void)setsockopt(live->feed, SOL_SOCKET, SO_SNDTIMEO, &patience_of_end, sizeof patience_of_end);
    if (report != NULL) {
        size = snprintf(message, sizeof message, "report %s", report);
        if (size > 0 && (size_t)size < sizeof message) {
            (void)send(live->feed, message, (size_t)size, MSG_NOSIGNAL);
        }
    }
    tell(live, "end", json_pack("{s:s?,s:s?}", "report", report, "text", text), 0);
}

enum ls_code ls_live_end(struct ls_live *live, const char *report, const char *text,
                         struct ls_error *err)
{
    int status;

    if (live == NULL) {
        return LS_OK;
    }
    tell_end(live, report, text);
    status = reap(live, END_PATIENCE_MS);
    free(live);
    if (WIFSIGNALED(status)) {
        return ls_error_set(err, LS_EBROKEN,
                            "the live page's server died (signal %d); what was measured is not "
                            "touched by it",
                            WTERMSIG(status));
    }
    return LS_OK;
}
