/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "storm/control.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool control_parse(const char *text, struct control_line *line)
{
    const size_t length = strcspn(text, " ");
    const char *at = text + length;
    int numbers = CONTROL_NUMBERS;

    *line = (struct control_line){0};
    if (length == 0 || length >= sizeof line->verb) {
        return false;
    }
    memcpy(line->verb, text, length);
    for (const char *c = text; c < at; c++) {
        if (*c < 'a' || *c > 'z') {
            return false;
        }
    }
    if (strcmp(line->verb, "error") == 0) {
        numbers = 1; /* its text may begin with a number of its own */
    }
    while (*at == ' ' && line->count < numbers) {
        char *end;

        errno = 0;
        line->numbers[line->count] = strtoll(at + 1, &end, 10);
        if (end == at + 1 || errno != 0 || (*end != ' ' && *end != '\0')) {
            break;
        }
        line->count++;
        at = end;
    }
    line->text = *at == ' ' ? at + 1 : at;
    return true;
}

static void end(struct control *control)
{
    if (!control->is_over) {
        control->is_over = true;
        (void)uv_read_stop((uv_stream_t *)&control->in);
        control->ended(control);
    }
}

static void give_buffer(uv_handle_t *handle, size_t suggested, uv_buf_t *buf)
{
    struct control *control = handle->data;

    (void)suggested;
    *buf = uv_buf_init(control->buffer + control->used,
                       (unsigned)(sizeof control->buffer - control->used));
}

static void on_read(uv_stream_t *stream, ssize_t size, const uv_buf_t *buf)
{
    struct control *control = stream->data;
    char *begin = control->buffer;
    char *newline;

    (void)buf;
    if (size < 0) {
        end(control);
        return;
    }
    control->used += (size_t)size;
    while (!control->is_over &&
           (newline = memchr(begin, '\n', control->used - (size_t)(begin - control->buffer))) !=
               NULL) {
        struct control_line line;

        *newline = '\0';
        if (!control_parse(begin, &line)) {
            end(control);
            return;
        }
        begin = newline + 1;
        control->line(control, &line);
    }
    control->used -= (size_t)(begin - control->buffer);
    memmove(control->buffer, begin, control->used);
    if (control->used == sizeof control->buffer) {
        end(control);
    }
}

int control_start(struct control *control)
{
    control->in.data = control;
    control->out.data = control;
    return uv_read_start((uv_stream_t *)&control->in, give_buffer, on_read);
}

struct sending {
    uv_write_t request;
    char text[];
};

static void on_sent(uv_write_t *request, int status)
{
    (void)status;
    free(request);
}

/* The rest of a line that the pipe would not take at once. */
static void send_later(struct control *control, const char *text, size_t size)
{
    struct sending *sending = malloc(sizeof *sending + size);
    uv_buf_t buf;

    if (sending == NULL) {
        return;
    }
    memcpy(sending->text, text, size);
    buf = uv_buf_init(sending->text, (unsigned)size);
    if (uv_write(&sending->request, (uv_stream_t *)&control->out, &buf, 1, on_sent) != 0) {
        free(sending);
    }
}

void control_send(struct control *control, const char *fmt, ...)
{
    char text[CONTROL_LINE_MAX];
    va_list args;
    uv_buf_t buf;
    int length, sent;

    va_start(args, fmt);
    length = vsnprintf(text, sizeof text - 1, fmt, args);
    va_end(args);
    if (length < 0 || uv_is_closing((uv_handle_t *)&control->out)) {
        return;
    }
    if (length >= CONTROL_LINE_MAX - 1) {
        length = CONTROL_LINE_MAX - 2;
    }
    for (char *newline; (newline = memchr(text, '\n', (size_t)length)) != NULL;) {
        *newline = ' '; /* in a text of ours; it must not end the line */
    }
    text[length++] = '\n';
    /* At once, which takes no memory: a line that is not sent may be one that is waited for. */
    buf = uv_buf_init(text, (unsigned)length);
    sent = uv_try_write((uv_stream_t *)&control->out, &buf, 1);
    if (sent < length) {
        send_later(control, text + (sent < 0 ? 0 : sent), (size_t)(length - (sent < 0 ? 0 : sent)));
    }
}

void control_close(struct control *control, uv_close_cb closed)
{
    control->is_over = true;
    uv_close((uv_handle_t *)&control->in, closed);
    uv_close((uv_handle_t *)&control->out, closed);
}
