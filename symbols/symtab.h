/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The symbols that a file defines: .dynsym through PT_DYNAMIC (DT_HASH or
 * DT_GNU_HASH give their number), .symtab if there is one, and the symbols of a
 * separate debug file or of .gnu_debugdata (symbols/debugfile). Functions with
 * the same address are aliases, and one of them is the best name. Two names are
 * compared by these properties, the most important first. The better name is
 * not local, has the default version, has fewer leading underscores (glibc's
 * `puts` is weak and its `_IO_puts` is global), is global and not weak, is in
 * .dynsym and not in .symtab, is shorter, and comes first in strcmp order.
 */
#ifndef SYMBOLS_SYMTAB_H
#define SYMBOLS_SYMTAB_H

#include "symbols/image.h"

enum symbol_kind {
	SYMBOL_FUNCTION,
	SYMBOL_IFUNC, /* the address of a resolver (STT_GNU_IFUNC) */
	/* Code that was split off a function and is jumped to (f.cold). Such a
	 * symbol only names addresses, because it is never called. */
	SYMBOL_PART,
	SYMBOL_DATA, /* STT_OBJECT */
	SYMBOL_TLS,  /* the address is an offset in the TLS block */
};

enum symbol_binding { SYMBOL_GLOBAL, SYMBOL_WEAK, SYMBOL_LOCAL };

struct symbol {
	const char *name;    /* mangled, without version */
	const char *version; /* "GLIBC_2.34", or NULL */
	addr_t address;
	uint64_t size; /* may be 0; an alias has its function's size */
	enum symbol_kind kind;
	enum symbol_binding binding;
	/* the version is the default one: foo@@V, not foo@V */
	bool default_version;
	bool dynamic; /* the symbol is from .dynsym */
};

struct symtab {
	/* Sorted by address, the best name of an address first. The address of
	 * a function is always in an executable segment. */
	const struct symbol *at;
	size_t count;
};

/*
 * All symbols, read at the first call and kept with the image. SYMTAB_DYNAMIC
 * reads only .dynsym (fast: exports). SYMTAB_ALL adds .symtab, .gnu_debugdata
 * and, for the names of stripped files, the debug file.
 */
enum symtab_extent { SYMTAB_DYNAMIC, SYMTAB_ALL };
const struct symtab *image_symtab(struct image *image,
				  enum symtab_extent extent);

/* False only if no table of the image has a symbol with this name. This is
 * cheaper than to look for the symbol. */
bool symtab_may_have(struct image *image, const char *name);

/* The first symbol with this name in the order of the table (the default
 * version wins), or NULL. Hashed: constant time. */
const struct symbol *symtab_find(struct image *image, enum symtab_extent extent,
				 const char *name);

/* The next symbol with this name in the order of the table: the one behind
 * `after`, or the first if `after` is NULL. NULL after the last. */
const struct symbol *symtab_next(struct image *image, enum symtab_extent extent,
				 const char *name, const struct symbol *after);

/* The function that covers address according to its size, by its best name. If
 * sizes are 0, this is the nearest function before address in the same
 * executable segment. NULL if there is none. */
const struct symbol *symtab_covering(struct image *image, addr_t address);

/* The IFUNC whose resolver is at address, by its best name, or NULL. */
const struct symbol *symtab_ifunc(struct image *image,
				  enum symtab_extent extent, addr_t address);

#endif
