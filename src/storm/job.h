/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_STORM_JOB_H
#define LOGINSTORM_STORM_JOB_H

/*
 * What a conductor hands to a process at its start: one JSON object in memory (a private key never
 * touches a disk), and for an injector the memory of its record. Both are descriptors that the
 * process inherits.
 */

#include <stddef.h>
#include <stdint.h>

#include "loginstorm/error.h"
#include "loginstorm/json.h"

#define JOB_VERSION 1
#define JOB_FD 3
#define RECORD_FD 4

/* A new piece of memory of size bytes as a descriptor. */
LS_MUST_CHECK
enum ls_code job_memory(int *fd, const char *name, size_t size, struct ls_error *err);

/* The descriptor mapped, shared. */
LS_MUST_CHECK
enum ls_code job_map(int fd, void **memory, size_t *size, struct ls_error *err);

/* job as text in new memory; takes job. */
LS_MUST_CHECK
enum ls_code job_write(int *fd, json_t *job, struct ls_error *err);

/* The job of this process, its version checked; the caller owns it. */
LS_MUST_CHECK
enum ls_code job_read(json_t **job, struct ls_error *err);

/* Keeps this process on one core; negative: wherever the system likes. */
LS_MUST_CHECK
enum ls_code job_pin(int64_t core, struct ls_error *err);

#endif
