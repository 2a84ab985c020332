/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/login.h"

/* The phase of the connection under way; a login has one at a time. */
enum ls_reason reason_of_wire(enum ls_wire_why why, enum slot_state phase)
{
    switch (why) {
    case LS_WIRE_REFUSED:
        return LS_REASON_CONNECT_REFUSED;
    case LS_WIRE_UNREACHABLE:
        return LS_REASON_CONNECT_UNREACHABLE;
    case LS_WIRE_SYN_TIMEOUT:
        return phase == SLOT_CONNECTING ? LS_REASON_CONNECT_TIMEOUT
               : phase == SLOT_SECURING ? LS_REASON_HANDSHAKE_TIMEOUT
                                        : LS_REASON_LOGIN_TIMEOUT;
    case LS_WIRE_RESET:
        return phase == SLOT_CONNECTING ? LS_REASON_CONNECT_RESET
               : phase == SLOT_SECURING ? LS_REASON_HANDSHAKE_RESET
                                        : LS_REASON_REQUEST_RESET;
    case LS_WIRE_FINE:
    case LS_WIRE_PEER_CLOSED:
        return phase == SLOT_CONNECTING ? LS_REASON_CONNECT_RESET
               : phase == SLOT_SECURING ? LS_REASON_HANDSHAKE_CLOSED
                                        : LS_REASON_REQUEST_CLOSED;
    case LS_WIRE_ALERT:
        return phase == SLOT_SECURING ? LS_REASON_HANDSHAKE_ALERT : LS_REASON_REQUEST_PROTOCOL;
    case LS_WIRE_CERTIFICATE:
        return LS_REASON_CERTIFICATE_REJECTED;
    case LS_WIRE_PROTOCOL:
        return phase == SLOT_SECURING ? LS_REASON_HANDSHAKE_PROTOCOL : LS_REASON_REQUEST_PROTOCOL;
    case LS_WIRE_OWN_DESCRIPTORS:
        return LS_REASON_OWN_DESCRIPTORS;
    case LS_WIRE_OWN_PORTS:
        return LS_REASON_OWN_PORTS;
    case LS_WIRE_OWN_MEMORY:
        return LS_REASON_OWN_MEMORY;
    case LS_WIRE_OWN_OTHER:
        break;
    }
    return LS_REASON_OWN_OTHER;
}
