/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "meter/counters.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "loginstorm/units.h"

#define NODE(cpu, mode, value)                                                                     \
    "node_cpu_seconds_total{cpu=\"" cpu "\",mode=\"" mode "\"} " value "\n"
#define GROUP(name, mode, value)                                                                   \
    "namedprocess_namegroup_cpu_seconds_total{groupname=\"" name "\",mode=\"" mode "\"} " value "\n"
#define CORE(core, mode, value)                                                                    \
    "windows_cpu_time_total{core=\"" core "\",mode=\"" mode "\"} " value "\n"
#define WIN(name, id, mode, value)                                                                 \
    "windows_process_cpu_time_total{creating_process_id=\"4\",mode=\"" mode "\",process=\"" name   \
    "\",process_id=\"" id "\"} " value "\n"

#define TEXTS 4
#define MS LS_NS_PER_MS
#define STEP_NS (2 * LS_NS_PER_S)

struct row {
    const char *why, *process;
    const char *texts[TEXTS]; /* NULL-ended unless full */
    int64_t user_ms, system_ms, restarts, back_ms;
};

static const struct row rows[] = {
    {"a machine without its idle time",
     NULL,
     {NODE("0", "user", "10") NODE("0", "idle", "100") NODE("0", "iowait", "5")
          NODE("0", "steal", "1") NODE("0", "system", "2") NODE("0", "nice", "0")
              NODE("0", "softirq", "1"),
      NODE("0", "user", "11.5") NODE("0", "idle", "200") NODE("0", "iowait", "9")
          NODE("0", "steal", "7") NODE("0", "system", "2.25") NODE("0", "nice", "0.125")
              NODE("0", "softirq", "1.5")},
     1625,
     750,
     0,
     0},
    {"each core by itself: one began anew, one went, one came",
     NULL,
     {NODE("0", "user", "10") NODE("1", "user", "10") NODE("2", "user", "10"),
      NODE("0", "user", "11") NODE("1", "user", "2") NODE("3", "user", "500"),
      NODE("0", "user", "12") NODE("1", "user", "2.5") NODE("3", "user", "501")},
     5500,
     0,
     1,
     0},
    {"a core that was away has counted on",
     NULL,
     {NODE("0", "user", "1") NODE("1", "user", "1"), NODE("0", "user", "2"),
      NODE("0", "user", "3") NODE("1", "user", "4")},
     5000,
     0,
     0,
     0},
    {"Windows: interrupts are in privileged",
     NULL,
     {CORE("0,0", "user", "1") CORE("0,0", "privileged", "1") CORE("0,0", "interrupt", "1")
          CORE("0,0", "dpc", "1") CORE("0,0", "idle", "1") CORE("_Total", "user", "1"),
      CORE("0,0", "user", "3") CORE("0,0", "privileged", "2") CORE("0,0", "interrupt", "9")
          CORE("0,0", "dpc", "9") CORE("0,0", "idle", "9") CORE("_Total", "user", "9")},
     2000,
     1000,
     0,
     0},
    {"a group of processes by its name alone",
     "nginx",
     {GROUP("nginx", "user", "1") GROUP("nginx", "system", "1") GROUP("nginx2", "user", "1"),
      GROUP("nginx", "user", "2") GROUP("nginx", "system", "3") GROUP("nginx2", "user", "9")},
     1000,
     2000,
     0,
     0},
    {"process-exporter was started anew, and has counted beyond where it was",
     "nginx",
     {GROUP("nginx", "user", "1") "process_start_time_seconds 1000\n",
      GROUP("nginx", "user", "2") "process_start_time_seconds 1000\n",
      GROUP("nginx", "user", "4") "process_start_time_seconds 2000\n"},
     5000,
     0,
     1,
     0},
    {"node_exporter was started anew, the kernel was not",
     NULL,
     {NODE("0", "user", "1") "process_start_time_seconds 1000\n",
      NODE("0", "user", "3") "process_start_time_seconds 2000\n"},
     2000,
     0,
     0,
     0},
    {"a process of Windows, with and without .exe, in any case",
     "rasgateway.EXE",
     {WIN("RASGateway", "12", "user", "1") WIN("RASGateway", "12", "privileged", "1")
          WIN("RASGatewayX", "13", "user", "1"),
      WIN("RASGateway", "12", "user", "2") WIN("RASGateway", "12", "privileged", "1.5")
          WIN("RASGatewayX", "13", "user", "9")},
     1000,
     500,
     0,
     0},
    {"a worker of IIS is given its application pool, and a number by Windows",
     "w3wp",
     {WIN("w3wp", "20", "user", "1") WIN("w3wp#1", "21", "user", "5"),
      WIN("w3wp_DefaultAppPool", "20", "user", "2") WIN("w3wp", "21", "user", "6")},
     2000,
     0,
     0,
     0},
    {"an underscore is a pool's for w3wp alone",
     "w3",
     {WIN("w3", "1", "user", "1") WIN("w3_x", "2", "user", "1"),
      WIN("w3", "1", "user", "2") WIN("w3_x", "2", "user", "9")},
     1000,
     0,
     0,
     0},
    {"one pool alone",
     "w3wp_RDWeb",
     {WIN("w3wp_RDWeb", "20", "user", "1") WIN("w3wp_Other", "21", "user", "1"),
      WIN("w3wp_RDWeb", "20", "user", "2") WIN("w3wp_Other", "21", "user", "9")},
     1000,
     0,
     0,
     0},
    {"a worker was recycled: the new one began at 0, the old one keeps what it had",
     "w3wp",
     {WIN("w3wp_A", "20", "user", "100"),
      WIN("w3wp_A", "20", "user", "103") WIN("w3wp_A", "30", "user", "1"),
      WIN("w3wp_A", "30", "user", "2")},
     5000,
     0,
     0,
     0},
    {"its number was given to a younger one",
     "w3wp",
     {WIN("w3wp", "20", "user", "100"), WIN("w3wp", "20", "user", "3")},
     3000,
     0,
     1,
     0},
    {"it is away for a while, others are there",
     "gw",
     {WIN("gw", "1", "user", "5") WIN("x", "2", "user", "1"), WIN("x", "2", "user", "2"),
      WIN("gw", "3", "user", "2") WIN("x", "2", "user", "3")},
     2000,
     0,
     0,
     0},
    {"processes win over the machine where both are there",
     "nginx",
     {NODE("0", "user", "1") GROUP("nginx", "user", "1"),
      NODE("0", "user", "9") GROUP("nginx", "user", "2")},
     1000,
     0,
     0,
     0},
    {"a machine was started anew",
     NULL,
     {NODE("0", "user", "1000") NODE("0", "system", "500"),
      NODE("0", "user", "0.5") NODE("0", "system", "0.25"),
      NODE("0", "user", "1") NODE("0", "system", "0.5")},
     1000,
     500,
     2,
     0},
    {"a dip: what it goes on by is told from where it was",
     NULL,
     {NODE("0", "user", "1667"), NODE("0", "user", "1666.875"), NODE("0", "user", "1667.25")},
     250,
     0,
     0,
     125},
    {"a dip of a process",
     "nginx",
     {GROUP("nginx", "user", "1667"), GROUP("nginx", "user", "1666.875"),
      GROUP("nginx", "user", "1667.25")},
     250,
     0,
     0,
     125},
    {"a dip that the next text does not make good",
     NULL,
     {NODE("0", "user", "10"), NODE("0", "user", "9"), NODE("0", "user", "9.5"),
      NODE("0", "user", "10.5")},
     500,
     0,
     0,
     1000},
    {"up by no more than can be, and back",
     NULL,
     {NODE("0", "user", "10"), NODE("0", "user", "12"), NODE("0", "user", "10.5")},
     2000,
     0,
     0,
     1500},
    {"it falls and falls",
     NULL,
     {NODE("0", "user", "1000"), NODE("0", "user", "999.5"), NODE("0", "user", "999"),
      NODE("0", "user", "998.5")},
     0,
     0,
     0,
     1500},
    {"one that had counted next to nothing began anew",
     NULL,
     {NODE("0", "user", "0.25"), NODE("0", "user", "0"), NODE("0", "user", "0.5")},
     500,
     0,
     1,
     0},
};

/* One every two seconds, each answered after half a second. */
static enum ls_code take(struct counters *counters, const char *text, struct ls_error *err)
{
    const struct counters_when when = {.asked_ns = counters->texts * STEP_NS,
                                       .answered_ns = counters->texts * STEP_NS + STEP_NS / 4};

    return counters_take(counters, text, strlen(text), &when, err);
}

static void counters_add_up_each_by_itself(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct row *row = &rows[i];
        struct counters counters = {.process = row->process};
        struct ls_error err = {0};

        for (size_t t = 0; t < TEXTS && row->texts[t] != NULL; t++) {
            if (take(&counters, row->texts[t], &err) != LS_OK) {
                fail_msg("%s: %s", row->why, err.text);
            }
            if (t == 0 && counters.total.cpu_ns != 0) {
                fail_msg("%s: it does not begin with 0", row->why);
            }
        }
        if (counters.total.user_ns != row->user_ms * MS ||
            counters.total.system_ns != row->system_ms * MS ||
            counters.total.cpu_ns != (row->user_ms + row->system_ms) * MS ||
            counters.restarts != row->restarts || counters.back_ns != row->back_ms * MS) {
            fail_msg("%s: %lld and %lld ns, %lld restarts, back by %lld", row->why,
                     (long long)counters.total.user_ns, (long long)counters.total.system_ns,
                     (long long)counters.restarts, (long long)counters.back_ns);
        }
        counters_free(&counters);
    }
}

static void what_does_not_help_is_refused_with_what_is_there(void **state)
{
    static const struct {
        const char *process, *text, *part, *why;
    } refused[] = {
        {NULL, "", "neither node_cpu_seconds_total nor windows_cpu_time_total", "an empty answer"},
        {NULL, GROUP("nginx", "user", "1"), "neither node_cpu_seconds_total",
         "a machine is asked for"},
        {"nginx", NODE("0", "user", "1"), "neither namedprocess_namegroup_cpu_seconds_total nor",
         "a process is asked for"},
        {"nginx",
         GROUP("apache2", "user", "1") GROUP("apache2", "system", "1") GROUP("sshd", "user", "1"),
         "knows no process \"nginx\"; it knows apache2, sshd and so on", "another process"},
        {NULL, NODE("0", "user", "1") "<html>\n", "line 2 of the exporter's answer is no metric",
         "a page"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        struct counters counters = {.process = refused[i].process};
        struct ls_error err = {0};

        assert_int_equal(take(&counters, refused[i].text, &err), LS_EINPUT);
        if (strstr(err.text, refused[i].part) == NULL) {
            fail_msg("%s: %s", refused[i].why, err.text);
        }
        counters_free(&counters);
    }
}

static void a_refused_answer_changes_nothing(void **state)
{
    struct counters counters = {.process = "nginx"};
    struct ls_error err;

    (void)state;
    assert_int_equal(take(&counters, "no metric\n", &err), LS_EINPUT);
    assert_int_equal(take(&counters, GROUP("nginx", "user", "7"), &err), LS_OK);
    assert_int_equal(counters.total.cpu_ns, 0);
    assert_int_equal(take(&counters, GROUP("nginx", "user", "9") "broken\n", &err), LS_EINPUT);
    assert_int_equal(counters.total.cpu_ns, 0);
    /* The collector failed: that its processes took nothing is not said. */
    assert_int_equal(take(&counters, NODE("0", "user", "1"), &err), LS_EINPUT);
    assert_int_equal(take(&counters, GROUP("nginx", "user", "8"), &err), LS_OK);
    assert_int_equal(counters.total.cpu_ns, LS_NS_PER_S);
    counters_free(&counters);
}

static void a_counter_that_shows_what_no_cpu_can_spoils_all_that_follows(void **state)
{
    static const struct {
        const char *why, *process, *first, *then, *part;
    } spoilt[] = {
        {"a glitch up", NULL, NODE("0", "user", "1000") NODE("1", "user", "5"),
         NODE("0", "user", "2667") NODE("1", "user", "6"),
         "node_cpu_seconds_total (cpu 0, user) went from 1000.000 to 2667.000 s in 2.5 s"},
        {"a little more than one core has", NULL, NODE("0", "user", "1000"),
         NODE("0", "user", "1002.75"), "from 1000.000 to 1002.750 s"},
        {"a fall by more than a dip, and to more than nothing", NULL, NODE("0", "user", "1000"),
         NODE("0", "user", "400"), "from 1000.000 to 400.000 s"},
        {"a process falls so", "nginx", GROUP("nginx", "system", "1000"),
         GROUP("nginx", "system", "900"),
         "(groupname nginx, system) went from 1000.000 to 900.000"},
        {"more than any machine has", "nginx", GROUP("nginx", "user", "1"),
         GROUP("nginx", "user", "20000"), "from 1.000 to 20000.000 s"},
        {"one that is new has it already", "w3wp", WIN("w3wp", "1", "user", "1"),
         WIN("w3wp", "1", "user", "2") WIN("w3wp", "2", "user", "1e6"),
         "from 0.000 to 1000000.000"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof spoilt / sizeof spoilt[0]; i++) {
        struct counters counters = {.process = spoilt[i].process};
        struct ls_error err = {0};

        assert_int_equal(take(&counters, spoilt[i].first, &err), LS_OK);
        if (take(&counters, spoilt[i].then, &err) != LS_EINPUT ||
            strstr(err.text, spoilt[i].part) == NULL) {
            fail_msg("%s: %s", spoilt[i].why, err.text);
        }
        assert_int_equal(counters.total.cpu_ns, 0);
        err = (struct ls_error){0};
        if (take(&counters, spoilt[i].first, &err) != LS_EINPUT ||
            strstr(err.text, spoilt[i].part) == NULL) {
            fail_msg("%s: and back: %s", spoilt[i].why, err.text);
        }
        counters_free(&counters);
    }
}

static void what_is_no_time_is_named_and_the_next_text_may_be_one(void **state)
{
    static const struct {
        const char *value, *shown;
    } values[] = {
        {"NaN", "nan"}, {"+Inf", "inf"}, {"-1", "-1"}, {"1e300", "1e+300"}, {"9e9", "9e+09"}};

    (void)state;
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        struct counters counters = {0};
        char text[256], part[128];
        struct ls_error err = {0};

        (void)snprintf(text, sizeof text, "%snode_cpu_seconds_total{cpu=\"7\",mode=\"nice\"} %s\n",
                       NODE("0", "user", "2"), values[i].value);
        (void)snprintf(part, sizeof part,
                       "line 2 of the exporter's answer: node_cpu_seconds_total (cpu 7, nice) is "
                       "%s, which is no CPU time",
                       values[i].shown);
        assert_int_equal(take(&counters, NODE("0", "user", "1"), &err), LS_OK);
        if (take(&counters, text, &err) != LS_EINPUT || strcmp(err.text, part) != 0) {
            fail_msg("%s: %s", values[i].value, err.text);
        }
        assert_int_equal(counters.total.cpu_ns, 0);
        assert_int_equal(take(&counters, NODE("0", "user", "2.5"), &err), LS_OK);
        assert_int_equal(counters.total.cpu_ns, 1500 * MS);
        counters_free(&counters);
    }
}

/* Idle time is none of ours, whatever it says. */
static void what_does_not_count_may_say_anything(void **state)
{
    struct counters counters = {0};
    struct ls_error err;

    (void)state;
    assert_int_equal(take(&counters, NODE("0", "user", "1") NODE("0", "idle", "NaN"), &err), LS_OK);
    assert_int_equal(take(&counters, NODE("0", "user", "2") NODE("0", "idle", "-5"), &err), LS_OK);
    assert_int_equal(counters.total.cpu_ns, LS_NS_PER_S);
    counters_free(&counters);
}

static void the_facts_of_an_exporter_are_kept(void **state)
{
    struct counters counters = {0};
    struct ls_error err;

    (void)state;
    assert_int_equal(take(&counters,
                          NODE("0", "user", "1") "node_time_seconds 1.7960889570494819e+09\n"
                                                 "node_boot_time_seconds 1.796074213e+09\n",
                          &err),
                     LS_OK);
    assert_true(counters.clock_s > 1796088957.0 && counters.clock_s < 1796088957.1);
    assert_true(counters.booted_s > 1796074212.9 && counters.booted_s < 1796074213.1);
    assert_string_equal(counters.family, "node_cpu_seconds_total");
    counters_free(&counters);
}

/* More than the table begins with, in any order. */
static void many_counters_are_told_apart(void **state)
{
    static char text[2][65536];
    struct counters counters = {0};
    struct ls_error err;
    size_t used[2] = {0, 0};

    (void)state;
    for (int i = 0; i < 500; i++) {
        for (int t = 0; t < 2; t++) {
            const int core = t == 0 ? i : 499 - i;

            used[t] += (size_t)snprintf(text[t] + used[t], sizeof text[t] - used[t],
                                        "node_cpu_seconds_total{cpu=\"%d\",mode=\"user\"} %d%s\n",
                                        core, core * 10,
                                        t == 0          ? ""
                                        : core % 2 == 0 ? ".25"
                                                        : ".5");
        }
    }
    assert_int_equal(take(&counters, text[0], &err), LS_OK);
    assert_int_equal(take(&counters, text[1], &err), LS_OK);
    assert_int_equal(counters.count, 500);
    assert_int_equal(counters.total.cpu_ns, INT64_C(250) * (250 + 500) * MS);
    counters_free(&counters);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counters_add_up_each_by_itself),
        cmocka_unit_test(what_does_not_help_is_refused_with_what_is_there),
        cmocka_unit_test(a_refused_answer_changes_nothing),
        cmocka_unit_test(a_counter_that_shows_what_no_cpu_can_spoils_all_that_follows),
        cmocka_unit_test(what_is_no_time_is_named_and_the_next_text_may_be_one),
        cmocka_unit_test(what_does_not_count_may_say_anything),
        cmocka_unit_test(the_facts_of_an_exporter_are_kept),
        cmocka_unit_test(many_counters_are_told_apart),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
