/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The places of Perl's data, by its version: offsets of members (intrpvar.h,
 * cop.h), as the compiler computed them from the headers of each version.
 */
#ifndef STACKS_PERL_LAYOUT_H
#define STACKS_PERL_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

struct perl_layout {
	unsigned version; /* 36 for 5.36; the row is valid up to the next row's
			   * version */
	/* Offsets in the interpreter, if there may be several (ithreads). */
	uint16_t current_cop, stack_info;
	uint16_t info_type;	  /* offset in a PERL_SI */
	uint16_t context_code;	  /* blk_sub.cv in a PERL_CONTEXT */
	uint16_t context_require; /* blk_eval.old_namesv */
	uint16_t context_size;
	/* the hash's further data is in struct xpvhv_with_aux */
	bool aux_in_body;
};

/* The layout of Perl 5.VERSION, or NULL. */
const struct perl_layout *perl_layout_of(unsigned version);

#endif
