/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "storm/process.h"

#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

enum ls_code process_start(struct control *control, uv_loop_t *loop, const char *name,
                           struct ls_error *err)
{
    int status;

    /* The program was started by /proc/self/exe, and `top` would call it "exe". */
    (void)prctl(PR_SET_NAME, name);

    /* A broken pipe says nothing to who is stopped. */
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);

    /* Ctrl-C and a service's stop reach the whole group; the conductor decides, and a broken pipe
     * tells us when it is gone. */
    (void)signal(SIGINT, SIG_IGN);
    (void)signal(SIGTERM, SIG_IGN);
    (void)signal(SIGPIPE, SIG_IGN);
    status = uv_pipe_init(loop, &control->in, 0);
    if (status == 0) {
        status = uv_pipe_init(loop, &control->out, 0);
    }
    if (status == 0) {
        status = uv_pipe_open(&control->in, STDIN_FILENO);
    }
    if (status == 0) {
        status = uv_pipe_open(&control->out, STDOUT_FILENO);
    }
    if (status == 0) {
        status = control_start(control);
    }
    if (status != 0) {
        return ls_error_set(err, LS_EUSAGE,
                            "this command is started by `loginstorm run` alone (%s)",
                            uv_strerror(status));
    }
    control_send(control, "control %d", CONTROL_VERSION);
    return LS_OK;
}

int process_fail(struct control *control, uv_loop_t *loop, const struct ls_error *err)
{
    control_send(control, "error %d %s", (int)err->code, err->text);
    control_close(control, NULL);
    (void)uv_run(loop, UV_RUN_DEFAULT);
    return ls_code_status(err->code);
}
