/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Structs of the C library that have another layout in 32-bit programs. There
 * stat() fails if the number of the inode has more than 32 bits, which files of
 * some file systems have. A pipe and a file without a name have small numbers.
 *
 * NEEDS: /lib32/libc.so.6
 * CFLAGS: -m32
 * FILE: file: 12345
 *
 * RUN: xtrace -b -F %c/../../../etc -x stat+fstat64+statfs64+setrlimit64+waitid+readdir64 %t
 * CONTAINS:
 *   stat("/proc/self/fd/%num", {%num, S_IFREG|%any, 0, %num, %num, 6, {1000000000, 5}}) = 0
 *   stat("/proc/self/fd/%num", {%num, S_IFIFO|%any, 1, %num, %num, 0, {%any}}) = 0
 *   fstat64(%num, {S_IFREG|%any, 1, %num, %num, 6, {1000000000, 5}, %num}) = 0
 *   statfs64("/proc", {PROC_SUPER_MAGIC, %num, %any}) = 0
 *   setrlimit64(RLIMIT_CORE, {5, RLIM_INFINITY}) = %any
 *   waitid(P_PID, %num, {SIGCHLD, CLD_EXITED, %num, %num, 3}, WEXITED) = 0
 *   readdir64(%hex) = {%num, DT_DIR, ".%any"}
 *   +++ exited (status 0) +++
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct timespec times[2] = { { 1, 2 }, { 1000000000, 5 } };

/* Looks at the file that has the descriptor. */
static struct stat
status_of(int fd)
{
	struct stat status;
	char path[32];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (utimensat(AT_FDCWD, path, times, 0) || stat(path, &status))
		exit(4);
	return status;
}

int
main(void)
{
	struct rlimit64 limit = { 5, RLIM64_INFINITY };
	struct statfs64 system;
	struct stat64 wide;
	struct stat status;
	siginfo_t info;
	int fd = open("file", O_RDONLY), ends[2];
	int nameless = memfd_create("nameless", 0);
	DIR *folder = opendir("/proc/self/fdinfo");
	pid_t pid;

	if (write(nameless, "12345\n", 6) != 6 || pipe(ends))
		return 5;
	status = status_of(nameless);
	if (status_of(ends[0]).st_nlink != 1)
		return 6;
	utimensat(AT_FDCWD, "file", times, 0);
	fstat64(fd, &wide);
	statfs64("/proc", &system);
	setrlimit64(RLIMIT_CORE, &limit);
	pid = fork();
	if (pid == 0)
		_exit(3);
	waitid(P_PID, (id_t)pid, &info, WEXITED);
	readdir64(folder);
	return status.st_size - wide.st_size + info.si_status - 3;
}
