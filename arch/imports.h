/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How the code of a module uses its imports. The loader stores the address of
 * an import in a word of memory (of the GOT), and code jumps, calls or loads
 * through this word. See symbols/plt.h.
 */
#ifndef ARCH_IMPORTS_H
#define ARCH_IMPORTS_H

#include "arch/code.h"
#include "base/map.h"
#include "base/vec.h"

enum import_use_kind {
	IMPORT_USE_JUMP,
	IMPORT_USE_CALL,
	/* loads the import's address into a register, through which it is
	 * called */
	IMPORT_USE_LOAD,
};

struct import_use {
	enum import_use_kind kind;
	/* address of the instruction's opcode, behind any prefixes */
	addr_t opcode;
	addr_t end; /* address behind the instruction */
	addr_t word;
};

struct import_uses {
	vec_of(struct import_use) list;
};

/* The words of a module's imports: the keys of a map, all of them in
 * [low, high]. */
struct import_words {
	const struct map *map;
	addr_t low, high;
	addr_t got; /* the GOT, as DT_PLTGOT says; 0 if there is none */
};

struct arch_imports {
	/* Appends everything in the code that looks like a use of one of the
	 * words, in order of address. */
	void (*scan)(const struct code *code, const struct import_words *words,
		     struct import_uses *uses);
	/* Decodes the start of the code: one instruction, or a sequence of
	 * instructions that is one use of an import. Returns how many bytes it
	 * has, or 0 if the bytes are invalid. If it is a jump through a word,
	 * *ret_use is this jump; else the word of *ret_use is 0. */
	size_t (*decode)(const struct code *code, addr_t got,
			 struct import_use *ret_use);
	/* True if the code around the jump has the form that linkers give the
	 * stubs of a PLT. *ret_gate: the address of the stub's jump, with
	 * prefixes. */
	bool (*stub)(struct reader *memory, const struct import_use *jump,
		     addr_t got, addr_t *ret_gate);
};

/* The most bytes of an instruction, or of a sequence that is one use of an
 * import. */
#define DECODE_WINDOW 16

#endif
