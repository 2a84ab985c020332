/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The keys of a cost profile, as tables that are written, read and described by. */
#include <stddef.h>

#include "record/costs.h"
#include "record/fields.h"

#define COSTS(member) offsetof(struct ls_costs, member), 0
#define COST(member) offsetof(struct ls_cost, member), 0
#define AT(member) offsetof(struct ls_cost_at, member), 0
#define LINE(member) offsetof(struct ls_cost_line, member), 0
#define POINT(member) offsetof(struct ls_cost_point, member), 0

/* Beside these: format, version, handshakes[]. */
const struct field costs_fields[] = {
    {"source", NAME, COSTS(source), "calibrate, outside, run or published"},
    {"created", TEXT, COSTS(created), "when it was made, RFC 3339, UTC"},
    {"host.cpu", TEXT, COSTS(host_cpu), "model of the CPU that it ran on"},
    {"host.cores", SMALL, COSTS(host_cores), "of that host"},
    {"host.kernel", TEXT, COSTS(host_kernel), "its kernel"},
    {"host.tls_library", TEXT, COSTS(tls_library), "name and version"},
    {"host.tls_build", TEXT, COSTS(tls_build), "which build of it"},
    {"host.pauses_per_s", KNOWN_REAL, COSTS(pauses_per_s),
     "times a second in which something else had a core that was wanted"},
    {"host.pauses_us", SPREAD, COSTS(pauses), "how long those are"},
    {"factor", REAL, COSTS(factor), "all CPU is to be multiplied by it"},
    {"low", REAL, COSTS(low), "and lies between factor x low"},
    {"high", REAL, COSTS(high), "and factor x high"},
    {"translation", TEXT, COSTS(translation), "how costs of another machine came to be this one's"},
    {"left_out", TEXT, COSTS(left_out), "what was not measured, and why"},
    {"openssl_speed.version", TEXT, COSTS(openssl.version), "of `openssl speed`; null: not known"},
    {"openssl_speed.sign_per_s.rsa-2048", KNOWN_REAL, COSTS(openssl.sign_per_s[0]),
     "signatures a second of one core"},
    {"openssl_speed.sign_per_s.rsa-3072", KNOWN_REAL, COSTS(openssl.sign_per_s[1]),
     "signatures a second of one core"},
    {"openssl_speed.sign_per_s.rsa-4096", KNOWN_REAL, COSTS(openssl.sign_per_s[2]),
     "signatures a second of one core"},
    {"openssl_speed.sign_per_s.ecdsa-p256", KNOWN_REAL, COSTS(openssl.sign_per_s[3]),
     "signatures a second of one core"},
    {"openssl_speed.sign_per_s.ecdsa-p384", KNOWN_REAL, COSTS(openssl.sign_per_s[4]),
     "signatures a second of one core"},
    {"openssl_speed.sign_per_s.ecdsa-p521", KNOWN_REAL, COSTS(openssl.sign_per_s[5]),
     "signatures a second of one core"},
    {"openssl_speed.sign_per_s.ed25519", KNOWN_REAL, COSTS(openssl.sign_per_s[6]),
     "signatures a second of one core"},
};
const size_t costs_fields_count = sizeof costs_fields / sizeof costs_fields[0];

/* Beside these: loads[]. */
const struct field cost_fields[] = {
    {"certificate", NAME, COST(certificate), "its name in the scenario"},
    {"key", NAME, COST(key), "kind of its key, like rsa-4096"},
    {"group", TEXT, COST(group), "of the key exchange; null: whatever its users took"},
    {"version", TEXT, COST(version), "of TLS, 1.2 or 1.3; null likewise"},
    {"resumed", FLAG, COST(resumed), "with a ticket"},
    {"resumed_share", REAL, COST(resumed_share), "between 0 and 1: a mix, of no one kind"},
    {"request.send_bytes", KNOWN_COUNT, COST(send_bytes), "0: a handshake alone"},
    {"request.receive_bytes", KNOWN_COUNT, COST(receive_bytes), "0: a handshake alone"},
};
const size_t cost_fields_count = sizeof cost_fields / sizeof cost_fields[0];

const struct field at_fields[] = {
    {"per_s", KNOWN_REAL, AT(per_s), "handshakes a second that were offered"},
    {"core_share", KNOWN_REAL, AT(core_share), "of a core, how busy it was"},
    {"rounds", SMALL, AT(rounds), "that it was measured in"},
    {"verdict", VERDICT, AT(verdict), "the worst of the rounds"},
    {"handshakes", COUNT, AT(handshakes), "that were measured"},
    {"cpu_us.mean", US_REAL, AT(cpu_ns), "CPU of a handshake"},
    {"cpu_us.user", US_REAL, AT(user_ns), "in user mode"},
    {"cpu_us.system", US_REAL, AT(system_ns), "in system mode"},
    {"cpu_us.low", US_REAL, AT(cpu_low_ns), "95 % interval over the rounds"},
    {"cpu_us.high", US_REAL, AT(cpu_high_ns), "95 % interval over the rounds"},
    {"tls_us", US_REAL, AT(tls_ns), "the TLS steps alone"},
    {"hello_us", SPREAD, AT(hello), "of tls_us: to the server's flight; count 0: not known"},
    {"finish_us", SPREAD, AT(finish), "of tls_us: the rest"},
    {"client_us", US_REAL, AT(client_ns), "CPU of who logs in"},
    {"latency_us.connect", SPREAD, AT(connect), "connect() to TCP"},
    {"latency_us.handshake", SPREAD, AT(handshake), "TCP to TLS"},
    {"latency_us.login", SPREAD, AT(login), "start to logged in"},
};
const size_t at_fields_count = sizeof at_fields / sizeof at_fields[0];

/* Beside these: points[]. */
const struct field cost_line_fields[] = {
    {"gateway", NAME, LINE(gateway), "HOST:PORT that it was measured at"},
    {"clock", NAME, LINE(clock), "where its CPU was read: process, cgroup or exporter"},
    {"counted", NAME, LINE(counted), "whose CPU that is, for people"},
    {"idle_cores.mean", SIGNED_REAL, LINE(idle_cores),
     "the line's intercept: what it takes with nobody coming"},
    {"idle_cores.low", SIGNED_REAL, LINE(idle_low), "its 95 % interval"},
    {"idle_cores.high", SIGNED_REAL, LINE(idle_high), "its 95 % interval"},
    {"r2", REAL, LINE(r2), "the part of the cores' variance that the line explains"},
};
const size_t cost_line_fields_count = sizeof cost_line_fields / sizeof cost_line_fields[0];

const struct field cost_point_fields[] = {
    {"offered_per_s", REAL, POINT(offered_per_s), "handshakes a second that were to come"},
    {"per_s", REAL, POINT(per_s), "that came through, between two readings of the clock"},
    {"cores", REAL, POINT(cores), "CPU seconds a second between them"},
    {"residual_cores", SIGNED_REAL, POINT(residual_cores), "cores less those of the line"},
};
const size_t cost_point_fields_count = sizeof cost_point_fields / sizeof cost_point_fields[0];
