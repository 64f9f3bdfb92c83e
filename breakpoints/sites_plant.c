/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Plants sites. Slots are written first, then the handler's table, then the
 * traps, so that a crash at any point does no harm. The text of a page is read
 * once and written once, however many sites it has. Of the bytes between the
 * first and the last trap only the trapped ones change, so a thread that runs
 * there sees either the old or the new code.
 */
#include "breakpoints/sites_parts.h"

#include "arch/code.h"
#include "base/log.h"
#include "base/xmalloc.h"
#include "breakpoints/jumps.h"
#include "breakpoints/room.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Reads the original bytes at address, as many as possible. */
static long
read_original(struct sites *sites, addr_t address, uint8_t *window, size_t room)
{
	return reader_some(&sites->space->reader, address, window, room);
}

/*
 * If the first instruction has one byte, the second one is displaced with it.
 * The slot would then skip a trap on the second one. Therefore, if there is a
 * site on the second byte, only the first instruction is displaced.
 */
static struct relocate_limits
limits_at(const struct sites *sites, addr_t address)
{
	struct relocate_limits limits = sites->limits;

	limits.alone =
		sites_find(sites, address + sites_trap(sites)->length) != NULL;
	return limits;
}

static int
relocate(struct sites *sites, const struct code *from, addr_t slot,
	 struct relocated *ret_slot, const char **ret_why)
{
	const struct relocate_limits limits = limits_at(sites, from->at);

	return sites->space->arch->relocate(from, slot, &limits, ret_slot,
					    ret_why);
}

/* If there is a site at the previous byte, and its slot would skip the new
 * site, the earlier site gets another slot when it is hit. */
static void
part_from_neighbour(struct sites *sites, addr_t address)
{
	const unsigned length = sites_trap(sites)->length;
	struct site *before = sites_find(sites, address - length);

	if (before && before->displaced > length)
		before->slot = before->onward = 0;
}

static void
take_relocated(struct site *site, const struct relocated *slot)
{
	site->displaced = slot->displaced;
	site->slot_length = slot->length;
	site->onward = slot->moves_only ? slot->onward : 0;
	site->ambiguous = slot->ambiguous;
	site->steps = slot->steps;
	memcpy(site->step, slot->step, sizeof(site->step));
}

/*
 * Finds the slot that an earlier xtrace made for the address. A thread may be
 * in it, or a signal frame may return to it, and our code finds such a slot by
 * its site. True if its bytes are what we would write there.
 */
static bool
left_slot(struct sites *sites, const struct code *from, addr_t *ret_at,
	  struct relocated *ret_slot)
{
	addr_t at = survive_slot(&sites->survive, from->at);
	uint8_t there[SLOT_ROOM];
	const char *why;

	if (!at || relocate(sites, from, at, ret_slot, &why) < 0)
		return false;
	*ret_at = at;
	return space_read_raw(sites->space, at, there, ret_slot->length) == 0 &&
	       !memcmp(there, ret_slot->bytes, ret_slot->length);
}

/*
 * Relocates the instructions for the new room at *at. If a slot of an earlier
 * xtrace, or a free slot of the same size, can be used instead, sets *at to
 * that slot. Room that is not needed is given back.
 */
static int
relocate_into(struct sites *sites, const struct code *from, addr_t *at,
	      struct relocated *ret_slot, const char **ret_why)
{
	struct relocated slot, other;
	int r = relocate(sites, from, *at, &slot, ret_why);
	addr_t given;

	if (r < 0) {
		slots_trim(&sites->slots, *at, SLOT_ROOM, 0);
		return r;
	}
	if (left_slot(sites, from, &given, &other)) {
		slots_trim(&sites->slots, *at, SLOT_ROOM, 0);
		*at = given;
		*ret_slot = other;
		return 0;
	}
	given = slots_take_given(&sites->slots, from->at, slot.length);
	if (given && relocate(sites, from, given, &other, ret_why) == 0 &&
	    other.length == slot.length) {
		slots_trim(&sites->slots, *at, SLOT_ROOM, 0);
		*at = given;
		*ret_slot = other;
		return 0;
	}
	if (given)
		slots_give(&sites->slots, given, slot.length);
	slots_trim(&sites->slots, *at, SLOT_ROOM, slot.length);
	*ret_slot = slot;
	return 0;
}

/* Puts the site's slot into the handler's table. */
static void
note_slot(struct sites *sites, const struct site *site)
{
	struct inside_entry entry = { .site = site->address,
				      .slot = site->slot };

	memcpy(&entry.original, site->original, sizeof(site->original));
	survive_note(&sites->survive, entry);
}

int
sites_make_slot(struct sites *sites, struct site *site, struct thread *thread,
		const char **ret_why)
{
	uint8_t window[RELOCATE_WINDOW];
	struct relocated slot;
	long have = read_original(sites, site->address, window, sizeof(window));
	struct code from = { window, 0, site->address };
	int r;
	addr_t at;

	if (have <= 0)
		return have < 0 ? (int)have : -EFAULT;
	from.length = (size_t)have;
	at = room_take(sites, site->address, SLOT_ROOM, thread, &r);
	if (!at)
		return r;
	r = relocate_into(sites, &from, &at, &slot, ret_why);
	if (r == 0)
		r = space_write(sites->space, at, slot.bytes, slot.length);
	if (r < 0)
		return r;
	take_relocated(site, &slot);
	site->slot = at;
	if (survive_room(&sites->survive, sites->table, thread, 1) < 0)
		debug("no room in the table for %#" PRIxADDR, site->address);
	note_slot(sites, site);
	return survive_flush(&sites->survive, sites->space);
}

#define WRITE_TOGETHER 65536u

/* Slots are made one after the other and written together. */
struct slot_writer {
	addr_t start;
	size_t length;
	uint8_t bytes[WRITE_TOGETHER];
};

static int
writer_flush(struct sites *sites, struct slot_writer *writer)
{
	int r = 0;

	if (writer->length)
		r = space_write(sites->space, writer->start, writer->bytes,
				writer->length);
	writer->length = 0;
	return r;
}

static int
writer_add(struct sites *sites, struct slot_writer *writer, addr_t at,
	   const struct relocated *slot)
{
	const struct arch_trap *trap = sites_trap(sites);
	addr_t end = writer->start + writer->length;
	int r = 0;

	/* The bytes between two neighbouring slots are not used. */
	if (at < end || at - end >= SLOT_ALIGNMENT || writer->length == 0 ||
	    writer->length + 2u * SLOT_ROOM > WRITE_TOGETHER) {
		r = writer_flush(sites, writer);
		writer->start = end = at;
	}
	for (; end < at; end++)
		writer->bytes[writer->length++] =
			trap->bytes[end % trap->length];
	memcpy(writer->bytes + writer->length, slot->bytes, slot->length);
	writer->length += slot->length;
	return r;
}

/*
 * Makes a record of a site at the address, and adds the code of its slot to the
 * writer. Returns NULL if no trap is possible there; *ret_why is the reason.
 */
static struct site *
examine(struct sites *sites, const struct code *from, struct thread *thread,
	struct slot_writer *writer, const char **ret_why)
{
	const struct arch_trap *trap = sites_trap(sites);
	struct relocated slot;
	struct site *site;
	addr_t at;
	int r;

	/* The address is not mapped any more, because its library is being
	 * unloaded. */
	*ret_why = NULL;
	if (from->length < trap->length)
		return NULL;
	*ret_why = "there is a trap already that is not ours";
	if (trap_is_at(trap, from->bytes))
		return NULL;
	at = room_take(sites, from->at, SLOT_ROOM, thread, &r);
	/*
	 * Without a slot, the handler in the tracee could not handle a trap at
	 * this address.
	 */
	*ret_why = "there is no room for its slot";
	if (!at && sites->survive.code)
		return NULL;
	*ret_why = "its first instruction cannot be displaced";
	if (at)
		r = relocate_into(sites, from, &at, &slot, ret_why);
	else
		r = relocate(sites, from, from->at, &slot, ret_why);
	if (r == 0 && at)
		r = writer_add(sites, writer, at, &slot);
	if (r < 0)
		return NULL;
	site = sites_take_record(sites);
	*site = (struct site){
		.address = from->at,
		.slot = at,
	};
	memcpy(site->original, from->bytes, trap->length);
	take_relocated(site, &slot);
	pages_add(&sites->pages, site);
	part_from_neighbour(sites, from->at);
	note_slot(sites, site);
	return site;
}

static int
compare_plantings(const void *a, const void *b)
{
	const struct planting *const *x = a, *const *y = b;

	if ((*x)->address == (*y)->address)
		return 0;
	return (*x)->address < (*y)->address ? -1 : 1;
}

/* The text of one page and some bytes after it. */
struct page_text {
	addr_t start;
	size_t have;
	uint8_t veiled[ADDR_PAGE + RELOCATE_WINDOW];
};

/* Unreadable bytes are not text. -ESRCH if the memory does not exist any
 * more. */
static int
read_page(struct sites *sites, addr_t page, struct page_text *text)
{
	long have = reader_some(&sites->space->reader, page, text->veiled,
				sizeof(text->veiled));

	text->start = page;
	text->have = have > 0 ? (size_t)have : 0;
	return have == -ESRCH ? -ESRCH : 0;
}

/*
 * Writes the traps of one page in one write. The bytes between the first and
 * the last new trap are written unchanged.
 */
static int
plant_page(struct sites *sites, struct planting **of_page, size_t count)
{
	const struct arch_trap *trap = sites_trap(sites);
	addr_t first = 0, end = 0;
	uint8_t raw[ADDR_PAGE + TRAP_MOST];
	int r;

	for (size_t i = 0; i < count; i++) {
		struct site *site = of_page[i]->site;

		if (!site || site->planted)
			continue;
		first = first ? first : site->address;
		end = site->address + trap->length;
	}
	if (!first)
		return 0;
	r = space_read_raw(sites->space, first, raw, end - first);
	if (r < 0)
		return r;
	for (size_t i = 0; i < count; i++) {
		struct site *site = of_page[i]->site;
		uint8_t *at;

		of_page[i]->now = false;
		if (!site || site->planted)
			continue;
		at = raw + (site->address - first);
		if (memcmp(at, site->original, trap->length) != 0)
			continue;
		assert(site->owners);
		memcpy(at, trap->bytes, trap->length);
		if (!site->watched)
			site->watched = sites_note(sites, site);
		/* `planted` is set before the write. If we die in between, the
		 * byte is compared with our trap before it is restored. */
		site->planted = of_page[i]->now = true;
		sites->planted++;
	}
	r = space_write(sites->space, first, raw, end - first);
	for (size_t i = 0; i < count && r < 0; i++) {
		if (!of_page[i]->now)
			continue;
		of_page[i]->site->planted = false;
		sites->planted--;
	}
	return r;
}

static int
reserve_sorted(struct sites *sites, struct planting **sorted, size_t count,
	       struct thread *thread)
{
	size_t first = 0;
	int r = 0;

	for (size_t i = 1; i <= count && r == 0; i++) {
		addr_t near = sorted[first]->address;
		uint64_t need = (i - first) * SLOT_ROOM;

		/* The size of text that one region serves: half of its reach,
		 * so that the region may be on either side. */
		if (i < count &&
		    sorted[i]->address - near < sites->slots.reach / 2)
			continue;
		/*
		 * Makes the handler area first, then the rest of the room that
		 * is needed.
		 */
		if (!sites->survive.code)
			r = room_reserve(sites, near, SLOT_ROOM, thread);
		if (r == 0 && slots_free(&sites->slots, near) < need)
			r = room_reserve(sites, near, need, thread);
		first = i;
	}
	if (r == 0)
		r = survive_room(&sites->survive, sites->table, thread, count);
	return r;
}

static struct planting **
sort_plantings(const struct planting *plantings, size_t count)
{
	struct planting **sorted = xcalloc(count, sizeof(*sorted));

	bool in_order = true;

	for (size_t i = 0; i < count; i++) {
		sorted[i] = (struct planting *)&plantings[i];
		in_order = in_order && (i == 0 || plantings[i - 1].address <=
							  plantings[i].address);
	}
	if (!in_order)
		qsort(sorted, count, sizeof(*sorted), compare_plantings);
	return sorted;
}

int
sites_reserve(struct sites *sites, const struct planting *plantings,
	      size_t count, struct thread *thread)
{
	struct planting **sorted = sort_plantings(plantings, count);
	int r = reserve_sorted(sites, sorted, count, thread);

	free(sorted);
	return r;
}

/*
 * Before any trap is planted, all addresses are examined and their slots made.
 */
static int
examine_sorted(struct sites *sites, struct planting **sorted, size_t count,
	       enum site_owner owner, struct thread *thread)
{
	struct slot_writer *writer = xmalloc(sizeof(*writer));
	struct page_text text = { 0 };
	int r = 0, flushed;

	writer->start = writer->length = 0;
	for (size_t i = 0; i < count && r == 0; i++) {
		struct planting *p = sorted[i];
		addr_t page = addr_page(p->address);
		size_t at = p->address - page;
		struct code from;

		jumps_make_way(sites, p->address, thread);
		p->site = sites_find(sites, p->address);
		if (!p->site && page != text.start)
			r = read_page(sites, page, &text);
		from = (struct code){ text.veiled + at,
				      text.have > at ? text.have - at : 0,
				      p->address };
		if (from.length > RELOCATE_WINDOW)
			from.length = RELOCATE_WINDOW;
		if (!p->site)
			p->site =
				examine(sites, &from, thread, writer, &p->why);
		if (p->site)
			p->site->owners |= (uint16_t)(1u << owner);
	}
	flushed = writer_flush(sites, writer);
	free(writer);
	return r < 0 ? r : flushed;
}

static int
plant_sorted(struct sites *sites, struct planting **sorted, size_t count)
{
	size_t first = 0;
	int r = 0;

	for (size_t i = 1; i <= count && r == 0; i++) {
		if (i < count &&
		    (sorted[i]->address ^ sorted[first]->address) < ADDR_PAGE)
			continue;
		r = plant_page(sites, sorted + first, i - first);
		first = i;
	}
	return r;
}

int
sites_plant(struct sites *sites, struct planting *plantings, size_t count,
	    enum site_owner owner, struct thread *thread)
{
	struct planting **sorted = sort_plantings(plantings, count);
	int r = thread ? reserve_sorted(sites, sorted, count, thread) : 0;

	if (r < 0 && r != -ESRCH)
		debug("%zu sites without room: %d", count, r);
	if (r != -ESRCH)
		r = examine_sorted(sites, sorted, count, owner, thread);
	if (r == 0)
		r = survive_flush(&sites->survive, sites->space);
	if (r == 0)
		r = plant_sorted(sites, sorted, count);
	free(sorted);
	return r == -ESRCH ? r : 0;
}

int
sites_plant_one(struct sites *sites, addr_t address, enum site_owner owner,
		struct thread *thread, struct site **ret_site,
		const char **ret_why)
{
	struct planting planting = { .address = address };
	int r = sites_plant(sites, &planting, 1, owner, thread);

	if (r < 0)
		return r;
	*ret_why = planting.why;
	if (!planting.site || !planting.site->planted)
		return -ENOTSUP;
	*ret_site = planting.site;
	return 0;
}
