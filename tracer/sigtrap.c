/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel forces an int3's SIGTRAP: in a thread that blocks or ignores it
 * the action becomes the default one and the signal is unblocked (kernel/
 * signal.c, force_sig_info_to_task). At the stop the mask is that already, so
 * what it was must be told otherwise:
 *
 *	Our own action stands in the kernel before any trap does. It is gone at
 *	a hit only where SIGTRAP was blocked: SigCgt in /proc tells.
 *
 * To look costs a few microseconds, and is not done at every hit but: at a
 * thread's first ones; after a signal was delivered to it or it has cloned,
 * until some looks in a row found nothing; while it has blocked SIGTRAP, which
 * a site at pthread_sigmask() tells; and now and then, ever more rarely. Then
 * our action is set again and SIGTRAP is blocked again, before the thread goes
 * on.
 *
 * A site at sigaction() sees the program set an action of its own: it becomes
 * the one that our handler passes on to, and the program is told what it would
 * have been told without us. Programs that make these system calls themselves
 * are not seen: docs/SURVIVAL.md.
 */
#include "tracer/sigtrap.h"

#include "base/log.h"
#include "process/regs.h"
#include "process/siginfo.h"
#include "process/status.h"
#include "tracer/report.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>

#define debug(...) debug_of(LOG_TRACER, __VA_ARGS__)

#define TRAP_BIT (UINT64_C(1) << (SIGTRAP - 1))
/* After this many looks that found nothing we trust a thread again. */
#define CLEAN_ENOUGH 16
/* And look all the same at one hit of so many, then of twice as many each
 * time: reading /proc costs as much as a stop. */
#define LOOK_FIRST 64
#define LOOK_LAST 4096

static int
block_again(struct thread *thread)
{
	uint64_t mask;
	int r = thread_signal_mask(thread, &mask);

	return r < 0 ? r : thread_set_signal_mask(thread, mask | TRAP_BIT);
}

/* ---- sigaction and pthread_sigmask -----------------------------------------
 */

/* In the C library's layout, which differs from the kernel's. */
struct told_action {
	uint64_t handler;
	uint64_t mask[16];
	int32_t flags;
	uint64_t restorer;
};

int
sigtrap_enter_action(struct moment *moment)
{
	struct program *program = moment->program;
	struct sigtrap *sigtrap = &moment->actor->sigtrap;
	struct thread *thread = moment->actor->thread;
	struct action_call call = {
		.sp = regs_sp(&moment->regs),
		.old = regs_argument(&moment->regs, 2),
	};
	addr_t action = regs_argument(&moment->regs, 1);
	struct site *site;
	const char *why;
	int r;

	if (regs_argument(&moment->regs, 0) != SIGTRAP)
		return 0;
	call.sets = action && reader_u64(program_memory(program), action,
					 &call.handler) == 0;
	/* A vfork child has signals of its own, in its parent's memory. */
	if (program->space->users > 1 && program->space->pid != thread->tid) {
		sigtrap->own = sigtrap->own || call.sets;
		return 0;
	}
	r = reader_u64(program_memory(program), call.sp, &call.return_address);
	if (r == 0)
		r = action_of_program(&program->sites, &call.before);
	if (r == 0)
		r = sites_plant_one(&program->sites, call.return_address,
				    SITE_OWNER_GUARD, thread, &site, &why);
	if (r == 0)
		sigtrap->call = call;
	return r == -ESRCH ? r : 0;
}

static int
tell_before(struct program *program, const struct action_call *call)
{
	const struct inside_action *before = &call->before;
	const int32_t flags = (int32_t)before->flags;
	uint64_t handler;
	int r;

	/* Another sigaction() around this one may have been told already. */
	if (reader_u64(program_memory(program), call->old, &handler) < 0 ||
	    handler != program->sites.survive.header.ours.handler)
		return 0;
	r = space_write(program->space,
			call->old + offsetof(struct told_action, handler),
			&before->handler, sizeof(before->handler));
	if (r == 0)
		r = space_write(program->space,
				call->old + offsetof(struct told_action, mask),
				&before->mask, sizeof(before->mask));
	if (r == 0)
		r = space_write(program->space,
				call->old + offsetof(struct told_action, flags),
				&flags, sizeof(flags));
	if (r == 0)
		r = space_write(program->space,
				call->old +
					offsetof(struct told_action, restorer),
				&before->restorer, sizeof(before->restorer));
	return r;
}

static bool
ignores(uint64_t handler)
{
	return handler == (uint64_t)(uintptr_t)SIG_IGN;
}

int
sigtrap_leave_action(struct moment *moment)
{
	struct program *program = moment->program;
	struct sigtrap *sigtrap = &moment->actor->sigtrap;
	struct thread *thread = moment->actor->thread;
	struct action_call call = sigtrap->call;
	bool reset = false;
	int r = 0;

	if (call.return_address != moment->site->address ||
	    call.sp + sizeof(addr_t) != regs_sp(&moment->regs))
		return 0;
	sigtrap->call = (struct action_call){ 0 };
	if (regs_result(&moment->regs) != 0)
		return 0;
	if (call.sets)
		r = action_claim(&program->sites, thread, &call.handler,
				 &reset);
	/* This very trap has reset it, and look() will not see that. */
	if (r == 0 && (sigtrap->blocked || (reset && !ignores(call.handler))))
		r = block_again(thread);
	if (r == 0 && call.old)
		r = tell_before(program, &call);
	return r;
}

int
sigtrap_enter_mask(struct moment *moment)
{
	struct sigtrap *sigtrap = &moment->actor->sigtrap;
	uint64_t set = regs_argument(&moment->regs, 1), mask;
	bool chosen;

	if (!set || reader_u64(program_memory(moment->program), set, &mask) < 0)
		return 0;
	chosen = mask & TRAP_BIT;
	switch (regs_argument(&moment->regs, 0)) {
	case SIG_BLOCK:
		sigtrap->blocked = sigtrap->blocked || chosen;
		break;
	case SIG_UNBLOCK:
		sigtrap->blocked = sigtrap->blocked && !chosen;
		break;
	case SIG_SETMASK:
		sigtrap->blocked = chosen;
		break;
	}
	return 0;
}

/* ---- putting back ----------------------------------------------------------
 */

static bool
time_to_look(struct sigtrap *sigtrap)
{
	if (sigtrap->own)
		return false;
	if (sigtrap->blocked || sigtrap->clean < CLEAN_ENOUGH)
		return true;
	if (sigtrap->rest < LOOK_FIRST)
		sigtrap->rest = LOOK_FIRST;
	if (++sigtrap->skipped < sigtrap->rest)
		return false;
	sigtrap->skipped = 0;
	if (sigtrap->rest < LOOK_LAST)
		sigtrap->rest *= 2;
	return true;
}

static int
look(struct moment *moment)
{
	struct sigtrap *sigtrap = &moment->actor->sigtrap;
	struct thread *thread = moment->actor->thread;
	struct status status;
	int r;

	if (status_read(thread->tid, &status) < 0)
		return -ESRCH;
	if (status.caught & TRAP_BIT) {
		sigtrap->clean++;
		return 0;
	}
	debug("%d: had SIGTRAP blocked", thread->tid);
	sigtrap->clean = sigtrap->rest = 0;
	r = action_restore(&moment->program->sites, thread);
	return r < 0 ? r : block_again(thread);
}

int
sigtrap_after_hit(struct moment *moment)
{
	return time_to_look(&moment->actor->sigtrap) ? look(moment) : 0;
}

void
sigtrap_doubt(struct actor *actor)
{
	actor->sigtrap.clean = actor->sigtrap.rest = 0;
}

bool
sigtrap_passed_on(const struct program *program, addr_t pc)
{
	const struct survive *survive = &program->sites.survive;

	return survive->code && pc >= survive->code &&
	       pc - survive->code < inside_size();
}
