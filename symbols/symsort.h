/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Symbols in order: by address, the best name of an address first. */
#ifndef SYMBOLS_SYMSORT_H
#define SYMBOLS_SYMSORT_H

#include "symbols/symtab.h"

/*
 * Sorts in place and drops what was read twice (.dynsym and .symtab name the
 * same function): how many are left. Aliases without a size get that of the
 * function whose name they share an address with.
 */
must_check size_t symsort(struct symbol *symbols, size_t count);

#endif
