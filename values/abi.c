/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What all calling conventions have in common: the caller passes the address of
 * a result in memory before all arguments, and arguments on the stack are above
 * the return address.
 */
#include "values/abi.h"

#include "arch/regs.h"
#include "values/abi_parts.h"

#include <errno.h>
#include <string.h>

void
abi_begin(struct abi_cursor *cursor, const struct arch *arch,
	  const struct type *returns)
{
	struct abi_place place;

	abi_result(arch, returns, &place);
	*cursor = (struct abi_cursor){ .abi = abi_of(arch) };
	cursor->abi->begin(cursor, place.in_memory);
}

void
abi_next(struct abi_cursor *cursor, const struct type *type,
	 struct abi_place *ret_place)
{
	*ret_place = (struct abi_place){ 0 };
	cursor->abi->next(cursor, type, ret_place);
}

void
abi_result(const struct arch *arch, const struct type *type,
	   struct abi_place *ret_place)
{
	*ret_place = (struct abi_place){ 0 };
	abi_of(arch)->result(type, ret_place);
}

static int
load_part(const struct abi_part *part, struct registers *registers, bool result,
	  char *to)
{
	const struct abi *abi = abi_of(registers->arch);
	uint64_t word;

	if (part->bank != ABI_INTEGER)
		return abi_load_wide(part, registers, to);
	if (!result && registers->unknown & 1u << part->number)
		return -EFAULT;
	word = abi->integer(registers, part->number, result);
	memcpy(to, &word, abi->word);
	return 0;
}

static int
load(const struct abi_place *place, struct registers *registers, bool result,
     void *to)
{
	for (unsigned i = 0; i < place->count; i++) {
		const struct abi_part *part = &place->parts[i];
		int r = load_part(part, registers, result,
				  (char *)to + part->offset);

		if (r < 0)
			return r;
	}
	return 0;
}

int
abi_load_argument(const struct abi_place *place, struct registers *registers,
		  void *to)
{
	return load(place, registers, false, to);
}

int
abi_load_result(const struct abi_place *place, struct registers *registers,
		void *to)
{
	return load(place, registers, true, to);
}

addr_t
abi_argument_address(const struct abi_place *place,
		     const struct registers *registers)
{
	return regs_sp(registers->regs) + abi_of(registers->arch)->word +
	       place->stack;
}

addr_t
abi_result_address(const struct registers *registers)
{
	return abi_of(registers->arch)->result_address(registers);
}
