/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * -S in a 32-bit program: the numbers and names are those of i386; arguments of
 * 64 bits are two words; structs have i386's layouts. The program prints what
 * it passes and gets, and the numbers of the trace are these. System calls are
 * made by the vdso, and by int $0x80 with six arguments.
 *
 * NEEDS: /lib32/libc.so.6
 * CFLAGS: -m32 -O1
 *
 * RUN: xtrace -F %c/../../../etc -L -S %t
 * CONTAINS:
 *   ftruncate64@SYS(3, 4294967301) = 0
 *   fstat64@SYS(3, {S_IFREG|0600, 1, %num, %num, 4294967301, {%num, %num}, %num}) = 0
 *   pwrite64@SYS(3, "end", 3, 4294967296) = 3
 *   pread64@SYS(3, "end", 3, 4294967296) = 3
 *   _llseek@SYS(3, 1, 2, 4294967298, SEEK_SET) = 0
 *   mmap2@SYS(nil, 4096, PROT_READ, MAP_PRIVATE, 3, 0x100000) = %hex
 *   mmap@SYS({nil, 8192, PROT_READ, MAP_PRIVATE|MAP_ANONYMOUS, -1, 0}) = %hex
 *   preadv@SYS(3, [{"end", 3}], 1, 4294967296) = 3
 *   sync_file_range@SYS(3, 1, 4294967298, SYNC_FILE_RANGE_WRITE) = 0
 *   fadvise64_64@SYS(3, 4294967297, 2, POSIX_FADV_DONTNEED) = 0
 *   truncate64@SYS("file", 6) = 0
 *   stat64@SYS("file", {S_IFREG|0600, 1, %num, %num, 6, {%num, %num}, %num}) = 0
 *   fcntl64@SYS(3, F_SETLK64, {F_WRLCK, SEEK_SET, 4294967296, 7, %num}) = 0
 *   fcntl64@SYS(3, F_GETLK, {F_RDLCK, SEEK_SET, 0, 5, %num} -> {F_UNLCK, SEEK_SET, 0, 5, %num}) = 0
 *   clock_nanosleep_time64@SYS(CLOCK_MONOTONIC, 0, {0, 1000}, nil) = 0
 *   utimensat_time64@SYS(AT_FDCWD, "file", [{4294967297, 5}, {0, UTIME_OMIT}], 0) = 0
 *   _newselect@SYS(41, <3,40>, nil, nil, {0, 0}) = 2
 *   pselect6_time64@SYS(41, <3,40>, nil, nil, {0, 0}, nil) = 2
 *   ppoll_time64@SYS([{3, POLLIN, 0}] -> [{3, POLLIN, POLLIN}], 1, {0, 0}, nil, 8) = 1
 *   futex_time64@SYS(%hex, FUTEX_WAIT, 1, {0, 1000}) = -1 EAGAIN %any
 *   prlimit64@SYS(0, RLIMIT_CORE, nil, {%any, %any}) = 0
 *   sigaction@SYS(SIGUSR1, {SIG_IGN, INT|TERM, SA_RESTART}, nil) = 0
 *   rt_sigaction@SYS(SIGUSR1, nil, {SIG_IGN, SA_RESTART, INT|TERM}, 8) = 0
 *   sigprocmask@SYS(SIG_BLOCK, USR2, %any) = 0
 *   tgkill@SYS(%num, %num, SIGUSR2) = 0
 *   rt_sigtimedwait_time64@SYS(USR2, {SIGUSR2, SI_TKILL, %num, %num}, {1, 0}, 8) = SIGUSR2
 *   socketcall@SYS(SYS_SOCKETPAIR, {AF_UNIX, SOCK_STREAM, 0, [5, 6]}) = 0
 *   socketcall@SYS(SYS_SEND, {5, "hello", 5, MSG_NOSIGNAL}) = 5
 *   socketcall@SYS(SYS_RECV, {6, "hello", 8, 0}) = 5
 *   socketcall@SYS(SYS_SHUTDOWN, {5, SHUT_RDWR}) = 0
 *   ipc@SYS(SHMGET, IPC_PRIVATE, 4096, IPC_CREAT|0600) = %num
 *   ipc@SYS(SHMAT, %num, 0, %hex, nil) = 0
 *   ipc@SYS(SHMDT, %hex) = 0
 *   ipc@SYS(SHMCTL, %num, IPC_RMID|IPC_64, nil) = 0
 *   getuid32@SYS() = %num
 *   getresuid32@SYS(%num, %num, %num) = 0
 *   clone@SYS(SIGCHLD, nil) = %num
 *   wait4@SYS(%num, {WIFEXITED, 3}, 0, nil) = %num
 *   waitid@SYS(P_ALL, 0, %hex, WNOHANG|WEXITED, nil) = -1 ECHILD (No child processes)
 *   syscall_9999@SYS(1, 2, 3, 4) = -1 ENOSYS %any
 *   close@SYS(-1) = -1 EBADF (Bad file descriptor)
 *   exit_group@SYS(5 <no return ...>
 *   +++ exited (status 5) +++
 *
 * Classes, failed calls, a path, and the file of a descriptor.
 *
 * RUN: xtrace -F %c/../../../etc -L -S'%net+%ipc' %t
 * COUNT: 4 socketcall@SYS(%any
 * COUNT: 4 ipc@SYS(%any
 * ABSENT:
 *   rt_sigaction@SYS(%any
 *   getuid32@SYS(%any
 *
 * RUN: xtrace -F %c/../../../etc -L -S'_llseek+fcntl64+close' -Z -y -b %t
 * EXPECT:
 *   close@SYS(-1) = -1 EBADF (Bad file descriptor)
 *   +++ exited (status 5) +++
 *
 * RUN: xtrace -F %c/../../../etc -L -S -P %d/file %t
 * CONTAINS:
 *   fstat64@SYS(3%any
 *   fcntl64@SYS(3, F_SETLK64%any
 * ABSENT:
 *   getuid32@SYS(%any
 *   socketcall@SYS(%any
 *
 * RUN: xtrace -F %c/../../../etc -L -S'ftruncate64+mmap2' -y %t
 * CONTAINS:
 *   ftruncate64@SYS(3<DIR/file>, 4294967301) = 0
 *   mmap2@SYS(nil, 4096, PROT_READ, MAP_PRIVATE, 3<DIR/file>, 0x100000) = %hex
 *
 * The calls are counted.
 *
 * RUN: xtrace -F %c/../../../etc -c -L -S'socketcall+ipc' %t
 * COUNT: 1 %any 4 socketcall@SYS
 * COUNT: 1 %any 4 ipc@SYS
 *
 * A name that only 64-bit programs have is told.
 *
 * RUN: xtrace -F %c/../../../etc -L -S'%ipc,newfstatat' %t
 * COUNT: 4 ipc@SYS(%any
 * SAYS:
 *   xtrace: -S: no system call of i386 is named 'newfstatat'
 *     %ipc,newfstatat
 *          ^
 *
 * A call is changed.
 *
 * RUN: xtrace -F %c/../../../etc -L --inject getuid32@SYS:retval=1234 %t 1234
 * UNTRACED: no
 * STATUS: 5
 * CONTAINS:
 *   getuid32@SYS() = 1234 (INJECTED)
 *   +++ exited (status 5) +++
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

/* A system call with up to six arguments, by int $0x80. */
static long
call(long number, long a, long b, long c, long d, long e, long f)
{
	long result, six[] = { a, f };

	__asm__ volatile("push %%ebx\n\tpush %%ebp\n\t"
			 "mov 4(%%ebx), %%ebp\n\tmov (%%ebx), %%ebx\n\t"
			 "int $0x80\n\t"
			 "pop %%ebp\n\tpop %%ebx"
			 : "=a"(result)
			 : "0"(number), "b"(six), "c"(b), "d"(c), "S"(d), "D"(e)
			 : "memory");
	return result;
}
#define CALL(name, ...) CALL_(SYS_##name, __VA_ARGS__, 0, 0, 0, 0, 0, 0)
#define CALL_(number, a, b, c, d, e, f, ...)                              \
	call(number, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), \
	     (long)(f))

static int fd, failed;

static void
expect(const char *what, long result, long expected)
{
	if (result == expected)
		return;
	printf("%s: %ld, not %ld\n", what, result, expected);
	failed = 1;
}

static void
files(void)
{
	struct {
		char bytes[96];
	} status;
	long old[6] = { 0, 8192, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0 };
	char text[4] = "";
	struct iovec piece = { text, 3 };
	long long where = 0, size;

	expect("ftruncate64", CALL(ftruncate64, fd, 5, 1), 0);
	expect("fstat64", CALL(fstat64, fd, &status), 0);
	memcpy(&size, status.bytes + 44, sizeof(size));
	expect("its size", size == 4294967301, 1);
	expect("pwrite64", CALL(pwrite64, fd, "end", 3, 0, 1), 3);
	expect("pread64", CALL(pread64, fd, text, 3, 0, 1), 3);
	expect("its bytes", strcmp(text, "end"), 0);
	expect("_llseek", CALL(_llseek, fd, 1, 2, &where, SEEK_SET), 0);
	expect("its place", where == 4294967298, 1);
	expect("mmap2", (unsigned long)CALL(mmap2, 0, 4096, PROT_READ,
		    MAP_PRIVATE, fd, 1 << 20) < -4095ul, 1);
	expect("mmap", (unsigned long)CALL(mmap, old) < -4095ul, 1);
	expect("preadv", CALL(preadv, fd, &piece, 1, 0, 1), 3);
	expect("sync", CALL(sync_file_range, fd, 1, 0, 2, 1, 2), 0);
	expect("fadvise", CALL(fadvise64_64, fd, 1, 1, 2, 0, 4), 0);
	expect("truncate64", CALL(truncate64, "file", 6, 0), 0);
	expect("stat64", CALL(stat64, "file", &status), 0);
}

static void
locks(void)
{
	struct __attribute__((packed)) {
		short type, whence;
		long long start, length;
		int pid;
	} wide = { F_WRLCK, SEEK_SET, 1ll << 32, 7, 0 };
	struct flock lock = { .l_type = F_RDLCK, .l_len = 5 };

	expect("F_SETLK64", CALL(fcntl64, fd, 13, &wide), 0);
	expect("F_GETLK", CALL(fcntl64, fd, 5, &lock), 0);
	expect("its type", lock.l_type, F_UNLCK);
}

static void
times(void)
{
	long long brief[2] = { 0, 1000 }, zero[2] = { 0, 0 };
	long long stamps[4] = { (1ll << 32) + 1, 5, 0, 0x3ffffffe };
	struct pollfd polled = { fd, POLLIN, 0 };
	struct timeval none = { 0, 0 };
	int word = 0;
	fd_set set;

	expect("sleep", CALL(clock_nanosleep_time64, 1, 0, brief), 0);
	expect("utimensat", CALL(utimensat_time64, AT_FDCWD, "file", stamps),
	       0);
	dup2(fd, 40);
	FD_ZERO(&set);
	FD_SET(fd, &set);
	FD_SET(40, &set);
	expect("select", CALL(_newselect, 41, &set, 0, 0, &none), 2);
	expect("pselect6", CALL(pselect6_time64, 41, &set, 0, 0, zero, 0), 2);
	expect("ppoll", CALL(ppoll_time64, &polled, 1, zero, 0, 8), 1);
	expect("futex", CALL(futex_time64, &word, FUTEX_WAIT, 1, brief), -11);
	close(40);
}

static void
signals(void)
{
	unsigned long old[4] = { 1, 1 << 1 | 1 << 14, 0x10000000, 0 };
	unsigned long action[5], set = 1 << 11, before;
	unsigned long long wide = 1 << 11;
	long long second[2] = { 1, 0 };
	char info[128], limit[16];

	expect("prlimit64", CALL(prlimit64, 0, 4, 0, limit), 0);
	expect("sigaction", CALL(sigaction, SIGUSR1, old, 0), 0);
	expect("rt_sigaction", CALL(rt_sigaction, SIGUSR1, 0, action, 8), 0);
	expect("its mask", action[3], 1 << 1 | 1 << 14);
	expect("sigprocmask", CALL(sigprocmask, SIG_BLOCK, &set, &before), 0);
	expect("tgkill", CALL(tgkill, getpid(), getpid(), SIGUSR2), 0);
	expect("wait", CALL(rt_sigtimedwait_time64, &wide, info, second, 8),
	       SIGUSR2);
}

static void
sockets(void)
{
	int ends[2] = { -1, -1 };
	long pair[] = { AF_UNIX, SOCK_STREAM, 0, (long)ends };
	char text[8];

	expect("socketpair", CALL(socketcall, 8, pair), 0);
	expect("its ends", ends[0] == 5 && ends[1] == 6, 1);
	{
		long to[] = { 5, (long)"hello", 5, MSG_NOSIGNAL };
		long from[] = { 6, (long)text, 8, 0 };
		long both[] = { 5, SHUT_RDWR };

		expect("send", CALL(socketcall, 9, to), 5);
		expect("recv", CALL(socketcall, 10, from), 5);
		expect("shutdown", CALL(socketcall, 13, both), 0);
	}
}

static void
memory(void)
{
	long id = CALL(ipc, 23, IPC_PRIVATE, 4096, 0600 | IPC_CREAT);
	long where = 0;

	expect("shmget", id >= 0, 1);
	expect("shmat", CALL(ipc, 21, id, 0, &where), 0);
	expect("shmdt", CALL(ipc, 22, 0, 0, 0, where), 0);
	expect("shmctl", CALL(ipc, 24, id, 0x100), 0);
}

static void
processes(long uid)
{
	int ids[3], status;
	long pid;

	expect("getuid32", CALL(getuid32, 0), uid);
	expect("getresuid32", CALL(getresuid32, ids, ids + 1, ids + 2), 0);
	pid = CALL(clone, SIGCHLD);
	if (pid == 0)
		CALL(exit_group, 3);
	expect("wait4", CALL(wait4, pid, &status), pid);
	expect("waitid", CALL(waitid, P_ALL, 0, ids, WNOHANG | WEXITED), -10);
	expect("9999", call(9999, 1, 2, 3, 4, 5, 6), -38);
	expect("close", CALL(close, -1), -9);
}

int
main(int argc, char **argv)
{
	fd = open("file", O_RDWR | O_CREAT | O_TRUNC | O_LARGEFILE, 0600);
	dup2(fd, 4);
	files();
	locks();
	times();
	signals();
	sockets();
	memory();
	processes(argc > 1 && atoi(argv[1]) == 1234 ? 1234 : (long)getuid());
	return failed ? 1 : 5;
}
