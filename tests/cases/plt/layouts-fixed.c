/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The PLT stubs of programs at a fixed address (not PIE). There the address of
 * a function, if it is taken, is the address of the stub. So a call by pointer
 * goes through the stub and is shown like every other call that leaves the
 * program. This is also true if no stub can be recognized, for example with
 * retpolines.
 *
 * LIB: libmod.so -DMOD
 * LDFLAGS: -lmod
 * VARIANT: bfd-nopie-lazy -fno-pie -no-pie -Wl,-z,lazy
 * VARIANT: bfd-nopie-now -fno-pie -no-pie -Wl,-z,now
 * VARIANT: bfd-nopie-ibt -fno-pie -no-pie -fcf-protection=full -Wl,-z,ibtplt
 * VARIANT: gold-nopie -fuse-ld=gold -fno-pie -no-pie
 * VARIANT: lld-nopie -fuse-ld=lld -fno-pie -no-pie
 * VARIANT: mold-nopie -fuse-ld=mold -fno-pie -no-pie
 * VARIANT: lld-retpoline -fuse-ld=lld -Wl,-z,retpolineplt
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
 * RUN: xtrace -F p.conf %t
 * COUNT: 3 f(%num) = %num
 * COUNT: 3 kept(%num) = %num
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
#include "layouts.c"
