/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * CPU of full handshakes in memory: our client against our gateway's side, a row per key kind and
 * group. No sockets: what cryptography and the TLS library take, to hold the whole against.
 *
 *     cmake --build --preset release --target bench_tls && build/release/bench_tls [ROUNDS]
 */
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>

#include "loginstorm/tls.h"
#include "loginstorm/units.h"

#define HELD 1000

struct row {
    const char *key, *group, *cipher;
    bool tls13;
    enum ls_tls_check check;
};

static const struct row rows[] = {
    {"ecdsa-p256", "X25519", NULL, true, LS_CHECK_NONE},
    {"ecdsa-p256", "X25519", "TLS_AES_128_GCM_SHA256", true, LS_CHECK_NONE},
    {"ecdsa-p256", "X25519", NULL, true, LS_CHECK_CHAIN},
    {"ecdsa-p256", "P-256", NULL, true, LS_CHECK_NONE},
    {"ecdsa-p256", "P-384", NULL, true, LS_CHECK_NONE},
    {"ecdsa-p256", "X25519MLKEM768", NULL, true, LS_CHECK_NONE},
    {"ecdsa-p256", "P-256", NULL, false, LS_CHECK_NONE},
    {"ecdsa-p384", "X25519", NULL, true, LS_CHECK_NONE},
    {"ecdsa-p384", "X25519", NULL, true, LS_CHECK_CHAIN},
    {"ecdsa-p521", "X25519", NULL, true, LS_CHECK_NONE},
    {"ed25519", "X25519", NULL, true, LS_CHECK_NONE},
    {"rsa-2048", "X25519", NULL, true, LS_CHECK_NONE},
    {"rsa-3072", "X25519", NULL, true, LS_CHECK_NONE},
    {"rsa-4096", "X25519", NULL, true, LS_CHECK_NONE},
    {"rsa-4096", "X25519", NULL, true, LS_CHECK_CHAIN},
};

struct cost {
    int64_t client_ns, server_ns;
    size_t to_server, to_client;
};

static void must(enum ls_code code, const struct ls_error *err)
{
    if (code != LS_OK) {
        (void)fprintf(stderr, "bench_tls: %s\n", err->text);
        exit(1);
    }
}

static enum ls_tls_state step(struct ls_tls_end *end, struct ls_bytes *in, struct ls_bytes *out,
                              int64_t *cpu_ns)
{
    struct ls_bytes plain = {0};
    const int64_t begin_ns = ls_thread_cpu_ns();
    const enum ls_tls_state state =
        ls_tls_end_step(end, ls_bytes_front(in), ls_bytes_size(in), out, &plain);

    *cpu_ns += ls_thread_cpu_ns() - begin_ns;
    ls_bytes_free(in);
    ls_bytes_free(&plain);
    return state;
}

static void shake_hands(struct ls_tls_context *client, struct ls_tls_context *server,
                        struct ls_tls_end *ends[2], struct cost *cost)
{
    struct ls_bytes up = {0}, down = {0};
    enum ls_tls_state c, s;
    struct ls_error err;
    int64_t begin_ns = ls_thread_cpu_ns();

    must(ls_tls_end_new(&ends[0], client, &err), &err);
    cost->client_ns += ls_thread_cpu_ns() - begin_ns;
    begin_ns = ls_thread_cpu_ns();
    must(ls_tls_end_new(&ends[1], server, &err), &err);
    cost->server_ns += ls_thread_cpu_ns() - begin_ns;
    do {
        c = step(ends[0], &down, &up, &cost->client_ns);
        cost->to_server += ls_bytes_size(&up);
        s = step(ends[1], &up, &down, &cost->server_ns);
        cost->to_client += ls_bytes_size(&down);
    } while (c != LS_TLS_FAILED && s != LS_TLS_FAILED &&
             (c == LS_TLS_HANDSHAKING || s == LS_TLS_HANDSHAKING || ls_bytes_size(&down) > 0));
    if (c != LS_TLS_SECURED || s != LS_TLS_SECURED) {
        struct ls_tls_facts facts;

        ls_tls_end_facts(ends[c == LS_TLS_FAILED ? 0 : 1], &facts);
        (void)fprintf(stderr, "bench_tls: no handshake: %s\n", facts.text);
        exit(1);
    }
}

static void end_both(struct ls_tls_end *ends[2], struct cost *cost)
{
    int64_t begin_ns = ls_thread_cpu_ns();

    ls_tls_end_free(ends[0]);
    cost->client_ns += ls_thread_cpu_ns() - begin_ns;
    begin_ns = ls_thread_cpu_ns();
    ls_tls_end_free(ends[1]);
    cost->server_ns += ls_thread_cpu_ns() - begin_ns;
}

/* Bytes of heap that both sides of a secured connection hold together, and each alone. */
static void measure_held(struct ls_tls_context *client, struct ls_tls_context *server,
                         size_t held[2])
{
    struct ls_tls_end *(*ends)[2] = calloc(HELD, sizeof *ends);
    struct cost cost = {0};
    size_t all, alone;

    if (ends == NULL) {
        exit(1);
    }
    for (int i = 0; i < HELD; i++) {
        shake_hands(client, server, ends[i], &cost);
    }
    all = mallinfo2().uordblks;
    for (int i = 0; i < HELD; i++) {
        ls_tls_end_free(ends[i][1]);
    }
    alone = mallinfo2().uordblks;
    held[1] = (all - alone) / HELD;
    all = alone;
    for (int i = 0; i < HELD; i++) {
        ls_tls_end_free(ends[i][0]);
    }
    held[0] = (all - mallinfo2().uordblks) / HELD;
    free(ends);
}

static void run(const struct row *row, int rounds)
{
    const struct ls_identity_wish wish = {
        .key = row->key, .issuer_key = "rsa-2048", .name = "ras.example.lan"};
    const char *const groups[] = {row->group, NULL};
    const char *const ciphers[] = {row->cipher, NULL};
    struct ls_tls_context *client, *server;
    struct ls_identity *identity;
    struct ls_tls_end *ends[2];
    struct cost warm = {0}, cost = {0};
    size_t held[2];
    struct ls_error err;

    must(ls_identity_new(&identity, &wish, &err), &err);
    must(ls_tls_server_new(&server, &(struct ls_tls_server_wish){.identity = identity}, &err),
         &err);
    must(ls_tls_client_new(&client,
                           &(struct ls_tls_client_wish){.tls12 = !row->tls13,
                                                        .tls13 = row->tls13,
                                                        .groups = groups,
                                                        .ciphers = ciphers,
                                                        .server_name = "ras.example.lan",
                                                        .check = row->check,
                                                        .trust = identity->trust},
                           &err),
         &err);
    for (int i = 0; i < rounds / 10 + 1; i++) {
        shake_hands(client, server, ends, &warm);
        end_both(ends, &warm);
    }
    for (int i = 0; i < rounds; i++) {
        shake_hands(client, server, ends, &cost);
        end_both(ends, &cost);
    }
    measure_held(client, server, held);
    (void)printf(
        "%-11s %-15s %-7s %-23s %-6s %9.1f %9.1f %7zu %7zu %7zu %7zu\n", row->key, row->group,
        row->tls13 ? "1.3" : "1.2", row->cipher == NULL ? "AES_256_GCM_SHA384" : row->cipher + 4,
        row->check == LS_CHECK_CHAIN ? "chain" : "none", (double)cost.client_ns / rounds / 1e3,
        (double)cost.server_ns / rounds / 1e3, cost.to_server / (size_t)rounds,
        cost.to_client / (size_t)rounds, held[0], held[1]);
    ls_tls_context_free(client);
    ls_tls_context_free(server);
    ls_identity_free(identity);
}

int main(int argc, char **argv)
{
    const long rounds = argc > 1 ? strtol(argv[1], NULL, 10) : 2000;
    struct ls_error err;

    if (rounds < 1 || rounds > 1000000) {
        (void)fprintf(stderr, "usage: bench_tls [ROUNDS]\n");
        return 64;
    }
    must(ls_tls_start(&err), &err);
    (void)printf("%s, %s; CPU us a full handshake in memory, bytes sent, bytes of heap held\n",
                 ls_tls_library(), ls_tls_build());
    (void)printf("%-11s %-15s %-7s %-23s %-6s %9s %9s %7s %7s %7s %7s\n", "key", "group", "version",
                 "cipher", "check", "client us", "server us", "up", "down", "client", "server");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        run(&rows[i], (int)rounds);
        (void)fflush(stdout);
    }
    ls_tls_stop();
    return 0;
}
