/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * On x86-64 the arguments of most functions are in registers, and debug
 * information says so, too: then the calling convention is asked, which knows
 * more. On i386 the convention passes none in registers.
 */
#include "values/placed.h"

#include "arch/arch.h"
#include "arch/instruction.h"
#include "arch/regs.h"
#include "conf/model/proto.h"

#include <errno.h>
#include <string.h>

static bool
is_usual(const struct arch_dwarf *dwarf, unsigned number)
{
	for (size_t i = 0; i < array_size(dwarf->arguments); i++)
		if (dwarf->arguments[i] == number)
			return true;
	return false;
}

bool
placed_apart(const struct proto *proto, const struct arch *arch)
{
	const struct arch_dwarf *dwarf =
		arch ? arch->dwarf : arch_of_host()->dwarf;

	for (size_t i = 0; proto->placed && i < proto->count; i++) {
		const struct param *param = &proto->params[i];

		/* Vector registers have numbers above these. */
		if (param->place == PARAM_IN_REGISTERS &&
		    param->registers[0] < dwarf->count &&
		    !is_usual(dwarf, param->registers[0]))
			return true;
	}
	return false;
}

bool
placed_on_stack(const struct param *param, const struct arch *arch)
{
	const struct arch_dwarf *dwarf =
		arch ? arch->dwarf : arch_of_host()->dwarf;

	return param->place == PARAM_BY_CONVENTION &&
	       dwarf->arguments[0] == NO_REGISTER;
}

int
placed_load(const struct param *param, const struct registers *registers,
	    void *to)
{
	const struct arch *arch =
		registers->arch ? registers->arch : arch_of_host();

	/* The registers of a call in flight are not those of its entry. */
	if (registers->unknown)
		return -EFAULT;
	for (unsigned i = 0; i < param->register_count; i++) {
		uint64_t word;

		if (param->registers[i] >= arch->dwarf->count)
			return -EFAULT;
		word = arch->dwarf->get(registers->regs, param->registers[i]);
		memcpy((char *)to + i * arch->word, &word, arch->word);
	}
	return 0;
}
