/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <string.h>

#include "loginstorm/network.h"
#include "scenario/field.h"

/* For benchmarks (RFC 2544): nobody has these addresses. */
#define PROXY_SOURCES_DEFAULT "198.18.0.0/15"

static struct ls_place place_of(const struct ls_node *node, const char *key)
{
    const struct ls_node *child = ls_node_get(node, key);

    if (child != NULL) {
        return child->place;
    }
    return node != NULL ? node->place : (struct ls_place){NULL, 1, 1};
}

static size_t length_of(char *const *list)
{
    size_t n = 0;

    while (list != NULL && list[n] != NULL) {
        n++;
    }
    return n;
}

static bool has(char *const *list, const char *word)
{
    while (list != NULL && *list != NULL && strcmp(*list, word) != 0) {
        list++;
    }
    return list != NULL && *list != NULL;
}

static bool is_hybrid(const char *group)
{
    return strstr(group, "MLKEM") != NULL;
}

static bool is_tls13_cipher(const char *cipher)
{
    return strstr(cipher, "_WITH_") == NULL;
}

static char **copy_words(struct ls_reading *reading, const char *const *words, size_t count)
{
    char **list = ls_reading_alloc(reading, count + 1, sizeof *list);

    for (size_t i = 0; i < count && list != NULL; i++) {
        list[i] = ls_reading_text(reading, words[i]);
    }
    return list;
}

static void default_ciphers(struct ls_reading *reading, struct ls_tls_wish *tls)
{
    static const char *const words[] = {
        "TLS_AES_256_GCM_SHA384",
        "TLS_AES_128_GCM_SHA256",
        "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
        "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
        "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
        "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
    };
    const size_t first = tls->max == LS_TLS_1_3 ? 0 : 2;
    const size_t end = tls->min == LS_TLS_1_2 ? 6 : 2;

    tls->ciphers = copy_words(reading, words + first, end - first);
}

/* One complaint for a word of a list that does not go with the rest. */
static void complain_word(struct ls_reading *reading, const struct ls_node *node, const char *key,
                          size_t index, const char *text)
{
    const struct ls_node *list = ls_node_get(node, key);
    const struct ls_node *item = list != NULL ? ls_node_at(list, index) : NULL;
    const size_t length = ls_path_enter(reading, key);

    ls_complain(reading, item != NULL ? item->place : place_of(node, key), "%s", text);
    ls_path_leave(reading, length);
}

static void check_groups(struct ls_reading *reading, const struct ls_node *node,
                         const struct ls_tls_wish *tls)
{
    char text[160];

    for (size_t i = 0; i < length_of(tls->groups); i++) {
        if (tls->max == LS_TLS_1_2 && is_hybrid(tls->groups[i])) {
            (void)snprintf(text, sizeof text,
                           "%s needs TLS 1.3; add 1.3 to versions, or take the group out",
                           tls->groups[i]);
            complain_word(reading, node, "groups", i, text);
        }
    }
    if (tls->max == LS_TLS_1_3 && tls->min == LS_TLS_1_2) {
        bool classic = false;

        for (size_t i = 0; i < length_of(tls->groups); i++) {
            classic = classic || !is_hybrid(tls->groups[i]);
        }
        if (!classic) {
            complain_word(reading, node, "groups", 0,
                          "TLS 1.2 can use none of these; add X25519 or P-256, or take 1.2 out of "
                          "versions");
        }
    }
}

static void check_key_shares(struct ls_reading *reading, const struct ls_node *node,
                             const struct ls_tls_wish *tls)
{
    char text[160];

    if (ls_node_get(node, "key_shares") != NULL && tls->max == LS_TLS_1_2) {
        complain_word(reading, node, "key_shares", 0,
                      "are of TLS 1.3, which versions leaves out; take them out");
        return;
    }
    for (size_t i = 0; i < length_of(tls->key_shares); i++) {
        if (!has(tls->groups, tls->key_shares[i])) {
            (void)snprintf(text, sizeof text,
                           "%s is not among the groups; add it there, or take "
                           "it out here",
                           tls->key_shares[i]);
            complain_word(reading, node, "key_shares", i, text);
        }
    }
}

static void check_ciphers(struct ls_reading *reading, const struct ls_node *node,
                          const struct ls_tls_wish *tls)
{
    bool old = false;
    bool new = false;

    for (size_t i = 0; i < length_of(tls->ciphers); i++) {
        const bool tls13 = is_tls13_cipher(tls->ciphers[i]);

        new = new || tls13;
        old = old || !tls13;
    }
    if (tls->max == LS_TLS_1_3 && !new) {
        complain_word(reading, node, "ciphers", 0,
                      "none of these is a cipher suite of TLS 1.3, which versions offers; add "
                      "TLS_AES_256_GCM_SHA384");
    }
    if (tls->min == LS_TLS_1_2 && !old) {
        complain_word(reading, node, "ciphers", 0,
                      "none of these is a cipher suite of TLS 1.2, which versions offers; add "
                      "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384 or "
                      "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384");
    }
    if (tls->min == LS_TLS_1_3 && old) {
        complain_word(reading, node, "ciphers", 0,
                      "a cipher suite of TLS 1.2 is among these, which versions leaves out");
    }
    if (tls->max == LS_TLS_1_2 && new) {
        complain_word(reading, node, "ciphers", 0,
                      "a cipher suite of TLS 1.3 is among these, which versions leaves out");
    }
}

void ls_check_tls(struct ls_reading *reading, const struct ls_node *node, void *record)
{
    struct ls_tls_wish *tls = record;
    const char *first = tls->groups[0];

    if (tls->ciphers == NULL) {
        default_ciphers(reading, tls);
    }
    if (tls->key_shares == NULL) {
        tls->key_shares = copy_words(reading, &first, tls->max == LS_TLS_1_3 ? 1 : 0);
    }
    if (reading->no_memory) {
        return;
    }
    check_groups(reading, node, tls);
    check_key_shares(reading, node, tls);
    check_ciphers(reading, node, tls);
}

void ls_check_client(struct ls_reading *reading, const struct ls_node *node, void *record)
{
    const struct ls_client_wish *client = record;

    if (client->password_file != NULL && client->password_env != NULL) {
        ls_complain(reading, place_of(node, "password_env"),
                    "password_file and password_env say the same; take one of them out");
    }
}

void ls_check_cpu(struct ls_reading *reading, const struct ls_node *node, void *record)
{
    const struct ls_gateway_wish *gateway = record;
    char shown[LS_SHOWN_MAX];

    if (gateway->cpu_from == LS_CPU_PROCESS && gateway->cpu_pid == 0 &&
        gateway->cpu_process == NULL) {
        ls_complain(reading, node->place,
                    "wants the process: {from: process, pid: 1234} or "
                    "{from: process, process: nginx}");
    } else if (gateway->cpu_from == LS_CPU_PROCESS && gateway->cpu_pid != 0 &&
               gateway->cpu_process != NULL) {
        ls_complain(reading, node->place, "pid and process say the same; take one of them out");
    } else if (gateway->cpu_from == LS_CPU_EXPORTER && gateway->cpu_url != NULL &&
               strncmp(gateway->cpu_url, "http://", 7) != 0 &&
               strncmp(gateway->cpu_url, "https://", 8) != 0) {
        const size_t length = ls_path_enter(reading, "url");

        ls_complain(reading, place_of(node, "url"),
                    "\"%s\" does not begin with http:// or https://, like "
                    "http://gw1:9100/metrics",
                    ls_show(gateway->cpu_url, shown));
        ls_path_leave(reading, length);
    }
}

static void check_proxy(struct ls_reading *reading, const struct ls_node *node,
                        struct ls_gateway_wish *gateway)
{
    const size_t length = ls_path_enter(reading, "proxy_sources");
    struct ls_network network;

    if (gateway->proxy_sources == NULL) {
        gateway->proxy_sources =
            gateway->proxy_v2 ? ls_reading_text(reading, PROXY_SOURCES_DEFAULT) : NULL;
    } else if (!gateway->proxy_v2) {
        ls_complain(reading, place_of(node, "proxy_sources"),
                    "are told by the PROXY protocol alone; add proxy_protocol: v2, or take this "
                    "out");
    } else if (!ls_network_parse(gateway->proxy_sources, &network)) {
        ls_complain(reading, place_of(node, "proxy_sources"),
                    "\"%s\" is no network, like 198.18.0.0/15 or 2001:2::/48 (its first address, "
                    "and a length of 8 to 32, of IPv6 16 to 128)",
                    gateway->proxy_sources);
    }
    ls_path_leave(reading, length);
}

void ls_check_gateway(struct ls_reading *reading, const struct ls_node *node, void *record)
{
    struct ls_gateway_wish *gateway = record;
    size_t length;

    check_proxy(reading, node, gateway);
    length = ls_path_enter(reading, "cpu");
    if (ls_node_get(node, "cpu") == NULL) {
        gateway->cpu_from = gateway->embedded ? LS_CPU_EMBEDDED : LS_CPU_NONE;
    } else if (gateway->embedded && gateway->cpu_from != LS_CPU_EMBEDDED) {
        ls_complain(reading, place_of(node, "cpu"),
                    "the embedded gateway accounts for its CPU itself; take this out");
    } else if (!gateway->embedded && gateway->cpu_from == LS_CPU_EMBEDDED) {
        ls_complain(reading, place_of(node, "cpu"),
                    "an outside gateway is not embedded; give {from: process, pid: 1234}, {from: "
                    "cgroup, path: ...}, {from: exporter, url: ...} or none");
    }
    ls_path_leave(reading, length);
    if (gateway->cores_count > 0 && gateway->cores_count != gateway->workers) {
        length = ls_path_enter(reading, "cores");
        ls_complain(reading, place_of(node, "cores"),
                    "lists %d for %d workers; give one core a worker", gateway->cores_count,
                    gateway->workers);
        ls_path_leave(reading, length);
    }
}

/* For one that belongs to a certificate from files alone. */
static void check_file_word(struct ls_reading *reading, const struct ls_node *node, const char *key,
                            const char *value)
{
    if (value != NULL) {
        ls_complain(reading, place_of(node, key),
                    "%s belongs to a certificate from files, with chain and private_key; take it "
                    "out",
                    key);
    }
}

/* An outside gateway has its certificates already: users ask for one by its name. A key says of which
 * kind it is, for the simulation. */
static void check_outside(struct ls_reading *reading, const struct ls_node *node)
{
    static const char *const own[] = {"chain", "private_key", "password_file", "password_env",
                                      "trust"};

    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++) {
        if (ls_node_get(node, own[i]) != NULL) {
            ls_complain(reading, place_of(node, own[i]),
                        "an outside gateway has its own certificates; name one by the server_name "
                        "that users ask for, and take this out%s",
                        strcmp(own[i], "trust") == 0 ? " (who is trusted stands as trust under "
                                                       "gateway)"
                                                     : "");
        }
    }
}

static void note_place(struct ls_reading *reading, struct ls_place place,
                       struct ls_certificate *certificate)
{
    certificate->origin =
        ls_reading_text(reading, place.origin != NULL ? place.origin : reading->file);
    certificate->line = place.line;
    certificate->column = place.column;
}

void ls_check_certificate(struct ls_reading *reading, const struct ls_node *node, void *record)
{
    struct ls_certificate *certificate = record;
    const bool key = ls_node_get(node, "key") != NULL;
    const bool chain = certificate->chain != NULL;
    const bool private_key = certificate->private_key != NULL;

    if (key && (chain || private_key)) {
        ls_complain(reading, place_of(node, "key"),
                    "key makes a new key, chain and private_key bring one; take one of both out");
    } else if (!key && chain != private_key) {
        ls_complain(reading, node->place, "%s is missing: chain and private_key go together",
                    chain ? "private_key" : "chain");
    } else if (!reading->scenario->gateway.embedded) {
        check_outside(reading, node);
    } else if (!key && !chain) {
        ls_complain(reading, node->place,
                    "says no key; give one, like key: rsa-4096 or key: ecdsa-p256");
    }
    if (chain || (!key && !reading->scenario->gateway.embedded)) {
        certificate->key = LS_KEY_FILE;
    } else {
        check_file_word(reading, node, "password_file", certificate->password_file);
        check_file_word(reading, node, "password_env", certificate->password_env);
        check_file_word(reading, node, "trust", certificate->trust);
    }
    if (certificate->password_file != NULL && certificate->password_env != NULL) {
        ls_complain(reading, place_of(node, "password_env"),
                    "password_file and password_env say the same; take one of them out");
    }
    if (certificate->name == NULL) {
        const char *name = chain                              ? certificate->chain
                           : certificate->key != LS_KEY_FILE  ? ls_key_name(certificate->key)
                           : certificate->server_name != NULL ? certificate->server_name
                                                              : reading->scenario->gateway.target;

        /* The target may be one of the scenario's mistakes. */
        certificate->name = ls_reading_text(reading, name == NULL ? "" : name);
    }
    note_place(reading, place_of(node, chain ? "chain" : "key"), certificate);
}
