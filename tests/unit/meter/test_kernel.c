/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "loginstorm/meter.h"

static void the_kernels_counts_are_found_by_their_names(void **state)
{
    static const struct {
        const char *why, *names, *values;
        struct ls_kernel_traces expected;
    } rows[] = {
        {"in the middle, at the end",
         "TcpExt: SyncookiesSent ListenOverflows ListenDrops TCPSynRetrans\n",
         "TcpExt: 1 20 30 4\n",
         {20, 30, 4}},
        {"in another order, as another kernel has them",
         "TcpExt: TCPSynRetrans ListenDrops A ListenOverflows\n",
         "TcpExt: 4 30 9 20\n",
         {20, 30, 4}},
        {"a name that only begins so",
         "TcpExt: ListenDropsX ListenDrops\n",
         "TcpExt: 1 2\n",
         {-1, 2, -1}},
        {"a kernel that has one of them", "TcpExt: ListenOverflows\n", "TcpExt: 0\n", {0, -1, -1}},
        {"fewer values than names",
         "TcpExt: ListenOverflows ListenDrops\n",
         "TcpExt: 5\n",
         {5, -1, -1}},
        {"no number", "TcpExt: ListenOverflows ListenDrops\n", "TcpExt: x5 5x\n", {-1, -1, -1}},
        {"negative", "TcpExt: ListenOverflows\n", "TcpExt: -5\n", {-1, -1, -1}},
        {"another family", "IpExt: ListenOverflows\n", "IpExt: 5\n", {-1, -1, -1}},
        {"two families", "TcpExt: ListenOverflows\n", "IpExt: 5\n", {-1, -1, -1}},
        {"nothing", "", "", {-1, -1, -1}},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct ls_kernel_traces traces;

        ls_meter_kernel_parse(rows[i].names, rows[i].values, &traces);
        if (traces.listen_overflows != rows[i].expected.listen_overflows ||
            traces.listen_drops != rows[i].expected.listen_drops ||
            traces.syn_retransmits != rows[i].expected.syn_retransmits) {
            fail_msg("%s", rows[i].why);
        }
    }
}

static void what_came_on_top_is_the_difference_and_what_is_not_known_stays_so(void **state)
{
    const struct ls_kernel_traces before = {5, -1, 9};
    struct ls_kernel_traces traces = {7, 3, 8};

    (void)state;
    ls_meter_kernel_since(&before, &traces);
    assert_int_equal(traces.listen_overflows, 2);
    assert_int_equal(traces.listen_drops, -1);
    assert_int_equal(traces.syn_retransmits, -1); /* a counter that went back: another kernel's */
}

static void this_kernel_counts_too(void **state)
{
    struct ls_kernel_traces traces;

    (void)state;
    ls_meter_kernel(&traces);
    assert_true(traces.listen_overflows >= 0);
    assert_true(traces.listen_drops >= traces.listen_overflows);
    assert_true(traces.syn_retransmits >= 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_kernels_counts_are_found_by_their_names),
        cmocka_unit_test(what_came_on_top_is_the_difference_and_what_is_not_known_stays_so),
        cmocka_unit_test(this_kernel_counts_too),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
