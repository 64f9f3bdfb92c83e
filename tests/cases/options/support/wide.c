/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Calls f with texts of several widths; errno is set before calls that do not
 * fail. */
#include "subject.h"

#include <errno.h>

NOINLINE int
f(const char *text, int result)
{
	OPAQUE(text);
	return result;
}

int
main(void)
{
	errno = ENOENT;
	f("Film", 1);
	f("Jalape\xc3\xb1o", 2);
	f("\xe6\x97\xa5\xe6\x9c\xac", 3);
	f("e\xcc\x81", -1);
	return 0;
}
