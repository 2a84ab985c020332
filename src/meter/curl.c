/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "meter/curl.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

bool curl_load(struct curl *curl)
{
    static const char *const names[] = {"libcurl.so.4", "libcurl-gnutls.so.4"};
    void *library = NULL;
    bool good;

    for (size_t i = 0; i < 2 && library == NULL; i++) {
        library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    }
    good = library != NULL;
#define FIND(name)                                                                                 \
    if (good) {                                                                                    \
        void *at = dlsym(library, #name);                                                          \
                                                                                                   \
        memcpy(&curl->name, &at, sizeof at);                                                       \
        good = at != NULL;                                                                         \
    }
    CURL_FUNCTIONS(FIND)
#undef FIND
    return good;
}
