/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The assembler takes the files up, byte for byte (GNU as, ".incbin"); it
 * looks for them from where the compiler was started. make/flame.mk knows
 * that they are parts of this.
 */
#include "output/flame_parts.h"

#define PART(name, file)                                           \
	__asm__(".pushsection .rodata\n\t.globl " #name "\n" #name \
		":\n\t.incbin \"" file "\"\n\t.byte 0\n\t.popsection\n")

PART(flame_css, "output/flame.css");
PART(flame_js, "output/flame.js");
