/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How x86-64 text uses an import: a scan for bytes that look like such an
 * instruction, and the proof that they are one.
 */
#ifndef SYMBOLS_PLT_X86_64_H
#define SYMBOLS_PLT_X86_64_H

#include "base/map.h"
#include "base/vec.h"
#include "symbols/elf.h"
#include "symbols/fde.h"

enum import_use_kind {
	IMPORT_USE_JUMP, /* jmp *word(%rip) */
	IMPORT_USE_CALL, /* call *word(%rip) */
	IMPORT_USE_LOAD, /* push, mov, cmov of word(%rip) */
};

struct import_use {
	enum import_use_kind kind;
	addr_t opcode; /* of the instruction, after any prefixes */
	addr_t word;
};

struct import_uses {
	vec_of(struct import_use) list;
};

/*
 * Appends everything in the code at that address that looks like a use, in
 * order of address. The keys of imports are the addresses of their words, all
 * of them in [low, high].
 */
void import_uses_scan(struct bytes code, addr_t at, const struct map *imports,
		      addr_t low, addr_t high, struct import_uses *uses);

/* Proves the gates of one image. Embedded; needs no release. */
struct gate_proof {
	struct image *image;
	const struct elf *elf;
	struct fde_table fdes;
	addr_t next, end; /* decoded up to next; the code ends at end */
	size_t budget;	  /* bytes that may still be decoded */
};

void gate_proof_init(struct gate_proof *proof, struct image *image);

/* True if there is an instruction at *ret_gate that is this jump. Fastest in
 * order of address. */
must_check bool gate_prove(struct gate_proof *proof,
			   const struct import_use *use, addr_t *ret_gate);

/* True if the jump is part of a linker's stub, false if it is the tail call of
 * a function. */
bool gate_is_stub(const struct gate_proof *proof, const struct import_use *use);

#endif
