/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Text as one writes it in C, between quotes: what a terminal would not show
 * as it is, or would obey, is escaped.
 */
#ifndef VALUES_ESCAPE_H
#define VALUES_ESCAPE_H

#include "base/str.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* No quotes round it; those in it, if they are this one, are escaped. */
void escape_text(struct str *to, const char *bytes, size_t length, char quote,
		 bool ascii);

/* One character, wide or not, between single quotes. */
void escape_character(struct str *to, uint32_t character, bool wide);

#endif
