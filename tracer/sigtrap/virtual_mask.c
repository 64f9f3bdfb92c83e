/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The signals other than SIGTRAP tell whether a thread still has the virtual
 * mask that xtrace has given it. If the thread sets another mask unseen
 * (sigreturn(2), a system call of its own), the mask in the kernel differs from
 * the noted mask, and is the mask that the thread asked for. If a thread blocks
 * all signals except SIGTRAP that way, xtrace cannot distinguish its mask from
 * a virtual mask.
 *
 * The C library blocks all signals for moments, and programs do for a short
 * task. So a thread that was not seen with a virtual mask before gets one when
 * it has blocked all signals at some traps in a row.
 */
#include "tracer/sigtrap/virtual_mask.h"

#include "base/log.h"
#include "process/regs.h"
#include "process/resume.h"
#include "process/siginfo.h"
#include "process/status.h"
#include "process/restart.h"
#include "process/system_call.h"
#include "process/woken.h"
#include "tracer/remote_calls/inject.h"
#include "tracer/report/report.h"
#include "tracer/sigtrap/sigtrap_parts.h"

#include <errno.h>
#include <signal.h>
#include <sys/syscall.h>

/* After more traps in a row than this, in which SIGTRAP was blocked, the mask
 * becomes virtual. */
#define TRAPS_ENOUGH 3

/* pthread_sigmask() never blocks these signals; the C library does, around a
 * clone (glibc, internal-signals.h). */
#define OF_LIBRARY (SIGNAL_BIT(32) | SIGNAL_BIT(33))

static int
begin(struct thread_record *record, uint64_t mask, enum belief after)
{
	struct virtual_mask *own = &record->sigtrap->mask;
	int r = thread_set_signal_mask(record->thread, mask & ~TRAP_BIT);

	if (r < 0)
		return r;
	own->on = true;
	/* posix_spawn() blocks these signals, too. A call of it that fails may
	 * return without having blocked any. */
	own->spawns = own->spawns && mask & OF_LIBRARY;
	own->again = own->again || !own->spawns;
	own->real = mask & ~TRAP_BIT;
	sigtrap_begin_all(record->sigtrap, after);
	return 0;
}

static bool
blocks_all(uint64_t mask)
{
	return mask & TRAP_BIT && sigtrap_blocks_the_rest(mask);
}

/* Does the program catch SIGTRAP? Then a thread may be in the program's SIGTRAP
 * handler and have the mask of that handler, which xtrace does not know. */
static bool
catches(const struct program *program)
{
	const struct survive *survive = &program->sites.survive;
	uint64_t handler = survive->header.program.handler;

	return survive->code && handler != (uint64_t)(uintptr_t)SIG_DFL &&
	       handler != (uint64_t)(uintptr_t)SIG_IGN;
}

static bool
may_begin(const struct program *program, const struct sigtrap *sigtrap)
{
	return program->sites.survive.code && !program->session->leaving &&
	       !sigtrap->handler && !sigtrap->own && !catches(program);
}

bool
virtual_mask_keep(struct program *program, struct thread_record *record,
		  uint64_t mask)
{
	struct virtual_mask *own = &record->sigtrap->mask;

	if (!sigtrap_blocks_the_rest(mask) ||
	    !may_begin(program, record->sigtrap)) {
		own->blocked = 0;
		return false;
	}
	own->blocked++;
	return (own->again || own->blocked > TRAPS_ENOUGH) &&
	       begin(record, mask, record->sigtrap->belief) == 0;
}

static bool
differs(const struct virtual_mask *mask, uint64_t blocked)
{
	return (blocked ^ mask->real) & ~(OF_LIBRARY | TRAP_BIT);
}

bool
virtual_mask_holds(const struct virtual_mask *mask, uint64_t blocked)
{
	return mask->on && !(blocked & TRAP_BIT) && !differs(mask, blocked);
}

/* A mask that blocks SIGTRAP, too, lasts for a moment only: the C library
 * blocks all signals, and then sets the virtual mask again. */
void
virtual_mask_found(struct virtual_mask *mask, uint64_t blocked)
{
	if (mask->on && differs(mask, blocked))
		mask->on = mask->spawns = false;
}

bool
virtual_mask_end(struct thread_record *record)
{
	struct virtual_mask *own = &record->sigtrap->mask;
	uint64_t mask;
	bool held;

	/* A nudged thread has its mask back at its next stop. */
	if (!(own->on || record->sigtrap->blocks_all) ||
	    record->thread->nudged ||
	    thread_signal_mask(record->thread, &mask) < 0)
		return false;
	sigtrap_found_mask(record->sigtrap, mask);
	/* A child of posix_spawn() sets a mask of its own before its exec. */
	held = virtual_mask_holds(own, mask) &&
	       !(own->spawns && record->sigtrap->apart);
	own->on = own->spawns = false;
	return held &&
	       thread_set_signal_mask(record->thread, mask | TRAP_BIT) == 0;
}

/* sigwaitinfo(2). An interrupt ends it with EINTR, which
 * thread_mend_interrupted() turns into a restart. The thread blocks all
 * signals, so no signal that comes meanwhile is lost or handled. */
static bool
waits_for_signal(const struct blocked *blocked)
{
	return blocked->number == SYS_rt_sigtimedwait && !blocked->arguments[2];
}

static bool
can_be_stopped(const struct thread *thread, const struct blocked *blocked)
{
	return blocked->running || waits_for_signal(blocked) ||
	       restart_unseen(thread->tid, blocked);
}

bool
virtual_mask_may_end(const struct thread_record *record)
{
	const struct thread *thread = record->thread;
	struct blocked blocked;

	return record->sigtrap->mask.on && thread->state == THREAD_RUNNING &&
	       status_blocked(thread->process->space->arch,
			      thread->process->pid, thread->tid,
			      &blocked) == 0 &&
	       can_be_stopped(thread, &blocked);
}

/* ---- pthread_sigmask() -----------------------------------------------------
 */

/* Computes the mask that a call of pthread_sigmask() sets. False if the C
 * library refuses the call. */
static bool
result_of(uint64_t how, uint64_t set, uint64_t *mask)
{
	const uint64_t fixed = SIGNAL_BIT(SIGKILL) | SIGNAL_BIT(SIGSTOP);

	set &= ~(OF_LIBRARY | fixed);
	if (how == SIG_BLOCK)
		*mask |= set;
	else if (how == SIG_UNBLOCK)
		*mask &= ~set;
	else if (how == SIG_SETMASK)
		*mask = set;
	return how == SIG_BLOCK || how == SIG_UNBLOCK || how == SIG_SETMASK;
}

/* Sets argument i of the call to 0. An argument on the stack belongs to the
 * called function, which may change it (i386 psABI 2.2.3). */
static int
clear_argument(struct hit *hit, struct regs *regs, unsigned i)
{
	static const uint64_t zero;
	const struct arch *arch = hit->program->space->arch;
	addr_t place = arch->calling->argument_place(regs, i);

	if (place)
		return space_write(hit->program->space, place, &zero,
				   arch->word);
	arch->calling->set_argument(regs, i, 0);
	return 0;
}

/* Makes the call of the program change nothing and report nothing. */
static int
make_idle(struct hit *hit)
{
	struct thread *thread = hit->record->thread;
	const struct regs *regs = thread_regs(&hit->session->table, thread);
	struct regs idle;
	int r;

	if (!regs)
		return -ESRCH;
	idle = *regs;
	for (unsigned i = 1; i <= 2; i++) {
		r = clear_argument(hit, &idle, i);
		if (r < 0)
			return r;
	}
	thread_set_regs(thread, &idle);
	return 0;
}

int
virtual_mask_asked(struct hit *hit)
{
	struct virtual_mask *own = &hit->record->sigtrap->mask;
	struct thread *thread = hit->record->thread;
	uint64_t set_at = hit_argument(hit, 1), old_at = hit_argument(hit, 2);
	uint64_t real, before, after, set = 0;
	bool was;

	own->blocked = 0;
	/*
	 * In a child of posix_spawn(), the C library asks for the mask and sets
	 * the default action for each signal that it finds blocked. It does not
	 * find SIGTRAP blocked if SIGTRAP cannot have been blocked before the
	 * call of posix_spawn().
	 */
	if (hit->record->sigtrap->apart && !set_at) {
		if (!own->spawns)
			virtual_mask_end(hit->record);
		return 0;
	}
	if (hit->before || !(own->on || own->again) ||
	    !(own->on || may_begin(hit->program, hit->record->sigtrap)))
		return 0;
	if (thread_signal_mask(thread, &real) < 0)
		return -ESRCH;
	was = virtual_mask_holds(own, real);
	before = after = was ? real | TRAP_BIT : real;
	if ((set_at &&
	     (reader_u64(program_memory(hit->program), set_at, &set) < 0 ||
	      !result_of(hit_argument(hit, 0), set, &after))) ||
	    !(was || blocks_all(after)) ||
	    (old_at && space_write(hit->program->space, old_at, &before,
				   sizeof(before)) < 0)) {
		virtual_mask_end(hit->record);
		return 0;
	}
	own->on = own->spawns = false;
	if (blocks_all(after) ? begin(hit->record, after, BELIEF_OPEN) < 0
			      : thread_set_signal_mask(thread, after) < 0)
		return -ESRCH;
	return make_idle(hit);
}

/* ---- births ----------------------------------------------------------------
 */

/* The C library blocks all signals around a clone. Then parent and child each
 * set the mask with which they run, by a system call that no guard sees. There
 * are at most this many stops until then, two for each system call. */
#define STOPS_MOST 12

static void
await_mask(struct thread_record *record)
{
	struct virtual_mask *own = &record->sigtrap->mask;

	own->stops = own->again && !own->on ? STOPS_MOST : 0;
	own->setting = false;
}

/* A thread that blocks all signals except SIGTRAP would have the same mask in
 * the kernel as with a virtual mask, so it gets none. posix_spawn() notes the
 * thread's mask, so a virtual mask ends before that. */
int
virtual_mask_spawns(struct hit *hit)
{
	struct sigtrap *sigtrap = hit->record->sigtrap;
	struct virtual_mask *own = &sigtrap->mask;
	uint64_t mask;

	virtual_mask_end(hit->record);
	own->spawns = false;
	if (hit->before || sigtrap->apart || !may_begin(hit->program, sigtrap))
		return 0;
	if (thread_signal_mask(hit->record->thread, &mask) < 0)
		return -ESRCH;
	if (!(mask & TRAP_BIT) && sigtrap_blocks_the_rest(mask))
		return 0;
	own->spawns = true;
	own->stops = STOPS_MOST;
	own->setting = false;
	return 0;
}

void
virtual_mask_vforked(const struct program *program, struct thread_record *child)
{
	struct virtual_mask *own = &child->sigtrap->mask;
	uint64_t mask;

	if (!program || !child->sigtrap->apart || own->on ||
	    !may_begin(program, child->sigtrap) ||
	    thread_signal_mask(child->thread, &mask) < 0 || !blocks_all(mask))
		return;
	if (begin(child, mask, child->sigtrap->belief) < 0)
		debug("%d vanished at its birth", child->thread->tid);
}

void
virtual_mask_spawned(struct thread_record *record)
{
	if (!record->sigtrap->mask.spawns)
		return;
	virtual_mask_end(record);
	record->sigtrap->mask.spawns = false;
	await_mask(record);
}

void
virtual_mask_born(const struct program *program, struct thread_record *parent,
		  struct thread_record *child)
{
	child->sigtrap->mask = parent->sigtrap->mask;
	child->sigtrap->mask.blocked = 0;
	if (program && may_begin(program, child->sigtrap)) {
		await_mask(parent);
		await_mask(child);
	}
}

void
virtual_mask_resume(struct session *session, struct thread *thread)
{
	struct table *table = &session->table;

	if (session_record(session, thread)->sigtrap->mask.stops &&
	    !table->system_calls)
		thread_resume_to_own_call(table, thread);
	else
		thread_resume(table, thread, 0);
}

/* Called at a stop of a thread that is about to set the mask with which it will
 * run. True if the thread has just set it. */
static bool
has_set_mask(struct session *session, struct thread *thread)
{
	struct thread_record *record = session_record(session, thread);
	struct virtual_mask *own = &record->sigtrap->mask;
	const struct program *program =
		session_program(session, thread->process->space);
	struct system_call_stop at;

	own->stops--;
	if (session->leaving || !program ||
	    !may_begin(program, record->sigtrap) ||
	    thread_system_call(&session->table, thread, &at) < 0) {
		own->stops = 0;
		return false;
	}
	if (at.entry)
		own->setting = at.number == SYS_rt_sigprocmask;
	else if (own->setting)
		own->stops = 0;
	return own->setting && !at.entry;
}

bool
virtual_mask_stopped(struct session *session, struct thread *thread)
{
	struct thread_record *record = session_record(session, thread);
	uint64_t mask;

	if (!record->sigtrap->mask.stops)
		return false;
	if (has_set_mask(session, thread) &&
	    thread_signal_mask(thread, &mask) == 0 && blocks_all(mask) &&
	    begin(record, mask, record->sigtrap->belief) < 0)
		debug("%d vanished at its birth", thread->tid);
	if (session->table.system_calls)
		return false;
	virtual_mask_resume(session, thread);
	return true;
}

/* ---- the attach ------------------------------------------------------------
 */

/* Does the thread, which has not trapped, block all signals? A program that
 * catches SIGTRAP gets no virtual masks; our own handler may still be set by an
 * xtrace that was killed. */
static bool
shows_all(const struct program *program, const struct thread *thread)
{
	struct status status;

	return status_read(thread->tid, &status) == 0 &&
	       blocks_all(status.blocked) &&
	       (program->sites.survive.code || !(status.caught & TRAP_BIT));
}

/* Gives the thread a virtual mask later, when it has set its own mask. Now the
 * thread is in a function of the C library that blocks all signals, perhaps
 * since its birth. */
static void
begin_later(struct thread_record *record)
{
	record->sigtrap->mask.again = true;
	await_mask(record);
}

static void
begin_stopped(struct session *session, struct thread *thread, bool was_running)
{
	struct thread_record *record = session_record(session, thread);
	uint64_t mask;

	if (thread_signal_mask(thread, &mask) < 0 || !blocks_all(mask))
		debug("%d has another mask now", thread->tid);
	else if (was_running && mask & OF_LIBRARY)
		begin_later(record);
	else if (begin(record, mask, record->sigtrap->belief) < 0)
		debug("%d vanished at the attach", thread->tid);
	thread_mend_interrupted(&session->table, thread);
	virtual_mask_resume(session, thread);
}

void
virtual_mask_attach(struct session *session, struct process *process)
{
	struct program *program = session_program(session, process->space);
	struct pids tids = table_tids(&session->table, process);
	unsigned serial = process->space->serial;
	pid_t pid = process->pid;

	/* An exec may end the program while a thread is asked to stop. */
	for (size_t i = 0;
	     i < tids.list.count && session_runs(session, pid, serial); i++) {
		pid_t tid = tids.list.at[i];
		struct thread *thread = table_thread(&session->table, tid);
		struct sigtrap *sigtrap;
		struct blocked blocked;

		if (!thread || catches(program) || !shows_all(program, thread))
			continue;
		sigtrap = session_record(session, thread)->sigtrap;
		if (thread->state == THREAD_RUNNING &&
		    woken_blocked(&session->table, thread, &blocked) == 0 &&
		    can_be_stopped(thread, &blocked)) {
			thread = inject_stop(session, tid);
			if (thread)
				begin_stopped(session, thread, blocked.running);
		} else {
			sigtrap->mask.again = true;
		}
	}
	vec_release(&tids.list);
}
