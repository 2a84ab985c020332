/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "loginstorm/file.h"
#include "mpi/launch.h"

/* Of the ranks only the first one tells what is wrong with words that all were given. */
static bool is_first(void)
{
    const char *rank = getenv("OMPI_COMM_WORLD_RANK");

    return rank == NULL || strcmp(rank, "0") == 0;
}

static int usage(const struct ls_error *err)
{
    if (is_first()) {
        (void)fprintf(stderr, "loginstorm-mpi: error: %s; see `loginstorm-mpi --help`\n",
                      err->text);
    }
    return ls_code_status(LS_EUSAGE);
}

/* For those whom mpirun does not tell. */
static int keep_status(const struct mpi_options *options, int status)
{
    const char *recovers = getenv("OMPI_MCA_orte_enable_recovery");
    struct ls_file file;
    struct ls_error err;

    if (status != 0 && recovers != NULL && strcmp(recovers, "1") == 0) {
        (void)fprintf(stderr,
                      "loginstorm-mpi: this is exit status %d, which mpirun --enable-recovery does "
                      "not pass on\n",
                      status);
    }
    if (options->status == NULL) {
        return status;
    }
    if (ls_file_create(&file, options->status, &err) == LS_OK) {
        (void)fprintf(file.stream, "%d\n", status);
        if (ls_file_commit(&file, &err) == LS_OK) {
            return status;
        }
    }
    (void)fprintf(stderr, "loginstorm-mpi: error: --status: %s\n", err.text);
    return status != 0 ? status : ls_code_status(LS_EWRITE);
}

int main(int argc, char **argv)
{
    static struct mpi_options options;
    static struct launch launch;
    struct ls_error err;
    int status;

    if (mpi_options_parse(&options, argc, argv, &err) != LS_OK) {
        return usage(&err);
    }
    if (options.help) {
        mpi_options_help(stdout);
        return 0;
    }
    if (options.version) {
        (void)printf("loginstorm-mpi %s\n", LS_VERSION);
        return 0;
    }
    if (talk_open(&launch.talk, &argc, &argv, &err) != LS_OK) {
        (void)fprintf(stderr, "loginstorm-mpi: error: %s\n", err.text);
        return ls_code_status(err.code);
    }
    play_catch_signals();
    launch.options = launch.talk.rank == 0 ? &options : NULL;
    status = launch_storm(&launch);
    bundle_clear(&launch.bundle);
    free(launch.all);
    if (launch.talk.rank == 0) {
        status = keep_status(&options, status);
    }
    launch_end(&launch, status);
    return status;
}
