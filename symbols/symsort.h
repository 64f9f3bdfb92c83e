/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sorts symbols by address, the best name of an address first. */
#ifndef SYMBOLS_SYMSORT_H
#define SYMBOLS_SYMSORT_H

#include "symbols/symtab.h"

/*
 * Sorts in place and removes duplicates (.dynsym and .symtab name the same
 * function). Returns how many are left. An alias without a size gets the size
 * of the function at its address.
 */
must_check size_t symsort(struct symbol *symbols, size_t count);

#endif
