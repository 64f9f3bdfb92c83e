/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The words of the stack are tried from the innermost one outwards. */
#include "stacks/caller.h"

#include "arch/code.h"

/* How many words of the stack are searched: more than any frame has, except
 * frames with large arrays. */
#define WORDS_MOST 4096u

addr_t
caller_find(const struct arch *arch, struct reader *memory,
	    const struct modmap *modules, addr_t from, addr_t function)
{
	const unsigned size = arch->word;
	uint64_t word;

	for (addr_t at = from; at < from + size * WORDS_MOST; at += size) {
		enum caller caller;

		if (reader_word(memory, at, size, &word) < 0)
			return 0;
		if (!modmap_covering(modules, word))
			continue;
		caller = arch->code->caller(memory, word, function);
		if (caller != CALLER_NONE)
			return caller == CALLER_OURS ? at : 0;
	}
	return 0;
}
