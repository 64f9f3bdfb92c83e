/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the entry of a function by the address of its first instruction.
 * .debug_aranges leads to the unit; units that are not in it (clang writes
 * none) are asked for their ranges. All functions of a unit are noted when the
 * unit is first needed.
 *
 * Functions are in the unit itself, in namespaces, and in classes. A unit in a
 * .dwo file has its functions there, and only its ranges in the program.
 */
#include "values/learn/learn_parts.h"

#include "base/log.h"
#include "symbols/image.h"

#include <errno.h>

#define SCOPES_MOST 32u /* how deep namespaces and classes are nested */

static bool
has_functions(int tag)
{
	return tag == DW_TAG_namespace || tag == DW_TAG_structure_type ||
	       tag == DW_TAG_class_type || tag == DW_TAG_union_type;
}

/*
 * Without an entry of its own, a function with ranges begins where the first
 * of them begins (DWARF 5, 2.17 and 2.18). clang 19 describes so all but the
 * first function of a .dwo file.
 */
static bool
entry_of(Dwarf_Die *die, Dwarf_Addr *ret_entry)
{
	Dwarf_Addr base, end;

	return dwarf_entrypc(die, ret_entry) == 0 ||
	       dwarf_ranges(die, 0, &base, ret_entry, &end) > 0;
}

static void
note_function(struct learner *learner, Dwarf_Die *die)
{
	Dwarf_Addr entry;

	/* This entry itself must be no declaration. The entry that it completes
	 * (DW_AT_specification) may be one. */
	if (dwarf_hasattr(die, DW_AT_declaration) || !entry_of(die, &entry) ||
	    map_get(&learner->functions, entry))
		return;
	map_put(&learner->functions, entry,
		arena_copy(&learner->arena, die, sizeof(*die)));
}

static int
note_functions(struct learner *learner, Dwarf_Die *around, unsigned depth)
{
	Dwarf_Die child;
	int r = learn_child(learner, around, &child);

	for (; r == 0; r = learn_next(learner, &child)) {
		int tag = dwarf_tag(&child);

		if (tag == DW_TAG_subprogram)
			note_function(learner, &child);
		else if (has_functions(tag) && depth < SCOPES_MOST &&
			 note_functions(learner, &child, depth + 1) < 0)
			return -EBADMSG;
	}
	return r < 0 ? r : 0;
}

/* unit is the entry of a unit in the program or the debug file. */
static void
read_unit(struct learner *learner, Dwarf_Die *unit)
{
	Dwarf_Die split;
	uint8_t type;

	if (map_get(&learner->units, (uintptr_t)unit->addr))
		return;
	map_put(&learner->units, (uintptr_t)unit->addr, learner);
	if (dwarf_cu_info(unit->cu, NULL, &type, NULL, &split, NULL, NULL,
			  NULL) != 0) {
		if (learn_damaged(learner) < 0)
			return;
	}
	if (type != DW_UT_skeleton) {
		if (note_functions(learner, unit, 0) < 0)
			return;
	} else if (!split.addr) {
		debug("%s: a .dwo file is missing", image_name(learner->image));
	} else if (note_functions(learner, &split, 0) < 0) {
		return;
	}
}

static void
read_units_of(struct learner *learner, addr_t address)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die unit;
	uint8_t type;
	int r;

	while (!learner->damage &&
	       (r = dwarf_get_units(learner->dwarf, cu, &cu, NULL, &type, &unit,
				    NULL)) == 0) {
		if (type != DW_UT_type && dwarf_haspc(&unit, address) == 1)
			read_unit(learner, &unit);
	}
	if (!learner->damage && r < 0 && learn_damaged(learner) < 0)
		return;
}

Dwarf_Die *
learn_find(struct learner *learner, addr_t address)
{
	Dwarf_Die unit, *die = map_get(&learner->functions, address);

	if (die)
		return die;
	if (dwarf_addrdie(learner->dwarf, address, &unit)) {
		read_unit(learner, &unit);
		die = map_get(&learner->functions, address);
	}
	if (!die && !learner->damage) {
		read_units_of(learner, address);
		die = map_get(&learner->functions, address);
	}
	return learner->damage ? NULL : die;
}
