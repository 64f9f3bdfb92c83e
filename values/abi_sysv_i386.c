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
 * argument, even if the struct is empty.
 *
 * The attributes regparm and fastcall ask for registers, as in GCC's
 * function_arg_advance_32. With regparm(N), the first N words of integers,
 * pointers and structs are in eax, edx and ecx; the address for a result is one
 * of them. An argument that needs more words than are left is on the stack, and
 * then all of the next ones are. With fastcall, ecx and edx are for the first
 * two words, but only an integer or pointer of one word is there: a struct, a
 * union, or what has more words is on the stack, and its words of the registers
 * are not used. A float or a double is always on the stack, and uses no words;
 * so is a struct with nothing but a float or a double, or with such a struct.
 *
 * clang differs for unions, for structs whose size is no multiple of a word,
 * and for _Complex numbers and long doubles. What GCC does is taken.
 */
#include "values/abi_sysv_i386.h"

#include "arch/regs.h"
#include "conf/model/proto.h"
#include "conf/model/type.h"

#include <stdint.h>

#define WORD sizeof(uint32_t)
/* The most bytes of a result in eax and edx. */
#define PAIR (2 * WORD)
#define LARGE_ALIGNMENT 16u

static void
begin(struct abi_cursor *cursor, bool hidden)
{
	cursor->stack = hidden ? WORD : 0;
}

#define FAST_WORDS 2u

static void
ask(struct abi_cursor *cursor, const struct proto *proto)
{
	if (proto->varargs)
		return;
	cursor->fast = proto->fastcall;
	cursor->asked = proto->fastcall ? FAST_WORDS : proto->regparm;
	if (cursor->asked > 0 && cursor->stack > 0) {
		cursor->stack = 0;
		cursor->integers = 1;
		cursor->asked--;
	}
}

/* The registers by the numbers of ABI_INTEGER parts. */
enum { EAX, EDX, ECX };

/* The only member of the struct; NULL: there are more, or it is no struct. */
static const struct type *
only_member(const struct type *type)
{
	const struct type *found = NULL;

	if (type->kind == TYPE_ARRAY)
		found = type->to;
	for (size_t i = 0; type->kind == TYPE_STRUCT && i < type->body->count;
	     i++) {
		const struct type_field *field = &type->body->fields[i];

		if (field->bits == 0 && type_size(field->type) == 0)
			continue;
		if (found || field->bits > 0)
			return NULL;
		found = field->type;
	}
	return found && type_size(found) == type_size(type) ? found : NULL;
}

static bool
is_float(const struct type *type)
{
	const struct type *member;

	while ((member = only_member(type)))
		type = member;
	return type->kind == TYPE_FLOAT || type->kind == TYPE_COMPLEX;
}

/* Places an argument of a function that has asked for registers. Returns false
 * if the argument is on the stack. */
static bool
next_in_registers(struct abi_cursor *cursor, const struct type *type,
		  struct abi_place *place)
{
	static const unsigned char fast[] = { ECX, EDX };
	static const unsigned char some[] = { EAX, EDX, ECX };
	const size_t words = type_round_up(type_size(type), WORD) / WORD;
	const bool one = words == 1 &&
			 (type->kind == TYPE_INT || type->kind == TYPE_POINTER);
	const bool fits = cursor->fast ? one : words <= cursor->asked;

	if (cursor->asked == 0 || is_float(type))
		return false;
	for (size_t i = 0; fits && i < words; i++)
		place->parts[place->count++] = (struct abi_part){
			.bank = ABI_INTEGER,
			.number = (cursor->fast ? fast
						: some)[cursor->integers + i],
			.offset = (unsigned char)(i * WORD),
			.bytes = WORD,
		};
	cursor->integers += (unsigned)words;
	cursor->asked -=
		words < cursor->asked ? (unsigned)words : cursor->asked;
	return fits;
}

static void
next(struct abi_cursor *cursor, const struct type *type,
     struct abi_place *ret_place)
{
	const size_t align =
		type_align(type) < LARGE_ALIGNMENT ? WORD : LARGE_ALIGNMENT;

	if (type_size(type) == 0 || next_in_registers(cursor, type, ret_place))
		return;
	ret_place->in_memory = true;
	ret_place->stack = type_round_up(cursor->stack, align);
	cursor->stack = ret_place->stack + type_round_up(type_size(type), WORD);
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
	return (uint32_t)(number == EAX	  ? r->rax
			  : number == EDX ? r->rdx
					  : r->rcx);
}

static addr_t
result_address(const struct registers *registers)
{
	return (uint32_t)registers->regs->gpr.rax;
}

const struct abi abi_sysv_i386 = {
	.result = result,
	.begin = begin,
	.ask = ask,
	.next = next,
	.integer = integer,
	.word = WORD,
	.result_address = result_address,
};
