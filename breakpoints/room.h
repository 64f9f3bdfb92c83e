/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory for our code in a tracee: for slots, and for what jumps need. */
#ifndef BREAKPOINTS_ROOM_H
#define BREAKPOINTS_ROOM_H

#include "breakpoints/sites.h"

/* Maps a region with room for `size` bytes within reach of near, by an injected
 * call of the stopped thread. Returns like slots_map(); -EAGAIN if thread is
 * NULL. */
must_check int room_reserve(struct sites *sites, addr_t near, uint64_t size,
			    struct thread *thread);

/* Takes `size` bytes for code within reach of near. If thread is not NULL, it
 * may map a new region. Returns 0, and the reason in *ret_error, if there is no
 * room. */
addr_t room_take(struct sites *sites, addr_t near, uint64_t size,
		 struct thread *thread, int *ret_error);

#endif
