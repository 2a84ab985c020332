/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whole storms in processes of their own: this program is what the conductor starts. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "loginstorm/storm.h"
#include "loginstorm/tls.h"
#include "loginstorm/units.h"

#define USERS 60
#define CONNECTIONS 2

/* What a storm gave, and what is done to it at its first view of a login. */
struct seen {
    const char *kills; /* the first process of this command */
    int64_t kills_at;  /* that many logins, or one */
    int signal;        /* raised in the conductor itself */
    bool fetching;     /* both at the first word of tickets instead */
    bool fails;        /* `measured` returns an error */
    int signal_later;  /* raised while `measured` is at work */
    int steps, fetches, views, measurements;
    size_t offered, resumed;
    int64_t logged_in, failed, cut_off;
    size_t handshakes;
    struct ls_gateway_account account;
    int64_t bursts_ns; /* hello and finish of all that were kept */
    bool partial;
    char partial_why[128];
    char certificates[64];
};

/* The child of this process that was started by command; 0 when there is none. */
static pid_t child_of(const char *command)
{
    char path[64], words[256];
    char children[4096] = "";
    const char *at = children;
    FILE *file;

    (void)snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
    file = fopen(path, "re");
    assert_non_null(file);
    (void)!fgets(children, sizeof children, file);
    (void)fclose(file);
    while (*at != '\0') {
        char *end;
        const long pid = strtol(at, &end, 10);
        size_t size;

        if (end == at) {
            break;
        }
        at = end;
        (void)snprintf(path, sizeof path, "/proc/%ld/cmdline", pid);
        file = fopen(path, "re");
        if (file == NULL) {
            continue;
        }
        size = fread(words, 1, sizeof words - 1, file);
        (void)fclose(file);
        words[size] = '\0';
        if (strcmp(words + strlen(words) + 1, command) == 0) {
            return (pid_t)pid;
        }
    }
    return 0;
}

static void strike(const struct seen *seen)
{
    if (seen->kills != NULL) {
        const pid_t pid = child_of(seen->kills);

        assert_true(pid > 0);
        assert_int_equal(kill(pid, SIGKILL), 0);
    }
    if (seen->signal != 0) {
        assert_int_equal(kill(getpid(), seen->signal), 0);
    }
}

static void on_step(const char *text, void *data)
{
    struct seen *seen = data;

    assert_true(strlen(text) > 0);
    seen->steps++;
    if (strncmp(text, "fetching", 8) == 0 && seen->fetches++ == 0) {
        assert_string_equal(text, "fetching tickets: 0 of 60");
        if (seen->fetching) {
            strike(seen);
        }
    }
}

static void on_view(const struct ls_storm_view *view, void *data)
{
    struct seen *seen = data;

    assert_true(view->started >= view->logged_in + view->failed);
    assert_int_equal(view->in_flight, view->started - view->logged_in - view->failed);
    if (view->logged_in < (seen->kills_at > 0 ? seen->kills_at : 1) || seen->views++ > 0) {
        return;
    }
    strike(seen);
}

static enum ls_code on_measured(const struct ls_measurement *measurement, void *data,
                                struct ls_error *err)
{
    struct seen *seen = data;
    size_t count;
    const struct ls_login *rows = ls_record_logins(measurement->record, &count);
    const struct ls_handshake *handshakes;

    assert_int_equal(count, USERS);
    for (size_t i = 0; i < count; i++) {
        assert_int_not_equal(rows[i].outcome, LS_OUTCOME_PENDING);
        seen->logged_in += rows[i].outcome == LS_OUTCOME_LOGGED_IN;
        seen->failed += rows[i].outcome == LS_OUTCOME_FAILED;
        seen->cut_off += rows[i].outcome == LS_OUTCOME_CUT_OFF;
    }
    handshakes = ls_record_handshakes(measurement->record, &count);
    for (size_t i = 0; i < count; i++) {
        seen->offered += handshakes[i].offered;
        seen->resumed += handshakes[i].resumed;
    }
    seen->handshakes += count;
    seen->measurements++;
    seen->account = measurement->gateway;
    seen->bursts_ns = 0;
    for (size_t i = 0; i < measurement->gateway.bursts_count; i++) {
        const struct ls_burst *burst = &measurement->gateway.bursts[i];

        assert_true(burst->hello_ns > 0 && burst->finish_ns > 0);
        seen->bursts_ns += (int64_t)burst->hello_ns + burst->finish_ns;
    }
    seen->partial = measurement->partial;
    if (measurement->partial_why != NULL) {
        (void)snprintf(seen->partial_why, sizeof seen->partial_why, "%s", measurement->partial_why);
    }
    (void)snprintf(seen->certificates + strlen(seen->certificates),
                   sizeof seen->certificates - strlen(seen->certificates), "%s=%s;",
                   measurement->certificate, measurement->key);
    if (seen->signal_later != 0) {
        assert_int_equal(kill(getpid(), seen->signal_later), 0);
    }
    if (seen->fails) {
        return ls_error_set(err, LS_EWRITE, "the disk is full");
    }
    return LS_OK;
}

struct storm {
    struct ls_scenario *scenario;
    struct ls_schedule *schedule;
};

/* A minute of arrivals in seconds of ours. */
static void storm_init_with(struct storm *storm, const char *pace, const char *certificates,
                            const char *tls)
{
    struct ls_errors errors = {0};
    struct ls_error err;
    char text[1000];
    const int length =
        snprintf(text, sizeof text,
                 "loginstorm: 1\nusers: %d\nseed: 7\nwindow: {from: 08:00, to: 08:01}\n"
                 "arrivals: {shape: uniform}\n"
                 "populations: [{name: all, share: 100%%, connections: %d, tls: {%s}}]\n"
                 "login: {hold: until_end, request: {send: 900B, receive: 6kB}}\n"
                 "gateway: {workers: 2, tickets: on}\ncertificates: %s\npace: {speedup: %s}\n",
                 USERS, CONNECTIONS, tls, certificates, pace);

    if (ls_scenario_parse(&storm->scenario, "test", text, (size_t)length, NULL, 0, &errors) !=
        LS_OK) {
        fail_msg("%s", errors.item[0].text);
    }
    assert_int_equal(ls_schedule_build(&storm->schedule, storm->scenario, &err), LS_OK);
}

static void storm_init(struct storm *storm, const char *pace, const char *certificates)
{
    storm_init_with(storm, pace, certificates, "");
}

static void storm_free(struct storm *storm)
{
    ls_schedule_free(storm->schedule);
    ls_scenario_free(storm->scenario);
}

static enum ls_code storm_run(struct storm *storm, const char *program, struct seen *seen,
                              struct ls_error *err)
{
    const struct ls_storm_wish wish = {
        .scenario = storm->scenario,
        .schedule = storm->schedule,
        .program = program,
        .injectors = 2,
        .step = on_step,
        .view = on_view,
        .measured = on_measured,
        .data = seen,
    };

    *err = (struct ls_error){0};
    return ls_storm_run(&wish, err);
}

#define ONE "[{name: P, key: ecdsa-p256}]"
#define TWO "[{name: P, key: ecdsa-p256}, {name: Q, key: ecdsa-p384}]"
#define OURSELVES "/proc/self/exe"

static void every_certificate_gets_the_whole_storm(void **state)
{
    struct storm storm;
    struct seen seen = {0};
    struct ls_error err;

    (void)state;
    storm_init(&storm, "200", TWO);
    if (storm_run(&storm, OURSELVES, &seen, &err) != LS_OK) {
        fail_msg("%s", err.text);
    }
    assert_int_equal(seen.steps, 2);
    assert_true(seen.views > 0);
    assert_int_equal(seen.measurements, 2);
    assert_string_equal(seen.certificates, "P=ecdsa-p256;Q=ecdsa-p384;");
    assert_int_equal(seen.logged_in, 2 * USERS);
    assert_int_equal(seen.failed + seen.cut_off, 0);
    assert_int_equal(seen.handshakes, 2 * USERS * CONNECTIONS);
    assert_false(seen.partial);
    assert_string_equal(seen.partial_why, "");
    /* Of the last certificate alone: its gateway was a fresh one. */
    assert_int_equal(seen.account.workers, 2);
    assert_int_equal(seen.account.accepted, USERS * CONNECTIONS);
    assert_int_equal(seen.account.server_flights, USERS * CONNECTIONS);
    assert_int_equal(seen.account.secured, USERS * CONNECTIONS);
    assert_int_equal(seen.account.failed, 0);
    assert_true(seen.account.cpu_ns > 0);
    assert_true(seen.account.tls_ns > 0);
    assert_int_equal(seen.account.bursts_count, USERS * CONNECTIONS);
    assert_true(seen.bursts_ns > 0 && seen.bursts_ns <= seen.account.tls_ns);
    assert_int_equal(child_of(LS_STORM_INJECTOR_COMMAND), 0);
    assert_int_equal(child_of(LS_STORM_WORKER_COMMAND), 0);
    storm_free(&storm);
}

/* While an act's figures are written nobody listens; the signal must neither kill nor be lost. */
static void a_signal_between_two_certificates_waits_for_the_first_one_s_result(void **state)
{
    static const struct {
        int signal;
        enum ls_code code;
        const char *why;
    } rows[] = {{SIGINT, LS_EINTERRUPTED, "SIGINT"}, {SIGTERM, LS_ETERMINATED, "SIGTERM"}};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct storm storm;
        struct seen seen = {.signal_later = rows[i].signal};
        struct ls_error err;

        storm_init(&storm, "200", TWO);
        assert_int_equal(storm_run(&storm, OURSELVES, &seen, &err), rows[i].code);
        assert_string_equal(err.text, rows[i].why);
        assert_int_equal(seen.measurements, 1);
        assert_int_equal(seen.logged_in, USERS);
        assert_false(seen.partial);
        storm_free(&storm);
    }
}

/* Its logins are all there, but its stalls and its lost sessions died with it. */
static void an_injector_that_dies_after_its_last_login_is_told(void **state)
{
    struct storm storm;
    struct seen seen = {.kills = LS_STORM_INJECTOR_COMMAND, .kills_at = USERS};
    struct ls_error err;

    (void)state;
    storm_init(&storm, "200", ONE);
    assert_int_equal(storm_run(&storm, OURSELVES, &seen, &err), LS_EPARTIAL);
    assert_string_equal(err.text, "an injector died (signal 9)");
    assert_int_equal(seen.measurements, 1);
    assert_int_equal(seen.logged_in, USERS);
    assert_true(seen.partial);
    storm_free(&storm);
}

/* What happens to a storm half-way: its users are all accounted for, its code says why. */
static void a_storm_that_ends_early_gives_what_it_measured(void **state)
{
    static const struct {
        const char *kills;
        int signal;
        enum ls_code code;
        const char *why;
    } rows[] = {
        {NULL, SIGINT, LS_EINTERRUPTED, "SIGINT"},
        {NULL, SIGTERM, LS_ETERMINATED, "SIGTERM"},
        {LS_STORM_WORKER_COMMAND, 0, LS_EUNREACHABLE, "the gateway died (signal 9)"},
        {LS_STORM_INJECTOR_COMMAND, 0, LS_EPARTIAL, "an injector died (signal 9)"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct seen seen = {.kills = rows[i].kills, .signal = rows[i].signal};
        struct storm storm;
        struct ls_error err;

        print_message("%s\n", rows[i].why);
        storm_init(&storm, "60", TWO);
        assert_int_equal(storm_run(&storm, OURSELVES, &seen, &err), rows[i].code);
        assert_string_equal(err.text, rows[i].why);
        /* And no second certificate. */
        assert_int_equal(seen.measurements, 1);
        assert_true(seen.partial);
        assert_string_equal(seen.partial_why, rows[i].why);
        assert_int_equal(seen.logged_in + seen.failed + seen.cut_off, USERS);
        assert_in_range(seen.logged_in, 1, USERS - 1);
        assert_true(seen.cut_off > 0);
        assert_int_equal(child_of(LS_STORM_INJECTOR_COMMAND), 0);
        assert_int_equal(child_of(LS_STORM_WORKER_COMMAND), 0);
        storm_free(&storm);
    }
}

static void a_program_that_is_not_ours_is_an_error_and_no_hang(void **state)
{
    static const struct {
        const char *program;
        enum ls_code code;
        const char *text;
    } rows[] = {
        {"/nonexistent/loginstorm", LS_ESYSTEM,
         "cannot start a process: no such file or directory"},
        {"/bin/true", LS_EUNREACHABLE, "the gateway ended early (exit status 0)"},
        {"/bin/false", LS_EUNREACHABLE, "the gateway ended early (exit status 1)"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct seen seen = {0};
        struct storm storm;
        struct ls_error err;

        print_message("%s\n", rows[i].program);
        storm_init(&storm, "60", ONE);
        assert_int_equal(storm_run(&storm, rows[i].program, &seen, &err), rows[i].code);
        assert_string_equal(err.text, rows[i].text);
        assert_int_equal(seen.measurements, 0);
        assert_int_equal(seen.views, 0);
        storm_free(&storm);
    }
}

static void who_takes_the_measurement_can_end_the_storm(void **state)
{
    struct seen seen = {.fails = true};
    struct storm storm;
    struct ls_error err;

    (void)state;
    storm_init(&storm, "1000", TWO);
    assert_int_equal(storm_run(&storm, OURSELVES, &seen, &err), LS_EWRITE);
    assert_string_equal(err.text, "the disk is full");
    assert_int_equal(seen.measurements, 1);
    storm_free(&storm);
}

/* Two workers and two injectors: whoever gave a ticket, the other takes it; and what came before the
 * storm is in none of its counts. */
static void tickets_of_an_earlier_session_are_no_part_of_the_storm(void **state)
{
    static const char *const versions[] = {"resume: 100%", "resume: 100%, versions: [1.2]"};

    (void)state;
    for (size_t i = 0; i < sizeof versions / sizeof versions[0]; i++) {
        struct storm storm;
        struct seen seen = {0};
        struct ls_error err;

        storm_init_with(&storm, "200", TWO, versions[i]);
        if (storm_run(&storm, OURSELVES, &seen, &err) != LS_OK) {
            fail_msg("%s", err.text);
        }
        assert_true(seen.fetches >= 2);
        assert_int_equal(seen.measurements, 2);
        assert_int_equal(seen.handshakes, 2 * USERS * CONNECTIONS);
        assert_int_equal(seen.offered, seen.handshakes);
        assert_int_equal(seen.resumed, seen.handshakes);
        assert_int_equal(seen.account.accepted, USERS * CONNECTIONS);
        assert_int_equal(seen.account.server_flights, USERS * CONNECTIONS);
        assert_int_equal(seen.account.secured, USERS * CONNECTIONS);
        assert_int_equal(seen.account.failed, 0);
        /* Those that fetched the tickets are not among them. */
        assert_int_equal(seen.account.bursts_count, USERS * CONNECTIONS);
        storm_free(&storm);
    }
}

static void an_end_while_tickets_are_fetched_is_clean(void **state)
{
    static const struct {
        const char *kills;
        int signal;
        enum ls_code code;
        const char *why;
    } rows[] = {
        {NULL, SIGINT, LS_EINTERRUPTED, "SIGINT"},
        {NULL, SIGTERM, LS_ETERMINATED, "SIGTERM"},
        {LS_STORM_WORKER_COMMAND, 0, LS_EUNREACHABLE, "the gateway died (signal 9)"},
        {LS_STORM_INJECTOR_COMMAND, 0, LS_EPARTIAL, "an injector died (signal 9)"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct seen seen = {.kills = rows[i].kills, .signal = rows[i].signal, .fetching = true};
        struct storm storm;
        struct ls_error err;

        print_message("%s\n", rows[i].why);
        storm_init_with(&storm, "200", TWO, "resume: 100%");
        assert_int_equal(storm_run(&storm, OURSELVES, &seen, &err), rows[i].code);
        assert_string_equal(err.text, rows[i].why);
        assert_int_equal(seen.measurements, 0);
        assert_int_equal(seen.views, 0);
        assert_int_equal(child_of(LS_STORM_INJECTOR_COMMAND), 0);
        assert_int_equal(child_of(LS_STORM_WORKER_COMMAND), 0);
        storm_free(&storm);
    }
}

static int set_up(void **state)
{
    struct ls_error err;

    (void)state;
    (void)signal(SIGPIPE, SIG_IGN);
    return ls_tls_start(&err) == LS_OK ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    ls_tls_stop();
    return 0;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_certificate_gets_the_whole_storm),
        cmocka_unit_test(a_storm_that_ends_early_gives_what_it_measured),
        cmocka_unit_test(an_injector_that_dies_after_its_last_login_is_told),
        cmocka_unit_test(a_signal_between_two_certificates_waits_for_the_first_one_s_result),
        cmocka_unit_test(a_program_that_is_not_ours_is_an_error_and_no_hang),
        cmocka_unit_test(who_takes_the_measurement_can_end_the_storm),
        cmocka_unit_test(tickets_of_an_earlier_session_are_no_part_of_the_storm),
        cmocka_unit_test(an_end_while_tickets_are_fetched_is_clean),
    };

    if (argc == 2 && strcmp(argv[1], LS_STORM_INJECTOR_COMMAND) == 0) {
        return ls_storm_injector_main();
    }
    if (argc == 2 && strcmp(argv[1], LS_STORM_WORKER_COMMAND) == 0) {
        return ls_storm_worker_main();
    }
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
