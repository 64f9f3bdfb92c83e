/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What one instruction is, as far as relocation, PLT decoding and unwinding
 * need it. Capstone is used only by the files that include insn_parts.h.
 */
#ifndef ARCH_X86_64_INSN_H
#define ARCH_X86_64_INSN_H

#include "arch/code.h"
#include "base/addr.h"
#include "base/attr.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The most bytes of an instruction (Intel SDM 2, 2.3.11). */
#define INSN_LONGEST 15

/* The prefixes before the opcode. */
enum insn_prefix {
	INSN_PREFIX_OPERAND = 1 << 0, /* 66 */
	INSN_PREFIX_ADDRESS = 1 << 1, /* 67: eip, ecx instead of rip, rcx */
	INSN_PREFIX_BND = 1 << 2,     /* f2, also repne */
	INSN_PREFIX_REP = 1 << 3,     /* f3 */
	INSN_PREFIX_SEGMENT = 1 << 4, /* 64, 65: fs, gs */
	INSN_PREFIX_HINT = 1 << 5,    /* 26, 2e, 36, 3e; 3e is notrack */
	INSN_PREFIX_LOCK = 1 << 6,    /* f0 */
	INSN_PREFIX_REX = 1 << 7,     /* 40 to 4f, the last before the opcode */
	INSN_PREFIX_REX_W = 1 << 8,   /* 48 to 4f */
};

/* 64-bit code, and 32-bit code that the same CPU runs for i386 programs. */
enum insn_mode { INSN_MODE_64, INSN_MODE_32, INSN_MODES };

struct insn {
	enum insn_kind kind;
	enum insn_mode mode;
	uint8_t length;
	uint8_t disp_offset; /* offset of the rip-relative disp32, or 0 */
	/* offset of the first opcode byte, behind prefixes; a VEX or EVEX
	 * escape counts as opcode */
	uint8_t opcode_offset;
	/* offset of the ModRM byte, or 0 if there is none */
	uint8_t modrm_offset;
	uint16_t prefixes; /* enum insn_prefix */
	addr_t target;	   /* branch target, or address of the rip operand */
};

/* Decodes the instruction of 64-bit code at address `at`. 0 or -EINVAL.
 * Thread-safe. */
must_check int insn_decode(const uint8_t *bytes, size_t have, addr_t at,
			   struct insn *ret_insn);
/* Decodes the instruction at the start of the code. 0 or -EINVAL.
 * Thread-safe. */
must_check int insn_decode_in(enum insn_mode mode, const struct code *code,
			      struct insn *ret_insn);

/* "a system call", for messages. */
const char *insn_kind_name(enum insn_kind kind);

#endif
