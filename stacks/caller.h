/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the return address of a function on its stack if only its stack pointer
 * is known. A word of the stack is a return address if the machine code before
 * the address that it holds is a call. */
#ifndef STACKS_CALLER_H
#define STACKS_CALLER_H

#include "arch/arch.h"
#include "base/addr.h"
#include "base/reader.h"
#include "symbols/modmap.h"

/*
 * Returns the address at which a function's return address is stored. The frame
 * of the function begins at `from`. Returns 0 if it is not certain: the first
 * word that any call may have stored must come from a call of this function.
 */
addr_t caller_find(const struct arch *arch, struct reader *memory,
		   const struct modmap *modules, addr_t from, addr_t function);

#endif
