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

/* Why a wire ends with libuv's word for it. */
enum ls_wire_why wire_why_of(int uv_error);

/* Every way to end leads through here; the owner hears of it once, and closes. */
void wire_finish(struct ls_wire *wire, enum ls_wire_why why);

/* One piece of a wire's TLS work: all that has come since the last one. */
void ls_wire_work(struct ls_wire *wire);

#endif
