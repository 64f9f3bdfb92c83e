/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A 32-bit program opens a library with dlopen: the loader's list has words of
 * four bytes.
 *
 * NEEDS: /lib32/libc.so.6
 * CFLAGS: -m32
 * LIB: libdep.so -m32 -DDEP
 * LIB: libmod.so -m32 -DMOD -ldep
 * FILE: p.conf: int f(int);
 * FILE: p.conf: int g(int);
 *
 * RUN: xtrace -F p.conf -x f+g %t
 * EXPECT:
 *   f(1) = 1
 *   g(2) = 20
 *   f(3) = 3
 *   g(4) = 40
 *   +++ exited (status 0) +++
 * SAYS:
 *   xtrace: %anyf%any
 *   xtrace: %anyg%any
 *
 * RUN: xtrace -F p.conf -l libdep.so %t
 * EXPECT:
 *   libdep.so->f(1) = 1
 *   libmod.so->f(3) = 3
 *   +++ exited (status 0) +++
 * SAYS:
 *   xtrace: -l libdep.so: not loaded yet; waiting for this library
 */
#include "../loader/dlopen.c"
