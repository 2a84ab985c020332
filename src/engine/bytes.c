/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a handshake put on the wire, from the endpoint into its row. */
#include "engine/login.h"

/* A handshake's bytes so far. */
static void bytes_count(struct ls_handshake *row, const struct ls_wire *wire)
{
    struct ls_tls_bytes bytes = {0};

    if (wire->end != NULL) {
        ls_tls_end_bytes(wire->end, &bytes);
    }
    row->sent_bytes = wire->sent;
    row->received_bytes = wire->received;
    row->server_flight_bytes = bytes.server_flight;
    row->client_hello_bytes =
        (uint16_t)(bytes.client_hello > UINT16_MAX ? UINT16_MAX : bytes.client_hello);
    row->ticket_bytes = -1;
}

/* Of a secured one, row->tls13 known: what came behind the Finished in the same read is no part of
 * it. */
static void bytes_finish(struct ls_handshake *row, const struct ls_wire *wire)
{
    struct ls_tls_bytes bytes;

    ls_tls_end_bytes(wire->end, &bytes);
    row->received_bytes = bytes.server_flight;
    if (!row->tls13) {
        row->ticket_bytes = (int32_t)bytes.tickets;
        row->received_bytes += bytes.tickets;
    }
}

void bytes_count_tickets(struct connection *connection)
{
    struct ls_tls_bytes bytes;

    if (!connection->in_record || !connection->row.tls13 || connection->wire.end == NULL) {
        return;
    }
    ls_tls_end_bytes(connection->wire.end, &bytes);
    if (bytes.followed && ls_record_tickets(connection->engine->job.record, connection->row_at,
                                            (int32_t)bytes.tickets) != LS_OK) {
        connection->engine->facts.unrecorded++;
    }
}

void bytes_record(struct connection *connection, enum ls_outcome outcome, enum ls_reason reason,
                  int64_t ended_ns)
{
    struct ls_handshake *row = &connection->row;
    const struct ls_wire *wire = &connection->wire;

    if (connection->recorded) {
        return;
    }
    connection->recorded = true;
    row->ended_ns = ended_ns;
    bytes_count(row, wire);
    row->outcome = (uint8_t)outcome;
    row->reason = (uint8_t)reason;
    row->offered = wire->end != NULL && ls_tls_end_offered(wire->end);
    if (outcome == LS_OUTCOME_LOGGED_IN) {
        struct ls_tls_facts facts;

        ls_tls_end_facts(wire->end, &facts);
        row->resumed = facts.resumed;
        row->hello_retry = facts.hello_retry;
        row->tls13 = facts.tls13;
        bytes_finish(row, wire);
    }
    (void)ls_record_handshakes(connection->engine->job.record, &connection->row_at);
    connection->in_record = ls_record_handshake(connection->engine->job.record, row) == LS_OK;
    connection->engine->facts.unrecorded += !connection->in_record;
}

void bytes_record_retransmits(struct connection *connection)
{
    const int again = ls_wire_retransmits(&connection->wire);

    if (again > 0 &&
        ls_record_retransmits(connection->engine->job.record, connection->row_at,
                              again > UINT16_MAX ? UINT16_MAX : (uint16_t)again) != LS_OK) {
        connection->engine->facts.unrecorded++;
    }
}
