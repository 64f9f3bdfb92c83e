/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A host is a module that may contain an interpreter. This interface tells
 * which symbols it defines, and where. In a tracee the host is a module of the
 * map; in a test it is a list of names.
 */
#ifndef STACKS_HOST_H
#define STACKS_HOST_H

#include "arch/arch.h"
#include "base/addr.h"

struct host {
	/* The address of the symbol of that name in the tracee, or 0. */
	addr_t (*symbol)(struct host *host, const char *name);
	const char *label;
	const struct arch *arch;
};

static inline addr_t
host_symbol(struct host *host, const char *name)
{
	return host->symbol(host, name);
}

#endif
