/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How entries and attributes are read. libdw checks that everything is within
 * its section, but not that a list ends: DW_AT_sibling may lead backwards.
 * Children are in the order of the section (DWARF 5, 2.3), so a child that is
 * not behind the one before it is damage.
 */
#include "values/learn/learn_parts.h"

#include <errno.h>
#include <stdlib.h>

int
learn_damaged(struct learner *learner)
{
	const char *why = dwarf_errmsg(-1);

	if (!learner->damage)
		learner->damage = xstrdup(why ? why : "invalid DWARF");
	return -EBADMSG;
}

static int
found(struct learner *learner, int r)
{
	return r < 0 ? learn_damaged(learner) : r;
}

int
learn_child(struct learner *learner, Dwarf_Die *die, Dwarf_Die *ret_child)
{
	return found(learner, dwarf_child(die, ret_child));
}

int
learn_next(struct learner *learner, Dwarf_Die *child)
{
	const void *before = child->addr;
	int r = dwarf_siblingof(child, child);

	if (r == 0 && child->addr <= before)
		r = -1;
	return found(learner, r);
}

int
learn_number(struct learner *learner, Dwarf_Die *die, unsigned name,
	     uint64_t *ret_number)
{
	Dwarf_Attribute attribute;
	Dwarf_Word number;
	Dwarf_Sword sword;

	if (!dwarf_attr_integrate(die, name, &attribute))
		return 0;
	switch (dwarf_whatform(&attribute)) {
	case DW_FORM_exprloc:
	case DW_FORM_block:
	case DW_FORM_block1:
	case DW_FORM_block2:
	case DW_FORM_block4:
	case DW_FORM_ref1:
	case DW_FORM_ref2:
	case DW_FORM_ref4:
	case DW_FORM_ref8:
	case DW_FORM_ref_udata:
	case DW_FORM_loclistx:
		return -ENOTSUP;
	case DW_FORM_sdata:
	case DW_FORM_implicit_const:
		if (dwarf_formsdata(&attribute, &sword) != 0)
			return learn_damaged(learner);
		*ret_number = (uint64_t)sword;
		return 1;
	default:
		if (dwarf_formudata(&attribute, &number) != 0)
			return learn_damaged(learner);
		*ret_number = number;
		return 1;
	}
}

bool
learn_flag(Dwarf_Die *die, unsigned name)
{
	Dwarf_Attribute attribute;
	bool is_set = false;

	return dwarf_attr_integrate(die, name, &attribute) &&
	       dwarf_formflag(&attribute, &is_set) == 0 && is_set;
}

int
learn_reference(struct learner *learner, Dwarf_Die *die, unsigned name,
		Dwarf_Die *ret_die)
{
	Dwarf_Attribute attribute;

	if (!dwarf_attr_integrate(die, name, &attribute))
		return 0;
	if (!dwarf_formref_die(&attribute, ret_die))
		return learn_damaged(learner);
	return 1;
}

const char *
learn_name(struct learner *learner, Dwarf_Die *die)
{
	const char *name = dwarf_diename(die);

	return name && *name ? arena_strdup(&learner->arena, name) : NULL;
}

int
learn_definition(struct learner *learner, Dwarf_Die *die, Dwarf_Die *ret_die)
{
	int r;

	*ret_die = *die;
	r = learn_reference(learner, die, DW_AT_signature, ret_die);
	return r < 0 ? r : 0;
}
