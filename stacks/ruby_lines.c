/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Only an instruction that begins a line, or that has another mark, has an
 * entry in the table. A bit vector has a bit for each word of the code, which
 * is set if an entry is for this word. The index of a word's entry is the
 * number of bits before it. So that not all bits must be counted, sums are
 * stored with the vector (iseq.c: succ_index_table). The first 54 words have a
 * sum each, of seven bits, nine of them in a 64-bit word. The later words are
 * in blocks of 512:
 *
 *	0	rank: entries before the block
 *	8	seven counts of nine bits: entries in the block before its
 *		2nd, 3rd ... 8th word of bits
 *	16	eight words of bits
 */
#include "stacks/ruby_lines.h"

#define FIRST_WORDS 54u
#define FIRST_SIZE 48u
#define BLOCK_WORDS 512u
#define BLOCK_SIZE 80u

static uint64_t
rank_in_blocks(struct peek *peek, addr_t index, uint64_t place)
{
	addr_t block = index + FIRST_SIZE + place / BLOCK_WORDS * BLOCK_SIZE;
	unsigned bit = place % BLOCK_WORDS, word = bit / 64;
	uint64_t ranks = peek_u64(peek, block + 8);
	uint64_t bits = peek_u64(peek, block + 16 + 8 * word);
	uint64_t before = word ? ranks >> (word - 1) * 9 & 0x1ff : 0;

	return peek_u32(peek, block) + before +
	       (unsigned)__builtin_popcountll(bits << (63 - bit % 64));
}

/* The number of entries of the table for the words of the method's code up to
 * this place. */
static uint64_t
rank_of(struct peek *peek, addr_t index, uint64_t place)
{
	if (place >= FIRST_WORDS)
		return rank_in_blocks(peek, index, place - FIRST_WORDS);
	return peek_u64(peek, index + place / 9 * 8) >> place % 9 * 7 & 0x7f;
}

unsigned
ruby_line(struct peek *peek, const struct ruby_layout *layout, addr_t body,
	  uint64_t place)
{
	uint32_t count = peek_u32(peek, body + layout->insns_count);
	addr_t insns = peek_u64(peek, body + layout->insns);
	uint64_t rank = 1;

	if (count == 0 || place > INT32_MAX)
		return 0;
	if (count > 1)
		rank = rank_of(peek, peek_u64(peek, body + layout->insns_index),
			       place);
	if (rank == 0 || rank > count)
		return 0;
	return peek_u32(peek, insns + (rank - 1) * layout->insn_size);
}
