/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_SCENARIO_PRESETS_H
#define LOGINSTORM_SCENARIO_PRESETS_H

/* TLS connections of a login, by product. Nobody publishes them: each is an assumption that a
 * packet capture of one login confirms or corrects. */
#define LS_PRESETS 7
struct ls_preset {
    const char *word;
    int connections;
};
extern const struct ls_preset ls_presets[LS_PRESETS];

#endif
