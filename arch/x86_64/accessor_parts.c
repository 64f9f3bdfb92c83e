/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The machine of arch/x86_64/accessor: it takes the bytes of an instruction
 * apart, computes the address of its operand, reads registers and memory, and
 * computes sums with their flags.
 *
 * Nothing here writes memory: what a function pushes is kept in the machine,
 * and can only be read by pop. A register or a flag that nothing has set is
 * unknown, and to use it is an error.
 *
 * Encodings: Intel SDM volume 2, chapter 2. Flags: volume 1, chapter 3.4.3.
 */
#include "arch/x86_64/accessor_parts.h"

#include <errno.h>

unsigned
decoding_byte(struct decoding *d)
{
	if (d->at >= d->have) {
		d->bad = true;
		return 0;
	}
	return d->bytes[d->at++];
}

int64_t
decoding_signed(struct decoding *d, unsigned size)
{
	uint32_t value = 0;

	for (unsigned i = 0; i < size; i++)
		value |= (uint32_t)decoding_byte(d) << (8 * i);
	return size == 1 ? (int8_t)value : (int32_t)value;
}

bool
machine_known(const struct machine *m, unsigned reg)
{
	return m->known >> reg & 1;
}

void
machine_set(struct machine *m, unsigned reg, uint64_t value)
{
	m->regs[reg] = value;
	m->known |= (uint16_t)(1u << reg);
}

int
machine_push(struct machine *m, unsigned reg)
{
	uint16_t bit = (uint16_t)(1u << m->depth);

	if (m->depth == STACK_WORDS || reg == RSP)
		return -ENOTSUP;
	m->stack[m->depth++] = m->regs[reg];
	m->stack_known = (uint16_t)(m->stack_known & ~bit);
	if (machine_known(m, reg))
		m->stack_known |= bit;
	return 0;
}

int
machine_pop(struct machine *m, unsigned reg)
{
	if (m->depth == 0 || reg == RSP)
		return -ENOTSUP;
	machine_set(m, reg, m->stack[--m->depth]);
	if (!(m->stack_known >> m->depth & 1))
		m->known &= (uint16_t) ~(1u << reg);
	return 0;
}

/* False if the address needs an unknown register. */
static bool
take_memory_operand(struct machine *m, struct decoding *d, unsigned mod)
{
	unsigned base = d->rm, index, scale;
	addr_t address = 0;

	if (d->rm == RSP) {
		unsigned sib = decoding_byte(d);

		base = sib & 7;
		index = (sib >> 3 & 7) | (d->rex & 2) << 2;
		scale = sib >> 6;
		if (index != RSP) {
			if (!machine_known(m, index))
				return false;
			address += m->regs[index] << scale;
		}
		if (base == RBP && mod == 0) {
			d->address = address + (uint64_t)decoding_signed(d, 4);
			return true;
		}
	} else if (d->rm == RBP && mod == 0) {
		d->rip = true;
		d->address = (uint64_t)decoding_signed(d, 4);
		return true;
	}
	base |= (d->rex & 1) << 3;
	if (!machine_known(m, base))
		return false;
	address += m->regs[base];
	if (mod == 1)
		address += (uint64_t)decoding_signed(d, 1);
	else if (mod == 2)
		address += (uint64_t)decoding_signed(d, 4);
	d->address = address;
	return true;
}

bool
decoding_modrm(struct machine *m, struct decoding *d)
{
	unsigned modrm = decoding_byte(d), mod = modrm >> 6;

	d->reg = (modrm >> 3 & 7) | (d->rex & 4) << 1;
	d->rm = modrm & 7;
	d->in_memory = mod != 3;
	if (d->in_memory)
		return take_memory_operand(m, d, mod);
	d->rm |= (d->rex & 1) << 3;
	return true;
}

addr_t
operand_address(const struct machine *m, const struct decoding *d)
{
	return d->rip ? m->pc + d->address : d->address;
}

int
operand_read(struct machine *m, const struct decoding *d, unsigned size,
	     uint64_t *ret_value)
{
	uint64_t value = 0;

	if (d->in_memory) {
		if (reader_read(m->memory, operand_address(m, d), &value,
				size) < 0)
			return -EFAULT;
		*ret_value = value;
		return 0;
	}
	/* Without a REX prefix, the numbers 4 to 7 of registers of one byte are
	 * ah, ch, dh and bh. */
	if (!machine_known(m, d->rm) ||
	    (size == 1 && !d->has_rex && d->rm >= RSP))
		return -ENOTSUP;
	*ret_value = cut(m->regs[d->rm], size);
	return 0;
}

int
machine_read(const struct machine *m, const struct decoding *d, unsigned reg,
	     unsigned size, uint64_t *ret_value)
{
	if (!machine_known(m, reg) || (size == 1 && !d->has_rex && reg >= RSP))
		return -ENOTSUP;
	*ret_value = cut(m->regs[reg], size);
	return 0;
}

/* ---- arithmetic ------------------------------------------------------------
 */

uint64_t
machine_reckon(struct machine *m, enum sum sum, uint64_t a, uint64_t b,
	       unsigned size)
{
	unsigned top = 8 * size - 1;
	uint64_t value;

	switch (sum) {
	case ADD:
		value = cut(a + b, size);
		m->carry = value < a;
		m->overflow = ((a ^ value) & (b ^ value)) >> top & 1;
		break;
	case OR:
		value = a | b;
		break;
	case AND:
		value = a & b;
		break;
	case XOR:
		value = a ^ b;
		break;
	default:
		value = cut(a - b, size);
		m->carry = a < b;
		m->overflow = ((a ^ b) & (a ^ value)) >> top & 1;
		break;
	}
	if (sum == OR || sum == AND || sum == XOR)
		m->carry = m->overflow = false;
	m->zero = value == 0;
	m->sign = value >> top & 1;
	m->flags_known = true;
	return value;
}

/* The conditions by their numbers (Intel SDM volume 1, appendix B). */
int
machine_holds(const struct machine *m, unsigned condition, bool *ret_holds)
{
	bool yes;

	if (!m->flags_known)
		return -ENOTSUP;
	switch (condition >> 1) {
	case 0:
		yes = m->overflow;
		break;
	case 1:
		yes = m->carry;
		break;
	case 2:
		yes = m->zero;
		break;
	case 3:
		yes = m->carry || m->zero;
		break;
	case 4:
		yes = m->sign;
		break;
	case 6:
		yes = m->sign != m->overflow;
		break;
	case 7:
		yes = m->zero || m->sign != m->overflow;
		break;
	default:
		/* the conditions on parity are not supported */
		return -ENOTSUP;
	}
	*ret_holds = yes != (condition & 1);
	return 0;
}
