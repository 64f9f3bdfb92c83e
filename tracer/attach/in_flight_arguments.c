/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * struct arch_code finds in the code where an argument came from or was moved
 * to. This file gives it the code, and computes the value from the registers
 * and memory of the frames. The caller's code is preferred, because it shows
 * the value at the call, while a function may overwrite its parameters.
 */
#include "tracer/attach/in_flight_arguments.h"

#include "arch/code.h"
#include "process/system_call.h"
#include "symbols/fde.h"

#include <errno.h>
#include <stdlib.h>

/* The code of a function that is longer than this many bytes is not read. */
#define CODE_MOST (UINT64_C(64) << 10)
#define ARGUMENTS 6u

/* Reads the code of the function around the address, with the original bytes
 * instead of our traps. The caller frees the bytes. */
static bool
read_code(struct hit *hit, addr_t address, struct code *ret_code)
{
	const struct module *module =
		modmap_covering(&hit->program->modules, address);
	addr_t start, end;
	uint8_t *bytes;

	if (!module ||
	    !image_code_around(module->image, address - module->bias, &start,
			       &end) ||
	    end - start > CODE_MOST)
		return false;
	bytes = xmalloc(end - start);
	if (reader_read(program_memory(hit->program), module->bias + start,
			bytes, end - start) < 0) {
		free(bytes);
		return false;
	}
	*ret_code = (struct code){ bytes, end - start, module->bias + start };
	return true;
}

static uint64_t
cut(uint64_t value, const struct origin *origin)
{
	if (origin->size != sizeof(uint32_t))
		return value;
	return origin->is_signed ? (uint64_t)(int64_t)(int32_t)value
				 : (uint32_t)value;
}

static bool
value_of(struct hit *hit, const struct origin *origin,
	 const struct native_registers *registers, uint64_t *ret_value)
{
	struct reader *memory = program_memory(hit->program);
	uint64_t value = 0;
	uint32_t half;

	if (origin->reg != NO_REGISTER && origin->kind != ORIGIN_CONSTANT) {
		if (!(registers->known >> origin->reg & 1))
			return false;
		value = registers->value[origin->reg];
	}
	value += (uint64_t)origin->number;
	if (origin->kind == ORIGIN_MEMORY && origin->size == sizeof(half)) {
		if (reader_u32(memory, value, &half) < 0)
			return false;
		value = half;
	} else if (origin->kind == ORIGIN_MEMORY &&
		   reader_u64(memory, value, &value) < 0) {
		return false;
	}
	*ret_value = cut(value, origin);
	return true;
}

static void
set_argument(struct hit *hit, unsigned i, uint64_t value)
{
	hit_calling(hit)->set_argument(&hit->regs, i, value);
	hit->unknown &= ~(1u << i);
}

void
in_flight_arguments(struct hit *hit, const struct flight_frame *function,
		    const struct flight_frame *caller)
{
	const struct arch_code *code = hit->program->space->arch->code;
	struct code given = { 0 }, kept = { 0 };
	bool has_given = read_code(hit, caller->pc - 1, &given);
	bool has_kept = read_code(hit, function->pc - 1, &kept);

	/* The compiler may have split the code around pc off its function. Then
	 * the function's beginning is elsewhere, and this code does not tell
	 * where the arguments were moved to. */
	has_kept = has_kept && kept.at == regs_pc(&hit->regs);
	for (unsigned i = 0; i < ARGUMENTS; i++) {
		struct origin origin;
		uint64_t value;

		if (has_given &&
		    code->argument_given(&given, caller->pc, i, &origin) &&
		    value_of(hit, &origin, caller->registers, &value))
			set_argument(hit, i, value);
		else if (has_kept &&
			 code->argument_kept(&kept, function->pc, i, &origin) &&
			 value_of(hit, &origin, function->registers, &value))
			set_argument(hit, i, value);
	}
	free((void *)(uintptr_t)given.bytes);
	free((void *)(uintptr_t)kept.bytes);
}

void
in_flight_of_system_call(struct hit *hit, const struct blocked *at)
{
	for (unsigned i = 0; i < ARGUMENTS; i++)
		set_argument(hit, i, at->arguments[i]);
}

void
in_flight_interrupted(const struct program *program, const struct regs *regs,
		      struct blocked *ret_at)
{
	const struct arch_system_call *call = program->space->arch->system_call;
	int64_t result = call->result(regs);

	ret_at->number = result == -EINTR || system_call_restarts(result)
				 ? call->number(regs)
				 : -1;
	for (unsigned i = 0; i < ARGUMENTS; i++)
		ret_at->arguments[i] = call->argument(regs, i);
}
