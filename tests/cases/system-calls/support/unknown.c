/* SPDX-License-Identifier: GPL-2.0-or-later */
/* unknown NUMBER: makes that many system calls that do not exist, each with
 * another number, and then getppid(). */
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

int
main(int argc, char **argv)
{
	long count = argc > 1 ? atol(argv[1]) : 0;

	for (long i = 0; i < count; i++)
		if (syscall(100000 + i) != -1)
			return 1;
	syscall(SYS_getppid);
	printf("made\n");
	fflush(stdout);
	getchar();
	return 0;
}
