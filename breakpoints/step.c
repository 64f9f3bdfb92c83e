/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A thread passes its site by running the slot: this takes one write of its pc.
 * The site of a slot is searched only when a signal arrives in a slot, which is
 * rare; then all sites are walked.
 */
#include "breakpoints/step.h"

#include "base/log.h"
#include "breakpoints/jumps.h"
#include "process/nudge.h"
#include "process/regs.h"

#include <assert.h>
#include <errno.h>

int
step_past(struct sites *sites, struct site *site, struct thread *thread)
{
	const char *why = "no room for its slot";
	int r = 0;

	if (jumps_begun(site)) {
		thread_set_pc(thread, site->jumping->own_at);
		return 0;
	}
	if (site->onward) {
		thread_set_pc(thread, site->onward);
		return 0;
	}
	/* If we die while the slot is made, the thread hits the trap again, or
	 * runs the restored byte. */
	thread_set_pc(thread, site->address);
	if (!site->slot)
		r = sites_make_slot(sites, site, thread, &why);
	if (r == 0) {
		thread_set_pc(thread, site->slot);
		return 0;
	}
	if (r == -ESRCH)
		return r;
	debug("giving up %#" PRIxADDR ": %s", site->address, why);
	for (int owner = 0; owner < SITE_OWNERS; owner++)
		sites_disown(sites, site, owner);
	return r;
}

static struct site *
site_of_slot(const struct sites *sites, addr_t pc)
{
	struct pages_cursor cursor = { 0 };
	struct site *site;

	if (!slots_cover(&sites->slots, pc))
		return NULL;
	while ((site = pages_next(&sites->pages, &cursor))) {
		if (site->slot && pc - site->slot < site->slot_length)
			return site;
	}
	return NULL;
}

static addr_t
original_pc(const struct site *site, addr_t pc, bool *ret_whole)
{
	struct relocated slot = { .steps = site->steps,
				  .length = site->slot_length,
				  .displaced = site->displaced };

	for (unsigned i = 0; i < site->steps; i++)
		slot.step[i] = site->step[i];
	return relocated_pc(&slot, site->address, pc - site->slot, ret_whole);
}

addr_t
step_original(const struct sites *sites, addr_t pc)
{
	const struct site *site = site_of_slot(sites, pc);
	bool whole = false;
	addr_t original = site ? original_pc(site, pc, &whole) : pc;

	return whole ? original : pc;
}

/* Moves a thread back to before a displaced call that has pushed its return
 * address already. Data below the stack pointer does not survive a call, so
 * nothing is lost. */
static void
undo_push(const struct sites *sites, struct thread *thread, addr_t pc)
{
	struct regs regs = thread->regs;

	regs_set_sp(&regs,
		    regs_sp(&regs) + sites->space->arch->calling->pushed);
	thread_set_regs(thread, &regs);
	thread_set_pc(thread, pc);
}

/* If the thread is at the beginning of a slot that an earlier xtrace has left,
 * moves it to the site. A thread may be there for a long time if signals come
 * faster than stops. */
static bool
leave_left_slot(struct sites *sites, struct thread *thread)
{
	const struct regs *regs = thread_regs(sites->table, thread);
	addr_t site = regs && slots_cover(&sites->slots, regs_pc(regs))
			      ? survive_site(&sites->survive, regs_pc(regs))
			      : 0;

	if (site)
		thread_set_pc(thread, site);
	return site != 0;
}

bool
step_unslot(struct sites *sites, struct thread *thread, struct site **ret_site)
{
	const struct regs *regs = thread_regs(sites->table, thread);
	struct site *site = regs ? site_of_slot(sites, regs_pc(regs)) : NULL;
	bool whole;
	addr_t pc;

	sites->undone = (struct jump_undone){ 0 };
	if (!site && jumps_unslot(sites, thread, ret_site))
		return true;
	*ret_site = NULL;
	if (!site)
		return leave_left_slot(sites, thread);
	pc = original_pc(site, regs_pc(regs), &whole);
	assert(!slots_cover(&sites->slots, pc));
	if (whole)
		thread_set_pc(thread, pc);
	else
		undo_push(sites, thread, pc);
	*ret_site = pc == site->address ? site : NULL;
	return true;
}

/* The site with this pc in its slot, or in the copy of the instructions that
 * its jump covers. */
static struct site *
site_at_pc(const struct sites *sites, addr_t pc)
{
	struct site *site = site_of_slot(sites, pc);

	return site ? site : jumps_own_at(sites, pc);
}

int
step_nudge(struct sites *sites, struct thread *thread)
{
	const struct regs *regs = thread_regs(sites->table, thread);
	const struct site *site =
		regs ? site_at_pc(sites, regs_pc(regs)) : NULL;

	if (!site || sites->space->arch->shows_stepping(site->original))
		return -EBUSY;
	return thread_nudge(sites->table, thread,
			    survive_nudge_note(&sites->survive, thread->tid));
}

bool
step_unfinished(struct sites *sites, struct thread *thread)
{
	const struct regs *regs = thread_regs(sites->table, thread);
	struct site *site = regs ? site_of_slot(sites, regs_pc(regs)) : NULL;
	bool whole = true;

	if (site)
		original_pc(site, regs_pc(regs), &whole);
	else if (regs)
		whole = !jumps_unfinished(sites, regs_pc(regs));
	return !whole;
}
