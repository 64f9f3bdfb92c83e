/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A site gets its jump in this order. What comes later needs what comes before:
 *
 *	springboard, check, own slot	written, no thread comes there
 *	table of the handler		a trap at a boundary, in the check or
 *					the springboard has its slot
 *	row of the watcher		it will bring the jump back
 *	the bytes			step by step, for all sites of a batch
 *
 * On the way back only the bytes change. The rest stays for threads that have
 * trapped before, or that are in it, and is used again if the site gets the
 * same jump once more.
 */
#include "breakpoints/jumps.h"

#include "base/log.h"
#include "base/xmalloc.h"
#include "breakpoints/jumps_parts.h"
#include "breakpoints/outlive/cores.h"
#include "breakpoints/outlive/way.h"
#include "breakpoints/sites_parts.h"

#include <errno.h>
#include <stdlib.h>

/* The distance behind a jump, in bytes, in which there must be no other site.
 * The trap of such a site, or the pc behind its trap, would be taken for one of
 * a boundary. */
#define ROOM_BEHIND (JUMP_MOST + 1)

/* The most entries of a jump in the handler's table: two for each boundary, and
 * one each for the site, the check and the springboard. */
#define ENTRIES_MOST (2 * JUMP_MOST + 3)

/* ---- the way up ---- */

static bool
has_neighbour(const struct sites *sites, addr_t address)
{
	for (unsigned i = 1; i <= ROOM_BEHIND; i++) {
		if (pages_find(&sites->pages, address + i))
			return true;
	}
	return false;
}

/* Conditions that do not depend on the site's code. Returns NULL, or why the
 * site cannot have a jump. */
static const char *
refusal(const struct sites *sites, const struct site *site)
{
	if (!jumps_arch(sites))
		return "this CPU has no jumps";
	if (!sites->survive.code || sites->space->memory < 0)
		return "there is no handler area";
	if (!cores_global_possible())
		return "CPUs cannot be synchronised";
	if (jumps_begun(site))
		return "it has a jump";
	if (site->jumping && site->jumping->inner > JUMP_INNER_MOST)
		return "its boundaries trap";
	if (!site->planted || sites->suspended)
		return "it has no trap";
	if (has_neighbour(sites, site->address))
		return "another site is too near";
	return NULL;
}

/* ---- the handler's table --------------------------------------------------*/

static void
note_trap(struct sites *sites, addr_t trap, addr_t slot)
{
	struct inside_entry entry = { .site = trap, .slot = slot };

	memcpy(&entry.original, sites_trap(sites)->bytes, TRAP_MOST);
	survive_note(&sites->survive, entry);
}

/* Calls act() for each trap of the jump that has an entry, except the site's.
 */
static void
each_trap(struct sites *sites, struct site *site,
	  void (*act)(struct sites *sites, struct site *site, addr_t trap,
		      addr_t slot))
{
	struct jumping *jumping = site->jumping;
	const struct jump *jump = &jumping->jump;

	act(sites, site, jumping->check_at + jumping->check.trap,
	    jumping->own_at);
	act(sites, site, jump->board, jumping->own_at);
	for (unsigned i = 1; i < jump->length; i++) {
		addr_t traps[2];
		unsigned count = jump_traps(jump, i, traps);

		if (!(jumping->own.boundaries & jump->boundaries & 1u << i))
			continue;
		for (unsigned n = 0; n < count; n++)
			act(sites, site, traps[n],
			    jumping->own_at + jumping->own.entry[i]);
	}
}

static void
enter_trap(struct sites *sites, struct site *site, addr_t trap, addr_t slot)
{
	note_trap(sites, trap, slot);
	map_put(&sites->jump_traps, trap, site);
}

static void
drop_trap(struct sites *sites, struct site *site, addr_t trap, addr_t slot)
{
	(void)site;
	(void)slot;
	survive_forget(&sites->survive, sites->space, trap);
	map_remove(&sites->jump_traps, trap);
}

static void
copy_trap(struct sites *sites, struct site *site, addr_t trap, addr_t slot)
{
	(void)slot;
	map_put(&sites->jump_traps, trap, site);
}

static void
note_site(struct sites *sites, const struct site *site)
{
	const struct jumping *jumping = site->jumping;
	struct inside_entry entry = { .site = site->address,
				      .slot = jumping->own_at };

	way_pack(&jumping->jump, &entry);
	survive_note(&sites->survive, entry);
}

static int
enter_table(struct sites *sites, struct site *site, struct thread *thread)
{
	int r = survive_room(&sites->survive, sites->table, thread,
			     ENTRIES_MOST);

	if (r < 0)
		return r;
	note_site(sites, site);
	each_trap(sites, site, enter_trap);
	return survive_flush(&sites->survive, sites->space);
}

/* ---- the bytes ------------------------------------------------------------*/

static int
synchronise(struct sites *sites, struct thread *thread)
{
	if (!thread)
		return cores_sync_global();
	return cores_sync(sites->table, thread, sites->slots.scratch);
}

static int
take_step(struct sites *sites, const struct site *site, struct jump_step step)
{
	return way_step(sites->space->memory, &site->jumping->jump,
			sites_trap(sites), step);
}

/* Takes the jump of one site back to a trap. If its bytes are not ours any
 * more, nothing is restored. */
void
jumps_lift(struct sites *sites, struct site *site, struct thread *thread)
{
	struct jumping *jumping = site->jumping;
	int r = 0;

	if (!jumps_begun(site))
		return;
	jumping->planted = false;
	for (unsigned i = 0; i < JUMP_STEPS && r >= 0; i++) {
		r = take_step(sites, site,
			      jump_step_back(&jumping->jump, i, true));
		if (r > 0)
			r = synchronise(sites, thread);
	}
	if (r < 0 && r != -EBUSY) {
		debug("%#" PRIxADDR " keeps its jump: %d", site->address, r);
		return;
	}
	jumping->begun = false;
	watcher_forget_jump(sites->watcher, site->watched);
	debug("%#" PRIxADDR " is a trap again", site->address);
}

static bool
all_step_back(struct sites *sites, unsigned step)
{
	bool written = false;

	for (size_t i = 0; i < sites->jumped.count; i++) {
		struct site *site = sites->jumped.at[i];
		struct jumping *jumping = site->jumping;

		if (!jumping->begun)
			continue;
		jumping->planted = false;
		written |= take_step(sites, site,
				     jump_step_back(&jumping->jump, step,
						    true)) > 0;
	}
	return written;
}

void
jumps_lift_all(struct sites *sites)
{
	for (unsigned step = 0; step < JUMP_STEPS; step++) {
		/* If the CPUs cannot be synchronised, the next step is not
		 * safe. The jumps then stay, which does no harm. */
		if (all_step_back(sites, step) && cores_sync_global() < 0)
			return;
	}
	for (size_t i = 0; i < sites->jumped.count; i++) {
		struct site *site = sites->jumped.at[i];

		site->jumping->begun = false;
		watcher_forget_jump(sites->watcher, site->watched);
	}
}

void
jumps_make_way(struct sites *sites, addr_t address, struct thread *thread)
{
	if (!sites->jumped.count)
		return;
	for (unsigned i = 0; i <= ROOM_BEHIND; i++) {
		struct site *site = pages_find(&sites->pages, address - i);

		if (site)
			jumps_lift(sites, site, thread);
	}
}

/* ---- the way up -----------------------------------------------------------*/

static bool
same_meter(const struct jumping *jumping, const struct jump_request *request)
{
	return request->count == 1 &&
	       check_is_meter(request->conditions->kind) &&
	       request->conditions->kind == jumping->conditions->kind;
}

static bool
same_conditions(const struct jumping *jumping,
		const struct jump_request *request)
{
	bool same = jumping->count == request->count;

	/* The two words of a meter's condition may differ: a fork's child has
	 * an area of its own. */
	if (same && same_meter(jumping, request))
		return true;
	for (size_t i = 0; same && i < request->count; i++) {
		const struct check_condition *one = &jumping->conditions[i];
		const struct check_condition *two = &request->conditions[i];

		same = one->kind == two->kind && one->number == two->number &&
		       one->size == two->size;
	}
	return same;
}

/* Called when the code of the jump is written: tells the watcher about the
 * jump. From then on the bytes of the site may be changed. */
static void
begin(struct sites *sites, struct jump_request *request)
{
	struct site *site = request->site;

	watcher_note_jump(sites->watcher, site->watched, &site->jumping->jump);
	site->jumping->begun = true;
	request->done = true;
}

static int
set_words(struct sites *sites, const struct site *site, unsigned condition,
	  const struct check_condition *to)
{
	const struct jumping *jumping = site->jumping;
	const uint64_t words[2] = { to->number, to->size };

	return space_write(sites->space,
			   jumping->check_at + jumping->check.words +
				   condition * sizeof(words),
			   words, sizeof(words));
}

/* Uses the check and the springboard that an earlier jump of the site has
 * left. */
static int
prepare_again(struct sites *sites, struct jump_request *request)
{
	struct site *site = request->site;
	struct jumping *jumping = site->jumping;
	int r = 0;

	request->why = "it had another check before";
	if (!same_conditions(jumping, request))
		return -ENOTSUP;
	for (unsigned i = 0; i < request->count && r == 0; i++)
		r = set_words(sites, site, i, &request->conditions[i]);
	if (r == 0)
		r = jumps_close(sites, site, false);
	if (r == 0)
		begin(sites, request);
	return r;
}

static int
prepare(struct sites *sites, const struct maps *maps,
	struct jump_request *request, struct thread *thread)
{
	struct site *site = request->site;
	struct jumping *jumping;
	int r;

	request->why = refusal(sites, site);
	if (request->why)
		return -ENOTSUP;
	if (site->jumping)
		return prepare_again(sites, request);
	jumping = xcalloc(1, sizeof(*jumping));
	jumping->count = request->count;
	memcpy(jumping->conditions, request->conditions,
	       sizeof(jumping->conditions));
	r = jumps_build(sites, maps, request, jumping, thread);
	if (r < 0) {
		free(jumping);
		return r;
	}
	/* Allocates memory before the first byte of a jump is written. */
	vec_push(&sites->jumped, site);
	site->jumping = jumping;
	r = enter_table(sites, site, thread);
	if (r == 0)
		begin(sites, request);
	return r;
}

/* Takes one step towards the jump, at each site of the requests. */
static int
step_up(struct sites *sites, struct jump_request *requests, size_t count,
	unsigned step, struct thread *thread)
{
	bool written = false;

	for (size_t i = 0; i < count; i++) {
		struct site *site = requests[i].site;
		int r;

		if (!requests[i].done)
			continue;
		r = take_step(sites, site,
			      jump_step_up(&site->jumping->jump, step));
		written |= r > 0;
		if (r >= 0)
			continue;
		requests[i].done = false;
		requests[i].why = "its bytes have changed";
	}
	return written ? synchronise(sites, thread) : 0;
}

int
jumps_plant(struct sites *sites, struct jump_request *requests, size_t count,
	    struct thread *thread)
{
	struct maps maps;
	int r;

	maps_init(&maps);
	r = maps_read(&maps, sites->space->pid);
	for (size_t i = 0; i < count && r != -ESRCH; i++) {
		requests[i].done = false;
		r = prepare(sites, &maps, &requests[i], thread);
	}
	maps_release(&maps);
	if (r == -ESRCH)
		return r;
	r = 0;
	for (unsigned step = 0; step < JUMP_STEPS && r == 0; step++)
		r = step_up(sites, requests, count, step, thread);
	for (size_t i = 0; i < count; i++) {
		struct site *site = requests[i].site;

		if (requests[i].done && r == 0)
			site->jumping->planted = true;
		else if (r != -ESRCH)
			jumps_lift(sites, site, thread);
		requests[i].done = jumps_begun(site);
	}
	return r == -ESRCH ? r : 0;
}

/* ---- checks ---------------------------------------------------------------*/

int
jumps_set_number(struct sites *sites, const struct site *site,
		 unsigned condition, uint64_t number)
{
	const struct jumping *jumping = site->jumping;
	addr_t at = jumping->check_at + jumping->check.words +
		    condition * 2 * sizeof(number);

	return space_write(sites->space, at, &number, sizeof(number));
}

int
jumps_close(struct sites *sites, struct site *site, bool closed)
{
	struct jumping *jumping = site->jumping;
	addr_t board = jumping->jump.board;
	uint8_t open[JUMP_MOST];
	int r;

	if (jumping->closed == closed)
		return 0;
	if (!jumps_arch(sites)->board(board, jumping->check_at, open))
		return -ERANGE;
	r = space_write(sites->space, board,
			closed ? sites_trap(sites)->bytes : open, 1);
	if (r == 0)
		jumping->closed = closed;
	return r;
}

/* ---- copies and ends ------------------------------------------------------*/

/* Copies the record of one jump for a fork's child. The child has one thread,
 * which is stopped, so no CPU runs its code. The bytes in the child's memory
 * may be of any stage, also of an earlier one than the parent's bytes now. */
static void
copy_one(struct sites *child, const struct site *of)
{
	struct site *site = pages_find(&child->pages, of->address);
	struct jumping *jumping;

	if (!site)
		return;
	jumping = xmalloc(sizeof(*jumping));
	*jumping = *of->jumping;
	site->jumping = jumping;
	vec_push(&child->jumped, site);
	each_trap(child, site, copy_trap);
	watcher_note_jump(child->watcher, site->watched, &jumping->jump);
	for (unsigned i = 0; i < JUMP_STEPS; i++) {
		if (take_step(child, site,
			      jump_step_back(&jumping->jump, i,
					     site->planted)) < 0)
			debug("%#" PRIxADDR " keeps its jump in the copy",
			      site->address);
	}
	jumping->begun = jumping->planted = false;
	watcher_forget_jump(child->watcher, site->watched);
}

void
jumps_copy(struct sites *child, const struct sites *parent)
{
	boards_copy(&child->boards, &parent->boards);
	for (size_t i = 0; i < parent->jumped.count; i++)
		copy_one(child, parent->jumped.at[i]);
}

void
jumps_forget(struct sites *sites, struct site *site)
{
	if (!site->jumping)
		return;
	sites->forgotten++;
	each_trap(sites, site, drop_trap);
	for (size_t i = sites->jumped.count; i-- > 0;) {
		if (sites->jumped.at[i] == site)
			vec_remove(&sites->jumped, i);
	}
	free(site->jumping);
	site->jumping = NULL;
}

void
jumps_release(struct sites *sites)
{
	for (size_t i = 0; i < sites->jumped.count; i++)
		free(sites->jumped.at[i]->jumping);
	vec_release(&sites->jumped);
	map_release(&sites->jump_traps);
	boards_release(&sites->boards);
}
