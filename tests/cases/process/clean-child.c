/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Without -f, the memory of a forked child has no byte of xtrace, neither at
 * functions nor at return addresses. The child runs on after xtrace has left.
 *
 * RUN: xtrace -x f+g+main %t
 * CONTAINS:
 *   f(%any
 *   +++ exited (status 0) +++
 *
 * RUN: xtrace -x f+g+main -p %p
 * ATTACH:
 * CONTAINS:
 *   %id f(%any
 */
#include "subject.h"
#include <fcntl.h>
#include <sys/wait.h>

extern char __executable_start, etext;

NOINLINE int
f(int x)
{
	OPAQUE(x);
	return x;
}

/* Compares the text of this process with its file. */
static int
changed(void)
{
	static char there[65536];
	int file = open("/proc/self/exe", O_RDONLY);
	size_t length = (size_t)(&etext - &__executable_start);
	const char *begin = &__executable_start;
	int count = 0;

	if (length > sizeof(there) ||
	    pread(file, there, length, 0) != (ssize_t)length)
		return -1;
	close(file);
	for (size_t i = 4096; i < length; i++)
		count += begin[i] != there[i];
	return count;
}

NOINLINE int
g(int x)
{
	pid_t pid = fork();
	int status;

	if (!pid)
		_exit(changed() == 0 && f(x) == x ? 17 : 18);
	if (waitpid(pid, &status, 0) != pid)
		return -1;
	OPAQUE(x);
	return WIFEXITED(status) && WEXITSTATUS(status) == 17 ? x : -1;
}

int
main(void)
{
	ready();
	for (int i = 0; i < 20; i++)
		if (f(i) != i || g(i) != i)
			return 1;
	return 0;
}
