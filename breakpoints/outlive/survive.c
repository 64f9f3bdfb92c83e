/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The handler area is one gap of the address space, mapped as two neighbours:
 *
 *	code  r-x  anchor, handler, stub, slots
 *	data  rw-  header, table
 *
 * To make it takes two injected calls: one for the two mappings and one for the
 * signal action. In between we write their content from outside. The table is
 * the handler's hash table of sites. We keep a copy and write the changed
 * entries, in each entry the site last. When the table is full, a larger one is
 * built beside it, and the header's pointer is changed. A handler that runs at
 * this time finishes in the old table, which is not unmapped as long as we
 * trace.
 *
 * If the program later sets its own SIGTRAP action and we are killed, the
 * program's handler gets the SIGTRAPs of our traps. docs/SURVIVAL.md explains
 * the consequences.
 */
#include "breakpoints/outlive/survive.h"

#include "base/log.h"
#include "base/xmalloc.h"
#include "breakpoints/outlive/area.h"
#include "breakpoints/outlive/sigaction.h"
#include "breakpoints/outlive/unmap.h"
#include "process/regs.h"
#include "process/remote.h"

#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

/* The most changed entries that are written singly, not as a whole table. */
#define WRITE_SINGLY 64
#define SIGSET_SIZE 8

/* The kernel's SA_RESTORER, which the C library's headers do not define. */
#define RESTORER UINT64_C(0x04000000)

void
survive_release(struct survive *survive)
{
	free(survive->entries);
	vec_release(&survive->changed);
	*survive = (struct survive){ 0 };
}

void
survive_copy(struct survive *to, const struct survive *from)
{
	size_t size = (from->header.mask + 1) * sizeof(from->entries[0]);

	*to = *from;
	memset(&to->changed, 0, sizeof(to->changed));
	if (!from->entries)
		return;
	to->entries = xmalloc(size);
	memcpy(to->entries, from->entries, size);
}

/* ---- making a handler area ---------------------------------------------- */

static struct stub_call
map_call(addr_t at, uint64_t size, int protection)
{
	return (struct stub_call){
		.number = SYS_mmap,
		.arguments = { at, size, (uint64_t)protection,
			       MAP_PRIVATE | MAP_ANONYMOUS |
				       MAP_FIXED_NOREPLACE,
			       (uint64_t)-1, 0 },
	};
}

/* True if the tracee may make all system calls for the handler area: ours, and
 * those of the handler. */
static int
area_allowed(const struct thread *thread)
{
	const struct stub_call calls[] = {
		map_call(ADDR_PAGE, AREA_CODE_SIZE, PROT_READ | PROT_EXEC),
		map_call(ADDR_PAGE, AREA_CODE_SIZE, PROT_READ | PROT_WRITE),
		{ SYS_rt_sigaction,
		  { SIGTRAP, ADDR_PAGE, ADDR_PAGE, SIGSET_SIZE } },
		{ SYS_munmap, { ADDR_PAGE, AREA_CODE_SIZE } },
		{ SYS_rt_sigreturn, { 0 } },
	};

	return remote_allowed(thread, calls, sizeof(calls) / sizeof(calls[0]));
}

/* Maps code and data, or neither. -EEXIST: one of the places is not free. */
static int
map_both(struct table *table, struct thread *thread, addr_t scratch, addr_t at,
	 uint64_t data)
{
	const struct stub_call map[] = {
		map_call(at, AREA_CODE_SIZE, PROT_READ | PROT_EXEC),
		map_call(at + AREA_CODE_SIZE, data, PROT_READ | PROT_WRITE),
	};
	int64_t results[2];
	int r = remote_run(table, thread, scratch, map, 2, results);

	if (r < 0)
		return r;
	r = 0;
	for (size_t i = 0; i < 2; i++)
		if ((addr_t)results[i] != map[i].arguments[0] && r != -EEXIST)
			r = results[i] == -EEXIST ? -EEXIST : -ENOSPC;
	for (size_t i = 0; i < 2 && r < 0; i++) {
		const struct stub_call unmap = {
			.number = SYS_munmap,
			.arguments = { (addr_t)results[i],
				       map[i].arguments[1] },
		};
		int64_t result;

		if (results[i] >= 0 && remote_run(table, thread, scratch,
						  &unmap, 1, &result) == -ESRCH)
			return -ESRCH;
	}
	return r;
}

static int
map_area(struct survive *survive, struct slots *slots, struct table *table,
	 struct thread *thread, addr_t near)
{
	uint64_t data = area_data_size(AREA_ENTRIES);
	uint64_t size = AREA_CODE_SIZE + data;
	addr_t at = 0;
	int r;

	do {
		r = slots_gap(slots, thread->process->pid, near, size, &at);
		if (r < 0)
			return r;
		r = map_both(table, thread, slots->scratch, at, data);
	} while (slots_refused(slots, r));
	if (r < 0)
		return r;
	survive->code = at;
	survive->code_size = AREA_CODE_SIZE;
	survive->data = at + AREA_CODE_SIZE;
	return 0;
}

/* The address of a member of the header. */
static addr_t
field(const struct survive *survive, size_t offset)
{
	return survive->data + offset;
}

/* The address of a part of the handler; 0: the handler has no such part. */
static addr_t
inside_at(const struct survive *survive, const unsigned char *where)
{
	if (!where)
		return 0;
	return survive->code +
	       (addr_t)((uintptr_t)where - (uintptr_t)survive->inside->start);
}

static void
fill_header(struct survive *survive, const struct slots *slots)
{
	struct inside_header *header = &survive->header;

	*header = (struct inside_header){
		.magic = INSIDE_MAGIC,
		.size = area_data_size(AREA_ENTRIES),
		.table = survive->data + sizeof(*header),
		.mask = AREA_ENTRIES - 1,
		.ours = {
			.handler = inside_at(survive, survive->inside->handler),
			.flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER |
				 SA_RESTART |
				 (survive->inside->restorer ? RESTORER : 0),
			.restorer = inside_at(survive,
					      survive->inside->restorer),
			.mask = UINT64_MAX,
		},
	};
	header->region_count = 0;
	for (size_t i = 0; i < slots->regions.count && i < INSIDE_REGIONS; i++)
		header->regions[header->region_count++] =
			(struct inside_region){ slots->regions.at[i].start,
						slots->regions.at[i].size,
						slots->regions.at[i].used };
}

/* Writes the code with the anchor in one write. From then on the handler area
 * exists. */
static int
write_area(struct survive *survive, struct space *space)
{
	const struct inside_anchor anchor = { INSIDE_MAGIC, survive->data };
	uint8_t code[ADDR_PAGE];
	int r = space_write(space, survive->data, &survive->header,
			    sizeof(survive->header));

	assert(inside_size(survive->inside) <= sizeof(code));
	memcpy(code, survive->inside->start, inside_size(survive->inside));
	memcpy(code, &anchor, sizeof(anchor));
	if (r == 0)
		r = space_write(space, survive->code, code,
				inside_size(survive->inside));
	return r;
}

static int
set_action(struct survive *survive, struct table *table, struct thread *thread,
	   addr_t scratch)
{
	const addr_t ours =
		field(survive, offsetof(struct inside_header, ours));
	const addr_t theirs =
		field(survive, offsetof(struct inside_header, program));
	struct inside_action *program = &survive->header.program;
	int r = 0;

	/* If xtrace is killed right after its action is set, the header must
	 * already have the program's action. The kernel itself writes it there;
	 * for 32-bit programs it cannot, so xtrace reads the action before. */
	if (thread->process->space->arch->word != sizeof(uint64_t))
		r = survive_sigaction(survive, table, thread, scratch, 0,
				      theirs);
	if (r == 0)
		r = survive_sigaction(survive, table, thread, scratch, ours,
				      theirs);
	if (r == 0)
		r = space_read_raw(thread->process->space, theirs, program,
				   sizeof(*program));
	/* The trap that started this call has reset the action to the
	 * default. */
	if (r == 0 && survive->ignored &&
	    program->handler == (uint64_t)(uintptr_t)SIG_DFL) {
		program->handler = (uint64_t)(uintptr_t)SIG_IGN;
		r = space_write(thread->process->space, theirs, program,
				sizeof(*program));
	}
	return r;
}

int
survive_begin(struct survive *survive, struct slots *slots, struct table *table,
	      struct thread *thread, addr_t near)
{
	struct space *space = thread->process->space;
	cleanup(freep) struct inside_entry *entries = NULL;
	struct region region = { 0 };
	int r;

	if (survive->refused)
		return -EPERM;
	if (!slots->scratch)
		return -ENOENT;
	survive->inside = inside_code(space->arch->word);
	r = area_allowed(thread);
	/* If there is no memory, xtrace dies here. The header already names
	 * everything that is mapped. */
	if (r == 0) {
		entries = xcalloc(AREA_ENTRIES, sizeof(entries[0]));
		vec_push(&slots->regions, region);
		slots->regions.count--;
		r = map_area(survive, slots, table, thread, near);
	}
	if (r < 0) {
		survive->refused = r == -EPERM;
		return r;
	}
	region = (struct region){ .start = survive->code,
				  .size = AREA_CODE_SIZE,
				  .used = area_code_used(survive->inside) +
					  STUB_ROOM };
	assert(region.used <= region.size);
	vec_push(&slots->regions, region);
	fill_header(survive, slots);
	survive->entries = take(entries);
	r = write_area(survive, space);
	if (r == 0)
		r = set_action(survive, table, thread, slots->scratch);
	if (r == 0) {
		slots->scratch =
			survive->code + area_code_used(survive->inside);
		survive_plans(survive, slots);
	}
	debug("%d: handler area at %#" PRIxADDR, thread->process->pid,
	      survive->code);
	return r;
}

void
survive_plans(const struct survive *survive, struct slots *slots)
{
	slots->planned =
		survive->data + offsetof(struct inside_header, planned);
}

addr_t
survive_nudge_note(const struct survive *survive, pid_t tid)
{
	uint64_t place = (uint64_t)tid % INSIDE_HELD;

	if (!survive->code)
		return 0;
	return survive->data + offsetof(struct inside_header, held) +
	       place * sizeof(struct inside_held);
}

/* ---- the table ---------------------------------------------------------- */

static uint64_t
find_place(const struct inside_entry *entries, uint64_t mask, uint64_t site)
{
	uint64_t at = inside_place(site, mask);

	while (entries[at].site && entries[at].site != site)
		at = (at + 1) & mask;
	return at;
}

static int
map_table(struct survive *survive, struct table *table, struct thread *thread,
	  uint64_t entries, addr_t *ret_at)
{
	uint64_t size = addr_whole_pages(entries * sizeof(struct inside_entry));
	struct stub_call call = map_call(0, size, PROT_READ | PROT_WRITE);
	int64_t result;
	int r;

	call.arguments[3] = MAP_PRIVATE | MAP_ANONYMOUS;
	r = remote_run(table, thread,
		       survive->code + area_code_used(survive->inside), &call,
		       1, &result);
	if (r < 0)
		return r;
	if (result < 0)
		return (int)result;
	*ret_at = (addr_t)result;
	return 0;
}

static void
rehash(struct survive *survive, struct inside_entry *grown, uint64_t entries)
{
	for (uint64_t i = 0; i <= survive->header.mask; i++) {
		const struct inside_entry *entry = &survive->entries[i];

		if (entry->site)
			grown[find_place(grown, entries - 1, entry->site)] =
				*entry;
	}
	free(survive->entries);
	survive->entries = grown;
}

int
survive_room(struct survive *survive, struct table *table,
	     struct thread *thread, uint64_t count)
{
	cleanup(freep) struct inside_entry *grown = NULL;
	struct space *space;
	uint64_t entries = survive->header.mask + 1;
	addr_t at = 0;
	int r;

	if (!survive->code || 2 * (survive->count + count) <= entries)
		return 0;
	if (!thread)
		return -EAGAIN;
	space = thread->process->space;
	while (2 * (survive->count + count) > entries)
		entries *= 2;
	grown = xcalloc(entries, sizeof(grown[0]));
	r = map_table(survive, table, thread, entries, &at);
	if (r < 0)
		return r;
	rehash(survive, take(grown), entries);
	vec_clear(&survive->changed);
	r = space_write(space, at, survive->entries,
			entries * sizeof(survive->entries[0]));
	if (r < 0)
		return r;
	survive->header.table = at;
	survive->header.mask = entries - 1;
	/* No handler runs while we trace. With the new table and the old mask,
	 * a handler's search would still end. */
	return space_write(space,
			   survive->data +
				   offsetof(struct inside_header, table),
			   &survive->header.table,
			   2 * sizeof(survive->header.table));
}

void
survive_note(struct survive *survive, struct inside_entry entry)
{
	uint64_t at;

	if (!survive->code || !entry.slot ||
	    2 * survive->count > survive->header.mask)
		return;
	at = find_place(survive->entries, survive->header.mask, entry.site);
	if (!survive->entries[at].site)
		survive->count++;
	survive->entries[at] = entry;
	vec_push(&survive->changed, at);
}

static int
write_entry(const struct survive *survive, struct space *space, uint64_t at)
{
	return space_write(space,
			   survive->header.table +
				   at * sizeof(survive->entries[0]),
			   &survive->entries[at], sizeof(survive->entries[0]));
}

addr_t
survive_site(const struct survive *survive, addr_t slot)
{
	for (uint64_t i = 0; survive->entries && i <= survive->header.mask;
	     i++) {
		const struct inside_entry *entry = &survive->entries[i];

		if (entry->site && entry->slot == slot)
			return entry->site;
	}
	return 0;
}

addr_t
survive_slot(const struct survive *survive, addr_t address)
{
	uint64_t at;

	if (!survive->entries)
		return 0;
	at = find_place(survive->entries, survive->header.mask, address);
	return survive->entries[at].site ? survive->entries[at].slot : 0;
}

/*
 * Removes an entry. Later entries that could not be found across the hole move
 * up. Each is written to its new place before its old place is overwritten, so
 * that every other site is in the table whenever we are killed.
 */
void
survive_forget(struct survive *survive, struct space *space, addr_t address)
{
	struct inside_entry *entries = survive->entries;
	uint64_t mask = survive->header.mask, hole;
	int r = 0;

	if (!entries)
		return;
	hole = find_place(entries, mask, address);
	if (!entries[hole].site)
		return;
	for (uint64_t at = (hole + 1) & mask; entries[at].site;
	     at = (at + 1) & mask) {
		uint64_t first = inside_place(entries[at].site, mask);

		if (((at - first) & mask) < ((at - hole) & mask))
			continue;
		entries[hole] = entries[at];
		r = r < 0 ? r : write_entry(survive, space, hole);
		hole = at;
	}
	entries[hole] = (struct inside_entry){ 0 };
	r = r < 0 ? r : write_entry(survive, space, hole);
	survive->count--;
	if (r < 0)
		debug("the table keeps %#" PRIxADDR ": %d", address, r);
}

int
survive_flush(struct survive *survive, struct space *space)
{
	int r = 0;

	if (survive->changed.count > WRITE_SINGLY)
		r = space_write(space, survive->header.table, survive->entries,
				(survive->header.mask + 1) *
					sizeof(survive->entries[0]));
	for (size_t i = 0; i < survive->changed.count &&
			   survive->changed.count <= WRITE_SINGLY && r == 0;
	     i++)
		r = write_entry(survive, space, survive->changed.at[i]);
	vec_clear(&survive->changed);
	return r;
}

int
survive_regions(struct survive *survive, const struct slots *slots,
		struct space *space)
{
	struct inside_header header = survive->header;

	if (!survive->code)
		return 0;
	fill_header(survive, slots);
	header.region_count = survive->header.region_count;
	memcpy(header.regions, survive->header.regions, sizeof(header.regions));
	survive->header = header;
	/* The notes of nudges are not written: some may be in use. */
	return space_write(space, survive->data, &survive->header,
			   inside_named(&survive->header));
}

/* ---- moving out --------------------------------------------------------- */

/*
 * Is the action in the kernel ours? thread runs the query: 1, 0, or why it
 * cannot run. The default action counts as ours, because the kernel sets it at
 * a trap of a thread that blocks SIGTRAP, and we see all actions that the
 * program sets.
 */
static int
still_ours(struct survive *survive, struct table *table, struct thread *thread,
	   addr_t scratch)
{
	addr_t found = survive->data + offsetof(struct inside_header, found);
	struct inside_action action;
	int r = survive_sigaction(survive, table, thread, scratch, 0, found);

	if (r == 0)
		r = space_read_raw(thread->process->space, found, &action,
				   sizeof(action));
	if (r < 0)
		return r;
	return action.handler == survive->header.ours.handler ||
	       action.handler == (uint64_t)(uintptr_t)SIG_DFL;
}

int
survive_disarm(struct survive *survive, struct table *table,
	       struct thread *thread, addr_t scratch)
{
	const addr_t theirs =
		field(survive, offsetof(struct inside_header, program));
	int r = survive->code ? still_ours(survive, table, thread, scratch) : 0;

	return r <= 0 ? r
		      : survive_sigaction(survive, table, thread, scratch,
					  theirs, 0);
}

/*
 * The handler area is unmapped last, and in one call: until then a later xtrace
 * finds in it what else is left.
 */
int
survive_end(struct survive *survive, const struct slots *slots,
	    struct table *table, struct thread *thread, addr_t scratch,
	    bool newborn)
{
	addr_t first_table = survive->data + sizeof(struct inside_header);
	const struct regs *regs;
	int r;

	if (!survive->code)
		return 0;
	regs = thread_regs(table, thread);
	assert(!regs || !slots_cover(slots, regs_pc(regs)));
	r = unmap_regions(slots, survive->code, table, thread, scratch,
			  newborn);
	if (r == 0 && survive->header.table != first_table)
		r = unmap_range(table, thread, scratch, survive->header.table,
				addr_whole_pages((survive->header.mask + 1) *
						 sizeof(struct inside_entry)));
	if (r == 0)
		r = unmap_range(table, thread, scratch, survive->code,
				survive->data + survive->header.size -
					survive->code);
	if (r == 0)
		survive_release(survive);
	return r;
}
