/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which of the jumps that a scan has found (arch/imports.h) are gates. */
#ifndef SYMBOLS_GATES_H
#define SYMBOLS_GATES_H

#include "arch/imports.h"
#include "symbols/fde.h"

/* Proves the gates of one image. Embedded; needs no release. */
struct gate_proof {
	struct image *image;
	const struct elf *elf;
	struct reader text;
	struct fde_table fdes;
	addr_t got; /* address of the GOT, as in struct import_words */
	/* the code is decoded up to `next`, and ends at `end` */
	addr_t next, end;
	size_t budget; /* bytes that may still be decoded */
};

void gate_proof_init(struct gate_proof *proof, struct image *image);

/* True if the jump is an instruction; stores its address. Code is decoded only
 * once if the jumps are asked for in the order of their addresses. */
must_check bool gate_prove(struct gate_proof *proof,
			   const struct import_use *use, addr_t *ret_gate);

/* True if the jump is part of a linker's stub, false if it is the tail call of
 * a function. */
bool gate_is_stub(struct gate_proof *proof, const struct import_use *use);

#endif
