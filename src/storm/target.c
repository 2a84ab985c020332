/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whom a storm may go to, and how much of it: decided before anything is started, from the addresses
 * that the target's name has now. A load tool that is pointed at the wrong machine is a weapon. */
#include "storm/target.h"

#include <inttypes.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "loginstorm/address.h"
#include "loginstorm/file.h"
#include "loginstorm/units.h"

/* Where the system keeps the CAs that it trusts: Debian and its kin, Fedora and its kin, SUSE. */
static const char *const stores[] = {"/etc/ssl/certs/ca-certificates.crt",
                                     "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem"};
#define STORE_MOST ((size_t)16 << 20)

void target_host(const struct ls_scenario *scenario, char out[TARGET_HOST_SIZE], const char **port)
{
    const char *text = scenario->gateway.target;
    const char *colon = strrchr(text, ':');
    size_t length = (size_t)(colon - text);

    if (text[0] == '[') {
        text++;
        length -= 2;
    }
    (void)snprintf(out, TARGET_HOST_SIZE, "%.*s", (int)length, text);
    *port = colon + 1;
}

static enum ls_code resolve(struct ls_target *out, const char *host, const char *port,
                            struct ls_error *err)
{
    const struct addrinfo wish = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICSERV};
    struct addrinfo *list = NULL;
    const int status = getaddrinfo(host, port, &wish, &list);

    if (status != 0) {
        return ls_error_set(err, LS_EUNREACHABLE, "gateway.target: %s: %s", host,
                            status == EAI_SYSTEM ? strerror(errno) : gai_strerror(status));
    }
    for (const struct addrinfo *at = list; at != NULL && out->count < LS_TARGETS_MAX;
         at = at->ai_next) {
        if (at->ai_family == AF_INET || at->ai_family == AF_INET6) {
            memcpy(&out->addresses[out->count++], at->ai_addr, at->ai_addrlen);
        }
    }
    freeaddrinfo(list);
    return out->count > 0 ? LS_OK
                          : ls_error_set(err, LS_EUNREACHABLE,
                                         "gateway.target: %s has no address of IPv4 or IPv6", host);
}

bool target_is_beyond(const struct ls_target *target)
{
    for (int i = 0; i < target->count; i++) {
        if (!ls_address_is_loopback(&target->addresses[i])) {
            return true;
        }
    }
    return false;
}

/* ISO days compare as text. */
static bool is_over(const char *until, char today[16])
{
    const time_t now = time(NULL);
    struct tm local;

    if (localtime_r(&now, &local) == NULL || strftime(today, 16, "%Y-%m-%d", &local) == 0) {
        today[0] = '\0';
        return true;
    }
    return strcmp(until, today) < 0;
}

static enum ls_code check_permission(const struct ls_target *target,
                                     const struct ls_scenario *scenario, bool allow_outside,
                                     struct ls_error *err)
{
    const struct ls_gateway_wish *gateway = &scenario->gateway;
    char address[LS_ADDRESS_SIZE], today[16];

    for (int i = 0; i < target->count; i++) {
        if (ls_address_is_permitted(scenario, &target->addresses[i])) {
            continue;
        }
        ls_address_text(&target->addresses[i], address);
        if (gateway->allow_addresses == NULL) {
            return ls_error_set(
                err, LS_EINPUT,
                "gateway.target: %s is %s, which is another machine, and nobody permits a storm "
                "there; its owner can: allow: {addresses: [%s], authorised_by: WHO, until: DAY} "
                "under gateway",
                gateway->target, address, address);
        }
        return ls_error_set(err, LS_EINPUT,
                            "gateway.target: %s is %s, which gateway.allow.addresses does not "
                            "name; a storm goes to the addresses named there alone",
                            gateway->target, address);
    }
    if (is_over(gateway->until, today)) {
        return ls_error_set(err, LS_EINPUT,
                            "gateway.allow.until: the permission of %s ended with %s, and today is "
                            "%s; ask for a new one",
                            gateway->authorised_by, gateway->until, today);
    }
    if (!allow_outside) {
        return ls_error_set(err, LS_EUSAGE,
                            "gateway.target: %s is another machine; to storm it, say "
                            "--allow-outside, too",
                            gateway->target);
    }
    return LS_OK;
}

static int64_t lower(int64_t cap, int64_t wish)
{
    return wish > 0 && wish < cap ? wish : cap;
}

void target_caps(const struct ls_scenario *scenario, struct target_caps *caps)
{
    const struct ls_gateway_wish *gateway = &scenario->gateway;

    caps->connections_per_s = lower(LS_OUTSIDE_CONNECTIONS_PER_S, gateway->max_connections_per_s);
    caps->open = lower(LS_OUTSIDE_OPEN, gateway->max_open);
    caps->duration_ns =
        lower((int64_t)LS_OUTSIDE_DURATION_S * LS_NS_PER_S, gateway->max_duration_ns);
}

int64_t target_part(int64_t cap, size_t injectors)
{
    return cap / (int64_t)injectors;
}

static int64_t longest_ns(const struct ls_scenario *scenario, const struct ls_schedule *schedule)
{
    const int64_t last_ns = schedule->count > 0 ? schedule->rows[schedule->count - 1].due_ns : 0;
    const int64_t hold_ns = scenario->login.hold == LS_HOLD_DURATION ? scenario->login.hold_ns : 0;

    return last_ns + scenario->login.login_timeout_ns + hold_ns;
}

/* What one injector brings beyond its part would be held back, as a limit of ours. */
static enum ls_code check_parts(const struct ls_scenario *scenario,
                                const struct ls_schedule *schedule, int64_t cap, size_t injectors,
                                struct ls_error *err)
{
    const int64_t part = target_part(cap, injectors);

    for (size_t i = 0; schedule->waves_count == 0 && i < injectors; i++) {
        const int64_t value = ls_schedule_densest(schedule, scenario, i, injectors);

        if (value > part) {
            return ls_error_set(
                err, LS_EINPUT,
                "gateway.target: %s is another machine, which gets at most %" PRId64
                " new connections in a second, so %" PRId64
                " by each of %zu injectors in all, and one of them would bring %" PRId64
                "; lower users or pace.speedup, or take fewer injectors and shards",
                scenario->gateway.target, cap, part, injectors, value);
        }
    }
    return LS_OK;
}

static enum ls_code check_caps(const struct ls_scenario *scenario,
                               const struct ls_schedule *schedule, size_t injectors,
                               struct ls_error *err)
{
    const bool closed = schedule->waves_count > 0;
    struct target_caps caps;
    int64_t value;
    char text[32], cap[32];

    target_caps(scenario, &caps);
    /* Retries come on top: those the injectors hold. */
    value = ls_schedule_densest(schedule, scenario, 0, 1);
    if (value > caps.connections_per_s) {
        return ls_error_set(err, LS_EINPUT,
                            "gateway.target: %s is another machine, which gets at most %" PRId64
                            " new connections in a second, and this storm would bring %" PRId64
                            "; lower users or pace.speedup",
                            scenario->gateway.target, caps.connections_per_s, value);
    }
    value = ls_engine_open_max(scenario, schedule, 0, 1);
    if (value > caps.open) {
        return ls_error_set(err, LS_EINPUT,
                            "gateway.target: %s is another machine, which gets at most %" PRId64
                            " open connections, and this storm may hold %" PRId64
                            "; lower users, or write login.hold: none",
                            scenario->gateway.target, caps.open, value);
    }
    value = closed ? 0 : longest_ns(scenario, schedule);
    if (value > caps.duration_ns) {
        ls_format_ns(value, text, sizeof text);
        ls_format_ns(caps.duration_ns, cap, sizeof cap);
        return ls_error_set(err, LS_EINPUT,
                            "gateway.target: %s is another machine, which is stormed for %s at "
                            "most, and this storm may take %s; raise pace.speedup, or shorten the "
                            "window",
                            scenario->gateway.target, cap, text);
    }
    return check_parts(scenario, schedule, caps.connections_per_s, injectors, err);
}

enum ls_code ls_storm_target(struct ls_target *out, const struct ls_scenario *scenario,
                             const struct ls_schedule *schedule, int injectors, bool allow_outside,
                             struct ls_error *err)
{
    char host[TARGET_HOST_SIZE];
    const char *port;
    char *trust;
    enum ls_code code;

    *out = (struct ls_target){0};
    if (scenario->gateway.embedded) {
        return LS_OK;
    }
    code = target_trust(&trust, scenario, err); /* a file that is not there is better known now */
    free(trust);
    if (code != LS_OK) {
        return code;
    }
    target_host(scenario, host, &port);
    code = resolve(out, host, port, err);
    if (code == LS_OK && target_is_beyond(out)) {
        code = check_permission(out, scenario, allow_outside, err);
        if (code == LS_OK) {
            code = check_caps(scenario, schedule, (size_t)injectors, err);
        }
    }
    return code;
}

void ls_storm_target_text(const struct ls_target *target, const struct ls_scenario *scenario,
                          char *out, size_t size)
{
    const struct ls_gateway_wish *gateway = &scenario->gateway;
    struct target_caps caps;
    char address[LS_ADDRESS_SIZE], length[32];
    size_t used = (size_t)snprintf(out, size, "the storm went to %.280s (", gateway->target);

    for (int i = 0; i < target->count && used < size; i++) {
        ls_address_text(&target->addresses[i], address);
        used += (size_t)snprintf(out + used, size - used, "%s%s", i > 0 ? ", " : "", address);
    }
    if (used >= size) {
        return;
    }
    if (!target_is_beyond(target)) {
        (void)snprintf(out + used, size - used, "), on this machine");
        return;
    }
    target_caps(scenario, &caps);
    ls_format_ns(caps.duration_ns, length, sizeof length);
    (void)snprintf(out + used, size - used,
                   "), authorised by %s until %s; caps: %" PRId64
                   " new connections in a second, %" PRId64 " open at once, %s; it ends when more "
                   "than half of the logins of ten seconds fail",
                   gateway->authorised_by, gateway->until, caps.connections_per_s, caps.open,
                   length);
}

static enum ls_code read_store(char **pem, struct ls_error *err)
{
    enum ls_code code = LS_ENOINPUT;
    size_t size;

    for (size_t i = 0; code == LS_ENOINPUT && i < sizeof stores / sizeof stores[0]; i++) {
        code = ls_file_read(stores[i], STORE_MOST, pem, &size, err);
    }
    if (code == LS_ENOINPUT) {
        return ls_error_set(err, LS_EINPUT,
                            "gateway.trust: this system keeps no list of trusted CAs (install "
                            "ca-certificates); name the gateway's CA there, or write verify: none");
    }
    return code;
}

enum ls_code target_trust(char **pem, const struct ls_scenario *scenario, struct ls_error *err)
{
    bool verified = false;
    char path[4096];
    enum ls_code code;
    size_t size;

    *pem = NULL;
    for (size_t i = 0; i < scenario->populations_count; i++) {
        verified = verified || scenario->populations[i].tls.verify == LS_VERIFY_CHAIN;
    }
    if (!verified) {
        return LS_OK;
    }
    if (scenario->gateway.trust == NULL) {
        return read_store(pem, err);
    }
    code = ls_scenario_path(scenario, scenario->gateway.trust, path, sizeof path, err);
    return code == LS_OK ? ls_file_read(path, STORE_MOST, pem, &size, err) : code;
}
