/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exporters that answer as they are told, on loopback, and a cgroup that is a folder. */
#include "loginstorm/meter.h"

#include <arpa/inet.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "loginstorm/units.h"
#include "meter/cgroup.h"

#define NODE(value) "node_cpu_seconds_total{cpu=\"0\",mode=\"user\"} " value "\n"
#define OK_HEAD "HTTP/1.1 200 OK\r\nConnection: close\r\n"
#define ANSWER(body) OK_HEAD "\r\n" body

/* One answer a connection, each in its turn; the last one for ever. */
struct exporter {
    pid_t pid;
    int port;
    char url[64];
};

enum trick { SAYS, HANGS, HUGE_ANSWER };

static void serve(int listener, const char *const *answers, enum trick trick)
{
    static char block[1 << 20];

    memset(block, '#', sizeof block);
    for (;;) {
        const int fd = accept(listener, NULL, NULL);
        char request[4096];

        (void)!read(fd, request, sizeof request);
        if (trick == HANGS) {
            (void)pause();
        }
        (void)!write(fd, *answers, strlen(*answers));
        for (int i = 0; trick == HUGE_ANSWER && i < 40; i++) {
            if (write(fd, block, sizeof block) < 0) {
                break;
            }
        }
        (void)close(fd);
        answers += answers[1] != NULL;
    }
}

static void start(struct exporter *exporter, const char *const *answers, enum trick trick)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    const int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    assert_int_equal(bind(listener, (struct sockaddr *)&address, size), 0);
    assert_int_equal(listen(listener, 16), 0);
    assert_int_equal(getsockname(listener, (struct sockaddr *)&address, &size), 0);
    exporter->port = ntohs(address.sin_port);
    (void)snprintf(exporter->url, sizeof exporter->url, "http://127.0.0.1:%d/metrics",
                   exporter->port);
    exporter->pid = fork();
    assert_true(exporter->pid >= 0);
    if (exporter->pid == 0) {
        (void)signal(SIGPIPE, SIG_IGN);
        serve(listener, answers, trick);
    }
    (void)close(listener);
}

static void stop(const struct exporter *exporter)
{
    assert_int_equal(kill(exporter->pid, SIGKILL), 0);
    assert_int_equal(waitpid(exporter->pid, NULL, 0), exporter->pid);
}

struct seen {
    int reads, failures;
    struct ls_watch_reading last;
    struct ls_error why;
};

static void on_read(const struct ls_watch_reading *reading, void *data)
{
    struct seen *seen = data;

    seen->reads++;
    seen->last = *reading;
}

static void on_failed(const struct ls_error *why, void *data)
{
    struct seen *seen = data;

    seen->failures++;
    seen->why = *why;
}

static struct ls_watch *watch(uv_loop_t *loop, const struct ls_watch_wish *base, struct seen *seen)
{
    struct ls_watch_wish wish = *base;
    struct ls_watch *watch;
    struct ls_error err = {0};

    wish.read = on_read;
    wish.failed = on_failed;
    wish.data = seen;
    if (ls_watch_new(&watch, loop, &wish, &err) != LS_OK) {
        fail_msg("%s", err.text);
    }
    return watch;
}

static void ask(uv_loop_t *loop, struct ls_watch *watch)
{
    ls_watch_ask(watch);
    while (ls_watch_is_asking(watch)) {
        (void)uv_run(loop, UV_RUN_ONCE);
    }
}

static void end(uv_loop_t *loop, struct ls_watch *watch)
{
    ls_watch_close(watch);
    assert_int_equal(uv_run(loop, UV_RUN_DEFAULT), 0);
    ls_watch_free(watch);
    assert_int_equal(uv_loop_close(loop), 0);
}

static void an_exporter_is_read_again_and_again(void **state)
{
    static const char *const answers[] = {
        OK_HEAD "Date: Tue, 01 Dec 2026 00:00:00 GMT\r\n\r\n" NODE("1"), ANSWER(NODE("1.03125")),
        OK_HEAD "\r\n" NODE("1.0625") "node_time_seconds 1000\nnode_boot_time_seconds 5\n", NULL};
    struct exporter exporter;
    struct seen seen = {0};
    struct ls_watch *one;
    const int64_t before_ns = ls_now_ns();
    uv_loop_t loop;

    (void)state;
    start(&exporter, answers, SAYS);
    assert_int_equal(uv_loop_init(&loop), 0);
    one = watch(&loop, &(struct ls_watch_wish){.from = LS_WATCH_EXPORTER, .url = exporter.url},
                &seen);
    ask(&loop, one);
    assert_int_equal(seen.reads, 1);
    assert_int_equal(seen.last.cpu_ns, 0);
    assert_true(seen.last.at_ns >= before_ns && seen.last.at_ns <= ls_now_ns());
    assert_true(ls_watch_facts(one)->whole_machine);
    assert_true(ls_watch_facts(one)->this_machine);
    assert_string_equal(ls_watch_facts(one)->offset_from, "its Date, in whole seconds");
    ask(&loop, one);
    assert_int_equal(seen.last.cpu_ns, 31250 * LS_NS_PER_US);
    assert_int_equal(seen.last.user_ns, 31250 * LS_NS_PER_US);
    /* The end of a tunnel is here, the machine is not: it was started at another time. */
    ask(&loop, one);
    assert_int_equal(seen.last.cpu_ns, 62500 * LS_NS_PER_US);
    assert_false(ls_watch_facts(one)->this_machine);
    assert_string_equal(ls_watch_facts(one)->offset_from, "node_time_seconds");
    assert_true(ls_watch_facts(one)->offset_ns < -LS_NS_PER_DAY);
    assert_int_equal(seen.failures, 0);
    end(&loop, one);
    stop(&exporter);
}

static void what_is_no_answer_is_no_reading_and_the_next_may_be_one(void **state)
{
    static const struct {
        const char *answer, *part, *why;
        enum trick trick;
    } rows[] = {
        {"HTTP/1.1 404 Not Found\r\nConnection: close\r\n\r\n",
         "answers with status 404 instead of 200", "another path", SAYS},
        {"HTTP/1.1 302 Found\r\nLocation: file:///etc/passwd\r\nConnection: close\r\n\r\n",
         "answers with status 302 instead of 200", "a redirect", SAYS},
        {"", "Server returned nothing", "it hung up", SAYS},
        {ANSWER("<html>\n"), "line 1 of the exporter's answer is no metric", "a page", SAYS},
        {ANSWER(NODE("NaN")), "node_cpu_seconds_total (cpu 0, user) is nan, which is no CPU time",
         "no time", SAYS},
        {ANSWER("up 1\n"), "tells no CPU time", "another exporter", SAYS},
        {OK_HEAD "\r\n", "answers with more than 32 MiB", "no end of it", HUGE_ANSWER},
        {"", "Timeout was reached", "it does not answer", HANGS},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *const answers[] = {ANSWER(NODE("1")), rows[i].answer, ANSWER(NODE("1.0625")),
                                       NULL};
        const char *const *first = rows[i].trick == SAYS ? answers : answers + 1;
        struct exporter exporter;
        struct seen seen = {0};
        struct ls_watch *one;
        uv_loop_t loop;

        start(&exporter, first, rows[i].trick);
        assert_int_equal(uv_loop_init(&loop), 0);
        one = watch(&loop, &(struct ls_watch_wish){.from = LS_WATCH_EXPORTER, .url = exporter.url},
                    &seen);
        for (int n = 0; n < (rows[i].trick == SAYS ? 3 : 1); n++) {
            ask(&loop, one);
        }
        if (seen.failures != 1 || strstr(seen.why.text, rows[i].part) == NULL) {
            fail_msg("%s: %s", rows[i].why, seen.why.text);
        }
        if (rows[i].trick == SAYS) {
            assert_int_equal(seen.reads, 2);
            assert_int_equal(seen.last.cpu_ns,
                             62500 * LS_NS_PER_US); /* nothing was lost meanwhile */
        }
        end(&loop, one);
        stop(&exporter);
    }
}

static void what_was_asked_can_be_taken_back(void **state)
{
    static const char *const answers[] = {"", NULL};
    struct exporter exporter;
    struct seen seen = {0};
    struct ls_watch *one;
    uv_loop_t loop;

    (void)state;
    start(&exporter, answers, HANGS);
    assert_int_equal(uv_loop_init(&loop), 0);
    one = watch(&loop, &(struct ls_watch_wish){.from = LS_WATCH_EXPORTER, .url = exporter.url},
                &seen);
    ls_watch_ask(one);
    for (int i = 0; i < 3; i++) {
        (void)uv_run(&loop, UV_RUN_NOWAIT);
    }
    assert_true(ls_watch_is_asking(one));
    end(&loop, one);
    assert_int_equal(seen.reads + seen.failures, 0);
    stop(&exporter);
}

static void an_exporter_that_is_not_there_is_named(void **state)
{
    static const char *const urls[] = {"http://127.0.0.1:1/metrics",
                                       "http://nobody.invalid/metrics",
                                       "https://127.0.0.1:1/metrics", "http://[::1]:1/metrics"};

    (void)state;
    for (size_t i = 0; i < sizeof urls / sizeof urls[0]; i++) {
        struct seen seen = {0};
        struct ls_watch *one;
        uv_loop_t loop;

        assert_int_equal(uv_loop_init(&loop), 0);
        one =
            watch(&loop, &(struct ls_watch_wish){.from = LS_WATCH_EXPORTER, .url = urls[i]}, &seen);
        ask(&loop, one);
        assert_int_equal(seen.failures, 1);
        assert_int_equal(seen.why.code, LS_EUNREACHABLE);
        assert_int_equal(strncmp(seen.why.text, urls[i], strlen(urls[i])), 0);
        end(&loop, one);
    }
}

static void put_stat(const char *folder, const char *text)
{
    char path[128];
    FILE *file;

    (void)snprintf(path, sizeof path, "%s/cpu.stat", folder);
    file = fopen(path, "we");
    assert_non_null(file);
    (void)fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static void a_cgroup_is_read_in_microseconds_and_may_be_made_anew(void **state)
{
    char folder[] = "/tmp/loginstorm-cgroup.XXXXXX", path[64];
    struct seen seen = {0};
    struct ls_watch *one;
    uv_loop_t loop;

    (void)state;
    assert_non_null(mkdtemp(folder));
    put_stat(folder, "usage_usec 1000\nuser_usec 700\nsystem_usec 300\nnice_usec 0\n");
    assert_int_equal(uv_loop_init(&loop), 0);
    one = watch(&loop, &(struct ls_watch_wish){.from = LS_WATCH_CGROUP, .path = folder}, &seen);
    ask(&loop, one);
    assert_int_equal(seen.last.cpu_ns, 0);
    put_stat(folder, "usage_usec 1500\nuser_usec 900\nsystem_usec 600\n");
    ask(&loop, one);
    assert_int_equal(seen.last.cpu_ns, 500 * LS_NS_PER_US);
    assert_int_equal(seen.last.user_ns, 200 * LS_NS_PER_US);
    assert_int_equal(seen.last.system_ns, 300 * LS_NS_PER_US);
    (void)snprintf(path, sizeof path, "%s/cpu.stat", folder);
    assert_int_equal(unlink(path), 0);
    ask(&loop, one);
    assert_int_equal(seen.failures, 1);
    assert_int_equal(strncmp(seen.why.text, "the cgroup is gone (", 20), 0);
    put_stat(folder, "usage_usec 40\nuser_usec 30\nsystem_usec 10\n");
    ask(&loop, one);
    assert_int_equal(seen.last.cpu_ns, 540 * LS_NS_PER_US);
    assert_int_equal(ls_watch_facts(one)->restarts, 1);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(folder), 0);
    end(&loop, one);
}

static void
a_cgroup_that_steps_back_has_not_moved_and_one_that_leaps_is_never_read_again(void **state)
{
    static const struct {
        int64_t usage_us, cpu_us, back_us;
        const char *why;
    } rows[] = {
        {1667000000, 0, 0, "where it begins"},
        {1666999000, 0, 1000, "back by a little"},
        {1667000500, 500, 1000, "and on: beyond where it was"},
        {9999000000000, -1, 1000, "more than the cores can"},
        {1667000600, -1, 1000, "and back"},
    };
    char folder[] = "/tmp/loginstorm-cgroup.XXXXXX", path[64], text[64];
    struct cgroup cgroup;

    (void)state;
    assert_non_null(mkdtemp(folder));
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct ls_error err = {0};
        struct spent spent = {0};
        enum ls_code code;

        (void)snprintf(text, sizeof text, "usage_usec %lld\n", (long long)rows[i].usage_us);
        put_stat(folder, text);
        if (i == 0) {
            assert_int_equal(cgroup_open(&cgroup, folder, &err), LS_OK);
        }
        code = cgroup_read(&cgroup, &spent, &err);
        if ((code == LS_OK) != (rows[i].cpu_us >= 0) ||
            (code == LS_OK
                 ? spent.cpu_ns != rows[i].cpu_us * LS_NS_PER_US
                 : strstr(err.text, "usage_usec went from 1667.000500 to 9999000.000000 s") ==
                       NULL) ||
            cgroup.back_ns != rows[i].back_us * LS_NS_PER_US || cgroup.restarts != 0) {
            fail_msg("%s: %lld ns, back by %lld: %s", rows[i].why, (long long)spent.cpu_ns,
                     (long long)cgroup.back_ns, err.text);
        }
    }
    (void)snprintf(path, sizeof path, "%s/cpu.stat", folder);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(folder), 0);
}

static void what_is_no_cgroup_is_refused(void **state)
{
    static const char *const paths[] = {"no/such.slice", "/no/such.slice"};

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct cgroup cgroup;
        struct ls_error err = {0};

        assert_int_equal(cgroup_open(&cgroup, paths[i], &err), LS_EINPUT);
        assert_non_null(strstr(err.text, "cgroup v2"));
    }
}

static void a_process_is_read_at_once(void **state)
{
    struct seen seen = {0};
    struct ls_watch *one;
    uv_loop_t loop;

    (void)state;
    assert_int_equal(uv_loop_init(&loop), 0);
    one = watch(&loop, &(struct ls_watch_wish){.from = LS_WATCH_PROCESS, .pid = 1}, &seen);
    ls_watch_ask(one);
    assert_false(ls_watch_is_asking(one));
    assert_int_equal(seen.reads, 1);
    assert_true(seen.last.cpu_ns >= 0);
    assert_true(ls_watch_facts(one)->most >= 1);
    assert_false(ls_watch_facts(one)->whole_machine);
    assert_string_equal(ls_watch_facts(one)->counted, "process 1 and its children");
    end(&loop, one);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_exporter_is_read_again_and_again),
        cmocka_unit_test(what_is_no_answer_is_no_reading_and_the_next_may_be_one),
        cmocka_unit_test(what_was_asked_can_be_taken_back),
        cmocka_unit_test(an_exporter_that_is_not_there_is_named),
        cmocka_unit_test(a_cgroup_is_read_in_microseconds_and_may_be_made_anew),
        cmocka_unit_test(
            a_cgroup_that_steps_back_has_not_moved_and_one_that_leaps_is_never_read_again),
        cmocka_unit_test(what_is_no_cgroup_is_refused),
        cmocka_unit_test(a_process_is_read_at_once),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
