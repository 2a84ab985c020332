/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A first look at an outside gateway: whether users could log in at all, and to what, before thousands of them try. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "loginstorm/address.h"
#include "loginstorm/name.h"
#include "loginstorm/result.h"
#include "loginstorm/units.h"
#include "storm/clients.h"
#include "storm/target.h"
#include "storm/visit.h"

#define DAY_S 86400
/* As TLS numbers them (RFC 8446, 6.2). */
#define ALERT_HANDSHAKE_FAILURE 40
#define ALERT_BAD_CERTIFICATE 42
#define ALERT_UNKNOWN_CA 48
#define ALERT_PROTOCOL_VERSION 70
#define ALERT_CERTIFICATE_REQUIRED 116
#define PLACE_MAX 160
#define AGREES_TO_NOTHING                                                                          \
    "; it agrees to nothing that is offered: look at tls.versions, tls.ciphers and tls.groups "    \
    "(in "                                                                                         \
    "TLS 1.2 many servers want the curve of their own certificate among the groups, like P-384)"

struct look {
    const struct ls_scenario *scenario;
    const struct ls_target *target;
    struct ls_identity **clients;
    char *trust;
    char host[TARGET_HOST_SIZE]; /* "" for an address */
    size_t certificate, population;
    const char *name; /* asked for, or NULL */
    int address;
    int64_t space_ns; /* between two connections: another machine's cap holds for these, too */
};

static const struct ls_tls_wish *tls_of(const struct look *look)
{
    return &look->scenario->populations[look->population].tls;
}

/* "gw.example:443 (192.0.2.1)" */
static const char *place_of(const struct look *look, char out[PLACE_MAX])
{
    char text[LS_ADDRESS_SIZE];

    ls_address_text(&look->target->addresses[look->address], text);
    if (look->host[0] != '\0') {
        (void)snprintf(out, PLACE_MAX, "%.90s (%s)", look->scenario->gateway.target, text);
    } else {
        (void)snprintf(out, PLACE_MAX, "%.90s", look->scenario->gateway.target);
    }
    return out;
}

static enum ls_code say_no_tcp(const struct look *look, const struct visit *visit,
                               struct ls_error *err)
{
    char place[PLACE_MAX];

    switch (visit->errno_) {
    case ECONNREFUSED:
        return ls_error_set(err, LS_EUNREACHABLE,
                            "gateway.target: %s refuses connections: nobody listens on that "
                            "port%s",
                            place_of(look, place),
                            look->target->count > 1
                                ? " of that address; write the one that you mean"
                                : "; is the gateway started, and the port right?");
    case ETIMEDOUT:
        return ls_error_set(
            err, LS_EUNREACHABLE,
            "gateway.target: %s does not answer: no connection within "
            "login.timeouts.connect; is it up, and does a firewall let you through?",
            place_of(look, place));
    case EADDRNOTAVAIL: /* no local port is left: nothing of the gateway's */
    case EMFILE:
    case ENFILE:
    case ENOBUFS:
    case ENOMEM:
        return ls_error_set(err, LS_ELIMIT, "a first look at %s meets a limit of this machine: %s",
                            place_of(look, place), strerror(visit->errno_));
    default:
        return ls_error_set(err, LS_EUNREACHABLE, "gateway.target: %s cannot be reached: %s",
                            place_of(look, place), strerror(visit->errno_));
    }
}

static const char *remedy_of_alert(const struct look *look, int alert)
{
    const bool has_client = look->clients[look->population] != NULL;

    switch (alert) {
    case ALERT_HANDSHAKE_FAILURE:
        return has_client ? AGREES_TO_NOTHING
                          : AGREES_TO_NOTHING
                   ", or it wants a certificate of its users (tls.client)";
    case ALERT_CERTIFICATE_REQUIRED:
    case ALERT_BAD_CERTIFICATE:
    case ALERT_UNKNOWN_CA:
        return has_client ? "; it does not accept the certificate of tls.client"
                          : "; it may want a certificate of its users: tls.client: {chain: ..., "
                            "private_key: ...}";
    case ALERT_PROTOCOL_VERSION:
        return tls_of(look)->min == LS_TLS_1_3
                   ? "; it may offer TLS 1.2 only: write versions: [1.2, 1.3] under tls"
               : tls_of(look)->max == LS_TLS_1_2
                   ? "; it may offer TLS 1.3 only: write versions: [1.2, 1.3] under tls"
                   : "";
    default:
        return "";
    }
}

static enum ls_code say_why(const struct look *look, const struct visit *visit,
                            struct ls_error *err)
{
    char place[PLACE_MAX];
    const bool no_tls = visit->end == VISIT_TLS && visit->why == LS_WHY_PROTOCOL;

    if (visit->end == VISIT_NO_TCP) {
        return say_no_tcp(look, visit, err);
    }
    if (visit->end == VISIT_TIMEOUT) {
        return ls_error_set(
            err, LS_EUNREACHABLE,
            "gateway.target: %s takes the connection and then %s: no TLS "
            "within login.timeouts.handshake; is that the port for TLS%s?",
            place_of(look, place),
            visit->answered ? "begins an answer that it does not end" : "says nothing",
            look->scenario->gateway.proxy_v2 ? ", and does it expect the PROXY protocol" : "");
    }
    if (visit->end == VISIT_CLOSED) {
        return ls_error_set(
            err, LS_EUNREACHABLE, "gateway.target: %s %s the connection amid the handshake%s",
            place_of(look, place), visit->errno_ == ECONNRESET ? "resets" : "closes",
            look->scenario->gateway.proxy_v2 ? "; does it expect the PROXY protocol?"
                                             : "; does it expect the PROXY protocol "
                                               "(proxy_protocol: v2), or is it no TLS server?");
    }
    return ls_error_set(err, no_tls ? LS_EUNREACHABLE : LS_EINPUT,
                        "gateway.target: %s: the population \"%.40s\" cannot log in: %s%s",
                        place_of(look, place), look->scenario->populations[look->population].name,
                        visit->facts.text,
                        visit->why == LS_WHY_ALERT ? remedy_of_alert(look, visit->facts.alert)
                        : no_tls                   ? "; is that the port for TLS?"
                                                   : "");
}

static void put_day(char out[16], int64_t at_s)
{
    const time_t at = at_s;
    struct tm utc;

    if (at_s == 0 || gmtime_r(&at, &utc) == NULL || strftime(out, 16, "%Y-%m-%d", &utc) == 0) {
        out[0] = '\0';
    }
}

/* The certificate came, but users who verify it would not take it. */
static enum ls_code say_doubt(const struct look *look, const struct visit *visit,
                              const struct ls_tls_shown *shown, struct ls_error *err)
{
    const int64_t now_s = time(NULL);
    const char *asked = look->name == NULL ? "nobody in particular" : look->name;
    char place[PLACE_MAX], day[16];

    (void)place_of(look, place);
    if (visit->facts.doubt == LS_DOUBT_AFTER && shown->until_s != 0 && shown->until_s < now_s) {
        put_day(day, shown->until_s);
        return ls_error_set(err, LS_EINPUT,
                            "gateway.target: the certificate that %s shows expired on %s; have it "
                            "renewed, or write verify: leaf under tls to storm it all the same",
                            place, day);
    }
    if (visit->facts.doubt == LS_DOUBT_BEFORE && shown->from_s > now_s) {
        put_day(day, shown->from_s);
        return ls_error_set(err, LS_EINPUT,
                            "gateway.target: the certificate that %s shows is not valid before %s; "
                            "wait, look at this machine's clock, or write verify: leaf under tls",
                            place, day);
    }
    if (visit->facts.doubt == LS_DOUBT_NAME) {
        return ls_error_set(err, LS_EINPUT,
                            "gateway.target: the certificate that %s shows is not for %.80s, but "
                            "for %s; ask for one of its names (tls.server_name), or write verify: "
                            "leaf under tls",
                            place, asked, shown->names);
    }
    if (visit->facts.doubt == LS_DOUBT_ISSUER && shown->self_signed) {
        return ls_error_set(err, LS_EINPUT,
                            "gateway.target: the certificate that %s shows is signed by itself and "
                            "not trusted; name it as gateway.trust, or write verify: leaf under "
                            "tls",
                            place);
    }
    if (visit->facts.doubt == LS_DOUBT_ISSUER) {
        return ls_error_set(
            err, LS_EINPUT,
            "gateway.target: the certificate that %s shows says that \"%s\" issued it (%d %s), "
            "whom %s does not lead to; name that CA's certificate as gateway.trust, or write "
            "verify: leaf under tls",
            place, shown->issuer, shown->chain_length,
            shown->chain_length == 1 ? "certificate in its chain" : "certificates in its chain",
            look->scenario->gateway.trust != NULL ? "gateway.trust" : "the system's list of CAs");
    }
    return ls_error_set(err, LS_EINPUT, "gateway.target: %s: %s", place, visit->facts.text);
}

enum knock {
    KNOCK_LOOKS, /* keeps what is shown, whatever it is */
    KNOCK_LOGS_IN,
    KNOCK_SHORT, /* looks, by a Client Hello of one segment */
};

static enum ls_code visit_once(const struct look *look, enum knock knock, struct visit *visit,
                               struct ls_error *err)
{
    static const char *const short_groups[] = {"X25519", "P-256", "P-384", "P-521", NULL};
    static const char *const short_key_shares[] = {"X25519", NULL};
    const struct ls_scenario *scenario = look->scenario;
    const struct sockaddr_storage *target = &look->target->addresses[look->address];
    const struct timespec pause = {.tv_sec = look->space_ns / LS_NS_PER_S,
                                   .tv_nsec = (long)(look->space_ns % LS_NS_PER_S)};
    struct ls_tls_client_wish tls = ls_engine_client_wish(tls_of(look), look->name, look->trust);
    struct ls_network sources;
    uint8_t header[LS_PROXY_HEADER_MAX];
    struct visit_wish wish = {
        .target = (const struct sockaddr *)target,
        .tls = &tls,
        .connect_timeout_ns = scenario->login.connect_timeout_ns,
        .handshake_timeout_ns = scenario->login.handshake_timeout_ns,
    };

    if (!ls_address_is_permitted(scenario, target)) {
        return ls_error_set(err, LS_EBROKEN, "a first look at an address that nobody permits");
    }
    tls.identity = look->clients[look->population];
    if (knock != KNOCK_LOGS_IN) {
        tls.looks = true;
        tls.check = LS_CHECK_NONE;
    }
    if (knock == KNOCK_SHORT) {
        tls.groups = short_groups;
        tls.key_shares = short_key_shares;
    }
    if (scenario->gateway.proxy_v2 && ls_network_parse(scenario->gateway.proxy_sources, &sources)) {
        wish.preface = header;
        wish.preface_size = ls_proxy_header(header, &sources, 0, target);
    }
    (void)nanosleep(&pause, NULL);
    return visit_make(visit, &wish, err);
}

/* Whether only the length of the Client Hello can be at fault: not a byte came to a long one, and a short one is answered. */
static enum ls_code ask_shortly(const struct look *look, const struct visit *visit, bool *helps,
                                struct ls_error *err)
{
    const bool nothing_came =
        (visit->end == VISIT_TIMEOUT || visit->end == VISIT_CLOSED) && !visit->answered;
    struct visit other;
    enum ls_code code;

    *helps = false;
    if (!nothing_came || visit->hello_bytes <= LS_LONG_HELLO_BYTES) {
        return LS_OK;
    }
    code = visit_once(look, KNOCK_SHORT, &other, err);
    *helps = code == LS_OK && other.answered;
    return code;
}

static enum ls_code say_why_not(const struct look *look, const struct visit *visit,
                                struct ls_error *err)
{
    char place[PLACE_MAX];
    bool helps;
    const enum ls_code code = ask_shortly(look, visit, &helps, err);

    if (code != LS_OK) {
        return code;
    }
    if (!helps) {
        return say_why(look, visit, err);
    }
    return ls_error_set(
        err, LS_EUNREACHABLE,
        "gateway.target: %s %s a Client Hello with a post-quantum key share (%zu bytes, two "
        "segments), and answers one without: mostly that is a firewall or balancer that cannot "
        "take a Client Hello in two segments; have it brought up to date, or write groups without "
        "MLKEM under tls",
        place_of(look, place),
        visit->end == VISIT_TIMEOUT   ? "says nothing to"
        : visit->errno_ == ECONNRESET ? "resets the connection at"
                                      : "closes the connection at",
        visit->hello_bytes);
}

/* The kind that the scenario says, for the simulation, must be what is there. */
static enum ls_code check_key(const struct look *look, const char *key, struct ls_error *err)
{
    const struct ls_certificate *certificate = &look->scenario->certificates[look->certificate];
    char place[PLACE_MAX];

    if (certificate->key == LS_KEY_FILE || strcmp(ls_key_name(certificate->key), key) == 0) {
        return LS_OK;
    }
    return ls_error_set(err, LS_EINPUT,
                        "certificates.%zu (%.60s): says key: %s, but the certificate that %s shows "
                        "has a key of the kind %s; write what it is, or leave key out",
                        look->certificate, certificate->name, ls_key_name(certificate->key),
                        place_of(look, place), key[0] != '\0' ? key : "that is not known here");
}

static void find(struct ls_shown *out, const struct visit *visit)
{
    const int64_t left_s = visit->shown.until_s - (int64_t)time(NULL);

    *out = (struct ls_shown){
        .chain_length = visit->shown.chain_length,
        .days_left = left_s / DAY_S - (left_s < 0),
    };
    (void)snprintf(out->key, sizeof out->key, "%s", visit->shown.key);
    (void)snprintf(out->version, sizeof out->version, "%s", visit->facts.tls13 ? "1.3" : "1.2");
    (void)snprintf(out->group, sizeof out->group, "%s", visit->facts.group);
    put_day(out->expires, visit->shown.until_s);
}

/* One population at one certificate: what is shown, and then whether the storm's own users take it. */
static enum ls_code look_at(const struct look *look, struct ls_shown *out, struct ls_error *err)
{
    struct visit first, second;
    enum ls_code code = visit_once(look, KNOCK_LOOKS, &first, err);

    if (code != LS_OK) {
        return code;
    }
    if (first.end != VISIT_SECURED) {
        return say_why_not(look, &first, err);
    }
    if (out != NULL) {
        find(out, &first);
    }
    code = check_key(look, first.shown.key, err);
    if (code != LS_OK || tls_of(look)->verify != LS_VERIFY_CHAIN) {
        return code;
    }
    code = visit_once(look, KNOCK_LOGS_IN, &second, err);
    if (code != LS_OK || second.end == VISIT_SECURED) {
        return code;
    }
    return second.end == VISIT_TLS && second.why == LS_WHY_CERTIFICATE && first.has_shown
               ? say_doubt(look, &second, &first.shown, err)
               : say_why_not(look, &second, err);
}

static enum ls_code look_at_all(struct look *look, struct ls_shown *shown, struct ls_error *err)
{
    const struct ls_scenario *scenario = look->scenario;
    enum ls_code code = LS_OK;

    for (size_t c = 0; code == LS_OK && c < scenario->certificates_count; c++) {
        for (size_t p = 0; code == LS_OK && p < scenario->populations_count; p++) {
            look->certificate = c;
            look->population = p;
            look->name = ls_engine_asked_name(scenario->certificates[c].server_name,
                                              &scenario->populations[p].tls, look->host);
            code = look_at(look, p == 0 ? &shown[c] : NULL, err);
        }
    }
    /* The other addresses: whether they are there, with what the first one has. */
    look->certificate = look->population = 0;
    look->name = ls_engine_asked_name(scenario->certificates[0].server_name,
                                      &scenario->populations[0].tls, look->host);
    for (look->address = 1; code == LS_OK && look->address < look->target->count; look->address++) {
        code = look_at(look, NULL, err);
    }
    return code;
}

enum ls_code ls_storm_look(struct ls_shown *shown, const struct ls_scenario *scenario,
                           const struct ls_target *target, int shards, struct ls_error *err)
{
    struct look look = {.scenario = scenario, .target = target};
    struct target_caps caps;
    const char *port;
    enum ls_code code;

    if (scenario->gateway.embedded) {
        return LS_OK;
    }
    target_host(scenario, look.host, &port);
    if (ls_name_is_address(look.host)) {
        look.host[0] = '\0';
    }
    if (target_is_beyond(target)) {
        target_caps(scenario, &caps);
        look.space_ns = (shards > 1 ? shards : 1) * LS_NS_PER_S / caps.connections_per_s;
    }
    code = target_trust(&look.trust, scenario, err);
    if (code == LS_OK) {
        code = clients_load(&look.clients, scenario, err);
    }
    if (code == LS_OK && scenario->gateway.first_look) {
        code = look_at_all(&look, shown, err);
    }
    clients_free(look.clients, scenario);
    free(look.trust);
    return code;
}

void ls_storm_look_text(const struct ls_shown *shown, const char *certificate, char *out,
                        size_t size)
{
    const size_t used = (size_t)snprintf(
        out, size, "%.80s: a key of the kind %s, %d %s, TLS %s with %s, ", certificate,
        shown->key[0] != '\0' ? shown->key : "that is not known here", shown->chain_length,
        shown->chain_length == 1 ? "certificate in the chain" : "certificates in the chain",
        shown->version, shown->group[0] != '\0' ? shown->group : "no group");

    if (used >= size) {
        return;
    }
    if (shown->expires[0] == '\0') {
        (void)snprintf(out + used, size - used, "valid until nobody knows when");
    } else if (shown->days_left < 0) {
        (void)snprintf(out + used, size - used, "expired since %s", shown->expires);
    } else {
        (void)snprintf(out + used, size - used, "valid until %s (%s%" PRId64 " %s)", shown->expires,
                       shown->days_left < LS_LOOK_DAYS_FEW ? "only " : "", shown->days_left,
                       shown->days_left == 1 ? "day" : "days");
    }
}
