/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/openssl.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "loginstorm/limit.h"

#define OUTPUT_MAX ((size_t)64 * 1024)

static void run(char *const *words, int core, int out)
{
    const int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
    struct ls_error ignored;

    if (nowhere < 0 || dup2(nowhere, STDIN_FILENO) < 0 || dup2(out, STDOUT_FILENO) < 0 ||
        dup2(nowhere, STDERR_FILENO) < 0 ||
        ls_limit_to_core(core, "openssl speed", &ignored) != LS_OK) {
        _exit(126);
    }
    (void)setenv("LC_ALL", "C", 1);
    (void)execvp(words[0], words);
    _exit(127);
}

/* Its exit status; negative when it could not be run. */
static int gather(char *const *words, int core, char text[OUTPUT_MAX], size_t *size)
{
    int ends[2], status = 0;
    ssize_t got;
    pid_t pid;

    *size = 0;
    if (pipe2(ends, O_CLOEXEC) != 0) {
        return -1;
    }
    pid = fork();
    if (pid == 0) {
        run(words, core, ends[1]);
    }
    (void)close(ends[1]);
    while (pid > 0 && ((got = read(ends[0], text + *size, OUTPUT_MAX - *size)) > 0 ||
                       (got < 0 && errno == EINTR))) {
        *size += got > 0 ? (size_t)got : 0;
    }
    (void)close(ends[0]);
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    return pid > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

enum ls_code openssl_run(struct ls_openssl_speed *speed, const bool wanted[LS_SPEED_KEYS], int core,
                         struct ls_error *err)
{
    char storage[LS_SPEED_KEYS][16];
    char *words[LS_SPEED_KEYS + 5] = {(char[]){"openssl"}, (char[]){"speed"}, (char[]){"-seconds"},
                                      (char[]){"1"}};
    size_t count = 4, size;
    char *text;

    *speed = (struct ls_openssl_speed){0};
    for (size_t i = 0; i < LS_SPEED_KEYS; i++) {
        speed->sign_per_s[i] = -1;
        if (wanted[i]) {
            const char *from = ls_openssl_speed_key(i);
            size_t used = 0;

            /* "ecdsa-p256" is its ecdsap256 */
            for (; *from != '\0' && used + 1 < sizeof storage[i]; from++) {
                if (*from != '-') {
                    storage[i][used++] = *from;
                }
            }
            storage[i][used] = '\0';
            words[count++] = storage[i];
        }
    }
    if (count == 4) {
        return LS_OK;
    }
    text = malloc(OUTPUT_MAX);
    if (text == NULL) {
        return ls_error_set(err, LS_ENOMEM, "no memory for what openssl says");
    }
    if (gather(words, core, text, &size) == 0 &&
        ls_openssl_speed_parse(speed, "openssl speed", text, size, NULL) != LS_OK) {
        *speed = (struct ls_openssl_speed){0};
        for (size_t i = 0; i < LS_SPEED_KEYS; i++) {
            speed->sign_per_s[i] = -1;
        }
    }
    free(text);
    return LS_OK;
}
