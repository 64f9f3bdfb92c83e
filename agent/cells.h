/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The cells of an area: each belongs to one handle, a connection or a statement
 * (struct meter_cell). Meters find a cell by its handle.
 */
#ifndef AGENT_CELLS_H
#define AGENT_CELLS_H

#include "agent/area.h"

/* The address of the handle's cell, or 0. */
addr_t cells_find(const struct area *area, uint64_t handle);
/* Gives the handle a cell, if it has none. Returns 0, -ENOSPC, or an error of
 * the memory. */
must_check int cells_add(struct area *area, struct space *space,
			 uint64_t handle);
/* Takes the handle's cell away. Only for a handle that the stopped thread uses:
 * then no other thread uses the handle, and no thread is in a meter for it. */
void cells_drop(struct area *area, struct space *space, uint64_t handle);

/* Is this the address of a cell? An address that was read from a block may be
 * wrong, because the program can overwrite the block. */
bool cells_has(const struct area *area, addr_t cell);
/* Reads a cell with its texts. */
must_check int cells_read(struct space *space, addr_t cell,
			  struct meter_cell *ret_cell);
/* Sets the cell's state: the cell has no query. */
void cells_empty(struct space *space, addr_t cell);

/* Sets the cell's state: xtrace follows the query of the handle itself, so the
 * meters stop its calls. */
void cells_set_followed(struct space *space, addr_t cell);
/* Tells the meters whether xtrace follows queries itself from now on: sets
 * `followed` of struct meter_queries. */
must_check int cells_follow(const struct area *area, struct space *space,
			    bool follow);

#endif
