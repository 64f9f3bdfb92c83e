/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An SDT probe in the code, with its note (SystemTap's
 * "UserSpaceProbeImplementation"). semaphore is a symbol or 0. arguments is the
 * text of the note, with operands of the asm statement, which follow.
 */
#ifndef SDT_H
#define SDT_H

#define PROBE(provider, name, semaphore, arguments, ...)                     \
	__asm__ volatile(                                                    \
		"990:	nop\n"                                                  \
		"	.pushsection .note.stapsdt, \"\", \"note\"\n"              \
		"	.balign 4\n"                                            \
		"	.4byte 992f - 991f, 994f - 993f, 3\n"                   \
		"991:	.asciz \"stapsdt\"\n"                                   \
		"992:	.balign 4\n"                                            \
		"993:	.8byte 990b, _.stapsdt.base, " semaphore "\n"           \
		"	.asciz \"" provider "\", \"" name "\", \"" arguments     \
		"\"\n"                                                       \
		"994:	.balign 4\n"                                            \
		"	.popsection\n"                                          \
		"	.ifndef _.stapsdt.base\n"                               \
		"	.pushsection .stapsdt.base, \"aG\", \"progbits\", "       \
		".stapsdt.base, comdat\n"                                    \
		"	.weak _.stapsdt.base\n"                                 \
		"	.hidden _.stapsdt.base\n"                               \
		"_.stapsdt.base: .space 1\n"                                 \
		"	.popsection\n"                                          \
		"	.endif\n" ::__VA_ARGS__)

/* A semaphore, which PROBE names by its symbol. */
#define SEMAPHORE(symbol)                                                    \
	__attribute__((section(".probes"), used, visibility("hidden")))      \
	volatile unsigned short symbol

#endif
