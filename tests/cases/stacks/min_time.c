/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * With --stack-min-time the stack is read when a call returns, and only if the
 * call took that long. The caller's frames still exist then.
 *
 * Calls within a call that turns out to be slow are shown below it.
 *
 * FILE: p.conf: int slow(int); int quick(int);
 *
 * RUN: xtrace -F p.conf -w 2 --stack-min-time 10ms -x slow %t
 * CONTAINS:
 *   slow(20000) = 0
 *       outer+%hex@t
 *       main+%hex@t
 *   +++ exited (status 0) +++
 *
 * RUN: xtrace -F p.conf -w 2 --stack-min-time 24h -x quick -x slow %t
 * EXPECT:
 *   slow(20000 <unfinished ...>
 *   quick(20000) = 1
 *   <... slow resumed> ) = 0
 *   +++ exited (status 0) +++
 *
 * RUN: xtrace -F p.conf -w 2 --stack-min-time 1us --wall -x quick -x slow %t
 * EXPECT:
 *   slow(20000 <unfinished ...>
 *   quick(20000) = 1
 *       slow+%hex@t
 *       outer+%hex@t
 *   <... slow resumed> ) = 0
 *       outer+%hex@t
 *       main+%hex@t
 *   +++ exited (status 0) +++
 *
 * In folded stacks, too, calls within a slow call are below it.
 *
 * RUN: xtrace -F p.conf -w 2 --stack-min-time 10ms --folded --weight calls -x quick -x slow %t
 * EXPECT:
 *   t %id;thread %id;main@t%any;outer@t%any;slow 1
 *   t %id;thread %id;main@t%any;outer@t%any;slow;quick 1
 *
 * RUN: xtrace -F p.conf -w 2 --stack-min-time 24h --folded --weight calls -x quick -x slow %t
 * EXPECT:
 *   t %id;thread %id;slow 1
 *   t %id;thread %id;slow;quick 1
 */
#include <subject.h>

NOINLINE int
quick(int n)
{
	OPAQUE(n);
	return n != 0;
}

NOINLINE int
slow(int n)
{
	int r = quick(n);

	OPAQUE(r);
	usleep((unsigned)n);
	return r - 1;
}

NOINLINE int
outer(int n)
{
	int r = slow(n);

	OPAQUE(r);
	return r + 1;
}

int
main(void)
{
	return outer(20000) != 1;
}
