/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The first instructions are read in the order of their addresses, and the
 * contents of registers are followed through the few instructions that matter.
 * In Debian's 3.11 for x86-64, with the state in rdi and the new frame in rsi:
 *
 *	mov    0x38(%rdi),%rax		rax: the caller's record
 *	lea    0xb0(%rsp),%rcx		rcx: the new one, at rsp + 0xb0 ...
 *	mov    %rcx,0x38(%rdi)		... is the thread's: the window begins
 *	mov    0x8(%rax),%rcx		rcx: the caller's frame
 *	mov    0x20(%rdi),%eax
 *	mov    %rcx,0x30(%rsi)		the new frame leads to it
 *	movups %xmm0,0xb8(%rsp)		the two words are filled: it ends
 *	jne    ...
 *
 * One or two instructions may fill the words, so the window ends behind the
 * last instruction that writes them before the next jump. Compilers reorder the
 * source's lines (Python/ceval.c, _PyEval_EvalFrameDefault), but the caller's
 * frame must be loaded from the record and then be stored in the new frame.
 */
#include "stacks/python_code.h"

#include "arch/code.h"

#define WORDS_SIZE 16

enum held {
	HELD_NOTHING,
	HELD_STATE,
	HELD_FRAME,
	HELD_RECORD,
	HELD_CALLER,
	HELD_STACK, /* an address in the loop's stack frame */
};

struct stack_place {
	unsigned base; /* the stack pointer or the frame pointer */
	int64_t distance;
};

struct loop_reading {
	const struct python_code *code;
	uint8_t bytes[PYTHON_LOOP_BEGINNING];
	size_t have, at;
	/* Indexed by the registers' numbers. */
	enum held held[EFFECT_REGISTERS];
	struct stack_place places[EFFECT_REGISTERS];
	struct stack_place
		/*
		 * the words of the record, after the record became the thread's
		 */
		words;
	bool leads; /* the new frame points to the caller's frame */
	struct python_window window;
};

static bool
reading_init(struct loop_reading *reading, struct reader *memory,
	     const struct python_code *code)
{
	long have = reader_some(memory, code->loop, reading->bytes,
				sizeof(reading->bytes));

	if (have < 0)
		return false;
	reading->code = code;
	reading->have = (size_t)have;
	for (unsigned i = 0; i < 2; i++) {
		unsigned number = code->arch->dwarf->arguments[i];

		if (number < EFFECT_REGISTERS)
			reading->held[number] = i ? HELD_FRAME : HELD_STATE;
	}
	return true;
}

static enum held
held_by(const struct loop_reading *reading, unsigned number)
{
	return number < EFFECT_REGISTERS ? reading->held[number] : HELD_NOTHING;
}

static enum held
held_when_loaded(const struct loop_reading *reading,
		 const struct insn_effect *effect)
{
	const struct python_code *code = reading->code;
	enum held base = held_by(reading, effect->from);

	if (effect->size != sizeof(addr_t))
		return HELD_NOTHING;
	if (base == HELD_STATE && effect->number == code->state_record)
		return reading->window.begin ? HELD_NOTHING : HELD_RECORD;
	if (base == HELD_RECORD && effect->number == code->record_words)
		return HELD_CALLER;
	return HELD_NOTHING;
}

static void
take_registers(struct loop_reading *reading, const struct insn_effect *effect)
{
	const struct arch_dwarf *dwarf = reading->code->arch->dwarf;
	unsigned to = effect->to;
	struct stack_place place = { effect->from, effect->number };
	enum held held = HELD_NOTHING;

	if (effect->kind == EFFECT_COPY && effect->size == sizeof(addr_t)) {
		held = held_by(reading, effect->from);
		if (held == HELD_STACK)
			place = reading->places[effect->from];
	} else if (effect->kind == EFFECT_LOAD) {
		held = held_when_loaded(reading, effect);
	} else if (effect->kind == EFFECT_ADDRESS &&
		   (effect->from == dwarf->sp ||
		    effect->from == dwarf->frame)) {
		held = HELD_STACK;
	}
	for (unsigned i = 0; i < EFFECT_REGISTERS; i++) {
		if (effect->writes & 1u << i)
			reading->held[i] = HELD_NOTHING;
	}
	if (to < EFFECT_REGISTERS && effect->writes & 1u << to) {
		reading->held[to] = held;
		reading->places[to] = place;
	}
}

static void
take_store(struct loop_reading *reading, const struct insn_effect *effect,
	   size_t end)
{
	const struct python_code *code = reading->code;
	enum held base = held_by(reading, effect->from);
	enum held stored = held_by(reading, effect->to);

	if (effect->size != sizeof(addr_t))
		return;
	if (base == HELD_FRAME && effect->number == code->frame_back)
		reading->leads = stored == HELD_CALLER;
	if (base != HELD_STATE || effect->number != code->state_record ||
	    stored != HELD_STACK || reading->window.begin)
		return;
	reading->words = reading->places[effect->to];
	reading->words.distance += code->record_words;
	reading->window.begin = (uint32_t)end;
}

static bool
names_words(const struct loop_reading *reading,
	    const struct insn_effect *effect)
{
	int64_t within = effect->distance - reading->words.distance;

	return effect->memory && reading->window.begin &&
	       effect->base == reading->words.base && within >= 0 &&
	       within < WORDS_SIZE;
}

/* Follows one instruction; returns false if no more can be learned. */
static bool
step(struct loop_reading *reading)
{
	const struct code left = { reading->bytes + reading->at,
				   reading->have - reading->at,
				   reading->code->loop + reading->at };
	struct instruction instruction;

	if (left.length == 0 ||
	    reading->code->arch->code->instruction(&left, &instruction) < 0 ||
	    (reading->window.end && !instruction_falls_through(&instruction)))
		return false;
	reading->at += instruction.length;
	if (names_words(reading, &instruction.effect))
		reading->window.end = (uint32_t)reading->at;
	if (instruction.effect.kind == EFFECT_STORE)
		take_store(reading, &instruction.effect, reading->at);
	take_registers(reading, &instruction.effect);
	return true;
}

bool
python_window_find(struct reader *memory, const struct python_code *code,
		   struct python_window *ret_window)
{
	struct loop_reading reading = { 0 };

	if (!reading_init(&reading, memory, code))
		return false;
	while (step(&reading))
		;
	if (!reading.window.end)
		return false;
	*ret_window = reading.window;
	return true;
}

/* ---- a thread in the window ------------------------------------------------
 */

static enum python_held
held_of(const struct loop_reading *reading, unsigned number)
{
	switch (reading->held[number]) {
	case HELD_RECORD:
		return PYTHON_HELD_RECORD;
	case HELD_CALLER:
		return PYTHON_HELD_CALLER;
	case HELD_FRAME:
		return reading->leads ? PYTHON_HELD_FRAME : PYTHON_HELD_NOTHING;
	default:
		return PYTHON_HELD_NOTHING;
	}
}

static bool
has_state(const struct loop_reading *reading, const struct regs *regs,
	  addr_t state)
{
	for (unsigned i = 0; i < EFFECT_REGISTERS; i++) {
		if (reading->held[i] == HELD_STATE)
			return reading->code->arch->dwarf->get(regs, i) ==
			       state;
	}
	return false;
}

enum python_held
python_window_held(struct reader *memory, const struct python_code *code,
		   const struct regs *regs, addr_t state, addr_t *ret_value)
{
	struct loop_reading reading = { 0 };
	addr_t within = regs_pc(regs) - code->loop;

	if (!reading_init(&reading, memory, code))
		return PYTHON_HELD_NOTHING;
	while (reading.at < within && step(&reading))
		;
	if (reading.at != within || !has_state(&reading, regs, state))
		return PYTHON_HELD_NOTHING;
	for (unsigned i = 0; i < EFFECT_REGISTERS; i++) {
		if (held_of(&reading, i) == PYTHON_HELD_NOTHING)
			continue;
		*ret_value = code->arch->dwarf->get(regs, i);
		return held_of(&reading, i);
	}
	return PYTHON_HELD_NOTHING;
}
