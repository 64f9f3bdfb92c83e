/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A rip-relative operand has a ModRM byte with mod 0 and rm 5, and then the
 * distance in 32 bits (Intel SDM 2, 2.2.1.6). The scan looks for the 8 possible
 * values of this byte in 16 bytes at a time, and then looks up the target
 * address among the words of the imports. This takes a few hundred microseconds
 * for 2 MB of text, and almost all matches are real instructions.
 *
 * A gate gets a trap, so "almost" is not enough for a jump; it must be proved.
 * There are three proofs; the first that applies is used:
 *
 * - the unwind tables cover the code around it: the code is decoded from its
 *   beginning, and the jump must be one of the instructions. bfd and gold make
 *   such entries for their PLTs, compilers for their functions;
 * - no table covers it, but it has the form of a stub, at a multiple of 8 and
 *   with the linkers' instructions around it (lld and mold make no entries for
 *   PLTs):
 *
 *	[endbr64] [mov $index,%r11d] [bnd] jmp *word(%rip) [push or padding]
 *
 * - a symbol covers it: the code is decoded as in the first proof.
 *
 * A jump without a proof is rejected; its callee can still be watched.
 */
#include "symbols/plt_x86_64.h"

#include "arch/x86_64/insn.h"
#include "symbols/image_parts.h"
#include "symbols/symtab.h"

#include <emmintrin.h>
#include <string.h>

#define MODRM_MASK 0xc7
#define MODRM_RIP 0x05
/* A ModRM byte and the distance. */
#define OPERAND_SIZE 5

/* Limits the work if a damaged file has overlapping entries, so that the same
 * bytes would be decoded for each jump. */
#define DECODED_MOST (64u << 20)

/* ---- scanning ----------------------------------------------------------- */

struct scan {
	const uint8_t *bytes;
	size_t count;
	addr_t at;
	const struct map *imports;
	addr_t low, high;
	struct import_uses *uses;
};

/* The use that the opcode before the ModRM byte at i makes of its operand.
 * False if it is neither a jump, a call nor a load (a comparison of a weak
 * function with 0 is no call). */
static bool
use_of(const struct scan *scan, size_t i, struct import_use *use)
{
	const uint8_t *modrm = scan->bytes + i;
	const unsigned extension = *modrm >> 3 & 7;

	use->kind = IMPORT_USE_LOAD;
	use->opcode = scan->at + i - 1;
	switch (modrm[-1]) {
	case 0xff:
		if (extension == 4)
			use->kind = IMPORT_USE_JUMP;
		if (extension == 2)
			use->kind = IMPORT_USE_CALL;
		return extension == 2 || extension == 4 || extension == 6;
	case 0x8b:
		return true;
	default:
		return i >= 2 && modrm[-2] == 0x0f && modrm[-1] >> 4 == 4;
	}
}

static void
consider(const struct scan *scan, size_t i)
{
	struct import_use use;
	int32_t distance;

	if (i < 1 || scan->count - i < OPERAND_SIZE)
		return;
	memcpy(&distance, scan->bytes + i + 1, sizeof(distance));
	use.word = scan->at + i + OPERAND_SIZE + (addr_t)(int64_t)distance;
	if (use.word < scan->low || use.word > scan->high)
		return;
	if (use_of(scan, i, &use) && map_get(scan->imports, use.word))
		vec_push(&scan->uses->list, use);
}

/* A mask of the bytes, out of 16, that may be such a ModRM byte. */
static unsigned
modrm_bytes(const uint8_t *bytes)
{
	const __m128i masked =
		_mm_and_si128(_mm_loadu_si128((const __m128i *)bytes),
			      _mm_set1_epi8((char)MODRM_MASK));

	return (unsigned)_mm_movemask_epi8(
		_mm_cmpeq_epi8(masked, _mm_set1_epi8(MODRM_RIP)));
}

void
import_uses_scan(struct bytes code, addr_t at, const struct map *imports,
		 addr_t low, addr_t high, struct import_uses *uses)
{
	const struct scan scan = { code.at, code.count, at,  imports,
				   low,	    high,	uses };
	size_t i = 0;

	for (; code.count - i >= 16; i += 16)
		for (unsigned found = modrm_bytes(code.at + i); found;
		     found &= found - 1)
			consider(&scan, i + (size_t)__builtin_ctz(found));
	for (; i < code.count; i++)
		if ((code.at[i] & MODRM_MASK) == MODRM_RIP)
			consider(&scan, i);
}

/* ---- proving ------------------------------------------------------------ */

void
gate_proof_init(struct gate_proof *proof, struct image *image)
{
	*proof = (struct gate_proof){
		.image = image,
		.elf = image_elf(image),
		.fdes = fde_table_of(image_elf(image)),
		.budget = DECODED_MOST,
	};
}

static bool
decode(const struct gate_proof *proof, addr_t at, struct insn *insn)
{
	const struct bytes bytes = elf_bytes(proof->elf, at, INSN_LONGEST);

	return bytes.at && insn_decode(bytes.at, bytes.count, at, insn) == 0;
}

static bool
is_the_jump(const struct insn *insn, addr_t at, const struct import_use *use)
{
	return at + insn->opcode_offset == use->opcode &&
	       insn->kind == INSN_JUMP_SLOT && insn->target == use->word;
}

/* Continues to decode up to the jump. If that fails, the rest of this code
 * cannot be decoded either: next is then its end. */
static bool
decode_to(struct gate_proof *proof, const struct import_use *use,
	  addr_t *ret_gate)
{
	struct insn insn;

	while (proof->next <= use->opcode) {
		const addr_t at = proof->next;

		if (!decode(proof, at, &insn) || insn.length > proof->budget) {
			proof->next = proof->end;
			return false;
		}
		proof->budget -= insn.length;
		proof->next += insn.length;
		if (is_the_jump(&insn, at, use)) {
			*ret_gate = at;
			return true;
		}
	}
	return false;
}

static bool
prove_within(struct gate_proof *proof, addr_t start, addr_t end,
	     const struct import_use *use, addr_t *ret_gate)
{
	if (proof->end != end || proof->next > use->opcode ||
	    proof->next < start) {
		proof->next = start;
		proof->end = end;
	}
	return decode_to(proof, use, ret_gate);
}

/* ---- stubs -------------------------------------------------------------- */

static bool
ends_with(const struct elf *elf, addr_t end, const void *bytes, size_t count)
{
	const uint8_t *before = elf_span(elf, end - count, count);

	return before && memcmp(before, bytes, count) == 0;
}

/* The start of the stub with this jump. */
static addr_t
stub_start(const struct elf *elf, addr_t gate)
{
	static const uint8_t endbr64[] = { 0xf3, 0x0f, 0x1e, 0xfa };
	static const uint8_t mov_r11d[] = { 0x41, 0xbb };
	const addr_t index = gate - sizeof(uint32_t);

	if (ends_with(elf, index, mov_r11d, sizeof(mov_r11d)))
		gate = index - sizeof(mov_r11d);
	if (ends_with(elf, gate, endbr64, sizeof(endbr64)))
		gate -= sizeof(endbr64);
	return gate;
}

/* True if a stub can end here, after the jump: the next stub follows, or push
 * $index, or the first byte of a nop or of an int3. */
static bool
stub_ends(const struct elf *elf, addr_t end)
{
	static const uint8_t tails[] = { 0x68, 0x66, 0x0f, 0x90, 0xcc };
	const uint8_t *tail = elf_span(elf, end, 1);

	return end % 8 == 0 || !tail || memchr(tails, *tail, sizeof(tails));
}

static bool
prove_stub(const struct gate_proof *proof, const struct import_use *use,
	   addr_t *ret_gate)
{
	static const uint8_t bnd = 0xf2;
	const addr_t end = use->opcode + 1 + OPERAND_SIZE;
	addr_t gate = use->opcode;
	struct insn insn;

	if (ends_with(proof->elf, gate, &bnd, 1))
		gate--;
	if (stub_start(proof->elf, gate) % 8 || !stub_ends(proof->elf, end) ||
	    !decode(proof, gate, &insn) || !is_the_jump(&insn, gate, use))
		return false;
	*ret_gate = gate;
	return true;
}

bool
gate_is_stub(const struct gate_proof *proof, const struct import_use *use)
{
	const addr_t jump_end = use->opcode + 1 + OPERAND_SIZE;
	addr_t start, end, gate;

	if (!prove_stub(proof, use, &gate))
		return false;
	/* One entry of a linker covers all of its stubs, which are whole words.
	 * A function that ends in a jump ends directly after it. */
	return !fde_covering(&proof->fdes, use->opcode, &start, &end) ||
	       (end != jump_end && start % 8 == 0 && end % 8 == 0);
}

bool
gate_prove(struct gate_proof *proof, const struct import_use *use,
	   addr_t *ret_gate)
{
	const struct symbol *symbol;
	addr_t start, end;

	if (fde_covering(&proof->fdes, use->opcode, &start, &end))
		return prove_within(proof, start, end, use, ret_gate);
	if (prove_stub(proof, use, ret_gate))
		return true;
	symbol = symtab_covering(proof->image, use->opcode);
	if (!symbol)
		return false;
	end = symbol->address + symbol->size;
	return prove_within(proof, symbol->address,
			    symbol->size ? end : UINT64_MAX, use, ret_gate);
}
