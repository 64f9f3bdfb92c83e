/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions of a 32-bit program that get arguments in registers, because the
 * programmer asked for it. In optimized code debug information tells which
 * registers. What it does not tell, as clang's of a part of two(), is unknown.
 *
 * NEEDS: /lib32/libc.so.6
 * CFLAGS: -m32 -g
 * VARIANT: gcc-o1 -O1
 * VARIANT: gcc-o2 -O2
 * VARIANT: clang CC=clang -O2
 *
 * RUN: xtrace -x three+two+fast+large+real+plain %t
 * EXPECT:
 *   three(1, "two", 3, 4) = 124
 *   two(%any, 6) = 1
 *   fast(7, 8, 9) = 47
 *   large(1, 2, 3, 4) = {[1, 2, 3, 4]}
 *   real(1.5, 2, 0.25) = 3.25
 *   plain(9, 4) = 5
 *   +++ exited (status 0) +++
 * ABSENT:
 *   two(4294967291, %any
 *   two(6, %any
 */
#include "support/conventions.h"
