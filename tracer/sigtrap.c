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

/* All that can be blocked is, but for SIGTRAP: so the C library does it. */
static bool
blocks_the_rest(uint64_t mask)
{
	const uint64_t others = UINT64_C(0x7fffffff) &
				~(UINT64_C(1) << (SIGKILL - 1)) &
				~(UINT64_C(1) << (SIGSTOP - 1)) & ~TRAP_BIT;

	return (mask & others) == others;
}

/*
 * Who reads first that the action is lost need not be who blocks SIGTRAP. Among
 * several threads it takes a sign of its own to have the mask put back: it is
 * known to block SIGTRAP, or blocks all the rest; then also when another has
 * put back the action. To block it where it was not would never end: the
 * next trap would lose the action again.
 */
static int
look(struct program *program, struct actor *actor)
{
	struct sigtrap *sigtrap = &actor->sigtrap;
	struct thread *thread = actor->thread;
	bool lost, known, elsewhere, blocks;
	struct status status;
	int r = 0;

	if (status_read(thread->tid, &status) < 0)
		return -ESRCH;
	lost = !(status.caught & TRAP_BIT);
	elsewhere = sigtrap->losses != program->losses;
	known = sigtrap->blocked || blocks_the_rest(status.blocked);
	blocks = known ? lost || elsewhere
		       : lost && thread->process->thread_count == 1;
	if (lost) {
		debug("%d: SIGTRAP was blocked", thread->tid);
		program->losses++;
		r = action_restore(&program->sites, thread);
	}
	sigtrap->losses = program->losses;
	if (!lost && !blocks) {
		sigtrap->clean++;
		return 0;
	}
	sigtrap->clean = sigtrap->rest = 0;
	if (r == 0 && blocks && !(status.blocked & TRAP_BIT))
		r = block_again(thread);
	return r;
}

int
sigtrap_after_hit(struct moment *moment)
{
	if (!time_to_look(&moment->actor->sigtrap))
		return 0;
	return look(moment->program, moment->actor);
}

int
sigtrap_after_undo(struct program *program, struct actor *actor)
{
	return actor->sigtrap.own ? 0 : look(program, actor);
}

void
sigtrap_doubt(struct actor *actor)
{
	actor->sigtrap.clean = actor->sigtrap.rest = 0;
}

/* A trap may have unblocked it meanwhile: what was known before stays known. */
static void
read_mask(struct actor *actor)
{
	struct status status;

	if (status_read(actor->thread->tid, &status) == 0 &&
	    status.blocked & TRAP_BIT)
		actor->sigtrap.blocked = true;
}

void
sigtrap_read(struct session *session, const struct process *process)
{
	list_each(link, after, &process->threads)
		read_mask(session_actor(session, list_item(link, struct thread,
							   sibling)));
}

bool
sigtrap_passed_on(const struct program *program, addr_t pc)
{
	const struct survive *survive = &program->sites.survive;

	return survive->code && pc >= survive->code &&
	       pc - survive->code < inside_size();
}
