/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The site in the loader, and the r_debug that tells of its lists. */
#ifndef TRACER_LOADER_RBRK_H
#define TRACER_LOADER_RBRK_H

#include "tracer/model/session.h"

/* thread: a stopped one, or NULL. 0 or -ESRCH; where no trap can be planted
 * the user is told. */
must_check int rbrk_plant(struct program *program, addr_t address,
			  struct thread *thread);

/* The address of a symbol of the loader, 0 without one. */
addr_t rbrk_symbol(const struct module *loader, const char *name);

/* Fills in program->loader.r_debug if it can be known now. */
void rbrk_find(struct program *program);

#endif
