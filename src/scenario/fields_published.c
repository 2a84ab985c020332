/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenario/fields.h"

#include "loginstorm/units.h"

static const struct ls_field published_fields[] = {
    {.key = "source",
     .kind = LS_KIND_TEXT,
     .flags = LS_REQUIRED,
     IN(ls_published, source),
     .high = 200,
     .doc = "who measured it, and with what"},
    {.key = "handshake_mean",
     .kind = LS_KIND_DURATION,
     .flags = LS_NEGATIVE,
     IN(ls_published, handshake_mean_ns),
     .low = LS_NS_PER_US,
     .high = LS_NS_PER_H,
     .doc = "mean of handshakes one after another, from TCP to TLS"},
    {.key = "rate",
     .kind = LS_KIND_RATE,
     .flags = LS_NEGATIVE,
     IN(ls_published, rate_per_s),
     .least = 0.001,
     .most = 1e9,
     .doc = "requests of a closed loop, like 96.7/s"},
    {.key = "secured_p50",
     .kind = LS_KIND_DURATION,
     .flags = LS_NEGATIVE,
     IN(ls_published, secured_p50_ns),
     .low = LS_NS_PER_US,
     .high = LS_NS_PER_H,
     .doc = "median from the start to the TLS handshake's end: what ab calls Connect"},
    {.key = "login_p50",
     .kind = LS_KIND_DURATION,
     .flags = LS_NEGATIVE,
     IN(ls_published, login_p50_ns),
     .low = LS_NS_PER_US,
     .high = LS_NS_PER_H,
     .doc = "median from the start to the answer: what ab calls Total"},
    {.key = "login_p100",
     .kind = LS_KIND_DURATION,
     .flags = LS_NEGATIVE,
     IN(ls_published, login_p100_ns),
     .low = LS_NS_PER_US,
     .high = LS_NS_PER_H,
     .doc = "the longest of those"},
    {.key = "client_hello",
     .kind = LS_KIND_SIZE,
     .flags = LS_NEGATIVE,
     IN(ls_published, client_hello_bytes),
     .low = 1,
     .high = 1 << 30,
     .doc = "bytes of the Client Hello"},
    {.key = "server_flight",
     .kind = LS_KIND_SIZE,
     .flags = LS_NEGATIVE,
     IN(ls_published, server_flight_bytes),
     .low = 1,
     .high = 1 << 30,
     .doc = "bytes of the Server Hello and what comes with it, the certificate above all"},
};
static bool published_given(const void *record)
{
    const struct ls_published *published = record;

    return published->source != NULL;
}
const struct ls_map ls_published_map = {FIELDS(published_fields), .given = published_given,
                                        .check = ls_check_published};
