/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * -Z shows only what fails, -z only what succeeds: system calls and library
 * calls whose prototypes say what a failure is.
 *
 * VARIANT: wide
 * VARIANT: narrow -m32
 * FILE: p.conf: errno(int) finds(int); int plain(int);
 *
 * RUN: xtrace -F %c/../../../etc:p.conf -ZS -x finds+plain %t
 * CONTAINS:
 *   openat@SYS(AT_FDCWD, "/no/such/file", O_RDONLY) = -1 ENOENT %any
 *   finds(1) = -1 ENOENT (No such file or directory)
 *   close@SYS(-1) = -1 EBADF (Bad file descriptor)
 *   +++ exited (status 0) +++
 * ABSENT:
 *   exit_group@SYS(%any
 *   getppid@SYS(%any
 *   plain(%any
 *
 * RUN: xtrace -F %c/../../../etc:p.conf -zS -x finds+plain %t
 * CONTAINS:
 *   finds(0) = 0
 *   getppid@SYS() = %num
 *   plain(-1) = -1
 *   +++ exited (status 0) +++
 * ABSENT:
 *   exit_group@SYS(%any
 *   close@SYS(-1) %any
 *   finds(1) %any
 *
 * RUN: xtrace -z -Z %t
 * STATUS: 2
 * SAYS:
 *   xtrace: -Z and -z together leave no call
 */
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

__attribute__((noinline)) int finds(int n);
__attribute__((noinline)) int plain(int n);

int
finds(int n)
{
	return n ? openat(AT_FDCWD, "/no/such/file", O_RDONLY) : n;
}

int
plain(int n)
{
	return n;
}

int
main(void)
{
	finds(0);
	finds(1);
	syscall(SYS_close, -1);
	syscall(SYS_getppid);
	return plain(-1) + 1;
}
