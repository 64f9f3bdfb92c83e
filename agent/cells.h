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
/* The handle has no cell any more. A stopped thread uses the handle, so no
 * other thread does, and no thread is in a meter for it. */
void cells_drop(struct area *area, struct space *space, uint64_t handle);

/* Is this the address of a cell? It may be what a block says, which the program
 * can have overwritten. */
bool cells_has(const struct area *area, addr_t cell);
/* Reads a cell with its texts. */
must_check int cells_read(struct space *space, addr_t cell,
			  struct meter_cell *ret_cell);
/* The cell has no query any more. */
void cells_empty(struct space *space, addr_t cell);

/* xtrace follows the query of the cell's handle itself. */
void cells_set_followed(struct space *space, addr_t cell);
/* xtrace follows queries itself from now on, or no longer. */
must_check int cells_follow(const struct area *area, struct space *space,
			    bool follow);

#endif
