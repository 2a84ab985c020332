/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_LIVE_SERVE_H
#define LOGINSTORM_LIVE_SERVE_H

/*
 * The serving process: between a conductor's feed and the browsers. A message of the feed is a word, a blank and a text:
 *
 *     conductor -> server
 *         point {...}, step {...}       events for the page
 *         report PATH                   the file that is to be shown at the end
 *         end {...}                     the last event
 *
 *     server -> conductor
 *         ready                         it serves
 *         error CODE TEXT               it cannot, and then the end
 *
 * The feed is a socket that keeps messages apart (SOCK_SEQPACKET).
 */

#include "live/http.h"

#define FEED_MESSAGE_MAX (LOG_EVENT_MAX - 64)

struct serve_wish {
    int feed_fd; /* stays the caller's */
    struct http_wish http;
    int linger_s; /* so long, at most, browsers may take to fetch the report */
};

/* Serves until the feed is over and nobody is to be waited for. LS_ENOMEM, LS_ESYSTEM when it cannot begin, which the
 * conductor is told too. */
LS_MUST_CHECK
enum ls_code serve(const struct serve_wish *wish, struct ls_error *err);

#endif
