/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * What tcpdump, Wireshark and the like captured before a gateway: pcap and pcapng by libpcap, which
 * is loaded when the first is met, since it brings libdbus and others that every other command would
 * pay for at its start.
 */
#include <dlfcn.h>
#include <inttypes.h>
#include <pcap/pcap.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "curve/connections.h"
#include "curve/formats.h"
#include "curve/frames.h"
#include "loginstorm/units.h"

#define BUFFER ((size_t)64 * 1024)

/* A second Client Hello, answered to a HelloRetryRequest, comes behind the first, which may be up to
 * 16 KiB, and nothing else; another connection begins anywhere in 4 GiB. */
#define SPAN 65536

#define FUNCTIONS(X)                                                                               \
    X(pcap_fopen_offline_with_tstamp_precision)                                                    \
    X(pcap_next_ex)                                                                                \
    X(pcap_datalink)                                                                               \
    X(pcap_datalink_val_to_name)                                                                   \
    X(pcap_geterr)                                                                                 \
    X(pcap_close)

struct capture {
    struct sink *sink;
    bool syn; /* a SYN is counted, not a Client Hello */
    struct connections connections;
    void *library;
    pcap_t *pcap;
    int link;
    /* What libpcap reads. */
    format_more *more;
    void *data;
    const char *bytes;
    size_t size;
    enum ls_code code;
    struct ls_error err;
#define MEMBER(name) __typeof__(name)(*(name));
    FUNCTIONS(MEMBER)
#undef MEMBER
};

static bool load(struct capture *capture)
{
    static const char *const names[] = {"libpcap.so.0.8", "libpcap.so.1"}; /* Debian's, others' */
    bool good;

    for (size_t i = 0; i < 2 && capture->library == NULL; i++) {
        capture->library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    }
    good = capture->library != NULL;
#define FIND(name)                                                                                 \
    if (good) {                                                                                    \
        void *at = dlsym(capture->library, #name);                                                 \
                                                                                                   \
        memcpy(&capture->name, &at, sizeof at);                                                    \
        good = at != NULL;                                                                         \
    }
    FUNCTIONS(FIND)
#undef FIND
    return good;
}

static void drop(void *state)
{
    struct capture *capture = state;

    if (capture->pcap != NULL) {
        capture->pcap_close(capture->pcap);
    }
    if (capture->library != NULL) {
        (void)dlclose(capture->library);
    }
    connections_free(&capture->connections);
    free(capture);
}

static enum ls_code begin(void **state, struct sink *sink, struct ls_error *err)
{
    const char *wanted = sink->wish->count == NULL ? "clienthello" : sink->wish->count;
    const bool syn = strcmp(wanted, "syn") == 0;
    struct capture *capture;
    enum ls_code code;

    if (!syn && strcmp(wanted, "clienthello") != 0) {
        return ls_error_set(err, LS_EUSAGE, "--count: \"%.40s\" is none of clienthello, syn",
                            wanted);
    }
    capture = calloc(1, sizeof *capture);
    if (capture == NULL) {
        return ls_error_set(err, LS_ENOMEM, "no memory to read a capture");
    }
    capture->sink = sink;
    capture->syn = syn;
    code = connections_init(&capture->connections, err);
    if (code == LS_OK && !load(capture)) {
        code = ls_error_set(err, LS_ELIMIT,
                            "%s is a capture, and libpcap (Debian's libpcap0.8) is not there to "
                            "read it: install it",
                            sink->path);
    }
    if (code != LS_OK) {
        drop(capture);
        return code;
    }
    (void)snprintf(sink->counted, sizeof sink->counted, "%s",
                   syn ? "TCP connections by their SYN, once where it was sent again; users are "
                         "not known"
                       : "TLS Client Hellos, one a connection; users are not known");
    *state = capture;
    return LS_OK;
}

/* libpcap fetches, as of a file. */
static ssize_t give(void *cookie, char *out, size_t size)
{
    struct capture *capture = cookie;

    if (capture->size == 0 && capture->code == LS_OK) {
        capture->code =
            capture->more(capture->data, &capture->bytes, &capture->size, &capture->err);
    }
    if (capture->code != LS_OK) {
        return -1;
    }
    size = size < capture->size ? size : capture->size;
    memcpy(out, capture->bytes, size);
    capture->bytes += size;
    capture->size -= size;
    return (ssize_t)size;
}

static enum ls_code start(struct capture *capture, struct ls_error *err)
{
    char why[PCAP_ERRBUF_SIZE] = "";
    FILE *stream = fopencookie(capture, "r", (cookie_io_functions_t){.read = give});

    if (stream == NULL || setvbuf(stream, NULL, _IOFBF, BUFFER) != 0) {
        if (stream != NULL) {
            (void)fclose(stream);
        }
        return ls_error_set(err, LS_ENOMEM, "no memory to read a capture");
    }
    capture->pcap =
        capture->pcap_fopen_offline_with_tstamp_precision(stream, PCAP_TSTAMP_PRECISION_NANO, why);
    if (capture->pcap == NULL) {
        (void)fclose(stream);
        if (capture->code != LS_OK) {
            *err = capture->err;
            return capture->code;
        }
        return ls_error_set_at(err, capture->sink->path, 0, 0,
                               "it cannot be read as a capture (%.200s)", why);
    }
    capture->link = capture->pcap_datalink(capture->pcap);
    if (!frames_know(capture->link)) {
        const char *name = capture->pcap_datalink_val_to_name(capture->link);

        return ls_error_set_at(err, capture->sink->path, 0, 0,
                               "its packets are of the link type %s (%d), which is not read here: "
                               "capture on an Ethernet device, or on \"any\"",
                               name == NULL ? "unknown" : name, capture->link);
    }
    return LS_OK;
}

/* NULL for a login. */
static const char *refuse(struct capture *capture, const struct pcap_pkthdr *header,
                          const uint8_t *bytes)
{
    struct segment segment;
    const char *why = frames_read(&segment, capture->link, bytes, header->caplen);
    enum connections_kind kind;

    if (why != NULL) {
        return why;
    }
    if (capture->syn ? !segment.syn || segment.ack : !frames_is_client_hello(&segment)) {
        if (!capture->syn && segment.size < FRAMES_HELLO && header->caplen < header->len) {
            return FRAMES_CUT;
        }
        return capture->syn ? "TCP, but no SYN of a client" : "TCP, but no Client Hello";
    }
    kind = connections_see(&capture->connections, segment.ends, sizeof segment.ends,
                           segment.sequence, capture->syn ? 0 : SPAN);
    return kind == CONNECTION_NEW     ? NULL
           : kind == CONNECTION_AGAIN ? "a segment that was sent or captured again"
                                      : "the second Client Hello of a connection";
}

static enum ls_code take(struct capture *capture, const struct pcap_pkthdr *header,
                         const uint8_t *bytes, struct ls_error *err)
{
    struct sink *sink = capture->sink;
    struct event event = {.count = 1};
    const char *why;

    sink->record++;
    why = refuse(capture, header, bytes);
    event.stamp.is_utc_ns = true;
    if (why == NULL &&
        (__builtin_mul_overflow((int64_t)header->ts.tv_sec, LS_NS_PER_S, &event.stamp.utc_ns) ||
         __builtin_add_overflow((int64_t)header->ts.tv_usec, event.stamp.utc_ns,
                                &event.stamp.utc_ns))) {
        why = "a time stamp beyond the year 2099";
    }
    if (why != NULL) {
        sink->skip(sink, why, "", 0);
        return LS_OK;
    }
    return sink->event(sink, &event, err);
}

/* libpcap gives packets without saying of which interface they are, so it takes one kind alone; a
 * capture of several devices may have more, and is not damaged by that. */
static void break_off(struct capture *capture)
{
    struct sink *sink = capture->sink;
    const char *why = capture->pcap_geterr(capture->pcap);

    if (strstr(why, "different from the type of the first interface") != NULL) {
        (void)ls_error_set_at(
            &sink->broken, sink->path, 0, 0,
            "it is of devices of several link types, and only packets before the second type is "
            "named (%" PRId64 ") can be read here: capture on one device, or on \"any\"; or "
            "import the CSV that tshark makes of it (tshark -r LOG -Y 'tls.handshake.type == 1' "
            "-T fields -E header=y -e frame.time_epoch)",
            sink->record);
    } else if (strstr(why, "different from the snapshot length of the first interface") != NULL) {
        (void)ls_error_set_at(
            &sink->broken, sink->path, 0, 0,
            "it is of devices with several snapshot lengths, and only packets before the second "
            "is named (%" PRId64 ") can be read here: make one of them (editcap -F pcap LOG "
            "one.pcap), and import that",
            sink->record);
    } else {
        (void)ls_error_set_at(&sink->broken, sink->path, 0, 0,
                              "it breaks off or is damaged behind packet %" PRId64 " (%.200s)",
                              sink->record, why);
    }
}

static enum ls_code pull(void *state, format_more *more, void *data, struct ls_error *err)
{
    struct capture *capture = state;
    struct pcap_pkthdr *header;
    const uint8_t *bytes;
    enum ls_code code;
    int got = 1;

    capture->more = more;
    capture->data = data;
    code = start(capture, err);
    while (code == LS_OK) {
        got = capture->pcap_next_ex(capture->pcap, &header, &bytes);
        if (got != 1) {
            break;
        }
        code = take(capture, header, bytes, err);
    }
    if (code == LS_OK && capture->code != LS_OK) {
        *err = capture->err;
        return capture->code;
    }
    if (code == LS_OK && got == PCAP_ERROR) {
        break_off(capture);
    }
    return code;
}

/* The beginnings of pcap, in either byte order, of us and ns, and of pcapng. */
static int sniff(const char *head, size_t size)
{
    static const char *const magics[] = {"\xd4\xc3\xb2\xa1", "\xa1\xb2\xc3\xd4", "\x4d\x3c\xb2\xa1",
                                         "\xa1\xb2\x3c\x4d", "\x0a\x0d\x0d\x0a"};

    for (size_t i = 0; size >= 4 && i < sizeof magics / sizeof magics[0]; i++) {
        if (memcmp(head, magics[i], 4) == 0) {
            return 100;
        }
    }
    return 0;
}

const struct format format_capture = {
    .word = "pcap",
    .text = "network capture (pcap, pcapng)",
    .counts = "TLS Client Hellos, one a connection; users are not known",
    .words = "clienthello, syn",
    .unit = "packet",
    .sniff = sniff,
    .begin = begin,
    .pull = pull,
    .free = drop,
};
