/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A thread that blocks SIGTRAP and hits a trap needs xtrace: the kernel resets
 * the program's action, and if xtrace is killed before it has set its own
 * again, the program dies. The threads of many pools block all signals as long
 * as they live. Such a thread gets a virtual mask: for the program it blocks
 * all signals, in the kernel it blocks all except SIGTRAP, so that our handler
 * takes its traps if xtrace is killed.
 *
 * pthread_sigmask() tells the thread the mask that it has set, and a SIGTRAP
 * that is sent to it stays pending. Only /proc tells the difference. xtrace
 * gives the thread its mask back at an exec, before a signal's frame is
 * written, and when it leaves.
 */
#ifndef TRACER_SIGTRAP_VIRTUAL_MASK_H
#define TRACER_SIGTRAP_VIRTUAL_MASK_H

#include "base/attr.h"

#include <stdbool.h>
#include <stdint.h>

struct hit;
struct process;
struct program;
struct session;
struct thread;
struct thread_record;

struct virtual_mask {
	bool on;
	/* the thread gets a virtual mask at once, because it had one before or
	 * blocked all signals at the attach */
	bool again;
	/* at how many traps in a row the thread blocked all signals */
	unsigned blocked;
	uint64_t real; /* the mask in the kernel, if on */
	/* The thread was cloned, or has cloned, with all signals blocked.
	 * stops: how many stops at system calls may still come before the
	 * thread sets its mask. */
	unsigned stops;
	bool setting; /* the thread is in the system call that sets its mask */
	/* The thread is in posix_spawn(), or is the child of such a call. */
	bool spawns;
};

/* A trap has made the kernel remove SIGTRAP from the mask of the stopped
 * thread. If the thread blocks all signals for a long time, gives it the
 * virtual mask and returns true. If false is returned, the caller must block
 * SIGTRAP again. */
bool virtual_mask_keep(struct program *program, struct thread_record *record,
		       uint64_t mask);

/* True if the thread, whose mask in the kernel is `blocked`, has a virtual
 * mask. */
bool virtual_mask_holds(const struct virtual_mask *mask, uint64_t blocked);
/* Notes that the thread runs with this mask in the kernel. If it is not the
 * mask that xtrace has set, the thread has set it unseen, and the virtual mask
 * has ended. */
void virtual_mask_found(struct virtual_mask *mask, uint64_t blocked);

/* Gives the stopped thread the mask that it believes to have. True if the mask
 * was virtual. */
bool virtual_mask_end(struct thread_record *record);

/* True if the thread has a virtual mask and may be stopped now to get its own
 * mask: it runs, or blocks in a call that continues unnoticed. */
bool virtual_mask_may_end(const struct thread_record *record);

/* The thread enters pthread_sigmask(). If it has a virtual mask, or gets one by
 * this call, xtrace sets the mask, and the call of the program changes nothing.
 * 0 or -ESRCH. */
must_check int virtual_mask_asked(struct hit *hit);

/*
 * The thread enters posix_spawn(), which blocks all signals until its child has
 * execed. The mask becomes virtual as soon as the C library has set it, so the
 * child is born with it, and neither is ever without our handler. Both set
 * another mask by themselves: the child before its exec, the parent after it.
 * 0 or -ESRCH.
 */
must_check int virtual_mask_spawns(struct hit *hit);
/* The stopped thread's vfork child has execed or ended. The virtual mask ends:
 * the thread blocks all signals itself until posix_spawn() sets the mask from
 * before. */
void virtual_mask_spawned(struct thread_record *record);

/* Notes that the newborn has its parent's mask. program: the program of a new
 * thread; NULL for a new process. */
void virtual_mask_born(const struct program *program,
		       struct thread_record *parent,
		       struct thread_record *child);

/* The stopped newborn shares memory, but not signal actions. It does little
 * before its exec, but it may hit several traps in a row. So if it blocks all
 * signals, its mask becomes virtual now. program may be NULL. */
void virtual_mask_vforked(const struct program *program,
			  struct thread_record *child);

/* Resumes the stopped thread. A thread that is about to set the mask with which
 * it will run stops at its next system call. */
void virtual_mask_resume(struct session *session, struct thread *thread);
/* The thread has stopped at a system call. True if only virtual_mask_resume()
 * has asked for this stop; then the thread is resumed. */
bool virtual_mask_stopped(struct session *session, struct thread *thread);

/* Before the traps are planted at an attach: gives virtual masks to the threads
 * that block all signals and can be stopped unnoticed. */
void virtual_mask_attach(struct session *session, struct process *process);

#endif
