/* SPDX-License-Identifier: GPL-3.0-or-later */
/* describe WHAT DATE: the manual page or a shell's completion to standard output, for the build (tools/cmake/Describe.cmake). */
#include <stdio.h>

#include "loginstorm/cli.h"

int main(int argc, char **argv)
{
    struct ls_error err;

    if (argc != 3) {
        (void)fprintf(stderr, "usage: describe man|bash|zsh|fish DATE\n");
        return ls_code_status(LS_EUSAGE);
    }
    if (ls_cli_describe(stdout, argv[1], argv[2], &err) != LS_OK) {
        (void)fprintf(stderr, "describe: %s\n", err.text);
        return ls_code_status(err.code);
    }
    return 0;
}
