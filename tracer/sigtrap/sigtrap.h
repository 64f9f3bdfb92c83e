/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Both xtrace and the program use SIGTRAP. If the program blocks SIGTRAP,
 * ignores it or sets an action for it, one of our traps changes that. This room
 * notices the change and undoes it.
 */
#ifndef TRACER_SIGTRAP_SIGTRAP_H
#define TRACER_SIGTRAP_SIGTRAP_H

#include "base/attr.h"
#include "breakpoints/action.h"
#include "tracer/sigtrap/belief.h"
#include "tracer/sigtrap/virtual_mask.h"

#include <signal.h>

struct thread_record;
struct life;
struct hit;
struct process;
struct program;
struct session;
struct thread;

/* A call of sigaction(SIGTRAP, ...) that has not returned. */
struct action_call {
	addr_t sp, return_address; /* 0: no call */
	addr_t old; /* where the call stores the former action, or 0 */
	bool sets;
	bool seen;	  /* xtrace saw the entry, and so what the call sets */
	uint64_t handler; /* the handler, if seen */
	struct inside_action before;
};

/* What xtrace knows about SIGTRAP in a thread. */
struct sigtrap {
	struct action_call call;
	enum belief belief; /* does the thread block SIGTRAP? */
	/* For the program the thread blocks all signals. after_all: the belief
	 * that replaces this one when the thread is found with another mask. */
	bool blocks_all;
	enum belief after_all;
	/* The thread has asked for a mask and has hit no site since. */
	bool asking;
	/* the belief after the program's handler has returned */
	enum belief outside;
	bool outside_all;
	addr_t handler; /* the handler's frame is below this address, or 0 */
	/* the thread's process shares memory, but not signal actions */
	bool apart;
	/* the process has set another action than its parent */
	bool own;
	/* the thread blocked all other signals at its last SIGTRAP */
	bool all_before;
	/* a SIGTRAP waits for the return of the program's handler */
	bool resent;
	bool dies; /* our handler has the SIGTRAP of which the program dies */
	struct virtual_mask mask;
	unsigned losses; /* losses of our action that this thread knows of */
	/* the mark (struct standing) of the last hit at which xtrace did not
	 * check whether the thread has lost xtrace's action */
	unsigned unseen;
	struct pace pace;
};

/* What xtrace knows about SIGTRAP in a program. */
struct sigtrap_program {
	struct standing standing; /* observations of our action */
	bool unclaimed; /* an action may have been set unseen at attach */
	/* xtrace leaves, and the program's own action is set */
	bool disarmed;
	uint64_t masking; /* signals whose handlers block SIGTRAP */
};

/* The thread is at a trap. True if it did not block SIGTRAP before, as far as
 * xtrace knows: then the trap has changed nothing that must be undone first. */
bool sigtrap_is_open(const struct thread_record *record);

/* Called when the thread enters sigaction(), when it returns from a call of
 * sigaction(), and when it enters pthread_sigmask(). Each of these three
 * functions returns 0 or a negative errno. */
must_check int sigtrap_enter_action(struct hit *hit);
must_check int sigtrap_leave_action(struct hit *hit);
must_check int sigtrap_enter_mask(struct hit *hit);

/* The thread is behind an rt_sigaction(2) instruction, and has made the call
 * unless it jumped there. 0 or a negative errno. */
must_check int sigtrap_action_made(struct hit *hit);
/* The program's system call rt_sigaction(2) for SIGTRAP ends, and the kernel
 * has written the former action to the address `old`: replaces our action there
 * by the program's. 0 or a negative errno. */
must_check int sigtrap_action_told(struct program *program, addr_t old);

/* Plants a site at the return address of the thread's call of sigaction(). 0 or
 * -ESRCH. */
must_check int sigtrap_await_return(struct hit *hit, struct action_call *call);

/* The thread is within a call of sigaction() that began before the attach. The
 * hit describes the call as tracer/attach/in_flight reconstructed it; the last
 * argument is its return address. 0 or -ESRCH. */
must_check int sigtrap_in_flight(struct hit *hit, addr_t return_address);

/* The program may have set an action that no guard has seen. Notes that action
 * as the program's own and sets ours again, with a system call of the stopped
 * thread. 0 or a negative errno. */
must_check int sigtrap_claim(struct program *program, struct thread *thread);

/* A thread has hit a site, and its pc is already set. Undoes what the trap
 * changed. 0 or a negative errno. */
must_check int sigtrap_after_hit(struct hit *hit);

/*
 * xtrace leaves, and has undone a trap of the thread: undoes what the trap has
 * changed, too. Looks at the action each time.
 */
must_check int sigtrap_after_undo(struct program *program,
				  struct thread_record *record);

/* Reads from /proc which of the program's threads block SIGTRAP, because no
 * guard has told us yet. Threads that have trapped do not show their masks. The
 * thread `except` (may be NULL), which hosts the injected calls, does not
 * either. Also finds out whether any of them runs and so may be within
 * sigaction(). */
void sigtrap_read(struct program *program, const struct thread *except);
/* Reads the masks again after the guards are planted and before any other trap
 * is. A thread that was between a guard's address and its system call may have
 * made that call meanwhile. */
void sigtrap_read_again(struct program *program);
/* Reads the mask of one thread, as sigtrap_read() does. */
void sigtrap_read_mask(struct program *program, struct thread *thread);

/* The guards are planted, and no other trap is. Returns when no thread of the
 * process is inside a pthread_sigmask() that it entered before that, and the
 * mask of each is known. except: a thread that is known to be outside, or 0.
 * 0, or -ESRCH at an exec and at the end of the process. */
must_check int sigtrap_await_masks(struct session *session,
				   const struct process *process, pid_t except);

/* A SIGTRAP that was sent to the thread has stopped it right behind a site. Was
 * that signal blocked and pending until the site's trap? planted: the site
 * still has its trap. */
bool sigtrap_waited(const struct program *program, struct thread_record *record,
		    bool planted);

/* A SIGTRAP that was pending for the thread came in place of a trap. Sends it
 * again if the thread blocks SIGTRAP again; false if it does not. */
bool sigtrap_hold_again(struct program *program, struct thread *thread,
			const siginfo_t *info);

/* A SIGTRAP of the program's own has stopped the thread. True if the signal is
 * held until the program's handler, in which the thread is, has returned: the
 * caller resumes the thread without the signal. */
bool sigtrap_hold_nested(struct program *program, struct thread_record *record);

/* A SIGTRAP of the program's own has stopped the thread. True if the thread
 * blocks the signal, and only the kernel does not know that
 * (tracer/sigtrap/virtual_mask): the caller delivers it, and the kernel makes
 * it pending. If the thread dies of the signal although it blocks it, its
 * virtual mask ends. */
bool sigtrap_hold_virtual(struct thread_record *record);

/* A new task has its parent's mask; its program may be NULL. apart: the task
 * shares its process's memory, but has a copy of the signal actions. */
void sigtrap_born(struct program *program, const struct thread_record *parent,
		  struct thread_record *child, bool apart);

/* The stopped newborn has a copy of the actions. cleared: handlers were reset
 * to the default (CLONE_CLEAR_SIGHAND). Sets our action in the newborn, unless
 * xtrace would then note the parent's action as the newborn's. Its program may
 * be NULL. 0 or a negative errno. */
must_check int sigtrap_copied(struct program *program,
			      struct thread_record *child, bool cleared);
/* As sigtrap_copied(), for a newborn that xtrace does not trace: writes the
 * action that it should have into its copy of the memory. */
must_check int sigtrap_cleared(struct program *program);

/* Begins the state of SIGTRAP of a thread that is at its exec. ignored: the
 * thread ignored SIGTRAP before the exec, whatever the kernel says now. */
void sigtrap_begin(struct program *program, struct thread_record *record,
		   bool ignored);
bool sigtrap_ignored(const struct program *program,
		     const struct thread_record *record);

/* The thread's mask may have changed, because the thread was cloned, or because
 * a signal is delivered while its stack pointer is sp. */
void sigtrap_mask_changed(struct thread_record *record);
void sigtrap_delivered(const struct program *program,
		       struct thread_record *record, int signal, addr_t sp);

/* Does the program, as far as is known, do anything at a SIGTRAP except die? */
bool sigtrap_wanted(const struct program *program);

/* Sets our action again, or the program's own if ours must not be set, with a
 * system call of record's stopped thread. 0 or -errno. */
must_check int sigtrap_restore(struct program *program,
			       const struct thread_record *record);

/* The attach is complete, and all threads within sigaction() are known. Claims
 * the action (sigtrap_claim()) if a thread may have set one meanwhile. 0 or
 * -ESRCH. */
must_check int sigtrap_finish_attach(struct program *program,
				     struct process *process);

/* Resumes the stopped thread tid with a SIGTRAP of the program's own, so that
 * our action is set when the signal arrives. The thread may have ended
 * meanwhile. */
void sigtrap_deliver(struct session *session, pid_t tid);

/* Would the thread meet the default action now, although the program has set
 * another? */
bool sigtrap_lost(struct program *program, struct thread *thread);

/* The stopped thread sets the program's own action for SIGTRAP again. A thread
 * that is in our handler continues in it. 0 or a negative errno. */
must_check int sigtrap_disarm(struct program *program, struct thread *thread);

/* What the room does when threads begin and end: it makes and frees the state
 * of SIGTRAP. */
extern const struct life sigtrap_life;

/* The thread has stopped at a SIGTRAP of the program. True if our handler had
 * this SIGTRAP already, and has raised it once more with the default action, so
 * that the program dies of it. Call it once for each such stop. */
bool sigtrap_passed_on(struct program *program, struct thread_record *record);

#endif
