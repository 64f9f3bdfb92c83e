/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A file with compressed debug information: frames have their lines.
 *
 * CFLAGS: -g -gz=zlib
 * FILE: p.conf: int inner(int);
 *
 * RUN: xtrace -F p.conf -w 1 -x inner %t
 * CONTAINS:
 *   inner(1) = 2
 *       %any/native_compressed.c:%num in main@t
 *   +++ exited (status 0) +++
 */
int inner(int n);

__attribute__((noinline)) int
inner(int n)
{
	__asm__("");
	return n + 1;
}

int
main(void)
{
	return inner(1) != 2;
}
