/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Each call of a sub has a pad, an array whose first element is @_, the array
 * of what was passed. shift() moves the beginning of @_, but leaves what it
 * removes in the memory of the array:
 *
 *	code	body { padlist 72 }
 *	padlist	{ pads 8 }, pads[depth]
 *	array	{ body 0, elements 16 }, body { last index 16, memory 32 }
 *
 * Perl passes the caller's variables themselves, and a loop may use one
 * variable for all values. So a hash identifies the arguments: it is made of
 * the addresses of the variables and of what is in them, which is a number, or
 * the address of a text or object.
 *
 *	value	{ body 0, flags 12, text or object 16 }, body { number 32 }
 *
 * (pad.h, av.h; the same from 5.30 to 5.42.)
 */
#include "stacks/perl_call.h"

#define VALUE_BODY 0
#define VALUE_FLAGS 12
#define VALUE_DATA 16
#define BODY_NUMBER 32
#define CODE_PADS 72
#define PADS_ARRAY 8
#define BODY_LAST 16
#define BODY_MEMORY 32

/* SVf_IOK, SVp_IOK: the value has a number, perhaps with a text of this
 * number. */
#define FLAGS_NUMBER 0x1100u
#define PASSED_MOST 64u

static uint64_t
mixed(uint64_t sum, uint64_t value)
{
	return (sum ^ value) * UINT64_C(0x100000001b3);
}

static uint64_t
content(struct peek *peek, addr_t value)
{
	if (peek_u32(peek, value + VALUE_FLAGS) & FLAGS_NUMBER)
		return peek_u64(peek, peek_u64(peek, value + VALUE_BODY) +
					      BODY_NUMBER);
	return peek_u64(peek, value + VALUE_DATA);
}

bool
perl_call_arguments(struct peek *peek, addr_t code, uint32_t depth,
		    uint64_t *ret_arguments)
{
	addr_t pads =
		peek_u64(peek, peek_u64(peek, code + VALUE_BODY) + CODE_PADS);
	addr_t pad = peek_u64(peek, peek_u64(peek, pads + PADS_ARRAY) +
					    8 * (addr_t)depth);
	addr_t array = peek_u64(peek, peek_u64(peek, pad + VALUE_DATA));
	addr_t body = peek_u64(peek, array + VALUE_BODY);
	addr_t memory = peek_u64(peek, body + BODY_MEMORY);
	addr_t end = peek_u64(peek, array + VALUE_DATA) +
		     8 * (peek_u64(peek, body + BODY_LAST) + 1);
	uint64_t sum = 0;

	for (unsigned i = 0; memory < end && i < PASSED_MOST; i++) {
		addr_t value = peek_u64(peek, memory);

		sum = mixed(sum, value);
		if (value)
			sum = mixed(sum, content(peek, value));
		memory += 8;
	}
	if (peek_failed(peek))
		return false;
	*ret_arguments = sum;
	return true;
}
