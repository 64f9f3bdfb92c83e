/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Displaces one instruction: appends code to a slot that has the same effect
 * there as the original at its own address. Only relocate.c, which makes whole
 * slots, uses it.
 */
#ifndef ARCH_X86_64_DISPLACE_H
#define ARCH_X86_64_DISPLACE_H

#include "arch/x86_64/emit.h"
#include "arch/x86_64/insn.h"
#include "arch/relocated.h"

/* A slot under construction. */
struct relocation {
	addr_t at; /* address of the site */
	struct emitter emitter;
	struct relocated *result; /* the steps are added to this */
	const char *why;	  /* the reason, which every error sets */
	enum insn_mode mode;
	bool shadow_stack;
};

/* An original instruction: its bytes, its address, and its decoded form. */
struct original {
	const uint8_t *bytes;
	addr_t at;
	struct insn insn;
};

/* Decodes the instruction, and appends its code to the slot. 0, -EINVAL,
 * -ERANGE or -ENOTSUP; after an error the caller drops what was emitted. */
must_check int displace(struct relocation *relocation, const uint8_t *bytes,
			size_t have, addr_t at, struct original *ret_original);

/* Notes that the code which is emitted next corresponds to this original pc. */
void displace_step(struct relocation *relocation, addr_t pc, bool whole);

/* The address behind the instruction. */
static inline addr_t
original_end(const struct original *original)
{
	return original->at + original->insn.length;
}

#endif
