/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A library with an interpreter exports its symbols. If the program is the
 * interpreter, it may export none of them, so all of its symbols are
 * searched. */
#include "stacks/module_binary.h"

#include "base/attr.h"
#include "symbols/symtab.h"

static addr_t
module_symbol(struct binary *binary, const char *name)
{
	const struct module *module =
		container_of(binary, struct module_binary, binary)->module;
	const struct symbol *symbol =
		symtab_find(module->image, SYMTAB_DYNAMIC, name);

	if (!symbol && module->main)
		symbol = symtab_find(module->image, SYMTAB_ALL, name);
	return symbol ? module->bias + symbol->address : 0;
}

void
module_binary_init(struct module_binary *binary, const struct module *module)
{
	*binary = (struct module_binary){
		.binary = { .symbol = module_symbol,
			    .label = image_label(module->image),
			    .arch = image_arch(module->image) },
		.module = module,
	};
}
