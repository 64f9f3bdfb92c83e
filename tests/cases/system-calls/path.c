/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * -P: only calls about a file, with its path or a descriptor that is open for
 * it, in system calls and in library calls.
 *
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
 * RUN: xtrace -P '' %t
 * STATUS: 2
 * SAYS:
 *   xtrace: -P: name a file
 */
#include <fcntl.h>
#include <unistd.h>

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

int
main(void)
{
	int one = open("one", O_RDONLY), two = open("two", O_RDONLY);
	int sum = uses(one, 1) + other(two, 1);

	return sum - 5 + close(one) + close(two);
}
