/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A module of a tracee as a binary: all symbols of the program are searched,
 * and the exported symbols of other modules. */
#ifndef STACKS_MODULE_BINARY_H
#define STACKS_MODULE_BINARY_H

#include "stacks/binary.h"
#include "symbols/modmap.h"

struct module_binary {
	struct binary binary;
	const struct module *module;
};

/* Makes the binary of a module. The binary keeps a pointer to the module, which
 * the caller owns. */
void module_binary_init(struct module_binary *binary,
			const struct module *module);

#endif
