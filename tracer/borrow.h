/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Attaching needs a thread of the program for a moment, to map room for slots
 * and the handler. One that runs is stopped for it; those that block in a
 * system call are never interrupted: where all of them do, the first to come
 * out of its call runs into an ambush.
 */
#ifndef TRACER_BORROW_H
#define TRACER_BORROW_H

#include "tracer/session.h"

/* The traps that wait in program->pending get their room and are planted, now
 * or when a thread lends itself. 0 or -ESRCH. */
must_check int borrow_and_plant(struct program *program,
				struct process *process);

/* The thread has trapped in an ambush. 0 or -ESRCH. */
must_check int borrow_ambushed(struct program *program, struct thread *thread);

/* Stops this thread, which runs: NULL where it ended or was stopped otherwise.
 * The caller mends it, for it may have entered a system call, and sends it on.
 */
struct thread *borrow_stop(struct session *session, pid_t tid);

/*
 * Stops a thread of the process that runs in its own code, where it can make
 * calls for us. NULL where all block. The caller sends it on.
 */
struct thread *borrow_running(struct session *session, struct process *process);

/* The same, or one that blocks in a call which goes on unseen; NULL also where
 * the process has execed meanwhile. To be given back
 * with the registers that it had when it was borrowed. */
struct thread *borrow_lender(struct session *session, struct process *process);
void borrow_give_back(struct session *session, pid_t tid,
		      const struct regs *found);

#endif
