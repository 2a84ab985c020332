/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_WIRE_WORK_H
#define LOGINSTORM_WIRE_WORK_H

/* Between the hub and its wires, inside this room. */

#include "loginstorm/wire.h"

/* Puts a wire at the end of its hub's queue, once. */
void ls_hub_queue(struct ls_wire *wire);
void ls_hub_unqueue(struct ls_wire *wire);

/* To be called by whatever an event brings into this room: the turn has begun. */
void ls_hub_wake(struct ls_hub *hub);

/* One piece of a wire's TLS work: all that has come since the last one. */
void ls_wire_work(struct ls_wire *wire);

#endif
