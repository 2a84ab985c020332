/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_STORM_JOB_H
#define LOGINSTORM_STORM_JOB_H

/*
 * What a conductor hands to a process at its start: one JSON object in memory (a private key never
 * touches a disk), for a gateway worker the memory of its bursts, and for an injector that of its record and of the schedule that all
 * injectors share: they play what the conductor saw, whatever became of a curve's file since. All
 * are descriptors that the process inherits.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "loginstorm/error.h"
#include "loginstorm/json.h"

#define JOB_VERSION 3
#define JOB_FD 3
#define RECORD_FD 4 /* of a gateway worker: its bursts */
#define SCHEDULE_FD 5

/* A new piece of memory of size bytes as a descriptor. */
LS_MUST_CHECK
enum ls_code job_memory(int *fd, const char *name, size_t size, struct ls_error *err);

/* The descriptor mapped, shared. */
LS_MUST_CHECK
enum ls_code job_map(int fd, void **memory, size_t *size, struct ls_error *err);

/* job as text in new memory; takes job. */
LS_MUST_CHECK
enum ls_code job_write(int *fd, json_t *job, struct ls_error *err);

/* Frees a job, its texts wiped: a private key may be among them. */
void job_forget(json_t *job);

/* The job of this process, its version checked; the caller owns it. */
LS_MUST_CHECK
enum ls_code job_read(json_t **job, struct ls_error *err);

/* size bytes as hex digits, NUL-ended, and back; false for what is not exactly that. */
void job_hex(const uint8_t *bytes, size_t size, char *out);
bool job_unhex(const char *text, uint8_t *bytes, size_t size);

#endif
