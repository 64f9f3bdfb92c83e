/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes an original instruction's part of a slot. Most instructions are copied;
 * an instruction that names an address relative to its own is rewritten:
 *
 *	op disp(%rip), ..	the same with another disp32
 *	jmp, jcc rel		rel32; if that is too far, through a word
 *	loop rel8		loop 1f; jmp 2f; 1: jmp target; 2:
 *	call rel		push original return address; jmp target
 *	call *operand		push original return address; jmp *operand
 *	nop, endbr64		(nothing)
 *
 * The registers, flags and memory afterwards must equal what the original would
 * have left. So a call cannot stay a call, because its return address would be
 * in the slot; and an operand based on rsp is corrected, because the push has
 * changed rsp. The prefixes of a relative branch are dropped: bnd and the hints
 * mean nothing to today's processors.
 *
 * The operand of a call may be in the eight bytes below rsp, where the return
 * address is pushed; the call would then read the pushed address. It is refused
 * if the operand has a negative distance from rsp. Through other registers this
 * cannot be detected; no compiler does it, because memory below rsp does not
 * survive a call.
 *
 * 32-bit code is displaced in the same way; none of its operands is relative to
 * the pc.
 */
#include "arch/x86_64/displace.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

#define SHORT_JUMP 0xeb
#define GROUP_5_JUMP 4
#define NEGATED 1 /* the lowest bit of a condition code */
#define RSP 4

static int
refuse(struct relocation *relocation, int code, const char *why)
{
	relocation->why = why;
	return code;
}

void
displace_step(struct relocation *relocation, addr_t pc, bool whole)
{
	struct relocated *result = relocation->result;

	assert(result->steps < WINDOW_SLOT_STEPS);
	result->step[result->steps++] = (struct slot_step){
		.offset = (uint8_t)relocation->emitter.length,
		.whole = whole,
		.original = (int64_t)(pc - relocation->at),
	};
}

static int
copy_plain(struct relocation *relocation, const struct original *original)
{
	displace_step(relocation, original->at, true);
	emit_bytes(&relocation->emitter, original->bytes,
		   original->insn.length);
	return 0;
}

/*
 * Emits an instruction. Its disp32 at offset `where` counts from the
 * instruction's end, and is set so that it names target.
 */
static int
emit_pc_relative(struct relocation *relocation, const uint8_t *bytes,
		 size_t length, size_t where, addr_t target)
{
	struct emitter *emitter = &relocation->emitter;
	addr_t end = emitter_pc(emitter) + length;
	uint32_t distance = (uint32_t)(target - end);

	if (!emit_reaches(end, target))
		return refuse(relocation, -ERANGE,
			      "an operand out of the slot's reach");
	emit_bytes(emitter, bytes, where);
	emit_u32(emitter, distance);
	emit_bytes(emitter, bytes + where + sizeof(distance),
		   length - where - sizeof(distance));
	return 0;
}

static int
move_pc_relative(struct relocation *relocation, const struct original *original)
{
	const struct insn *insn = &original->insn;

	displace_step(relocation, original->at, true);
	return emit_pc_relative(relocation, original->bytes, insn->length,
				insn->disp_offset, insn->target);
}

static int
skip_nothing(struct relocation *relocation, const struct original *original)
{
	(void)relocation;
	(void)original;
	return 0;
}

static int
move_jump(struct relocation *relocation, const struct original *original)
{
	displace_step(relocation, original->at, true);
	emit_jump(&relocation->emitter, original->insn.target);
	return 0;
}

static int
move_branch(struct relocation *relocation, const struct original *original)
{
	const struct insn *insn = &original->insn;
	const uint8_t *opcode = original->bytes + insn->opcode_offset;
	uint8_t condition = (opcode[0] == 0x0f ? opcode[1] : opcode[0]) & 15;

	displace_step(relocation, original->at, true);
	if (emit_branch(&relocation->emitter, condition, insn->target))
		return 0;
	emit_branch_over_far_jump(&relocation->emitter, condition ^ NEGATED);
	displace_step(relocation, insn->target, true);
	emit_far_jump(&relocation->emitter, insn->target);
	return 0;
}

static int
move_loop(struct relocation *relocation, const struct original *original)
{
	const struct insn *insn = &original->insn;
	struct emitter *emitter = &relocation->emitter;
	size_t taken;

	displace_step(relocation, original->at, true);
	emit_bytes(emitter, original->bytes, insn->length - 1u);
	/* the distance of a jump over the next instruction */
	emit_u8(emitter, 2);
	displace_step(relocation, original_end(original), true);
	emit_u8(emitter, SHORT_JUMP);
	emit_u8(emitter, 0);
	displace_step(relocation, insn->target, true);
	taken = emitter->length;
	emit_jump(emitter, insn->target);
	emitter->bytes[taken - 1] = (uint8_t)(emitter->length - taken);
	return 0;
}

static int
move_call(struct relocation *relocation, const struct original *original)
{
	struct emitter *emitter = &relocation->emitter;

	if (relocation->shadow_stack)
		return refuse(relocation, -ENOTSUP,
			      "a call under a shadow stack");
	displace_step(relocation, original->at, true);
	emit_push(emitter, original_end(original));
	displace_step(relocation, original->insn.target, true);
	emit_jump(emitter, original->insn.target);
	return 0;
}

/* The jump that replaces the call: its bytes and length. */
struct jump_form {
	uint8_t bytes[INSN_LONGEST + sizeof(int32_t)];
	size_t length;
	size_t modrm;
};

static bool
rex_b(const struct original *original)
{
	const struct insn *insn = &original->insn;

	return insn->prefixes & INSN_PREFIX_REX &&
	       original->bytes[insn->opcode_offset - 1] & 1;
}

/* Is rsp the base of the memory operand? */
static bool
counts_from_rsp(const struct original *original)
{
	const uint8_t *modrm = original->bytes + original->insn.modrm_offset;

	return modrm[0] >> 6 != 3 && (modrm[0] & 7) == 4 &&
	       (modrm[1] & 7) == RSP && !rex_b(original);
}

/* Adds the push's change of rsp to the displacement behind the SIB byte. */
static int
correct_for_push(struct relocation *relocation, struct jump_form *form)
{
	uint8_t *modrm = form->bytes + form->modrm, *sib = modrm + 1;
	const int64_t word = relocation->mode == INSN_MODE_32 ? 4 : 8;
	int64_t disp = 0;
	int32_t corrected;

	if (*modrm >> 6 == 1)
		disp = (int8_t)sib[1];
	if (*modrm >> 6 == 2) {
		memcpy(&corrected, sib + 1, sizeof(corrected));
		disp = corrected;
	}
	form->length = form->modrm + 2 + sizeof(corrected);
	if (disp + word > INT32_MAX || form->length > INSN_LONGEST || disp < 0)
		return refuse(relocation, -ENOTSUP,
			      "a call through an odd word of the stack");
	corrected = (int32_t)(disp + word);
	*modrm = (uint8_t)((*modrm & 0x3f) | 2 << 6);
	memcpy(sib + 1, &corrected, sizeof(corrected));
	return 0;
}

static void
make_jump_form(const struct original *original, struct jump_form *form)
{
	uint8_t *modrm;

	memcpy(form->bytes, original->bytes, original->insn.length);
	form->length = original->insn.length;
	form->modrm = original->insn.modrm_offset;
	modrm = form->bytes + form->modrm;
	*modrm = (uint8_t)((*modrm & 0xc7) | GROUP_5_JUMP << 3);
}

static int
move_indirect_call(struct relocation *relocation,
		   const struct original *original)
{
	const struct insn *insn = &original->insn;
	struct jump_form form;
	int r;

	if (relocation->shadow_stack)
		return refuse(relocation, -ENOTSUP,
			      "a call under a shadow stack");
	if (insn->mode == INSN_MODE_32 && insn->prefixes & INSN_PREFIX_ADDRESS)
		return refuse(relocation, -ENOTSUP,
			      "a call through a 16-bit address");
	make_jump_form(original, &form);
	if ((form.bytes[form.modrm] & 0xc7) == (0xc0 | RSP) && !rex_b(original))
		return refuse(relocation, -ENOTSUP, "a call through rsp");
	if (counts_from_rsp(original)) {
		r = correct_for_push(relocation, &form);
		if (r < 0)
			return r;
	}
	displace_step(relocation, original->at, true);
	emit_push(&relocation->emitter, original_end(original));
	displace_step(relocation, original->at, false);
	if (insn->disp_offset)
		return emit_pc_relative(relocation, form.bytes, form.length,
					insn->disp_offset, insn->target);
	emit_bytes(&relocation->emitter, form.bytes, form.length);
	return 0;
}

static int
refuse_kind(struct relocation *relocation, const struct original *original)
{
	return refuse(relocation, -ENOTSUP,
		      insn_kind_name(original->insn.kind));
}

static int
append(struct relocation *relocation, const struct original *original)
{
	static int (*const movers[INSN_KINDS])(struct relocation *,
					       const struct original *) = {
		[INSN_PLAIN] = copy_plain,
		[INSN_PC_RELATIVE] = move_pc_relative,
		[INSN_NOTHING] = skip_nothing,
		[INSN_JUMP] = move_jump,
		[INSN_JUMP_INDIRECT] = copy_plain,
		[INSN_JUMP_WORD] = move_pc_relative,
		[INSN_BRANCH] = move_branch,
		[INSN_LOOP] = move_loop,
		[INSN_CALL] = move_call,
		[INSN_CALL_INDIRECT] = move_indirect_call,
		[INSN_CALL_WORD] = move_indirect_call,
		[INSN_RETURN] = copy_plain,
		[INSN_SYSCALL] = refuse_kind,
		[INSN_TRAP] = refuse_kind,
		[INSN_OTHER_FLOW] = refuse_kind,
	};
	const struct insn *insn = &original->insn;

	/* eip-relative: the slot is not in the lowest 4 GiB. */
	if (insn->disp_offset && insn->prefixes & INSN_PREFIX_ADDRESS)
		return refuse(relocation, -ENOTSUP, "an eip-relative operand");
	return movers[insn->kind](relocation, original);
}

int
displace(struct relocation *relocation, const uint8_t *bytes, size_t have,
	 addr_t at, struct original *ret_original)
{
	const struct code code = { bytes, have, at };
	int r = insn_decode_in(relocation->mode, &code, &ret_original->insn);

	if (r < 0)
		return refuse(relocation, r, "not an instruction");
	ret_original->bytes = bytes;
	ret_original->at = at;
	return append(relocation, ret_original);
}
