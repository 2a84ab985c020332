/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_METER_CURL_H
#define LOGINSTORM_METER_CURL_H

/* libcurl's functions, found when they are needed: linked, each start of the program would load some
 * thirty libraries. */

#include <stdbool.h>

#define CURL_DISABLE_TYPECHECK /* its macros would call the functions by their own names */
#include <curl/curl.h>

#define CURL_FUNCTIONS(X)                                                                          \
    X(curl_easy_init)                                                                              \
    X(curl_easy_setopt)                                                                            \
    X(curl_easy_getinfo)                                                                           \
    X(curl_easy_strerror)                                                                          \
    X(curl_easy_cleanup)                                                                           \
    X(curl_multi_init)                                                                             \
    X(curl_multi_setopt)                                                                           \
    X(curl_multi_add_handle)                                                                       \
    X(curl_multi_remove_handle)                                                                    \
    X(curl_multi_socket_action)                                                                    \
    X(curl_multi_assign)                                                                           \
    X(curl_multi_info_read)                                                                        \
    X(curl_multi_cleanup)                                                                          \
    X(curl_slist_append)                                                                           \
    X(curl_slist_free_all)                                                                         \
    X(curl_getdate)

struct curl {
#define CURL_MEMBER(name) __typeof__(name) *(name);
    CURL_FUNCTIONS(CURL_MEMBER)
#undef CURL_MEMBER
};

/* false: it is not there. It stays loaded until the program ends: the TLS library under it does not
 * like to go before. */
bool curl_load(struct curl *curl);

#endif
