/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What all calling conventions have in common: the caller passes the address of
 * a result in memory before all arguments, and arguments on the stack are above
 * the return address.
 *
 * A system call has six words, and each argument is one word or several in
 * order. On i386 a number of 64 bits is two words, the lower half first, which
 * need not begin at an even word (SYSCALL_DEFINE in
 * arch/x86/kernel/sys_ia32.c).
 */
#include "values/abi.h"

#include "arch/regs.h"
#include "conf/model/type.h"
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
abi_ask(struct abi_cursor *cursor, const struct proto *proto)
{
	if (cursor->abi->ask)
		cursor->abi->ask(cursor, proto);
}

void
abi_begin_system_call(struct abi_cursor *cursor, const struct arch *arch)
{
	*cursor =
		(struct abi_cursor){ .abi = abi_of(arch), .system_call = true };
}

/* A value of more than two words, or behind the last word, is in a word that
 * does not exist: it cannot be read. */
static void
next_words(struct abi_cursor *cursor, const struct type *type,
	   struct abi_place *place)
{
	const unsigned word = cursor->abi->word;
	const size_t words = (type_size(type) + word - 1) / word;

	if (words > array_size(place->parts))
		cursor->integers = REGISTERS_SYSTEM_CALL;
	for (size_t i = 0; i < words && i < array_size(place->parts); i++)
		place->parts[place->count++] = (struct abi_part){
			.bank = ABI_INTEGER,
			.number = (unsigned char)cursor->integers++,
			.offset = (unsigned char)(i * word),
			.bytes = (unsigned char)word,
		};
}

void
abi_next(struct abi_cursor *cursor, const struct type *type,
	 struct abi_place *ret_place)
{
	*ret_place = (struct abi_place){ 0 };
	if (cursor->system_call) {
		next_words(cursor, type, ret_place);
		return;
	}
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
	if (!result && registers->system_call) {
		if (part->number >= REGISTERS_SYSTEM_CALL)
			return -EFAULT;
		word = registers->system_call[part->number];
	} else if (!result && registers->unknown & 1u << part->number) {
		return -EFAULT;
	} else {
		word = abi->integer(registers, part->number, result);
	}
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
