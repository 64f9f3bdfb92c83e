/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kinds of programs are few, so they are compared one by one. */
#include "arch/arch.h"

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
