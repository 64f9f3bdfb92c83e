/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A stop is what the kernel told us of one thread, decoded once from its wait
 * status (ptrace(2), "Stopped states"). It is the waist between the kernel and
 * us: the higher rooms never see a wait status.
 */
#ifndef PROCESS_STOP_H
#define PROCESS_STOP_H

#include <sys/types.h>

struct thread;

enum stop_kind {
	STOP_TRAP,    /* SIGTRAP about to be delivered: perhaps from our trap */
	STOP_STEP,    /* the end of a nudge: one instruction was executed */
	STOP_SIGNAL,  /* another signal about to be delivered */
	STOP_GROUP,   /* SIGSTOP or a similar signal took effect */
	STOP_SYSCALL, /* entry or exit of a system call */
	STOP_CLONE, /* clone(2): event->message is the new thread or process */
	STOP_FORK,
	STOP_VFORK,
	STOP_VFORK_DONE, /* the vfork child has called exec or ended */
	/* execve(2): message is the tid that the thread had before */
	STOP_EXEC,
	STOP_EXIT, /* the thread is about to exit; its memory still exists */
	/* our PTRACE_INTERRUPT, or the first stop of a new thread */
	STOP_INTERRUPT,
	/* the thread has exited or was killed, see signal and status */
	STOP_GONE,
	STOP_KINDS
};

struct stop {
	enum stop_kind kind;
	pid_t tid;
	struct thread *thread; /* NULL: a thread that we do not know yet */
	/* STOP_SIGNAL, STOP_GROUP: the signal. STOP_GONE: the signal that
	 * killed the thread, or 0. */
	int signal;
	int status;	       /* STOP_GONE: the exit status */
	unsigned long message; /* PTRACE_GETEVENTMSG of an event */
};

const char *stop_kind_name(enum stop_kind kind);

#endif
