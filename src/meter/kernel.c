/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loginstorm/meter.h"

/* Two lines: the names behind "TcpExt:", and below them their values. */
#define LINE_MOST 8192
#define FAMILY "TcpExt:"

/* Length of the next word from *text, which is moved to it; 0 at the line's end. */
static size_t next_word(const char **text)
{
    *text += strspn(*text, " ");
    return strcspn(*text, " \n");
}

static int64_t value_of(const char *names, const char *values, const char *name)
{
    size_t length;

    while ((length = next_word(&names)) > 0) {
        const size_t digits = next_word(&values);

        if (digits == 0) {
            return -1;
        }
        if (length == strlen(name) && memcmp(names, name, length) == 0) {
            char *end;
            const long long value = strtoll(values, &end, 10);

            return end == values + digits && value >= 0 ? (int64_t)value : -1;
        }
        names += length;
        values += digits;
    }
    return -1;
}

void ls_meter_kernel_parse(const char *names, const char *values, struct ls_kernel_traces *traces)
{
    const size_t family = strlen(FAMILY);

    *traces = (struct ls_kernel_traces){-1, -1, -1};
    if (strncmp(names, FAMILY, family) != 0 || strncmp(values, FAMILY, family) != 0) {
        return;
    }
    traces->listen_overflows = value_of(names + family, values + family, "ListenOverflows");
    traces->listen_drops = value_of(names + family, values + family, "ListenDrops");
    traces->syn_retransmits = value_of(names + family, values + family, "TCPSynRetrans");
}

void ls_meter_kernel(struct ls_kernel_traces *traces)
{
    char names[LINE_MOST], values[LINE_MOST];
    FILE *file = fopen("/proc/self/net/netstat", "re");
    bool found = false;

    *traces = (struct ls_kernel_traces){-1, -1, -1};
    while (file != NULL && !found && fgets(names, sizeof names, file) != NULL &&
           fgets(values, sizeof values, file) != NULL) {
        found = strncmp(names, FAMILY, strlen(FAMILY)) == 0;
    }
    if (found) {
        ls_meter_kernel_parse(names, values, traces);
    }
    if (file != NULL) {
        (void)fclose(file);
    }
}

static int64_t since(int64_t before, int64_t after)
{
    return before < 0 || after < before ? -1 : after - before;
}

void ls_meter_kernel_since(const struct ls_kernel_traces *before, struct ls_kernel_traces *traces)
{
    traces->listen_overflows = since(before->listen_overflows, traces->listen_overflows);
    traces->listen_drops = since(before->listen_drops, traces->listen_drops);
    traces->syn_retransmits = since(before->syn_retransmits, traces->syn_retransmits);
}
