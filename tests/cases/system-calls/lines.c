/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * -S: system calls with their names, arguments, results and errors, between the
 * library calls that make them. A call without a name has its number, and a
 * failure is the kernel's, not what errno holds.
 *
 * VARIANT: wide
 * VARIANT: narrow -m32
 * FILE: p.conf: int outer(int);
 *
 * RUN: xtrace -F %c/../../../etc:p.conf -S -x outer %t
 * CONTAINS:
 *   outer(1 <unfinished ...>
 *   getppid@SYS() = %num
 *   close@SYS(-1) = -1 EBADF (Bad file descriptor)
 *   openat@SYS(AT_FDCWD, "/no/such/file", O_RDONLY) = -1 ENOENT %any
 *   syscall_9999@SYS(1, 2, 3, 4) = -1 ENOSYS %any
 *   <... outer resumed> ) = 2
 *   exit_group@SYS(0 <no return ...>
 *   +++ exited (status 0) +++
 *
 * -L leaves out the library calls. With -n, system calls are nested in them.
 *
 * RUN: xtrace -F %c/../../../etc:p.conf -LS %t
 * CONTAINS:
 *   getppid@SYS() = %num
 *   close@SYS(-1) = -1 EBADF (Bad file descriptor)
 *   exit_group@SYS(0 <no return ...>
 *   +++ exited (status 0) +++
 *
 * RUN: xtrace -F %c/../../../etc:p.conf -n3 -Sgetppid -x outer %t
 * EXPECT:
 *   outer(1 <unfinished ...>
 *      getppid@SYS() = %num
 *   <... outer resumed> ) = 2
 *   +++ exited (status 0) +++
 *
 * A file of -F is for functions: the kernel's call of the same name may have
 * other arguments.
 *
 * FILE: libc.conf: int close(string); int getppid(int, int);
 * RUN: xtrace -F libc.conf:%c/../../../etc -LS %t
 * CONTAINS:
 *   getppid@SYS() = %num
 *   close@SYS(-1) = -1 EBADF (Bad file descriptor)
 *   +++ exited (status 0) +++
 *
 * FILE: syscalls.conf: int close(hex(int) it); hex(int) getppid(void);
 * RUN: xtrace -F .:libc.conf:%c/../../../etc -LS %t
 * CONTAINS:
 *   getppid@SYS() = %hex
 *   close@SYS(0xffffffff) = %any
 *   +++ exited (status 0) +++
 *
 * -x accepts names of system calls with @SYS, as in ltrace. If it has no other
 * names, no library call is traced.
 *
 * RUN: xtrace -F %c/../../../etc:p.conf -x 'close+getp*-getpid@SYS' %t
 * CONTAINS:
 *   getppid@SYS() = %num
 *   close@SYS(-1) = -1 EBADF (Bad file descriptor)
 *   +++ exited (status 0) +++
 * ABSENT:
 *   openat@SYS(%any
 *   exit(%any
 *
 * RUN: xtrace -x nosuch@SYS %t
 * UNTRACED: no
 * STATUS: 2
 * SAYS:
 *   xtrace: -x: no system call is named 'nosuch'
 *     nosuch
 *     ^
 *
 * -S has filters like those of -x: attached to it, or as the next word if no
 * command has that name.
 *
 * RUN: xtrace -F %c/../../../etc:p.conf -L -S 'close+getp*+-getpid' %t
 * CONTAINS:
 *   getppid@SYS() = %num
 *   close@SYS(-1) = -1 EBADF (Bad file descriptor)
 *   +++ exited (status 0) +++
 * ABSENT:
 *   openat@SYS(%any
 *
 * RUN: xtrace -F %c/../../../etc:p.conf -L --syscalls='*-close-open*' %t
 * CONTAINS:
 *   getppid@SYS() = %num
 *   syscall_9999@SYS(1, 2, 3, 4) = -1 ENOSYS %any
 * ABSENT:
 *   openat@SYS(%any
 *   close@SYS(%any
 */
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

__attribute__((noinline)) int outer(int n);

int
outer(int n)
{
	syscall(SYS_getppid);
	syscall(SYS_close, -1);
	syscall(SYS_openat, AT_FDCWD, "/no/such/file", O_RDONLY);
	syscall(9999, 1, 2, 3, 4);
	return n + 1;
}

int
main(void)
{
	return outer(1) - 2;
}
