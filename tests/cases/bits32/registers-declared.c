/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions of a 32-bit program that get arguments in registers, without debug
 * information: the attributes in the prototype file tell. clang's debug
 * information tells fastcall, also in code that is not optimized.
 *
 * NEEDS: /lib32/libc.so.6
 * CFLAGS: -m32 -O0
 * VARIANT: gcc
 * VARIANT: clang CC=clang
 * FILE: p.conf: int __attribute__((regparm(3))) three(int a, const char *b,
 * FILE: p.conf: 	short c, int d);
 * FILE: p.conf: int two(long long a, int b) __attribute__((regparm(2)));
 * FILE: p.conf: __attribute__((fastcall)) int fast(int a, unsigned char b,
 * FILE: p.conf: 	int c);
 * FILE: p.conf: typedef large_t = struct(int a, int b, int c, int d);
 * FILE: p.conf: large_t large(int a, int b, int c, int d)
 * FILE: p.conf: 	__attribute__((regparm(3)));
 * FILE: p.conf: double real(double x, int n, float y)
 * FILE: p.conf: 	__attribute__((__regparm__(3)));
 * FILE: p.conf: int plain(int a, int b);
 *
 * RUN: xtrace -F p.conf -x three+two+fast+large+real+plain %t
 * EXPECT:
 *   three(1, "two", 3, 4) = 124
 *   two(-5, 6) = 1
 *   fast(7, 8, 9) = 47
 *   large(1, 2, 3, 4) = {1, 2, 3, 4}
 *   real(1.5, 2, 0.25) = 3.25
 *   plain(9, 4) = 5
 *   +++ exited (status 0) +++
 */
#include "support/conventions.h"
