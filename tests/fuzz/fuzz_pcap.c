/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The first byte says what is wished: the rest is a capture, or a single packet of each link type,
 * which libpcap need not have let through. */
#include "curve/frames.h"
#include "fuzz/import.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const int links[] = {0, 1, 12, 108, 113, 228, 229, 276};
    const unsigned choice = size > 0 ? data[0] : 0;
    const struct ls_import_wish wish = {
        .format = choice & 1 ? "pcap" : NULL,
        .count = choice & 2 && choice & 1 ? "syn" : NULL,
        .timezone = choice & 4 ? "Europe/Paris" : NULL,
    };
    struct segment segment;

    /* libpcap is loaded each time, which takes a hundred times as long as the frames. */
    if ((choice & 8) == 0) {
        fuzz_import_bytes(&wish, data + (size > 0), size - (size > 0));
        return 0;
    }
    data++;
    size--;
    for (size_t i = 0; i < sizeof links / sizeof links[0]; i++) {
        if (frames_read(&segment, links[i], data, size) == NULL) {
            fuzz_expect(segment.data >= data && segment.data + segment.size <= data + size);
            (void)frames_is_client_hello(&segment);
        }
    }
    return 0;
}
