/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Any number may be a pointer. It is treated as one if it is an address that a
 * program can have. Only the calls of a function whose prototype is not known
 * yet are read ahead, with some hundred reads at most. An argument that needs
 * more memory than was read is shown as unreadable, as if the program had not
 * mapped it.
 */
#include "values/foresee.h"

#include "arch/arch.h"
#include "arch/instruction.h"
#include "arch/regs.h"
#include "base/arena.h"
#include "conf/model/proto.h"
#include "conf/model/type.h"
#include "values/capture.h"
#include "values/fetch.h"

#define STACK_BYTES ((size_t)512)
#define FIRST_BYTES ((size_t)1024) /* how many are read at an argument */
#define SECOND_BYTES ((size_t)256) /* how many are read at a pointer in it */
#define POINTERS_MOST 16u	   /* how many are followed in an argument */

/* The prototype of a function with twelve words as its parameters. */
#define FOUR_WORDS(size)                                    \
	{ .type = &word_##size }, { .type = &word_##size }, \
		{ .type = &word_##size },                   \
	{                                                   \
		.type = &word_##size                        \
	}
#define WORDS(size)                                                       \
	static const struct type word_##size = { .kind = TYPE_INT,        \
						 .bytes = (size) };       \
	static const struct param params_##size[] = { FOUR_WORDS(size),   \
						      FOUR_WORDS(size),   \
						      FOUR_WORDS(size) }; \
	static const struct proto words_##size = {                        \
		.returns = &word_##size,                                  \
		.params = params_##size,                                  \
		.count = array_size(params_##size),                       \
		.format = -1,                                             \
	};

WORDS(8)
WORDS(4)

/* In the first page nothing is mapped, and a program has the lower half of
 * the addresses (Linux, Documentation/arch/x86/x86_64/mm.rst). */
static bool
may_be_pointer(addr_t address)
{
	return address >= ADDR_PAGE && address < UINT64_C(1) << 56;
}

/* Reads the bytes in a loop: they may be in several pieces of the capture,
 * because some were read before, or because they cross pages. */
static void
read_ahead(struct capture *capture, addr_t address, size_t length)
{
	while (length > 0) {
		size_t have;

		if (!capture_peek(capture, address, length, &have))
			return;
		address += have;
		length -= have;
	}
}

static void
read_behind(struct capture *capture, unsigned word, addr_t address)
{
	if (!may_be_pointer(address))
		return;
	read_ahead(capture, address, FIRST_BYTES);
	for (size_t i = 0; i < POINTERS_MOST; i++) {
		addr_t pointer = 0;

		if (capture_read(capture, address + i * word, &pointer, word) <
		    0)
			return;
		if (may_be_pointer(pointer))
			read_ahead(capture, pointer, SECOND_BYTES);
	}
}

/* If the convention passes no argument in registers, a function may still have
 * one there (values/placed), in a register that it need not preserve. */
static void
read_behind_registers(const struct registers *registers,
		      struct capture *capture)
{
	const struct arch *arch = registers->arch;
	const struct arch_dwarf *dwarf = arch ? arch->dwarf : NULL;

	if (!dwarf || dwarf->arguments[0] != NO_REGISTER)
		return;
	for (unsigned i = 0; i < dwarf->count; i++)
		if (i != dwarf->sp && i != dwarf->pc &&
		    !(dwarf->preserved >> i & 1))
			read_behind(capture, arch->word,
				    dwarf->get(registers->regs, i));
}

void
foresee(struct registers *registers, struct capture *capture)
{
	const bool narrow = registers->arch && registers->arch->word == 4;
	const struct arguments *arguments =
		arguments_fetch(narrow ? &words_4 : &words_8, registers,
				capture, capture->arena);

	for (size_t i = 0; i < arguments->count; i++) {
		const struct value *value = &arguments->at[i].value;
		int64_t number;

		/* This is the first argument on the stack: reads it and the
		 * next ones. */
		if (value->address &&
		    (i == 0 || !arguments->at[i - 1].value.address))
			read_ahead(capture, value->address, STACK_BYTES);
		if (value_integer(value, &number) == 0)
			read_behind(capture, arguments->word, (addr_t)number);
	}
	read_behind_registers(registers, capture);
}
