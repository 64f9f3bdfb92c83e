/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A program that makes a system call of i386: its number is not that of the
 * program's own calls. The call has a name of its own, and its arguments are
 * not taken for those of the call with the same number or name.
 *
 * MAY-SKIP: if the kernel runs with ia32_emulation=off
 *
 * RUN: xtrace -F %c/../../../etc -L -S %t
 * CONTAINS:
 *   compat_getpid@SYS(%any) = %any
 *   compat_write@SYS(1, %any, 3%any) = 3
 *   compat_syscall_9999@SYS(%any) = -1 ENOSYS (Function not implemented)
 *   getppid@SYS() = %num
 *   +++ exited (status 0) +++
 * ABSENT:
 *   writev@SYS(%any
 *   fstat@SYS(1, %any
 *
 * RUN: xtrace -F %c/../../../etc -L -S'compat_getpid' %t
 * EXPECT:
 *   compat_getpid@SYS(%any) = %any
 *   +++ exited (status 0) +++
 *
 * RUN: xtrace -F %c/../../../etc -L -S'write+getppid' %t
 * EXPECT:
 *   getppid@SYS() = %num
 *   +++ exited (status 0) +++
 *
 * A name that only programs of the other size have is told.
 *
 * RUN: xtrace -F %c/../../../etc -L -S'getppid+%memory,mmap2' %t
 * CONTAINS:
 *   getppid@SYS() = %num
 *   +++ exited (status 0) +++
 * SAYS:
 *   xtrace: -S: no system call of x86-64 is named 'mmap2'
 *     getppid+%memory,mmap2
 *                     ^
 */
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The numbers of getpid and write on i386. As the program's own numbers they
 * are those of writev and stat. */
#define I386_GETPID 20
#define I386_WRITE 4

static long
compat(long number, long a, long b, long c)
{
	long result;

	__asm__ volatile("int $0x80"
			 : "=a"(result)
			 : "0"(number), "b"(a), "c"(b), "d"(c)
			 : "memory", "r8", "r9", "r10", "r11");
	return (int)result;
}

/* The signal of int $0x80 if the kernel runs with ia32_emulation=off. */
static void
refused(int number)
{
	static const char reason[] = "no system calls of i386 here\n";

	_exit(write(1, reason, sizeof(reason) - 1) < 0 ? number : 77);
}

int
main(void)
{
	char *text = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
	long pid;

	signal(SIGSEGV, refused);
	pid = compat(I386_GETPID, 0, 0, 0);
	signal(SIGSEGV, SIG_DFL);
	strcpy(text, "hi\n");
	if (compat(I386_WRITE, 1, (long)text, 3) != 3)
		return 1;
	if (compat(9999, 1, 2, 3) != -38)
		return 2;
	syscall(SYS_getppid);
	return pid == getpid() ? 0 : 3;
}
