/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * seccomp's strict mode kills at any system call but read, write and exit. So
 * xtrace injects none, and puts the slots where no new mapping is necessary.
 *
 * CFLAGS: -O1
 * FILE: p.conf: int f(int); int g(int);
 *
 * RUN: xtrace -F p.conf -x f+g %t
 * STATUS: 7
 * COUNT: 1000 f(%num) = %num
 * COUNT: 1000 g(%num) = %num
 *
 * RUN: xtrace -F p.conf -x f+g -p %p
 * ATTACH:
 * COUNT: 1000 %id f(%num) = %num
 * COUNT: 1000 %id g(%num) = %num
 * SAYS:
 *   xtrace: process %num: its seccomp policy does not allow system calls that xtrace injects: a function is traced only if there is room behind its module's text, and if xtrace is killed, only the watcher lifts the traps
 */
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define CALLS 1000

__attribute__((noipa)) int
f(int x)
{
	return x + 1;
}

__attribute__((noipa)) int
g(int x)
{
	return x * 2 + 1;
}

int
main(void)
{
	char byte;

	prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT);
	if (write(1, "ready\n", 6) != 6 || read(0, &byte, 1) < 0)
		syscall(SYS_exit, 1);
	for (int i = 0; i < CALLS; i++) {
		if (f(i) != i + 1 || g(i) != 2 * i + 1)
			syscall(SYS_exit, 2);
	}
	syscall(SYS_exit, 7);
}
