/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/shown.h"

#include <string.h>
#include <strings.h>

#include "loginstorm/file.h"

#define DEFAULT_KEY "ecdsa-p256"
#define DEFAULT_NAME "localhost"
#define ISSUER_KEY "rsa-2048"

static const char *name_of(const struct shown *shown)
{
    return shown->name != NULL ? shown->name : DEFAULT_NAME;
}

static enum ls_code check(const struct options *options, struct ls_error *err)
{
    for (size_t i = 0; i < options->shown_count; i++) {
        const struct shown *one = &options->shown[i];
        const bool chain = one->chain != NULL;
        const bool password = one->password_file != NULL || one->password_env != NULL;

        if (chain != (one->private_key != NULL)) {
            return ls_error_set(err, LS_EUSAGE,
                                "--chain and --private-key go together; %s is missing",
                                chain ? "--private-key" : "--chain");
        }
        if (chain && one->name != NULL) {
            return ls_error_set(err, LS_EUSAGE,
                                "--name: %s has names of its own; --name belongs to --key",
                                one->chain);
        }
        if (!chain && password) {
            return ls_error_set(err, LS_EUSAGE,
                                "--password-file and --password-env belong to --private-key");
        }
        if (!chain && one->key == NULL && options->shown_count > 1) {
            return ls_error_set(err, LS_EUSAGE,
                                "--name %.200s has no --key beside it; with several certificates "
                                "write --key KIND --name HOST for each",
                                name_of(one));
        }
        for (size_t k = 0; k < i && !chain; k++) {
            if (options->shown[k].chain == NULL &&
                strcasecmp(name_of(&options->shown[k]), name_of(one)) == 0) {
                return ls_error_set(err, LS_EUSAGE,
                                    "two certificates for %s; give each a --name of its own",
                                    name_of(one));
            }
        }
    }
    return LS_OK;
}

static enum ls_code make_one(struct ls_identity **identity, const struct shown *shown,
                             struct ls_error *err)
{
    const struct ls_identity_files files = {
        .chain = shown->chain,
        .private_key = shown->private_key,
        .password_file = shown->password_file,
        .password_env = shown->password_env,
    };
    const struct ls_identity_wish wish = {
        .key = shown->key != NULL ? shown->key : DEFAULT_KEY,
        .issuer_key = ISSUER_KEY,
        .name = name_of(shown),
    };
    enum ls_code code;

    if (shown->chain != NULL) {
        return ls_identity_load(identity, &files, err);
    }
    code = ls_identity_new(identity, &wish, err);
    if (code == LS_EINPUT) {
        code = err->code = LS_EUSAGE; /* the wish came from the command line, not from a file */
    }
    return code;
}

enum ls_code shown_make(struct shown_list *list, const struct options *options,
                        struct ls_error *err)
{
    static const struct shown only = {.key = DEFAULT_KEY};
    enum ls_code code = check(options, err);

    if (code == LS_OK && options->shown_count == 0) {
        code = make_one(&list->identities[0], &only, err);
        list->count = code == LS_OK;
    }
    for (size_t i = 0; code == LS_OK && i < options->shown_count; i++) {
        code = make_one(&list->identities[i], &options->shown[i], err);
        list->count += code == LS_OK;
    }
    return code;
}

void shown_clear(struct shown_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        ls_identity_free(list->identities[i]);
    }
    list->count = 0;
}

enum ls_code shown_write_trust(const struct shown_list *list, const char *path,
                               struct ls_error *err)
{
    struct ls_file file;
    enum ls_code code = ls_file_create(&file, path, err);

    if (code != LS_OK) {
        return code;
    }
    for (size_t i = 0; i < list->count; i++) {
        if (list->identities[i]->trust != NULL) {
            (void)fputs(list->identities[i]->trust, file.stream);
        }
    }
    return ls_file_commit(&file, err);
}

void shown_say(const struct shown_list *list, const struct options *options, FILE *out)
{
    for (size_t i = 0; i < list->count; i++) {
        (void)fprintf(out, "%s%s", i > 0 ? ", " : "", list->identities[i]->key);
        if (list->count > 1) {
            const struct shown *shown = &options->shown[i];

            (void)fprintf(out, " %s %s", shown->chain != NULL ? "of" : "for",
                          shown->chain != NULL ? shown->chain : name_of(shown));
        }
    }
}
