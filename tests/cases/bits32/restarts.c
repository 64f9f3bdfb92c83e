/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * System calls of a 32-bit program that signals interrupt, and the action of
 * SIGTRAP, with i386's calls: a handler without SA_SIGINFO ends with sigreturn,
 * and the vdso has the restorer. Neither xtrace's handler nor its calls are
 * shown.
 *
 * NEEDS: /lib32/libc.so.6
 * CFLAGS: -m32
 *
 * RUN: xtrace -F %c/../../../etc -L -S 'read+pause+*sigr*+clock_nano*' -b %t
 * CONTAINS:
 *   read@SYS(3, %hex, 1) = ? ERESTARTSYS (restarts if SA_RESTART is set)
 *   sigreturn@SYS() = 3
 *   read@SYS(3, "x", 1) = 1
 *   read@SYS(3, %hex, 1) = ? ERESTARTSYS (restarts if SA_RESTART is set)
 *   sigreturn@SYS() = -1 EINTR (Interrupted system call)
 *   pause@SYS() = ? ERESTARTNOHAND (restarts if no handler runs)
 *   sigreturn@SYS() = -1 EINTR (Interrupted system call)
 *   clock_nanosleep%any = ? ERESTART_RESTARTBLOCK %any
 *   sigreturn@SYS() = -1 EINTR (Interrupted system call)
 *   +++ exited (status 0) +++
 */
#include "../system-calls/restarts.c"
