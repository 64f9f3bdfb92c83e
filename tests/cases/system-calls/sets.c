/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sets of descriptors and of CPUs: as they are at the entry, even if they are
 * longer than what is read at once, and with as many elements as another
 * argument or the result says. In a function of the C library as in the system
 * call.
 *
 * RUN: xtrace -F %c/../../../etc -L -Sselect,pselect6,sched_* %t
 * EXPECT:
 *   pselect6@SYS(12, <10>, <11>, nil, {0, 0}, nil) = 2
 *   select@SYS(201, <10,200> -> <10>, nil, nil, {0, 0}) = 1
 *   pselect6@SYS(12, <10>, <11>, nil, {0, 0}, nil) = 2
 *   sched_setaffinity@SYS(0, 16, <>) = -1 EINVAL (Invalid argument)
 *   sched_setaffinity@SYS(0, 1024, <8184>) = -1 EINVAL (Invalid argument)
 *   sched_setaffinity@SYS(0, 1024, <%{cpu}>) = 0
 *   sched_getaffinity@SYS(0, 1024, <%{cpu}>) = %num
 *   +++ exited (status 0) +++
 *
 * RUN: xtrace -F %c/../../../etc -xselect %t
 * EXPECT:
 *   select(12, <10>, <11>, nil, {0, 0}) = 2
 *   +++ exited (status 0) +++
 */
#define _GNU_SOURCE
#include <sched.h>
#include <stddef.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <unistd.h>

int
main(void)
{
	struct timeval none = { 0, 0 };
	struct timespec zero = { 0, 0 };
	unsigned char cpus[1024] = { 0 };
	fd_set input, output;
	int ends[2], cpu = sched_getcpu();

	if (pipe(ends) < 0 || write(ends[1], "", 1) != 1 ||
	    dup2(ends[0], 10) < 0 || dup2(ends[1], 11) < 0 ||
	    dup2(ends[1], 200) < 0)
		return 1;
	FD_ZERO(&input);
	FD_ZERO(&output);
	FD_SET(10, &input);
	FD_SET(11, &output);
	if (select(12, &input, &output, NULL, &none) != 2)
		return 2;
	FD_SET(200, &input);
	syscall(SYS_select, 201, &input, NULL, NULL, &none);
	syscall(SYS_pselect6, 12, &input, &output, NULL, &zero, NULL);
	syscall(SYS_sched_setaffinity, 0, 16, cpus);
	cpus[1023] = 1;
	syscall(SYS_sched_setaffinity, 0, 1024, cpus);
	cpus[1023] = 0;
	if (cpu < 0)
		return 3;
	cpus[cpu / 8] = (unsigned char)(1 << cpu % 8);
	syscall(SYS_sched_setaffinity, 0, 1024, cpus);
	return syscall(SYS_sched_getaffinity, 0, 1024, cpus) <= 0;
}
