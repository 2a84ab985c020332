/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TESTS_BASE_ROOT_H
#define TESTS_BASE_ROOT_H

/* A folder that stands for /, with the files of /proc and /sys that a test wants there. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define ROOM 64

static inline void root_put(const char *root, const char *name, const char *text)
{
    char path[512];
    FILE *file;

    (void)snprintf(path, sizeof path, "%s/%s", root, name);
    for (char *slash = path + strlen(root) + 1; (slash = strchr(slash, '/')) != NULL; slash++) {
        *slash = '\0';
        (void)mkdir(path, 0700);
        *slash = '/';
    }
    file = fopen(path, "we");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

/* files: name, text, name, text, ..., NULL */
static inline void root_make(char root[ROOM], const char *const *files)
{
    (void)snprintf(root, ROOM, "/tmp/loginstorm-root-XXXXXX");
    assert_non_null(mkdtemp(root));
    for (size_t i = 0; files[i] != NULL; i += 2) {
        root_put(root, files[i], files[i + 1]);
    }
}

static inline void root_remove(const char *root)
{
    char command[2 * ROOM];

    (void)snprintf(command, sizeof command, "rm -r %s", root);
    assert_int_equal(system(command), 0);
}

#endif
