/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "curve/formats.h"

const struct format *const formats[] = {
    &format_web,         &format_haproxy,    &format_iis,
    &format_netscaler,   &format_freeradius, &format_windows_csv,
    &format_windows_xml, &format_rd_gateway, &format_sql,
    &format_json,        &format_csv,        &format_citrix,
    &format_prometheus,  &format_capture,    NULL,
};
