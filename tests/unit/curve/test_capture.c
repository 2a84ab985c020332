/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Captures in their true shape, and exactly the logins that they hold. */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "curve/connections.h"
#include "curve/frames.h"
#include "loginstorm/import.h"

#define LOGS LS_SOURCE_DIR "/tests/data/logs/"
#define TEXT 2048

struct told {
    char rows[TEXT], skips[TEXT];
    struct ls_import_summary summary;
    struct ls_error err, broken;
    enum ls_code code;
};

static void import(struct told *told, const char *path, const char *count)
{
    const char *const paths[] = {path};
    const struct ls_import_wish wish = {.paths = paths, .paths_count = 1, .count = count};
    struct ls_curve *curve = NULL;

    *told = (struct told){0};
    told->code = ls_import_run(&curve, &told->summary, &told->broken, &wish, &told->err);
    assert_int_equal(told->code == LS_OK, curve != NULL);
    for (size_t i = 0; curve != NULL && i < curve->logins_count; i++) {
        const size_t at = strlen(told->rows);

        assert_int_equal(curve->logins[i].user, 0);
        (void)snprintf(told->rows + at, TEXT - at, "%" PRId64 ".%09" PRId64 "\n",
                       curve->logins[i].utc_ns / 1000000000 - 1796024400,
                       curve->logins[i].utc_ns % 1000000000);
    }
    for (size_t i = 0; i < told->summary.skips_count; i++) {
        const size_t at = strlen(told->skips);

        (void)snprintf(told->skips + at, TEXT - at, "%" PRId64 " %s, first %" PRId64 "\n",
                       told->summary.skips[i].lines, told->summary.skips[i].reason,
                       told->summary.skips[i].first_record);
        assert_int_equal(told->summary.skips[i].first_line, 0);
        assert_string_equal(told->summary.skips[i].first_text, "");
    }
    ls_curve_free(curve);
}

static void import_bytes(struct told *told, const uint8_t *bytes, size_t size, const char *count)
{
    const int fd = memfd_create("log", 0);
    char path[64];

    assert_true(fd >= 0);
    assert_int_equal(write(fd, bytes, size), size);
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    import(told, path, count);
    assert_int_equal(close(fd), 0);
}

static void a_client_hello_a_connection_is_a_login(void **unused)
{
    static const char *const files[] = {LOGS "tls.pcap", LOGS "tls.pcapng"};
    struct told told;

    (void)unused;
    for (size_t i = 0; i < 2; i++) {
        import(&told, files[i], NULL);
        assert_int_equal(told.code, LS_OK);
        assert_string_equal(told.rows, "0.123456789\n1.000000000\n2.000000005\n3.000000000\n"
                                       "5.000000000\n60.000000000\n");
        assert_string_equal(told.skips, "6 TCP, but no Client Hello, first 1\n"
                                        "1 a segment that was sent or captured again, first 5\n"
                                        "1 the second Client Hello of a connection, first 6\n"
                                        "1 QUIC (UDP of port 443), which is not counted, first 11\n"
                                        "1 UDP, first 12\n"
                                        "1 ICMP, first 13\n"
                                        "1 a fragment of an IP packet, first 14\n"
                                        "1 no IP, first 15\n"
                                        "1 a packet that was captured too short, first 17\n");
        assert_int_equal(told.summary.lines, 20);
        assert_string_equal(told.summary.unit, "packet");
        assert_int_equal(told.summary.users, -1);
        assert_int_equal(told.broken.code, LS_OK);
    }
}

static void a_syn_is_one_where_it_is_asked_for(void **unused)
{
    struct told told;

    (void)unused;
    import(&told, LOGS "tls.pcap", "syn");
    assert_int_equal(told.code, LS_OK);
    assert_string_equal(told.rows, "0.000000001\n");
    import(&told, LOGS "tls.pcap", "quic");
    assert_int_equal(told.code, LS_EUSAGE);
    assert_string_equal(told.err.text, "--count: \"quic\" is none of clienthello, syn");
}

static uint8_t *whole(const char *path, size_t *size)
{
    FILE *stream = fopen(path, "r");
    uint8_t *bytes = malloc(65536);

    assert_non_null(stream);
    assert_non_null(bytes);
    *size = fread(bytes, 1, 65536, stream);
    assert_int_equal(fclose(stream), 0);
    return bytes;
}

static size_t le32(const uint8_t *at)
{
    return (size_t)at[0] | (size_t)at[1] << 8 | (size_t)at[2] << 16 | (size_t)at[3] << 24;
}

/* Cut between packets nothing is missed; amid one it is told, and those before it count. */
static void hold_to_cut(const uint8_t *bytes, size_t cut, int64_t packets, bool is_clean)
{
    struct told told;

    import_bytes(&told, bytes, cut, NULL);
    assert_int_equal(told.summary.lines, packets);
    assert_int_equal(told.broken.code, is_clean ? LS_OK : LS_EINPUT);
    assert_int_equal(told.code, packets >= 3 ? LS_OK : LS_EINPUT); /* the third is a login */
    if (!is_clean) {
        char text[80];

        (void)snprintf(text, sizeof text, "it breaks off or is damaged behind packet %" PRId64 " (",
                       packets);
        assert_non_null(strstr(told.broken.text, text));
        assert_int_equal(told.broken.line, 0);
    }
}

static void a_capture_that_is_cut_off_gives_what_stood_before(void **unused)
{
    static const struct {
        const char *path;
        size_t first, length,
            more; /* of a packet: where its length stands, and what it leaves out */
    } files[] = {{LOGS "tls.pcap", 24, 8, 16}, {LOGS "tls.pcapng", 60, 4, 0}};

    (void)unused;
    for (size_t i = 0; i < 2; i++) {
        size_t size;
        uint8_t *bytes = whole(files[i].path, &size);
        size_t at = files[i].first;
        int64_t packets = 0;

        for (; at < size; packets++) {
            const size_t next = at + le32(bytes + at + files[i].length) + files[i].more;

            hold_to_cut(bytes, at, packets, true);
            hold_to_cut(bytes, at + 5, packets, false);
            hold_to_cut(bytes, next - 1, packets, false);
            at = next;
        }
        assert_int_equal(at, size);
        assert_int_equal(packets, 20);
        free(bytes);
    }
}

/* As dumpcap -i eth0 -i tun0 writes, with what a device that was begun later has of its own. */
static void a_device_of_another_kind_is_no_damage_but_is_told(void **unused)
{
    static const struct {
        size_t at; /* in the block that names a device */
        uint8_t value;
        const char *told;
    } rows[] = {
        {8, 101,
         "it is of devices of several link types, and only packets before the second type is named "
         "(8) can be read here: capture on one device, or on \"any\"; or import the CSV that "
         "tshark makes of it (tshark -r LOG -Y 'tls.handshake.type == 1' -T fields -E header=y -e "
         "frame.time_epoch)"},
        {12, 128,
         "it is of devices with several snapshot lengths, and only packets before the second is "
         "named (8) can be read here: make one of them (editcap -F pcap LOG one.pcap), and import "
         "that"},
    };
    size_t size;
    uint8_t *bytes = whole(LOGS "tls.pcapng", &size);
    size_t at = 28 + le32(bytes + 32); /* behind the first block that names a device */

    (void)unused;
    for (int packet = 0; packet < 8; packet++) {
        at += le32(bytes + at + 4);
    }
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const size_t length = le32(bytes + 32);
        uint8_t *both = malloc(size + length);
        struct told told;

        assert_non_null(both);
        memcpy(both, bytes, at);
        memcpy(both + at, bytes + 28, length);
        both[at + rows[i].at] = rows[i].value;
        memcpy(both + at + length, bytes + at, size - at);
        import_bytes(&told, both, size + length, NULL);
        assert_int_equal(told.code, LS_OK);
        assert_string_equal(told.rows, "0.123456789\n1.000000000\n2.000000005\n");
        assert_int_equal(told.broken.code, LS_EINPUT);
        assert_string_equal(told.broken.text, rows[i].told);
        free(both);
    }
    free(bytes);
}

static void what_cannot_be_read_is_named(void **unused)
{
    size_t size;
    uint8_t *bytes = whole(LOGS "tls.pcap", &size);
    struct told told;

    (void)unused;
    bytes[20] = 105; /* 802.11 */
    import_bytes(&told, bytes, size, NULL);
    assert_int_equal(told.code, LS_EINPUT);
    assert_string_equal(
        told.err.text, "its packets are of the link type IEEE802_11 (105), which is not read here: "
                       "capture on an Ethernet device, or on \"any\"");
    bytes[4] = 9; /* a version that there is none of */
    import_bytes(&told, bytes, size, NULL);
    assert_int_equal(told.code, LS_EINPUT);
    assert_non_null(strstr(told.err.text, "it cannot be read as a capture ("));
    free(bytes);
}

/* From 192.0.2.7 port 40001, or 2001:db8::7: bare IP, in front of which a link's header is put. */
#define TCP "\x9c\x41\x01\xbb\0\0\0\x05\0\0\0\x01\x50\x18\xff\xff\0\0\0\0"
#define HELLO "\x16\x03\x01\0\x31\x01\0\0\x2d\x03\x03"
#define IP4 "\x45\0\0\x33\0\0\x40\0\x40\x06\0\0\xc0\0\x02\x07\xc6\x33\x64\x01"
#define ADDRESSES                                                                                  \
    "\x20\x01\x0d\xb8\0\0\0\0\0\0\0\0\0\0\0\x07\x20\x01\x0d\xb8\0\0\0\0\0\0\0\0\0\0\0\x01"
#define IP6(size, next) "\x60\0\0\0\0" size next "\x40" ADDRESSES
#define MACS "\x02\0\0\0\0\x02\x02\0\0\0\0\x01"
#define SLL "\0\0\0\x01\0\x06\x02\0\0\0\0\x01\0\0"
#define SLL2 "\0\0\0\0\0\x02\0\x01\0\x06\x02\0\0\0\0\x01\0\0"
#define HOP "\x2b\0\0\0\0\0\0\0" /* hop by hop, then routing */
#define ROUTING                                                                                    \
    "\x2c\x01"                                                                                     \
    "\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
#define ATOMIC "\x06\0\0\0\0\0\0\x07" /* a fragment that is whole */
#define BYTES(text) text, sizeof(text) - 1

static void every_link_and_header_is_read(void **unused)
{
    static const struct {
        const char *why;
        int link;
        const char *bytes;
        size_t size;
        const char *refused;
    } rows[] = {
        {"Ethernet", 1, BYTES(MACS "\x08\0" IP4 TCP HELLO), NULL},
        {"Ethernet, IPv6", 1, BYTES(MACS "\x86\xdd" IP6("\x1f", "\x06") TCP HELLO), NULL},
        {"two VLAN tags", 1, BYTES(MACS "\x88\xa8\0\x01\x81\0\0\x02\x08\0" IP4 TCP HELLO), NULL},
        {"tags without end", 1,
         BYTES(MACS "\x81\0\0\x01\x81\0\0\x01\x81\0\0\x01\x81\0\0\x01\x81\0\0\x01\x08\0" IP4),
         "no IP"},
        {"a tag cut", 1, BYTES(MACS "\x81\0\0"), FRAMES_CUT},
        {"802.3 with a length", 1, BYTES(MACS "\0\x26" IP4 TCP HELLO), "no IP"},
        {"ARP", 1, BYTES(MACS "\x08\x06\0\x01"), "no IP"},
        {"an Ethernet header cut", 1, BYTES(MACS), FRAMES_CUT},
        {"any device", 113, BYTES(SLL "\x08\0" IP4 TCP HELLO), NULL},
        {"any device, with a tag", 113, BYTES(SLL "\x81\0\0\x01\x08\0" IP4 TCP HELLO), NULL},
        {"any device, of today", 276, BYTES("\x86\xdd" SLL2 IP6("\x1f", "\x06") TCP HELLO), NULL},
        {"loopback of a little-endian BSD", 0, BYTES("\x02\0\0\0" IP4 TCP HELLO), NULL},
        {"loopback of macOS, IPv6", 0, BYTES("\x1e\0\0\0" IP6("\x1f", "\x06") TCP HELLO), NULL},
        {"loopback of a big-endian machine", 0, BYTES("\0\0\0\x02" IP4 TCP HELLO), NULL},
        {"loopback of OpenBSD", 108, BYTES("\0\0\0\x18" IP6("\x1f", "\x06") TCP HELLO), NULL},
        {"loopback, AppleTalk", 0, BYTES("\x10\0\0\0" IP4 TCP HELLO), "no IP"},
        {"bare IP", 12, BYTES(IP4 TCP HELLO), NULL},
        {"bare IPv6", 229, BYTES(IP6("\x1f", "\x06") TCP HELLO), NULL},
        {"bare nothing", 12, BYTES(""), FRAMES_CUT},
        {"bare something", 12, BYTES("\x50" IP4 IP4), "no IP"},
        {"headers of IPv6 in a row", 12, BYTES(IP6("\x3f", "\0") HOP ROUTING ATOMIC TCP HELLO),
         NULL},
        {"a size of 0, as of a card that cuts", 12, BYTES(IP6("\0", "\x06") TCP HELLO), NULL},
        {"a fragment of IPv6", 12, BYTES(IP6("\x3f", "\x2c") "\x06\0\0\x01\0\0\0\x07" TCP HELLO),
         "a fragment of an IP packet"},
        {"headers without end", 12,
         BYTES(IP6("\xff", "\0") "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
                                 "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
                                 "\0\0\0\0\0\0\0\0"),
         "more IPv6 headers than there should be"},
        {"a header of IPv6 cut", 12, BYTES(IP6("\x1f", "\0") "\x06\x02\0\0\0\0\0\0"), FRAMES_CUT},
        {"GRE", 12, BYTES("\x45\0\0\x20\0\0\0\0\x40\x2f\0\0\xc0\0\x02\x07\xc6\x33\x64\x01\0\0\0\0"),
         "neither TCP nor UDP"},
        {"a TCP header of 16 bytes", 12,
         BYTES(IP4 "\x9c\x41\x01\xbb\0\0\0\x05\0\0\0\x01\x40\x18\xff\xff\0\0\0\0"),
         "a TCP header that makes no sense"},
        {"TCP cut", 12, BYTES(IP4 "\x9c\x41\x01\xbb\0\0\0\x05\0\0\0\x01\x50\x18\xff\xff\0\0\0"),
         FRAMES_CUT},
    };

    (void)unused;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct segment segment;
        uint8_t *exact = malloc(rows[i].size + 1);
        const char *why;

        assert_non_null(exact);
        assert_true(frames_know(rows[i].link));
        for (size_t cut = 0; cut < rows[i].size; cut++) { /* nothing behind it is read */
            uint8_t *less = cut == 0 ? NULL : malloc(cut);

            assert_true(cut == 0 || less != NULL);
            if (cut > 0) {
                memcpy(less, rows[i].bytes, cut);
            }
            if (frames_read(&segment, rows[i].link, less, cut) == NULL) {
                (void)frames_is_client_hello(&segment);
            }
            free(less);
        }
        memcpy(exact, rows[i].bytes, rows[i].size);
        why = frames_read(&segment, rows[i].link, exact, rows[i].size);
        if (why != rows[i].refused &&
            (why == NULL || rows[i].refused == NULL || strcmp(why, rows[i].refused) != 0)) {
            fail_msg("%s: %s", rows[i].why, why == NULL ? "read" : why);
        }
        if (why == NULL) {
            if (!frames_is_client_hello(&segment) || segment.sequence != 5 ||
                segment.size != sizeof(HELLO) - 1 || segment.ends[15] != 7) {
                fail_msg("%s: another segment", rows[i].why);
            }
        }
        free(exact);
    }
    assert_false(frames_know(105));
}

static void a_client_hello_is_told_from_what_only_begins_like_one(void **unused)
{
    static const struct {
        const char *why, *bytes;
        size_t size;
        bool is;
    } rows[] = {
        {"six bytes suffice", BYTES("\x16\x03\x01\x02\0\x01"), true},
        {"five do not", BYTES("\x16\x03\x01\x02\0"), false},
        {"TLS 1.0 to 1.3 in the record", BYTES("\x16\x03\x03\x02\0\x01\0\x01\xfc\x03\x03"), true},
        {"a post-quantum one, in several segments", BYTES("\x16\x03\x01\x07\0\x01\0\x06\xfc\x03"),
         true},
        {"a second one, behind a change of cipher for middleboxes",
         BYTES("\x14\x03\x03\0\x01\x01\x16\x03\x03\x02\0\x01\0\x01\xfc\x03\x03"), true},
        {"a Finished behind a change of cipher",
         BYTES("\x14\x03\x03\0\x01\x01\x16\x03\x03\0\x28\0\0\0\0\0\0\0\0"), false},
        {"a Server Hello", BYTES("\x16\x03\x03\0\x7a\x02\0\0\x76\x03\x03"), false},
        {"application data", BYTES("\x17\x03\x03\0\x7a\x01\0\0\x76\x03\x03"), false},
        {"an alert", BYTES("\x15\x03\x03\0\x02\x01\0"), false},
        {"an encrypted handshake record", BYTES("\x16\x03\x03\0\x28\x01\x5c\x9f"), false},
        {"one whose version is none", BYTES("\x16\x03\x03\0\x28\x01\0\0\x30\x7f"), false},
        {"a message too short for one", BYTES("\x16\x03\x01\0\x28\x01\0\0\x10"), false},
        {"a record longer than there is", BYTES("\x16\x03\x01\x50\0\x01"), false},
        {"SSL 2", BYTES("\x80\x2e\x01\x03\x01\0\x15"), false},
        {"HTTP", BYTES("GET / HTTP/1.1"), false},
    };

    (void)unused;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct segment segment = {.data = (const uint8_t *)rows[i].bytes,
                                        .size = rows[i].size};

        if (frames_is_client_hello(&segment) != rows[i].is) {
            fail_msg("%s", rows[i].why);
        }
    }
}

static void the_last_connections_are_known_again(void **unused)
{
    struct connections connections;
    struct ls_error err;
    uint32_t again = 0;

    (void)unused;
    assert_int_equal(connections_init(&connections, &err), LS_OK);
    assert_int_equal(connections_see(&connections, "a", 1, 4294967290U, 100), CONNECTION_NEW);
    assert_int_equal(connections_see(&connections, "a", 1, 4294967290U, 100), CONNECTION_AGAIN);
    assert_int_equal(connections_see(&connections, "a", 1, 50, 100),
                     CONNECTION_NEAR); /* past the last number */
    assert_int_equal(connections_see(&connections, "a", 1, 4294967200U, 100), CONNECTION_NEAR);
    assert_int_equal(connections_see(&connections, "b", 1, 50, 100), CONNECTION_NEW);
    assert_int_equal(connections_see(&connections, "a", 1, 50, 0),
                     CONNECTION_NEW); /* the port once more */
    assert_int_equal(connections_see(&connections, "a", 1, 50, 0), CONNECTION_AGAIN);
    for (uint32_t i = 0; i < 4 * CONNECTIONS_MAX; i++) {
        assert_int_equal(connections_see(&connections, &i, sizeof i, i, 0), CONNECTION_NEW);
    }
    for (uint32_t i = 4 * CONNECTIONS_MAX - CONNECTIONS_MAX / 4; i < 4 * CONNECTIONS_MAX; i++) {
        again += connections_see(&connections, &i, sizeof i, i, 0) == CONNECTION_AGAIN;
    }
    assert_true(again > CONNECTIONS_MAX / 4 - CONNECTIONS_MAX / 100);
    connections_free(&connections);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_client_hello_a_connection_is_a_login),
        cmocka_unit_test(a_syn_is_one_where_it_is_asked_for),
        cmocka_unit_test(a_capture_that_is_cut_off_gives_what_stood_before),
        cmocka_unit_test(a_device_of_another_kind_is_no_damage_but_is_told),
        cmocka_unit_test(what_cannot_be_read_is_named),
        cmocka_unit_test(every_link_and_header_is_read),
        cmocka_unit_test(a_client_hello_is_told_from_what_only_begins_like_one),
        cmocka_unit_test(the_last_connections_are_known_again),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
