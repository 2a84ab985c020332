/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "storm/child.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "storm/job.h"

enum ls_code child_give_record(struct child *child, size_t logins, size_t handshakes,
                               struct ls_error *err)
{
    const size_t size = ls_record_size(logins, handshakes);
    enum ls_code code;

    if (size == 0) {
        return ls_error_set(err, LS_ERANGE, "%zu logins do not fit into memory", logins);
    }
    code = job_memory(&child->record_fd, "loginstorm-record", size, err);
    if (code == LS_OK) {
        code = job_map(child->record_fd, &child->memory, &child->memory_size, err);
    }
    if (code == LS_OK) {
        child->record = ls_record_init(child->memory, logins, handshakes);
    }
    return code;
}

enum ls_code child_give_bursts(struct child *child, struct ls_error *err)
{
    enum ls_code code =
        job_memory(&child->record_fd, "loginstorm-bursts", ls_bursts_size(CHILD_BURSTS), err);

    if (code == LS_OK) {
        code = job_map(child->record_fd, &child->memory, &child->memory_size, err);
    }
    if (code == LS_OK) {
        child->bursts = ls_bursts_init(child->memory, CHILD_BURSTS);
    }
    return code;
}

static void check_gone(struct child *child)
{
    if (!child->gone && child->exited && child->control.is_over) {
        child->gone = true;
        child->gone_ns = ls_now_ns();
        control_close(&child->control, NULL);
        child->calls->gone(child);
    }
}

static void on_reaped(uv_process_t *process, int64_t exit_status, int signal)
{
    struct child *child = process->data;

    child->exited = true;
    child->exit_status = exit_status;
    child->signal = signal;
    uv_close((uv_handle_t *)process, NULL);
    check_gone(child);
}

static void take_error(struct child *child, const struct control_line *line)
{
    const int64_t code = line->count > 0 ? line->numbers[0] : LS_EBROKEN;

    (void)ls_error_set(&child->error,
                       code > LS_OK && code <= LS_ETERMINATED ? (enum ls_code)code : LS_EBROKEN,
                       "%s", line->text);
}

static void on_line(struct control *control, const struct control_line *line)
{
    struct child *child = control->data;

    if (strcmp(line->verb, "control") == 0) {
        if (line->count != 1 || line->numbers[0] != CONTROL_VERSION) {
            (void)ls_error_set(&child->error, LS_EBROKEN,
                               "a process of another version of loginstorm answered");
            child_kill(child);
        }
    } else if (strcmp(line->verb, "error") == 0) {
        take_error(child, line);
    } else if (strcmp(line->verb, "tick") == 0 && line->count == 4) {
        memcpy(child->ticked, line->numbers, sizeof child->ticked);
    } else if (strcmp(line->verb, "facts") == 0 && line->count == 3) {
        child->turn_ns = line->numbers[0];
        child->gap_ns = line->numbers[1];
        child->lost = line->numbers[2];
    } else {
        child->calls->line(child, line);
    }
}

static void on_ended(struct control *control)
{
    check_gone(control->data);
}

static enum ls_code spawn(struct child *child, uv_loop_t *loop, const char *program,
                          const char *command, int job_fd, struct ls_error *err)
{
    char *words[] = {(char[]){"loginstorm"}, NULL, NULL};
    char word[32];
    uv_stdio_container_t stdio[SCHEDULE_FD + 1] = {
        {.flags = UV_CREATE_PIPE | UV_READABLE_PIPE,
         .data.stream = (uv_stream_t *)&child->control.out},
        {.flags = UV_CREATE_PIPE | UV_WRITABLE_PIPE,
         .data.stream = (uv_stream_t *)&child->control.in},
        {.flags = UV_INHERIT_FD, .data.fd = STDERR_FILENO},
        {.flags = UV_INHERIT_FD, .data.fd = job_fd},
        {.flags = child->record_fd >= 0 ? UV_INHERIT_FD : UV_IGNORE, .data.fd = child->record_fd},
        {.flags = child->schedule_fd >= 0 ? UV_INHERIT_FD : UV_IGNORE,
         .data.fd = child->schedule_fd},
    };
    uv_process_options_t options = {
        .file = program,
        .args = words,
        .stdio = stdio,
        .stdio_count = SCHEDULE_FD + 1,
        .exit_cb = on_reaped,
    };
    int status;

    (void)snprintf(word, sizeof word, "%s", command);
    words[1] = word;
    (void)uv_pipe_init(loop, &child->control.in, 0);
    (void)uv_pipe_init(loop, &child->control.out, 0);
    child->control.data = child;
    child->control.line = on_line;
    child->control.ended = on_ended;
    child->process.data = child;
    status = uv_spawn(loop, &child->process, &options);
    if (status != 0) {
        control_close(&child->control, NULL);
        uv_close((uv_handle_t *)&child->process, NULL);
        return ls_error_set(err, LS_ESYSTEM, "cannot start a process: %s", uv_strerror(status));
    }
    child->spawned = true;
    return LS_OK;
}

enum ls_code child_start(struct child *child, uv_loop_t *loop, const char *program,
                         const char *command, json_t *job, struct ls_error *err)
{
    int job_fd;
    enum ls_code code = job_write(&job_fd, job, err);

    if (code != LS_OK) {
        return code;
    }
    code = spawn(child, loop, program, command, job_fd, err);
    (void)close(job_fd);
    if (code == LS_OK && control_start(&child->control) != 0) {
        child->control.is_over = true; /* its end will not be read */
        child_kill(child);
        code = ls_error_set(err, LS_ESYSTEM, "cannot speak to a process");
    }
    if (code == LS_OK) {
        code = ls_meter_process(&child->meter, child->process.pid, err);
    }
    return code;
}

void child_kill(struct child *child)
{
    if (child->spawned && !child->exited) {
        (void)uv_process_kill(&child->process, SIGKILL);
    }
}

void child_read_cpu(struct child *child)
{
    int64_t ns;

    if (!child->spawned || child->exited) {
        return;
    }
    if (ls_meter_cpu_ns(&child->meter, &ns) == LS_OK && ns > child->cpu_ns) {
        child->cpu_ns = ns;
    }
    if (ls_meter_waited_ns(&child->meter, &ns) == LS_OK && ns > child->waited_ns) {
        child->waited_ns = ns;
    }
}

void child_why(const struct child *child, char *out, size_t size)
{
    const char *who = child->is_worker ? "the gateway" : "an injector";

    if (child->error.code != LS_OK) {
        (void)snprintf(out, size, "%s", child->error.text);
    } else if (child->signal != 0) {
        (void)snprintf(out, size, "%s died (signal %d)", who, child->signal);
    } else {
        (void)snprintf(out, size, "%s ended early (exit status %d)", who, (int)child->exit_status);
    }
}

void child_clear(struct child *child)
{
    if (child->memory != NULL) {
        (void)munmap(child->memory, child->memory_size);
        child->memory = NULL;
        child->record = NULL;
        child->bursts = NULL;
    }
    if (child->record_fd >= 0) {
        (void)close(child->record_fd);
        child->record_fd = -1;
    }
}
