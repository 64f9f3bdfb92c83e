/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The IFUNCs of a static program, its own and those of the C library.
 *
 * VARIANT: static -static
 * VARIANT: static-pie -static-pie
 * FILE: p.conf: int f(int);
 * FILE: p.conf: ulong strlen(string);
 *
 * RUN: xtrace -F p.conf -e f+strlen@MAIN %t
 * CONTAINS:
 *   %anyf(1) = 101
 *   %anystrlen("a text") = 6
 *   +++ exited (status 0) +++
 */
#include "subject.h"

static NOINLINE int
chosen(int x)
{
	OPAQUE(x);
	return x + 100;
}

__attribute__((used)) static void *
choose(void)
{
	return (void *)chosen;
}

__attribute__((visibility("hidden"), ifunc("choose"))) int f(int x);

int
main(void)
{
	const char *text = "a text";

	OPAQUE(text);
	return f(1) != 101 || strlen(text) != 6;
}
