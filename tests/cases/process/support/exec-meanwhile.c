/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Execs itself when the file exists; then it calls f and ends with 3.
 *
 *	exec-meanwhile FILE
 */
#include "subject.h"

NOINLINE int
f(int x)
{
	OPAQUE(x);
	return x;
}

int
main(int argc, char **argv)
{
	if (argc > 2) {
		say("again");
		return f(2) + 1;
	}
	say("ready");
	for (;;) {
		for (int i = 0; i < 100000; i++)
			OPAQUE(i);
		if (access(argv[1], F_OK) == 0)
			execl("/proc/self/exe", argv[0], argv[1], "again",
			      (char *)0);
	}
}
