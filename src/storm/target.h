/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_STORM_TARGET_H
#define LOGINSTORM_STORM_TARGET_H

/* An outside gateway: its name, its caps, and whom its users trust. Private to this room. */

#include "loginstorm/storm.h"

#define TARGET_HOST_SIZE 256

/* HOST of HOST:PORT, without the brackets of an IPv6 address, and the port behind it. */
void target_host(const struct ls_scenario *scenario, char out[TARGET_HOST_SIZE], const char **port);

/* One of its addresses is another machine's. */
bool target_is_beyond(const struct ls_target *target);

/* What another machine gets at most. The scenario can only lower what the build says. */
#ifndef LS_OUTSIDE_CONNECTIONS_PER_S
#define LS_OUTSIDE_CONNECTIONS_PER_S 1000
#endif
#ifndef LS_OUTSIDE_OPEN
#define LS_OUTSIDE_OPEN 20000
#endif
#ifndef LS_OUTSIDE_DURATION_S
#define LS_OUTSIDE_DURATION_S 7200
#endif
struct target_caps {
    int64_t connections_per_s, open, duration_ns;
};
/* The even part of a cap that one of so many injectors holds: all together keep it. */
int64_t target_part(int64_t cap, size_t injectors);
void target_caps(const struct ls_scenario *scenario, struct target_caps *caps);

/* The CAs that users who verify the chain trust: gateway.trust, or the system's. NULL where nobody
 * verifies. The caller frees it. */
LS_MUST_CHECK
enum ls_code target_trust(char **pem, const struct ls_scenario *scenario, struct ls_error *err);

#endif
