/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A binary is a module that may contain an interpreter. This interface tells
 * which symbols it defines, and where. In a tracee the binary is a module of
 * the map; in a test it is a list of names.
 */
#ifndef STACKS_BINARY_H
#define STACKS_BINARY_H

#include "arch/arch.h"
#include "base/addr.h"

struct binary {
	/* The address of the symbol of that name in the tracee, or 0. */
	addr_t (*symbol)(struct binary *binary, const char *name);
	const char *label;
	const struct arch *arch;
};

static inline addr_t
binary_symbol(struct binary *binary, const char *name)
{
	return binary->symbol(binary, name);
}

#endif
