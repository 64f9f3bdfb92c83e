/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Calls out of a module. A slot is one word of the GOT that the loader fills
 * with the address of an imported function (R_X86_64_JUMP_SLOT, GLOB_DAT, or
 * IRELATIVE); a gate is an instruction in the module's text that goes
 * through it. Gates are found by decoding the executable segments for
 * `jmp *slot(%rip)`, never by section names, so lazy, -z now, .plt.got,
 * .plt.sec (IBT), bfd, gold, lld and mold layouts are all one case, and so is
 * a -fno-plt tail call.
 *
 * A slot without a gate is used by `call *slot(%rip)` or through a register
 * (-fno-plt), or its address is only taken: it must be watched at the
 * callee's entry, by return address.
 */
#ifndef SYMBOLS_PLT_H
#define SYMBOLS_PLT_H

#include "symbols/image.h"

enum slot_kind {
	SLOT_JUMP,	/* R_X86_64_JUMP_SLOT */
	SLOT_DATA,	/* R_X86_64_GLOB_DAT, R_X86_64_64 on a function */
	SLOT_IRELATIVE, /* R_X86_64_IRELATIVE: name is NULL */
};

struct slot {
	const char *name;    /* of the import; NULL for IRELATIVE */
	const char *version; /* wanted, or NULL */
	addr_t slot;	     /* the GOT word */
	addr_t resolver;     /* IRELATIVE's addend, else 0 */
	enum slot_kind kind;
	bool called; /* the text has a call *slot(%rip) */
	/* ... or a mov, push or cmov of it: a call through a register, or an
	 * address that is only taken. */
	bool loaded;
	/* One of the gates is a linker's stub, through which the module calls
	 * it; else they are tail calls (-fno-plt). */
	bool stub;
	const addr_t *gates; /* addresses of the jmp instructions */
	size_t gate_count;
};

struct plt {
	const struct slot *at;
	size_t count;
};

/* Made at the first call and kept with the image. */
const struct plt *image_plt(struct image *image);

#endif
