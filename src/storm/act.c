/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "storm/act.h"

#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "loginstorm/engine.h"
#include "loginstorm/units.h"
#include "storm/target.h"

#define SAMPLE_MS 100
#define FETCH_TOLD_NS LS_NS_PER_S
/* Fewer failures than that say nothing of a gateway. */
#define DEAD_MAN_LEAST 10
/* The clock on the wall may be set while an act waits for its start. */
#define WAITER_MS 1000
/* ... and who is to be told of his start asks so often. */
#define ASK_MS 50
/* A process that has not answered by then never will; letting go of many thousand sessions takes
 * seconds. */
#define START_PATIENCE_MS 60000
#define ANSWER_PATIENCE_MS 10000
#define END_PATIENCE_MS 60000
/* At a terminal somebody waits for the end that he asked for; what stands still is killed. */
#define SIGNAL_PATIENCE_MS 3000

static void advance(struct act *act);
static void on_waiter(uv_timer_t *waiter);

static void to_all(struct act *act, bool workers, const char *line)
{
    const int first = workers ? 0 : act->workers;
    const int count = workers ? act->workers : act->injectors;

    for (int i = first; i < first + count; i++) {
        if (act->children[i].spawned && !act->children[i].gone) {
            control_send(&act->children[i].control, "%s", line);
        }
    }
}

static void on_watchdog(uv_timer_t *timer);

static void enter(struct act *act, enum act_state state, uint64_t patience_ms)
{
    act->state = state;
    if (patience_ms == 0) {
        (void)uv_timer_stop(&act->watchdog);
    } else {
        (void)uv_timer_start(&act->watchdog, on_watchdog, patience_ms, 0);
    }
}

static bool is_signalled(const struct act *act)
{
    return act->why.code == LS_EINTERRUPTED || act->why.code == LS_ETERMINATED;
}

static uint64_t end_patience_ms(const struct act *act)
{
    return is_signalled(act) ? SIGNAL_PATIENCE_MS : END_PATIENCE_MS;
}

/* Ends the storm before its time: what has been measured until now stays. */
static void stop_early(struct act *act, enum ls_code code, const char *text)
{
    if (act->why.code == LS_OK) {
        (void)ls_error_set(&act->why, code, "%s", text);
    }
    act->partial = true;
    if (act->state < ACT_LETTING_GO) {
        if (act->state == ACT_STORMING) {
            act->over_ns = ls_now_ns() - act->start_ns;
        }
        to_all(act, false, "stop");
        enter(act, ACT_LETTING_GO, end_patience_ms(act));
        outside_finish(act);
        advance(act);
    } else if (is_signalled(act) && act->state < ACT_OVER) {
        enter(act, act->state, SIGNAL_PATIENCE_MS);
    }
}

static void on_watchdog(uv_timer_t *timer)
{
    struct act *act = timer->data;

    if (act->state == ACT_ACCOUNTING) {
        /* The CPU clock has been read from outside already; only the split of it is missing. */
        to_all(act, false, "release");
        enter(act, ACT_LETTING_GO, END_PATIENCE_MS);
        return;
    }
    if (act->why.code == LS_OK) {
        (void)ls_error_set(&act->why, LS_EBROKEN, "a process of the storm does not answer");
        act->partial = true;
    }
    /* While injectors let go the gateway is waited for by nobody yet: it has its account to give. */
    for (int i = act->state == ACT_LETTING_GO ? act->workers : 0; i < act->workers + act->injectors;
         i++) {
        child_kill(&act->children[i]);
    }
    if (act->state == ACT_LETTING_GO) {
        outside_give_up(act);
        advance(act);
    }
}

static bool all(const struct act *act, bool workers, bool (*is)(const struct child *child))
{
    const int first = workers ? 0 : act->workers;
    const int count = workers ? act->workers : act->injectors;

    for (int i = first; i < first + count; i++) {
        if (!is(&act->children[i])) {
            return false;
        }
    }
    return true;
}

static bool is_ready(const struct child *child)
{
    return child->ready;
}

static bool has_fetched(const struct child *child)
{
    return child->fetched;
}

static bool is_gone(const struct child *child)
{
    return !child->spawned || child->gone;
}

static bool is_decided_or_gone(const struct child *child)
{
    return child->decided || child->gone;
}

static bool has_base(const struct child *child)
{
    return child->accounts >= 1;
}

static bool has_account(const struct child *child)
{
    return child->accounts >= 2;
}

/* Another machine that fails more than half of the logins of ten seconds is in trouble, or does not
 * want us: no storm goes on against it. */
static void watch_errors(struct act *act, int64_t logged_in, int64_t failed)
{
    int64_t *then = &act->dead_man[2 * (act->dead_man_count % DEAD_MAN_SAMPLES)];
    const bool full = act->dead_man_count >= DEAD_MAN_SAMPLES;
    const int64_t in = logged_in - then[0], out = failed - then[1];

    then[0] = logged_in;
    then[1] = failed;
    act->dead_man_count++;
    if (full && act->state == ACT_STORMING && out > in && out >= DEAD_MAN_LEAST) {
        stop_early(act, LS_EUNREACHABLE,
                   "more than half of the logins of the last ten seconds failed: the storm at "
                   "another machine ends here");
    }
}

static void show(struct act *act)
{
    struct ls_storm_view view = {
        .certificate = act->certificate,
        .repeat = act->repeat,
        .run_ns = ls_now_ns() - act->start_ns,
        .gateway_cpu_ns = act->workers > 0 ? act->gateway_cpu_ns : outside_cpu_ns(act),
        .records = act->records,
        .records_count = (size_t)act->injectors,
        .share = act->share,
    };

    for (int i = 0; i < act->injectors; i++) {
        const int64_t *ticked = act_injector(act, i)->ticked;

        view.started += ticked[0];
        view.logged_in += ticked[1];
        view.failed += ticked[2];
        view.in_flight += ticked[3];
    }
    act->wish->view(&view, act->wish->data);
    if (target_is_beyond(&act->target)) {
        watch_errors(act, view.logged_in, view.failed);
    }
}

static void on_sample(uv_timer_t *timer)
{
    struct act *act = timer->data;

    act_take_sample(act);
    outside_sample(act);
    show(act);
}

/* Every login has a deadline, so an injector that has not decided its last one long after that never
 * will. In a closed loop each comes after another one. */
static uint64_t storm_patience_ms(const struct act *act)
{
    const struct ls_schedule *schedule = act->wish->schedule;
    const uint64_t login_ms =
        (uint64_t)(act->wish->scenario->login.login_timeout_ns / LS_NS_PER_MS) + 1;
    const uint64_t rows = (uint64_t)schedule->count;
    const uint64_t last_ms =
        rows == 0 ? 0 : (uint64_t)(schedule->rows[rows - 1].due_ns / LS_NS_PER_MS);
    const uint64_t turns = schedule->waves_count > 0 ? rows : 1;

    return END_PATIENCE_MS + last_ms + turns * login_ms;
}

static void go(struct act *act)
{
    char line[64];

    act_take_base(act);
    start_set(act);
    act->stormed = true;
    (void)snprintf(line, sizeof line, "go %" PRId64, act->start_ns);
    to_all(act, false, line);
    act_take_sample(act);
    (void)uv_timer_start(&act->sampler, on_sample, SAMPLE_MS, SAMPLE_MS);
    enter(act, ACT_STORMING, storm_patience_ms(act));
}

void storm_signals(sigset_t *set)
{
    (void)sigemptyset(set);
    (void)sigaddset(set, SIGINT);
    (void)sigaddset(set, SIGTERM);
}

static void close_act(struct act *act)
{
    sigset_t set;

    storm_signals(&set); /* without a handler one would end the process */
    (void)sigprocmask(SIG_BLOCK, &set, NULL);
    outside_close(act);
    uv_close((uv_handle_t *)&act->sampler, NULL);
    uv_close((uv_handle_t *)&act->watchdog, NULL);
    uv_close((uv_handle_t *)&act->waiter, NULL);
    uv_close((uv_handle_t *)&act->interrupt, NULL);
    uv_close((uv_handle_t *)&act->terminate, NULL);
}

/* "fetching tickets: 1,240 of 2,100", now and then. */
static void show_fetching(struct act *act)
{
    const int64_t now_ns = ls_now_ns();
    int64_t done = 0;
    char have[32];
    char all_of_them[32];
    char text[128];

    if (act->fetch_told_ns != 0 && now_ns - act->fetch_told_ns < FETCH_TOLD_NS) {
        return;
    }
    act->fetch_told_ns = now_ns;
    for (int i = 0; i < act->injectors; i++) {
        done += act_injector(act, i)->fetched_tickets;
    }
    ls_format_count(done, have, sizeof have);
    ls_format_count(act->resuming, all_of_them, sizeof all_of_them);
    (void)snprintf(text, sizeof text, "fetching tickets: %s of %s", have, all_of_them);
    act->wish->step(text, act->wish->data);
}

static void take_baseline(struct act *act)
{
    enter(act, ACT_TAKING_BASELINE,
          act->outside.watch != NULL ? START_PATIENCE_MS : ANSWER_PATIENCE_MS);
    outside_take_baseline(act);
    to_all(act, true, "account");
}

static bool was_told(struct act *act)
{
    struct ls_error err;
    bool said;

    if (start_ask(act, &said, &err) != LS_OK) {
        stop_early(act, err.code, err.text);
    }
    return said;
}

static void wait_on(struct act *act)
{
    const bool asked = act->wish->told != NULL && act->start.at_ns <= 0;
    int64_t wait_ns;

    if (act->state != ACT_AWAITING_START) {
        return;
    }
    if (!was_told(act)) {
        if (act->state == ACT_AWAITING_START) {
            (void)uv_timer_start(&act->waiter, on_waiter, ASK_MS, 0);
        }
        return;
    }
    if (asked) {
        start_tell(act);
    }
    wait_ns = start_wait_ns(act);
    if (wait_ns <= 0) {
        take_baseline(act);
        advance(act);
        return;
    }
    (void)uv_timer_start(
        &act->waiter, on_waiter,
        wait_ns < WAITER_MS * LS_NS_PER_MS ? (uint64_t)(wait_ns / LS_NS_PER_MS) + 1 : WAITER_MS, 0);
}

static void on_waiter(uv_timer_t *waiter)
{
    wait_on(waiter->data);
}

static void await_start(struct act *act)
{
    const bool told = was_told(act);

    if (act->state >= ACT_LETTING_GO) {
        return;
    }
    if (told && start_wait_ns(act) <= 0) {
        take_baseline(act);
        return;
    }
    enter(act, ACT_AWAITING_START, 0);
    start_tell(act);
    wait_on(act);
}

/* Of its own users. */
static int64_t count_resuming(const struct act *act)
{
    const struct ls_schedule *schedule = act->wish->schedule;
    int64_t count = 0;

    for (size_t user = 0; user < schedule->count; user++) {
        count += ls_share_has(&act->share, user) &&
                 ls_engine_resumes(act->wish->scenario, schedule, user);
    }
    return count;
}

static void fetch_tickets(struct act *act)
{
    act->resuming = count_resuming(act);
    if (act->resuming == 0) {
        await_start(act);
        return;
    }
    enter(act, ACT_FETCHING_TICKETS, START_PATIENCE_MS);
    show_fetching(act);
    to_all(act, false, "fetch");
}

/* What is told on the way there. */
static void on_fetching(struct act *act, struct child *child, int64_t tickets)
{
    if (act->state == ACT_FETCHING_TICKETS && tickets > child->fetched_tickets) {
        child->fetched_tickets = tickets;
        show_fetching(act);
        enter(act, ACT_FETCHING_TICKETS, START_PATIENCE_MS);
    }
}

/* To the next state, when all that it waits for has come. */
static void step(struct act *act)
{
    struct ls_error err;

    if (act->state == ACT_STARTING_GATEWAY && all(act, true, is_ready)) {
        enter(act, ACT_STARTING_INJECTORS, START_PATIENCE_MS);
        if (act_start_injectors(act, &err) != LS_OK) {
            stop_early(act, err.code, err.text);
        }
    } else if (act->state == ACT_STARTING_INJECTORS && all(act, false, is_ready)) {
        fetch_tickets(act);
    } else if (act->state == ACT_FETCHING_TICKETS && all(act, false, has_fetched)) {
        await_start(act);
    } else if (act->state == ACT_TAKING_BASELINE && all(act, true, has_base) &&
               outside_has_base(act)) {
        go(act);
    } else if (act->state == ACT_STORMING && all(act, false, is_decided_or_gone)) {
        act->over_ns = ls_now_ns() - act->start_ns;
        (void)uv_timer_stop(&act->sampler);
        act_take_sample(act);
        show(act);
        enter(act, ACT_ACCOUNTING, ANSWER_PATIENCE_MS);
        outside_finish(act);
        to_all(act, true, "account");
    } else if (act->state == ACT_ACCOUNTING && all(act, true, has_account) &&
               !outside_is_busy(act)) {
        enter(act, ACT_LETTING_GO, END_PATIENCE_MS);
        to_all(act, false, "release");
    }
    if (act->state == ACT_LETTING_GO && all(act, false, is_gone) && !outside_is_busy(act)) {
        (void)uv_timer_stop(&act->sampler);
        enter(act, ACT_CLOSING, end_patience_ms(act));
        if (act->stormed) {
            to_all(
                act, true,
                "account"); /* for a storm that ended early; otherwise not listened to any more */
        }
        to_all(act, true, "stop");
    }
    if (act->state == ACT_CLOSING && all(act, true, is_gone)) {
        enter(act, ACT_OVER, 0);
        close_act(act);
    }
}

/* Where there is nobody to wait for, as with an outside gateway, several at once. */
static void advance(struct act *act)
{
    enum act_state before;

    do {
        before = act->state;
        step(act);
    } while (act->state != before);
}

/* An outside gateway's CPU was read, or could not be: without that there is no storm. */
static void on_outside(struct act *act)
{
    if (act->state == ACT_TAKING_BASELINE && act->outside.why.code != LS_OK) {
        char text[sizeof act->outside.why.text];

        (void)snprintf(text, sizeof text, "gateway.cpu: %.480s", act->outside.why.text);
        stop_early(act, act->outside.why.code, text);
    } else {
        advance(act);
    }
}

static void on_line(struct child *child, const struct control_line *line)
{
    struct act *act = child->data;

    if (strcmp(line->verb, "ready") == 0) {
        child->ready = true;
    } else if (strcmp(line->verb, "fetching") == 0 && line->count == 1) {
        on_fetching(act, child, line->numbers[0]);
    } else if (strcmp(line->verb, "fetched") == 0) {
        child->fetched = true;
    } else if (strcmp(line->verb, "decided") == 0) {
        child->decided = true;
    } else if (strcmp(line->verb, "account") == 0 && act->state == ACT_TAKING_BASELINE &&
               act->resuming > 0 && line->count == ACCOUNT_NUMBERS &&
               line->numbers[ACCOUNT_OPEN] > 0) {
        /* Closing the last of the ticket's connections is no part of the storm. */
        control_send(&child->control, "account");
    } else if (strcmp(line->verb, "account") == 0 && line->count == ACCOUNT_NUMBERS &&
               child->accounts < 2) {
        memcpy(child->account, line->numbers, sizeof child->account);
        child->accounts++;
    }
    advance(act);
}

/* It went as it should: after it had decided every login, and told its stalls and lost sessions. */
static bool went_well(const struct child *child)
{
    return child->decided && child->signal == 0 && child->exit_status == 0 &&
           child->error.code == LS_OK;
}

static void on_gone(struct child *child)
{
    struct act *act = child->data;
    char text[sizeof child->error.text];

    child_why(child, text, sizeof text);
    if (child->is_worker && act->state < ACT_CLOSING) {
        stop_early(act, child->error.code != LS_OK ? child->error.code : LS_EUNREACHABLE, text);
    } else if (!child->is_worker && act->state < ACT_STORMING) {
        const enum ls_code died = act->state < ACT_FETCHING_TICKETS ? LS_EBROKEN : LS_EPARTIAL;

        stop_early(act, child->error.code != LS_OK ? child->error.code : died, text);
    } else if (!child->is_worker && !went_well(child) && act->why.code == LS_OK) {
        /* The others go on: their users are measured all the same. */
        (void)ls_error_set(&act->why, child->error.code != LS_OK ? child->error.code : LS_EPARTIAL,
                           "%s", text);
        act->partial = true;
    } else if (child->is_worker && (child->signal != 0 || child->exit_status != 0) &&
               act->why.code == LS_OK) {
        /* All was measured by then, but a gateway that falls over at its end is not passed over. */
        (void)ls_error_set(&act->why, LS_EBROKEN, "%s", text);
    }
    advance(act);
}

static const struct child_calls child_calls = {.line = on_line, .gone = on_gone};

static void on_signal(uv_signal_t *handle, int number)
{
    struct act *act = handle->data;
    const enum ls_code code = number == SIGINT ? LS_EINTERRUPTED : LS_ETERMINATED;

    if (is_signalled(act)) {
        for (int i = 0; i < act->workers + act->injectors; i++) {
            child_kill(&act->children[i]);
        }
        _exit(ls_code_status(code));
    }
    act->wish->step("stopping early; what was measured is kept (once more quits at once)",
                    act->wish->data);
    act->why.code = LS_OK;
    stop_early(act, code, number == SIGINT ? "SIGINT" : "SIGTERM");
}

static void start_loop(struct act *act)
{
    sigset_t set;

    (void)uv_timer_init(&act->loop, &act->sampler);
    (void)uv_timer_init(&act->loop, &act->watchdog);
    (void)uv_timer_init(&act->loop, &act->waiter);
    (void)uv_signal_init(&act->loop, &act->interrupt);
    (void)uv_signal_init(&act->loop, &act->terminate);
    act->sampler.data = act;
    act->watchdog.data = act;
    act->waiter.data = act;
    act->interrupt.data = act;
    act->terminate.data = act;
    (void)uv_signal_start(&act->interrupt, on_signal, SIGINT);
    (void)uv_signal_start(&act->terminate, on_signal, SIGTERM);
    storm_signals(&set);
    (void)sigprocmask(SIG_UNBLOCK, &set, NULL);
}

enum ls_code act_run(struct act *act, struct ls_error *err)
{
    const size_t injectors = (size_t)act->wish->injectors;
    const size_t shards = act->wish->shards > 0 ? (size_t)act->wish->shards : 1;
    enum ls_code code;

    act->reserved_fd = -1;
    act->share = (struct ls_share){.first = (size_t)act->wish->shard * injectors,
                                   .count = injectors,
                                   .of = shards * injectors};
    code = act_prepare(act, &child_calls, err);
    if (code != LS_OK) {
        return code;
    }
    if (uv_loop_init(&act->loop) != 0) {
        return ls_error_set(err, LS_ENOMEM, "no event loop for the conductor");
    }
    start_loop(act);
    enter(act, ACT_STARTING_GATEWAY, START_PATIENCE_MS);
    code = outside_start(act, on_outside, err);
    if (code == LS_OK) {
        code = act_start_gateway(act, err);
    }
    if (code != LS_OK) {
        stop_early(act, code, err->text);
    } else if (act->workers == 0) {
        advance(act);
    }
    (void)uv_run(&act->loop, UV_RUN_DEFAULT);
    (void)uv_loop_close(&act->loop);
    if (!act->stormed) {
        *err = act->why;
        return act->why.code;
    }
    return LS_OK;
}

void act_clear(struct act *act)
{
    for (int i = 0; act->children != NULL && i < act->workers + act->injectors; i++) {
        child_clear(&act->children[i]);
    }
    if (act->reserved_fd >= 0) {
        (void)close(act->reserved_fd);
    }
    free(act->children);
    free(act->records);
    outside_clear(act);
    free(act->gateway_samples);
    free(act->bursts);
    free(act->injector_samples);
    *act = (struct act){.reserved_fd = -1};
}
