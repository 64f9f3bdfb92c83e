/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A semaphore is counted by a read and a write, which are not atomic: if
 * another tracer counts at the same moment, its count can be lost. The kernel's
 * uprobes count in the same way.
 *
 * The trap of a probe is planted before the semaphore is counted up. So the
 * copy of a fork that has no trap there has a semaphore that was not counted.
 */
#include "breakpoints/semaphores.h"

#include "base/log.h"
#include "base/xmalloc.h"
#include "breakpoints/outlive/watcher.h"

#include <errno.h>

void
semaphores_init(struct semaphores *semaphores, struct space *space,
		struct watcher *watcher)
{
	*semaphores = (struct semaphores){ .space = space, .watcher = watcher };
}

void
semaphores_release(struct semaphores *semaphores)
{
	for (size_t i = 0; i < semaphores->list.count; i++)
		watcher_forget_semaphore(semaphores->watcher,
					 semaphores->list.at[i].watched);
	vec_release(&semaphores->list);
}

static struct semaphore *
find(const struct semaphores *semaphores, addr_t address)
{
	for (size_t i = 0; i < semaphores->list.count; i++) {
		if (semaphores->list.at[i].address == address)
			return &semaphores->list.at[i];
	}
	return NULL;
}

/* Adds `change` to the semaphore. The watcher is told before the write, so it
 * knows, whenever xtrace is killed, whether the write was made. */
static int
count(struct semaphores *semaphores, struct semaphore *semaphore, int change)
{
	uint16_t value, changed;
	int r = space_read_raw(semaphores->space, semaphore->address, &value,
			       sizeof(value));

	if (r < 0)
		return r;
	/* Another process has set the counter to 0, so our count is not in it
	 * any more. */
	if (change < 0 && value == 0)
		return 0;
	changed = (uint16_t)(value + change);
	if (changed == 0 && change > 0)
		return -EOVERFLOW;
	watcher_semaphore_changes(semaphores->watcher, semaphore->watched,
				  change > 0 ? changed : value);
	r = space_write(semaphores->space, semaphore->address, &changed,
			sizeof(changed));
	if (r == 0 && change > 0)
		semaphore->raised = changed;
	return r;
}

int
semaphores_raise(struct semaphores *semaphores, addr_t address,
		 const struct site *site, const struct arch_trap *trap)
{
	struct semaphore semaphore = { .address = address,
				       .site = site->address };
	int r;

	if (find(semaphores, address))
		return 0;
	semaphore.watched =
		watcher_note_semaphore(semaphores->watcher,
				       semaphores->space->pid, address,
				       site->address, trap);
	r = count(semaphores, &semaphore, 1);
	if (r < 0) {
		watcher_forget_semaphore(semaphores->watcher,
					 semaphore.watched);
		return r;
	}
	vec_push(&semaphores->list, semaphore);
	return 0;
}

void
semaphores_lower(struct semaphores *semaphores)
{
	while (semaphores->list.count > 0) {
		struct semaphore *semaphore =
			&semaphores->list.at[semaphores->list.count - 1];

		if (count(semaphores, semaphore, -1) < 0)
			debug("semaphore %#" PRIxADDR " stays counted",
			      semaphore->address);
		watcher_forget_semaphore(semaphores->watcher,
					 semaphore->watched);
		semaphores->list.count--;
	}
}

static bool
was_raised(struct space *space, const struct semaphore *semaphore,
	   const struct arch_trap *trap)
{
	uint8_t there[TRAP_MOST];
	uint16_t value;

	return space_read_raw(space, semaphore->site, there, trap->length) ==
		       0 &&
	       trap_is_at(trap, there) &&
	       space_read_raw(space, semaphore->address, &value,
			      sizeof(value)) == 0 &&
	       value >= semaphore->raised;
}

void
semaphores_copy(struct semaphores *child, const struct semaphores *parent,
		struct space *space, const struct arch_trap *trap)
{
	semaphores_init(child, space, parent->watcher);
	for (size_t i = 0; i < parent->list.count; i++) {
		struct semaphore copy = parent->list.at[i];

		if (!was_raised(space, &copy, trap))
			continue;
		copy.watched =
			watcher_note_semaphore(child->watcher, space->pid,
					       copy.address, copy.site, trap);
		watcher_semaphore_changes(child->watcher, copy.watched,
					  copy.raised);
		vec_push(&child->list, copy);
	}
}

void
semaphores_forget(struct semaphores *semaphores, addr_t start, addr_t end)
{
	for (size_t i = semaphores->list.count; i-- > 0;) {
		const struct semaphore *semaphore = &semaphores->list.at[i];

		if (semaphore->address - start >= end - start &&
		    semaphore->site - start >= end - start)
			continue;
		watcher_forget_semaphore(semaphores->watcher,
					 semaphore->watched);
		vec_remove(&semaphores->list, i);
	}
}
