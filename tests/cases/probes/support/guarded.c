/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * For each line "run" the program passes its probe, and for "fork" a child of
 * it does. Both print the probe's semaphore. With an argument, the semaphore
 * begins at 3, as if another tracer had counted it up.
 *
 * CFLAGS: -O1
 */
#include "sdt.h"

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

SEMAPHORE(guard);

static void
pass(const char *who)
{
	if (guard)
		PROBE("zoo", "guarded", "guard", "-4@%0", "r"(7));
	printf("%s %d\n", who, guard);
	fflush(stdout);
}

int
main(int argc, char **argv)
{
	char line[16];

	(void)argv;
	if (argc > 1)
		guard = 3;
	puts("ready");
	fflush(stdout);
	while (fgets(line, sizeof(line), stdin)) {
		if (!strcmp(line, "fork\n") && fork() == 0) {
			pass("child");
			_exit(0);
		}
		wait(NULL);
		if (!strcmp(line, "run\n"))
			pass("parent");
	}
	return 0;
}
