/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The proof of relocation: run the original and its slot from the same random
 * state, and compare registers, flags, vectors, memory, and the final pc.
 *
 * A sample is one or two instructions, taken from libc's text or made from a
 * template. Rip-relative operands are changed to point to the machine's data,
 * and branches to near places, so that most runs do not fault. If the original
 * faults, its slot must have the same fault, and the pc of the slot must
 * correspond to the pc of the original.
 */
#include "tests/unit/arch/suites.h"

#include "arch/x86_64/insn.h"
#include "arch/x86_64/relocate.h"
#include "base/attr.h"
#include "tests/unit/arch/bytes.h"
#include "tests/unit/arch/machine.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SEED UINT64_C(0x5eed0f5107)
#define PLACE 0x1000u /* offset of the code in its area */
#define AROUND 0x100u
#define WORDS (MACHINE_DATA_SIZE / 8)

/*
 * The flags that are compared: carry, parity, adjust, zero, sign, direction,
 * overflow.
 */
#define FLAGS 0xcd5u
/* In the FXSAVE image: opcode and address of the last x87 instruction, and
 * reserved bytes (Intel SDM 1, table 10-2). */
#define FX_POINTERS_AT 6
#define FX_POINTERS_END 24
#define FX_END 416

static struct machine machine;
static uint64_t seed = SEED;
static unsigned runs, faults;
static uint64_t data_before[WORDS], data_original[WORDS];

struct sample {
	uint8_t code[RELOCATE_WINDOW];
	addr_t at;
	struct insn first;
	struct insn last;
	struct relocated slot;
	enum machine_area area;
	const char *from;
	uint8_t cover; /* the bytes of its window (arch/jump.h), or 0 */
};

static uint64_t
data_pointer(void)
{
	return (uint64_t)machine.data + MACHINE_DATA_SIZE / 4 +
	       random_below(&seed, MACHINE_DATA_SIZE / 2);
}

/* A random stack pointer, far from the data to which random pointers lead. A
 * call must not read its target from the word that it pushes (see
 * arch/x86_64/displace.c). */
static uint64_t
stack_pointer(void)
{
	return (uint64_t)machine.data + MACHINE_DATA_SIZE * 13 / 16 +
	       random_below(&seed, MACHINE_DATA_SIZE / 64) * 8;
}

/* A random value for a register. Usually a pointer to data; else a small
 * number, an address of code, or random bits. */
static uint64_t
random_word(void)
{
	switch (random_below(&seed, 8)) {
	case 0:
		return random_u64(&seed);
	case 1:
		return random_below(&seed, 64);
	case 2:
		return random_below(&seed, 3);
	case 3:
		return machine.code[MACHINE_CALLEES] +
		       random_below(&seed, MACHINE_CODE_SIZE);
	default:
		return data_pointer();
	}
}

static void
random_state(struct machine_state *state)
{
	*state = (struct machine_state){ 0 };
	for (int i = 0; i < MACHINE_GREGS; i++)
		state->gregs[i] = random_word();
	state->gregs[REG_RSP] = stack_pointer();
	state->gregs[REG_EFL] = (random_u64(&seed) & FLAGS) | 0x202;
	for (size_t i = 160; i < FX_END; i++)
		state->fx[i] = (uint8_t)random_u64(&seed);
	for (size_t i = 0; i < MACHINE_YMMH; i++)
		state->ymmh[i] = (uint8_t)random_u64(&seed);
	for (size_t i = 0; i < WORDS; i++)
		data_before[i] = random_word();
}

/* True if the result is deterministic and the instruction cannot harm this
 * process. */
static bool
may_run(const uint8_t *bytes, const struct insn *insn)
{
	const uint8_t *opcode = bytes + insn->opcode_offset;

	if (insn->prefixes & INSN_PREFIX_SEGMENT)
		return false;
	switch (opcode[0]) {
	case 0x8e: /* mov to a segment register */
	case 0x9d: /* popf: the trap flag */
		return false;
	case 0x0f:
		break;
	default:
		return true;
	}
	switch (opcode[1]) {
	case 0x01: /* rdtscp, wrpkru, ... */
	case 0x31: /* rdtsc */
	case 0xa2: /* cpuid */
	case 0xae: /* xrstor, wrfsbase, ... */
	case 0xc7: /* rdrand, xsavec, ... */
		return false;
	default:
		return true;
	}
}

/* Changes the operand or the target of the instruction to an address in the
 * machine. */
static void
point_into_machine(uint8_t *bytes, addr_t at, const struct insn *insn)
{
	addr_t end = at + insn->length;
	uint32_t distance = random_below(&seed, 0x800) + AROUND;

	if (insn->disp_offset) {
		distance = (uint32_t)(data_pointer() - end);
		memcpy(bytes + insn->disp_offset, &distance, 4);
		return;
	}
	if (!insn->target || insn->length < 5)
		return;
	if (random_below(&seed, 2))
		distance = -distance;
	memcpy(bytes + insn->length - 4, &distance, 4);
}

static bool
prepare_insn(struct sample *sample, size_t offset, struct insn *ret_insn)
{
	uint8_t *bytes = sample->code + offset;
	size_t have = sizeof(sample->code) - offset;
	addr_t at = sample->at + offset;

	if (insn_decode(bytes, have, at, ret_insn) < 0 ||
	    !may_run(bytes, ret_insn))
		return false;
	point_into_machine(bytes, at, ret_insn);
	ck_assert_int_eq(insn_decode(bytes, have, at, ret_insn), 0);
	return true;
}

/* False if the instruction branches to the displaced bytes or to the slot.
 * There the original and its slot would find different instructions. */
static bool
leaves(const struct sample *sample, const struct insn *insn)
{
	addr_t slot = machine.code[sample->area] + PLACE + AROUND;

	return insn->disp_offset || !insn->target ||
	       (insn->target - sample->at >= sample->slot.displaced &&
		insn->target - slot >= sample->slot.length);
}

/* Sets sample->last to the last instruction that the slot displaces. The slot
 * may have fewer instructions than were prepared, because an indirect call ends
 * a window. */
static void
find_last_displaced(struct sample *sample)
{
	size_t at = 0;

	for (; at < sample->slot.displaced; at += sample->last.length)
		ck_assert_int_eq(insn_decode(sample->code + at,
					     sizeof(sample->code) - at,
					     sample->at + at, &sample->last),
				 0);
}

/* Prepares all instructions of a window, up to the first branch. */
static bool
prepare_window(struct sample *sample, addr_t slot)
{
	const struct relocate_limits limits = { .cover = sample->cover };
	struct code code = { sample->code, sizeof(sample->code), sample->at };
	size_t at = 0;

	for (sample->last = sample->first; at < sample->cover;) {
		if (!prepare_insn(sample, at, &sample->last))
			return false;
		at += sample->last.length;
		if (sample->last.target && !sample->last.disp_offset)
			break;
		if (sample->last.kind == INSN_RETURN)
			break;
	}
	if (at < sample->cover ||
	    x86_64_relocate(&code, slot, &limits, &sample->slot, NULL) < 0)
		return false;
	find_last_displaced(sample);
	return leaves(sample, &sample->last);
}

static bool
prepare(struct sample *sample, enum machine_area area)
{
	addr_t slot = machine.code[area] + PLACE + AROUND;
	struct code code;

	sample->area = area;
	sample->at = machine.code[MACHINE_HOME] + PLACE;
	if (!prepare_insn(sample, 0, &sample->first))
		return false;
	if (sample->cover)
		return prepare_window(sample, slot);
	sample->last = sample->first;
	if (sample->first.length == 1 &&
	    !prepare_insn(sample, 1, &sample->last))
		return false;
	code = (struct code){ sample->code, sizeof(sample->code), sample->at };
	if (x86_64_relocate(&code, slot, NULL, &sample->slot, NULL) < 0)
		return false;
	if (sample->slot.displaced == sample->first.length)
		sample->last = sample->first;
	return leaves(sample, &sample->first) && leaves(sample, &sample->last);
}

static void
place(enum machine_area area, size_t offset, const uint8_t *bytes,
      size_t length)
{
	memset(machine.write[area], 0xcc, 2 * PLACE);
	if (length > 0)
		memcpy(machine.write[area] + offset, bytes, length);
}

static void
run(const struct machine_state *before, addr_t pc, struct machine_state *after)
{
	struct machine_state in = *before;

	in.gregs[REG_RIP] = pc;
	memcpy(machine.data, data_before, sizeof(data_before));
	machine_run(&in, after);
}

static const char *
described(const struct sample *sample)
{
	static char text[512];
	char code[3 * RELOCATE_WINDOW], slot[3 * WINDOW_SLOT_ROOM];

	snprintf(text, sizeof(text), "%s: %s -> %s (area %d)", sample->from,
		 hex_of(sample->code, sample->slot.displaced, code),
		 hex_of(sample->slot.bytes, sample->slot.length, slot),
		 sample->area);
	return text;
}

static void
compare_registers(const struct sample *sample,
		  const struct machine_state *original,
		  const struct machine_state *slot)
{
	for (int i = 0; i < REG_RIP; i++)
		ck_assert_msg(original->gregs[i] == slot->gregs[i],
			      "%s: register %d: %#lx, %#lx", described(sample),
			      i, original->gregs[i], slot->gregs[i]);
	ck_assert_msg(((original->gregs[REG_EFL] ^ slot->gregs[REG_EFL]) &
		       FLAGS) == 0,
		      "%s: flags", described(sample));
	ck_assert_msg(!memcmp(original->fx, slot->fx, FX_POINTERS_AT) &&
			      !memcmp(original->fx + FX_POINTERS_END,
				      slot->fx + FX_POINTERS_END,
				      FX_END - FX_POINTERS_END) &&
			      !memcmp(original->ymmh, slot->ymmh, MACHINE_YMMH),
		      "%s: vectors", described(sample));
}

/* The final pc, converted to the pc in the original. */
static addr_t
original_end(const struct sample *sample, const struct machine_state *state,
	     bool *ret_whole)
{
	addr_t end = machine_end(state);
	addr_t offset = end - (machine.code[sample->area] + PLACE + AROUND);

	*ret_whole = true;
	if (offset >= sample->slot.length)
		return end;
	ck_assert_msg(state->signal != SIGTRAP, "%s: trapped in the slot",
		      described(sample));
	return relocated_pc(&sample->slot, sample->at, offset, ret_whole);
}

/* Compares the states after an indirect call that faulted when it read its
 * target. The slot had already pushed the return address, the original had
 * not. */
static void
compare_half(const struct sample *sample, const struct machine_state *original,
	     const struct machine_state *slot)
{
	ck_assert_msg(sample->last.kind == INSN_CALL_INDIRECT ||
			      sample->last.kind == INSN_CALL_WORD,
		      "%s: half done", described(sample));
	ck_assert_uint_eq(original->gregs[REG_RSP], slot->gregs[REG_RSP] + 8);
}

static void
compare(const struct sample *sample, const struct machine_state *original,
	const struct machine_state *slot)
{
	bool whole;
	addr_t end = original_end(sample, slot, &whole);

	ck_assert_msg(machine_end(original) == end,
		      "%s: ended at %#lx, %#lx (signal %d, %d)",
		      described(sample), machine_end(original), end,
		      original->signal, slot->signal);
	ck_assert_msg(original->signal == slot->signal &&
			      original->fault == slot->fault,
		      "%s: signal %d at %#lx, %d at %#lx", described(sample),
		      original->signal, original->fault, slot->signal,
		      slot->fault);
	if (!whole) {
		compare_half(sample, original, slot);
		return;
	}
	compare_registers(sample, original, slot);
	ck_assert_msg(!memcmp(data_original, machine.data,
			      sizeof(data_original)),
		      "%s: memory", described(sample));
	if (sample->slot.moves_only)
		ck_assert_uint_eq(sample->slot.onward, machine_end(original));
}

static void
run_sample(const struct sample *sample)
{
	struct machine_state before, original, slot;
	addr_t start = machine.code[sample->area] + PLACE + AROUND;

	random_state(&before);
	place(MACHINE_HOME, PLACE, sample->code, sample->slot.displaced);
	run(&before, sample->at, &original);
	memcpy(data_original, machine.data, sizeof(data_original));
	place(MACHINE_HOME, PLACE, NULL, 0);
	place(sample->area, PLACE + AROUND, sample->slot.bytes,
	      sample->slot.length);
	run(&before, start, &slot);
	runs++;
	faults += slot.signal != SIGTRAP;
	compare(sample, &original, &slot);
}

/* Runs the sample in each area within reach, and counts it by kind. */
static void
run_everywhere(struct sample *sample, unsigned *ran)
{
	struct sample fresh = *sample;

	for (int area = MACHINE_HOME; area <= MACHINE_FAR; area++) {
		*sample = fresh;
		if (!prepare(sample, (enum machine_area)area))
			continue;
		run_sample(sample);
		ran[sample->last.kind]++;
	}
}

static void
say(const char *what, const unsigned *ran)
{
	unsigned total = 0;

	for (int kind = 0; kind < INSN_KINDS; kind++)
		total += ran[kind];
	printf("arch: %s: %u slots run and compared:", what, total);
	for (int kind = 0; kind < INSN_KINDS; kind++) {
		if (ran[kind])
			printf(" %s %u;", insn_kind_name((enum insn_kind)kind),
			       ran[kind]);
	}
	printf(" and %u of them faulted alike\n", faults);
	ck_assert_uint_eq(runs, total);
	ck_assert_uint_lt(faults, total / 2);
}

#define FROM_LIBC 4000

START_TEST(slots_of_libc_do_what_the_originals_do)
{
	unsigned ran[INSN_KINDS] = { 0 };
	struct text text;

	machine_init(&machine);
	text_of_libc(&text);
	for (unsigned i = 0; i < FROM_LIBC; i++) {
		size_t at =
			text.starts[random_below(&seed, (unsigned)text.count)];
		struct sample sample = { .from = "libc" };

		if (text.length - at < sizeof(sample.code))
			continue;
		memcpy(sample.code, text.bytes + at, sizeof(sample.code));
		run_everywhere(&sample, ran);
	}
	say("libc", ran);
	ck_assert_uint_gt(ran[INSN_PLAIN], 5000);
	ck_assert_uint_gt(ran[INSN_PC_RELATIVE], 100);
	ck_assert_uint_gt(ran[INSN_BRANCH], 500);
	ck_assert_uint_gt(ran[INSN_JUMP], 200);
	ck_assert_uint_gt(ran[INSN_CALL], 200);
	ck_assert_uint_gt(ran[INSN_RETURN], 10);
	free(text.bytes);
	free(text.starts);
}
END_TEST

/* Runs samples in slots for jumps. Such a slot has all instructions that the
 * jump covers. */
START_TEST(slots_of_windows_do_what_the_originals_do)
{
	unsigned ran[INSN_KINDS] = { 0 };
	struct text text;

	machine_init(&machine);
	text_of_libc(&text);
	for (unsigned i = 0; i < FROM_LIBC; i++) {
		size_t at =
			text.starts[random_below(&seed, (unsigned)text.count)];
		struct sample sample = { .from = "window", .cover = 5 };

		if (text.length - at < sizeof(sample.code))
			continue;
		memcpy(sample.code, text.bytes + at, sizeof(sample.code));
		run_everywhere(&sample, ran);
	}
	say("windows", ran);
	ck_assert_uint_gt(ran[INSN_PLAIN], 3000);
	ck_assert_uint_gt(ran[INSN_PC_RELATIVE], 100);
	ck_assert_uint_gt(ran[INSN_BRANCH], 300);
	ck_assert_uint_gt(ran[INSN_CALL], 100);
	free(text.bytes);
	free(text.starts);
}
END_TEST

/* xx is a random byte, small in most cases. */
static const char *const templates[] = {
	/* loops and branches on rcx, and jumps around them */
	"e0 xx",
	"e1 xx",
	"e2 xx",
	"e3 xx",
	"67 e3 xx",
	"67 e2 xx",
	"67 e0 xx",
	"50 e2 xx",
	"90 e3 xx",
	"f8 e1 xx",
	"2e 75 xx",
	"3e 74 xx",
	"f2 0f 84 xx xx 00 00",
	"f2 e9 xx xx 00 00",
	"48 eb xx",
	"70 xx",
	"71 xx",
	"72 xx",
	"73 xx",
	"76 xx",
	"77 xx",
	"78 xx",
	"7a xx",
	"7b xx",
	"7c xx",
	"7d xx",
	"7e xx",
	"7f xx",
	"0f 80 xx xx xx xx",
	"0f 8f xx xx xx xx",
	/* calls through registers and memory */
	"ff d0",
	"ff d3",
	"ff d5",
	"41 ff d2",
	"41 ff d4",
	"ff d6",
	"3e ff d1",
	"f2 ff d2",
	"48 ff d7",
	"ff 10",
	"ff 13",
	"ff 14 24",
	"ff 54 24 xx",
	"ff 54 24 08",
	"ff 54 24 78",
	"ff 54 24 7f",
	"ff 94 24 xx 01 00 00",
	"ff 94 24 80 ff ff ff",
	"ff 54 cc xx",
	"ff 14 c4",
	"42 ff 54 24 10",
	"41 ff 14 24",
	"41 ff 54 24 xx",
	"41 ff 55 xx",
	"ff 55 xx",
	"ff 50 xx",
	"ff 90 xx 01 00 00",
	"ff 14 d8",
	"43 ff 54 25 xx",
	"41 ff 54 dd 00",
	"f2 ff 54 24 10",
	"3e ff 54 24 20",
	"48 ff 54 24 18",
	"ff 15 xx xx xx xx",
	"67 e8 xx xx 00 00",
	"66 66 48 e8 xx xx 00 00",
	"66 48 ff 15 xx xx xx xx",
	"53 ff d0",
	"55 ff 15 xx xx xx xx",
	"50 ff 54 24 08",
	"51 e8 xx xx 00 00",
	"ff 54 24 f8",
	"ff d4",
	/* returns and indirect jumps */
	"c3",
	"f3 c3",
	"f2 c3",
	"c2 08 00",
	"c2 xx 00",
	"5d c3",
	"c9 c3",
	"5b c2 10 00",
	"ff e0",
	"41 ff e3",
	"3e ff e0",
	"ff e4",
	"ff 20",
	"ff 64 24 xx",
	"ff 25 xx xx xx xx",
	"f2 ff 25 xx xx xx xx",
	"90 ff 25 xx xx xx xx",
	"ff 24 c5 xx xx xx xx",
	"58 ff e0",
	/* rip-relative operands, with and without bytes after the disp32 */
	"48 8b 05 xx xx xx xx",
	"48 89 1d xx xx xx xx",
	"48 8d 3d xx xx xx xx",
	"66 48 8d 3d xx xx xx xx",
	"80 3d xx xx xx xx xx",
	"83 05 xx xx xx xx xx",
	"48 83 25 xx xx xx xx xx",
	"81 0d xx xx xx xx xx xx xx xx",
	"66 81 05 xx xx xx xx xx xx",
	"48 c7 05 xx xx xx xx xx xx xx xx",
	"c6 05 xx xx xx xx xx",
	"66 c7 05 xx xx xx xx xx xx",
	"f6 05 xx xx xx xx xx",
	"f7 05 xx xx xx xx xx xx xx xx",
	"69 05 xx xx xx xx xx xx xx xx",
	"6b 0d xx xx xx xx xx",
	"0f ba 2d xx xx xx xx xx",
	"0f ba 25 xx xx xx xx xx",
	"0f a4 05 xx xx xx xx xx",
	"c1 25 xx xx xx xx xx",
	"f0 48 0f b1 0d xx xx xx xx",
	"f0 ff 05 xx xx xx xx",
	"0f b6 05 xx xx xx xx",
	"0f 11 05 xx xx xx xx",
	"f2 0f 58 05 xx xx xx xx",
	"66 0f c6 05 xx xx xx xx 01",
	"0f c2 05 xx xx xx xx 02",
	"66 0f 3a 0f 05 xx xx xx xx 04",
	"66 0f 38 00 05 xx xx xx xx",
	"c5 f9 6f 05 xx xx xx xx",
	"c5 fc 10 05 xx xx xx xx",
	"c4 e3 7d 0f 05 xx xx xx xx 04",
	"c4 e2 7d 18 05 xx xx xx xx",
	"c5 fc c6 05 xx xx xx xx 07",
	"c4 e2 f9 f7 05 xx xx xx xx",
	"dd 05 xx xx xx xx",
	"db 2d xx xx xx xx",
	"ff 35 xx xx xx xx",
	"8f 05 xx xx xx xx",
	"55 48 8b 05 xx xx xx xx",
	"50 c6 05 xx xx xx xx xx",
	"62 f1 7c 48 10 05 xx xx xx xx",
	"62 f3 7d 48 25 05 xx xx xx xx ff",
	"0f 1f 05 xx xx xx xx",
	"0f 18 0d xx xx xx xx",
	/* pushes and pops of the stack pointer, instructions without operands,
	 * and string instructions */
	"54",
	"5c",
	"54 5c",
	"5c 58",
	"50 58",
	"c9",
	"8f 04 24",
	"ff 34 24",
	"8f 44 24 08",
	"48 83 c4 08",
	"c8 10 00 00",
	"9c",
	"f3 0f 1e fa",
	"90 90",
	"66 90",
	"90 eb xx",
	"0f 1f 44 00 00",
	"f3 90",
	"41 90",
	"66 2e 0f 1f 84 00 00 00 00 00",
	"f3 a4",
	"f3 48 ab",
	"f2 ae",
	"a4",
	"f3 a6",
	"ac aa",
	"98 99",
	"fd f3 aa",
	"d7 90",
	"0f c8",
	"f8 f9",
};

static void
fill_template(const char *template, struct sample *sample)
{
	char hex[3 * RELOCATE_WINDOW];
	char *x;

	memset(sample->code, 0xcc, sizeof(sample->code));
	snprintf(hex, sizeof(hex), "%s", template);
	while ((x = strstr(hex, "xx"))) {
		unsigned byte = random_below(&seed, 256);
		char digits[3];

		snprintf(digits, sizeof(digits), "%02x", byte);
		memcpy(x, digits, 2);
	}
	bytes_of(hex, sample->code, sizeof(sample->code));
}

#define ROUNDS 20

START_TEST(slots_of_templates_do_what_the_originals_do)
{
	unsigned ran[INSN_KINDS] = { 0 };

	machine_init(&machine);
	for (unsigned i = 0; i < ROUNDS * array_size(templates); i++) {
		const char *template = templates[i % array_size(templates)];
		struct sample sample = { .from = template };

		fill_template(template, &sample);
		run_everywhere(&sample, ran);
	}
	say("templates", ran);
	ck_assert_uint_gt(ran[INSN_LOOP], 200);
	ck_assert_uint_gt(ran[INSN_CALL_INDIRECT], 1000);
	ck_assert_uint_gt(ran[INSN_CALL_WORD], 100);
	ck_assert_uint_gt(ran[INSN_JUMP_WORD], 100);
	ck_assert_uint_gt(ran[INSN_JUMP_INDIRECT], 200);
	ck_assert_uint_gt(ran[INSN_PC_RELATIVE], 1000);
	ck_assert_uint_gt(ran[INSN_RETURN], 200);
	ck_assert_uint_gt(ran[INSN_NOTHING], 200);
}
END_TEST

Suite *
run_suite(void)
{
	Suite *suite = suite_create("arch/run");
	TCase *tests = tcase_create("slots");

	tcase_set_timeout(tests, 60);
	tcase_add_test(tests, slots_of_libc_do_what_the_originals_do);
	tcase_add_test(tests, slots_of_windows_do_what_the_originals_do);
	tcase_add_test(tests, slots_of_templates_do_what_the_originals_do);
	suite_add_tcase(suite, tests);
	return suite;
}
