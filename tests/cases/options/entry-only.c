/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions whose return is not traced have a mark in place of the result. -i
 * prints the address that a function returns to even if no trap can be planted
 * there (the hlt behind __libc_start_main), and ? if there is no return
 * address.
 *
 * FILE: p.conf: int f(int); void _start(); void __libc_start_main(void);
 *
 * RUN: xtrace -i -F p.conf -x f+_start@MAIN+__libc_start_main %t
 * EXPECT:
 *   [?] _start() <entry only>
 *   [%hex] __libc_start_main() <entry only>
 *   [%hex] f(1) = 1
 *   +++ exited (status 0) +++
 *
 * --if applies to such a call, too; its result is not known. It has neither
 * failed nor succeeded.
 *
 * RUN: xtrace -F p.conf --if 'depth == 0 && retval == 1' -x f+_start@MAIN %t
 * EXPECT:
 *   f(1) = 1
 *   +++ exited (status 0) +++
 *
 * RUN: xtrace -F p.conf --if 'depth == 0' -x _start@MAIN+__libc_start_main %t
 * EXPECT:
 *   _start() <entry only>
 *   __libc_start_main() <entry only>
 *   +++ exited (status 0) +++
 *
 * RUN: xtrace -F p.conf -z -x f+_start@MAIN+__libc_start_main %t
 * EXPECT:
 *   f(1) = 1
 *   +++ exited (status 0) +++
 *
 * RUN: xtrace -F p.conf -Z -x f+_start@MAIN+__libc_start_main %t
 * EXPECT:
 *   +++ exited (status 0) +++
 */
#include "subject.h"

NOINLINE int
f(int x)
{
	OPAQUE(x);
	return x;
}

int
main(void)
{
	return f(1) - 1;
}
