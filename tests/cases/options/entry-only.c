/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions whose return is not traced have a mark in place of the result. -i
 * prints the address that a function returns to also if no trap can be planted
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
