/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * SigBlk in /proc shows the mask that a thread has now. It is not always the
 * mask with which the thread makes its next call.
 */
#ifndef TRACER_SIGTRAP_SHOWN_MASK_H
#define TRACER_SIGTRAP_SHOWN_MASK_H

struct program;
struct status;
struct thread;

enum shown_mask {
	SHOWN_OPEN,    /* SIGTRAP is not blocked, or all signals are blocked */
	SHOWN_BLOCKED, /* SIGTRAP is blocked */
	/* SIGTRAP is blocked, perhaps only while the program's SIGTRAP handler
	 * runs, or while a system call waits that has a mask of its own. */
	SHOWN_PERHAPS,
};

/* status: what /proc has shown of the thread. The thread has not trapped since.
 */
enum shown_mask shown_mask(const struct program *program,
			   const struct thread *thread,
			   const struct status *status);

#endif
