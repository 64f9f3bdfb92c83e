/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The stack of the test itself with damage: words and registers are changed,
 * also those of frames, so that frames are incomplete, form circles or lead
 * anywhere. A walk ends within the given bounds, its texts are valid, its stack
 * pointers lead outwards, and it says that it is partial if it has not reached
 * the end.
 *
 * The input is a list of changes: which kind (a byte), of which word (two
 * bytes), to which value (six bytes).
 */
#include "tests/unit/stacks/copied.h"

#include <assert.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

#define MOST 50u
#define CHANGE 9u
#define WORDS (COPIED_ROOM / 8)

enum {
	CHANGE_VALUE, /* sets a word to the given number */
	CHANGE_PLACE, /* sets a word to the address of a word of the stack */
	CHANGE_WORD,  /* sets a word to the original value of another word */
	CHANGE_CODE,  /* sets a word to an address in the code nearby */
	/* sets a register to the address of a word of the stack */
	CHANGE_REGISTER,
	CHANGE_PC,    /* sets the pc to the original value of a word */
	CHANGE_SHORT, /* makes the rest of the stack unreadable */
	CHANGES
};

static struct copied whole, damaged;
static struct modmap modules;
static struct native *native;
static volatile size_t walked;

static void
change_register(unsigned which, uint64_t value)
{
	struct user_regs_struct *r = &damaged.regs.gpr;
	unsigned long long *registers[] = { &r->rsp, &r->rbp, &r->rbx, &r->r12,
					    &r->r13, &r->r14, &r->r15 };

	*registers[which % array_size(registers)] = value;
}

static void
change(const uint8_t *bytes)
{
	uint64_t value = 0, word;
	unsigned at;

	memcpy(&value, bytes + 3, 6);
	at = (bytes[1] | (unsigned)bytes[2] << 8) % WORDS;
	memcpy(&word, whole.bytes + value % WORDS * 8, 8);
	switch (bytes[0] % CHANGES) {
	case CHANGE_VALUE:
		word = value;
		break;
	case CHANGE_PLACE:
		word = whole.at + value % COPIED_ROOM;
		break;
	case CHANGE_CODE:
		word = whole.regs.gpr.rip + (int16_t)value;
		break;
	case CHANGE_REGISTER:
		change_register(at, whole.at + value % COPIED_ROOM);
		return;
	case CHANGE_PC:
		damaged.regs.gpr.rip = word;
		return;
	case CHANGE_SHORT:
		if (at * 8 < damaged.length)
			damaged.length = at * 8;
		return;
	}
	memcpy(damaged.bytes + (size_t)at * 8, &word, 8);
}

static void
check_text(const char *text)
{
	if (text)
		walked += strlen(text);
}

static size_t
walk(enum native_place place, bool few)
{
	const struct native_start start = {
		.regs = &damaged.regs,
		.place = place,
		.few = few,
	};
	struct arena arena;
	struct stack stack;

	arena_init(&arena);
	stack_init(&stack, &arena, MOST);
	native_walk(native, &modules, &damaged.reader, &start, &stack);
	native_name(native, &modules, &stack, true);
	assert(stack.count <= MOST);
	for (size_t i = 0; i < stack.count; i++) {
		check_text(stack.at[i].function);
		check_text(stack.at[i].file);
		check_text(stack.at[i].module);
	}
	arena_release(&arena);
	return stack.count;
}

static void
begin(void)
{
	native = native_new(arch_of_host());
	modmap_init(&modules);
	dl_iterate_phdr(copied_add_module, &modules);
	copied_take(&whole);
	damaged = whole;
	assert(walk(NATIVE_STOPPED, false) > 1);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
	if (!native)
		begin();
	damaged = whole;
	for (; length >= CHANGE; bytes += CHANGE, length -= CHANGE)
		change(bytes);
	walk(NATIVE_STOPPED, false);
	walk(NATIVE_CALLED, false);
	walk(NATIVE_RETURNED, true);
	walk(NATIVE_STOPPED, true);
	return 0;
}
