/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The first region is the handler area, with the first slots. If no system call
 * can be injected, code is put into the slack of modules.
 */
#include "breakpoints/room.h"

#include <errno.h>

/*
 * Maps a further region, or the first one with the handler area. A process that
 * only shares the space (a vfork child) must not map the first one, because its
 * signal actions are separate.
 */
static int
map_more(struct sites *sites, addr_t near, uint64_t size, struct thread *thread)
{
	bool owns = thread->process->pid == sites->space->pid;
	int r;

	if (!sites->survive.code && owns)
		return survive_begin(&sites->survive, &sites->slots,
				     sites->table, thread, near);
	r = slots_map(&sites->slots, sites->table, thread, near, size);
	if (r == 0)
		r = survive_regions(&sites->survive, &sites->slots,
				    sites->space);
	return r;
}

static int
more_room(struct sites *sites, addr_t near, uint64_t size,
	  struct thread *thread)
{
	int r = map_more(sites, near, size, thread);

	/* If the policy allows no injected system call, the slack of modules is
	 * used. */
	return r == -EPERM ? slots_take_slack(&sites->slots, sites->space) : r;
}

int
room_reserve(struct sites *sites, addr_t near, uint64_t size,
	     struct thread *thread)
{
	return thread ? more_room(sites, near, size, thread) : -EAGAIN;
}

addr_t
room_take(struct sites *sites, addr_t near, uint64_t size,
	  struct thread *thread, int *ret_error)
{
	addr_t at = slots_take(&sites->slots, near, size);

	*ret_error = at ? 0 : -EAGAIN;
	if (at || !thread)
		return at;
	*ret_error = more_room(sites, near, size, thread);
	if (*ret_error == 0)
		at = slots_take(&sites->slots, near, size);
	/* The first mapping may be the handler area, out of reach of near. */
	if (*ret_error == 0 && !at)
		*ret_error = more_room(sites, near, size, thread);
	if (*ret_error == 0 && !at)
		at = slots_take(&sites->slots, near, size);
	return at;
}
