/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "loginstorm/import.h"
#include "unit/refusing.h"

struct log {
    const char *file;
    struct ls_import_wish wish;
};

static enum ls_code run(const struct log *log, struct ls_error *err)
{
    struct ls_import_wish wish = log->wish;
    struct ls_import_summary summary;
    struct ls_error broken;
    struct ls_curve *curve = NULL;
    char path[512];
    const char *const paths[] = {path};
    enum ls_code code;

    (void)snprintf(path, sizeof path, LS_SOURCE_DIR "/tests/data/logs/%s", log->file);
    wish.paths = paths;
    wish.paths_count = 1;
    wish.timezone = "Europe/Paris";
    code = ls_import_run(&curve, &summary, &broken, &wish, err);
    assert_true((code == LS_OK) == (curve != NULL));
    ls_curve_free(curve);
    return code;
}

static void whatever_allocation_fails_it_is_told_and_nothing_is_lost(void **state)
{
    static const struct log logs[] = {
        {"nginx.log", {.format = "web"}},
        {"custom.log",
         {.log_format =
              "$msec $remote_addr $ssl_protocol $ssl_session_reused $user \"$request\" $status"}},
        {"haproxy.log", {.format = "haproxy"}},
        {"iis.log", {.format = "iis"}},
        {"netscaler.log", {.format = "netscaler"}},
        {"freeradius.detail", {.format = "freeradius"}},
        {"mysqldump.sql", {.format = "radius-sql"}},
        {"event-viewer.csv", {.format = "windows-csv"}},
        {"wevtutil.xml", {.format = "windows-xml"}},
        {"toxml-utf16.xml", {.format = "windows-xml"}},
        {"rd-gateway.xml", {.format = "rd-gateway"}},
        {"logins.csv", {.format = "csv"}},
        {"american.csv", {.format = "csv"}},
        {"counts.csv", {.format = "csv"}},
        {"logins.jsonl", {.format = "json"}},
        {"citrix.json", {.format = "citrix"}},
        {"prometheus.json", {.format = "prometheus"}},
        {"tls.pcap", {.format = "pcap"}},
    };

    (void)state;
    for (size_t i = 0; i < sizeof logs / sizeof logs[0]; i++) {
        struct ls_error err = {0};
        long needed;

        blocks = allocations = 0;
        refuse_at = -1;
        assert_int_equal(run(&logs[i], &err), LS_OK);
        assert_int_equal(blocks, 0);
        needed = allocations;
        assert_true(needed > 5);
        for (long at = 0; at < needed; at++) {
            err = (struct ls_error){0};
            allocations = 0;
            refuse_at = at;
            if (run(&logs[i], &err) != LS_ENOMEM) {
                fail_msg("%s, allocation %ld: %s", logs[i].file, at, err.text);
            }
            assert_string_not_equal(err.text, "");
            assert_int_equal(blocks, 0);
        }
        refuse_at = -1;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whatever_allocation_fails_it_is_told_and_nothing_is_lost),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
