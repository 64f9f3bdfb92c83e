/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where an argument of a call in flight can still be found: what the caller put
 * into the register before the call, and where the function saved the register
 * at its beginning. It converts bytes to an origin and reports only what is
 * certain. The contracts are in arch/code.h.
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
