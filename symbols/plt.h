/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Calls out of a module. An import is a function of another module. The loader
 * stores its address in a word of the GOT (relocations JUMP_SLOT, GLOB_DAT, or
 * IRELATIVE). A gate is an instruction in the module's text that jumps through
 * this word. Gates are found by decoding the executable segments for such jumps
 * (arch/imports.h), never by section names. Therefore lazy binding, -z now,
 * .plt.got, .plt.sec (IBT), and the layouts of bfd, gold, lld and mold are all
 * one case, and so is a tail call with -fno-plt.
 *
 * An import without a gate is called through its word or through a register
 * (-fno-plt), or its address is only taken. Its calls must be watched at the
 * callee's entry, by return address.
 */
#ifndef SYMBOLS_PLT_H
#define SYMBOLS_PLT_H

#include "symbols/image.h"

enum import_kind {
	IMPORT_JUMP, /* a JUMP_SLOT relocation */
	/* a GLOB_DAT relocation, or one for a whole word with a function */
	IMPORT_DATA,
	IMPORT_IRELATIVE, /* IRELATIVE, for a function of the module itself:
			   * name is NULL */
};

struct import {
	const char *name;    /* NULL for IRELATIVE */
	const char *version; /* the required version, or NULL */
	addr_t word;	     /* the GOT word */
	addr_t resolver;     /* IRELATIVE's addend, else 0 */
	enum import_kind kind;
	bool called; /* the text has a call through the word */
	/* the text has an instruction that loads the word: a call through a
	 * register, or an address that is only taken */
	bool loaded;
	/* One of the gates is a linker's stub, which the module calls. If
	 * false, all gates are tail calls (-fno-plt). */
	bool stub;
	const addr_t *gates; /* addresses of the jmp instructions */
	size_t gate_count;
};

struct plt {
	const struct import *at;
	size_t count;
};

/* The imports of an image. Made at the first call and kept with the image. To
 * find the gates takes long, because all of the text is read. */
const struct plt *image_plt(struct image *image);
/* The same without what is known of the text: gates, called, loaded and stub.
 */
const struct plt *image_imports(struct image *image);

#endif
