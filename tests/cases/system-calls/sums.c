/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * System calls in tables, in JSON and in stacks: a system call is a leaf below
 * the library call that makes it.
 *
 * VARIANT: wide
 * VARIANT: narrow -m32
 * RUN: xtrace -c -Sgetppid,close -x outer %t
 * CONTAINS:
 *   %any 3 outer
 * COUNT: 1 %any 6 getppid@SYS
 * COUNT: 1 %any %num close@SYS
 *
 * RUN: xtrace --summary --sort=calls -Sgetppid,close -x outer %t
 * CONTAINS:
 *   %any 6 %any getppid@SYS
 *   %any 3 %any outer
 *
 * RUN: xtrace --folded --stack=calls --weight=calls -Sgetppid -x outer %t
 * CONTAINS:
 *   %any;outer 3
 *   %any;outer;getppid@SYS 6
 *
 * RUN: xtrace -F %c/../../../etc --json -L -Sclose %t
 * CONTAINS:
 *   {%any"display":"close@SYS","module":"SYS","depth":0,"return_%any"EBADF"%any
 */
#include <sys/syscall.h>
#include <unistd.h>

__attribute__((noinline)) void outer(void);

void
outer(void)
{
	syscall(SYS_getppid);
	syscall(SYS_getppid);
	syscall(SYS_close, -1);
}

int
main(void)
{
	for (int i = 0; i < 3; i++)
		outer();
	return 0;
}
