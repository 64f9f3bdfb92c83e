/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A scan finds jumps by the bytes of their operands. Almost all of them are
 * real instructions. A gate gets a trap, so "almost" is not enough; a jump must
 * be proved. There are three proofs; the first that applies is used:
 *
 * - the unwind tables cover the code around it: the code is decoded from its
 *   beginning, and the jump must be one of the instructions. bfd and gold make
 *   such entries for their PLTs, compilers for their functions;
 * - no table covers it, but it has the form of a linker's stub (lld and mold
 *   make no entries for PLTs);
 * - a symbol covers it: the code is decoded as in the first proof.
 *
 * A jump without a proof is rejected; its callee can still be watched.
 */
#include "symbols/gates.h"

#include "symbols/dynamic.h"
#include "symbols/image_parts.h"
#include "symbols/symtab.h"

#include <errno.h>
#include <string.h>

/* Limits the work if a damaged file has overlapping entries, so that the same
 * bytes would be decoded for each jump. */
#define DECODED_MOST (64u << 20)

static int
read_elf(struct reader *reader, addr_t from, void *to, size_t length)
{
	const struct gate_proof *proof =
		container_of(reader, struct gate_proof, text);
	const uint8_t *bytes = elf_span(proof->elf, from, length);

	if (!bytes)
		return -EFAULT;
	memcpy(to, bytes, length);
	return 0;
}

void
gate_proof_init(struct gate_proof *proof, struct image *image)
{
	*proof = (struct gate_proof){
		.image = image,
		.elf = image_elf(image),
		.text = { .read = read_elf },
		.fdes = fde_table_of(image_elf(image)),
		.budget = DECODED_MOST,
		.got = dynamic_got(image_elf(image)),
	};
}

/* The length of the instruction, or 0. */
static size_t
decode(const struct gate_proof *proof, addr_t at, struct import_use *ret_use)
{
	const struct bytes bytes = elf_bytes(proof->elf, at, DECODE_WINDOW);
	const struct code code = { bytes.at, bytes.count, at };

	return bytes.at ? proof->elf->arch->imports->decode(&code, proof->got,
							    ret_use)
			: 0;
}

/* Continues to decode up to the jump. If that fails, the rest of this code
 * cannot be decoded either: next is then its end. */
static bool
decode_to(struct gate_proof *proof, const struct import_use *use,
	  addr_t *ret_gate)
{
	struct import_use found;

	while (proof->next <= use->opcode) {
		const addr_t at = proof->next;
		const size_t length = decode(proof, at, &found);

		if (length == 0 || length > proof->budget) {
			proof->next = proof->end;
			return false;
		}
		proof->budget -= length;
		proof->next += length;
		if (found.opcode == use->opcode && found.word == use->word) {
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

static bool
prove_stub(struct gate_proof *proof, const struct import_use *use,
	   addr_t *ret_gate)
{
	return proof->elf->arch->imports->stub(&proof->text, use, proof->got,
					       ret_gate);
}

bool
gate_is_stub(struct gate_proof *proof, const struct import_use *use)
{
	addr_t start, end, gate;

	if (!prove_stub(proof, use, &gate))
		return false;
	/* One entry of the unwind tables covers all stubs of a linker. The size
	 * of a stub is a multiple of 8, so the entry begins and ends at such an
	 * address. A function that ends in a jump ends directly after it. */
	return !fde_covering(&proof->fdes, use->opcode, &start, &end) ||
	       (end != use->end && start % 8 == 0 && end % 8 == 0);
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
