/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * SIGTRAP is ours and the program's at once. Where the program blocks it,
 * ignores it or sets an action, a trap of ours would change that: here it is
 * noticed and put back.
 */
#ifndef TRACER_SIGTRAP_SIGTRAP_H
#define TRACER_SIGTRAP_SIGTRAP_H

#include "base/attr.h"
#include "breakpoints/action.h"
#include "tracer/sigtrap/belief.h"

#include <signal.h>

struct actor;
struct life;
struct hit;
struct process;
struct program;
struct session;
struct thread;

/* A call of sigaction(SIGTRAP, ...) that is under way. */
struct action_call {
	addr_t sp, return_address; /* 0: none */
	addr_t old; /* where it is told the former action, or 0 */
	bool sets;
	bool seen;	  /* its beginning, and so what it sets */
	uint64_t handler; /* which, then */
	struct inside_action before;
};

/* What the roof knows of SIGTRAP in a thread. */
struct sigtrap {
	struct action_call call;
	enum belief belief;  /* does it block it? */
	enum belief outside; /* ... when its handler has returned */
	addr_t handler;	     /* whose frame is below here, or 0 */
	bool apart;	     /* its process shares memory, but no actions */
	bool own;	     /* ... and has another one than its parent's */
	bool all_before;     /* it blocked all others when SIGTRAP came last */
	bool resent;	     /* a SIGTRAP waits for its handler's return */
	unsigned losses;     /* of the program's, that it knows of */
	unsigned unseen;     /* the mark of a hit that was not looked at */
	struct pace pace;
};

/* And in a program. */
struct sigtrap_program {
	struct standing standing; /* of our action */
	bool unclaimed;	  /* perhaps another was set unseen, while we came */
	bool disarmed;	  /* leaving: its own action stands */
	uint64_t masking; /* signals whose handlers are to block SIGTRAP */
};

/* The thread enters sigaction(), comes back from a call of it, enters
 * pthread_sigmask(). All answer 0 or a negative errno. */
must_check int sigtrap_enter_action(struct hit *hit);
must_check int sigtrap_leave_action(struct hit *hit);
must_check int sigtrap_enter_mask(struct hit *hit);

/* The thread is behind the place of an rt_sigaction(2), and has made it unless
 * it came there by a jump. 0 or a negative errno. */
must_check int sigtrap_action_made(struct hit *hit);

/* The thread's call of sigaction() is heard of when it returns. 0 or -ESRCH. */
must_check int sigtrap_await_return(struct hit *hit, struct action_call *call);

/* It is within a call of sigaction() that began before us, as put together by
 * tracer/in_flight, and this is where it returns to. 0 or -ESRCH. */
must_check int sigtrap_in_flight(struct hit *hit, addr_t return_address);

/* The program may have set an action that no guard has seen: it is its own,
 * and ours stands again, by the stopped thread. 0 or a negative errno. */
must_check int sigtrap_claim(struct program *program, struct thread *thread);

/* A thread has hit a site, and its pc is set already: what the trap changed is
 * put back. 0 or a negative errno. */
must_check int sigtrap_after_hit(struct hit *hit);

/* The same for a trap that is undone while we leave: it is looked each time. */
must_check int sigtrap_after_undo(struct program *program, struct actor *actor);

/* Who of the program's threads blocks SIGTRAP? No guard has told us yet. Those
 * that have trapped do not show it, nor does but (or NULL), which lends itself.
 * And does any of them run, which may be within sigaction()? */
void sigtrap_read(struct program *program, const struct thread *but);
/* Once more when the guards stand and before another trap does: who was between
 * a guard's place and its system call has made that since. */
void sigtrap_read_again(struct program *program);

/* A SIGTRAP that was sent to the thread has come right behind a site: did it
 * wait there, blocked, until the site's trap? planted: the site is still. */
bool sigtrap_waited(const struct program *program, struct actor *actor,
		    bool planted);

/* A SIGTRAP that was held for the thread, and came in the place of a trap, is
 * held for it again, where it blocks SIGTRAP again. False where it does not. */
bool sigtrap_hold_again(struct program *program, struct thread *thread,
			const siginfo_t *info);

/* A SIGTRAP of the program's own has stopped the thread. True where it is held
 * until the program's handler, in which the thread is, has returned: the thread
 * is to be resumed without it. */
bool sigtrap_hold_nested(struct program *program, struct actor *actor);

/* A task is born with its parent's mask; its program may be NULL. apart: and
 * with a copy of the actions of a process whose memory it shares. */
void sigtrap_born(struct program *program, const struct actor *parent,
		  struct actor *child, bool apart);

/* The stopped newborn has a copy of the actions, cleared: but for handlers
 * (CLONE_CLEAR_SIGHAND). Ours stands in it, unless its program's would be its
 * parent's then. As above; its program may be NULL. */
must_check int sigtrap_copied(struct program *program, struct actor *child,
			      bool cleared);
/* The same for one that goes without us: what it is to have is noted in its
 * copy of the memory. */
must_check int sigtrap_cleared(struct program *program);

/* The thread is no more. */
void sigtrap_gone(struct program *program, const struct actor *actor);

/* The thread stands at its exec; ignored: SIGTRAP was before it, whatever the
 * kernel says. */
void sigtrap_begin(struct program *program, struct actor *actor, bool ignored);
bool sigtrap_ignored(const struct program *program, const struct actor *actor);

/* Its mask may be another now: a thread was cloned; a signal is delivered while
 * its stack pointer is sp. */
void sigtrap_doubt(struct actor *actor);
void sigtrap_delivered(const struct program *program, struct actor *actor,
		       int signal, addr_t sp);

/* Does the program do anything at a SIGTRAP but to die of it, as far as is
 * known? */
bool sigtrap_wanted(const struct program *program);

/* Sets our action again, or where ours has gone the program's own, by the
 * stopped thread of actor. 0 or -errno. */
must_check int sigtrap_restore(struct program *program,
			       const struct actor *actor);

/* Attached, and all threads within sigaction() are known: where one may have
 * set an action meanwhile it is claimed. 0 or -ESRCH. */
must_check int sigtrap_settle(struct program *program, struct process *process);

/* Sends the stopped thread tid on with a SIGTRAP of the program's own, so that
 * it finds our action. It may be gone meanwhile. */
void sigtrap_deliver(struct session *session, pid_t tid);

/* Would it find the default action just now, where the program has another? */
bool sigtrap_lost(struct program *program, struct thread *thread);

/* The stopped thread gives the program its own action for SIGTRAP back. A
 * thread that is in our handler still runs on. 0 or a negative errno. */
must_check int sigtrap_disarm(struct program *program, struct thread *thread);

/* What is known of SIGTRAP lives as long as its thread. */
extern const struct life sigtrap_life;

/* Is pc in our handler? Then a SIGTRAP is one that it passes on. */
bool sigtrap_passed_on(const struct program *program, addr_t pc);

#endif
