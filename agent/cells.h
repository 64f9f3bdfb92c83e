/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The cells of an area: each belongs to one handle, a connection or a statement
 * (struct meter_cell). Meters find a cell by its handle. If there are few free
 * cells, a handle without a query loses its cell after a second or more.
 */
#ifndef AGENT_CELLS_H
#define AGENT_CELLS_H

#include "agent/area.h"

/* The address of the handle's cell, or 0. */
addr_t cells_find(const struct area *area, uint64_t handle);
/* Gives the handle a cell, if it has none. now: clock_now(). Returns 0,
 * -ENOSPC, or an error of the memory. */
must_check int cells_add(struct area *area, struct space *space,
			 uint64_t handle, uint64_t now);
/* Takes the handle's cell away. Another handle gets this cell only when no
 * thread uses it. */
void cells_drop(struct area *area, struct space *space, uint64_t handle,
		uint64_t now);

/* Reads a cell with its texts. */
must_check int cells_read(struct space *space, addr_t cell,
			  struct meter_cell *ret_cell);
/* Sets the cell's state: the cell has no query. */
void cells_empty(struct space *space, addr_t cell);

/* xtrace follows the query of the handle itself from now on, so the meters stop
 * its calls. */
void cells_follow_handle(struct area *area, struct space *space,
			 uint64_t handle);
/* xtrace follows no query of the handle, and its cell has none. */
void cells_leave_handle(struct area *area, struct space *space,
			uint64_t handle);
bool cells_is_followed(const struct area *area, addr_t cell);
/* Tells the meters whether xtrace follows queries itself from now on: sets
 * `followed` of struct meter_queries. */
must_check int cells_follow(const struct area *area, struct space *space,
			    bool follow);

#endif
