/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kinds of programs are few, so they are compared one by one. */
#include "arch/arch.h"

#include <elf.h>

const struct arch *
arch_of_file(unsigned machine, unsigned class, unsigned data)
{
	for (const struct arch *const *arch = arch_known; *arch; arch++) {
		const struct arch_elf *elf = &(*arch)->elf;

		if (elf->machine == machine && elf->class == class &&
		    elf->data == data)
			return *arch;
	}
	return NULL;
}

/* True if the bytes behind the magic number are what they should be. */
static bool
is_said(const unsigned char ident[EI_NIDENT])
{
	return (ident[EI_CLASS] == ELFCLASS32 ||
		ident[EI_CLASS] == ELFCLASS64) &&
	       (ident[EI_DATA] == ELFDATA2LSB ||
		ident[EI_DATA] == ELFDATA2MSB) &&
	       ident[EI_VERSION] == EV_CURRENT;
}

const struct arch *
arch_of_program(const unsigned char ident[EI_NIDENT], unsigned machine)
{
	if (is_said(ident))
		return arch_of_file(machine, ident[EI_CLASS], ident[EI_DATA]);
	for (const struct arch *const *arch = arch_known; *arch; arch++)
		if ((*arch)->elf.machine == machine)
			return *arch;
	return NULL;
}
