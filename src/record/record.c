/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "loginstorm/record.h"

#include <stdlib.h>
#include <string.h>

#define MAGIC UINT64_C(0x64726f636572736c) /* "lsrecord" in little-endian memory */
#define VERSION 1U
#define ALIGNMENT ((size_t)64)

/*
 * The head of the memory; login rows follow it at once, handshake rows after those at the next
 * multiple of 64. Row sizes are kept so that two builds that disagree about them do not misread
 * each other.
 */
struct ls_record {
    uint64_t magic;
    uint32_t version;
    uint16_t login_bytes, handshake_bytes;
    uint64_t logins;
    uint64_t handshakes;
    uint64_t handshakes_used; /* stored with release after the row, read with acquire */
    uint8_t unused[24];
};

_Static_assert(sizeof(struct ls_record) == ALIGNMENT, "the head is one cache line");
_Static_assert(sizeof(struct ls_login) == 48, "the design's 48 bytes a login");
_Static_assert(sizeof(struct ls_handshake) == 64, "one cache line a handshake");

static size_t handshakes_offset(size_t logins)
{
    const size_t end = sizeof(struct ls_record) + logins * sizeof(struct ls_login);

    return (end + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

size_t ls_record_size(size_t logins, size_t handshakes)
{
    size_t offset;

    if (logins > (SIZE_MAX / 4) / sizeof(struct ls_login) ||
        handshakes > (SIZE_MAX / 4) / sizeof(struct ls_handshake)) {
        return 0;
    }
    offset = handshakes_offset(logins);
    return offset + handshakes * sizeof(struct ls_handshake);
}

static struct ls_login *login_rows(struct ls_record *record)
{
    return (void *)((unsigned char *)record + sizeof *record);
}

static struct ls_handshake *handshake_rows(struct ls_record *record)
{
    return (void *)((unsigned char *)record + handshakes_offset((size_t)record->logins));
}

struct ls_record *ls_record_init(void *memory, size_t logins, size_t handshakes)
{
    struct ls_record *record = memory;

    *record = (struct ls_record){
        .version = VERSION,
        .login_bytes = sizeof(struct ls_login),
        .handshake_bytes = sizeof(struct ls_handshake),
        .logins = logins,
        .handshakes = handshakes,
    };
    /* Last: who sees the magic sees the rest. */
    __atomic_store_n(&record->magic, MAGIC, __ATOMIC_RELEASE);
    return record;
}

static bool head_fits(const struct ls_record *record, size_t size)
{
    size_t needed;

    if (record->version != VERSION || record->login_bytes != sizeof(struct ls_login) ||
        record->handshake_bytes != sizeof(struct ls_handshake)) {
        return false;
    }
    needed = ls_record_size((size_t)record->logins, (size_t)record->handshakes);
    return needed != 0 && needed <= size &&
           __atomic_load_n(&record->handshakes_used, __ATOMIC_ACQUIRE) <= record->handshakes;
}

static bool codes_known(unsigned outcome, unsigned reason)
{
    return outcome <= LS_OUTCOME_CUT_OFF && reason < LS_REASON_COUNT;
}

/* Outcomes and reasons index tables later; a row still being written is PENDING and not looked at.
 */
static bool rows_known(const struct ls_record *record)
{
    size_t logins, handshakes;
    const struct ls_login *login = ls_record_logins(record, &logins);
    const struct ls_handshake *handshake = ls_record_handshakes(record, &handshakes);

    for (size_t i = 0; i < logins; i++) {
        const unsigned outcome = __atomic_load_n(&login[i].outcome, __ATOMIC_ACQUIRE);

        if (outcome != LS_OUTCOME_PENDING && !codes_known(outcome, login[i].reason)) {
            return false;
        }
    }
    for (size_t i = 0; i < handshakes; i++) {
        if (!codes_known(handshake[i].outcome, handshake[i].reason) ||
            handshake[i].user >= logins) {
            return false;
        }
    }
    return true;
}

enum ls_code ls_record_attach(struct ls_record **out, void *memory, size_t size,
                              struct ls_error *err)
{
    struct ls_record *record = memory;

    *out = NULL;
    if (memory == NULL || (uintptr_t)memory % ALIGNMENT != 0 || size < sizeof *record ||
        __atomic_load_n(&record->magic, __ATOMIC_ACQUIRE) != MAGIC) {
        return ls_error_set(err, LS_EBROKEN, "there is no record in this memory");
    }
    if (!head_fits(record, size)) {
        return ls_error_set(err, LS_EBROKEN,
                            "the record in this memory is of another build, or damaged");
    }
    if (!rows_known(record)) {
        return ls_error_set(err, LS_EBROKEN, "the record in this memory has damaged rows");
    }
    *out = record;
    return LS_OK;
}

enum ls_code ls_record_new(struct ls_record **out, size_t logins, size_t handshakes,
                           struct ls_error *err)
{
    const size_t size = ls_record_size(logins, handshakes);
    void *memory = NULL;

    *out = NULL;
    if (size == 0 || posix_memalign(&memory, ALIGNMENT, size) != 0) {
        return ls_error_set(err, LS_ENOMEM, "no memory for %zu logins and %zu handshakes", logins,
                            handshakes);
    }
    memset(memory, 0, size);
    *out = ls_record_init(memory, logins, handshakes);
    return LS_OK;
}

void ls_record_free(struct ls_record *record)
{
    free(record);
}

enum ls_code ls_record_login(struct ls_record *record, size_t user, const struct ls_login *login)
{
    struct ls_login *row;

    if (user >= record->logins || login->outcome == LS_OUTCOME_PENDING ||
        !codes_known(login->outcome, login->reason)) {
        return LS_EBROKEN;
    }
    row = &login_rows(record)[user];
    if (row->outcome != LS_OUTCOME_PENDING) {
        return LS_EBROKEN;
    }
    row->due_ns = login->due_ns;
    row->started_ns = login->started_ns;
    row->connected_ns = login->connected_ns;
    row->secured_ns = login->secured_ns;
    row->done_ns = login->done_ns;
    row->population = login->population;
    row->attempts = login->attempts;
    row->reason = login->reason;
    __atomic_store_n(&row->outcome, login->outcome, __ATOMIC_RELEASE);
    return LS_OK;
}

enum ls_code ls_record_handshake(struct ls_record *record, const struct ls_handshake *handshake)
{
    const uint64_t used = record->handshakes_used;

    if (used >= record->handshakes || handshake->user >= record->logins ||
        handshake->outcome == LS_OUTCOME_PENDING ||
        !codes_known(handshake->outcome, handshake->reason)) {
        return LS_EBROKEN;
    }
    handshake_rows(record)[used] = *handshake;
    __atomic_store_n(&record->handshakes_used, used + 1, __ATOMIC_RELEASE);
    return LS_OK;
}

enum ls_code ls_record_retransmits(struct ls_record *record, size_t row, uint16_t retransmits)
{
    if (row >= record->handshakes_used) {
        return LS_EBROKEN;
    }
    /* Another process may be looking at the row. */
    __atomic_store_n(&handshake_rows(record)[row].retransmits, retransmits, __ATOMIC_RELAXED);
    return LS_OK;
}

enum ls_code ls_record_tickets(struct ls_record *record, size_t row, int32_t bytes)
{
    struct ls_handshake *handshake;

    if (row >= record->handshakes_used) {
        return LS_EBROKEN;
    }
    handshake = &handshake_rows(record)[row];
    handshake->ticket_bytes = bytes;
    handshake->received_bytes = handshake->server_flight_bytes + (bytes > 0 ? (uint32_t)bytes : 0);
    return LS_OK;
}

const struct ls_login *ls_record_logins(const struct ls_record *record, size_t *count)
{
    *count = (size_t)record->logins;
    return (const void *)((const unsigned char *)record + sizeof *record);
}

const struct ls_handshake *ls_record_handshakes(const struct ls_record *record, size_t *count)
{
    *count = (size_t)__atomic_load_n(&record->handshakes_used, __ATOMIC_ACQUIRE);
    return (const void *)((const unsigned char *)record +
                          handshakes_offset((size_t)record->logins));
}

enum ls_outcome ls_record_outcome(const struct ls_record *record, size_t user)
{
    size_t count;
    const struct ls_login *rows = ls_record_logins(record, &count);

    if (user >= count) {
        return LS_OUTCOME_PENDING;
    }
    return (enum ls_outcome)__atomic_load_n(&rows[user].outcome, __ATOMIC_ACQUIRE);
}

/* Everything is looked at before anything is added, so that a refused shard leaves no half of it.
 */
static enum ls_code merge_check(const struct ls_record *into, const struct ls_record *shard,
                                size_t handshakes, struct ls_error *err)
{
    if (into->logins != shard->logins) {
        return ls_error_set(err, LS_EBROKEN, "a shard of %zu users for a storm of %zu",
                            (size_t)shard->logins, (size_t)into->logins);
    }
    if (handshakes > into->handshakes - into->handshakes_used) {
        return ls_error_set(err, LS_EBROKEN, "no room for a shard's %zu handshakes: %zu are left",
                            handshakes, (size_t)(into->handshakes - into->handshakes_used));
    }
    for (size_t i = 0; i < into->logins; i++) {
        if (ls_record_outcome(shard, i) != LS_OUTCOME_PENDING &&
            ls_record_outcome(into, i) != LS_OUTCOME_PENDING) {
            return ls_error_set(err, LS_EBROKEN, "two shards have both logged in user %zu", i);
        }
    }
    return LS_OK;
}

enum ls_code ls_record_merge(struct ls_record *into, const struct ls_record *shard,
                             struct ls_error *err)
{
    size_t logins, handshakes;
    const struct ls_login *login = ls_record_logins(shard, &logins);
    const struct ls_handshake *handshake = ls_record_handshakes(shard, &handshakes);
    const enum ls_code code = merge_check(into, shard, handshakes, err);

    if (code != LS_OK) {
        return code;
    }
    for (size_t i = 0; i < logins; i++) {
        if (ls_record_outcome(shard, i) != LS_OUTCOME_PENDING &&
            ls_record_login(into, i, &login[i]) != LS_OK) {
            return ls_error_set(err, LS_EBROKEN, "a shard's login row %zu is damaged", i);
        }
    }
    for (size_t i = 0; i < handshakes; i++) {
        if (ls_record_handshake(into, &handshake[i]) != LS_OK) {
            return ls_error_set(err, LS_EBROKEN, "a shard's handshake row %zu is damaged", i);
        }
    }
    return LS_OK;
}
