/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The PLT stubs of position-independent 32-bit programs, which find the word of
 * an import by a register. mold is not among the linkers: its stubs expect the
 * address of .got in that register, and nothing in the file tells this.
 *
 * NEEDS: /lib32/libc.so.6
 * CFLAGS: -m32
 * LIB: libmod.so -m32 -DMOD
 * LDFLAGS: -lmod
 * VARIANT: bfd-lazy -Wl,-z,lazy
 * VARIANT: bfd-now -Wl,-z,now
 * VARIANT: bfd-ibt -fcf-protection=full -Wl,-z,ibtplt
 * VARIANT: gold -fuse-ld=gold
 * VARIANT: lld -fuse-ld=lld
 * FILE: p.conf: int f(int);
 * FILE: p.conf: int kept(int);
 *
 * RUN: xtrace -F p.conf -e f@MAIN+kept@MAIN %t
 * EXPECT:
 *   f(1) = 1
 *   f(2) = 2
 *   kept(3) = 3
 *   kept(4) = 4
 *   f(5) = 5
 *   +++ exited (status 0) +++
 *
 * RUN: xtrace -F p.conf -x f+kept %t
 * EXPECT:
 *   f(1) = 1
 *   f(2) = 2
 *   kept(3) = 3
 *   kept(4) = 4
 *   f(5) = 5
 *   kept(6) = 6
 *   +++ exited (status 0) +++
 *
 * RUN: xtrace -F p.conf -e f@MAIN+kept@MAIN -p %p
 * ATTACH:
 * EXPECT:
 *   %id f(1) = 1
 *   %id f(2) = 2
 *   %id kept(3) = 3
 *   %id kept(4) = 4
 *   %id f(5) = 5
 *   %id +++ exited (status 0) +++
 */
#include "../plt/layouts.c"
