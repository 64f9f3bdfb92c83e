/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * -P: only calls about a file, with its path or a descriptor that is open for
 * it, in system calls and in library calls.
 *
 * VARIANT: wide
 * VARIANT: narrow -m32
 * FILE: p.conf: int uses(int fd, int number); int other(int fd, int number);
 * FILE: one: 1
 * FILE: two: 2
 *
 * RUN: xtrace -F %c/../../../etc:p.conf -P one -S -x uses+other %t
 * EXPECT:
 *   openat@SYS(AT_FDCWD, "one", O_RDONLY) = %{fd}
 *   uses(%{fd}, 1 <unfinished ...>
 *   read@SYS(%{fd}, "1\n", 2) = 2
 *   <... uses resumed> ) = 2
 *   close@SYS(%{fd}) = 0
 *   +++ exited (status 0) +++
 *
 * RUN: xtrace -F %c/../../../etc:p.conf -P one -P two -L -Sclose %t
 * EXPECT:
 *   close@SYS(%num) = 0
 *   close@SYS(%num) = 0
 *   +++ exited (status 0) +++
 *
 * In a system call a path is whole, however long it is; other texts are cut.
 * ltrace cuts paths, too.
 *
 * RUN: xtrace -F %c/../../../etc:p.conf -LS %t long
 * CONTAINS:
 *   openat@SYS(AT_FDCWD, "/no/such/folder/whose/name/has/more/than/32/bytes", O_RDONLY) = -1 ENOENT %any
 *   rename@SYS("/no/such/folder/whose/name/has/more/than/32/bytes", "/no/such/folder/whose/name/has/more/than/32/bytes") = -1 ENOENT %any
 *   getcwd@SYS("%{folder}", 4096) = %num
 *   write@SYS(-1, "/no/such/folder/whose/name/has/m"..., 49) = -1 EBADF %any
 * ABSENT:
 *   getcwd@SYS(%any..., %any
 *
 * RUN: xtrace --style=ltrace -F %c/../../../etc:p.conf -LS %t long
 * CONTAINS:
 *   openat@SYS(AT_FDCWD, "/no/such/folder/whose/name/has/m"..., O_RDONLY) = -1
 *
 * RUN: xtrace --json -F %c/../../../etc:p.conf -LS %t long
 * CONTAINS:
 *   %any"value":"/no/such/folder/whose/name/has/more/than/32/bytes"%any
 *
 * fcntl() returns flags, or a number, which is a number for conditions.
 *
 * RUN: xtrace -F %c/../../../etc:p.conf -LS'fcntl*' --if 'retval > 1' %t long
 * EXPECT:
 *   %word@SYS(%num, F_GETFL) = O_RDONLY|O_LARGEFILE
 *   +++ exited (status 0) +++
 *
 * RUN: xtrace -P '' %t
 * STATUS: 2
 * SAYS:
 *   xtrace: -P: name a file
 */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

/* The kernel's, which it sets in each file that a 64-bit program opens. */
#define LARGE_FILE 0100000

__attribute__((noinline)) int uses(int fd, int number);
__attribute__((noinline)) int other(int fd, int number);

int
uses(int fd, int number)
{
	char text[2];

	return (int)read(fd, text, sizeof(text)) * number;
}

int
other(int fd, int number)
{
	return uses(fd, number) + 1;
}

static int
long_names(void)
{
	static const char name[] =
		"/no/such/folder/whose/name/has/more/than/32/bytes";
	char folder[4096];

	return open(name, O_RDONLY) + rename(name, name) + 2 +
	       (fcntl(0, F_GETFD) < 0) +
	       (fcntl(open("one", O_RDONLY | LARGE_FILE), F_GETFL) < 0) +
	       (getcwd(folder, sizeof(folder)) == NULL) +
	       (write(-1, name, sizeof(name) - 1) != -1);
}

static int
short_names(void)
{
	int one = open("one", O_RDONLY), two = open("two", O_RDONLY);
	int sum = uses(one, 1) + other(two, 1);

	return sum - 5 + close(one) + close(two);
}

int
main(int argc, char **argv)
{
	(void)argv;
	return argc > 1 ? long_names() : short_names();
}
