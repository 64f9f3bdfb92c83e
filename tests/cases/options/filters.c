/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which calls are shown: --if, --min-time, --limit; and the long names of the
 * options that choose functions.
 *
 * FILE: p.conf: int f(int n, const char *what);
 *
 * RUN: xtrace -F p.conf --if 'n == 2 || what ~ /^us/' -x f %t
 * EXPECT:
 *   f(2, "orders") = -1
 *   f(3, "users") = 3
 *   +++ exited (status 0) +++
 *
 * RUN: xtrace -F p.conf --if 'arg2 ~ /o/ && retval < 0' -x f %t
 * EXPECT:
 *   f(2, "orders") = -1
 *   f(4, "outcomes") = -1
 *   +++ exited (status 0) +++
 *
 * RUN: xtrace -F p.conf --if 'duration > 1s' -T -x f -- %t slow
 * EXPECT:
 *   f(4, "outcomes") = -1 <%dur>
 *   +++ exited (status 0) +++
 *
 * RUN: xtrace -F p.conf --if 'what !~ /s/' -x f %t
 * EXPECT:
 *   f(1, "one") = 1
 *   +++ exited (status 0) +++
 *
 * RUN: xtrace -F p.conf --if 'arg7 > 2' -x f %t
 * EXPECT:
 *   +++ exited (status 0) +++
 *
 * RUN: xtrace -F p.conf --min-time 1s -x f -- %t slow
 * EXPECT:
 *   f(4, "outcomes") = -1
 *   +++ exited (status 0) +++
 *
 * RUN: xtrace -F p.conf --limit 2 -x f %t
 * STATUS: 0
 * EXPECT:
 *   f(1, "one") = 1
 *   f(2, "orders") = -1
 *
 * RUN: xtrace -F p.conf --no-library-calls --trace f@MAIN %t
 * COUNT: 4 f(%any) = %num
 *
 * RUN: xtrace --no-plt --trace=f --config=p.conf --follow %t
 * COUNT: 4 %id f(%any) = %num
 *
 * RUN: xtrace --imports usleep@MAIN %t
 * EXPECT:
 *   usleep(%any) = 0
 *   +++ exited (status 0) +++
 *
 * RUN: xtrace --library 'libc.so*' %t
 * CONTAINS:
 *   t->usleep(%any) = 0
 *   +++ exited (status 0) +++
 *
 * RUN: xtrace -F p.conf -x f -o %d/other %t
 * EXPECT:
 */
#include "subject.h"

#include <unistd.h>

static useconds_t fourth = 1000;

NOINLINE int
f(int n, const char *what)
{
	OPAQUE(what);
	if (n == 4)
		usleep(fourth);
	return n % 2 ? n : -1;
}

int
main(int argc, char **argv)
{
	(void)argv;
	/* f(4) sleeps longer than any other call, even on a busy machine */
	if (argc > 1)
		fourth = 2000000;
	f(1, "one");
	f(2, "orders");
	f(3, "users");
	f(4, "outcomes");
	return 0;
}
