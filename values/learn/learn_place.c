/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the arguments of a function are at its first instruction, as the
 * location of each parameter tells. A compiler may pass arguments of a function
 * in other places than the calling convention of the system: if the programmer
 * has asked for it (regparm and fastcall on i386), or if the function is called
 * only by code that it compiles itself.
 *
 * Only a location in registers is evidence. In code that is not optimized, a
 * location is often where the function's first instructions store the argument,
 * and this does not tell where it comes from: a stack protector, too, makes the
 * compiler copy arguments from the stack.
 *
 * The entry of a compiled copy has the locations, and each of its parameters
 * refers to one of the abstract function.
 */
#include "values/learn/learn_parts.h"

#include "conf/model/proto.h"

#include <errno.h>
#include <string.h>

#define OPERATIONS_MOST (2u * PARAM_REGISTERS)

/* Reads "register" or "register, size, register, size". Does nothing if the
 * location is something else. */
static void
take_registers(const Dwarf_Op *operations, size_t count, unsigned word,
	       struct param *param)
{
	unsigned char registers[PARAM_REGISTERS];
	unsigned found = 0;

	if (count == 0 || count > OPERATIONS_MOST)
		return;
	for (size_t i = 0; i < count; i += 2) {
		if (operations[i].atom < DW_OP_reg0 ||
		    operations[i].atom > DW_OP_reg31)
			return;
		if (count > 1 &&
		    (i + 1 == count || operations[i + 1].atom != DW_OP_piece ||
		     operations[i + 1].number != word))
			return;
		registers[found++] =
			(unsigned char)(operations[i].atom - DW_OP_reg0);
	}
	param->place = PARAM_IN_REGISTERS;
	param->register_count = (unsigned char)found;
	memcpy(param->registers, registers, found);
}

/* Sets the place of one parameter. die: its entry in the compiled function. */
static void
find_place(unsigned word, Dwarf_Die *die, Dwarf_Addr entry, struct param *param)
{
	Dwarf_Attribute attribute;
	Dwarf_Op *operations = NULL;
	size_t count = 0;
	int found = 0;

	if (dwarf_attr(die, DW_AT_location, &attribute))
		found = dwarf_getlocation_addr(&attribute, entry, &operations,
					       &count, 1);
	if (found == 0)
		param->place = PARAM_OMITTED;
	if (found == 1)
		take_registers(operations, count, word, param);
}

/* Finds the parameter to which an entry in the compiled function refers. */
static int
find_param(struct learner *learner, Dwarf_Die *die, struct learn_param *params,
	   size_t count, struct param **ret_param)
{
	Dwarf_Die origin = *die;
	int r = learn_reference(learner, die, DW_AT_abstract_origin, &origin);

	*ret_param = NULL;
	for (size_t i = 0; i < count && r >= 0; i++)
		if (params[i].die == origin.addr)
			*ret_param = &params[i].param;
	return r;
}

int
learn_places(struct learner *learner, Dwarf_Die *die,
	     struct learn_param *params, size_t count, bool *ret_placed)
{
	Dwarf_Addr entry;
	Dwarf_Die child;
	int r;

	*ret_placed = false;
	if (dwarf_entrypc(die, &entry) < 0)
		return 0;
	for (size_t i = 0; i < count; i++)
		params[i].param.place = PARAM_OMITTED;
	for (r = learn_child(learner, die, &child); r == 0;
	     r = learn_next(learner, &child)) {
		struct param *param;

		if (dwarf_tag(&child) != DW_TAG_formal_parameter)
			continue;
		if (find_param(learner, &child, params, count, &param) < 0)
			return -EBADMSG;
		if (!param)
			continue;
		param->place = PARAM_BY_CONVENTION;
		find_place(learner->word, &child, entry, param);
		*ret_placed |= param->place == PARAM_IN_REGISTERS;
	}
	return r < 0 ? r : 0;
}
