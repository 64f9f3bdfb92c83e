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
 * FILE: p.conf: typedef one_t = struct(int a);
 * FILE: p.conf: typedef pair_t = struct(int a, int b);
 * FILE: p.conf: typedef real_t = struct(float x);
 * FILE: p.conf: typedef nested_t = struct(array(real_t, 1) of);
 * FILE: p.conf: typedef wide_t = struct(double x);
 * FILE: p.conf: int fast_one(one_t x, int a, int b)
 * FILE: p.conf: 	__attribute__((fastcall));
 * FILE: p.conf: int fast_pair(pair_t x, int a) __attribute__((fastcall));
 * FILE: p.conf: int fast_real(real_t x, wide_t y, int a, int b)
 * FILE: p.conf: 	__attribute__((fastcall));
 * FILE: p.conf: int some_real(real_t x, nested_t y, wide_t z, int a)
 * FILE: p.conf: 	__attribute__((regparm(3)));
 * FILE: p.conf: int some_pair(one_t x, pair_t y, int a)
 * FILE: p.conf: 	__attribute__((regparm(3)));
 * FILE: p.conf: int plain(int a, int b);
 *
 * RUN: xtrace -F p.conf -x three+two+fast*+large+real+some*+plain %t
 * EXPECT:
 *   three(1, "two", 3, 4) = 124
 *   two(-5, 6) = 1
 *   fast(7, 8, 9) = 47
 *   large(1, 2, 3, 4) = {1, 2, 3, 4}
 *   real(1.5, 2, 0.25) = 3.25
 *   fast_one({7}, 5, 6) = 37
 *   fast_pair({2, 3}, 5) = 17
 *   fast_real({1.5}, {4}, 5, 6) = 36
 *   some_real({1.5}, {[{2}]}, {4}, 5) = 17
 *   some_pair({7}, {2, 3}, 5) = 18
 *   plain(9, 4) = 5
 *   +++ exited (status 0) +++
 */
#include "support/conventions.h"
