/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The PLT stubs of 32-bit programs at a fixed address, which find the word of an
 * import by its address. A call by pointer goes through the stub, too.
 *
 * NEEDS: /lib32/libc.so.6
 * CFLAGS: -m32
 * LIB: libmod.so -m32 -DMOD
 * LDFLAGS: -lmod
 * VARIANT: bfd-lazy -Wl,-z,lazy -fno-pie -no-pie
 * VARIANT: bfd-now -Wl,-z,now -fno-pie -no-pie
 * VARIANT: bfd-ibt -fcf-protection=full -Wl,-z,ibtplt -fno-pie -no-pie
 * VARIANT: gold -fuse-ld=gold -fno-pie -no-pie
 * VARIANT: lld -fuse-ld=lld -fno-pie -no-pie
 * VARIANT: mold -fuse-ld=mold -fno-pie -no-pie
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
 *   kept(6) = 6
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
 *   %id kept(6) = 6
 *   %id +++ exited (status 0) +++
 */
#include "../plt/layouts.c"
