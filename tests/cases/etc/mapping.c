/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The result of a failed mmap() is not shown as an address: it has a name, in
 * lines and in conditions.
 *
 * CFLAGS: -O0
 *
 * RUN: xtrace -F %c/../../../etc -e mmap %t
 * EXPECT:
 *   t->mmap(nil, 0, PROT_READ, MAP_PRIVATE, -1, 0) = MAP_FAILED EBADF (Bad file descriptor)
 *   t->mmap(nil, 4096, PROT_NONE, MAP_PRIVATE|MAP_ANONYMOUS, -1, 0) = %hex
 *   +++ exited (status 0) +++
 *
 * RUN: xtrace -F %c/../../../etc -e mmap --if 'retval == MAP_FAILED' %t
 * EXPECT:
 *   t->mmap(nil, 0, PROT_READ, MAP_PRIVATE, -1, 0) = MAP_FAILED EBADF (Bad file descriptor)
 *   +++ exited (status 0) +++
 */
#include <stddef.h>
#include <sys/mman.h>

int
main(void)
{
	void *none = mmap(NULL, 0, PROT_READ, MAP_PRIVATE, -1, 0);
	void *some = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS,
			  -1, 0);

	return none != MAP_FAILED || some == MAP_FAILED;
}
