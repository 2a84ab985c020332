/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/shard.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "loginstorm/units.h"

static const char *environment; /* "NAME=VALUE NAME=VALUE" */

static const char *get(const char *name)
{
    static char value[64];
    const size_t length = strlen(name);
    const char *at = environment;

    while (at != NULL && *at != '\0') {
        const size_t word = strcspn(at, " ");

        if (strncmp(at, name, length) == 0 && at[length] == '=') {
            (void)snprintf(value, sizeof value, "%.*s", (int)(word - length - 1), at + length + 1);
            return value;
        }
        at += word + (at[word] == ' ');
    }
    return NULL;
}

static void a_shard_is_what_is_said_or_what_a_launcher_says(void **state)
{
    static const struct {
        const char *text, *environment;
        int index, count;
        const char *why;
    } rows[] = {
        {"1/1", "", 1, 1, "the whole storm"},
        {"3/4", "LOGINSTORM_SHARD=1/2", 3, 4, "what is said goes before everything"},
        {"4096/4096", "", 4096, 4096, "the most"},
        {"auto", "LOGINSTORM_SHARD=2/5 OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=9", 2, 5,
         "what somebody wrote goes before launchers"},
        {"auto", "OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=8", 1, 8, "ranks count from 0"},
        {"auto", "SLURM_PROCID=1 SLURM_NTASKS=2 OMPI_COMM_WORLD_RANK=7 OMPI_COMM_WORLD_SIZE=8", 8,
         8, "mpirun within a job of Slurm"},
        {"auto", "PMI_RANK=2 PMI_SIZE=3 SLURM_PROCID=0 SLURM_NTASKS=1", 3, 3,
         "MPICH within a job of Slurm"},
        {"auto", "SLURM_PROCID=3 SLURM_NTASKS=4", 4, 4, "srun"},
        {"auto", "SLURM_ARRAY_TASK_ID=7 SLURM_ARRAY_TASK_COUNT=3 SLURM_ARRAY_TASK_MIN=5", 3, 3,
         "an array from 5 to 7"},
        {"auto",
         "SLURM_ARRAY_TASK_ID=9 SLURM_ARRAY_TASK_COUNT=3 SLURM_ARRAY_TASK_MIN=1 "
         "SLURM_ARRAY_TASK_STEP=4",
         3, 3, "an array 1, 5, 9"},
        {"auto",
         "SLURM_ARRAY_TASK_ID=2 SLURM_ARRAY_TASK_COUNT=4 SLURM_ARRAY_TASK_MIN=1 SLURM_PROCID=0 "
         "SLURM_NTASKS=1",
         2, 4, "each job of an array is task 0 of 1 as well"},
        {"auto", "JOB_COMPLETION_INDEX=0 LOGINSTORM_SHARDS=6", 1, 6, "Kubernetes"},
        {"auto", "OMPI_COMM_WORLD_RANK= JOB_COMPLETION_INDEX=5 LOGINSTORM_SHARDS=6", 6, 6,
         "what is empty is not set"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct ls_shard shard;
        struct ls_error err = {0};

        print_message("%s\n", rows[i].why);
        environment = rows[i].environment;
        assert_int_equal(shard_parse(&shard, rows[i].text, get, &err), LS_OK);
        assert_int_equal(shard.index, rows[i].index);
        assert_int_equal(shard.count, rows[i].count);
    }
}

static void what_is_no_shard_is_refused_with_whose_fault_it_is(void **state)
{
    static const struct {
        const char *text, *environment, *words;
    } rows[] = {
        {"", "", "--shard: \"\" is no shard like 1/4, the first of four"},
        {"3", "", "--shard: \"3\" is no shard like 1/4"},
        {"1/", "", "--shard: \"1/\" is no shard like 1/4"},
        {"1/4x", "", "--shard: \"1/4x\" is no shard like 1/4"},
        {"-1/4", "", "--shard: \"-1/4\" is no shard like 1/4"},
        {" 1/4", "", "--shard: \" 1/4\" is no shard like 1/4"},
        {"AUTO", "", "--shard: \"AUTO\" is no shard like 1/4"},
        {"0/4", "", "--shard: there is no shard 0 of 4: they are counted from 1 to 4"},
        {"5/4", "", "--shard: there is no shard 5 of 4: they are counted from 1 to 4"},
        {"1/0", "", "--shard: 0 shards are out of range (1 to 4096)"},
        {"1/4097", "", "--shard: 4097 shards are out of range (1 to 4096)"},
        {"99999999999999999999/4", "", "--shard: there is no shard 2147483647 of 4"},
        {"auto", "",
         "--shard auto: no launcher says which shard this is: none of LOGINSTORM_SHARD, "
         "OMPI_COMM_WORLD_RANK, PMI_RANK, SLURM_ARRAY_TASK_ID, SLURM_PROCID or "
         "JOB_COMPLETION_INDEX is set; say --shard I/N"},
        {"auto", "LOGINSTORM_SHARD=0/2", "LOGINSTORM_SHARD: there is no shard 0 of 2"},
        {"auto", "LOGINSTORM_SHARD=auto", "LOGINSTORM_SHARD: \"auto\" is no shard like 1/4"},
        {"auto", "OMPI_COMM_WORLD_RANK=2",
         "--shard auto: OMPI_COMM_WORLD_RANK is set, but not OMPI_COMM_WORLD_SIZE, which says how "
         "many there are"},
        {"auto", "OMPI_COMM_WORLD_RANK=2 OMPI_COMM_WORLD_SIZE=2",
         "--shard auto: OMPI_COMM_WORLD_RANK is beyond the 2 that Open MPI has by "
         "OMPI_COMM_WORLD_SIZE: say --shard I/N"},
        {"auto", "PMI_RANK=two PMI_SIZE=3", "--shard auto: PMI_RANK is \"two\", and no number"},
        {"auto", "PMI_RANK=0 PMI_SIZE=0", "--shard auto: PMI_RANK is beyond the 0"},
        {"auto", "SLURM_ARRAY_TASK_ID=4 SLURM_ARRAY_TASK_COUNT=3 SLURM_ARRAY_TASK_MIN=5",
         "--shard auto: SLURM_ARRAY_TASK_ID is 4, which is none of an array of Slurm's from 5 in "
         "steps of 1"},
        {"auto", "SLURM_ARRAY_TASK_ID=7 SLURM_ARRAY_TASK_COUNT=3 SLURM_ARRAY_TASK_MIN=1",
         "--shard auto: SLURM_ARRAY_TASK_ID is beyond the 3 that an array of Slurm has"},
        {"auto",
         "SLURM_ARRAY_TASK_ID=1 SLURM_ARRAY_TASK_COUNT=3 SLURM_ARRAY_TASK_MIN=1 SLURM_NTASKS=8",
         "--shard auto: each job of the array has 8 tasks by SLURM_NTASKS, so that it is not clear "
         "what is counted"},
        {"auto", "JOB_COMPLETION_INDEX=0",
         "--shard auto: JOB_COMPLETION_INDEX is set, but not LOGINSTORM_SHARDS"},
        {"auto", "OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=5000",
         "--shard auto: OMPI_COMM_WORLD_SIZE: 5000 shards are out of range (1 to 4096)"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct ls_shard shard;
        struct ls_error err = {0};

        print_message("%s\n", rows[i].words);
        environment = rows[i].environment;
        assert_int_equal(shard_parse(&shard, rows[i].text, get, &err), LS_EUSAGE);
        assert_non_null(strstr(err.text, rows[i].words));
    }
}

static void a_start_is_a_moment_ahead(void **state)
{
    static const struct {
        const char *text;
        enum ls_code code;
        int64_t at_ns;
        const char *words;
    } rows[] = {
        {"@1796022000", LS_OK, INT64_C(1796022000000000000), ""},
        {"@1796022000.25", LS_OK, INT64_C(1796022000250000000), ""},
        {"2026-11-30T08:00:00+01:00", LS_OK, INT64_C(1796022000000000000), ""},
        {"@1796021970", LS_EUSAGE, 0, "--start-at: @1796021970 is past, by 20s on this clock"},
        {"@1796021990", LS_EUSAGE, 0, "--start-at: @1796021990 is past, by 0s on this clock"},
        {"2026-11-30T08:00:00", LS_EUSAGE, 0, "is no moment with its zone"},
        {"08:00", LS_EUSAGE, 0, "is no moment with its zone"},
        {"@", LS_EUSAGE, 0, "is no moment with its zone"},
        {"@17960220x0", LS_EUSAGE, 0, "is no moment with its zone"},
        {"@1796022000.", LS_EUSAGE, 0, "is no moment with its zone"},
        {"@99999999999999", LS_EUSAGE, 0, "is no moment with its zone"},
        {"1796022000", LS_EUSAGE, 0,
         "and no @SECONDS since 1970, like those of `date -d '+2 "
         "minutes' +@%s`"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        int64_t at_ns;
        struct ls_error err = {0};

        print_message("%s\n", rows[i].text);
        assert_int_equal(shard_start(&at_ns, rows[i].text, INT64_C(1796021990000000000), &err),
                         rows[i].code);
        if (rows[i].code == LS_OK) {
            assert_int_equal(at_ns, rows[i].at_ns);
        }
        assert_non_null(strstr(err.text, rows[i].words));
    }
}

static void a_launchers_line_may_say_how_far_the_clock_here_is_off(void **state)
{
    static const struct {
        const char *line;
        enum ls_code code;
        bool is_measured;
        int64_t ahead_ns, error_ns;
        const char *words;
    } rows[] = {
        {"@1796022000.25", LS_OK, false, 0, 0, ""},
        {"2026-11-30T08:00:00.25+01:00", LS_OK, false, 0, 0, ""},
        {"@1796022000.25 +3.000000012 0.00004", LS_OK, true, 3000000012, 40000, ""},
        {"@1796022000.25 -0.5 0", LS_OK, true, -500000000, 0, ""},
        {"@1796022000.25 3 0", LS_EUSAGE, false, 0, 0, "there is not how far the clock here is"},
        {"@1796022000.25 +3", LS_EUSAGE, false, 0, 0, "there is not how far the clock here is"},
        {"@1796022000.25 +3 -1", LS_EUSAGE, false, 0, 0, "there is not how far the clock here is"},
        {"@1796022000.25 +3 1 1", LS_EUSAGE, false, 0, 0, "there is not how far the clock here is"},
        {"@1796022000.25 ", LS_EUSAGE, false, 0, 0, "there is not how far the clock here is"},
        {"soon +3 1", LS_EUSAGE, true, 0, 0, "\"soon\" is no moment with its zone"},
        {"", LS_EUSAGE, false, 0, 0, "\"\" is no moment with its zone"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct shard_told told;
        struct ls_error err = {0};

        print_message("%s\n", rows[i].line);
        assert_int_equal(shard_read_told(&told, rows[i].line, &err), rows[i].code);
        if (rows[i].code == LS_OK) {
            assert_int_equal(told.start_at_ns, INT64_C(1796022000250000000));
            assert_int_equal(told.is_measured, rows[i].is_measured);
            assert_int_equal(told.ahead_ns, rows[i].ahead_ns);
            assert_int_equal(told.error_ns, rows[i].error_ns);
        }
        assert_non_null(strstr(err.text, rows[i].words));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_shard_is_what_is_said_or_what_a_launcher_says),
        cmocka_unit_test(what_is_no_shard_is_refused_with_whose_fault_it_is),
        cmocka_unit_test(a_start_is_a_moment_ahead),
        cmocka_unit_test(a_launchers_line_may_say_how_far_the_clock_here_is_off),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
