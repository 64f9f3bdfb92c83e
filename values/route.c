/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parts of a path are between its slashes. A part that identifies one thing
 * of many is a number in nearly all paths, or a UUID.
 */
#include "values/route.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

/* Is this part of a path a number, or a long hexadecimal number such as a
 * UUID? */
static bool
is_number(const char *part, size_t length)
{
	size_t digits = 0, hex = 0;

	for (size_t i = 0; i < length; i++) {
		digits += isdigit((unsigned char)part[i]) != 0;
		hex += isxdigit((unsigned char)part[i]) || part[i] == '-';
	}
	return length > 0 &&
	       (digits == length || (length >= 16 && hex == length && digits));
}

void
route_add(struct str *to, const char *path)
{
	while (*path) {
		size_t slashes = strspn(path, "/");
		size_t length = strcspn(path + slashes, "/?");

		str_add_bytes(to, path, slashes);
		path += slashes;
		if (is_number(path, length))
			str_add_char(to, '*');
		else
			str_add_bytes(to, path, length);
		path += length;
		if (*path == '?') {
			str_add(to, path);
			return;
		}
	}
}
