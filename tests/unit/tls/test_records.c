/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tls/records.h"

#define BYTES(...) (const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__})

/* A ticket message of 4 + 3 bytes, a Server Hello Done of 4, a Finished of 4 + 2. */
#define TICKET 4, 0, 0, 3, 9, 9, 9
#define DONE 14, 0, 0, 0
#define FINISHED 20, 0, 0, 2, 4, 4

static const struct {
    const uint8_t *data;
    size_t size;
    uint32_t done, last, tickets;
    const char *reason;
} rows[] = {
    {NULL, 0, 0, 0, 0, "nothing"},
    {BYTES(22, 3, 3, 0), 0, 0, 0, "a piece of a header is no record"},
    {BYTES(22, 3, 3, 0, 4, 14, 0, 0), 0, 0, 0, "nor is a piece of a record"},
    {BYTES(22, 3, 3, 0, 4, DONE), 9, 9, 0, "a whole one, its header too"},
    {BYTES(20, 3, 3, 0, 0), 5, 5, 0, "an empty one"},
    {BYTES(20, 3, 3, 0, 0, 22, 3, 3, 0, 4, DONE, 22), 14, 9, 0, "two, and a byte of a third"},
    {BYTES(22, 3, 3, 0, 7, TICKET), 12, 12, 12, "a ticket in a record of its own"},
    {BYTES(22, 3, 3, 0, 14, TICKET, TICKET), 19, 19, 19, "two tickets in one"},
    {BYTES(22, 3, 3, 0, 11, DONE, TICKET), 16, 16, 7,
     "a ticket behind another message: without the header"},
    {BYTES(22, 3, 3, 0, 11, TICKET, DONE), 16, 16, 12, "a ticket before one: with it"},
    {BYTES(22, 3, 3, 0, 4, 4, 0, 0, 3, 22, 3, 3, 0, 3, 9, 9, 9), 17, 8, 17,
     "a ticket that goes over two records, both headers"},
    {BYTES(22, 3, 3, 0, 2, 4, 0, 22, 3, 3, 0, 5, 0, 3, 9, 9, 9), 17, 10, 17,
     "cut within its own header"},
    {BYTES(22, 3, 3, 0, 7, TICKET, 20, 3, 3, 0, 1, 1, 22, 3, 3, 0, 6, FINISHED), 29, 11, 12,
     "TLS 1.2: ticket, change of cipher, Finished"},
    {BYTES(20, 3, 3, 0, 1, 1, 22, 3, 3, 0, 7, TICKET), 18, 12, 0,
     "encrypted bytes that look like a ticket"},
    {BYTES(23, 3, 3, 0, 7, TICKET, 22, 3, 3, 0, 7, TICKET), 24, 12, 0, "TLS 1.3: all of it is"},
    {BYTES(21, 3, 3, 0, 7, TICKET), 12, 12, 0, "an alert of those bytes"},
};

static void records_are_counted_in_whatever_parts_they_come(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        for (size_t part = 1; part <= rows[i].size + 1; part++) {
            struct records records = {0};

            for (size_t at = 0; at < rows[i].size; at += part) {
                const size_t left = rows[i].size - at;

                records_take(&records, rows[i].data + at, left < part ? left : part);
            }
            if (records.done != rows[i].done || records.last != rows[i].last ||
                records.tickets != rows[i].tickets) {
                fail_msg("%s, in parts of %zu: %u done, %u last, %u tickets", rows[i].reason, part,
                         records.done, records.last, records.tickets);
            }
        }
    }
}

#define HELLO_SIZE (5 + 4 + 40)

/* A record with a hello of type, whose body is `fill` throughout. */
static void put_hello(uint8_t *out, uint8_t type, uint8_t fill)
{
    const uint8_t head[] = {22, 3, 3, 0, 44, type, 0, 0, 40};

    memset(out, fill, HELLO_SIZE);
    memcpy(out, head, sizeof head);
}

static void client_hellos_are_told_from_what_is_sent_with_them(void **state)
{
    uint8_t data[6 + 2 * HELLO_SIZE] = {20, 3, 3, 0, 1, 1};
    uint8_t count = 0;

    (void)state;
    put_hello(data + 6, 1, 7);
    put_hello(data + 6 + HELLO_SIZE, 1, 7);
    assert_int_equal(records_client_hello(data, sizeof data, &count), 2 * HELLO_SIZE);
    assert_int_equal(count, 2);
    assert_int_equal(records_client_hello(data, sizeof data - 1, &count), HELLO_SIZE);
    assert_int_equal(count, 3);
    data[6 + 5] = 20; /* a Finished; then one that is encrypted, and begins with a 1 */
    data[6 + HELLO_SIZE + 7] = 1;
    assert_int_equal(records_client_hello(data, sizeof data, &count), 0);
    assert_int_equal(count, 3);
}

static void a_hello_retry_is_told_by_its_random(void **state)
{
    static const uint8_t random[] = {0xcf, 0x21, 0xad, 0x74, 0xe5, 0x9a, 0x61, 0x11,
                                     0xbe, 0x1d, 0x8c, 0x02, 0x1e, 0x65, 0xb8, 0x91,
                                     0xc2, 0xa2, 0x11, 0x16, 0x7a, 0xbb, 0x8c, 0x5e,
                                     0x07, 0x9e, 0x09, 0xe2, 0xc8, 0xa8, 0x33, 0x9c};
    uint8_t data[2 * HELLO_SIZE];

    (void)state;
    put_hello(data, 2, 7);
    put_hello(data + HELLO_SIZE, 2, 7);
    assert_false(records_hello_retry(data, sizeof data));
    memcpy(data + HELLO_SIZE + 11, random, sizeof random);
    assert_true(records_hello_retry(data, sizeof data));
    assert_false(records_hello_retry(data, sizeof data - 1));
    data[HELLO_SIZE + 11 + 31] ^= 1;
    assert_false(records_hello_retry(data, sizeof data));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(records_are_counted_in_whatever_parts_they_come),
        cmocka_unit_test(client_hellos_are_told_from_what_is_sent_with_them),
        cmocka_unit_test(a_hello_retry_is_told_by_its_random),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
