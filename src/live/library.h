/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_LIVE_LIBRARY_H
#define LOGINSTORM_LIVE_LIBRARY_H

/* libmicrohttpd, loaded by the one process that serves: it brings GnuTLS and seven more libraries, which no other start of the
 * program shall pay for. */

#include <microhttpd.h>

#include "loginstorm/error.h"

#define LIBRARY_FUNCTIONS(X)                                                                       \
    X(MHD_start_daemon)                                                                            \
    X(MHD_stop_daemon)                                                                             \
    X(MHD_run)                                                                                     \
    X(MHD_get_timeout)                                                                             \
    X(MHD_get_daemon_info)                                                                         \
    X(MHD_get_connection_info)                                                                     \
    X(MHD_lookup_connection_value)                                                                 \
    X(MHD_queue_response)                                                                          \
    X(MHD_create_response_from_buffer)                                                             \
    X(MHD_create_response_from_callback)                                                           \
    X(MHD_add_response_header)                                                                     \
    X(MHD_destroy_response)                                                                        \
    X(MHD_suspend_connection)                                                                      \
    X(MHD_resume_connection)

struct library {
    void *handle;
#define LIBRARY_MEMBER(name) __typeof__(name)(*(name));
    LIBRARY_FUNCTIONS(LIBRARY_MEMBER)
#undef LIBRARY_MEMBER
};

/* LS_ESYSTEM, with what to install. */
LS_MUST_CHECK
enum ls_code library_load(struct library *library, struct ls_error *err);
void library_unload(struct library *library);

#endif
