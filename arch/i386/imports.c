/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An operand names the word of an import in one of two ways (Intel SDM 2, table
 * 2-2): by its address, which is ModRM with mod 0 and rm 5, or by its distance
 * from the GOT, which position-independent code has in a register, mostly ebx:
 * mod 2 with that register. The GOT is where DT_PLTGOT says (i386 psABI 5.2).
 *
 *	ff 25 word	jmp *word	ff a3 distance	jmp *distance(%ebx)
 *	ff 15 word	call *word	ff 93 distance	call *distance(%ebx)
 *	8b 05 word	mov word,%eax	8b 83 distance	mov distance(%ebx),%eax
 *
 * A stub is at a multiple of 8, with the linkers' instructions around its jump:
 *
 *	[endbr32] [mov $index,%ecx] jmp *operand [push or padding]
 *
 * In position-independent code of mold (1.10) the register has the address of
 * .got, which DT_PLTGOT does not say: there no use is found.
 */
#include "arch/i386/imports.h"

#include "arch/x86/plt_stub.h"
#include "arch/x86_64/insn.h"

#include <string.h>

/* The length of a ModRM byte and the number behind it. */
#define OPERAND_SIZE 5
#define NO_BASE 5u   /* rm that means no base, with mod 0 */
#define HAS_INDEX 4u /* rm that means that a SIB byte follows */

/* The word that the operand at the ModRM byte names; 0 if the operand has
 * another form. */
static addr_t
operand_word(const uint8_t *modrm, addr_t got)
{
	const unsigned mod = modrm[0] >> 6, rm = modrm[0] & 7;
	uint32_t number;

	memcpy(&number, modrm + 1, sizeof(number));
	if (mod == 0 && rm == NO_BASE)
		return number;
	if (mod == 2 && rm != HAS_INDEX && got)
		return (uint32_t)(got + number);
	return 0;
}

/* ---- scanning ----------------------------------------------------------- */

/* Is the instruction with this opcode and ModRM byte a use of an import? */
static bool
use_kind(uint8_t opcode, uint8_t modrm, enum import_use_kind *ret_kind)
{
	const unsigned extension = modrm >> 3 & 7;

	*ret_kind = IMPORT_USE_LOAD;
	if (opcode == 0x8b)
		return true;
	if (opcode != 0xff)
		return false;
	if (extension == 4)
		*ret_kind = IMPORT_USE_JUMP;
	if (extension == 2)
		*ret_kind = IMPORT_USE_CALL;
	return extension == 2 || extension == 4 || extension == 6;
}

static void
scan(const struct code *code, const struct import_words *words,
     struct import_uses *uses)
{
	for (size_t i = 0; i + 1 + OPERAND_SIZE <= code->length; i++) {
		const uint8_t *at = code->bytes + i;
		struct import_use use = {
			.opcode = code->at + i,
			.end = code->at + i + 1 + OPERAND_SIZE,
		};

		if (!use_kind(at[0], at[1], &use.kind))
			continue;
		use.word = operand_word(at + 1, words->got);
		if (use.word >= words->low && use.word <= words->high &&
		    map_get(words->map, use.word))
			vec_push(&uses->list, use);
	}
}

/* ---- one instruction ---------------------------------------------------- */

static size_t
decode(const struct code *code, addr_t got, struct import_use *ret_use)
{
	struct insn insn;

	*ret_use = (struct import_use){ 0 };
	if (insn_decode_in(INSN_MODE_32, code, &insn) < 0)
		return 0;
	if (insn.kind == INSN_JUMP_INDIRECT &&
	    !(insn.prefixes & (INSN_PREFIX_ADDRESS | INSN_PREFIX_SEGMENT)) &&
	    insn.length == insn.modrm_offset + OPERAND_SIZE)
		*ret_use = (struct import_use){
			.kind = IMPORT_USE_JUMP,
			.opcode = code->at + insn.opcode_offset,
			.end = code->at + insn.length,
			.word = operand_word(code->bytes + insn.modrm_offset,
					     got),
		};
	return insn.length;
}

/* ---- stubs -------------------------------------------------------------- */

static const struct plt_stub_form form = {
	.endbr = { 0xf3, 0x0f, 0x1e, 0xfb }, /* endbr32 */
	.mov = { 0xb9 },		     /* mov $index,%ecx */
	.mov_length = 1,
};

static bool
stub(struct reader *memory, const struct import_use *jump, addr_t got,
     addr_t *ret_gate)
{
	uint8_t bytes[DECODE_WINDOW];
	const struct code code = { bytes, jump->end - jump->opcode,
				   jump->opcode };
	struct import_use use;

	if (!plt_stub_around(memory, jump->opcode, jump->end, &form) ||
	    reader_read(memory, jump->opcode, bytes, code.length) < 0 ||
	    decode(&code, got, &use) != code.length || use.word != jump->word)
		return false;
	*ret_gate = jump->opcode;
	return true;
}

const struct arch_imports i386_imports = {
	.scan = scan,
	.decode = decode,
	.stub = stub,
};
