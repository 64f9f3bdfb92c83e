/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An emitter writes x86 code into a buffer and knows at which address the
 * code will run. The caller provides a large enough buffer; an overflow is a
 * bug and asserted.
 */
#ifndef ARCH_X86_64_EMIT_H
#define ARCH_X86_64_EMIT_H

#include "base/addr.h"
#include "base/attr.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct emitter {
	uint8_t *bytes;
	size_t room;
	size_t length;
	addr_t at; /* where bytes[0] will run */
	/* 32-bit code, in which a relative operand reaches every address */
	bool narrow;
	/* One word that an instruction reads; emit_literal() places it. */
	size_t literal_user; /* where the disp32 that names it is, or 0 */
	uint64_t literal;
};

void emitter_init(struct emitter *emitter, uint8_t *bytes, size_t room,
		  addr_t at);

/* The address of the byte that is emitted next. */
addr_t emitter_pc(const struct emitter *emitter);

void emit_bytes(struct emitter *emitter, const uint8_t *bytes, size_t length);
void emit_u8(struct emitter *emitter, uint8_t value);
void emit_u32(struct emitter *emitter, uint32_t value);
void emit_u64(struct emitter *emitter, uint64_t value);

/* jmp target: rel32 if that reaches, else the far form. Neither changes a
 * register or a flag. */
void emit_jump(struct emitter *emitter, addr_t target);
/* Emits jmp *word(%rip) with the word behind it, which reaches any address. */
void emit_far_jump(struct emitter *emitter, addr_t target);

/* jcc target; condition is the low four bits of the opcode. False if rel32 does
 * not reach; nothing is emitted then. */
must_check bool emit_branch(struct emitter *emitter, uint8_t condition,
			    addr_t target);
/* jcc to the address behind the far jump that is emitted next. */
void emit_branch_over_far_jump(struct emitter *emitter, uint8_t condition);

/*
 * Pushes the whole word with one instruction. The caller places the word of
 * 64-bit code with emit_literal(), once, after the code.
 */
void emit_push(struct emitter *emitter, uint64_t value);
void emit_literal(struct emitter *emitter);

/* True if an instruction that ends at `end` can name `target`. */
bool emit_reaches(addr_t end, addr_t target);

#endif
