/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_ENGINE_ANSWER_H
#define LOGINSTORM_ENGINE_ANSWER_H

/*
 * Where an HTTP answer ends, as RFC 9112 says: behind its Content-Length, behind the last of its
 * chunks, or with its connection. It is fed what comes, in pieces of any size, and keeps nothing of
 * it but the line that it is in. For gateways of others; ours answers with as many bytes as it is
 * asked for.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum answer_is {
    ANSWER_MORE = 0, /* not over yet */
    ANSWER_WHOLE,    /* over, and a good one */
    ANSWER_REFUSED,  /* its status is 400 or above */
    ANSWER_BROKEN,   /* no HTTP from some place on */
    ANSWER_FOREIGN,  /* never was HTTP: some other protocol, whose end nobody knows */
};

/* Of lines that matter none is longer. */
#define ANSWER_LINE_MAX 48

/* Zeroed to begin with. */
struct answer {
    uint64_t left;       /* bytes of the body, or of the chunk, that are still to come */
    uint32_t head_bytes; /* in lines so far */
    uint16_t status;     /* 0: not known yet */
    uint8_t at;          /* what comes next: enum answer_at in answer.c */
    uint8_t is;          /* enum answer_is */
    uint8_t line_length; /* of what is kept of the line */
    bool chunked, sized; /* what its headers said */
    char line[ANSWER_LINE_MAX];
};

/* Takes a piece. What it returned once that was not ANSWER_MORE it returns from then on. */
enum answer_is answer_take(struct answer *answer, const uint8_t *data, size_t size);

/* The peer ended the connection in order: whether that ended the answer, too. */
bool answer_ends_with_connection(const struct answer *answer);

#endif
