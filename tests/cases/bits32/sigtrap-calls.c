/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The action of SIGTRAP that a 32-bit program reads is its own, and the trace
 * says so, even if the program makes the system call rt_sigaction itself.
 *
 * NEEDS: /lib32/libc.so.6
 * CFLAGS: -m32
 *
 * RUN: xtrace -F %c/../../../etc -L -S'*siga*+*sigr*+tgkill' %t
 * CONTAINS:
 *   rt_sigaction@SYS(SIGTRAP, nil, {SIG_DFL, 0, 0}, 8) = 0
 *   rt_sigaction@SYS(SIGTRAP, {%{handler}, %any}, {SIG_DFL, 0, 0}, 8) = 0
 *   tgkill@SYS(%num, %num, SIGTRAP) = 0
 *   --- SIGTRAP (Trace/breakpoint trap) ---
 *   rt_sigaction@SYS(SIGTRAP, nil, {%{handler}, 0, 0}, 8) = 0
 *   rt_sigaction@SYS(SIGTRAP, nil, {%{handler}, 0, 0}, 8) = 0
 *   +++ exited (status 0) +++
 * ABSENT:
 *   sigaltstack@SYS(%any
 */
#define MASK unsigned long long
#include "../system-calls/sigtrap.c"
