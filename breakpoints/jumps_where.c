/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the pc of a thread means in the code of jumps. A thread that has trapped
 * is found by the trap's address, in a map. A thread that was stopped elsewhere
 * is rare: then all jumps are searched.
 */
#include "breakpoints/jumps_parts.h"

#include "process/regs.h"

static bool
is_inner(const struct site *site, addr_t trap)
{
	return trap - site->address < JUMP_MOST;
}

struct site *
jumps_stopped_at(const struct sites *sites, addr_t trap)
{
	struct site *site = map_get(&sites->jump_traps, trap);

	return site && !is_inner(site, trap) ? site : NULL;
}

struct site *
jumps_inner_at(const struct sites *sites, addr_t trap, addr_t *ret_pc,
	       addr_t *ret_slot)
{
	struct site *site = map_get(&sites->jump_traps, trap);
	const struct jumping *jumping = site ? site->jumping : NULL;
	addr_t traps[2];

	if (!site || !is_inner(site, trap))
		return NULL;
	for (unsigned i = 1; i < JUMP_MOST; i++) {
		unsigned count = jump_traps(&jumping->jump, i, traps);

		if (!(jumping->jump.boundaries & 1u << i) || traps[0] > trap ||
		    traps[count - 1] < trap)
			continue;
		*ret_pc = site->address + i;
		*ret_slot = jumping->own_at + jumping->own.entry[i];
		return site;
	}
	return NULL;
}

/* Moves a thread from this offset of the displaced instructions to the original
 * pc. `address` is that of the site. */
static void
leave_displaced(struct sites *sites, struct thread *thread,
		const struct relocated *displaced, addr_t address,
		size_t offset)
{
	struct regs regs = thread->regs;
	bool whole;
	addr_t pc = relocated_pc(displaced, address, offset, &whole);

	/* The displaced call has pushed its return address, which is popped
	 * here. */
	if (!whole) {
		regs_set_sp(&regs, regs_sp(&regs) +
					   sites->space->arch->calling->pushed);
		thread_set_regs(thread, &regs);
	}
	thread_set_pc(thread, pc);
}

static void
note_undone(struct sites *sites, struct site *site, size_t offset)
{
	const struct check *check = &site->jumping->check;

	if (!check_is_meter(check->kind) || offset > check->slot)
		return;
	sites->undone = (struct jump_undone){
		.site = site,
		.written = jumps_arch(sites)->meter_written(check, offset),
		.own = offset < check->slot,
	};
}

static bool
leave_check(struct sites *sites, struct thread *thread, struct site *site,
	    size_t offset)
{
	const struct check *check = &site->jumping->check;
	struct regs regs = thread->regs;

	note_undone(sites, site, offset);

	if (offset - check->slot < check->displaced.length) {
		leave_displaced(sites, thread, &check->displaced, site->address,
				offset - check->slot);
		return true;
	}
	if (!jumps_arch(sites)->check_undo(check, offset, &sites->space->reader,
					   &regs))
		return false;
	thread_set_regs(thread, &regs);
	thread_set_pc(thread, site->address);
	return true;
}

static bool
leave_jump(struct sites *sites, struct thread *thread, struct site *site,
	   struct site **ret_site)
{
	const struct jumping *jumping = site->jumping;
	addr_t pc = regs_pc(&thread->regs);

	if (pc == jumping->jump.board) {
		thread_set_pc(thread, site->address);
		return true;
	}
	if (pc - jumping->check_at < jumping->check.length)
		return leave_check(sites, thread, site, pc - jumping->check_at);
	if (pc - jumping->own_at >= jumping->own.length)
		return false;
	leave_displaced(sites, thread, &jumping->own, site->address,
			pc - jumping->own_at);
	if (regs_pc(&thread->regs) == site->address)
		*ret_site = site;
	return true;
}

bool
jumps_unslot(struct sites *sites, struct thread *thread, struct site **ret_site)
{
	*ret_site = NULL;
	sites->undone = (struct jump_undone){ 0 };
	if (!sites->jumped.count || !thread_regs(sites->table, thread))
		return false;
	for (size_t i = 0; i < sites->jumped.count; i++) {
		if (leave_jump(sites, thread, sites->jumped.at[i], ret_site))
			return true;
	}
	return false;
}

struct site *
jumps_own_at(const struct sites *sites, addr_t pc)
{
	for (size_t i = 0; i < sites->jumped.count; i++) {
		const struct jumping *jumping = sites->jumped.at[i]->jumping;

		if (pc - jumping->own_at < jumping->own.length)
			return sites->jumped.at[i];
	}
	return NULL;
}

bool
jumps_unfinished(const struct sites *sites, addr_t pc)
{
	const struct site *site = jumps_own_at(sites, pc);
	bool whole = true;

	if (site)
		relocated_pc(&site->jumping->own, site->address,
			     pc - site->jumping->own_at, &whole);
	return !whole;
}
