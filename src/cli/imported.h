/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_CLI_IMPORTED_H
#define LOGINSTORM_CLI_IMPORTED_H

#include "loginstorm/import.h"

/* What an import found, to stderr: the curve itself may be on stdout. */
void imported_print(const struct ls_import_summary *summary);

#endif
