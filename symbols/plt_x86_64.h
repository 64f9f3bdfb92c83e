/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How x86-64 text goes through a slot: what a scan of the bytes takes for an
 * instruction that does, and the proof that it is one.
 */
#ifndef SYMBOLS_PLT_X86_64_H
#define SYMBOLS_PLT_X86_64_H

#include "base/map.h"
#include "base/vec.h"
#include "symbols/fde.h"

enum slot_use_kind {
	SLOT_USE_JUMP, /* jmp *slot(%rip) */
	SLOT_USE_CALL, /* call *slot(%rip) */
	SLOT_USE_LOAD, /* push, mov, cmov of slot(%rip) */
};

struct slot_use {
	enum slot_use_kind kind;
	addr_t opcode; /* of the instruction, behind any prefixes */
	addr_t slot;
};

struct slot_uses {
	vec_of(struct slot_use) list;
};

/*
 * Appends what looks like a use, in order of address. The keys of slots are
 * their addresses, all of them in [low, high].
 */
void slot_uses_scan(const uint8_t *bytes, size_t count, addr_t at,
		    const struct map *slots, addr_t low, addr_t high,
		    struct slot_uses *uses);

/* Proves gates of one image; embedded, nothing to release. */
struct gate_proof {
	struct image *image;
	const struct elf *elf;
	struct fde_table fdes;
	addr_t next, end; /* decoded up to next, of code that ends at end */
	size_t budget;	  /* bytes that may still be decoded */
};

void gate_proof_init(struct gate_proof *proof, struct image *image);

/* True if an instruction at *ret_gate is that jump. Quickest when asked in
 * order of address. */
must_check bool gate_prove(struct gate_proof *proof, const struct slot_use *use,
			   addr_t *ret_gate);

/* Is the jump part of a stub that a linker made, rather than of a function
 * that ends in a tail call? */
bool gate_is_stub(const struct gate_proof *proof, const struct slot_use *use);

#endif
