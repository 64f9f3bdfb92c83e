/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A stop is what the kernel told us of one thread, decoded once from its wait
 * status (ptrace(2), "Stopped states"). It is the waist between the kernel and
 * us: nobody above looks at a status word.
 */
#ifndef PROCESS_STOP_H
#define PROCESS_STOP_H

#include <sys/types.h>

struct thread;

enum stop_kind {
	STOP_TRAP,    /* SIGTRAP about to be delivered: perhaps our int3 */
	STOP_STEP,    /* the end of a nudge: one instruction was run */
	STOP_SIGNAL,  /* another signal about to be delivered */
	STOP_GROUP,   /* SIGSTOP and its like took effect */
	STOP_SYSCALL, /* entry or exit of a system call */
	STOP_CLONE,   /* event->message: the new thread or process */
	STOP_FORK,
	STOP_VFORK,
	STOP_VFORK_DONE, /* the vfork child has exec'd or ended */
	STOP_EXEC,	 /* message: the tid that the thread had before */
	STOP_EXIT,	 /* about to exit, its memory still there */
	STOP_INTERRUPT,	 /* our PTRACE_INTERRUPT, or a newborn's first stop */
	STOP_GONE,	 /* exited or killed; signal or status says how */
	STOP_KINDS
};

struct stop {
	enum stop_kind kind;
	pid_t tid;
	struct thread *thread; /* NULL: one we have not met yet */
	int signal;	       /* SIGNAL, GROUP; GONE: the killer or 0 */
	int status;	       /* GONE: exit status */
	unsigned long message; /* PTRACE_GETEVENTMSG of an event */
};

const char *stop_kind_name(enum stop_kind kind);

#endif
