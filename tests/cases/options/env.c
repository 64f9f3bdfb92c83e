/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * -E changes the environment of the command, and no other: the last change of a
 * variable counts. The command is searched with the PATH of xtrace.
 *
 * ENV: KEPT=yes
 * ENV: GONE=yes
 *
 * RUN: xtrace -E NEW=1 -E GONE -E PATH=/none -E NEW=2=3 -E EMPTY= -x show %t
 * UNTRACED: no
 * CONTAINS:
 *   show("KEPT", "yes") = 1
 *   show("GONE", nil) = 0
 *   show("NEW", "2=3") = 1
 *   show("EMPTY", "") = 1
 *   show("PATH", "/none") = 1
 *   +++ exited (status 0) +++
 *
 * RUN: xtrace -E PATH=/none -L -- true
 * STATUS: 0
 *
 * RUN: xtrace -E =x %t
 * STATUS: 2
 * SAYS:
 *   xtrace: -E: name a variable
 *
 * RUN: xtrace -E X=1 -p 1
 * STATUS: 2
 * SAYS:
 *   xtrace: -E needs a command, whose environment it changes
 *
 * CFLAGS: -g
 */
#include "subject.h"

#include <stdlib.h>

NOINLINE int show(const char *variable, const char *value);

NOINLINE int
show(const char *variable, const char *value)
{
	OPAQUE(variable);
	return value != NULL;
}

int
main(void)
{
	static const char *const variables[] = { "KEPT", "GONE", "NEW", "EMPTY",
						 "PATH" };

	for (size_t i = 0; i < sizeof(variables) / sizeof(*variables); i++)
		show(variables[i], getenv(variables[i]));
	return 0;
}
