/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * System calls that tracing has interrupted, and that continue without the
 * program noticing.
 */
#ifndef PROCESS_RESTART_H
#define PROCESS_RESTART_H

#include "process/status.h"
#include "process/thread.h"

/*
 * True if thread tid, which blocks in this call, can be stopped: the kernel
 * restarts the call with its remaining time. For a read, /proc tells which file
 * is read. If the kernel uses restart_syscall(2), /proc tells whether there is
 * a seccomp policy, which would judge that call. True only for calls that were
 * tested: tests/cases/no-harm/blocked.
 */
bool restart_unseen(pid_t tid, const struct blocked *blocked);

/*
 * Called when the thread stops for a signal, before its delivery. If the
 * program ignores the signal, an untraced thread would not have noticed it, and
 * it interrupted the thread's system call only because of the tracer
 * (kernel/signal.c, sig_ignored). Then the call is restarted.
 */
void restart_if_ignored(struct table *table, struct thread *thread, int signal);

#endif
