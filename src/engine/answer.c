/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/answer.h"

#include <string.h>
#include <strings.h>

enum answer_at {
    AT_STATUS = 0,
    AT_HEADER,
    AT_BODY,       /* so many bytes */
    AT_CHUNK_LINE, /* the next chunk's size */
    AT_CHUNK,
    AT_CHUNK_END, /* the end of line behind it */
    AT_TRAILER,
    AT_REST, /* a body that ends with the connection */
};

/* Servers send 8 KiB at most; whatever sends more does not end. */
#define HEAD_MAX 65536
#define LENGTH_DIGITS_MAX 18
#define CHUNK_DIGITS_MAX 15

static const char protocol[] = "HTTP/";

static void end_with(struct answer *answer, enum answer_is is)
{
    answer->is = (uint8_t)is;
}

static int digit_of(char c)
{
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    c = (char)(c | 0x20);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : 16;
}

/* Reads digits of the base; how many there were, 0 for too many. */
static size_t read_number(const char *text, int base, size_t most, uint64_t *value)
{
    size_t i = 0;

    *value = 0;
    for (; digit_of(text[i]) < base; i++) {
        *value = *value * (uint64_t)base + (uint64_t)digit_of(text[i]);
        if (i == most) {
            return 0;
        }
    }
    return i;
}

/* "HTTP/1.1 200 OK" */
static void take_status(struct answer *answer)
{
    const char *space = strchr(answer->line, ' ');
    uint64_t status = 0;

    if (space == NULL || strncmp(answer->line, protocol, sizeof protocol - 1) != 0 ||
        read_number(space + 1, 10, 3, &status) != 3 || status < 100) {
        end_with(answer, ANSWER_BROKEN);
        return;
    }
    answer->status = (uint16_t)status;
    answer->at = AT_HEADER;
}

/* What stands behind "Name:", without the spaces before it, or NULL. */
static const char *value_of(const struct answer *answer, const char *name)
{
    const size_t length = strlen(name);
    const char *value = answer->line + length;

    if (strncasecmp(answer->line, name, length) != 0) {
        return NULL;
    }
    return value + strspn(value, " \t");
}

static void take_length(struct answer *answer, const char *value)
{
    uint64_t length;
    const size_t digits = read_number(value, 10, LENGTH_DIGITS_MAX, &length);

    if (digits == 0 || value[digits + strspn(value + digits, " \t")] != '\0' ||
        (answer->sized && length != answer->left)) {
        end_with(answer, ANSWER_BROKEN);
        return;
    }
    answer->sized = true;
    answer->left = length;
}

/* Where there are several codings the last one is chunked (RFC 9112, 6.3). */
static bool is_chunked(const char *value)
{
    const char word[] = "chunked";
    size_t length = strlen(value);

    while (length > 0 && (value[length - 1] == ' ' || value[length - 1] == '\t')) {
        length--;
    }
    return length >= sizeof word - 1 &&
           strncasecmp(value + length - (sizeof word - 1), word, sizeof word - 1) == 0;
}

/* A 101 has none: behind it comes another protocol. */
static bool has_body(const struct answer *answer)
{
    const uint16_t status = answer->status;

    return status != 101 && status != 204 && status != 304 &&
           (answer->chunked || !answer->sized || answer->left > 0);
}

static void take_head(struct answer *answer)
{
    if (answer->status >= 400) {
        end_with(answer, ANSWER_REFUSED);
    } else if (answer->status < 200 && answer->status != 101) {
        answer->at = AT_STATUS; /* in the meantime: the answer itself follows */
        answer->chunked = answer->sized = false;
        answer->left = 0;
    } else if (!has_body(answer)) {
        end_with(answer, ANSWER_WHOLE);
    } else if (answer->chunked) {
        answer->at = AT_CHUNK_LINE;
    } else {
        answer->at = answer->sized ? AT_BODY : AT_REST;
    }
}

static void take_header(struct answer *answer)
{
    const char *value;

    if (answer->line[0] == '\0') {
        take_head(answer);
    } else if ((value = value_of(answer, "content-length:")) != NULL) {
        take_length(answer, value);
    } else if ((value = value_of(answer, "transfer-encoding:")) != NULL) {
        answer->chunked = is_chunked(value);
    }
}

/* "1f4;name=value" */
static void take_chunk_line(struct answer *answer)
{
    const size_t digits = read_number(answer->line, 16, CHUNK_DIGITS_MAX, &answer->left);

    if (digits == 0 || strchr("; \t", answer->line[digits]) == NULL) {
        end_with(answer, ANSWER_BROKEN);
    } else {
        answer->at = answer->left > 0 ? AT_CHUNK : AT_TRAILER;
    }
    answer->head_bytes = 0; /* any number of chunks may come */
}

static void take_line(struct answer *answer)
{
    if (answer->line_length > 0 && answer->line[answer->line_length - 1] == '\r') {
        answer->line_length--;
    }
    answer->line[answer->line_length] = '\0';
    answer->line_length = 0;
    switch ((enum answer_at)answer->at) {
    case AT_STATUS:
        take_status(answer);
        break;
    case AT_HEADER:
        take_header(answer);
        break;
    case AT_CHUNK_LINE:
        take_chunk_line(answer);
        break;
    case AT_CHUNK_END:
        answer->at = AT_CHUNK_LINE;
        if (answer->line[0] != '\0') {
            end_with(answer, ANSWER_BROKEN);
        }
        break;
    case AT_TRAILER:
        if (answer->line[0] == '\0') {
            end_with(answer, ANSWER_WHOLE);
        }
        break;
    case AT_BODY:
    case AT_CHUNK:
    case AT_REST:
        break;
    }
}

static void take_byte_of_line(struct answer *answer, char byte)
{
    if (answer->status == 0 && answer->line_length < sizeof protocol - 1 &&
        byte != protocol[answer->line_length]) {
        end_with(answer, ANSWER_FOREIGN);
    } else if (++answer->head_bytes > HEAD_MAX) {
        end_with(answer, ANSWER_BROKEN);
    } else if (byte == '\n') {
        take_line(answer);
    } else if (answer->line_length < ANSWER_LINE_MAX - 1) {
        answer->line[answer->line_length++] = byte;
    }
}

/* Of a body's bytes, those of the piece. */
static size_t take_body(struct answer *answer, size_t size)
{
    if (answer->at == AT_REST) {
        return size;
    }
    if (size < answer->left) {
        answer->left -= size;
        return size;
    }
    size = (size_t)answer->left;
    answer->left = 0;
    if (answer->at == AT_CHUNK) {
        answer->at = AT_CHUNK_END;
    } else {
        end_with(answer, ANSWER_WHOLE);
    }
    return size;
}

enum answer_is answer_take(struct answer *answer, const uint8_t *data, size_t size)
{
    for (size_t i = 0; i < size && answer->is == ANSWER_MORE;) {
        if (answer->at == AT_BODY || answer->at == AT_CHUNK || answer->at == AT_REST) {
            i += take_body(answer, size - i);
        } else {
            take_byte_of_line(answer, (char)data[i++]);
        }
    }
    return (enum answer_is)answer->is;
}

bool answer_ends_with_connection(const struct answer *answer)
{
    return answer->is == ANSWER_MORE && answer->at == AT_REST;
}
