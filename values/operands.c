/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An operand has the size of the argument in the source, which the type of a
 * prototype need not have: an int may be declared as a long. Therefore integers
 * are extended to 8 bytes, and further bytes are 0.
 */
#include "values/operands.h"

#include "arch/arch.h"
#include "arch/operand.h"
#include "arch/regs.h"
#include "values/abi.h"
#include "values/capture.h"

#include <errno.h>
#include <string.h>

#define WORD sizeof(uint64_t)

struct place {
	const struct operand *operand;
	const struct arch *arch;
	struct registers *registers;
	struct capture *capture;
};

static addr_t
address_of(const struct place *place)
{
	const struct operand *operand = place->operand;
	const struct regs *regs = place->registers->regs;
	addr_t address = (addr_t)operand->number;

	if (operand->base != OPERAND_NOTHING)
		address += place->arch->dwarf->get(regs, operand->base);
	if (operand->index != OPERAND_NOTHING)
		address += place->arch->dwarf->get(regs, operand->index) *
			   operand->scale;
	if (operand->of_thread)
		address += regs_thread_pointer(regs);
	return address;
}

/* Reads the operand's bytes, without extension. */
static int
read_operand(const struct place *place, unsigned char *raw)
{
	const struct operand *operand = place->operand;
	const struct abi_place vector = {
		.count = 1,
		.parts = { { .bank = ABI_VECTOR,
			     .number = (unsigned char)operand->base,
			     .bytes = operand->bytes } },
	};
	uint64_t word = (uint64_t)operand->number;

	switch (operand->kind) {
	case OPERAND_MEMORY:
		return capture_read(place->capture, address_of(place), raw,
				    operand->bytes);
	case OPERAND_VECTOR:
		return abi_load_argument(&vector, place->registers, raw);
	case OPERAND_REGISTER:
		word = place->arch->dwarf->get(place->registers->regs,
					       operand->base) >>
		       operand->shift;
		break;
	case OPERAND_CONSTANT:
		break;
	}
	memcpy(raw, &word, WORD);
	return 0;
}

static void
extend(const struct operand *operand, unsigned char *raw)
{
	unsigned unused = (unsigned)(WORD - operand->bytes) * 8;
	uint64_t word;

	memcpy(&word, raw, WORD);
	word <<= unused;
	word = operand->is_signed ? (uint64_t)((int64_t)word >> unused)
				  : word >> unused;
	memcpy(raw, &word, WORD);
}

static void
fetch_value(const struct place *place, struct arguments *arguments,
	    struct value *value)
{
	unsigned char *raw;

	if (!place->operand->bytes)
		return;
	raw = arena_zalloc(arguments->arena, ABI_REGISTER_BYTES);
	if (read_operand(place, raw) < 0)
		return;
	extend(place->operand, raw);
	value->bytes = raw;
	value->room = ABI_REGISTER_BYTES;
}

struct arguments *
arguments_at_operands(const struct proto *proto, const struct operand *operands,
		      const struct arch *arch, struct registers *registers,
		      struct capture *capture, struct arena *arena)
{
	struct arguments *arguments = arena_zalloc(arena, sizeof(*arguments));
	struct place place = { NULL, arch, registers, capture };

	arguments->proto = proto;
	arguments->arena = arena;
	arguments->word = arch->word;
	arguments->at =
		arena_zalloc(arena, proto->count * sizeof(*arguments->at));
	arguments->count = proto->count;
	for (size_t i = 0; i < proto->count; i++) {
		struct argument *argument = &arguments->at[i];

		argument->name = proto->params[i].name;
		argument->param = i;
		argument->when = PARAM_AT_ENTRY;
		value_at(&argument->value, proto->params[i].type, 0, capture,
			 arguments);
		place.operand = &operands[i];
		fetch_value(&place, arguments, &argument->value);
	}
	return arguments;
}
