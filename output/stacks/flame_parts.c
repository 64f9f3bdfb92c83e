/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The assembler includes the files byte by byte (GNU as, ".incbin"). It looks
 * for them in the directory in which the compiler was started. make/flame.mk
 * declares that this object depends on them.
 */
#include "output/stacks/flame_parts.h"

#define FILE(name) "\t.incbin \"output/stacks/" name "\"\n"
#define PART(name, files)                                                      \
	__asm__(".pushsection .rodata\n\t.globl " #name "\n" #name ":\n" files \
		"\t.byte 0\n\t.popsection\n")

PART(flame_css, FILE("flame.css"));
PART(flame_js, FILE("flame.js") FILE("flame_page.js"));
