/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A morning as a live engine would have put it down. */
#include <stdlib.h>

#include "model/work.h"

static bool grow(struct ls_model *model)
{
    const size_t room = more_room(model->handshakes_room, 1024);
    struct ls_handshake *rows = realloc(model->handshakes, room * sizeof *rows);

    if (rows == NULL) {
        model->out_of_memory = true;
        return false;
    }
    model->handshakes = rows;
    model->handshakes_room = room;
    return true;
}

void handshake_put(struct ls_model *model, uint32_t row, enum ls_outcome outcome,
                   enum ls_reason reason, int64_t ended_ns)
{
    const struct state *state = &model->states[row];
    const struct ls_model_handshake *kind = state->kind;
    const bool secured = outcome == LS_OUTCOME_LOGGED_IN;
    const bool resumed = kind == &state->population->resumed;

    if (model->handshakes_count == model->handshakes_room && !grow(model)) {
        return;
    }
    model->handshakes[model->handshakes_count++] = (struct ls_handshake){
        .started_ns = state->started_ns,
        .connected_ns = state->connected_ns <= ended_ns ? state->connected_ns : LS_NEVER_NS,
        .ended_ns = ended_ns,
        .user = row,
        .connection = state->connection,
        .attempt = model->rows[row].attempts,
        .outcome = (uint8_t)outcome,
        .reason = (uint8_t)reason,
        .retransmits = state->syn_tries,
        .resumed = secured && resumed,
        .hello_retry = secured && kind->hello_retry,
        .tls13 = secured && kind->tls13,
        .offered = resumed,
        .no_bytes = true,
        .ticket_bytes = -1,
    };
}

enum ls_code ls_model_record(struct ls_record **out, const struct ls_model *model,
                             struct ls_error *err)
{
    enum ls_code code = ls_record_new(out, model->rows_count, model->handshakes_count, err);

    for (size_t i = 0; code == LS_OK && i < model->rows_count; i++) {
        code = ls_record_login(*out, i, &model->rows[i]);
    }
    for (size_t i = 0; code == LS_OK && i < model->handshakes_count; i++) {
        code = ls_record_handshake(*out, &model->handshakes[i]);
    }
    return code;
}
