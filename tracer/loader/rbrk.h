/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The site in the loader, and the r_debug that leads to its lists. */
#ifndef TRACER_LOADER_RBRK_H
#define TRACER_LOADER_RBRK_H

#include "tracer/model/session.h"

/* Plants the site in the loader. thread is stopped, or NULL. Returns 0 or
 * -ESRCH; if no trap can be planted, it prints a message. */
must_check int rbrk_plant(struct program *program, addr_t address,
			  struct thread *thread);

/* The address of a symbol of the loader, 0 if it has none. */
addr_t rbrk_symbol(const struct module *loader, const char *name);

/* Fills in program->loader.r_debug if it can be known now. */
void rbrk_find(struct program *program);

#endif
