/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The beginning of a loop, its stack and its registers, all made by hand. */
#include "stacks/python_loop.h"
#include "tests/unit/stacks/suites.h"

#include "base/attr.h"

#include <errno.h>
#include <string.h>

#define LOOP UINT64_C(0x400000)
#define CODE_SIZE 4096u

/* The words of a small tracee: a thread's state with the root in it, frames,
 * and a stack with records. */
#define FROM UINT64_C(0x10000)
#define CODE_TYPE FROM
#define CODE (FROM + 0x10)
#define STATE (FROM + 0x20)
#define ROOT (FROM + 0x60)
#define FRAME(n) (FROM + 0x400 + (n)*0x40)
#define NEW FRAME(2)
#define STALE FRAME(3)
#define STACK (FROM + 0x600)
#define RECORD (STACK + 0x40)	    /* the new frame's record */
#define NOT_A_RECORD (STACK + 0x50) /* between RECORD and CALLER */
#define CALLER (STACK + 0x80)	    /* a record whose frame is FRAME(1) */
#define OUTER (STACK + 0x100)	    /* a record whose frame is FRAME(0) */

static uint64_t words[0x100];
static const char *code_bytes;
static size_t code_length;

/* Reads the code. Behind its end there are bytes that are no instruction. */
static int
read_code(size_t at, uint8_t *to, size_t length)
{
	if (at + length > CODE_SIZE)
		return -EFAULT;
	memset(to, 0x06, length);
	if (at < code_length)
		memcpy(to, code_bytes + at,
		       length < code_length - at ? length : code_length - at);
	return 0;
}

static int
read_tracee(struct reader *reader, addr_t from, void *to, size_t length)
{
	(void)reader;
	if (from >= LOOP && from < LOOP + CODE_SIZE)
		return read_code(from - LOOP, to, length);
	if (from < FROM || from + length > FROM + sizeof(words))
		return -EFAULT;
	memcpy(to, (uint8_t *)words + (from - FROM), length);
	return 0;
}

static struct reader memory = { .read = read_tracee };

static const struct python_layout layout = {
	.runs = PYTHON_RUN_FLAG,
	.thread_frame = 0x38,
	.cframe = 8,
	.frame_code = 0,
	.frame_back = 8,
	.frame_run = 16,
	.object_type = 8,
};

/* setup() sets loop.arch. */
static struct python_code code = {
	.loop = LOOP,
	.state_record = 0x38,
	.record_words = 8,
	.frame_back = 8,
};

/* ---- where the window is ---------------------------------------------------
 */

#define LOAD_RECORD "\x48\x8b\x47\x38"	      /* mov 0x38(%rdi),%rax */
#define LEA_RCX "\x48\x8d\x4c\x24\x20"	      /* lea 0x20(%rsp),%rcx */
#define LEA_RCX_RBP "\x48\x8d\x4d\xa0"	      /* lea -0x60(%rbp),%rcx */
#define COPY_RCX "\x48\x89\xca"		      /* mov %rcx,%rdx */
#define STORE_RDX "\x48\x89\x57\x38"	      /* mov %rdx,0x38(%rdi) */
#define STORE_RCX "\x48\x89\x4f\x38"	      /* mov %rcx,0x38(%rdi) */
#define STORE_ECX "\x89\x4f\x38"	      /* mov %ecx,0x38(%rdi) */
#define STORE_OTHER_FIELD "\x48\x89\x4f\x40"  /* mov %rcx,0x40(%rdi) */
#define STORE_ON_STACK "\x48\x89\x4c\x24\x38" /* mov %rcx,0x38(%rsp) */
#define LOAD_CALLER "\x48\x8b\x48\x08"	      /* mov 0x8(%rax),%rcx */
#define WIPE_RAX "\x8b\x47\x20"		      /* mov 0x20(%rdi),%eax */
#define WIPE_RCX "\x31\xc9"		      /* xor %ecx,%ecx */
#define STORE_BACK "\x48\x89\x4e\x08"	      /* mov %rcx,0x8(%rsi) */
#define FILL_BOTH "\x0f\x11\x44\x24\x28"      /* movups %xmm0,0x28(%rsp) */
#define FILL_FRAME "\x48\x89\x74\x24\x28"     /* mov %rsi,0x28(%rsp) */
#define FILL_PREVIOUS "\x48\x89\x44\x24\x30"  /* mov %rax,0x30(%rsp) */
#define FILL_TRACING "\x88\x4c\x24\x20"	      /* mov %cl,0x20(%rsp) */
#define FILL_FRAME_RBP "\x48\x89\x75\xa8"     /* mov %rsi,-0x58(%rbp) */
#define FILL_PREVIOUS_RBP "\x48\x89\x45\xb0"  /* mov %rax,-0x50(%rbp) */
#define BRANCH "\x74\x10"		      /* je */
/* an opcode that does not exist in 64-bit mode */
#define NO_CODE "\x06"

struct code_row {
	const char *code;
	size_t size;
	uint32_t begin, end; /* 0 and 0: none is found */
};

#define ROW(begin, end, code)                        \
	{                                            \
		code, sizeof(code) - 1, (begin), end \
	}

static const struct code_row code_rows[] = {
	ROW(9, 18, LEA_RCX STORE_RCX LOAD_CALLER FILL_BOTH BRANCH),
	ROW(12, 17, LEA_RCX COPY_RCX STORE_RDX FILL_BOTH BRANCH),
	ROW(9, 23,
	    LEA_RCX STORE_RCX FILL_FRAME LOAD_CALLER FILL_PREVIOUS BRANCH),
	/* One of the words is filled before the record's address is stored in
	 * the thread's state. */
	ROW(14, 19, LEA_RCX FILL_PREVIOUS STORE_RCX FILL_FRAME BRANCH),
	ROW(8, 16,
	    LEA_RCX_RBP STORE_RCX FILL_FRAME_RBP FILL_PREVIOUS_RBP BRANCH),
	/*
	 * A branch within the window does not end the window. A branch behind
	 * the window does.
	 */
	ROW(9, 16, LEA_RCX STORE_RCX BRANCH FILL_BOTH),
	ROW(9, 14, LEA_RCX STORE_RCX FILL_BOTH BRANCH FILL_FRAME),
	ROW(9, 14, LEA_RCX STORE_RCX FILL_BOTH NO_CODE FILL_FRAME),
	/*
	 * There is no window: another address is stored, the address is not
	 * stored in the thread's state, the words are not filled, or there is
	 * no code.
	 */
	ROW(0, 0, LEA_RCX LOAD_CALLER STORE_RCX FILL_BOTH BRANCH),
	ROW(0, 0, LEA_RCX STORE_ECX FILL_BOTH BRANCH),
	ROW(0, 0, STORE_RCX FILL_BOTH BRANCH),
	ROW(0, 0, LEA_RCX STORE_OTHER_FIELD FILL_BOTH BRANCH),
	ROW(0, 0, LEA_RCX STORE_ON_STACK FILL_BOTH BRANCH),
	ROW(0, 0, LEA_RCX STORE_RCX FILL_TRACING BRANCH),
	ROW(0, 0, LEA_RCX STORE_RCX),
	ROW(0, 0, LEA_RCX NO_CODE STORE_RCX FILL_BOTH),
	ROW(0, 0, ""),
};

START_TEST(one_beginning)
{
	const struct code_row *row = &code_rows[_i];
	struct python_window window = { 0, 0 };

	code_bytes = row->code;
	code_length = row->size;
	ck_assert_int_eq(python_window_find(&memory, &code, &window),
			 row->end != 0);
	ck_assert_uint_eq(window.begin, row->begin);
	ck_assert_uint_eq(window.end, row->end);
}
END_TEST

START_TEST(code_that_cannot_be_read)
{
	struct python_code elsewhere = code;
	struct python_window window;

	elsewhere.loop = LOOP + CODE_SIZE;
	ck_assert(!python_window_find(&memory, &elsewhere, &window));
}
END_TEST

/* ---- a thread at the beginning ---------------------------------------------
 */

static const char beginning[] = LOAD_RECORD LEA_RCX STORE_RCX LOAD_CALLER
	WIPE_RAX STORE_BACK WIPE_RCX FILL_BOTH BRANCH;

/* Offsets in `beginning`. Each is behind the instruction that its name
 * tells. */
#define AT_STORED_RECORD 13
#define AT_LOADED_CALLER 17
#define AT_WIPED_RAX 20
#define AT_STORED_BACK 24
#define AT_WIPED_RCX 26
#define AT_FILLED 31

static struct regs regs;
static struct peek peek;
static struct python_loop loop;

static void
put(addr_t at, uint64_t word)
{
	words[(at - FROM) / sizeof(word)] = word;
}

static void
put_record(addr_t at, addr_t frame, addr_t previous)
{
	put(at + 8, frame);
	put(at + 16, previous);
}

static void
put_frame(addr_t at, addr_t back, bool is_first)
{
	put(at, CODE);
	put(at + 8, back);
	put(at + 16, is_first);
}

/* The loop of FRAME(1) has called a loop that is about to run NEW. */
static void
setup(void)
{
	code.arch = arch_of_host();
	code_bytes = beginning;
	code_length = sizeof(beginning) - 1;
	memset(words, 0, sizeof(words));
	put(CODE + 8, CODE_TYPE);
	put_frame(FRAME(0), 0, true);
	put_frame(FRAME(1), FRAME(0), true);
	put_frame(NEW, STALE, false);
	put_frame(STALE, 0x1234, false);
	put_record(OUTER, FRAME(0), ROOT);
	put_record(CALLER, FRAME(1), OUTER);
	put_record(RECORD, STALE, OUTER);
	regs = (struct regs){
		.gpr = { .rsp = STACK, .rdi = STATE, .rsi = NEW }
	};
	loop = (struct python_loop){
		.layout = &layout,
		.peek = &peek,
		.code_type = CODE_TYPE,
		.code = &code,
		.regs = &regs,
		.state = STATE,
	};
	ck_assert(python_window_find(&memory, &code, &loop.window));
	ck_assert_uint_eq(loop.window.begin, AT_STORED_RECORD);
	ck_assert_uint_eq(loop.window.end, AT_FILLED);
}

#define UNTOLD 1

static addr_t
frame_at(unsigned pc)
{
	addr_t frame = 0;
	bool told;

	/* The peek is made anew, because it remembers what it has read. */
	peek = (struct peek){ .memory = &memory };
	regs.gpr.rip = LOOP + pc;
	told = python_loop_frame(&loop, RECORD, &frame);
	ck_assert(!peek.fault);
	return told ? frame : UNTOLD;
}

START_TEST(registers_have_the_caller_s_record)
{
	regs.gpr.rax = CALLER;
	ck_assert_uint_eq(frame_at(AT_STORED_RECORD), FRAME(1));
	ck_assert_uint_eq(frame_at(AT_LOADED_CALLER), FRAME(1));
	/* The record of a thread's first loop. */
	regs.gpr.rax = ROOT;
	ck_assert_uint_eq(frame_at(AT_STORED_RECORD), 0);
}
END_TEST

START_TEST(registers_have_the_caller_s_frame)
{
	regs.gpr.rax = CALLER;
	regs.gpr.rcx = FRAME(1);
	ck_assert_uint_eq(frame_at(AT_WIPED_RAX), FRAME(1));
	ck_assert_uint_eq(frame_at(AT_STORED_BACK), FRAME(1));
	regs.gpr.rcx = 0;
	ck_assert_uint_eq(frame_at(AT_WIPED_RAX), 0);
	regs.gpr.rcx = STACK;
	ck_assert_uint_eq(frame_at(AT_WIPED_RAX), UNTOLD);
	regs.gpr.rcx = 0x1234;
	ck_assert_uint_eq(frame_at(AT_WIPED_RAX), UNTOLD);
}
END_TEST

START_TEST(the_new_frame_leads_to_the_caller_s)
{
	put_frame(NEW, FRAME(1), false);
	ck_assert_uint_eq(frame_at(AT_WIPED_RCX), FRAME(1));
	put_frame(NEW, 0x1234, false);
	ck_assert_uint_eq(frame_at(AT_WIPED_RCX), UNTOLD);
	regs.gpr.rsi = 0x1234;
	ck_assert_uint_eq(frame_at(AT_WIPED_RCX), UNTOLD);
}
END_TEST

START_TEST(registers_may_not_be_known)
{
	put_record(RECORD, STALE, CALLER);
	regs.gpr.rdi = 0;
	for (unsigned pc = AT_STORED_RECORD; pc < AT_FILLED; pc++)
		ck_assert_uint_eq(frame_at(pc), UNTOLD);
	/* The pc is not at the beginning of an instruction. */
	setup();
	regs.gpr.rax = CALLER;
	ck_assert_uint_eq(frame_at(AT_STORED_RECORD + 1), UNTOLD);
}
END_TEST

START_TEST(code_may_hold_nothing)
{
	static const char other[] = LEA_RCX STORE_RCX WIPE_RCX FILL_BOTH BRANCH;

	code_bytes = other;
	code_length = sizeof(other) - 1;
	ck_assert(python_window_find(&memory, &code, &loop.window));
	regs.gpr.rax = CALLER;
	ck_assert_uint_eq(frame_at(9), UNTOLD);
	ck_assert_uint_eq(frame_at(11), UNTOLD);
}
END_TEST

static void
is_no_record(addr_t at)
{
	regs.gpr.rax = at;
	ck_assert_uint_eq(frame_at(AT_STORED_RECORD), UNTOLD);
}

START_TEST(what_is_no_record_is_not_believed)
{
	/*
	 * Records that cannot be a caller's: not above the new one, not
	 * aligned, not readable.
	 */
	put_record(STACK + 0x20, FRAME(1), OUTER);
	is_no_record(STACK + 0x20);
	is_no_record(CALLER + 4);
	is_no_record(UINT64_MAX - 7);
	/*
	 * The record's chain does not ascend, has no end, or does not lead to
	 * this thread's root.
	 */
	put_record(NOT_A_RECORD, FRAME(1), RECORD);
	is_no_record(NOT_A_RECORD);
	put_record(NOT_A_RECORD, FRAME(1), NOT_A_RECORD);
	is_no_record(NOT_A_RECORD);
	put_record(NOT_A_RECORD, FRAME(1), 0);
	is_no_record(NOT_A_RECORD);
	put_record(NOT_A_RECORD, FRAME(1), STATE);
	is_no_record(NOT_A_RECORD);
	put_record(ROOT, 0, OUTER);
	is_no_record(CALLER);
	put_record(ROOT, STALE, 0);
	is_no_record(ROOT);
	put_record(ROOT, 0, 0);
	/* The record's frame does not exist, or leads to another frame. */
	put_record(NOT_A_RECORD, STACK, OUTER);
	is_no_record(NOT_A_RECORD);
	put_record(NOT_A_RECORD, 0, OUTER);
	is_no_record(NOT_A_RECORD);
	put_record(NOT_A_RECORD, STALE, OUTER);
	is_no_record(NOT_A_RECORD);
	put_record(NOT_A_RECORD, FRAME(1), CALLER);
	is_no_record(NOT_A_RECORD);
}
END_TEST

START_TEST(outside_the_window_the_record_is_whole)
{
	static const unsigned outside[] = { 0,	       AT_STORED_RECORD - 1,
					    AT_FILLED, 255,
					    256,       9000 };

	put_frame(NEW, FRAME(1), true);
	put_record(RECORD, NEW, CALLER);
	for (size_t i = 0; i < array_size(outside); i++)
		ck_assert_uint_eq(frame_at(outside[i]), NEW);
	/* The new frame does not lead to the caller's frame yet. */
	put_frame(NEW, STALE, true);
	ck_assert_uint_eq(frame_at(AT_FILLED), FRAME(1));
	/* The thread's root, which has no frame. */
	put_record(RECORD, 0, 0);
	ck_assert_uint_eq(frame_at(0), 0);
}
END_TEST

START_TEST(without_a_window_no_instruction_of_the_beginning_is_trusted)
{
	struct python_code unknown = code;

	loop.window = (struct python_window){ 0, 0 };
	put_frame(NEW, FRAME(1), true);
	put_record(RECORD, NEW, CALLER);
	ck_assert_uint_eq(frame_at(AT_STORED_RECORD), NEW);
	put_record(RECORD, NEW, 0x5678);
	ck_assert_uint_eq(frame_at(AT_STORED_RECORD), UNTOLD);
	ck_assert_uint_eq(frame_at(256), NEW);
	unknown.loop = 0;
	loop.code = &unknown;
	ck_assert_uint_eq(frame_at(AT_STORED_RECORD), NEW);
}
END_TEST

START_TEST(later_versions_have_no_flag_in_their_frames)
{
	struct python_layout later = layout;

	later.runs = PYTHON_RUN_OWNER;
	loop.layout = &later;
	put_frame(FRAME(1), STALE, false);
	regs.gpr.rax = CALLER;
	ck_assert_uint_eq(frame_at(AT_STORED_RECORD), FRAME(1));
	put_record(RECORD, NEW, CALLER);
	ck_assert_uint_eq(frame_at(AT_FILLED), NEW);
}
END_TEST

Suite *
python_loop_suite(void)
{
	Suite *suite = suite_create("stacks/python_loop");
	TCase *tests = tcase_create("python_loop");

	tcase_add_checked_fixture(tests, setup, NULL);
	tcase_add_loop_test(tests, one_beginning, 0, array_size(code_rows));
	tcase_add_test(tests, code_that_cannot_be_read);
	tcase_add_test(tests, registers_have_the_caller_s_record);
	tcase_add_test(tests, registers_have_the_caller_s_frame);
	tcase_add_test(tests, the_new_frame_leads_to_the_caller_s);
	tcase_add_test(tests, registers_may_not_be_known);
	tcase_add_test(tests, code_may_hold_nothing);
	tcase_add_test(tests, what_is_no_record_is_not_believed);
	tcase_add_test(tests, outside_the_window_the_record_is_whole);
	tcase_add_test(
		tests,
		without_a_window_no_instruction_of_the_beginning_is_trusted);
	tcase_add_test(tests, later_versions_have_no_flag_in_their_frames);
	suite_add_tcase(suite, tests);
	return suite;
}
