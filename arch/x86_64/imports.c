/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A rip-relative operand has a ModRM byte with mod 0 and rm 5, and then the
 * distance in 32 bits (Intel SDM 2, 2.2.1.6). The scan looks for the 8 possible
 * values of this byte in 16 bytes at a time, and then looks up the target
 * address among the words of the imports. This takes a few hundred microseconds
 * for 2 MB of text, and almost all matches are real instructions.
 *
 * A stub is at a multiple of 8, with the linkers' instructions around its jump:
 *
 *	[endbr64] [mov $index,%r11d] [bnd] jmp *word(%rip) [push or padding]
 */
#include "arch/x86_64/imports.h"

#include "arch/x86/plt_stub.h"
#include "arch/x86_64/insn.h"

#include <emmintrin.h>
#include <string.h>

#define MODRM_MASK 0xc7
#define MODRM_RIP 0x05
/* The length of a ModRM byte and of the displacement (disp32) behind it. */
#define OPERAND_SIZE 5

/* ---- scanning ----------------------------------------------------------- */

struct import_scan {
	const struct code *code;
	const struct import_words *words;
	struct import_uses *uses;
};

/* The use that the opcode before the ModRM byte at i makes of its operand.
 * False if it is neither a jump, a call nor a load (a comparison of a weak
 * function with 0 is no call). */
static bool
use_of(const struct import_scan *scan, size_t i, struct import_use *use)
{
	const uint8_t *modrm = scan->code->bytes + i;
	const unsigned extension = *modrm >> 3 & 7;

	use->kind = IMPORT_USE_LOAD;
	use->opcode = scan->code->at + i - 1;
	use->end = scan->code->at + i + OPERAND_SIZE;
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
consider(const struct import_scan *scan, size_t i)
{
	struct import_use use;
	int32_t distance;

	if (i < 1 || scan->code->length - i < OPERAND_SIZE)
		return;
	memcpy(&distance, scan->code->bytes + i + 1, sizeof(distance));
	use.word =
		scan->code->at + i + OPERAND_SIZE + (addr_t)(int64_t)distance;
	if (use.word < scan->words->low || use.word > scan->words->high)
		return;
	if (use_of(scan, i, &use) && map_get(scan->words->map, use.word))
		vec_push(&scan->uses->list, use);
}

/*
 * A mask of the bytes, out of 16, that may be the ModRM byte of a rip-relative
 * operand.
 */
static unsigned
modrm_bytes(const uint8_t *bytes)
{
	const __m128i masked =
		_mm_and_si128(_mm_loadu_si128((const __m128i *)bytes),
			      _mm_set1_epi8((char)MODRM_MASK));

	return (unsigned)_mm_movemask_epi8(
		_mm_cmpeq_epi8(masked, _mm_set1_epi8(MODRM_RIP)));
}

static void
scan(const struct code *code, const struct import_words *words,
     struct import_uses *uses)
{
	const struct import_scan of = { code, words, uses };
	size_t i = 0;

	for (; code->length - i >= 16; i += 16)
		for (unsigned found = modrm_bytes(code->bytes + i); found;
		     found &= found - 1)
			consider(&of, i + (size_t)__builtin_ctz(found));
	for (; i < code->length; i++)
		if ((code->bytes[i] & MODRM_MASK) == MODRM_RIP)
			consider(&of, i);
}

/* ---- one instruction ---------------------------------------------------- */

/* The GOT's address is not used, because operands are relative to the pc. */
static size_t
decode(const struct code *code, addr_t got, struct import_use *ret_use)
{
	struct insn insn;

	(void)got;
	*ret_use = (struct import_use){ 0 };
	if (insn_decode(code->bytes, code->length, code->at, &insn) < 0)
		return 0;
	if (insn.kind == INSN_JUMP_WORD)
		*ret_use = (struct import_use){
			.kind = IMPORT_USE_JUMP,
			.opcode = code->at + insn.opcode_offset,
			.end = code->at + insn.length,
			.word = insn.target,
		};
	return insn.length;
}

/* ---- stubs -------------------------------------------------------------- */

static const struct plt_stub_form form = {
	.endbr = { 0xf3, 0x0f, 0x1e, 0xfa }, /* endbr64 */
	.mov = { 0x41, 0xbb },		     /* mov $index,%r11d */
	.mov_length = 2,
};

static bool
stub(struct reader *memory, const struct import_use *jump, addr_t got,
     addr_t *ret_gate)
{
	static const uint8_t bnd = 0xf2;
	addr_t gate = jump->opcode;
	uint8_t bytes[DECODE_WINDOW];
	struct import_use use;
	struct code code;

	if (ends_with(memory, gate, &bnd, 1))
		gate--;
	code = (struct code){ bytes, jump->end - gate, gate };
	if (!plt_stub_around(memory, gate, jump->end, &form) ||
	    reader_read(memory, gate, bytes, code.length) < 0 ||
	    decode(&code, got, &use) != code.length || use.word != jump->word)
		return false;
	*ret_gate = gate;
	return true;
}

const struct arch_imports x86_64_imports = {
	.scan = scan,
	.decode = decode,
	.stub = stub,
};
