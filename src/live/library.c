/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "live/library.h"

#include <dlfcn.h>
#include <string.h>

#define LIBRARY_NAME "libmicrohttpd.so.12"

enum ls_code library_load(struct library *library, struct ls_error *err)
{
    bool good;

    library->handle = dlopen(LIBRARY_NAME, RTLD_NOW | RTLD_LOCAL);
    good = library->handle != NULL;
#define FIND(name)                                                                                 \
    if (good) {                                                                                    \
        void *at = dlsym(library->handle, #name);                                                  \
                                                                                                   \
        memcpy(&library->name, &at, sizeof at);                                                    \
        good = at != NULL;                                                                         \
    }
    LIBRARY_FUNCTIONS(FIND)
#undef FIND
    if (!good) {
        library_unload(library);
        return ls_error_set(err, LS_ESYSTEM,
                            "--live wants the library " LIBRARY_NAME
                            ", which is not here; install libmicrohttpd12");
    }
    return LS_OK;
}

void library_unload(struct library *library)
{
    if (library->handle != NULL) {
        (void)dlclose(library->handle);
    }
    *library = (struct library){0};
}
