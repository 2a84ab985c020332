/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "storm/visit.h"

#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <unistd.h>

#include "loginstorm/units.h"

/* In TLS 1.3 a server says only after the handshake that it does not like the client's certificate;
 * longer than this nobody waits for that. */
#define REST_NS (1 * LS_NS_PER_S)

struct work {
    struct visit *visit;
    struct ls_tls_end *end;
    struct ls_bytes out, plain;
    int fd;
    int64_t deadline_ns;
};

/* False: not before the deadline. */
static bool wait_for(const struct work *work, short events)
{
    struct pollfd poll_fd = {.fd = work->fd, .events = events};
    int64_t left_ns;
    int ready;

    do {
        left_ns = work->deadline_ns - ls_now_ns();
        ready = left_ns <= 0
                    ? 0
                    : poll(&poll_fd, 1, (int)((left_ns + LS_NS_PER_MS - 1) / LS_NS_PER_MS));
    } while (ready < 0 && errno == EINTR);
    return ready > 0;
}

/* False: it ended, as the visit says. */
static bool ended(struct work *work, enum visit_end end, int number)
{
    work->visit->end = end;
    work->visit->errno_ = number;
    return false;
}

static bool connected(struct work *work, const struct visit_wish *wish)
{
    const socklen_t size = wish->target->sa_family == AF_INET6 ? sizeof(struct sockaddr_in6)
                                                               : sizeof(struct sockaddr_in);
    int error = 0;
    socklen_t error_size = sizeof error;

    work->deadline_ns = ls_now_ns() + wish->connect_timeout_ns;
    if (connect(work->fd, wish->target, size) == 0) {
        return true;
    }
    if (errno != EINPROGRESS) {
        return ended(work, VISIT_NO_TCP, errno);
    }
    if (!wait_for(work, POLLOUT)) {
        return ended(work, VISIT_NO_TCP, ETIMEDOUT);
    }
    if (getsockopt(work->fd, SOL_SOCKET, SO_ERROR, &error, &error_size) != 0) {
        error = errno;
    }
    /* Who refuses a SYN does not reset: that connection was there for a moment. */
    return error == 0 || ended(work, error == ECONNRESET ? VISIT_CLOSED : VISIT_NO_TCP, error);
}

static bool sent(struct work *work)
{
    while (ls_bytes_size(&work->out) > 0) {
        const ssize_t part = send(work->fd, ls_bytes_front(&work->out), ls_bytes_size(&work->out),
                                  MSG_NOSIGNAL | MSG_DONTWAIT);

        if (part >= 0) {
            ls_bytes_drop(&work->out, (size_t)part);
        } else if (errno != EAGAIN && errno != EINTR) {
            return ended(work, VISIT_CLOSED, errno);
        } else if (!wait_for(work, POLLOUT)) {
            return ended(work, VISIT_TIMEOUT, 0);
        }
    }
    return true;
}

/* Takes one read from the peer on to TLS. False: there was none, and the visit says why. */
static bool heard(struct work *work)
{
    uint8_t buffer[16384];
    ssize_t size;

    if (!wait_for(work, POLLIN)) {
        return ended(work, VISIT_TIMEOUT, 0);
    }
    size = recv(work->fd, buffer, sizeof buffer, MSG_DONTWAIT);
    if (size > 0) {
        work->visit->answered = true;
        (void)ls_tls_end_step(work->end, buffer, (size_t)size, &work->out, &work->plain);
        ls_bytes_drop(&work->plain, ls_bytes_size(&work->plain));
        return true;
    }
    return size < 0 && (errno == EAGAIN || errno == EINTR)
               ? true
               : ended(work, VISIT_CLOSED, size < 0 ? errno : 0);
}

/* Alerts that are about who we are: from handshake_failure(40) to access_denied(49), decrypt_error(51),
 * certificate_required(116). Some servers find fault with a FIN too, and say decode_error(50). */
static bool is_refusal(int alert)
{
    return (alert >= 40 && alert <= 49) || alert == 51 || alert == 116;
}

/* The server's last word, should it have one: to the end that our FIN calls for. */
static void hear_the_rest(struct work *work)
{
    struct ls_tls_facts facts;

    work->deadline_ns = ls_now_ns() + REST_NS;
    (void)shutdown(work->fd, SHUT_WR);
    while (ls_tls_end_state(work->end) == LS_TLS_SECURED && heard(work)) {
    }
    ls_tls_end_facts(work->end, &facts);
    work->visit->end = is_refusal(facts.alert) ? VISIT_TLS : VISIT_SECURED;
}

static void shake_hands(struct work *work, const struct visit_wish *wish)
{
    if (!connected(work, wish)) {
        return;
    }
    work->deadline_ns = ls_now_ns() + wish->handshake_timeout_ns;
    (void)ls_tls_end_step(work->end, NULL, 0, &work->out, &work->plain);
    work->visit->hello_bytes = ls_bytes_size(&work->out) - wish->preface_size;
    while (ls_tls_end_state(work->end) == LS_TLS_HANDSHAKING) {
        if (!sent(work) || !heard(work)) {
            return;
        }
    }
    if (!ls_tls_end_was_secured(work->end)) {
        (void)sent(work); /* the alert that says why */
        (void)ended(work, VISIT_TLS, 0);
    } else if (sent(work)) {
        hear_the_rest(work);
    }
}

static enum ls_code conclude(struct work *work, const struct visit_wish *wish, struct ls_error *err)
{
    struct visit *visit = work->visit;
    enum ls_code code;

    visit->why = ls_tls_end_why(work->end);
    ls_tls_end_facts(work->end, &visit->facts);
    if (visit->why == LS_WHY_MEMORY) {
        return ls_error_set(err, LS_ENOMEM, "a first look at the gateway: out of memory");
    }
    if (!wish->tls->looks) {
        return LS_OK;
    }
    code = ls_tls_end_shown(work->end, &visit->shown, err);
    visit->has_shown = code == LS_OK;
    return code == LS_ENOMEM ? code : LS_OK;
}

enum ls_code visit_make(struct visit *visit, const struct visit_wish *wish, struct ls_error *err)
{
    struct work work = {.visit = visit};
    struct ls_tls_context *context = NULL;
    enum ls_code code = ls_tls_client_new(&context, wish->tls, err);

    *visit = (struct visit){.facts = {.group = "", .cipher = ""}};
    if (code != LS_OK) {
        return code;
    }
    code = ls_tls_end_new(&work.end, context, err);
    if (code == LS_OK && wish->preface_size > 0) {
        code = ls_bytes_put(&work.out, wish->preface, wish->preface_size);
        if (code != LS_OK) {
            (void)ls_error_set(err, code, "a first look at the gateway: out of memory");
        }
    }
    work.fd = -1;
    if (code == LS_OK) {
        work.fd = socket(wish->target->sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
        if (work.fd < 0) {
            code = ls_error_set_errno(err, LS_ESYSTEM, "no socket for a first look at the gateway");
        }
    }
    if (code == LS_OK) {
        shake_hands(&work, wish);
        code = conclude(&work, wish, err);
    }
    if (work.fd >= 0) {
        (void)close(work.fd);
    }
    ls_tls_end_free(work.end);
    ls_tls_context_free(context);
    ls_bytes_free(&work.out);
    ls_bytes_free(&work.plain);
    return code;
}
