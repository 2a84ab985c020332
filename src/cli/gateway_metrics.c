/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The gateway's exporter: so that a machine that storms reads what its handshakes cost here. One page, in plain text, to
 * whoever asks; who says nothing for some seconds, or too much, is closed. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/gateway_parts.h"

#define ASKED_MOST 4096
#define PATIENCE_MS 5000
#define CLIENTS_MOST 16
#define GROUP "loginstorm-gateway"

struct gateway_metrics {
    uv_tcp_t listener;
    struct gateway_worker *workers;
    int count;
    int clients;
    struct client *first;
};

struct client {
    uv_tcp_t stream;
    uv_timer_t patience;
    uv_write_t write;
    struct gateway_metrics *metrics;
    struct client *next, **at;
    char asked[ASKED_MOST];
    size_t asked_size;
    char *answer;
    int closing; /* handles that are yet to close */
};

static void put_counter(FILE *out, const char *name, const char *help)
{
    (void)fprintf(out, "# HELP %s %s\n# TYPE %s counter\n", name, help, name);
}

void gateway_metrics_write(FILE *out, struct gateway_worker *workers, int count)
{
    static const struct {
        const char *name, *help;
        size_t offset;
    } counted[] = {
        {"loginstorm_gateway_connections_total", "Connections that were accepted.",
         offsetof(struct ls_gateway_counts, accepted)},
        {"loginstorm_gateway_handshakes_total", "TLS handshakes that were secured.",
         offsetof(struct ls_gateway_counts, secured)},
        {"loginstorm_gateway_failed_total", "Connections that ended before they were secured.",
         offsetof(struct ls_gateway_counts, failed)},
        {"loginstorm_gateway_requests_total", "Requests that were answered.",
         offsetof(struct ls_gateway_counts, requests)},
    };
    int64_t user_ns = 0, system_ns = 0;

    for (int i = 0; i < count; i++) {
        gateway_worker_read(&workers[i]);
        user_ns += workers[i].user_ns;
        system_ns += workers[i].system_ns;
    }
    /* As process-exporter has it, so that who reads that reads this. */
    put_counter(out, "namedprocess_namegroup_cpu_seconds_total",
                "CPU time of all workers, those that died too.");
    (void)fprintf(
        out,
        "namedprocess_namegroup_cpu_seconds_total{groupname=\"" GROUP "\",mode=\"user\"} %.9f\n"
        "namedprocess_namegroup_cpu_seconds_total{groupname=\"" GROUP "\",mode=\"system\"} %.9f\n",
        (double)user_ns / 1e9, (double)system_ns / 1e9);
    for (size_t c = 0; c < sizeof counted / sizeof counted[0]; c++) {
        put_counter(out, counted[c].name, counted[c].help);
        for (int i = 0; i < count; i++) {
            struct ls_gateway_counts counts;

            gateway_worker_counts(&workers[i], &counts);
            (void)fprintf(
                out, "%s{worker=\"%d\"} %" PRId64 "\n", counted[c].name, i + 1,
                *(const int64_t *)(const void *)((const char *)&counts + counted[c].offset));
        }
    }
}

static void on_handle_closed(uv_handle_t *handle)
{
    struct client *client = handle->data;

    if (--client->closing == 0) {
        client->metrics->clients--;
        *client->at = client->next;
        if (client->next != NULL) {
            client->next->at = client->at;
        }
        free(client->answer);
        free(client);
    }
}

static void drop(struct client *client)
{
    if (client->closing == 0) {
        client->closing = 2;
        uv_close((uv_handle_t *)&client->stream, on_handle_closed);
        uv_close((uv_handle_t *)&client->patience, on_handle_closed);
    }
}

static void on_patience(uv_timer_t *timer)
{
    drop(timer->data);
}

static void on_written(uv_write_t *write, int status)
{
    (void)status;
    drop(write->data);
}

static void answer(struct client *client)
{
    const struct gateway_metrics *metrics = client->metrics;
    char *body = NULL;
    size_t body_size = 0;
    FILE *out = open_memstream(&body, &body_size);
    int size = -1;
    uv_buf_t buffer;

    if (out != NULL) {
        gateway_metrics_write(out, metrics->workers, metrics->count);
        if (fclose(out) == 0) {
            size = asprintf(&client->answer,
                            "HTTP/1.1 200 OK\r\nContent-Type: text/plain; version=0.0.4; "
                            "charset=utf-8\r\nContent-Length: %zu\r\nConnection: close\r\n\r\n%s",
                            body_size, body);
        }
    }
    free(body);
    if (size < 0) {
        client->answer = NULL;
        drop(client);
        return;
    }
    buffer = uv_buf_init(client->answer, (unsigned)size);
    client->write.data = client;
    if (uv_write(&client->write, (uv_stream_t *)&client->stream, &buffer, 1, on_written) != 0) {
        drop(client);
    }
}

static void on_room(uv_handle_t *handle, size_t wanted, uv_buf_t *out)
{
    struct client *client = handle->data;

    (void)wanted;
    *out = uv_buf_init(client->asked + client->asked_size,
                       (unsigned)(sizeof client->asked - 1 - client->asked_size));
}

static void on_asked(uv_stream_t *stream, ssize_t got, const uv_buf_t *buffer)
{
    struct client *client = stream->data;

    (void)buffer;
    if (got < 0) {
        drop(client);
        return;
    }
    client->asked_size += (size_t)got;
    client->asked[client->asked_size] = '\0';
    if (strstr(client->asked, "\r\n\r\n") != NULL) {
        (void)uv_read_stop(stream);
        answer(client);
    } else if (client->asked_size == sizeof client->asked - 1) {
        drop(client);
    }
}

static void on_client(uv_stream_t *listener, int status)
{
    struct gateway_metrics *metrics = listener->data;
    struct client *client = status == 0 ? calloc(1, sizeof *client) : NULL;

    if (client == NULL) {
        return;
    }
    client->metrics = metrics;
    (void)uv_tcp_init(listener->loop, &client->stream);
    (void)uv_timer_init(listener->loop, &client->patience);
    client->stream.data = client->patience.data = client;
    metrics->clients++;
    client->next = metrics->first;
    client->at = &metrics->first;
    if (client->next != NULL) {
        client->next->at = &client->next;
    }
    metrics->first = client;
    if (uv_accept(listener, (uv_stream_t *)&client->stream) != 0 ||
        metrics->clients > CLIENTS_MOST ||
        uv_read_start((uv_stream_t *)&client->stream, on_room, on_asked) != 0) {
        drop(client);
        return;
    }
    (void)uv_timer_start(&client->patience, on_patience, PATIENCE_MS, 0);
}

enum ls_code gateway_metrics_open(struct gateway_metrics **out, uv_loop_t *loop,
                                  const char *address, struct gateway_worker *workers, int count,
                                  struct ls_error *err)
{
    struct gateway_metrics *metrics = calloc(1, sizeof *metrics);
    struct sockaddr_storage where;
    int status;

    *out = metrics;
    if (metrics == NULL) {
        return ls_error_set(err, LS_ENOMEM, "no memory for an exporter");
    }
    metrics->workers = workers;
    metrics->count = count;
    (void)uv_tcp_init(loop, &metrics->listener);
    metrics->listener.data = metrics;
    if (gateway_parse_address("metrics", address, &where, err) != LS_OK) {
        return LS_EUSAGE;
    }
    status = uv_tcp_bind(&metrics->listener, (const struct sockaddr *)&where, 0);
    if (status == 0) {
        status = uv_listen((uv_stream_t *)&metrics->listener, CLIENTS_MOST, on_client);
    }
    return status == 0 ? LS_OK
                       : ls_error_set(err, LS_ECREATE, "--metrics: cannot listen on %s: %s",
                                      address, uv_strerror(status));
}

void gateway_metrics_address(const struct gateway_metrics *metrics, char out[LS_ADDRESS_PORT_SIZE])
{
    struct sockaddr_storage address;
    int size = sizeof address;

    (void)uv_tcp_getsockname(&metrics->listener, (struct sockaddr *)&address, &size);
    ls_address_port_text(&address, out);
}

void gateway_metrics_close(struct gateway_metrics *metrics)
{
    if (metrics == NULL || uv_is_closing((uv_handle_t *)&metrics->listener)) {
        return;
    }
    uv_close((uv_handle_t *)&metrics->listener, NULL);
    for (struct client *client = metrics->first; client != NULL; client = client->next) {
        drop(client);
    }
}

void gateway_metrics_free(struct gateway_metrics *metrics)
{
    free(metrics);
}
