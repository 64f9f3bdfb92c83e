/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A site at sigaction() sees the program set an action of its own. Our handler
 * then passes signals on to this action, and the program is told the former
 * action that it would see without us. In a program that makes the system call
 * itself, one site behind the system call sees the same, because the kernel
 * preserves the registers of the arguments. System calls at other addresses are
 * not seen: docs/SURVIVAL.md.
 */
#include "tracer/sigtrap/sigtrap_parts.h"

#include "breakpoints/outlive/sigaction.h"
#include "process/regs.h"
#include "process/siginfo.h"
#include "tracer/report/report.h"

#include <errno.h>
#include <stddef.h>

/*
 * The C library's struct sigaction, whose layout differs from the kernel's: the
 * handler, a mask of 128 bytes, flags of four bytes, and the restorer at the
 * next multiple of a word.
 */
#define TOLD_MASK_BYTES 128u

static addr_t
told_mask(const struct program *program, addr_t action)
{
	return action + program_word(program);
}

static addr_t
told_flags(const struct program *program, addr_t action)
{
	return told_mask(program, action) + TOLD_MASK_BYTES;
}

static addr_t
told_restorer(const struct program *program, addr_t action)
{
	return told_flags(program, action) + program_word(program);
}

/* Writes one word of the program. */
static int
write_word(const struct program *program, addr_t at, uint64_t word)
{
	return space_write(program->space, at, &word, program_word(program));
}

/* Notes whether a handler of another signal blocks SIGTRAP. The handlers of a
 * vfork child do not matter to its parent. */
static void
note_handler(struct hit *hit, uint64_t signal, addr_t mask_at)
{
	struct program *program = hit->program;
	uint64_t bit = SIGNAL_BIT(signal), mask;

	if (signal - 1 >= 64 || hit->record->sigtrap->own ||
	    hit->record->thread->process->pid != program->space->pid ||
	    reader_u64(program_memory(program), mask_at, &mask) < 0)
		return;
	program->sigtrap->masking &= ~bit;
	if (mask & TRAP_BIT)
		program->sigtrap->masking |= bit;
}

/* Is the thread a vfork child? Such a child has signal actions of its own, but
 * its parent's memory. */
static bool
is_vfork_child(const struct hit *hit)
{
	const struct space *space = hit->program->space;

	return space->users > 1 && space->pid != hit->record->thread->tid;
}

/* Notes what a call of sigaction() sets: the action at address `action`, or
 * nothing if that is 0. */
static void
note_what_it_sets(struct hit *hit, addr_t action, struct action_call *call)
{
	/* The handler is the first member in the C library's layout and in the
	 * kernel's. */
	call->sets = call->seen =
		action &&
		reader_word(program_memory(hit->program), action,
			    program_word(hit->program), &call->handler) == 0;
}

int
sigtrap_await_return(struct hit *hit, struct action_call *call)
{
	struct sites *sites = &hit->program->sites;
	struct thread *thread = hit->record->thread;
	struct site *site;
	const char *why;
	int r = action_of_program(sites, &call->before);

	if (r == 0)
		r = sites_plant_one(sites, call->return_address,
				    SITE_OWNER_GUARD,
				    hit->before ? NULL : thread, &site, &why);
	if (r == 0)
		hit->record->sigtrap->call = *call;
	return r == -ESRCH ? r : 0;
}

int
sigtrap_enter_action(struct hit *hit)
{
	struct program *program = hit->program;
	struct sigtrap *sigtrap = hit->record->sigtrap;
	struct action_call call = {
		.sp = regs_sp(&hit->regs),
		.old = hit_argument(hit, 2),
	};
	addr_t action = hit_argument(hit, 1);
	int r;

	if (hit_argument(hit, 0) != SIGTRAP) {
		if (action)
			note_handler(hit, hit_argument(hit, 0),
				     told_mask(program, action));
		return 0;
	}
	note_what_it_sets(hit, action, &call);
	if (is_vfork_child(hit)) {
		sigtrap->own = sigtrap->own || call.sets;
		return 0;
	}
	r = hit_calling(hit)->return_address(&hit->regs,
					     program_memory(program),
					     &call.return_address);
	return r == 0 ? sigtrap_await_return(hit, &call) : 0;
}

static int
tell_before(struct program *program, const struct action_call *call)
{
	const struct inside_action *before = &call->before;
	const int32_t flags = (int32_t)before->flags;
	uint64_t handler;
	int r;

	/* If one sigaction() calls another, the inner one's return has already
	 * told the former action. */
	if (reader_word(program_memory(program), call->old,
			program_word(program), &handler) < 0 ||
	    handler != program->sites.survive.header.ours.handler)
		return 0;
	r = write_word(program, call->old, before->handler);
	if (r == 0)
		r = space_write(program->space, told_mask(program, call->old),
				&before->mask, sizeof(before->mask));
	if (r == 0)
		r = space_write(program->space, told_flags(program, call->old),
				&flags, sizeof(flags));
	if (r == 0)
		r = write_word(program, told_restorer(program, call->old),
			       before->restorer);
	return r;
}

static void
learn_blocked(struct thread_record *record)
{
	struct sigtrap *sigtrap = record->sigtrap;
	uint64_t mask;

	if (thread_signal_mask(record->thread, &mask) == 0 &&
	    sigtrap_blocks_the_rest(mask))
		sigtrap_begin_all(sigtrap, sigtrap->belief);
	else
		sigtrap_learn(sigtrap, EVIDENCE_SURELY_BLOCKED);
}

/* Serves the end of a call of sigaction(), or of a system call rt_sigaction(2)
 * that the program has made itself. tell() writes the former action. */
static int
call_over(struct hit *hit, const struct action_call *call,
	  int (*tell)(struct program *program, const struct action_call *call))
{
	struct program *program = hit->program;
	struct sigtrap *sigtrap = hit->record->sigtrap;
	struct thread *thread = hit->record->thread;
	bool reset = false, failed = hit_result(hit) != 0;
	int r = 0;

	if (!call->sets || !call->seen || failed)
		r = sigtrap_after_hit(hit);
	if (r < 0 || failed)
		return r;
	if (call->sets && !call->seen && r == 0)
		r = sigtrap_claim(program, thread);
	else if (call->sets)
		r = action_claim(&program->sites, thread, &call->handler,
				 &reset);
	/* The trap at this site has reset the action, so the thread blocks
	 * SIGTRAP. observe() would not notice that. */
	if (call->sets && reset &&
	    call->handler != (uint64_t)(uintptr_t)SIG_IGN)
		learn_blocked(hit->record);
	if (r == 0 && call->sets && belief_blocks(sigtrap->belief))
		r = sigtrap_put_back_mask(program, hit->record);
	if (r == 0 && call->old)
		r = tell(program, call);
	return r;
}

/* Is a thread of the program in a call that returns to this address? */
static bool
is_awaited(const struct program *program, addr_t address)
{
	struct session *session = program->session;
	size_t cursor = 0;
	void *item;

	while (map_next(&session->records, &cursor, NULL, &item)) {
		const struct thread_record *record = item;

		if (record->sigtrap->call.return_address == address &&
		    session_program(session, record->thread->process->space) ==
			    program)
			return true;
	}
	return false;
}

/* A call for which the return site was not planted has returned to it: a loop
 * over all signals, for example, calls sigaction() at one place. The site is
 * lifted; the next call for SIGTRAP plants it again. */
static int
pass_idly(struct hit *hit)
{
	int r = sigtrap_after_hit(hit);

	if (r == 0 && !is_awaited(hit->program, hit->site->address))
		sites_disown(&hit->program->sites, hit->site, SITE_OWNER_GUARD);
	return r;
}

int
sigtrap_leave_action(struct hit *hit)
{
	struct sigtrap *sigtrap = hit->record->sigtrap;
	struct action_call call = sigtrap->call;

	if (call.return_address != hit->site->address ||
	    call.sp + hit_calling(hit)->pushed != regs_sp(&hit->regs))
		return pass_idly(hit);
	sigtrap->call = (struct action_call){ 0 };
	return call_over(hit, &call, tell_before);
}

/* ---- rt_sigaction(2) -------------------------------------------------------
 */

static int
tell_before_raw(struct program *program, const struct action_call *call)
{
	uint64_t handler;

	if (reader_word(program_memory(program), call->old,
			program_word(program), &handler) < 0 ||
	    handler != program->sites.survive.header.ours.handler)
		return 0;
	return sigaction_write(program->space, call->old, &call->before);
}

int
sigtrap_action_told(struct program *program, addr_t old)
{
	struct action_call call = { .old = old };
	int r;

	if (!program->sites.survive.code)
		return 0;
	r = action_of_program(&program->sites, &call.before);
	return r < 0 ? r : tell_before_raw(program, &call);
}

int
sigtrap_action_made(struct hit *hit)
{
	const struct arch_system_call *system =
		hit->program->space->arch->system_call;
	struct sigtrap *sigtrap = hit->record->sigtrap;
	uint64_t signal = system->argument(&hit->regs, 0);
	addr_t action = system->argument(&hit->regs, 1);
	struct action_call call = { .old = system->argument(&hit->regs, 2) };
	bool done = system->result(&hit->regs) == 0;
	int r;

	if (!system->made(&hit->regs))
		return sigtrap_after_hit(hit);
	if (signal != SIGTRAP) {
		r = sigtrap_after_hit(hit);
		if (r == 0 && done && action)
			note_handler(hit, signal,
				     action + offsetof(struct inside_action,
						       mask));
		return r;
	}
	note_what_it_sets(hit, action, &call);
	/* A vfork child has set an action of its own, which xtrace does not
	 * replace. */
	if (is_vfork_child(hit)) {
		sigtrap->own = sigtrap->own || (done && call.sets);
		return sigtrap_after_hit(hit);
	}
	r = action_of_program(&hit->program->sites, &call.before);
	return r < 0 ? r : call_over(hit, &call, tell_before_raw);
}

static enum evidence
what_it_asks(uint64_t how, bool chosen)
{
	switch (how) {
	case SIG_BLOCK:
		return chosen ? EVIDENCE_ASKS_BLOCK : EVIDENCE_ASKS_OTHERS;
	case SIG_UNBLOCK:
		return chosen ? EVIDENCE_ASKS_OPEN : EVIDENCE_ASKS_OTHERS;
	case SIG_SETMASK:
		return chosen ? EVIDENCE_ASKS_BLOCK : EVIDENCE_ASKS_OPEN;
	default:
		return EVIDENCE_ASKS_OTHERS;
	}
}

/* Notes whether the thread blocks all signals after its call of
 * pthread_sigmask(). */
static void
note_all(struct sigtrap *sigtrap, uint64_t how, uint64_t mask)
{
	bool blocks = how == SIG_BLOCK || how == SIG_SETMASK;

	if (blocks && mask & TRAP_BIT && sigtrap_blocks_the_rest(mask)) {
		sigtrap->blocks_all = false;
		sigtrap_begin_all(sigtrap, BELIEF_OPEN);
	} else if (how == SIG_SETMASK || (how == SIG_UNBLOCK && mask)) {
		sigtrap->blocks_all = false;
	}
}

int
sigtrap_enter_mask(struct hit *hit)
{
	struct sigtrap *sigtrap = hit->record->sigtrap;
	uint64_t set = hit_argument(hit, 1), how = hit_argument(hit, 0), mask;

	if (set && reader_u64(program_memory(hit->program), set, &mask) == 0) {
		sigtrap_learn(sigtrap, what_it_asks(how, mask & TRAP_BIT));
		note_all(sigtrap, how, mask);
		sigtrap->asking = true;
	}
	return virtual_mask_asked(hit);
}
