/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Calls f twice, and with FORK once more in a child. */
#include "subject.h"

#include <stdlib.h>
#include <sys/wait.h>

NOINLINE int
f(int n, const char *what)
{
	OPAQUE(what);
	return n == 2 ? -1 : n;
}

int
main(void)
{
	f(1, "users");
	if (getenv("FORK") && fork() == 0) {
		f(3, "child");
		_exit(0);
	}
	wait(NULL);
	f(2, "orders");
	return 3;
}
