/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <unistd.h>

#include "report/html.h"
#include "unit/record/comparison_sample.h"
#include "unit/report/sample.h"

static const struct ls_report_look look = {.columns = 80, .utf8 = true};

/* What is written by some of the page's own means. */
struct written {
    struct page page;
    char *text;
    size_t size;
};

static void written_open(struct written *written)
{
    *written = (struct written){.page = {.look = &look, .html = true}};
    written->page.out = open_memstream(&written->text, &written->size);
    assert_non_null(written->page.out);
}

static const char *written_close(struct written *written)
{
    assert_int_equal(fclose(written->page.out), 0);
    assert_false(written->page.no_memory);
    return written->text;
}

static void what_came_from_outside_is_text_and_nothing_else(void **state)
{
    static const struct {
        const char *why, *text, *html, *json;
    } rows[] = {
        {"plain", "RSA 4096", "RSA 4096", "\"RSA 4096\""},
        {"an element", "<b>", "&lt;b&gt;", "\"\\u003cb\\u003e\""},
        {"the end of a script", "</script>", "&lt;/script&gt;", "\"\\u003c/script\\u003e\""},
        {"a comment", "<!--", "&lt;!--", "\"\\u003c!--\""},
        {"an entity", "&lt;", "&amp;lt;", "\"\\u0026lt;\""},
        {"the end of an attribute", "\" onload='x'", "&quot; onload=&#39;x&#39;",
         "\"\\\" onload='x'\""},
        {"a backslash", "a\\\"", "a\\&quot;", "\"a\\\\\\\"\""},
        {"lines", "a\nb\r\tc", "a?b??c", "\"a?b??c\""},
        {"a separator that ends a line of a script",
         "a\xe2\x80\xa8"
         "b",
         "a?b", "\"a?b\""},
        {"a change of direction",
         "a\xe2\x80\xae"
         "b",
         "a?b", "\"a?b\""},
        {"broken UTF-8", "a\xff\xc3", "a??", "\"a??\""},
        {"other letters", "Zürich €", "Zürich €", "\"Zürich €\""},
        {"nothing", "", "", "\"\""},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct written html, json;

        written_open(&html);
        html_text(&html.page, rows[i].text);
        written_open(&json);
        json_text(&json.page, rows[i].text);
        if (strcmp(written_close(&html), rows[i].html) != 0 ||
            strcmp(written_close(&json), rows[i].json) != 0) {
            fail_msg("%s: %s %s", rows[i].why, html.text, json.text);
        }
        free(html.text);
        free(json.text);
    }
}

static void a_hash_is_as_a_policy_names_it(void **state)
{
    /* Of nothing, as RFC 6234's test vectors and every browser have it. */
    static const unsigned char empty[32] = {0xe3, 0xb0, 0xc4, 0x42, 0x98, 0xfc, 0x1c, 0x14,
                                            0x9a, 0xfb, 0xf4, 0xc8, 0x99, 0x6f, 0xb9, 0x24,
                                            0x27, 0xae, 0x41, 0xe4, 0x64, 0x9b, 0x93, 0x4c,
                                            0xa4, 0x95, 0x99, 0x1b, 0x78, 0x52, 0xb8, 0x55};
    char hash[64];

    (void)state;
    html_hash(empty, hash, sizeof hash);
    assert_string_equal(hash, "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
}

static char *page_of(const struct ls_result *result)
{
    return sample_written(result, ls_report_html);
}

static size_t count_of(const char *text, const char *part)
{
    size_t count = 0;

    for (const char *at = strstr(text, part); at != NULL; at = strstr(at + 1, part)) {
        count++;
    }
    return count;
}

/* The policy's word for what lies between begin and end, by a program that is not ours. */
static void assert_in_policy(const char *text, const char *begin, const char *end)
{
    char path[] = "/tmp/loginstorm-html.XXXXXX", command[128], hash[128] = "'sha256-";
    const int fd = mkstemp(path);
    const char *closing = strstr(begin, end);
    FILE *told;

    assert_true(fd >= 0);
    assert_non_null(closing);
    assert_int_equal(write(fd, begin, (size_t)(closing - begin)), closing - begin);
    assert_int_equal(close(fd), 0);
    (void)snprintf(command, sizeof command, "openssl dgst -sha256 -binary %s | base64 -w 0", path);
    told = popen(command, "r");
    assert_non_null(told);
    assert_non_null(fgets(hash + 8, (int)sizeof hash - 10, told));
    assert_int_equal(pclose(told), 0);
    (void)unlink(path);
    assert_int_equal(strlen(hash), 8 + 44);
    (void)strcat(hash, "'");
    assert_int_equal(count_of(text, hash), 1);
}

static void the_policy_lets_the_page_s_own_scripts_run_and_nothing_else(void **state)
{
    struct sample sample;
    const char *at, *policy, *body;
    char *text;

    (void)state;
    sample_init(&sample);
    text = page_of(&sample.result);
    policy = strstr(
        text,
        "content=\"default-src 'none'; base-uri 'none'; form-action 'none'; script-src 'sha256-");
    assert_non_null(policy);
    assert_true(policy < strstr(text, "<style>")); /* before anything that it is about */
    assert_null(strstr(text, "unsafe"));
    assert_null(strstr(text, "connect-src"));
    assert_null(strstr(text, "sourceMappingURL"));
    assert_int_equal(count_of(text, "<script>"), 2);
    assert_int_equal(count_of(text, "<style>"), 2);
    assert_int_equal(count_of(text, "'sha256-"), 4);
    body = strstr(text, "<body>");
    at = strstr(body, " style=\""); /* of a script, that is, which never comes to it */
    assert_true(at == NULL || at > strstr(body, "<script>"));
    at = text;
    while ((at = strstr(at, "<script>")) != NULL) {
        at += strlen("<script>");
        assert_in_policy(text, at, "</script>");
    }
    at = text;
    while ((at = strstr(at, "<style>")) != NULL) {
        at += strlen("<style>");
        assert_in_policy(text, at, "</style>");
    }
    free(text);
    sample_clear(&sample);
}

static void a_page_tells_what_the_text_report_tells(void **state)
{
    static const char *const parts[] = {
        "<title>Monday morning, 6,000 users</title>",
        "<h1>Monday morning, 6,000 users</h1>",
        "<p>6,000 users · 08:00-09:00 at 60 times its pace · seed 20261130</p>",
        "Does it stand?",
        "<p class=\"care\">measurement: ECDSA P-384: suspect",
        "<p class=\"bad\">target failed: ",
        "<tr><th scope=\"row\">ECDSA P-256</th><td>5,988</td><td class=\"bad\">12</td>",
        "connect_refused",
        "<figure class=\"picture\" data-picture=\"logins\"",
        "<figure class=\"picture\" data-picture=\"latency\" data-run=\"2\"",
        "<p>note: the scenario&#39;s events are left out</p>",
        "\"distribution\":[[0,7880],",
        "<td>Client Hello</td><td>250</td>",
    };
    struct sample sample;
    char *text;

    (void)state;
    sample_init(&sample);
    text = page_of(&sample.result);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (strstr(text, parts[i]) == NULL) {
            fail_msg("no %s", parts[i]);
        }
    }
    assert_int_equal(count_of(text, "<figure"), count_of(text, "<details><summary>"));
    assert_int_equal(count_of(text, "<section"), count_of(text, "</section>"));
    assert_int_equal(count_of(text, "<table"), count_of(text, "</table>"));
    assert_int_equal(count_of(text, "<div"), count_of(text, "</div>"));
    free(text);
    sample_clear(&sample);
}

static void names_from_outside_make_no_element(void **state)
{
    static char name[] = "</script><img src=x onerror=alert(1)>";
    struct sample sample;
    char *text, *plain;

    (void)state;
    sample_init(&sample);
    plain = page_of(&sample.result);
    sample.result.name = sample.result.placement = sample.result.timezone = name;
    sample.result.sha256 = sample.result.host_cpu = sample.result.host_kernel = name;
    sample.result.tls_library = sample.result.tls_build = sample.result.created = name;
    sample.notes[0] = name;
    for (size_t i = 0; i < 3; i++) {
        free(sample.runs[i].certificate);
        sample.runs[i].certificate = strdup(name);
    }
    text = page_of(&sample.result);
    assert_int_equal(count_of(text, "<"), count_of(plain, "<"));
    assert_null(strstr(text, "<img"));
    assert_true(count_of(text, "&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt;") > 10);
    free(text);
    free(plain);
    sample_clear(&sample);
}

/* As long as a timeline can be, a dozen times, of as many users as there can be. */
static void a_page_stays_below_a_megabyte(void **state)
{
    enum { SLICES = 10000, RUNS = 12 };
    struct ls_moment *moments = calloc(SLICES, sizeof *moments);
    struct ls_run runs[RUNS];
    struct sample sample;
    char *text;

    (void)state;
    assert_non_null(moments);
    for (int64_t i = 0; i < SLICES; i++) {
        moments[i] = (struct ls_moment){.at_ns = i * LS_NS_PER_MIN,
                                        .due = 1234567 + i,
                                        .logged_in = 1234567 - i,
                                        .failed = i,
                                        .in_flight = 7654321 + i,
                                        .p50_ns = 123456789012 + i * 977,
                                        .p99_ns = 223456789012 + i * 977,
                                        .p100_ns = 323456789012 + i * 977,
                                        .gateway_cpu_share = 12.3456789 + (double)i / 3};
    }
    sample_init(&sample);
    for (size_t i = 0; i < RUNS; i++) {
        runs[i] = sample.runs[0];
        runs[i].timeline = moments;
        runs[i].timeline_count = SLICES;
        runs[i].slice_ns = LS_NS_PER_MIN;
        runs[i].login_distribution.points_count = LS_POINTS_MAX;
        for (size_t p = 0; p < LS_POINTS_MAX; p++) {
            runs[i].login_distribution.points[p] =
                (struct ls_point){1 - 1.0 / (double)(p + 1), 123456789012 + (int64_t)p};
        }
    }
    sample.result.users = 1000000000;
    sample.result.runs = runs;
    sample.result.runs_count = RUNS;
    text = page_of(&sample.result);
    assert_true(strlen(text) < 1000000);
    assert_non_null(strstr(text, "latencies and logins under way are the largest, cores the mean"));
    free(text);
    free(moments);
    sample_clear(&sample);
}

static void of_many_certificates_the_tables_have_all(void **state)
{
    struct ls_run runs[30];
    struct sample sample;
    char *text;

    (void)state;
    sample_init(&sample);
    for (size_t i = 0; i < 30; i++) {
        runs[i] = sample.runs[i % 3];
    }
    sample.result.runs = runs;
    sample.result.runs_count = 30;
    text = page_of(&sample.result);
    assert_int_equal(count_of(text, "class=\"picture\" data-picture=\"latency\""), 12);
    assert_non_null(strstr(text, "The pictures show the first 12 of 30 certificates"));
    assert_int_equal(count_of(text, "<tr><th scope=\"row\">RSA 4096</th><td>6,000</td>"), 10);
    free(text);
    sample_clear(&sample);
}

static void what_holds_little_makes_a_page_too(void **state)
{
    static const struct {
        const char *why, *part;
        bool none, partial, closed;
    } rows[] = {
        {"no run", "Nothing was measured.", true, false, false},
        {"ended early", "PARTIAL RESULT", false, true, false},
        {"closed loops", "These were closed loops", false, false, true},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct sample sample;
        char *text;

        sample_init(&sample);
        sample.result.runs_count = rows[i].none ? 0 : 3;
        sample.result.partial = rows[i].partial;
        sample.result.closed = rows[i].closed;
        sample.result.name = NULL;
        text = page_of(&sample.result);
        assert_non_null(strstr(text, "<h1>A login storm</h1>"));
        if (strstr(text, rows[i].part) == NULL) {
            fail_msg("%s: no %s", rows[i].why, rows[i].part);
        }
        free(text);
        sample_clear(&sample);
    }
}

static void a_comparison_has_its_page(void **state)
{
    struct ls_comparison *comparison = comparison_sample();
    size_t size;
    char *text;
    FILE *stream = open_memstream(&text, &size);

    (void)state;
    assert_int_equal(ls_report_comparison_html(comparison, stream, NULL), LS_OK);
    assert_int_equal(fclose(stream), 0);
    assert_non_null(strstr(text, "Which certificate?"));
    assert_non_null(strstr(text, "95 % interval</th>"));
    assert_int_equal(count_of(text, "<figure"), 0);
    free(text);
    ls_comparison_free(comparison);
}

static void a_live_page_may_ask_its_own_server_and_nobody_else(void **state)
{
    struct sample sample;
    size_t size;
    char *text;
    FILE *stream = open_memstream(&text, &size);

    (void)state;
    sample_init(&sample);
    sample.result.runs_count = 0;
    assert_int_equal(ls_report_live_html(&sample.result, "/events", 1, stream, NULL), LS_OK);
    assert_int_equal(fclose(stream), 0);
    assert_non_null(strstr(text, "; connect-src 'self'\">"));
    assert_non_null(strstr(text, "\"stream\":\"/events\",\"cores\":1,\"runs\":[]}"));
    assert_non_null(strstr(text, "data-picture=\"logins\""));
    assert_non_null(strstr(text, "id=\"live\""));
    free(text);
    sample_clear(&sample);
}

static void a_full_disk_is_told(void **state)
{
    (void)state;
    assert_full_disk("the report", ls_report_html);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_came_from_outside_is_text_and_nothing_else),
        cmocka_unit_test(a_hash_is_as_a_policy_names_it),
        cmocka_unit_test(the_policy_lets_the_page_s_own_scripts_run_and_nothing_else),
        cmocka_unit_test(a_page_tells_what_the_text_report_tells),
        cmocka_unit_test(names_from_outside_make_no_element),
        cmocka_unit_test(a_page_stays_below_a_megabyte),
        cmocka_unit_test(of_many_certificates_the_tables_have_all),
        cmocka_unit_test(what_holds_little_makes_a_page_too),
        cmocka_unit_test(a_comparison_has_its_page),
        cmocka_unit_test(a_live_page_may_ask_its_own_server_and_nobody_else),
        cmocka_unit_test(a_full_disk_is_told),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
