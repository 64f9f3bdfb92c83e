/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The form that linkers give a stub of a PLT on x86:
 *
 *	[endbr] [mov $index,%register] [bnd] jmp *word [push or padding]
 */
#ifndef ARCH_X86_PLT_STUB_H
#define ARCH_X86_PLT_STUB_H

#include "base/reader.h"

/* True if memory has these bytes right before `end`; count <= 8. */
bool ends_with(struct reader *memory, addr_t end, const void *bytes,
	       size_t count);

/* What the stubs of one kind of programs have before their jump. */
struct plt_stub_form {
	uint8_t endbr[4];
	uint8_t mov[2]; /* the opcode of mov $index, without the index */
	size_t mov_length;
};

/* True if a stub of this form can begin before the jump at `gate`, and can end
 * at `end`, the address behind the jump. */
bool plt_stub_around(struct reader *memory, addr_t gate, addr_t end,
		     const struct plt_stub_form *form);

#endif
