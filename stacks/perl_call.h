/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What tells one call of a sub of Perl from the next one. */
#ifndef STACKS_PERL_CALL_H
#define STACKS_PERL_CALL_H

#include "stacks/peek.h"
#include "stacks/source.h"

/* Stores a number for the values that were passed to the call that is the
 * depth-th of the code, 1 for the outermost. False if they are not known. */
bool perl_call_arguments(struct peek *peek, addr_t code, uint32_t depth,
			 uint64_t *ret_arguments);

#endif
