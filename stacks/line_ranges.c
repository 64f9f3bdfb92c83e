/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A table of lines is a program, which builds rows of { address, file, line }
 * (DWARF 5, 6.2.5). Of this program only the addresses are followed here:
 *
 *	header | set_address A ... special ... advance_pc ... end_sequence | ...
 *	         ^ low                                        ^ high
 *
 * Special opcodes advance the address and the line by a number from a small
 * table, which the header describes.
 *
 * Tables before DWARF 5 are refused, because the folder of their files is in
 * .debug_info. The linker sets the addresses of discarded functions to 0 or
 * -1; sequences that begin there are left out.
 */
#include "stacks/line_ranges.h"

#include <string.h>

enum {
	OP_EXTENDED = 0,
	OP_COPY,
	OP_ADVANCE_PC,
	OP_ADVANCE_LINE,
	OP_SET_FILE,
	OP_SET_COLUMN,
	OP_NEGATE_STMT,
	OP_SET_BASIC_BLOCK,
	OP_CONST_ADD_PC,
	OP_FIXED_ADVANCE_PC,
	OP_KNOWN
};

enum { EXTENDED_END_SEQUENCE = 1, EXTENDED_SET_ADDRESS = 2 };

/* The bytes that are still to be read. A read beyond the end sets `bad` and
 * leaves no bytes. */
struct line_bytes {
	const uint8_t *at, *end;
	bool bad;
};

struct line_program {
	struct line_bytes rest;
	uint64_t table;
	uint64_t step; /* the least length of an instruction */
	uint8_t line_range, opcode_base;
	/* how many operands each opcode has, from opcode 1 on */
	const uint8_t *operands;
	addr_t address, low;
	bool begun; /* there was a row since the last end of a sequence */
};

static const uint8_t *
skip(struct line_bytes *rest, uint64_t length)
{
	const uint8_t *at = rest->at;

	if (length > (uint64_t)(rest->end - rest->at)) {
		rest->bad = true;
		rest->at = rest->end;
		return NULL;
	}
	rest->at += length;
	return at;
}

static uint64_t
number(struct line_bytes *rest, size_t length)
{
	const uint8_t *at = skip(rest, length);
	uint64_t value = 0;

	if (at)
		memcpy(&value, at, length);
	return value;
}

static uint64_t
leb128(struct line_bytes *rest)
{
	uint64_t value = 0;

	for (unsigned shift = 0; rest->at < rest->end; shift += 7) {
		const uint8_t byte = *rest->at++;

		if (shift < 64)
			value |= (uint64_t)(byte & 127) << shift;
		if (!(byte & 128))
			return value;
	}
	rest->bad = true;
	return 0;
}

/* ---- the program --------------------------------------------------------- */

static void
add_row(struct line_program *program)
{
	if (!program->begun)
		program->low = program->address;
	program->begun = true;
}

static void
end_sequence(struct line_program *program, struct line_ranges *ranges)
{
	const struct line_range range = { program->low, program->address,
					  program->table };

	if (program->begun && range.low && range.low < range.high)
		vec_push(&ranges->list, range);
	program->begun = false;
	program->address = 0;
}

static void
run_extended(struct line_program *program, struct line_ranges *ranges)
{
	const uint64_t length = leb128(&program->rest);
	const uint8_t *at = skip(&program->rest, length);

	if (!at || !length)
		return;
	if (*at == EXTENDED_END_SEQUENCE)
		end_sequence(program, ranges);
	if (*at == EXTENDED_SET_ADDRESS && length == 1 + sizeof(addr_t))
		memcpy(&program->address, at + 1, sizeof(addr_t));
}

static void
run_standard(struct line_program *program, uint8_t opcode)
{
	struct line_bytes *rest = &program->rest;

	switch (opcode) {
	case OP_COPY:
		add_row(program);
		return;
	case OP_ADVANCE_PC:
		program->address += leb128(rest) * program->step;
		return;
	case OP_CONST_ADD_PC:
		program->address += (255u - program->opcode_base) /
				    program->line_range * program->step;
		return;
	case OP_FIXED_ADVANCE_PC:
		program->address += number(rest, 2);
		return;
	}
	for (unsigned i = program->operands[opcode - 1]; i; i--)
		leb128(rest);
}

static void
run_program(struct line_program *program, struct line_ranges *ranges)
{
	while (program->rest.at < program->rest.end) {
		const uint8_t opcode = *program->rest.at++;

		if (opcode >= program->opcode_base) {
			program->address += (opcode - program->opcode_base) /
					    program->line_range * program->step;
			add_row(program);
		} else if (opcode == OP_EXTENDED) {
			run_extended(program, ranges);
		} else {
			run_standard(program, opcode);
		}
	}
}

/* ---- the tables ---------------------------------------------------------- */

/* Do opcodes 1 to 9 have the operands that they have in DWARF 5? */
static bool
is_usual(const struct line_program *program)
{
	static const uint8_t usual[] = { 0, 1, 1, 1, 1, 0, 0, 0, 1 };

	return program->opcode_base >= OP_KNOWN && program->operands &&
	       memcmp(program->operands, usual, sizeof(usual)) == 0;
}

/* Reads a table, behind its length (DWARF 5, 6.2.4). */
static bool
read_table(struct line_ranges *ranges, struct line_program *program,
	   size_t offset_size)
{
	struct line_bytes *rest = &program->rest;
	uint64_t header, most_operations;
	const uint8_t *start;

	if (number(rest, 2) != 5 || number(rest, 1) != sizeof(addr_t) ||
	    number(rest, 1) != 0)
		return false;
	header = number(rest, offset_size);
	start = rest->at;
	program->step = number(rest, 1);
	most_operations = number(rest, 1);
	number(rest, 2); /* skips default_is_stmt and line_base */
	program->line_range = (uint8_t)number(rest, 1);
	program->opcode_base = (uint8_t)number(rest, 1);
	program->operands = skip(rest, program->opcode_base - 1u);
	if (rest->bad || most_operations != 1 || !program->line_range ||
	    !is_usual(program) || header < (uint64_t)(rest->at - start))
		return false;
	skip(rest, header - (uint64_t)(rest->at - start));
	run_program(program, ranges);
	return !rest->bad;
}

static bool
read_tables(struct line_ranges *ranges, const uint8_t *bytes, size_t size)
{
	struct line_bytes rest = { bytes, bytes + size, false };

	while (rest.at < rest.end) {
		struct line_program program = { .table = (uint64_t)(rest.at -
								    bytes) };
		uint64_t length = number(&rest, 4);
		const bool is_64 = length == UINT32_MAX;

		if (is_64)
			length = number(&rest, 8);
		program.rest.at = skip(&rest, length);
		program.rest.end = rest.at;
		if (rest.bad || !read_table(ranges, &program, is_64 ? 8 : 4))
			return false;
	}
	return true;
}

static int
compare_ranges(const void *left, const void *right)
{
	const struct line_range *a = left, *b = right;

	return a->low < b->low ? -1 : a->low > b->low;
}

bool
line_ranges_read(struct line_ranges *ranges, const uint8_t *bytes, size_t size)
{
	*ranges = (struct line_ranges){ 0 };
	if (!read_tables(ranges, bytes, size))
		return false;
	vec_sort(&ranges->list, compare_ranges);
	for (size_t i = 1; i < ranges->list.count; i++)
		if (ranges->list.at[i].low < ranges->list.at[i - 1].high)
			return false;
	return true;
}

void
line_ranges_release(struct line_ranges *ranges)
{
	vec_release(&ranges->list);
}

const struct line_range *
line_ranges_find(const struct line_ranges *ranges, addr_t address)
{
	size_t low = 0, high = ranges->list.count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (ranges->list.at[middle].low <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low || address >= ranges->list.at[low - 1].high)
		return NULL;
	return &ranges->list.at[low - 1];
}
