/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tls/der.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void an_oid_is_written_seven_bits_a_byte(void **state)
{
    static const struct {
        const char *dotted;
        const char *bytes;
        size_t size;
    } rows[] = {
        {"2.5.29.15", "\x06\x03\x55\x1d\x0f", 5},
        {"0.9.2342.19200300.100.1.25", "\x06\x0a\x09\x92\x26\x89\x93\xf2\x2c\x64\x01\x19", 12},
        {"1.3.6.1.4.1.311.20.2", "\x06\x09\x2b\x06\x01\x04\x01\x82\x37\x14\x02", 11},
        {"2.16.840.1.101.3.4.3.17", "\x06\x09\x60\x86\x48\x01\x65\x03\x04\x03\x11", 11},
        {"1.2.268435455", "\x06\x05\x2a\xff\xff\xff\x7f", 7},
        {"1.2.0", "\x06\x02\x2a\x00", 4},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        unsigned char bytes[32];
        struct der der = {.bytes = bytes, .size = sizeof bytes};

        der_oid(&der, rows[i].dotted);
        assert_false(der.full);
        assert_int_equal(der.used, rows[i].size);
        assert_memory_equal(bytes, rows[i].bytes, rows[i].size);
    }
}

/* A length stands in one byte up to 127, in two up to 255, then in three. */
static void a_length_takes_as_many_bytes_as_it_needs_and_is_read_again(void **state)
{
    static const size_t sizes[] = {0, 1, 127, 128, 255, 256, 65535};
    static const size_t heads[] = {2, 2, 2, 3, 3, 4, 4};
    static unsigned char value[65535], bytes[65539];

    (void)state;
    memset(value, 'v', sizeof value);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        struct der der = {.bytes = bytes, .size = heads[i] + sizes[i]};
        const unsigned char *seen;
        unsigned char tag;
        size_t size;

        der_put(&der, DER_OCTETS, value, sizes[i]);
        assert_false(der.full);
        assert_int_equal(der.used, heads[i] + sizes[i]);
        assert_int_equal(der_read(bytes, der.used, &tag, &seen, &size), der.used);
        assert_int_equal(tag, DER_OCTETS);
        assert_int_equal(size, sizes[i]);
        assert_memory_equal(seen, value, sizes[i]);
        assert_int_equal(der_read(bytes, der.used - 1, &tag, &seen, &size), 0);
        der = (struct der){.bytes = bytes, .size = heads[i] + sizes[i] - 1};
        der_put(&der, DER_OCTETS, value, sizes[i]);
        assert_true(der.full);
    }
}

static void what_does_not_fit_stays_out_from_then_on(void **state)
{
    unsigned char bytes[8] = {0};
    struct der der = {.bytes = bytes, .size = 4};
    const size_t mark = der_open(&der, DER_SEQUENCE);

    (void)state;
    der_put(&der, DER_OCTETS, "12345", 5);
    der_put(&der, DER_OCTETS, "", 0);
    der_close(&der, mark);
    assert_true(der.full);
    assert_memory_equal(bytes + 4, "\0\0\0\0", 4);
}

static void what_is_no_element_is_not_read(void **state)
{
    static const struct {
        const char *bytes;
        size_t size;
        const char *why;
    } rows[] = {
        {"", 0, "nothing"},
        {"\x30", 1, "no length"},
        {"\x30\x01", 2, "no value"},
        {"\x30\x80\x00\x00", 4, "a length that is not said"},
        {"\x30\x82\x01", 3, "half a length"},
        {"\x30\x84\x00\x00\x00\x01\x00", 7, "a length of four bytes"},
        {"\x30\x83\xff\xff\xff\x00", 6, "longer than all"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const unsigned char *value;
        unsigned char tag;
        size_t size;

        print_message("%s\n", rows[i].why);
        assert_int_equal(
            der_read((const unsigned char *)rows[i].bytes, rows[i].size, &tag, &value, &size), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_oid_is_written_seven_bits_a_byte),
        cmocka_unit_test(a_length_takes_as_many_bytes_as_it_needs_and_is_read_again),
        cmocka_unit_test(what_does_not_fit_stays_out_from_then_on),
        cmocka_unit_test(what_is_no_element_is_not_read),
    };

    return cmocka_run_group_tests_name("tls/der", tests, NULL, NULL);
}
