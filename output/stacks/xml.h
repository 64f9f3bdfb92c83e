/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Foreign text within XML and HTML, in content and in quoted attributes. */
#ifndef OUTPUT_STACKS_XML_H
#define OUTPUT_STACKS_XML_H

#include "base/str.h"

/*
 * What would be markup becomes entities; what XML 1.0 has no place for (most
 * control characters, bytes that are no UTF-8), or what would turn the
 * direction of the text around it, becomes an escape that can be read, "\001".
 */
void xml_add(struct str *to, const char *text);

#endif
