/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compilers make a handful of instructions of an accessor: a test for NULL, a
 * load or two, a choice between two results,
 *
 *	xor %eax,%eax; test %rdi,%rdi; je 1f; mov 0x90(%rdi),%eax; 1: ret
 *
 * This interpreter knows such instructions: loads, lea, moves between
 * registers, simple arithmetic, shifts, comparisons, conditional moves, jumps,
 * and push and pop of registers, which save the caller's values. It refuses all
 * others, above all instructions that write memory, call, or use the stack in
 * another way. So a function that is no accessor gives no result instead of a
 * wrong one. A register that was never set is unknown, and its use is refused
 * as well.
 *
 * Encodings: Intel SDM volume 2, chapter 2 and appendix A.
 */
#include "arch/x86_64/accessor.h"

#include "arch/x86_64/accessor_parts.h"

#include <errno.h>
#include <string.h>

#define STEPS_MOST 512

/*
 * Makes the computation `sum` (an addition, a comparison, ...) with the
 * instruction's operand and b. If the operand is in memory, the instruction
 * must not change it.
 */
static int
reckon_operand(struct machine *m, struct decoding *d, enum sum sum, uint64_t b,
	       unsigned size)
{
	uint64_t a = 0;
	int r;

	if (sum == ADC || sum == SBB)
		return -ENOTSUP;
	r = operand_read(m, d, size, &a);
	if (r < 0)
		return r;
	a = machine_reckon(m, sum, a, cut(b, size), size);
	if (sum == CMP)
		return 0;
	if (d->in_memory || size < 4)
		return -ENOTSUP;
	machine_set(m, d->rm, a);
	return 0;
}

/* ---- instructions ----------------------------------------------------------
 */

static void
advance(struct machine *m, const struct decoding *d)
{
	m->pc += d->at;
}

/* op r/m, r and op r, r/m: 00 to 3b, by the low three bits. */
static int
do_sum(struct machine *m, struct decoding *d, unsigned opcode)
{
	enum sum sum = (enum sum)(opcode >> 3);
	unsigned form = opcode & 7, size = form & 1 ? width(d) : 1;
	uint64_t a = 0, b = 0;
	int r = 0;

	if (form > 3 || sum == ADC || sum == SBB)
		return -ENOTSUP;
	if (!decoding_modrm(m, d) || d->bad)
		return -ENOTSUP;
	advance(m, d);
	/* xor %eax,%eax is the usual way to set 0. */
	if (sum == XOR && !d->in_memory && d->reg == d->rm && size >= 4) {
		machine_set(m, d->rm, machine_reckon(m, XOR, 0, 0, size));
		return 0;
	}
	r = operand_read(m, d, size, &a);
	if (r == 0)
		r = machine_read(m, d, d->reg, size, &b);
	if (r < 0)
		return r;
	if (form < 2) {
		if (sum != CMP && (d->in_memory || size < 4))
			return -ENOTSUP;
		a = machine_reckon(m, sum, a, b, size);
		if (sum != CMP)
			machine_set(m, d->rm, a);
		return 0;
	}
	b = machine_reckon(m, sum, b, a, size);
	if (sum != CMP && size < 4)
		return -ENOTSUP;
	if (sum != CMP)
		machine_set(m, d->reg, b);
	return 0;
}

static int
do_sum_immediate(struct machine *m, struct decoding *d, unsigned opcode)
{
	unsigned size = opcode == 0x80 ? 1 : width(d);
	uint64_t value;

	if (!decoding_modrm(m, d))
		return -ENOTSUP;
	value = (uint64_t)decoding_signed(d, opcode == 0x81 ? 4 : 1);
	if (d->bad)
		return -ENOTSUP;
	advance(m, d);
	return reckon_operand(m, d, (enum sum)(d->reg & 7), value, size);
}

/* shl, shr and sar of a register by a constant. Their flags are not needed. */
static int
do_shift(struct machine *m, struct decoding *d, unsigned opcode)
{
	unsigned size = width(d), bits = 8 * size, count = 1;
	uint64_t value;
	int r;

	if (!decoding_modrm(m, d) || d->in_memory)
		return -ENOTSUP;
	if (opcode == 0xc1)
		count = (unsigned)decoding_signed(d, 1) & (bits - 1);
	if (d->bad)
		return -ENOTSUP;
	advance(m, d);
	r = machine_read(m, d, d->rm, size, &value);
	if (r < 0)
		return r;
	switch (d->reg & 7) {
	case 4:
		value <<= count;
		break;
	case 5:
		value >>= count;
		break;
	case 7:
		value = (uint64_t)((int64_t)(value << (64 - bits)) >>
				   (64 - bits + count));
		break;
	default:
		return -ENOTSUP;
	}
	machine_set(m, d->rm, cut(value, size));
	m->flags_known = false;
	return 0;
}

static int
do_test(struct machine *m, struct decoding *d, unsigned opcode)
{
	unsigned size = opcode & 1 ? width(d) : 1;
	bool immediate = opcode >= 0xf6;
	uint64_t a, b = 0;
	int r;

	if (!decoding_modrm(m, d) || (immediate && (d->reg & 6)))
		return -ENOTSUP;
	if (immediate)
		b = cut((uint64_t)decoding_signed(d, size == 1 ? 1 : 4), size);
	if (d->bad)
		return -ENOTSUP;
	advance(m, d);
	r = operand_read(m, d, size, &a);
	if (r == 0 && !immediate)
		r = machine_read(m, d, d->reg, size, &b);
	if (r == 0)
		machine_reckon(m, AND, a, b, size);
	return r;
}

static int
do_load(struct machine *m, struct decoding *d, unsigned from, bool is_signed,
	unsigned to)
{
	uint64_t value;
	int r;

	if (!decoding_modrm(m, d) || d->bad)
		return -ENOTSUP;
	advance(m, d);
	r = operand_read(m, d, from, &value);
	if (r < 0)
		return r;
	if (is_signed && from < 8)
		value = (uint64_t)((int64_t)(value << (64 - 8 * from)) >>
				   (64 - 8 * from));
	machine_set(m, d->reg, cut(value, to));
	return 0;
}

static int
do_move_out(struct machine *m, struct decoding *d)
{
	uint64_t value;
	int r;

	if (!decoding_modrm(m, d) || d->bad || d->in_memory)
		return -ENOTSUP;
	advance(m, d);
	r = machine_read(m, d, d->reg, width(d), &value);
	if (r == 0)
		machine_set(m, d->rm, value);
	return r;
}

static int
do_lea(struct machine *m, struct decoding *d)
{
	if (!decoding_modrm(m, d) || d->bad || !d->in_memory)
		return -ENOTSUP;
	advance(m, d);
	machine_set(m, d->reg, cut(operand_address(m, d), width(d)));
	return 0;
}

static int
do_move_immediate(struct machine *m, struct decoding *d, unsigned opcode)
{
	uint64_t value;
	unsigned reg = (opcode & 7) | (d->rex & 1) << 3;

	if (opcode == 0xc7) {
		if (!decoding_modrm(m, d) || d->in_memory || (d->reg & 7))
			return -ENOTSUP;
		reg = d->rm;
	} else if (d->wide) {
		return -ENOTSUP; /* movabs is not supported */
	}
	value = (uint64_t)decoding_signed(d, 4);
	if (d->bad)
		return -ENOTSUP;
	advance(m, d);
	machine_set(m, reg, cut(value, width(d)));
	return 0;
}

static int
do_cmov(struct machine *m, struct decoding *d, unsigned condition)
{
	uint64_t value;
	bool yes;
	int r;

	if (!decoding_modrm(m, d) || d->bad)
		return -ENOTSUP;
	advance(m, d);
	r = machine_holds(m, condition, &yes);
	if (r == 0 && yes)
		r = operand_read(m, d, width(d), &value);
	else if (r == 0)
		r = machine_read(m, d, d->reg, width(d), &value);
	if (r == 0)
		machine_set(m, d->reg, value);
	return r;
}

/* setcc of a register whose upper bytes are known. */
static int
do_set(struct machine *m, struct decoding *d, unsigned condition)
{
	bool yes;
	int r;

	if (!decoding_modrm(m, d) || d->bad || d->in_memory ||
	    !machine_known(m, d->rm) || (!d->has_rex && d->rm >= RSP))
		return -ENOTSUP;
	advance(m, d);
	r = machine_holds(m, condition, &yes);
	if (r == 0)
		machine_set(m, d->rm, (m->regs[d->rm] & ~UINT64_C(0xff)) | yes);
	return r;
}

static int
do_jump(struct machine *m, struct decoding *d, unsigned size, int condition)
{
	int64_t distance = decoding_signed(d, size);
	bool yes = true;
	int r = 0;

	if (d->bad)
		return -ENOTSUP;
	advance(m, d);
	if (condition >= 0)
		r = machine_holds(m, (unsigned)condition, &yes);
	if (r == 0 && yes)
		m->pc += (uint64_t)distance;
	return r;
}

/* push and pop of a register: 50 to 5f. */
static int
do_stack(struct machine *m, struct decoding *d, unsigned opcode)
{
	unsigned reg = (opcode & 7) | (d->rex & 1) << 3;

	advance(m, d);
	return opcode & 8 ? machine_pop(m, reg) : machine_push(m, reg);
}

/* At a return, every word that the function has pushed must be popped. */
static int
do_return(struct machine *m)
{
	m->done = true;
	return m->depth == 0 ? 0 : -ENOTSUP;
}

static int
do_two_byte(struct machine *m, struct decoding *d)
{
	unsigned opcode = decoding_byte(d);

	if (opcode == 0x1f) { /* nop */
		unsigned modrm = decoding_byte(d);

		if ((modrm & 7) == 4 && modrm >> 6 != 3)
			decoding_byte(d);
		if (modrm >> 6 == 1)
			decoding_signed(d, 1);
		else if (modrm >> 6 == 2)
			decoding_signed(d, 4);
		if (d->bad)
			return -ENOTSUP;
		advance(m, d);
		return 0;
	}
	if (opcode >> 4 == 4)
		return do_cmov(m, d, opcode & 15);
	if (opcode >> 4 == 8)
		return do_jump(m, d, 4, (int)(opcode & 15));
	if (opcode >> 4 == 9)
		return do_set(m, d, opcode & 15);
	if (opcode == 0xb6 || opcode == 0xb7)
		return do_load(m, d, opcode == 0xb6 ? 1 : 2, false, 8);
	if (opcode == 0xbe || opcode == 0xbf)
		return do_load(m, d, opcode == 0xbe ? 1 : 2, true, width(d));
	return -ENOTSUP;
}

static int
do_one_byte(struct machine *m, struct decoding *d, unsigned opcode)
{
	if (opcode < 0x40)
		return do_sum(m, d, opcode);
	if (opcode >> 4 == 5)
		return do_stack(m, d, opcode);
	if (opcode >> 4 == 7)
		return do_jump(m, d, 1, (int)(opcode & 15));
	switch (opcode) {
	case 0x63:
		return do_load(m, d, 4, true, width(d));
	case 0x80:
	case 0x81:
	case 0x83:
		return do_sum_immediate(m, d, opcode);
	case 0x84:
	case 0x85:
	case 0xf6:
	case 0xf7:
		return do_test(m, d, opcode);
	case 0x89:
		return do_move_out(m, d);
	case 0x8b:
		return do_load(m, d, width(d), false, width(d));
	case 0x8d:
		return do_lea(m, d);
	case 0x90:
		advance(m, d);
		return 0;
	case 0xc1:
	case 0xd1:
		return do_shift(m, d, opcode);
	case 0xc3:
		return do_return(m);
	case 0xc7:
		return do_move_immediate(m, d, opcode);
	case 0xe9:
		return do_jump(m, d, 4, -1);
	case 0xeb:
		return do_jump(m, d, 1, -1);
	default:
		if (opcode >= 0xb8 && opcode <= 0xbf)
			return do_move_immediate(m, d, opcode);
		return -ENOTSUP;
	}
}

/* Reads as many bytes as possible: the last page may end behind a ret. */
static int
read_instruction(struct machine *m, struct decoding *d)
{
	size_t page = ADDR_PAGE - m->pc % ADDR_PAGE;

	d->have = INSTRUCTION_MOST;
	if (reader_read(m->memory, m->pc, d->bytes, d->have) == 0)
		return 0;
	d->have = page < INSTRUCTION_MOST ? page : 1;
	return reader_read(m->memory, m->pc, d->bytes, d->have) == 0 ? 0
								     : -EFAULT;
}

static int
step(struct machine *m)
{
	static const unsigned char endbr64[] = { 0xf3, 0x0f, 0x1e, 0xfa };
	struct decoding d = { 0 };
	unsigned opcode;
	int r = read_instruction(m, &d);

	if (r < 0)
		return r;
	if (d.have >= sizeof(endbr64) &&
	    !memcmp(d.bytes, endbr64, sizeof(endbr64))) {
		m->pc += sizeof(endbr64);
		return 0;
	}
	opcode = decoding_byte(&d);
	if (opcode == 0xf3 && d.have > 1 && d.bytes[1] == 0xc3)
		/* rep ret, which compilers write for old AMD processors */
		opcode = decoding_byte(&d);
	while (opcode == 0x66 || opcode == 0x2e) {
		/*
		 * The prefixes 66 and 2e are allowed only before a nop that is
		 * used as padding.
		 */
		if (d.have <= d.at + 1 ||
		    !(d.bytes[d.at] == 0x66 || d.bytes[d.at] == 0x2e ||
		      d.bytes[d.at] == 0x90 ||
		      (d.bytes[d.at] == 0x0f && d.bytes[d.at + 1] == 0x1f)))
			return -ENOTSUP;
		opcode = decoding_byte(&d);
	}
	if (opcode >> 4 == 4) {
		d.has_rex = true;
		d.rex = opcode & 15;
		d.wide = opcode & 8;
		opcode = decoding_byte(&d);
	}
	if (d.bad)
		return -ENOTSUP;
	return opcode == 0x0f ? do_two_byte(m, &d) : do_one_byte(m, &d, opcode);
}

int
x86_64_accessor(struct reader *memory, addr_t entry, const uint64_t *arguments,
		unsigned count, uint64_t *ret_result)
{
	/* Integer arguments, in order (SysV x86-64 psABI 3.2.3). */
	static const unsigned char order[ACCESSOR_ARGUMENTS_MOST] = { RDI, RSI,
								      RDX };
	struct machine m = { .memory = memory, .pc = entry };

	for (unsigned i = 0; i < count && i < ACCESSOR_ARGUMENTS_MOST; i++)
		machine_set(&m, order[i], arguments[i]);
	for (unsigned i = 0; i < STEPS_MOST && !m.done; i++) {
		int r = step(&m);

		if (r < 0)
			return r;
	}
	if (!m.done || !machine_known(&m, RAX))
		return -ENOTSUP;
	*ret_result = m.regs[RAX];
	return 0;
}
