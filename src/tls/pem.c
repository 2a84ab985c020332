/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tls/pem.h"

#include <stdlib.h>
#include <string.h>
#include <wolfssl/ssl.h>
#include <wolfssl/wolfcrypt/coding.h>

#include "tls/fault.h"

#define BEGIN "-----BEGIN "
#define END "-----END "
#define DASHES "-----"

static const char *find_end(const char *body, const struct pem_block *block)
{
    const char *end = body;

    while ((end = strstr(end, END)) != NULL) {
        const char *label = end + strlen(END);

        if (strncmp(label, block->label, block->label_size) == 0 &&
            strncmp(label + block->label_size, DASHES, strlen(DASHES)) == 0) {
            return end;
        }
        end = label;
    }
    return NULL;
}

bool pem_next(const char *text, size_t *at, struct pem_block *block)
{
    const char *begin = strstr(text + *at, BEGIN);
    const char *dashes, *end;

    if (begin == NULL) {
        return false;
    }
    *block = (struct pem_block){.begin = begin, .label = begin + strlen(BEGIN)};
    block->label_size = strcspn(block->label, "-\r\n");
    dashes = block->label + block->label_size;
    block->body = strncmp(dashes, DASHES, strlen(DASHES)) == 0 ? dashes + strlen(DASHES) : dashes;
    end = find_end(block->body, block);
    block->whole = end != NULL;
    block->body_size = end != NULL ? (size_t)(end - block->body) : strlen(block->body);
    block->size = (size_t)(block->body - begin) + block->body_size;
    if (end != NULL) {
        block->size += strlen(END) + block->label_size + strlen(DASHES);
    }
    *at = (size_t)(begin - text) + block->size;
    return true;
}

bool pem_is(const struct pem_block *block, const char *label)
{
    return block->label_size == strlen(label) &&
           strncmp(block->label, label, block->label_size) == 0;
}

bool pem_says(const struct pem_block *block, const char *word)
{
    return memmem(block->body, block->body_size, word, strlen(word)) != NULL;
}

enum ls_code pem_decode(const struct pem_block *block, unsigned char **der, size_t *size,
                        struct ls_error *err)
{
    const char *body = block->body;
    size_t left = block->body_size;
    word32 length;
    int rc;

    /* The library does not take an empty line in front. */
    while (left > 0 && (*body == '\r' || *body == '\n' || *body == ' ')) {
        body++;
        left--;
    }
    length = (word32)left;
    *der = malloc(left + 1);
    if (*der == NULL) {
        return ls_error_set(err, LS_ENOMEM, "PEM: out of memory");
    }
    rc = left == 0 ? BAD_FUNC_ARG
                   : Base64_Decode((const unsigned char *)body, (word32)left, *der, &length);
    if (rc != 0) {
        explicit_bzero(*der, left);
        free(*der);
        *der = NULL;
        return fault(err, LS_EINPUT, rc, "PEM");
    }
    *size = length;
    return LS_OK;
}
