/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is learned from i386 code: which function a call names, e8 rel32. The
 * other functions of struct arch_code find nothing, which is always correct:
 * arguments of calls that began before xtrace attached are unknown, and no
 * accessor is interpreted.
 */
#include "arch/i386/code.h"

#include "arch/x86_64/insn.h"

#include <errno.h>
#include <string.h>

#define CALL 0xe8
#define CALL_LENGTH 5

/* Decodes an instruction. Its effect is not found out, so it counts as a change
 * of all registers. */
static int
instruction(const struct code *code, struct instruction *ret_instruction)
{
	struct insn insn;
	int r = insn_decode_in(INSN_MODE_32, code, &insn);

	if (r < 0)
		return r;
	*ret_instruction = (struct instruction){
		.kind = insn.kind,
		.length = insn.length,
		.effect = { .kind = EFFECT_OTHER, .writes = UINT32_MAX },
	};
	return 0;
}

static bool
may_jump_to(const struct code *code, addr_t target)
{
	(void)code;
	(void)target;
	return true;
}

static bool
argument_unknown(const struct code *code, addr_t pc, unsigned i,
		 struct origin *ret_origin)
{
	(void)code;
	(void)pc;
	(void)i;
	(void)ret_origin;
	return false;
}

/* The target of the direct call before return_address; 0 if another
 * instruction may be there. */
static addr_t
called(struct reader *memory, addr_t return_address)
{
	uint8_t call[CALL_LENGTH];
	int32_t distance;

	if (reader_read(memory, return_address - CALL_LENGTH, call,
			CALL_LENGTH) < 0 ||
	    call[0] != CALL)
		return 0;
	memcpy(&distance, call + 1, sizeof(distance));
	return (uint32_t)(return_address + (addr_t)(int64_t)distance);
}

static enum caller
caller(struct reader *memory, addr_t return_address, addr_t function)
{
	return called(memory, return_address) == function ? CALLER_OURS
							  : CALLER_OTHER;
}

static addr_t
data_address(struct reader *memory, addr_t entry, size_t nth)
{
	(void)memory;
	(void)entry;
	(void)nth;
	return 0;
}

static int
accessor(struct reader *memory, addr_t entry, const uint64_t *arguments,
	 unsigned count, uint64_t *ret_result)
{
	(void)memory;
	(void)entry;
	(void)arguments;
	(void)count;
	(void)ret_result;
	return -ENOTSUP;
}

const struct arch_code i386_code = {
	.instruction = instruction,
	.may_jump_to = may_jump_to,
	.argument_given = argument_unknown,
	.argument_kept = argument_unknown,
	.caller = caller,
	.called = called,
	.data_address = data_address,
	.accessor = accessor,
};
