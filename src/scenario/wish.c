/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "loginstorm/scenario.h"

const char *ls_tls_wish_version(const struct ls_tls_wish *wish)
{
    return wish->max == LS_TLS_1_3 ? "1.3" : "1.2";
}

const char *ls_tls_wish_group(const struct ls_tls_wish *wish)
{
    return wish->max == LS_TLS_1_3 && wish->key_shares[0] != NULL ? wish->key_shares[0]
                                                                  : wish->groups[0];
}
