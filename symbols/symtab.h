/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The symbols that a file defines: .dynsym through PT_DYNAMIC (DT_HASH or
 * DT_GNU_HASH give their number), .symtab where there is one, and what a
 * separate debug file or .gnu_debugdata adds (symbols/debugfile). Functions
 * that share an address are aliases of each other and one of them is the
 * best name: not a local one, the default version, the fewest leading
 * underscores (glibc's `puts` is weak and its `_IO_puts` is global), global
 * before weak, .dynsym before .symtab, then the shorter, then strcmp.
 */
#ifndef SYMBOLS_SYMTAB_H
#define SYMBOLS_SYMTAB_H

#include "symbols/image.h"

enum symbol_kind {
	SYMBOL_FUNCTION,
	SYMBOL_IFUNC, /* the address is a resolver's (STT_GNU_IFUNC) */
	/* Code that was split off a function and is jumped to (f.cold): good
	 * for naming an address, never to be taken for a call. */
	SYMBOL_PART,
	SYMBOL_DATA, /* STT_OBJECT */
	SYMBOL_TLS,  /* the address is an offset in the TLS block */
};

enum symbol_binding { SYMBOL_GLOBAL, SYMBOL_WEAK, SYMBOL_LOCAL };

struct symbol {
	const char *name;    /* mangled, without version */
	const char *version; /* "GLIBC_2.34", or NULL */
	addr_t address;
	uint64_t size; /* may be 0; an alias has that of its function */
	enum symbol_kind kind;
	enum symbol_binding binding;
	bool default_version; /* foo@@V rather than foo@V */
	bool dynamic;	      /* from .dynsym */
};

struct symtab {
	/* Sorted by address, the best name of an address first. A function's
	 * address always lies in an executable segment. */
	const struct symbol *at;
	size_t count;
};

/*
 * All symbols, made at the first call and kept with the image. With
 * SYMTAB_DYNAMIC only .dynsym is read (fast: exports); SYMTAB_ALL adds
 * .symtab, .gnu_debugdata and, for names of stripped files, the debug file.
 */
enum symtab_extent { SYMTAB_DYNAMIC, SYMTAB_ALL };
const struct symtab *image_symtab(struct image *image,
				  enum symtab_extent extent);

/* The first symbol of that name (of the table in its order; the default
 * version wins), NULL if none. Hashed: constant time. */
const struct symbol *symtab_find(struct image *image, enum symtab_extent extent,
				 const char *name);

/* The function that covers address (by size, or the nearest before it in the
 * same executable segment where sizes are 0); its best name. NULL if none. */
const struct symbol *symtab_covering(struct image *image, addr_t address);

#endif
