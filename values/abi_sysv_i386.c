/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The calling convention of System V for i386 (psABI 2.2.3, 2.2.4), as GCC and
 * clang have it on Linux. All arguments are on the stack, in order, each at the
 * next multiple of four; only what contains a number of 16 bytes is at a
 * multiple of sixteen. The results:
 *
 *	integers, pointers		eax, and edx above it
 *	float _Complex			eax, and edx above it
 *	float, double, long double	st0
 *	struct, union, the rest		where eax points
 *
 * For a result in memory the function gets the address as a hidden first
 * argument, even if the struct is empty. In the conventions regparm and
 * fastcall, arguments are in registers. No prototype says that a function
 * follows one of these conventions, so these arguments are not found.
 */
#include "values/abi_sysv_i386.h"

#include "arch/regs.h"
#include "conf/model/type.h"

#include <stdint.h>

#define WORD sizeof(uint32_t)
/* The most bytes of a result in eax and edx. */
#define PAIR (2 * WORD)
#define LARGE_ALIGNMENT 16u

static size_t
round_up(size_t value, size_t multiple)
{
	return (value + multiple - 1) / multiple * multiple;
}

static void
begin(struct abi_cursor *cursor, bool hidden)
{
	cursor->stack = hidden ? WORD : 0;
}

static void
next(struct abi_cursor *cursor, const struct type *type,
     struct abi_place *ret_place)
{
	const size_t align =
		type_align(type) < LARGE_ALIGNMENT ? WORD : LARGE_ALIGNMENT;

	if (type_size(type) == 0)
		return;
	ret_place->in_memory = true;
	ret_place->stack = round_up(cursor->stack, align);
	cursor->stack = ret_place->stack + round_up(type_size(type), WORD);
}

static void
place_pair(size_t bytes, struct abi_place *place)
{
	for (size_t at = 0; at < bytes; at += WORD)
		place->parts[place->count++] = (struct abi_part){
			.bank = ABI_INTEGER,
			.number = (unsigned char)(at / WORD),
			.offset = (unsigned char)at,
			.bytes = WORD,
		};
}

static void
place_number(const struct type *type, struct abi_place *place)
{
	place->count = 1;
	place->parts[0] =
		(struct abi_part){ .bank = ABI_X87, .bytes = type->bytes };
}

static void
result(const struct type *type, struct abi_place *ret_place)
{
	switch (type->kind) {
	case TYPE_INT:
	case TYPE_POINTER:
	case TYPE_COMPLEX:
		ret_place->in_memory = type->bytes > PAIR;
		if (!ret_place->in_memory)
			place_pair(type->bytes, ret_place);
		break;
	case TYPE_FLOAT:
		ret_place->in_memory = type->is_quad;
		if (!ret_place->in_memory)
			place_number(type, ret_place);
		break;
	case TYPE_STRUCT:
	case TYPE_UNION:
	case TYPE_ARRAY:
		ret_place->in_memory = true;
		break;
	case TYPE_VOID:
	case TYPE_FUNCTION:
		break;
	}
}

static uint64_t
integer(const struct registers *registers, unsigned number, bool of_result)
{
	const struct user_regs_struct *r = &registers->regs->gpr;

	(void)of_result;
	return (uint32_t)(number == 0 ? r->rax : r->rdx);
}

static addr_t
result_address(const struct registers *registers)
{
	return (uint32_t)registers->regs->gpr.rax;
}

const struct abi abi_sysv_i386 = {
	.result = result,
	.begin = begin,
	.next = next,
	.integer = integer,
	.word = WORD,
	.result_address = result_address,
};
