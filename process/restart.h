/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * System calls that tracing has cut short, and that go on without their program
 * knowing.
 */
#ifndef PROCESS_RESTART_H
#define PROCESS_RESTART_H

#include "process/status.h"
#include "process/thread.h"

/*
 * May the thread tid of pid that blocks in this call be stopped in it? Where
 * the kernel makes the call again by itself, with what is left of its time.
 * Asks /proc for the file where it is one that is read, and for a seccomp
 * policy where the kernel goes on by restart_syscall(2), which it would judge.
 * True only for what was seen to hold: tests/cases/no-harm/blocked.
 */
bool restart_unseen(pid_t tid, const struct blocked *blocked);

/*
 * The thread stops for a signal before it is delivered. One that its program
 * ignores has come, and has ended the call that the thread was in, only because
 * there is a tracer (kernel/signal.c, sig_ignored): the call is made again.
 */
void restart_if_ignored(struct table *table, struct thread *thread, int signal);

#endif
