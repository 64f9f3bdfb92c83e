/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A meter is made of its code (meter_code.c), four words and the displaced
 * instructions. The labels of the code lead a thread back to the site. */
#include "arch/x86_64/meter.h"

#include "arch/x86_64/emit.h"
#include "arch/x86_64/meter_code.h"
#include "arch/x86_64/relocate.h"
#include "arch/x86_64/saved_flags.h"
#include "arch/x86_64/window.h"

#include <assert.h>
#include <errno.h>
#include <string.h>
#include <sys/auxv.h>

#define RED_ZONE 128u
#define WORD 8u
#define HWCAP2_FSGSBASE 2u

static bool
possible(void)
{
	return getauxval(AT_HWCAP2) & HWCAP2_FSGSBASE && saved_flags_possible();
}

int
x86_64_meter(const struct code *from, const struct check_condition *meter,
	     addr_t at, struct check *ret_check)
{
	const struct relocate_limits limits = { .cover = JUMP_LENGTH };
	const struct meter_template *code = x86_64_meter_template(meter->kind);
	struct check check = { .kind = meter->kind };
	struct emitter emitter;
	int r;

	if (!possible())
		return -ENOTSUP;
	emitter_init(&emitter, check.bytes, sizeof(check.bytes), at);
	emit_bytes(&emitter, code->start, (size_t)(code->words - code->start));
	check.stop = (uint16_t)(code->stop - code->start);
	check.trap = (uint16_t)(code->trap - code->start);
	check.words = (uint16_t)emitter.length;
	emit_u64(&emitter, meter->number);
	emit_u64(&emitter, meter->size);
	emit_u64(&emitter, from->at);
	emit_u64(&emitter, METER_MULTIPLIER);
	check.slot = (uint16_t)emitter.length;
	r = x86_64_relocate(from, emitter_pc(&emitter), &limits,
			    &check.displaced, NULL);
	if (r < 0)
		return r;
	emit_bytes(&emitter, check.displaced.bytes, check.displaced.length);
	check.length = (uint16_t)emitter.length;
	*ret_check = check;
	return 0;
}

/* ---- the way back ---------------------------------------------------------*/

struct meter_held {
	unsigned pushed;
	bool flags; /* the flags are in rax */
	bool zone;
};

/* What is saved at this offset from a label `restore` or `stop`. The
 * instructions there are five pops, add (2 bytes), sahf, pop; and lea (8 bytes)
 * if there is a zone. */
static struct meter_held
held_restoring(const struct meter_template *code, size_t offset)
{
	struct meter_held held = { .zone = code->zone && offset < 17 };

	if (offset < 5)
		held.pushed = PUSHED_ALL - (unsigned)offset;
	else if (offset < 9)
		held = (struct meter_held){ PUSHED_RAX, offset < 8, held.zone };
	return held;
}

static struct meter_held
held_at(const struct meter_template *code, size_t offset)
{
	const uint8_t *at = code->start + offset;
	struct meter_held held = { .zone = code->zone && at >= code->zone };

	if (at >= code->stop)
		return held_restoring(code, (size_t)(at - code->stop));
	if (at >= code->restore)
		return held_restoring(code, (size_t)(at - code->restore));
	while (held.pushed < PUSHED_ALL && at >= code->pushed[held.pushed])
		held.pushed++;
	return held;
}

/* The word that was the n-th one pushed. */
static void
take_word(struct user_regs_struct *gpr, unsigned n, uint64_t word)
{
	switch (n) {
	case PUSHED_RAX:
		gpr->rax = word;
		break;
	case PUSHED_FLAGS:
		gpr->eflags = saved_flags_restored(gpr->eflags, word);
		break;
	case PUSHED_RCX:
		gpr->rcx = word;
		break;
	case PUSHED_RDX:
		gpr->rdx = word;
		break;
	case PUSHED_RSI:
		gpr->rsi = word;
		break;
	default:
		gpr->rdi = word;
		break;
	}
}

bool
x86_64_meter_undo(const struct check *check, size_t offset,
		  struct reader *memory, struct regs *regs)
{
	const struct meter_template *code = x86_64_meter_template(check->kind);
	struct meter_held held = held_at(code, offset);
	struct user_regs_struct gpr = regs->gpr;

	if (held.flags)
		gpr.eflags = saved_flags_restored(gpr.eflags, gpr.rax);
	for (unsigned n = held.pushed; n >= PUSHED_RAX; n--) {
		uint64_t word;

		if (reader_u64(memory, gpr.rsp, &word) < 0)
			return false;
		take_word(&gpr, n, word);
		gpr.rsp += WORD;
	}
	if (held.zone)
		gpr.rsp += RED_ZONE;
	regs->gpr = gpr;
	return true;
}

enum meter_written
x86_64_meter_written(const struct check *check, size_t offset)
{
	const struct meter_template *code = x86_64_meter_template(check->kind);
	const uint8_t *at = code->start + offset;
	const struct meter_part *part;

	if (at >= code->stop && offset != check->slot)
		return METER_NOTHING;
	if (check->kind == CHECK_METER_WITHIN)
		return METER_NOTHING;
	if (at >= code->restore && check->kind == CHECK_METER_QUERY)
		return METER_IF_OPENED;
	if (at >= code->restore)
		return check_is_meter_entry(check->kind) ? METER_OPENED
							 : METER_IF_ADDED;
	if (check_is_meter_entry(check->kind))
		return METER_NOTHING;
	part = x86_64_meter_parts(check->kind);
	while (at < part->from)
		part++;
	return part->written;
}

uint64_t
x86_64_ticks(void)
{
	return __builtin_ia32_rdtsc();
}
