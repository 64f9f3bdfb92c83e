/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The check's code. It saves the flags as saved_flags.h describes; lea changes
 * no flag.
 *
 *	save	lea -128(%rsp),%rsp	over the red zone
 *		push %rax
 *		lahf ; seto %al
 *		push %rcx
 *	test	rcx := the stack pointer, or the return address ; cmp ; jcc stop
 *	restore	pop %rcx
 *		add $0x7f,%al ; sahf
 *		pop %rax
 *		lea 128(%rsp),%rsp
 *
 * What to undo depends on the instruction that the thread is about to execute.
 * So two tables say what is saved at each offset from the beginning of save and
 * of restore, which have no branches.
 */
#include "arch/x86_64/check.h"

#include "arch/x86/int3.h"
#include "arch/x86_64/emit.h"
#include "arch/x86_64/relocate.h"
#include "arch/x86_64/meter.h"
#include "arch/x86_64/saved_flags.h"
#include "arch/x86_64/window.h"

#include <errno.h>
#include <string.h>

#define RED_ZONE 128u
#define WORD 8u

static const uint8_t save[] = {
	0x48, 0x8d, 0x64, 0x24, 0x80, /* lea -128(%rsp),%rsp */
	0x50,			      /* push %rax */
	0x9f,			      /* lahf */
	0x0f, 0x90, 0xc0,	      /* seto %al */
	0x51,			      /* push %rcx */
};
static const uint8_t restore[] = {
	0x59,				       /* pop %rcx */
	0x04, 0x7f,			       /* add $0x7f,%al */
	0x9e,				       /* sahf */
	0x58,				       /* pop %rax */
	0x48, 0x8d, 0xa4, 0x24, 0x80, 0, 0, 0, /* lea 128(%rsp),%rsp */
};

/* lea 144(%rsp),%rcx; mov 144(%rsp),%rcx: the site's stack pointer, and the
 * word at it. */
static const uint8_t stack_pointer[] = {
	0x48, 0x8d, 0x8c, 0x24, 0x90, 0, 0, 0
};
static const uint8_t word_at_it[] = { 0x48, 0x8b, 0x8c, 0x24, 0x90, 0, 0, 0 };
/* sub word(%rip),%rcx; cmp word(%rip),%rcx; each with a disp32 behind it */
static const uint8_t subtract[] = { 0x48, 0x2b, 0x0d };
static const uint8_t compare[] = { 0x48, 0x3b, 0x0d };
/* je, jb; each with a rel32 behind it */
static const uint8_t if_equal[] = { 0x0f, 0x84 };
static const uint8_t if_below[] = { 0x0f, 0x82 };

/* Where the program's state is saved while a thread is at some instruction of
 * the check. */
struct saved_part {
	uint8_t offset; /* offset in the check from which on the members hold */
	bool zone;	/* the stack pointer is below the red zone */
	bool rax, rcx;	/* they are on the stack, rcx last */
	bool flags;	/* they are in rax */
};

static const struct saved_part held_in_save[] = {
	{ 0, false, false, false, false },
	{ 5, true, false, false, false },
	{ 6, true, true, false, false },
	{ 10, true, true, false, true },
	{ sizeof(save), true, true, true, true },
};
static const struct saved_part held_in_restore[] = {
	{ 0, true, true, true, true },
	{ 1, true, true, false, true },
	{ 4, true, true, false, true },
	{ 5, true, false, false, false },
	{ sizeof(restore), false, false, false, false },
};

struct writer {
	struct emitter emitter;
	addr_t stop, words;
};

static void
emit_distance(struct emitter *emitter, addr_t target)
{
	emit_u32(emitter, (uint32_t)(target - (emitter_pc(emitter) + 4)));
}

static void
emit_with(struct emitter *emitter, const uint8_t *bytes, size_t count,
	  addr_t target)
{
	emit_bytes(emitter, bytes, count);
	emit_distance(emitter, target);
}

static void
emit_condition(struct emitter *emitter, enum check_kind kind, addr_t word,
	       addr_t stop)
{
	if (kind == CHECK_STACK) {
		emit_bytes(emitter, stack_pointer, sizeof(stack_pointer));
		emit_with(emitter, compare, sizeof(compare), word);
		emit_with(emitter, if_equal, sizeof(if_equal), stop);
		return;
	}
	emit_bytes(emitter, word_at_it, sizeof(word_at_it));
	emit_with(emitter, subtract, sizeof(subtract), word);
	emit_with(emitter, compare, sizeof(compare), word + WORD);
	emit_with(emitter, if_below, sizeof(if_below), stop);
}

/* Writes the whole check. The addresses of its parts are taken from an earlier
 * pass. They are right, because each pass writes code of the same length. */
static int
emit_check(const struct code *from, const struct check_condition *conditions,
	   size_t count, addr_t at, struct check *check)
{
	const struct relocate_limits limits = { .cover = JUMP_LENGTH };
	struct emitter emitter;
	int r;

	emitter_init(&emitter, check->bytes, sizeof(check->bytes), at);
	emit_bytes(&emitter, save, sizeof(save));
	for (size_t i = 0; i < count; i++)
		emit_condition(&emitter, conditions[i].kind,
			       at + check->words + i * 2 * WORD,
			       at + check->stop);
	emit_bytes(&emitter, restore, sizeof(restore));
	check->slot = (uint16_t)emitter.length;
	r = x86_64_relocate(from, emitter_pc(&emitter), &limits,
			    &check->displaced, NULL);
	if (r < 0)
		return r;
	emit_bytes(&emitter, check->displaced.bytes, check->displaced.length);
	check->stop = (uint16_t)emitter.length;
	emit_bytes(&emitter, restore, sizeof(restore));
	check->trap = (uint16_t)emitter.length;
	/* A thread that has hit the trap has its pc behind it. No slot may
	 * begin there: the SIGTRAP handler in the program would take this pc
	 * for one of a thread in a slot. */
	emit_u8(&emitter, INT3);
	emit_u8(&emitter, INT3);
	while ((at + emitter.length) % WORD)
		emit_u8(&emitter, INT3);
	check->words = (uint16_t)emitter.length;
	for (size_t i = 0; i < count; i++) {
		emit_u64(&emitter, conditions[i].number);
		emit_u64(&emitter, conditions[i].size);
	}
	check->length = (uint16_t)emitter.length;
	return 0;
}

int
x86_64_check(const struct code *from, const struct check_condition *conditions,
	     size_t count, addr_t at, struct check *ret_check)
{
	struct check check = { .length = 0 };
	int r;

	if (count == 1 && check_is_meter(conditions->kind))
		return x86_64_meter(from, conditions, at, ret_check);
	check.kind = count ? conditions->kind : CHECK_STACK;
	r = saved_flags_possible() && count <= CHECK_CONDITIONS ? 0 : -ENOTSUP;

	for (unsigned pass = 0; pass < 2 && r == 0; pass++)
		r = emit_check(from, conditions, count, at, &check);
	if (r == 0)
		*ret_check = check;
	return r;
}

static const struct saved_part *
held_of(const struct saved_part *table, size_t count, size_t offset)
{
	while (table[count - 1].offset > offset)
		count--;
	return &table[count - 1];
}

static const struct saved_part *
held_while_restoring(size_t offset)
{
	return held_of(held_in_restore, array_size(held_in_restore), offset);
}

/* What is saved at this offset of the check's own code. */
static const struct saved_part *
held_at(const struct check *check, size_t offset)
{
	size_t back = check->slot - sizeof(restore);

	if (offset < sizeof(save))
		return held_of(held_in_save, array_size(held_in_save), offset);
	if (offset < back)
		return &held_in_restore[0];
	if (offset < check->stop)
		return held_while_restoring(offset - back);
	return held_while_restoring(offset - check->stop);
}

bool
x86_64_check_undo(const struct check *check, size_t offset,
		  struct reader *memory, struct regs *regs)
{
	const struct saved_part *held = held_at(check, offset);
	struct user_regs_struct gpr = regs->gpr;
	uint64_t word;

	if (check_is_meter(check->kind))
		return x86_64_meter_undo(check, offset, memory, regs);
	if (held->flags)
		gpr.eflags = saved_flags_restored(gpr.eflags, gpr.rax);
	if (held->rcx) {
		if (reader_u64(memory, gpr.rsp, &word) < 0)
			return false;
		gpr.rcx = word;
		gpr.rsp += WORD;
	}
	if (held->rax) {
		if (reader_u64(memory, gpr.rsp, &word) < 0)
			return false;
		gpr.rax = word;
		gpr.rsp += WORD;
	}
	if (held->zone)
		gpr.rsp += RED_ZONE;
	regs->gpr = gpr;
	return true;
}
