/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "loginstorm/cli.h"

int main(int argc, char **argv)
{
    return ls_cli_main(argc, argv);
}
