/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The records of a space's sites, and their traps: a trap is planted as long as
 * its site has an owner. sites_plant.c gives sites their slots.
 *
 * A fork's child has our traps and our slots in its copy of the memory. Its
 * sites are a copy of the records.
 */
#include "breakpoints/sites_parts.h"

#include "base/log.h"
#include "breakpoints/jumps.h"
#include "breakpoints/outlive/way.h"
#include "breakpoints/veil.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

void
sites_init(struct sites *sites, struct table *table, struct space *space,
	   struct watcher *watcher)
{
	*sites = (struct sites){ .space = space,
				 .table = table,
				 .watcher = watcher };
	sites->slots.reach = space->arch->reach;
	sites->slots.top = space->arch->top;
	pages_init(&sites->pages);
	arena_init(&sites->records);
	map_init(&sites->jump_traps);
	veil_init(sites);
	space->veil = &sites->veil;
}

void
sites_release(struct sites *sites)
{
	struct pages_cursor cursor = { 0 };
	const struct site *site;

	if (sites->space->veil == &sites->veil)
		sites->space->veil = NULL;
	while ((site = pages_next(&sites->pages, &cursor)))
		watcher_forget(sites->watcher, site->watched);
	jumps_release(sites);
	pages_release(&sites->pages);
	arena_release(&sites->records);
	slots_release(&sites->slots);
	survive_release(&sites->survive);
}

struct site *
sites_take_record(struct sites *sites)
{
	struct site *site = sites->idle;

	if (!site)
		return arena_alloc(&sites->records, sizeof(*site));
	sites->idle = site->user;
	return site;
}

static void
give_record(struct sites *sites, struct site *site)
{
	/*
	 * A record must not be given back twice, because two sites would then
	 * share it.
	 */
	assert(site->address);
	site->address = 0;
	site->user = sites->idle;
	sites->idle = site;
}

uint32_t
sites_note(struct sites *sites, const struct site *site)
{
	return watcher_note(sites->watcher, sites->space->pid, site->address,
			    sites_trap(sites), site->original);
}

void
sites_copy(struct sites *child, const struct sites *parent, struct space *space)
{
	struct pages_cursor cursor = { 0 };
	const struct site *site;

	sites_init(child, parent->table, space, parent->watcher);
	child->limits = parent->limits;
	child->planted = parent->planted;
	slots_copy(&child->slots, &parent->slots);
	survive_copy(&child->survive, &parent->survive);
	while ((site = pages_next(&parent->pages, &cursor))) {
		struct site *copy = sites_take_record(child);

		*copy = *site;
		copy->awaited = 0;
		copy->jumping = NULL;
		copy->hits = 0;
		copy->watched = copy->planted ? sites_note(child, copy) : 0;
		pages_add(&child->pages, copy);
	}
	jumps_copy(child, parent);
}

bool
sites_untouched(const struct sites *sites)
{
	struct pages_cursor cursor = { 0 };

	return !sites->survive.code && !pages_next(&sites->pages, &cursor);
}

struct site *
sites_find(const struct sites *sites, addr_t address)
{
	return pages_find(&sites->pages, address);
}

static void
reread_site(struct sites *sites, struct site *site)
{
	const struct arch_trap *trap = sites_trap(sites);
	uint8_t there[TRAP_MOST];
	bool planted = space_read_raw(sites->space, site->address, there,
				      trap->length) == 0 &&
		       trap_is_at(trap, there) &&
		       !trap_is_at(trap, site->original);

	if (planted == site->planted)
		return;
	if (planted)
		site->watched = sites_note(sites, site);
	else
		watcher_forget(sites->watcher, site->watched);
	if (!planted)
		site->watched = 0;
	site->planted = planted;
	sites->planted += planted ? 1 : (size_t)-1;
}

static void
lift_unknown(struct sites *sites, const struct inside_entry *entry)
{
	const struct arch_trap *trap = sites_trap(sites);
	uint8_t there[TRAP_MOST], original[TRAP_MOST];

	memcpy(original, &entry->original, sizeof(original));
	if (!entry->site || trap_is_at(trap, original) ||
	    sites_find(sites, entry->site))
		return;
	if (way_back_of(sites->space->memory, trap, entry) < 0 ||
	    space_read_raw(sites->space, entry->site, there, trap->length) <
		    0 ||
	    !trap_is_at(trap, there))
		return;
	if (space_write(sites->space, entry->site, original, trap->length) < 0)
		debug("could not lift %#" PRIx64, entry->site);
}

/* True if the site's slot is in this memory. A slot is written before its entry
 * in the handler's table, so an entry proves that the slot was written. */
static bool
has_slot(const struct sites *sites, const struct site *site)
{
	if (!sites->survive.code)
		return slots_cover(&sites->slots, site->slot);
	return survive_slot(&sites->survive, site->address) == site->slot;
}

static int
write_trap(struct sites *sites, struct site *site, bool planted)
{
	const struct arch_trap *trap = sites_trap(sites);
	const uint8_t *before = planted ? site->original : trap->bytes;
	const uint8_t *after = planted ? trap->bytes : site->original;
	uint8_t there[TRAP_MOST];
	int r;

	if (site->planted == planted)
		return 0;
	assert(site->owners || !planted);
	jumps_lift(sites, site, NULL);
	if (jumps_begun(site))
		return -EBUSY;
	if (planted)
		site->watched = sites_note(sites, site);
	/* `planted` is set before the write, as in plant_page(): if xtrace ends
	 * between the two, the last act (base/die.h) must find the trap. */
	site->planted = true;
	/* If the bytes are not our trap any more, we must not restore them. */
	r = space_read_raw(sites->space, site->address, there, trap->length);
	if (r == 0 && memcmp(there, before, trap->length) != 0)
		r = planted ? -ENOTSUP : 0;
	else if (r == 0)
		r = space_write(sites->space, site->address, after,
				trap->length);
	if (r < 0) {
		site->planted = !planted;
		return r;
	}
	if (!planted) {
		watcher_forget(sites->watcher, site->watched);
		site->watched = 0;
	}
	site->planted = planted;
	sites->planted += planted ? 1 : (size_t)-1;
	return 0;
}

/* Plants or removes the trap as the owners of the site demand: the fork may
 * have copied the memory before the owners changed. A site without a slot gets
 * no trap: if xtrace were killed, the handler could not let a thread continue
 * from it. */
static void
agree_with_owners(struct sites *sites, struct site *site)
{
	bool wanted = site->owners != 0;

	if (site->planted == wanted || (wanted && !site->slot))
		return;
	if (write_trap(sites, site, wanted) < 0)
		debug("the trap at %#" PRIxADDR " stays as it is",
		      site->address);
}

void
sites_reread(struct sites *sites)
{
	struct pages_cursor cursor = { 0 };
	struct survive *survive = &sites->survive;
	struct site *site;

	while ((site = pages_next(&sites->pages, &cursor)))
		reread_site(sites, site);
	survive_reread(survive, &sites->slots, sites->space);
	for (uint64_t i = 0; survive->entries && i <= survive->header.mask; i++)
		lift_unknown(sites, &survive->entries[i]);
	/* A slot that was made after the fork is missing in the child, or
	 * belongs to another site there. */
	cursor = (struct pages_cursor){ 0 };
	while ((site = pages_next(&sites->pages, &cursor))) {
		if (site->slot && !has_slot(sites, site))
			site->slot = site->onward = 0;
		agree_with_owners(sites, site);
	}
}

int
sites_own(struct sites *sites, struct site *site, enum site_owner owner)
{
	/* The check of a site's jump was made for the owners that the site had
	 * then. It would let threads pass that the new owner needs. */
	if (!site_owned(site, owner))
		jumps_lift(sites, site, NULL);
	site->owners |= (uint16_t)(1u << owner);
	return sites->suspended ? 0 : write_trap(sites, site, true);
}

void
sites_disown(struct sites *sites, struct site *site, enum site_owner owner)
{
	site->owners &= (uint16_t) ~(1u << owner);
	if (site->owners == 0 && write_trap(sites, site, false) < 0)
		debug("could not lift %#" PRIxADDR, site->address);
}

/*
 * Plants or removes the traps of the guards, or of all other sites. A guard
 * tells us that a thread sets its signal mask. If we missed that, the thread's
 * next trap would lose the mask. So the guards are planted first and removed
 * last.
 */
static void
write_kind(struct sites *sites, bool guards, bool planted)
{
	const uint16_t guard = 1u << SITE_OWNER_GUARD;
	struct pages_cursor cursor = { 0 };
	struct site *site;

	while ((site = pages_next(&sites->pages, &cursor))) {
		if ((site->owners || !planted) &&
		    guards == !!(site->owners & guard) &&
		    write_trap(sites, site, planted) == -ESRCH)
			return;
	}
}

void
sites_lift_all(struct sites *sites)
{
	struct pages_cursor cursor = { 0 };
	struct site *site;

	jumps_lift_all(sites);
	write_kind(sites, false, false);
	write_kind(sites, true, false);
	while ((site = pages_next(&sites->pages, &cursor)))
		site->owners = 0;
}

void
sites_suspend(struct sites *sites)
{
	sites->suspended = true;
	jumps_lift_all(sites);
	write_kind(sites, false, false);
	write_kind(sites, true, false);
}

void
sites_resume(struct sites *sites)
{
	if (sites->suspended) {
		write_kind(sites, true, true);
		write_kind(sites, false, true);
	}
	sites->suspended = false;
}

void
sites_forget(struct sites *sites, addr_t start, addr_t end,
	     void (*dropped)(void *context, struct site *site), void *context)
{
	struct pages_cursor cursor = { 0 };
	struct site *site;

	while ((site = pages_take(&sites->pages, &cursor, start, end))) {
		if (dropped)
			dropped(context, site);
		if (site->planted)
			sites->planted--;
		jumps_forget(sites, site);
		watcher_forget(sites->watcher, site->watched);
		/*
		 * If the handler's table kept the address, the handler would
		 * take an int3 of whatever is mapped there next for one of our
		 * traps.
		 */
		survive_forget(&sites->survive, sites->space, site->address);
		if (site->slot && site->slot_length)
			slots_give(&sites->slots, site->slot,
				   site->slot_length);
		give_record(sites, site);
	}
}
