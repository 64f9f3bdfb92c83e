/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where on a stack a function returns to, when nothing but its stack pointer is
 * known of its frame: by the machine code before the words that are there. */
#ifndef STACKS_CALLER_H
#define STACKS_CALLER_H

#include "arch/arch.h"
#include "base/addr.h"
#include "base/reader.h"
#include "symbols/modmap.h"

/*
 * The address of the word that the function returns to, its frame beginning at
 * `from`; 0 where that is not beyond doubt: the first one that any call may
 * have put there must be of a call of this function.
 */
addr_t caller_find(const struct arch *arch, struct reader *memory,
		   const struct modmap *modules, addr_t from, addr_t function);

#endif
