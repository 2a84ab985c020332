/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <signal.h>

#include "loginstorm/live.h"
#include "unit/live/kit.h"

static char got[1 << 16];

static struct ls_live *open_live(struct kit *kit)
{
    const struct ls_live_wish wish = {
        .address = "127.0.0.1:0", .page = PAGE, .page_bytes = strlen(PAGE), .policy = POLICY};
    struct ls_error err = {0};
    struct ls_live *live;
    unsigned port;

    if (ls_live_open(&live, &wish, &err) != LS_OK) {
        fail_msg("%s", err.text);
    }
    assert_int_equal(sscanf(ls_live_url(live), "http://127.0.0.1:%u/", &port), 1);
    assert_false(ls_live_is_public(live));
    kit->port = (uint16_t)port;
    return live;
}

static size_t open_files(void)
{
    DIR *folder = opendir("/proc/self/fd");
    size_t count = 0;

    assert_non_null(folder);
    while (readdir(folder) != NULL) {
        count++;
    }
    (void)closedir(folder);
    return count;
}

static void points_and_steps_reach_a_browser_and_the_end_does(void **state)
{
    const struct ls_live_point point = {.name = "RSA 4096", .repeat = 1, .logged_in = 7};
    const size_t files = open_files();
    struct ls_error err;
    struct kit kit;
    struct ls_live *live = open_live(&kit);
    pid_t browser;
    int fd = kit_ask(&kit, WATCH);

    (void)state;
    ls_live_step(live, "making a key: RSA 4096");
    ls_live_point(live, &point);
    kit_await(fd, "\"logged_in\":7,", got, sizeof got);
    assert_non_null(strstr(got, "event: step\ndata: {\"text\":\"making a key: RSA 4096\"}\n\n"));
    assert_non_null(strstr(got, "event: point\ndata: {"));
    browser = fork();
    if (browser == 0) { /* it fetches what it is sent to, while the conductor waits */
        kit_await(fd, "event: end\ndata: {\"report\":\"/etc/passwd\",\"text\":null}", got,
                  sizeof got);
        kit_get(&kit, "/report.html", "", got, sizeof got);
        _exit(strstr(got, "root:") != NULL ? 0 : 1);
    }
    (void)close(fd);
    assert_int_equal(ls_live_end(live, "/etc/passwd", NULL, &err), LS_OK);
    {
        int status;

        assert_int_equal(waitpid(browser, &status, 0), browser);
        assert_int_equal(status, 0);
    }
    assert_int_equal(open_files(), files);
}

static void a_server_that_stands_still_keeps_nobody_waiting(void **state)
{
    const struct ls_live_point point = {.name = "RSA 4096", .repeat = 1};
    struct ls_error err;
    struct kit kit;
    struct ls_live *live = open_live(&kit);
    char word[64];
    FILE *children;
    int server = 0;

    (void)state;
    (void)snprintf(word, sizeof word, "/proc/self/task/%d/children", (int)getpid());
    children = fopen(word, "r");
    assert_non_null(children);
    assert_int_equal(fscanf(children, "%d", &server), 1);
    (void)fclose(children);
    assert_int_equal(kill(server, SIGSTOP), 0);
    for (int i = 0; i < 100000; i++) { /* more than any pipe holds */
        ls_live_point(live, &point);
    }
    assert_int_equal(kill(server, SIGKILL), 0);
    for (int i = 0; i < 10; i++) {
        ls_live_point(live, &point);
    }
    assert_int_equal(ls_live_end(live, NULL, "SIGINT", &err), LS_EBROKEN);
    assert_non_null(strstr(err.text, "died (signal 9)"));
}

static void a_name_too_long_for_a_message_is_no_point(void **state)
{
    static char name[2 * FEED_MESSAGE_MAX];
    const struct ls_live_point long_one = {.name = name, .repeat = 1};
    const struct ls_live_point short_one = {.name = "short", .repeat = 1};
    struct ls_error err;
    struct kit kit;
    struct ls_live *live = open_live(&kit);
    int fd = kit_ask(&kit, WATCH);

    (void)state;
    memset(name, 'x', sizeof name - 1);
    ls_live_point(live, &long_one);
    ls_live_point(live, &short_one);
    kit_await(fd, "\"name\":\"short\"", got, sizeof got);
    assert_null(strstr(got, "xxxx"));
    (void)close(fd);
    assert_int_equal(ls_live_end(live, NULL, NULL, &err), LS_OK);
}

static void what_cannot_listen_leaves_nothing_behind(void **state)
{
    const size_t files = open_files();
    struct ls_live_wish wish = {.address = "192.0.2.1:8090", .page = "", .page_bytes = 0};
    struct ls_error err;
    struct ls_live *live;

    (void)state;
    assert_int_equal(ls_live_open(&live, &wish, &err), LS_ECREATE);
    assert_null(live);
    wish.address = "nowhere";
    assert_int_equal(ls_live_open(&live, &wish, &err), LS_EUSAGE);
    assert_null(live);
    assert_int_equal(open_files(), files);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(ls_live_end(NULL, NULL, NULL, &err), LS_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_and_steps_reach_a_browser_and_the_end_does),
        cmocka_unit_test(a_server_that_stands_still_keeps_nobody_waiting),
        cmocka_unit_test(a_name_too_long_for_a_message_is_no_point),
        cmocka_unit_test(what_cannot_listen_leaves_nothing_behind),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
