/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Displacing one instruction: appending to a slot what does there what the
 * original does at home. For relocate.c alone, which makes whole slots
 * of it.
 */
#ifndef ARCH_X86_64_DISPLACE_H
#define ARCH_X86_64_DISPLACE_H

#include "arch/x86_64/emit.h"
#include "arch/x86_64/insn.h"
#include "arch/relocated.h"

/* A slot in the making. */
struct relocation {
	addr_t at; /* of the site */
	struct emitter emitter;
	struct relocated *result; /* its steps are added to */
	const char *why;	  /* set with every error */
	bool shadow_stack;
};

/* An original instruction: its bytes, where they are, what they mean. */
struct original {
	const uint8_t *bytes;
	addr_t at;
	struct insn insn;
};

/* Decodes and appends: 0, -EINVAL, -ERANGE or -ENOTSUP, and then what was
 * emitted is to be dropped. */
must_check int displace(struct relocation *relocation, const uint8_t *bytes,
			size_t have, addr_t at, struct original *ret_original);

/* What is emitted next stands for the original pc. */
void displace_step(struct relocation *relocation, addr_t pc, bool whole);

/* Where the instruction behind begins. */
static inline addr_t
original_end(const struct original *original)
{
	return original->at + original->insn.length;
}

#endif
