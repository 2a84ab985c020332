/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_CURVE_FORMATS_H
#define LOGINSTORM_CURVE_FORMATS_H

#include "curve/format.h"

/* The entries of the table, each in the file of its name. */
extern const struct format format_web;
extern const struct format format_haproxy;
extern const struct format format_iis;
extern const struct format format_netscaler;
extern const struct format format_freeradius;
extern const struct format format_windows_csv;
extern const struct format format_windows_xml;
extern const struct format format_rd_gateway;
extern const struct format format_sql;
extern const struct format format_json;
extern const struct format format_csv;
extern const struct format format_citrix;
extern const struct format format_prometheus;
extern const struct format format_capture;

#endif
