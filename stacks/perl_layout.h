/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where Perl keeps what, by its version: offsets of members (intrpvar.h,
 * cop.h), as the compiler told them for the headers of each.
 */
#ifndef STACKS_PERL_LAYOUT_H
#define STACKS_PERL_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

struct perl_layout {
	unsigned version; /* 36 of 5.36, and those up to the next row's */
	/* In the interpreter, where there may be many (ithreads). */
	uint16_t current_cop, stack_info;
	uint16_t info_type;	  /* in a PERL_SI */
	uint16_t context_code;	  /* blk_sub.cv in a PERL_CONTEXT */
	uint16_t context_require; /* blk_eval.old_namesv */
	uint16_t context_size;
	bool aux_in_body; /* struct xpvhv_with_aux */
};

#endif
