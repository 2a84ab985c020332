/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `loginstorm gateway --workers N`: a conductor that serves nobody, and N processes that share a port (SO_REUSEPORT: the kernel
 * gives each connection to one of them by a hash of its addresses), each on a core of its own. One that dies takes its connections
 * with it; the others go on, and it is told.
 */
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/gateway_parts.h"
#include "cli/print.h"
#include "loginstorm/units.h"

#define READY_MS 10
#define TELL_MS 10000

struct conductor {
    const struct options *options;
    struct shown_list shown;
    struct sockaddr_storage address;
    uint8_t ticket_key[LS_TICKET_KEY_BYTES];
    int reserved_fd;
    uv_loop_t loop;
    uv_signal_t interrupt, terminate, child;
    uv_timer_t timer;
    struct gateway_worker *workers;
    struct worker_post *posts;
    int count, there; /* processes that are alive */
    struct gateway_metrics *metrics;
    bool stands, stopping, closed;
    int64_t told; /* connections, when it was told last */
};

/* The cores that this process may use, in their order; LS_EUSAGE where there are too few. */
static enum ls_code choose_cores(struct conductor *conductor, struct ls_error *err)
{
    const struct options *options = conductor->options;
    cpu_set_t set;
    int found = 0;

    if (sched_getaffinity(0, sizeof set, &set) != 0) {
        return ls_error_set_errno(err, LS_ESYSTEM, "cannot tell which cores there are");
    }
    if (options->workers < 1 || options->workers > CPU_COUNT(&set)) {
        return ls_error_set(err, LS_EUSAGE,
                            "--workers: %d is out of range (1 to %d: a core each, and there %s no "
                            "more)",
                            options->workers, CPU_COUNT(&set), CPU_COUNT(&set) == 1 ? "is" : "are");
    }
    if (options->core >= 0 && options->workers > 1) {
        return ls_error_set(err, LS_EUSAGE,
                            "--core: %d workers have a core each; `taskset -c 2-5 loginstorm "
                            "gateway ...` chooses among which",
                            options->workers);
    }
    conductor->count = options->workers;
    conductor->workers = calloc((size_t)conductor->count, sizeof *conductor->workers);
    conductor->posts = mmap(NULL, (size_t)conductor->count * sizeof *conductor->posts,
                            PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (conductor->workers == NULL || conductor->posts == MAP_FAILED) {
        conductor->posts = conductor->posts == MAP_FAILED ? NULL : conductor->posts;
        return ls_error_set(err, LS_ENOMEM, "no memory for %d workers", conductor->count);
    }
    for (int core = 0; core < CPU_SETSIZE && found < conductor->count; core++) {
        if (CPU_ISSET((size_t)core, &set)) {
            conductor->workers[found].core = options->core >= 0 ? options->core : core;
            conductor->workers[found].post = &conductor->posts[found];
            found++;
        }
    }
    return LS_OK;
}

static enum ls_code prepare(struct conductor *conductor, struct ls_error *err)
{
    const struct options *options = conductor->options;
    enum ls_code code = gateway_parse_address("listen", options->listen, &conductor->address, err);

    if (code == LS_OK) {
        code = choose_cores(conductor, err);
    }
    if (code == LS_OK) {
        code = gateway_have_alone(options->listen, &conductor->address, err);
    }
    if (code == LS_OK) {
        code = ls_gateway_reserve(&conductor->reserved_fd, &conductor->address, err);
    }
    if (code == LS_OK) {
        code = ls_tls_start(err);
    }
    if (code == LS_OK) {
        code = shown_make(&conductor->shown, options, err);
    }
    if (code == LS_OK && options->trust != NULL) {
        code = shown_write_trust(&conductor->shown, options->trust, err);
    }
    if (code == LS_OK) {
        if (getrandom(conductor->ticket_key, sizeof conductor->ticket_key, 0) !=
            (ssize_t)sizeof conductor->ticket_key) {
            code = ls_error_set_errno(err, LS_ESYSTEM, "no random numbers for the tickets' key");
        }
    }
    return code;
}

/* Before there is a loop, which a child could not have. */
static enum ls_code start_workers(struct conductor *conductor, struct ls_error *err)
{
    (void)fflush(NULL);
    for (int i = 0; i < conductor->count; i++) {
        struct gateway_worker *worker = &conductor->workers[i];

        worker->pid = fork();
        if (worker->pid == 0) {
            (void)close(conductor->reserved_fd);
            _exit(gateway_worker_main(conductor->options, &conductor->shown, &conductor->address,
                                      conductor->ticket_key, worker->core, &conductor->posts[i]));
        }
        if (worker->pid < 0) {
            worker->gone = true;
            return ls_error_set_errno(err, LS_ESYSTEM, "cannot start worker %d", i + 1);
        }
        conductor->there++;
        if (ls_meter_process(&worker->meter, worker->pid, err) != LS_OK) {
            return err->code;
        }
    }
    return LS_OK;
}

static void stop_workers(struct conductor *conductor)
{
    conductor->stopping = true;
    for (int i = 0; i < conductor->count; i++) {
        if (!conductor->workers[i].gone && conductor->workers[i].pid > 0) {
            (void)kill(conductor->workers[i].pid, SIGTERM);
        }
    }
}

static void sum_up(struct conductor *conductor, struct ls_gateway_counts *sum, int64_t *user_ns,
                   int64_t *system_ns)
{
    *sum = (struct ls_gateway_counts){0};
    *user_ns = *system_ns = 0;
    for (int i = 0; i < conductor->count; i++) {
        struct ls_gateway_counts counts;

        gateway_worker_read(&conductor->workers[i]);
        gateway_worker_counts(&conductor->workers[i], &counts);
        sum->accepted += counts.accepted;
        sum->secured += counts.secured;
        sum->failed += counts.failed;
        sum->requests += counts.requests;
        sum->open += counts.open;
        *user_ns += conductor->workers[i].user_ns;
        *system_ns += conductor->workers[i].system_ns;
    }
}

static void say_sum(struct conductor *conductor, const char *before, const char *after)
{
    struct ls_gateway_counts sum;
    int64_t user_ns, system_ns;

    sum_up(conductor, &sum, &user_ns, &system_ns);
    (void)fputs(before, stdout);
    gateway_say_counts(&sum, user_ns, system_ns, stdout);
    (void)fputs(after, stdout);
    (void)fflush(stdout);
    conductor->told = sum.accepted;
}

static void on_tell(uv_timer_t *timer)
{
    struct conductor *conductor = timer->data;
    struct ls_gateway_counts sum;
    int64_t user_ns, system_ns;

    sum_up(conductor, &sum, &user_ns, &system_ns);
    if (sum.accepted != conductor->told) {
        say_sum(conductor, "so far ", "\n");
    }
}

static void say_where(struct conductor *conductor)
{
    char text[LS_ADDRESS_PORT_SIZE];

    conductor->stands = true;
    if (conductor->metrics != NULL) {
        gateway_metrics_address(conductor->metrics, text);
        (void)printf("metrics on http://%s/metrics, of process loginstorm-gateway\n", text);
    }
    ls_address_port_text(&conductor->address, text);
    shown_say(&conductor->shown, conductor->options, stdout);
    (void)printf(" on %s; Ctrl-C ends it\n", text);
    (void)fflush(stdout);
    (void)uv_timer_start(&conductor->timer, on_tell, TELL_MS, TELL_MS);
}

/* Whoever connects now is served by any of them. */
static void on_ready(uv_timer_t *timer)
{
    struct conductor *conductor = timer->data;

    for (int i = 0; i < conductor->count; i++) {
        if (__atomic_load_n(&conductor->posts[i].ready, __ATOMIC_ACQUIRE) == 0) {
            return;
        }
    }
    if (!conductor->stopping) {
        (void)uv_timer_stop(timer);
        say_where(conductor);
    }
}

static void close_all(struct conductor *conductor)
{
    if (conductor->closed) {
        return;
    }
    conductor->closed = true;
    gateway_metrics_close(conductor->metrics);
    uv_close((uv_handle_t *)&conductor->interrupt, NULL);
    uv_close((uv_handle_t *)&conductor->terminate, NULL);
    uv_close((uv_handle_t *)&conductor->child, NULL);
    uv_close((uv_handle_t *)&conductor->timer, NULL);
}

static void why_gone(const struct gateway_worker *worker, char *out, size_t size)
{
    if (WIFSIGNALED(worker->status)) {
        (void)snprintf(out, size, "signal %d", WTERMSIG(worker->status));
    } else {
        (void)snprintf(out, size, "exit status %d", WEXITSTATUS(worker->status));
    }
}

static bool died(const struct gateway_worker *worker)
{
    return worker->gone && (!WIFEXITED(worker->status) || WEXITSTATUS(worker->status) != 0);
}

/* Its whole CPU is known to the kernel alone, where it was killed. */
static void take_leave(struct conductor *conductor, int number, int status,
                       const struct rusage *usage)
{
    struct gateway_worker *worker = &conductor->workers[number];
    const int64_t user_ns =
        (int64_t)usage->ru_utime.tv_sec * LS_NS_PER_S + usage->ru_utime.tv_usec * LS_NS_PER_US;
    const int64_t system_ns =
        (int64_t)usage->ru_stime.tv_sec * LS_NS_PER_S + usage->ru_stime.tv_usec * LS_NS_PER_US;
    char why[64];

    worker->gone = true;
    worker->status = status;
    gateway_worker_keep(worker, user_ns + system_ns, system_ns);
    conductor->there--;
    if (conductor->stands && !conductor->stopping) {
        why_gone(worker, why, sizeof why);
        (void)fprintf(
            stderr, "loginstorm: worker %d on core %d died (%s), with its connections%s\n",
            number + 1, worker->core, why, conductor->there > 0 ? "; the others go on" : "");
    } else if (!conductor->stands && !conductor->stopping) {
        stop_workers(conductor); /* it has said why it could not begin */
    }
}

static void on_child(uv_signal_t *handle, int number)
{
    struct conductor *conductor = handle->data;

    (void)number;
    for (int i = 0; i < conductor->count; i++) {
        struct gateway_worker *worker = &conductor->workers[i];
        struct rusage usage;
        int status;

        if (!worker->gone && worker->pid > 0 &&
            wait4(worker->pid, &status, WNOHANG, &usage) == worker->pid) {
            take_leave(conductor, i, status, &usage);
        }
    }
    if (conductor->there == 0) {
        close_all(conductor);
    }
}

static void on_signal(uv_signal_t *handle, int number)
{
    (void)number;
    stop_workers(handle->data);
}

static void say_what_was(struct conductor *conductor)
{
    char after[96];

    for (int i = 0; i < conductor->count; i++) {
        struct gateway_worker *worker = &conductor->workers[i];
        struct ls_gateway_counts counts;
        char why[64];

        gateway_worker_counts(worker, &counts);
        (void)printf("worker %d on core %d: ", i + 1, worker->core);
        gateway_say_counts(&counts, worker->user_ns, worker->system_ns, stdout);
        why_gone(worker, why, sizeof why);
        (void)printf("%s%s%s\n", died(worker) ? " (died: " : "", died(worker) ? why : "",
                     died(worker) ? "; counted until then)" : "");
    }
    (void)snprintf(after, sizeof after, ", of %d worker%s\n", conductor->count,
                   conductor->count == 1 ? "" : "s");
    say_sum(conductor, "", after);
}

/* 0, or what the first that could not begin ended with, or 70 where some died on the way. */
static int outcome(const struct conductor *conductor)
{
    char names[256] = "";
    size_t used = 0;
    int dead = 0;
    struct ls_error err;

    for (int i = 0; i < conductor->count; i++) {
        const struct gateway_worker *worker = &conductor->workers[i];

        if (!conductor->stands && died(worker) && WIFEXITED(worker->status)) {
            return WEXITSTATUS(worker->status);
        }
        if (died(worker) && used < sizeof names) {
            char why[64];

            why_gone(worker, why, sizeof why);
            used += (size_t)snprintf(names + used, sizeof names - used, "%s%d by %s",
                                     dead > 0 ? ", " : "", i + 1, why);
        }
        dead += died(worker);
    }
    if (dead == 0) {
        return 0;
    }
    (void)ls_error_set(&err, LS_ESYSTEM,
                       "%d of %d workers died (worker %s): whom they served is not in any count "
                       "after that",
                       dead, conductor->count, names);
    return print_error(&err);
}

static void conduct(struct conductor *conductor)
{
    (void)uv_signal_start(&conductor->interrupt, on_signal, SIGINT);
    (void)uv_signal_start(&conductor->terminate, on_signal, SIGTERM);
    (void)uv_signal_start(&conductor->child, on_child, SIGCHLD);
    (void)uv_timer_start(&conductor->timer, on_ready, 0, READY_MS);
    on_child(&conductor->child, SIGCHLD); /* who died before anybody listened */
    (void)uv_run(&conductor->loop, UV_RUN_DEFAULT);
    if (conductor->stands) {
        say_what_was(conductor);
    }
}

static void open_loop(struct conductor *conductor)
{
    (void)uv_loop_init(&conductor->loop);
    (void)uv_signal_init(&conductor->loop, &conductor->interrupt);
    (void)uv_signal_init(&conductor->loop, &conductor->terminate);
    (void)uv_signal_init(&conductor->loop, &conductor->child);
    (void)uv_timer_init(&conductor->loop, &conductor->timer);
    conductor->interrupt.data = conductor->terminate.data = conductor->child.data =
        conductor->timer.data = conductor;
}

/* What cannot be had is refused while the workers wait; they end with this process at the latest. */
static int stand(struct conductor *conductor)
{
    struct ls_error err;
    int status = 0;
    enum ls_code code = start_workers(conductor, &err);

    open_loop(conductor);
    if (code == LS_OK && conductor->options->metrics != NULL) {
        code =
            gateway_metrics_open(&conductor->metrics, &conductor->loop, conductor->options->metrics,
                                 conductor->workers, conductor->count, &err);
    }
    if (code != LS_OK) {
        status = print_error(&err);
        stop_workers(conductor);
    }
    conduct(conductor);
    gateway_metrics_free(conductor->metrics);
    (void)uv_loop_close(&conductor->loop);
    return status != 0 ? status : outcome(conductor);
}

int gateway_stand_many(const struct options *options)
{
    struct conductor conductor = {.options = options, .reserved_fd = -1};
    struct ls_error err;
    int status = prepare(&conductor, &err) == LS_OK ? stand(&conductor) : print_error(&err);

    if (conductor.reserved_fd >= 0) {
        (void)close(conductor.reserved_fd);
    }
    if (conductor.posts != NULL) {
        (void)munmap(conductor.posts, (size_t)conductor.count * sizeof *conductor.posts);
    }
    free(conductor.workers);
    shown_clear(&conductor.shown);
    ls_tls_stop();
    return status;
}
