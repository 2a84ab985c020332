/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_SCENARIO_SCALAR_H
#define LOGINSTORM_SCENARIO_SCALAR_H

/*
 * What a text means once a field types it: no sexagesimal numbers, no octal, nothing rounded. Each
 * returns false, leaving *out alone, when the text is not of its form or does not fit.
 */

#include <stdbool.h>
#include <stdint.h>

/* Digits, with a sign perhaps: "6000", "08", "-1". */
bool ls_scalar_integer(const char *text, int64_t *out);

/* "0.6", "2", "-1.5": no exponent, no nan, no inf. */
bool ls_scalar_number(const char *text, double *out);

/* "0.4" or "40%". */
bool ls_scalar_share(const char *text, double *out);

/* "250us", "1m30s", "17.5ms", or a plain "0": exact in nanoseconds. */
bool ls_scalar_duration(const char *text, int64_t *out_ns);

/* "900B", "6kB" (1,000), "6KiB" (1,024), or a plain "0": exact in bytes. */
bool ls_scalar_size(const char *text, int64_t *out_bytes);

/* "240/min", "5/s", "900/h". */
bool ls_scalar_rate(const char *text, double *out_per_s);

/* "8:00", "08:00", "08:00:30", "08:00:30.5", up to "24:00", since midnight. */
bool ls_scalar_clock(const char *text, int64_t *out_ns);

/* yes, no, true, false, on, off. */
bool ls_scalar_switch(const char *text, bool *out);

/* "2026-12-31", a day that exists. */
bool ls_scalar_is_date(const char *text);

/* The shortest text that gives the same number again. */
#define LS_SCALAR_MAX 64
void ls_scalar_write_number(double number, char out[LS_SCALAR_MAX]);
void ls_scalar_write_share(double share, char out[LS_SCALAR_MAX]);
void ls_scalar_write_rate(double per_s, char out[LS_SCALAR_MAX]);
void ls_scalar_write_size(int64_t bytes, char out[LS_SCALAR_MAX]);
void ls_scalar_write_clock(int64_t ns, char out[LS_SCALAR_MAX]);

#endif
