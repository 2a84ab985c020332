/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A part of a storm's users: which they are, and their rows alone. */
#include "loginstorm/record.h"

static bool is_all(const struct ls_share *share)
{
    return share->of == 0;
}

bool ls_share_has(const struct ls_share *share, size_t user)
{
    return is_all(share) ||
           (user % share->of >= share->first && user % share->of - share->first < share->count);
}

size_t ls_share_rows(const struct ls_share *share, size_t users)
{
    size_t rest;

    if (is_all(share)) {
        return users;
    }
    rest = users % share->of > share->first ? users % share->of - share->first : 0;
    return users / share->of * share->count + (rest < share->count ? rest : share->count);
}

size_t ls_share_user(const struct ls_share *share, size_t row)
{
    return is_all(share) ? row : row / share->count * share->of + share->first + row % share->count;
}

static enum ls_code gather_logins(struct ls_record *into, const struct ls_record *from,
                                  const struct ls_share *share, struct ls_error *err)
{
    size_t users;
    const struct ls_login *logins = ls_record_logins(from, &users);

    for (size_t user = 0; user < users; user++) {
        if (ls_record_outcome(from, user) == LS_OUTCOME_PENDING) {
            continue;
        }
        if (!ls_share_has(share, user) ||
            ls_record_login(into, ls_share_rows(share, user), &logins[user]) != LS_OK) {
            return ls_error_set(err, LS_EBROKEN,
                                "user %zu was decided by the wrong injector, or by two", user);
        }
    }
    return LS_OK;
}

enum ls_code ls_record_gather(struct ls_record *into, const struct ls_record *from,
                              const struct ls_share *share, struct ls_error *err)
{
    size_t count;
    const struct ls_handshake *handshakes = ls_record_handshakes(from, &count);
    enum ls_code code = gather_logins(into, from, share, err);

    for (size_t i = 0; code == LS_OK && i < count; i++) {
        struct ls_handshake row = handshakes[i];

        row.user = (uint32_t)ls_share_rows(share, row.user);
        if (!ls_share_has(share, handshakes[i].user) || ls_record_handshake(into, &row) != LS_OK) {
            code = ls_error_set(err, LS_EBROKEN,
                                "handshake row %zu is damaged, or another injector's", i);
        }
    }
    return code;
}
