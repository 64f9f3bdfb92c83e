/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where an argument of a call that has begun can be found still: what the
 * caller has put into the register before it called, and where the function
 * has put the register away when it began. Pure: from bytes to an origin. What
 * cannot be told for sure is not told. The contracts are in arch/code.h.
 */
#ifndef ARCH_X86_64_ARGUMENT_H
#define ARCH_X86_64_ARGUMENT_H

#include "arch/code.h"

must_check bool x86_64_argument_given(const struct code *caller,
				      addr_t return_address, unsigned i,
				      struct origin *ret_origin);
must_check bool x86_64_argument_kept(const struct code *function, addr_t pc,
				     unsigned i, struct origin *ret_origin);

#endif
