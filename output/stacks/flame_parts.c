/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The assembler takes the files up, byte for byte (GNU as, ".incbin"); it
 * looks for them from where the compiler was started. make/flame.mk knows
 * that they are parts of this.
 */
#include "output/stacks/flame_parts.h"

#define PART(name, file)                                           \
	__asm__(".pushsection .rodata\n\t.globl " #name "\n" #name \
		":\n\t.incbin \"" file "\"\n\t.byte 0\n\t.popsection\n")

PART(flame_css, "output/stacks/flame.css");
PART(flame_js, "output/stacks/flame.js");
