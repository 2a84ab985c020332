/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LS_REPORT_ASSETS_H
#define LS_REPORT_ASSETS_H

/*
 * Scripts and styles of the page, embedded when it is built (tools/cmake/Embed.cmake), each with the hash by which the page's
 * content security policy knows it: private to this room.
 */

#include <stddef.h>

struct asset {
    const unsigned char *bytes;
    size_t size;
    unsigned char sha256[32]; /* of the bytes */
};

extern const struct asset asset_dygraph_js, asset_dygraph_css, asset_page_js, asset_page_css;

#endif
