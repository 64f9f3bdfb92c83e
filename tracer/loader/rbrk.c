/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * r_brk is an empty function that the loader calls before and after each change
 * of its lists. Before the loader's first instruction, its address is the
 * symbol _dl_debug_state in the loader's file; later r_debug contains the
 * address.
 */
#include "tracer/loader/rbrk.h"

#include "process/linkmap.h"
#include "symbols/symtab.h"
#include "tracer/loader/links.h"
#include "tracer/model/say.h"

#include <errno.h>

int
rbrk_plant(struct program *program, addr_t address, struct thread *thread)
{
	struct loader *loader = &program->loader;
	const char *why = NULL;
	struct site *site;
	int r;

	if (loader->brk && loader->brk->address == address)
		return 0;
	r = sites_plant_one(&program->sites, address, SITE_OWNER_LOADER, thread,
			    &site, &why);
	if (r == -ESRCH)
		return r;
	if (r < 0) {
		say("process %d: libraries loaded later will not be seen: "
		    "no trap in its loader%s%s",
		    program->space->pid, why ? ": " : "", why ? why : "");
		return 0;
	}
	if (loader->brk)
		sites_disown(&program->sites, loader->brk, SITE_OWNER_LOADER);
	loader->brk = site;
	return 0;
}

/* The address of a symbol of the loader, 0 if it has none. */
addr_t
rbrk_symbol(const struct module *loader, const char *name)
{
	const struct symbol *symbol =
		symtab_find(loader->image, SYMTAB_DYNAMIC, name);

	if (!symbol)
		symbol = symtab_find(loader->image, SYMTAB_ALL, name);
	return symbol ? loader->bias + symbol->address : 0;
}

/*
 * r_debug is found through the program's DT_DEBUG. If the loader itself was run
 * as the program, it is found through the loader's own symbol until the program
 * is known.
 */
void
rbrk_find(struct program *program)
{
	struct module *main = links_main(program);
	struct module *ld = links_loader(program);
	addr_t found = 0;

	if (program->loader.r_debug)
		return;
	if (main && main->dynamic &&
	    linkmap_find(program_memory(program), program_word(program),
			 main->dynamic, &found) < 0)
		found = 0;
	if (!found && ld)
		found = rbrk_symbol(ld, "_r_debug");
	program->loader.r_debug = found;
}
