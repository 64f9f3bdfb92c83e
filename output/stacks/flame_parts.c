/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The assembler includes the files byte by byte (GNU as, ".incbin"). It looks
 * for them in the directory in which the compiler was started. make/flame.mk
 * declares that this object depends on them.
 */
#include "output/stacks/flame_parts.h"

#define PART(name, file)                                           \
	__asm__(".pushsection .rodata\n\t.globl " #name "\n" #name \
		":\n\t.incbin \"" file "\"\n\t.byte 0\n\t.popsection\n")

PART(flame_css, "output/stacks/flame.css");
PART(flame_js, "output/stacks/flame.js");
