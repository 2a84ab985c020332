/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LS_RECORD_TABLES_H
#define LS_RECORD_TABLES_H

/* The header lines of samples.csv and handshakes.csv, for who writes and who reads them: private to this room. */

#define SAMPLES_HEADER                                                                             \
    "certificate,user,population,due_ns,started_ns,connected_ns,secured_ns,done_ns,attempts,"      \
    "outcome,reason,repeat\n"
#define HANDSHAKES_HEADER                                                                          \
    "certificate,user,connection,attempt,started_ns,connected_ns,ended_ns,outcome,reason,tls13,"   \
    "offered,resumed,hello_retry,retransmits,client_hello_bytes,server_flight_bytes,sent_bytes,"   \
    "received_bytes,ticket_bytes,repeat\n"

#endif
