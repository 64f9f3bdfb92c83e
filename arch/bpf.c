/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Classic BPF as far as the kernel allows it in a seccomp policy
 * (kernel/seccomp.c, seccomp_check_filter): two registers, sixteen words of
 * memory, and aligned words of struct seccomp_data instead of a packet. Jumps
 * go forward only, so every program ends.
 */
#include "arch/bpf.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

struct bpf_machine {
	uint32_t a, x;
	uint32_t memory[BPF_MEMWORDS];
};

static int
load_word(const struct seccomp_data *call, uint32_t at, uint32_t *ret)
{
	size_t pc = offsetof(struct seccomp_data, instruction_pointer);

	if (at % 4 || at >= sizeof(*call) ||
	    (at >= pc && at < pc + sizeof(call->instruction_pointer)))
		return -ENOTSUP;
	memcpy(ret, (const char *)call + at, sizeof(*ret));
	return 0;
}

static int
load(struct bpf_machine *m, const struct sock_filter *i,
     const struct seccomp_data *call)
{
	uint32_t *to = BPF_CLASS(i->code) == BPF_LD ? &m->a : &m->x;

	switch (BPF_MODE(i->code)) {
	case BPF_ABS:
		return load_word(call, i->k, to);
	case BPF_IMM:
		*to = i->k;
		return 0;
	case BPF_LEN:
		*to = sizeof(*call);
		return 0;
	case BPF_MEM:
		if (i->k >= BPF_MEMWORDS)
			return -ENOTSUP;
		*to = m->memory[i->k];
		return 0;
	default:
		return -ENOTSUP;
	}
}

static int
calculate(struct bpf_machine *m, const struct sock_filter *i)
{
	uint32_t by = BPF_SRC(i->code) == BPF_X ? m->x : i->k;

	switch (BPF_OP(i->code)) {
	case BPF_ADD:
		m->a += by;
		return 0;
	case BPF_SUB:
		m->a -= by;
		return 0;
	case BPF_MUL:
		m->a *= by;
		return 0;
	case BPF_DIV:
		/* A policy that divides by 0 ends in the kernel with the result
		 * 0: SECCOMP_RET_KILL_THREAD. */
		if (by == 0)
			return -ENOTSUP;
		m->a /= by;
		return 0;
	case BPF_OR:
		m->a |= by;
		return 0;
	case BPF_AND:
		m->a &= by;
		return 0;
	case BPF_XOR:
		m->a ^= by;
		return 0;
	case BPF_LSH:
		m->a <<= by & 31;
		return 0;
	case BPF_RSH:
		m->a >>= by & 31;
		return 0;
	case BPF_NEG:
		m->a = -m->a;
		return 0;
	default:
		return -ENOTSUP;
	}
}

static int
jump(const struct bpf_machine *m, const struct sock_filter *i, size_t *at)
{
	uint32_t other = BPF_SRC(i->code) == BPF_X ? m->x : i->k;
	bool holds;

	switch (BPF_OP(i->code)) {
	case BPF_JA:
		*at += i->k;
		return 0;
	case BPF_JEQ:
		holds = m->a == other;
		break;
	case BPF_JGT:
		holds = m->a > other;
		break;
	case BPF_JGE:
		holds = m->a >= other;
		break;
	case BPF_JSET:
		holds = m->a & other;
		break;
	default:
		return -ENOTSUP;
	}
	*at += holds ? i->jt : i->jf;
	return 0;
}

static int
store(struct bpf_machine *m, const struct sock_filter *i)
{
	if (i->k >= BPF_MEMWORDS)
		return -ENOTSUP;
	m->memory[i->k] = BPF_CLASS(i->code) == BPF_ST ? m->a : m->x;
	return 0;
}

static int
move(struct bpf_machine *m, const struct sock_filter *i)
{
	if (BPF_MISCOP(i->code) == BPF_TAX)
		m->x = m->a;
	else
		m->a = m->x;
	return 0;
}

int
bpf_run(const struct sock_filter *program, size_t count,
	const struct seccomp_data *call, uint32_t *ret_answer)
{
	struct bpf_machine m = { 0 };
	int r = 0;

	for (size_t at = 0; at < count && r == 0; at++) {
		const struct sock_filter *i = &program[at];

		switch (BPF_CLASS(i->code)) {
		case BPF_LD:
		case BPF_LDX:
			r = load(&m, i, call);
			break;
		case BPF_ALU:
			r = calculate(&m, i);
			break;
		case BPF_JMP:
			r = jump(&m, i, &at);
			break;
		case BPF_ST:
		case BPF_STX:
			r = store(&m, i);
			break;
		case BPF_MISC:
			r = move(&m, i);
			break;
		default: /* BPF_RET */
			*ret_answer = BPF_RVAL(i->code) == BPF_A ? m.a : i->k;
			return 0;
		}
	}
	return -ENOTSUP;
}
