/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Foreign text in XML and HTML, in content and in quoted attributes. */
#ifndef OUTPUT_STACKS_XML_H
#define OUTPUT_STACKS_XML_H

#include "base/str.h"

/*
 * Adds text. Characters with a meaning in XML become entities. What XML 1.0
 * does not allow (most control characters, bytes that are not UTF-8), and
 * characters that change the direction of the text around them, become a
 * readable escape, "\001".
 */
void xml_add(struct str *to, const char *text);

#endif
