/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_CURVE_XML_H
#define LOGINSTORM_CURVE_XML_H

/*
 * A log's bytes -> the elements of XML, as they come, in constant memory. One root, several, or none
 * above the elements; a declaration anywhere; encodings as in clean.h. A DOCTYPE is refused, so that
 * there are no entities but XML's own five and nothing is fetched from anywhere. What makes no sense,
 * elements nested deeper than 32, a tag of more than 1 MiB, and an end amid an element break the log
 * off (sink->broken); what came before stays.
 */

#include <stddef.h>

#include "curve/format.h"

/* depth is 1 for an element that is in no other of the log; attributes: name, value, ..., NULL. */
struct xml_calls {
    void (*start)(void *data, size_t depth, const char *name, const char *const *attributes);
    void (*text)(void *data, const char *text, size_t size); /* in pieces of any size */
    enum ls_code (*end)(void *data, size_t depth, struct ls_error *err);
};

struct xml;

/* LS_ELIMIT where the library is not there. calls stay the caller's. */
LS_MUST_CHECK
enum ls_code xml_new(struct xml **out, struct sink *sink, const struct xml_calls *calls, void *data,
                     struct ls_error *err);
void xml_free(struct xml *xml);

LS_MUST_CHECK
enum ls_code xml_feed(struct xml *xml, const char *bytes, size_t size, struct ls_error *err);

LS_MUST_CHECK
enum ls_code xml_end(struct xml *xml, struct ls_error *err);

/* Where the element stands that start or end is called for. */
int64_t xml_line(const struct xml *xml);

#endif
