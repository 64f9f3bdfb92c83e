/* SPDX-License-Identifier: GPL-2.0-or-later */
/* i386 programs: their instructions and slots by their bytes, their registers
 * as ptrace(2) gives them to a 64-bit tracer, and their stubs. */
#include "tests/unit/arch/suites.h"

#include "arch/arch.h"
#include "arch/code.h"
#include "arch/i386/i386.h"
#include "arch/imports.h"
#include "arch/libc.h"
#include "arch/operand.h"
#include "arch/regs.h"
#include "arch/relocated.h"
#include "arch/stub.h"
#include "arch/x86_64/insn.h"
#include "tests/unit/arch/bytes.h"

#include <elf.h>
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>

#define AT UINT64_C(0x8049000)
#define SLOT (AT + 0x1000)

/* ---- instructions ---------------------------------------------------------*/

static const struct {
	const char *bytes;
	enum insn_kind kind;
	unsigned length;
	addr_t target;
} decoded[] = {
	{ "40", INSN_PLAIN, 1, 0 }, /* inc %eax */
	{ "4f 90", INSN_PLAIN, 1, 0 },
	{ "8b 05 10 00 00 00", INSN_PLAIN, 6, 0 },
	{ "ff 25 10 00 00 00", INSN_JUMP_INDIRECT, 6, 0 },
	{ "ff a3 0c 00 00 00", INSN_JUMP_INDIRECT, 6, 0 },
	{ "65 ff 15 10 00 00 00", INSN_CALL_INDIRECT, 7, 0 },
	{ "e8 fb ff ff ff", INSN_CALL, 5, AT },
	{ "e9 00 00 00 80", INSN_JUMP, 5, 0x88049005 },
	{ "e9 00 00 00 f0", INSN_JUMP, 5, 0xf8049005 },
	{ "75 fe", INSN_BRANCH, 2, AT },
	{ "67 e3 10", INSN_LOOP, 3, AT + 0x13 },
	{ "66 e9 10 00", INSN_OTHER_FLOW, 4, 0 },
	{ "9a 00 00 00 00 23 00", INSN_OTHER_FLOW, 7, 0 },
	{ "ea 00 00 00 00 23 00", INSN_OTHER_FLOW, 7, 0 },
	{ "ce", INSN_TRAP, 1, 0 },
	{ "cc", INSN_TRAP, 1, 0 },
	{ "cd 80", INSN_SYSCALL, 2, 0 },
	{ "0f 34", INSN_SYSCALL, 2, 0 },
	{ "f3 0f 1e fb", INSN_NOTHING, 4, 0 }, /* endbr32 */
	{ "06", INSN_PLAIN, 1, 0 },	       /* push %es */
	{ "c5 08", INSN_PLAIN, 2, 0 },	       /* lds (%eax),%ecx */
	{ "c5 f8 77", INSN_PLAIN, 3, 0 },      /* vzeroupper */
	{ "62 08", INSN_PLAIN, 2, 0 },	       /* bound %ecx,(%eax) */
	{ "62 f1 7c 48 28 c1", INSN_PLAIN, 6, 0 },
};

START_TEST(instructions)
{
	uint8_t bytes[INSN_LONGEST];
	const struct code code = {
		bytes, bytes_of(decoded[_i].bytes, bytes, sizeof(bytes)), AT
	};
	struct insn insn;

	ck_assert_msg(insn_decode_in(INSN_MODE_32, &code, &insn) == 0, "%s",
		      decoded[_i].bytes);
	ck_assert_msg(insn.kind == decoded[_i].kind, "%s: %d",
		      decoded[_i].bytes, insn.kind);
	ck_assert_uint_eq(insn.length, decoded[_i].length);
	ck_assert_uint_eq(insn.target, decoded[_i].target);
}
END_TEST

START_TEST(both_modes_in_turn)
{
	const uint8_t bytes[] = { 0x48, 0x89, 0xe5 };
	const struct code code = { bytes, sizeof(bytes), AT };
	struct insn insn;

	for (int i = 0; i < 3; i++) {
		ck_assert_int_eq(insn_decode_in(INSN_MODE_32, &code, &insn), 0);
		ck_assert_uint_eq(insn.length, 1);
		ck_assert_int_eq(insn_decode_in(INSN_MODE_64, &code, &insn), 0);
		ck_assert_uint_eq(insn.length, 3);
	}
}
END_TEST

/* ---- slots ----------------------------------------------------------------*/

static const struct {
	const char *from, *to;
	unsigned displaced;
	addr_t onward; /* if it only changes the pc: the new pc, else 0 */
	bool ambiguous;
} slots[] = {
	{ "55 89 e5", "55 89 e5 e9 fb ef ff ff", 3, 0, false },
	{ "8b 05 10 00 00 00", "8b 05 10 00 00 00 e9 fb ef ff ff", 6, 0,
	  false },
	{ "c3", "c3", 1, 0, false },
	{ "40 cd 80", "40 e9 fb ef ff ff", 1, 0, true },
	{ "ff a3 0c 00 00 00", "ff a3 0c 00 00 00", 6, 0, false },
	{ "f3 0f 1e fb", "e9 ff ef ff ff", 4, AT + 4, false },
	{ "eb 10", "e9 0d f0 ff ff", 2, AT + 0x12, false },
	{ "74 10", "0f 84 0c f0 ff ff e9 f7 ef ff ff", 2, 0, false },
	/* any target is within reach */
	{ "e9 00 00 00 80", "e9 00 f0 ff 7f", 5, 0x88049005, false },
	{ "e2 10", "e2 02 eb 05 e9 09 f0 ff ff e9 f4 ef ff ff", 2, 0, false },
	/* calls: the return address is one push */
	{ "e8 10 00 00 00", "68 05 90 04 08 e9 0b f0 ff ff", 5, 0, false },
	{ "55 e8 10 00 00 00", "55 68 06 90 04 08 e9 0b f0 ff ff", 6, 0,
	  false },
	{ "ff d0", "68 02 90 04 08 ff e0", 2, 0, false },
	{ "ff 93 e4 ff ff ff", "68 06 90 04 08 ff a3 e4 ff ff ff", 6, 0,
	  false },
	{ "65 ff 15 10 00 00 00", "68 07 90 04 08 65 ff 25 10 00 00 00", 7, 0,
	  false },
	{ "ff 54 24 08", "68 04 90 04 08 ff a4 24 0c 00 00 00", 4, 0, false },
};

static int
relocate(const char *hex, struct relocated *ret_slot, const char **ret_why)
{
	uint8_t bytes[RELOCATE_WINDOW];
	const struct code code = { bytes, bytes_of(hex, bytes, sizeof(bytes)),
				   AT };

	return i386.relocate(&code, SLOT, NULL, ret_slot, ret_why);
}

START_TEST(slot_bytes)
{
	char text[3 * SLOT_ROOM];
	struct relocated slot;

	ck_assert_int_eq(relocate(slots[_i].from, &slot, NULL), 0);
	ck_assert_str_eq(hex_of(slot.bytes, slot.length, text), slots[_i].to);
	ck_assert_uint_eq(slot.displaced, slots[_i].displaced);
	ck_assert(slot.ambiguous == slots[_i].ambiguous);
	ck_assert(slot.moves_only == (slots[_i].onward != 0));
	if (slot.moves_only)
		ck_assert_uint_eq(slot.onward, slots[_i].onward);
}
END_TEST

static const struct {
	const char *from;
	int code;
	const char *why;
} refusals[] = {
	{ "cd 80", -ENOTSUP, "a system call" },
	{ "0f 34", -ENOTSUP, "a system call" },
	{ "cc", -ENOTSUP, "a trap" },
	{ "ce", -ENOTSUP, "a trap" },
	{ "9a 00 00 00 00 23 00", -ENOTSUP, "a far or transactional jump" },
	{ "67 ff 17", -ENOTSUP, "a call through a 16-bit address" },
	{ "ff d4", -ENOTSUP, "a call through rsp" },
	{ "ff 54 24 f8", -ENOTSUP, "a call through an odd word of the stack" },
	{ "8b 05 10 00", -EINVAL, "not an instruction" },
	{ "c5", -EINVAL, "not an instruction" },
};

START_TEST(refused)
{
	struct relocated slot;
	const char *why = NULL;

	ck_assert_int_eq(relocate(refusals[_i].from, &slot, &why),
			 refusals[_i].code);
	ck_assert_str_eq(why, refusals[_i].why);
}
END_TEST

/* ---- registers and memory -------------------------------------------------*/

/* The stack, from 0xffffd000 on. */
#define STACK UINT64_C(0xffffd000)

static const uint32_t stack[] = { 0x8049123, 11, 12, 0xfffffff4, 14, 15, 16 };

static int
read_stack(struct reader *reader, addr_t from, void *to, size_t length)
{
	(void)reader;
	if (from < STACK || from - STACK > sizeof(stack) ||
	    length > sizeof(stack) - (from - STACK))
		return -EFAULT;
	memcpy(to, (const char *)stack + (from - STACK), length);
	return 0;
}

static struct reader memory = { .read = read_stack };

static const struct regs regs = {
	.gpr = { .rip = AT,
		 .rsp = STACK,
		 .rax = UINT64_C(0xfffffffffffffe00), /* -ERESTARTSYS */
		 .rbx = 1,
		 .rcx = 2,
		 .rdx = 0xffffffff,
		 .rsi = 4,
		 .rdi = 5,
		 .rbp = 6,
		 .orig_rax = 3,
		 .cs = 0x23,
		 .fs_base = 7,
		 .gs_base = 0xf7c00000 },
};

START_TEST(calls_of_functions)
{
	const struct arch_calling *calling = i386.calling;
	struct regs other = regs;
	addr_t back;

	ck_assert_uint_eq(calling->pushed, 4);
	ck_assert_int_eq(calling->return_address(&regs, &memory, &back), 0);
	ck_assert_uint_eq(back, 0x8049123);
	ck_assert_uint_eq(calling->argument(&regs, &memory, 0), 11);
	ck_assert_uint_eq(calling->argument(&regs, &memory, 2), 0xfffffff4);
	ck_assert_uint_eq(calling->argument(&regs, &memory, 5), 16);
	ck_assert_uint_eq(calling->result(&regs), 0xfffffe00);
	other.gpr.rax = other.gpr.rcx = other.gpr.rdx = 99;
	ck_assert_uint_eq(calling->preserved(&regs),
			  calling->preserved(&other));
	other.gpr.rdi = 99;
	ck_assert_uint_ne(calling->preserved(&regs),
			  calling->preserved(&other));
	other.gpr.rsp = 0;
	ck_assert_int_eq(calling->return_address(&other, &memory, &back),
			 -EFAULT);
	ck_assert_uint_eq(calling->argument(&other, &memory, 0), 0);
}
END_TEST

START_TEST(dwarf_registers)
{
	static const uint64_t values[] = { 0xfffffe00, 2, 0xffffffff, 1, STACK,
					   6,	       4, 5,	      AT };
	const struct arch_dwarf *dwarf = i386.dwarf;
	struct regs other = regs;

	ck_assert_uint_eq(dwarf->count, array_size(values));
	for (unsigned i = 0; i < dwarf->count; i++)
		ck_assert_uint_eq(dwarf->get(&regs, i), values[i]);
	dwarf->set(&other, dwarf->pc, UINT64_C(0x123456789));
	ck_assert_uint_eq(regs_pc(&other), 0x23456789);
}
END_TEST

START_TEST(thread_pointer_is_in_gs)
{
	struct regs other = regs;

	ck_assert_uint_eq(regs_thread_pointer(&regs), 0xf7c00000);
	regs_set_thread_pointer(&other, 8);
	ck_assert_uint_eq(other.gpr.gs_base, 8);
	ck_assert_uint_eq(other.gpr.fs_base, 7);
}
END_TEST

/* ---- system calls ---------------------------------------------------------*/

START_TEST(system_calls)
{
	const struct arch_system_call *call = i386.system_call;
	struct regs other = regs;

	ck_assert_int_eq(call->number(&regs), SYS_read);
	ck_assert_uint_eq(call->argument(&regs, 0), 1);
	ck_assert_uint_eq(call->argument(&regs, 2), 0xffffffff);
	ck_assert_uint_eq(call->argument(&regs, 5), 6);
	ck_assert_int_eq(call->result(&regs), -512);
	call->again(&other, SYS_restart_syscall);
	ck_assert_uint_eq(other.gpr.rax, 0);
	ck_assert_uint_eq(other.gpr.rip, AT - 2);
	ck_assert_int_lt(call->number(&other), 0);
	call->set_result(&other, -1);
	ck_assert_int_eq(call->result(&other), -1);
}
END_TEST

START_TEST(system_call_names)
{
	const struct arch_system_call *call = i386.system_call;
	struct regs other = regs;

	ck_assert_str_eq(call->name(SYS_exit_group), "exit_group");
	other.gpr.orig_rax = 102;
	ck_assert_str_eq(call->name(call->number(&other)), "socketcall");
	other.gpr.orig_rax = 120;
	ck_assert_str_eq(call->name(call->number(&other)), "clone");
	ck_assert_int_ne(call->number(&other), SYS_clone);
	ck_assert_int_eq(call->number(&other), call->clone);
	ck_assert_ptr_null(call->name(-1));
	ck_assert_ptr_null(call->name(SYS_arch_prctl + 100000));
	ck_assert_ptr_null(call->name(call->count()));
	for (long own = 0; own < call->count() - 1024; own++) {
		other.gpr.orig_rax = (uint64_t)own;
		if (!call->name(call->number(&other)))
			continue;
		/* After again(), rax holds the call's number as before the
		 * call. */
		call->again(&other, call->number(&other));
		ck_assert_int_eq((long)other.gpr.rax, own);
	}
}
END_TEST

/* ---- stubs ----------------------------------------------------------------*/

#define MASK UINT64_C(0x8000000000000011)

static const struct regs resume = {
	.gpr = { .rax = 0xfffffffc,
		 .rbx = 1,
		 .rcx = 2,
		 .rdx = 3,
		 .rsi = 4,
		 .rdi = 5,
		 .rbp = 6,
		 .rsp = STACK,
		 .orig_rax = (uint64_t)-1,
		 .rip = 0xf7f01234 },
};

static size_t
build(uint8_t *stub)
{
	static const struct stub_call calls[] = {
		{ SYS_mmap, { 0x1000, 0x8000, 5, 34, (uint64_t)-1, 0x3000 } },
		{ SYS_munmap, { 0xf7001000, 0x1000 } },
	};

	return i386.stub_build(calls, 2, &resume, MASK, AT, stub);
}

static void
check_end(const uint8_t *stub, size_t length, size_t at)
{
	const struct code code = { stub, length, AT };
	struct regs left = resume;
	uint64_t mask = 0;

	left.gpr.rax = left.gpr.rbx = left.gpr.rcx = left.gpr.rdx = 99;
	left.gpr.rsi = left.gpr.rdi = left.gpr.rbp = 99;
	left.gpr.rip = AT + at;
	ck_assert(i386.stub_end(&code, &left, &mask));
	ck_assert_uint_eq(mask, MASK);
	ck_assert_mem_eq(&left.gpr, &resume.gpr, sizeof(resume.gpr));
}

START_TEST(stub_and_its_end)
{
	/* mmap2 with the offset in pages, munmap, rt_sigprocmask */
	static const char expected[] =
		"bb 00 10 00 00 b9 00 80 00 00 ba 05 00 00 00 "
		"be 22 00 00 00 bf ff ff ff ff bd 03 00 00 00 "
		"b8 c0 00 00 00 cd 80 "
		"bb 00 10 00 f7 b9 00 10 00 00 ba 00 00 00 00 "
		"be 00 00 00 00 bf 00 00 00 00 bd 00 00 00 00 "
		"b8 5b 00 00 00 cd 80 "
		"bb 02 00 00 00 b9 97 90 04 08 ba 00 00 00 00 "
		"be 08 00 00 00 bf 00 00 00 00 bd 00 00 00 00 "
		"b8 af 00 00 00 cd 80 "
		"bb 01 00 00 00 b9 02 00 00 00 ba 03 00 00 00 "
		"be 04 00 00 00 bf 05 00 00 00 bd 06 00 00 00 "
		"b8 fc ff ff ff e9 9d 81 eb ef "
		"11 00 00 00 00 00 00 80";
	uint8_t stub[STUB_ROOM] = { 0 };
	char text[3 * STUB_ROOM];
	size_t length = build(stub);
	const struct code code = { stub, length, AT };
	struct regs left = resume;
	uint64_t mask;
	int calls = 0;

	ck_assert_str_eq(hex_of(stub, length, text), expected);
	check_end(stub, length, 0);
	for (size_t at = 0; at + 1 < length; at++) {
		if (stub[at] != 0xcd || stub[at + 1] != 0x80)
			continue;
		check_end(stub, length, at);
		check_end(stub, length, at + 2);
		calls++;
	}
	ck_assert_int_eq(calls, 3);
	/* At the jump the registers are restored already. */
	left.gpr.rip = AT + length - 8 - 5;
	ck_assert(i386.stub_end(&code, &left, &mask));
	ck_assert_mem_eq(&left.gpr, &resume.gpr, sizeof(resume.gpr));
}
END_TEST

START_TEST(no_stub)
{
	uint8_t stub[STUB_ROOM] = { 0 };
	size_t length = build(stub);
	const struct code code = { stub, length, AT };
	struct regs left = resume;
	uint64_t mask;

	left.gpr.rip = AT + length;
	ck_assert(!i386.stub_end(&code, &left, &mask));
	left.gpr.rip = AT;
	stub[0] = 0x90;
	ck_assert(!i386.stub_end(&code, &left, &mask));
	stub[0] = 0xbc; /* mov to the stack pointer */
	ck_assert(!i386.stub_end(&code, &left, &mask));
}
END_TEST

/* ---- the rest -------------------------------------------------------------*/

static const struct {
	const char *text;
	struct operand is;
} operands[] = {
	{ "-4@%eax",
	  { OPERAND_REGISTER, 4, true, .base = 0, .index = OPERAND_NOTHING } },
	{ "4@%esi",
	  { OPERAND_REGISTER, 4, .base = 6, .index = OPERAND_NOTHING } },
	{ "1@%ch",
	  { OPERAND_REGISTER, 1, .base = 1, .index = OPERAND_NOTHING,
	    .shift = 8 } },
	{ "4@-24(%ebp)",
	  { OPERAND_MEMORY, 4, .number = -24, .base = 5,
	    .index = OPERAND_NOTHING } },
	{ "16(%esp,%edi,4)",
	  { OPERAND_MEMORY, 4, .number = 16, .base = 4, .index = 7,
	    .scale = 4 } },
	{ "4@%gs:-8",
	  { OPERAND_MEMORY, 4, .number = -8, .base = OPERAND_NOTHING,
	    .index = OPERAND_NOTHING, .of_thread = true } },
};

START_TEST(operand_of_note)
{
	const struct operand *is = &operands[_i].is;
	const char *text = operands[_i].text;
	struct operand operand;

	ck_assert_int_eq(operand_next(&i386, &text, &operand), 1);
	ck_assert_int_eq(operand.kind, is->kind);
	ck_assert_uint_eq(operand.bytes, is->bytes);
	ck_assert(operand.is_signed == is->is_signed);
	ck_assert_int_eq(operand.number, is->number);
	ck_assert_uint_eq(operand.base, is->base);
	ck_assert_uint_eq(operand.index, is->index);
	ck_assert_uint_eq(operand.scale, is->scale ? is->scale : 1);
	ck_assert_uint_eq(operand.shift, is->shift);
	ck_assert(operand.of_thread == is->of_thread);
}
END_TEST

static const char *const no_operands[] = {
	"4@%rax",      "4@%r9d",   "1@%sil",  "4@(%rax)",
	"4@sym(%rip)", "4@%fs:-8", "8@%xmm8",
};

START_TEST(no_operand)
{
	const char *text = no_operands[_i];
	struct operand operand;

	ck_assert_int_eq(operand_next(&i386, &text, &operand), -EINVAL);
}
END_TEST

static const struct {
	const char *bytes;
	bool known;
	addr_t word;
	int64_t distance;
} places[] = {
	{ "e8 00 01 00 00 05 9f 94 1f 00 8b 80 d0 fe ff ff "
	  "65 03 05 00 00 00 00 c3",
	  true, AT + 5 + 0x1f949f - 0x130, 0 },
	{ "f3 0f 1e fb e8 00 01 00 00 05 00 10 00 00 8b 80 04 00 00 00 "
	  "65 03 05 00 00 00 00 c3",
	  true, AT + 9 + 0x1004, 0 },
	{ "e8 13 00 00 00 05 cf 01 0a 00 c7 c0 dc ff ff ff "
	  "65 03 05 00 00 00 00 c3",
	  true, 0, -36 },
	{ "e8 13 00 00 00 05 cf 01 0a 00 c7 c0 dc ff ff ff c3", false, 0, 0 },
	{ "e8 13 00 00 00 05 cf 01", false, 0, 0 },
	{ "", false, 0, 0 },
};

START_TEST(errno_place)
{
	uint8_t bytes[ERRNO_CODE];
	const struct code code = {
		bytes, bytes_of(places[_i].bytes, bytes, sizeof(bytes)), AT
	};
	struct errno_place place;

	ck_assert(i386.libc->errno_place(&code, &place) == places[_i].known);
	if (!places[_i].known)
		return;
	ck_assert_uint_eq(place.word, places[_i].word);
	ck_assert_int_eq(place.distance, places[_i].distance);
}
END_TEST

START_TEST(uses_of_imports)
{
	static const addr_t got = 0x804bff4, word = 0x804c000;
	struct map map;
	const struct import_words words = { &map, word, word, got };
	struct import_uses uses = { 0 };
	uint8_t bytes[64];
	const struct code code = {
		bytes,
		/* jmp word; call 12(%ebx); mov 12(%esi),%eax; another word;
		 * mov 12(%ebx) with an index */
		bytes_of("ff 25 00 c0 04 08 ff 93 0c 00 00 00 "
			 "8b 86 0c 00 00 00 ff 25 04 c0 04 08 "
			 "8b 84 0b 0c 00 00 00 90",
			 bytes, sizeof(bytes)),
		AT
	};

	map_init(&map);
	map_put(&map, word, &map);
	i386.imports->scan(&code, &words, &uses);
	ck_assert_uint_eq(uses.list.count, 3);
	ck_assert_int_eq(uses.list.at[0].kind, IMPORT_USE_JUMP);
	ck_assert_uint_eq(uses.list.at[0].opcode, AT);
	ck_assert_uint_eq(uses.list.at[0].end, AT + 6);
	ck_assert_int_eq(uses.list.at[1].kind, IMPORT_USE_CALL);
	ck_assert_int_eq(uses.list.at[2].kind, IMPORT_USE_LOAD);
	ck_assert_uint_eq(uses.list.at[2].opcode, AT + 12);
	vec_release(&uses.list);
	map_release(&map);
}
END_TEST

START_TEST(kind_of_file)
{
	ck_assert_ptr_eq(arch_of_file(EM_386, ELFCLASS32, ELFDATA2LSB), &i386);
	ck_assert_ptr_null(arch_of_file(EM_386, ELFCLASS64, ELFDATA2LSB));
	ck_assert_uint_eq(i386.word, 4);
	ck_assert_uint_eq(arch_of_host()->word, 8);
}
END_TEST

Suite *
i386_suite(void)
{
	Suite *suite = suite_create("arch/i386");
	TCase *tests = tcase_create("i386");

	tcase_add_loop_test(tests, instructions, 0, array_size(decoded));
	tcase_add_test(tests, both_modes_in_turn);
	tcase_add_loop_test(tests, slot_bytes, 0, array_size(slots));
	tcase_add_loop_test(tests, refused, 0, array_size(refusals));
	tcase_add_test(tests, calls_of_functions);
	tcase_add_test(tests, dwarf_registers);
	tcase_add_test(tests, thread_pointer_is_in_gs);
	tcase_add_test(tests, system_calls);
	tcase_add_test(tests, system_call_names);
	tcase_add_test(tests, stub_and_its_end);
	tcase_add_test(tests, no_stub);
	tcase_add_loop_test(tests, operand_of_note, 0, array_size(operands));
	tcase_add_loop_test(tests, no_operand, 0, array_size(no_operands));
	tcase_add_loop_test(tests, errno_place, 0, array_size(places));
	tcase_add_test(tests, uses_of_imports);
	tcase_add_test(tests, kind_of_file);
	suite_add_tcase(suite, tests);
	return suite;
}
