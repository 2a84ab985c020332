/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_CLI_GATEWAY_PARTS_H
#define LOGINSTORM_CLI_GATEWAY_PARTS_H

/* What the parts of `loginstorm gateway` share: addresses, what is counted, one process, several, and who tells others of them. */

#include <stdbool.h>
#include <stdio.h>
#include <sys/socket.h>

#include <uv.h>

#include "cli/options.h"
#include "cli/shown.h"
#include "loginstorm/address.h"
#include "loginstorm/error.h"
#include "loginstorm/gateway.h"
#include "loginstorm/meter.h"

/* ADDRESS:PORT of --option. LS_EUSAGE. */
LS_MUST_CHECK
enum ls_code gateway_parse_address(const char *option, const char *text,
                                   struct sockaddr_storage *address, struct ls_error *err);

/* LS_ECREATE where somebody has it. */
LS_MUST_CHECK
enum ls_code gateway_have_alone(const char *text, const struct sockaddr_storage *address,
                                struct ls_error *err);

/* "3 connections, 2 secured, 1 failed, 2 requests; CPU 0.100 s user, 0.010 s system" */
void gateway_say_counts(const struct ls_gateway_counts *counts, int64_t user_ns, int64_t system_ns,
                        FILE *out);

/* What a worker puts down for its conductor, in memory of both, each turn of its loop; its CPU ten times a second. */
struct worker_post {
    struct ls_gateway_counts counts;
    int64_t user_ns, system_ns;
    int ready; /* stored with release */
};

/* One worker as its conductor knows it. */
struct gateway_worker {
    pid_t pid;
    int core;
    bool gone;
    int status; /* of waitpid, once it is gone */
    struct ls_meter meter;
    const volatile struct worker_post *post;
    /* CPU so far, neither ever less than before. */
    int64_t user_ns, system_ns;
};

/* Puts down what its clock says, so that neither part nor their sum ever goes down. */
void gateway_worker_keep(struct gateway_worker *worker, int64_t cpu_ns, int64_t system_ns);
/* Reads its clock. */
void gateway_worker_read(struct gateway_worker *worker);
void gateway_worker_counts(const struct gateway_worker *worker, struct ls_gateway_counts *counts);

/* The process of one worker, to its end; its exit status. address has the real port. */
int gateway_worker_main(const struct options *options, const struct shown_list *shown,
                        const struct sockaddr_storage *address, const uint8_t *ticket_key, int core,
                        struct worker_post *post);

/* `gateway --workers N` or with --metrics. The exit status. */
int gateway_stand_many(const struct options *options);

/* Tells who asks (GET, any path) in Prometheus's text format. */
struct gateway_metrics;
LS_MUST_CHECK
enum ls_code gateway_metrics_open(struct gateway_metrics **out, uv_loop_t *loop,
                                  const char *address, struct gateway_worker *workers, int count,
                                  struct ls_error *err);
void gateway_metrics_address(const struct gateway_metrics *metrics, char out[LS_ADDRESS_PORT_SIZE]);
void gateway_metrics_write(FILE *out, struct gateway_worker *workers, int count);
void gateway_metrics_close(struct gateway_metrics *metrics); /* before the loop runs out */
void gateway_metrics_free(struct gateway_metrics *metrics);  /* after it; NULL is nothing */

#endif
